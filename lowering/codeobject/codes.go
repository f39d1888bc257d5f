package codeobject

import "pisac/ir"

// Codes of diagnostics that all backends share.
const (
	CodeKernelName  = "AMD-E001"
	CodeGroupSize   = "AMD-E002"
	CodeNoAddress   = "AMD-E003"
	CodeSharedSize  = "AMD-E004"
	CodePrivateSize = "AMD-E005"
	CodeArgSize     = "AMD-E006"
	CodeHostName    = "AMD-E007"
	CodeAtomic128   = "AMD-E010"
	CodeRenamed     = "AMD-W004"
)

// Codes explains them (`pisac explain`).
var Codes = []ir.CodeDoc{
	{Code: CodeKernelName, Text: "The host finds a kernel by its name, which must be one that an ELF symbol can have: without @, behind which ELF has a version, without zero bytes, not that of a section such as .text, and not that of another kernel's descriptor (k.kd)."},
	{Code: CodeGroupSize, Text: "A work-group has at least 1 and at most 1024 work-items on these GPUs; .reqd_work_group_size asks for another number."},
	{Code: CodeNoAddress, Text: "Initialisers hold 64-bit addresses: those of .global and .const variables and of functions."},
	{Code: CodeSharedSize, Text: "The .shared variables of a kernel and of all functions that it may call lie in the local data share of one compute unit at once. Each is padded to a multiple of its alignment, at least 16."},
	{Code: CodePrivateSize, Text: "The .private variables of a function lie in the scratch memory of each work-item, whose size the hardware limits."},
	{Code: CodeArgSize, Text: "The parameters of a kernel, each at a multiple of its alignment, must fit the argument block of a launch. What runtimes take is usually far less than this limit."},
	{Code: CodeHostName, Text: "The host finds a variable by the name in .host_access, which becomes a symbol of the code object: no other symbol can have it, and it must be one that an ELF symbol can have (without @ and zero bytes, not that of a section or of a kernel's descriptor)."},
	{Code: CodeAtomic128, Text: "These GPUs have no atomic access of 128 bits: compare-and-swap ends at 64 bits, and the two halves of a 16-byte load or store may be seen apart. A lock in the program can do what is wanted."},
	{Code: CodeRenamed, Text: "ELF symbols have no @ (a version would follow), no zero bytes, and not the names of sections or of kernel descriptors. The variable gets another name in the code object, by which the host must look it up."},
}
