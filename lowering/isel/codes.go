package isel

import (
	"pisac/ir"
	"pisac/lowering/codeobject"
)

const (
	codeUnsupported = "AMD-E020"
	codeCall        = "AMD-E021"
	codeAtomic128   = codeobject.CodeAtomic128
	codeLDS         = codeobject.CodeSharedSize
)

// Codes lists what only this package reports, in order.
var Codes = []ir.CodeDoc{
	{Code: codeUnsupported, Text: "The native backend does not compile this operation yet: sub-group operations, private memory and compare-and-swap loops go through LLVM (--backend=llvm)."},
	{Code: codeCall, Text: "The native backend compiles kernels whose calls are all inlined: recursive, indirect and imported functions go through LLVM (--backend=llvm)."},
}
