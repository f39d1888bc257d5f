package llvmgen

import "pisac/ir"

const (
	codeKernelName  = "AMD-E001"
	codeGroupSize   = "AMD-E002"
	codeNoAddress   = "AMD-E003"
	codeSharedSize  = "AMD-E004"
	codePrivateSize = "AMD-E005"
	codeArgSize     = "AMD-E006"
	codeAtomic128   = "AMD-E010"
	codePtrAlign    = "AMD-W001"
	codeSpinLoop    = "AMD-W002"
	codeUnlaunched  = "AMD-W003"
	codeRenamed     = "AMD-W004"
)

// Codes lists the diagnostics of this package (`pisac explain`).
var Codes = []ir.CodeDoc{
	{Code: codeKernelName, Text: "The host finds a kernel by its name, which must be one that an ELF symbol can have: without @, behind which ELF has a version, without zero bytes, not that of a section such as .text, and not that of another kernel's descriptor (k.kd)."},
	{Code: codeGroupSize, Text: "A work-group has at least 1 and at most 1024 work-items on these GPUs; .reqd_work_group_size asks for another number."},
	{Code: codeNoAddress, Text: "Initialisers hold 64-bit addresses: those of .global and .const variables and of functions."},
	{Code: codeSharedSize, Text: "The .shared variables of a kernel and of all functions that it may call lie in the local data share of one compute unit at once. Each is padded to a multiple of its alignment, at least 16."},
	{Code: codePrivateSize, Text: "The .private variables of a function lie in the scratch memory of each work-item, whose size the hardware limits."},
	{Code: codeArgSize, Text: "The parameters of a kernel, each at a multiple of its alignment, must fit the argument block of a launch. What runtimes take is usually far less than this limit."},
	{Code: codeAtomic128, Text: "These GPUs have no atomic access of 128 bits: compare-and-swap ends at 64 bits, and the two halves of a 16-byte load or store may be seen apart. A lock in the program can do what is wanted."},
	{Code: codePtrAlign, Text: "The host allocates the shared memory behind a .shared pointer parameter at the alignment that the code object states for the argument. It can state .ptr_align only if the parameter lies at the next multiple of 4 behind the one before it."},
	{Code: codeSpinLoop, Text: "On GPUs with waves of 64 lanes two sub-groups share a wave and its program counter. A loop that waits until another work-item has written something may wait for one of the other sub-group in the wave, which cannot run meanwhile. Waiting at a barrier is safe, and so are work-groups of at most 32 work-items."},
	{Code: codeUnlaunched, Text: ".shared variables are laid out when a kernel is launched, for all functions that it may call. A function that no kernel calls has no place for them; since nothing can call it, it gets no code."},
	{Code: codeRenamed, Text: "ELF symbols have no @ (a version would follow), no zero bytes, and not the names of sections or of kernel descriptors. The variable gets another name in the code object, by which the host must look it up."},
}
