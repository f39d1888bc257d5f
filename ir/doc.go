// Package ir is the container of pisac's multi-level IR: modules, functions,
// basic blocks, operations and values in SSA form, shared by all dialects. It
// imports nothing from the repository; what the ops are comes from tables that
// dialects put into a Registry.
//
// A Module holds functions and variables. A Func is a flat control-flow graph
// of Blocks; a Block has arguments instead of φ-functions, and its last op is
// a terminator whose successor Edges own the operands that they pass. An Op
// has a Code (its row in the Registry), packed qualifiers in Props, at most
// one out-of-line payload in Aux, operands, results and a source location.
//
// # Text
//
// The textual form (.pir) is driven by the tables and round-trips:
//
//	module version 0.1 target 100
//
//	var @tab const size 12 align 4 export = { bytes 0x01000000, zero 8 }
//
//	kernel @k(param %a size 8 align 8 space global ptr_align 4) reqd_work_group_size(64, 1, 1) {
//	  var @S shared size 1024 align 16
//	^bb0:
//	  %0 = pisa.ld.param.64b %a : 64b
//	  %1 = pisa.sreg.localid.x : 32b
//	  %2 = pisa.zext.64b.32b %1 : 64b
//	  %3 = pisa.iadd.64b %0, %2 : 64b
//	  %4 = pisa.ld.global.32b [%3] : 32b
//	  %5 = builtin.const 0x2a : 32b
//	  %6 = pisa.ucmp.lt.32b %4, %5 : pred
//	  builtin.cond_br %6, ^bb1(%4), ^bb2
//	^bb1(%7: 32b):  // preds: ^bb0
//	  %8 = builtin.call @twice(%7) : 32b
//	  pisa.st.global.32b [%3], %8
//	  builtin.br ^bb2
//	^bb2:  // preds: ^bb0, ^bb1
//	  builtin.return
//	}
//
//	function @twice(32b %x) -> 32b {
//	^bb0(%0: 32b):
//	  %1 = pisa.iadd.32b %0, %0 : 32b
//	  builtin.return %1
//	}
//
//	function @elsewhere(v4.32b, 64b) import
//
// One op, variable or label is a line; // begins a comment. Qualifiers follow
// the op's name as in PISA assembly, in the row's order, optional ones only
// where they differ from the default. A parameter or symbol comes before the
// operands, edges behind them, result types behind the colon. Constants are
// printed in hexadecimal, so that floats survive; a variable's bytes are in
// the order of memory. A number in decimal, negative if need be, is read too.
//
// The printer numbers values and blocks; the parser takes any names. A name
// that is not made of letters, digits and _ . $ is quoted, any byte in it may
// be \xx. @name is a variable of the function if it has one of that name, else
// a symbol of the module; @@name is always the latter. The address operand of
// an op stands in brackets: [%base], [%base + %offset].
//
//	module   = [ "module" "version" N.N [ "target" name ] ] { var | func }
//	var      = "var" @name space { "size" N | "align" N | linkage | "section" str | "host_access" str } [ "=" "{" item, … "}" ]
//	item     = "bytes" 0x… | "zero" N | "sym" @name [ ("+"|"-") N ]
//	func     = ( "kernel" @name "(" param, … ")" | "function" @name "(" type [%name], … ")" [ "->" type ] )
//	           { linkage | "reqd_work_group_size" "(" N, N, N ")" | "vec_type_hint" str } [ "{" { var } { block } "}" ]
//	param    = "param" %name { "size" N | "align" N | "space" space | "ptr_align" N }
//	linkage  = "export" | "import"
//	block    = ^name [ "(" %name: type, … ")" ] ":" { op }
//	op       = [ %name, … "=" ] dialect.mnemonic{.qualifier} body [ ":" type, … ]
//	body     = [ %param | @name ] %operand, … ^block [ "(" %operand, … ")" ], …
//	         | number | @name "(" %operand, … ")" | %callee "(" %operand, … ")"
//
// # The invariants
//
// The verifier cites these numbers.
//
//	I1   Every block has at least one op and ends in a terminator; no terminator stands elsewhere.
//	I2   The entry block has no predecessors. Its arguments are the function's parameters; a kernel's has none.
//	I3   An edge passes exactly as many values as its target has arguments, of equal types.
//	I4   Every use is dominated by its definition (in unreachable blocks: defined in the same function) or in a physical register.
//	I5   Use lists, operand owners and predecessor lists agree with the ops.
//	I6   An op's code is registered, and its operand, result and successor counts are those of its row.
//	I7   Every qualifier has a value that its row allows; unused bits of Props are zero.
//	I8   Aux is of the row's kind and names something that exists.
//	I9   Types are valid, and operand and result types are what the row and its qualifiers say.
//	I10  Ids of ops, values and blocks are unique and below the function's bounds.
//	I11  Symbols are unique at module scope and within a function, parameters within a kernel; exactly
//	     the imported functions lack a body; a call matches its callee's signature.
//	I12  A return has the function's return type; a kernel returns nothing.
//	I13  A variable lies in a space of its scope; its alignment is a power of two and its initialiser has
//	     its size; only const and global ones have one, and it names module symbols.
package ir
