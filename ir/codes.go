package ir

// CodeDoc explains a diagnostic code (`pisac explain`).
type CodeDoc struct{ Code, Text string }

// Codes of the textual IR's parser and of the verifier. IR-I… are the
// invariants by number.
const (
	codeSyntax  = "IR-E001"
	codeOp      = "IR-E002"
	codeQual    = "IR-E003"
	codeUndef   = "IR-E004"
	codeRedef   = "IR-E005"
	codeNumber  = "IR-E006"
	codeType    = "IR-E007"
	codeResults = "IR-E008"
)

// Codes lists what this package reports, in order.
var Codes = []CodeDoc{
	{codeSyntax, "The textual IR does not allow this token here."},
	{codeOp, "No dialect has an op of this name. Ops are written dialect.mnemonic, then their qualifiers."},
	{codeQual, "The op does not have this qualifier, lacks one that it must have, or has them in another order."},
	{codeUndef, "The value, block, parameter or symbol is used but never defined."},
	{codeRedef, "The value, block, parameter or symbol is defined twice."},
	{codeNumber, "The number is malformed, or too large for its place."},
	{codeType, "Types are none, pred, 8b to 128b, and register vectors such as v4.32b."},
	{codeResults, "There must be one type behind the colon for each result before the equals sign."},
	{"IR-I1", "Every block has at least one op and ends in a terminator; no terminator stands elsewhere."},
	{"IR-I2", "The entry block has no predecessors. Its arguments are the function's parameters; a kernel's has none."},
	{"IR-I3", "An edge passes exactly as many values as its target has arguments, of equal types."},
	{"IR-I4", "Every use is dominated by its definition (in unreachable blocks: defined in the same function) or in a physical register."},
	{"IR-I5", "Use lists, operand owners and predecessor lists agree with the ops."},
	{"IR-I6", "An op's code is registered, and its operand, result and successor counts are those of its row."},
	{"IR-I7", "Every qualifier has a value that its row allows; unused bits of Props are zero."},
	{"IR-I8", "Aux is of the row's kind and names something that exists."},
	{"IR-I9", "Types are valid, and operand and result types are what the row and its qualifiers say."},
	{"IR-I10", "Ids of ops, values and blocks are unique and below the function's bounds."},
	{"IR-I11", "Symbols are unique at module scope and within a function, parameters within a kernel; exactly the imported functions lack a body; a call matches its callee's signature."},
	{"IR-I12", "A return has the function's return type; a kernel returns nothing."},
	{"IR-I13", "A variable lies in a space of its scope; its alignment is a power of two and its initialiser has its size; only const and global ones have one, and it names module symbols."},
}
