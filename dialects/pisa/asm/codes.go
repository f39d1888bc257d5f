package asm

// Code is one row of the table of diagnostics: `pisac explain CODE` prints it.
type Code struct {
	ID    string // "PISA-E012"; never reused for something else
	Title string
	Text  string
}

// Codes of this package's diagnostics.
const (
	eTooMany     = "PISA-E000"
	eChar        = "PISA-E001"
	eString      = "PISA-E002"
	eNumber      = "PISA-E003"
	eSyntax      = "PISA-E004"
	eName        = "PISA-E005"
	eLimit       = "PISA-E006"
	eHeader      = "PISA-E010"
	eVersion     = "PISA-E011"
	eTarget      = "PISA-E012"
	ePlace       = "PISA-E013"
	eDirective   = "PISA-E014"
	eAttribute   = "PISA-E015"
	eAlign       = "PISA-E016"
	eType        = "PISA-E017"
	eLinkage     = "PISA-E018"
	eUnterm      = "PISA-E019"
	eInit        = "PISA-E020"
	eInitSize    = "PISA-E021"
	eSize        = "PISA-E022"
	eRedeclared  = "PISA-E030"
	eUndefReg    = "PISA-E031"
	eUndefSym    = "PISA-E032"
	eUndefLabel  = "PISA-E033"
	eRange       = "PISA-E034"
	eSpecial     = "PISA-E035"
	eLabelLine   = "PISA-E036"
	eParamUse    = "PISA-E037"
	eMnemonic    = "PISA-E040"
	eQual        = "PISA-E041"
	eQualOrder   = "PISA-E042"
	eQualTwice   = "PISA-E043"
	eQualMissing = "PISA-E044"
	eQualMix     = "PISA-E045"
	eSince       = "PISA-E046"
	eCount       = "PISA-E050"
	eKind        = "PISA-E051"
	eOperand     = "PISA-E052"
	eSwizzle     = "PISA-E053"
	eAddress     = "PISA-E054"
	eSpace       = "PISA-E055"
	eRule        = "PISA-E056"
	eImmRange    = "PISA-E057"
	eImmForm     = "PISA-E058"
	eCall        = "PISA-E060"
	eReturn      = "PISA-E061"
	eLastReturn  = "PISA-E062"
	eLinkVersion = "PISA-E070"
	eLinkUndef   = "PISA-E072"
	eLinkDup     = "PISA-E073"
	eLinkType    = "PISA-E074"

	wHeader   = "PISA-W001"
	wTarget   = "PISA-W002"
	wParamReg = "PISA-W003"
	wElemType = "PISA-W004"
	wLdShared = "PISA-W005"
	wOffset16 = "PISA-W006"
	wAtomic64 = "PISA-W007"
	wIntFloat = "PISA-W008"
	wShadow   = "PISA-W009"
	wForward  = "PISA-W010"
	wParamEnd = "PISA-W011"
)

