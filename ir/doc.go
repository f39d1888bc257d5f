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
//	var @tab const size 8 align 4 = { bytes 0x0100000002000000 }
//
//	kernel @k(param %a size 8 align 8 space global ptr_align 4) reqd_work_group_size(64, 1, 1) {
//	  var @S shared size 1024 align 16
//	^bb0:
//	  %0 = pisa.ld.param.64b %a : 64b
//	  %1 = pisa.sreg.localid.x : 32b
//	  %2 = pisa.zext.64b.32b %1 : 64b
//	  %3 = pisa.ld.global.32b [%0 + %2] : 32b
//	  %4 = builtin.const 0x2a : 32b
//	  %5 = pisa.ucmp.lt.32b %3, %4 : pred
//	  builtin.cond_br %5, ^bb1(%3 : 32b), ^bb2
//	^bb1(%6: 32b):  // preds: ^bb0
//	  pisa.st.global.32b [%0], %6
//	  builtin.br ^bb2
//	^bb2:
//	  builtin.return
//	}
//
// Qualifiers follow the op's name as in PISA assembly, in the row's order,
// optional ones only where they differ from the default. Result types follow
// the colon. Numbers are printed in hexadecimal where bits are meant, so that
// floats survive.
//
// # The invariants
//
// The verifier cites these numbers.
//
//	I1   Every block has at least one op and ends in a terminator; no terminator stands elsewhere.
//	I2   The entry block has no predecessors. Its arguments are the function's parameters; a kernel's has none.
//	I3   An edge passes exactly as many values as its target has arguments, of equal types.
//	I4   Every use is dominated by its definition (in unreachable blocks: defined in the same function).
//	I5   Use lists, operand owners and predecessor lists agree with the ops.
//	I6   An op's code is registered, and its operand, result and successor counts are those of its row.
//	I7   Every qualifier has a value that its row allows; unused bits of Props are zero.
//	I8   Aux is of the row's kind and names something that exists.
//	I9   Types are valid, and operand and result types are what the row and its qualifiers say.
//	I10  Ids of ops, values and blocks are unique and below the function's bounds.
//	I11  Symbols are unique at module scope and within a function; a call matches its callee's signature.
//	I12  A return has the function's return type; a kernel returns nothing.
//	I13  A variable's alignment is a power of two and its initialiser has its size; only const and global ones have one.
package ir
