package machine

import "pisac/ir"

const (
	codeSpill = "AMD-E034"
	codeMasks = "AMD-E035"
)

// Codes lists what machine passes report (`pisac explain`).
var Codes = []ir.CodeDoc{
	{Code: codeSpill, Text: "More values are needed at one place than the chip has registers for a wave of this kernel, and they cannot all be kept in memory meanwhile. A smaller work-group leaves more registers to each wave; --backend=llvm allocates registers otherwise."},
	{Code: codeMasks, Text: "Lanes of a wave that have taken different ways wait for each other in scalar registers, one for each place where they meet. Control flow that jumps between many places needs more than there are."},
}