// Codes is the table, in order of ID.
var Codes = []Code{
	{eTooMany, "too many errors", "The run stopped reporting after the limit of errors. Correct those shown first: later ones may be their consequences."},
	{eChar, "a byte that starts nothing", "PISA knows names, numbers, strings in double quotes, // comments and the punctuation ; : , . = + - ! < > ~ ( ) [ ] { } @ %. Any other byte outside comments and strings is an error."},
	{eString, "malformed string", "A string stands between double quotes on one line. In a quoted name the escapes are \\n, \\\", \\\\ and a backslash with two hexadecimal digits (version 1.0)."},
	{eNumber, "malformed number", "A number is decimal digits, 0x and hexadecimal digits, or a decimal floating-point literal; a minus sign may precede decimals only. An integer must fit 64 bits (PISA Operands 3.2)."},
	{eSyntax, "unexpected text", "The text does not follow the grammar at this place; the message says what was expected. Declarations and instructions end with a semicolon (PISA Syntax 1.2)."},
	{eName, "malformed name", "A name is a letter, $, . or _ and then letters, digits, $, . and _ (PISA Syntax 1.3). Version 1.0 also lets names of symbols begin with a digit, contain @, or stand in quotes."},
	{eLimit, "limit exceeded", "The input is larger than this compiler takes; docs/limits.md lists the limits."},
	{eHeader, "header out of order", ".version is the first statement of a module and .target the second, each once (PISA Compatibility 6.1)."},
	{eVersion, "unknown version", "The versions of the language are 0.1, the published specification, and 1.0, what LLVM's PISA target prints (PISA Compatibility 6.1.1)."},
	{eTarget, "unknown or missing target", "The targets are 100, 100c and 100ca (PISA Compatibility 6.1.2, 6.2). A version 0.1 module must state one."},
	{ePlace, "declaration in the wrong place", ".global variables, kernels and functions stand at module scope; .private and .shared variables, registers and instructions inside a kernel or function; .const variables in either (PISA Variables 2.4)."},
	{eDirective, "unknown directive", "The word begins with a dot but is none of the directives (PISA, Directives)."},
	{eAttribute, "unknown, repeated or misplaced attribute", "Variables take .align N, and at module scope .section(\"NAME\") and .host_access(\"NAME\"); kernels .reqd_work_group_size(X, Y, Z) and .vec_type_hint(TYPE); kernel parameters .align(N), .addrspace(global|shared|const) and .ptr_align(N). Each may be given once, in any order (PISA Variables 2.4, 2.5; Calling Convention 4.1, 4.2)."},
	{eAlign, "bad alignment", "An alignment is a power of two (PISA Variables 2.4.1; Calling Convention 4.2.1)."},
	{eType, "bad register type", "Registers are .8b, .16b, .32b, .64b, .128b, or vectors of 2, 3 or 4 elements of .8b, .16b and .64b, or of 2 to 8, 16, 32 or 64 elements of .32b (PISA Data Types 2.2)."},
	{eLinkage, "linkage does not apply", ".export and .import apply to variables and functions. An imported variable has no initialiser and an imported function no body; a kernel has no linkage (PISA Variables 2.5.2; Calling Convention 4.3.1)."},
	{eUnterm, "unterminated body", "A brace opened here or before is not closed at the end of the text or where the next kernel, function or global variable begins."},
	{eInit, "bad initialiser", "An initialiser lists .8b, .16b, .32b or .64b with an integer, .zero N, or .64b with @symbol, @symbol+offset, without nesting. Floats are written as their bits in hexadecimal. Only .global and .const variables have one, and .const variables must have one (PISA Variables 2.5.1)."},
	{eInitSize, "initialiser and variable differ in size", "The bytes of the items together must equal the bytes in the variable's brackets (PISA Variables 2.5.1)."},
	{eSize, "bad size", "A variable's size is the number of bytes in brackets, at least 1; it may be left out only where an initialiser states it (PISA Variables 2.4)."},
	{eRedeclared, "name declared twice", "A symbol is declared once in a module, a register, predicate or local variable once in a block, and a label once in a function (PISA Syntax 1.3; Variables 2.5.2)."},
	{eUndefReg, "undefined register", "No register or predicate of this name is visible here. Declare it with .reg or .pred before its first use, in this block or one around it (PISA Syntax 1.2; Variables 2.2)."},
	{eUndefSym, "undefined symbol", "No variable or function of this name is declared in the module or visible in this block."},
	{eUndefLabel, "undefined label", "goto names a label of the same kernel or function (PISA Instruction Set 6.2)."},
	{eRange, "bad register range", "A range <A~B> declares the registers A to B-1 and must not be empty; both ends are below 2^32 (PISA Variables 2.2)."},
	{eSpecial, "special register", "Special registers are read only, cannot be declared, and those with three elements are read through .x, .y or .z (PISA Special Registers 4)."},
	{eLabelLine, "label not alone on its line", "A label stands alone on its line (PISA Syntax 1.2)."},
	{eParamUse, "kernel parameter used as a register", "Kernel parameters are read by ld.param only (PISA Calling Convention 4.2)."},
	{eMnemonic, "unknown instruction", "No instruction has this name."},
	{eQual, "unknown qualifier", "The instruction has no qualifier with this value."},
	{eQualOrder, "qualifiers in the wrong order", "Qualifiers are written in the order of the instruction's page."},
	{eQualTwice, "qualifier given twice", "Each qualifier of an instruction has one value."},
	{eQualMissing, "missing qualifier", "The instruction needs a qualifier that is not written; the message lists the values."},
	{eQualMix, "qualifiers that do not go together", "Each qualifier exists, but no form of the instruction has them together."},
	{eSince, "needs a later version of the language", "Version 1.0 has what stands here, the published version 0.1 has not."},
	{eCount, "wrong number of operands", "No form of the instruction with these qualifiers has this many operands."},
	{eKind, "wrong kind of operand", "The operand must be a register, predicate, immediate, address, label or symbol, as the message says."},
	{eOperand, "operand of the wrong type", "Operands are not converted: a register must have exactly the width and shape that the qualifiers state (PISA Operands 3)."},
	{eSwizzle, "swizzle not allowed", ".x .y .z .w select one of the first four elements of a vector register wherever a scalar may stand; .xy .zw .xyzw are for mov (PISA Operands 3.4) and, in version 1.0, .xy and .zw for any two-element vector operand."},
	{eAddress, "bad address", "An address is [base] or [base + offset]: the base a register as wide as addresses of the space, or a variable of the space; the offset a signed immediate, a .32b register, or a register as wide as the base (PISA Operands 3.3)."},
	{eSpace, "variable in another address space", "A variable used as an address must lie in the instruction's address space (PISA Operands 3.3)."},
	{eRule, "restriction of the instruction", "The instruction's page forbids this combination."},
	{eImmRange, "immediate out of range", "The value must lie in the signed or unsigned range of the operand's width; hexadecimal is taken as unsigned (PISA Operands 3.2)."},
	{eImmForm, "immediate of the wrong form", "Integer operands take decimal or hexadecimal integers; floating-point operands a decimal floating-point literal or exactly as many hexadecimal digits as the type has (PISA Operands 3.2)."},
	{eCall, "call does not match the function", "Arguments are registers whose types equal the parameters'; the result register has the return type, and is void where the function returns nothing (PISA Calling Convention 4.4; Instruction Set 6.1)."},
	{eReturn, "return does not match the function", "A kernel and a void function return nothing, any other function a register or immediate of its return type (PISA Calling Convention 4.5; Instruction Set 6.3)."},
	{eLastReturn, "no return at the end", "return must be the last instruction of a function that returns a value (PISA Calling Convention 4.5)."},
	{eLinkVersion, "modules of different major versions", "Modules that are linked have one major version (PISA Compatibility 6.1.1)."},
	{eLinkUndef, "imported symbol is not exported", "No module of this link exports the imported variable or function (PISA Variables 2.5.2; Calling Convention 4.3.1)."},
	{eLinkDup, "symbol exported twice", "Two modules export the same name. Version 1.0 allows it for functions of one signature."},
	{eLinkType, "import and export differ", "An imported function has the signature, an imported variable the address space and size, of the exported one."},

	{wHeader, "no header", "The module does not begin with .version; version 1.0 is assumed (PISA Compatibility 6.1)."},
	{wTarget, "no target", "The module does not state a .target; 100 is assumed."},
	{wParamReg, "parameter without .reg", "Function parameters are written with .reg; examples of the specification leave it out."},
	{wElemType, "element type on a memory variable", "The size of a memory variable is in bytes; with an element type before the name, as an example of the specification has it, it is taken as a number of elements."},
	{wLdShared, "cache control on .shared", "Cache controls are not allowed on shared memory (PISA Instruction Set 8.3); the hint is dropped. An example of the specification has one."},
	{wOffset16, "16-bit offset", "An offset register is .32b or as wide as the base; a .16b register, as an example of the specification has it, is sign-extended."},
	{wAtomic64, "64-bit atomic access to generic memory", "Atomic .64b accesses need .global (PISA Instruction Set 8.3, 8.5), though an example of the specification uses .generic."},
	{wIntFloat, "integer where a float is expected", "A floating-point operand is a floating-point literal; 1 is taken as 1.0."},
	{wShadow, "declaration hides another", "The name hides a register, parameter or variable of a block around this one."},
	{wForward, "forward declaration", "A function without .import and without a body; its definition follows. Functions may be used before they are defined, so the declaration is not needed."},
	{wParamEnd, "read past the end of a parameter", "The read reaches past the bytes that the kernel parameter declares."},
}

// Explain returns the row of a code.
func Explain(id string) (Code, bool) {
	for i := range Codes {
		if Codes[i].ID == id {
			return Codes[i], true
		}
	}
	return Code{}, false
}
