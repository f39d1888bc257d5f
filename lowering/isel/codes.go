package isel

import (
	"pisac/ir"
	"pisac/lowering/codeobject"
)

const (
	codeCall      = "AMD-E021"
	codeAtomic128 = codeobject.CodeAtomic128
	codeLDS       = codeobject.CodeSharedSize
	codePrivate   = codeobject.CodePrivateSize
)

// Codes lists what only this package reports, in order.
var Codes = []ir.CodeDoc{
	{Code: codeCall, Text: "The native backend compiles kernels whose calls are all inlined: recursive, indirect and imported functions go through LLVM (--backend=llvm)."},
}
