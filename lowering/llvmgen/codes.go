package llvmgen

import (
	"pisac/ir"
	"pisac/lowering/codeobject"
)

const (
	codeKernelName  = codeobject.CodeKernelName
	codeGroupSize   = codeobject.CodeGroupSize
	codeNoAddress   = codeobject.CodeNoAddress
	codeSharedSize  = codeobject.CodeSharedSize
	codePrivateSize = codeobject.CodePrivateSize
	codeArgSize     = codeobject.CodeArgSize
	codeAtomic128   = codeobject.CodeAtomic128
	codePtrAlign    = "AMD-W001"
	codeSpinLoop    = "AMD-W002"
	codeUnlaunched  = "AMD-W003"
	codeRenamed     = codeobject.CodeRenamed
)

// Codes lists the diagnostics of this package alone (`pisac explain`).
var Codes = []ir.CodeDoc{
	{Code: codePtrAlign, Text: "The host allocates the shared memory behind a .shared pointer parameter at the alignment that the code object states for the argument. It can state .ptr_align only if the parameter lies at the next multiple of 4 behind the one before it."},
	{Code: codeSpinLoop, Text: "On GPUs with waves of 64 lanes two sub-groups share a wave and its program counter. A loop that waits until another work-item has written something may wait for one of the other sub-group in the wave, which cannot run meanwhile. Waiting at a barrier is safe, and so are work-groups of at most 32 work-items."},
	{Code: codeUnlaunched, Text: ".shared variables are laid out when a kernel is launched, for all functions that it may call. A function that no kernel calls has no place for them; since nothing can call it, it gets no code."},
}
