package isel

import "pisac/ir"

const (
	codeUnsupported = "AMD-E001"
	codeCall        = "AMD-E002"
	codeAtomic128   = "AMD-E003"
	codeLDS         = "AMD-E004"
)

// Codes lists what this package reports, in order.
var Codes = []ir.CodeDoc{
	{Code: codeUnsupported, Text: "The native backend does not compile this operation yet: sub-group operations, private memory and compare-and-swap loops go through LLVM (--backend=llvm)."},
	{Code: codeCall, Text: "The native backend compiles kernels whose calls are all inlined: recursive, indirect and imported functions go through LLVM (--backend=llvm)."},
	{Code: codeAtomic128, Text: "AMD GPUs have no 128-bit atomic instructions: the widest compare-and-swap is 64 bits, and a 16-byte access may be split."},
	{Code: codeLDS, Text: "The kernel's .shared variables need more memory than a work-group has on this chip."},
}
