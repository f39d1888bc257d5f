package asmprint

import "pisac/ir"

const (
	codeSpelling = "AMD-E030"
	codeCallable = "AMD-E031"
	codeScratch  = "AMD-E032"

	codeNoFunction = "AMD-W005"

	// CodeNotFinal is for whoever asks Final.
	CodeNotFinal = "AMD-E033"
)

// Codes lists what this package reports.
var Codes = []ir.CodeDoc{
	{Code: codeSpelling, Text: "The native backend writes assembly, in which a symbol cannot have quotes, line ends, a backslash at its end, or bytes that are not UTF-8. --backend=llvm can make the object (not the assembly)."},
	{Code: codeCallable, Text: "The native backend generates code of kernels, into which it inlines what they call. A function that other modules may call, or whose address a variable holds, needs --backend=llvm."},
	{Code: codeNoFunction, Text: "The native backend generates code of kernels, into which it inlines what they call. Functions that the module exports beside them are not in the code object; --backend=llvm puts them there."},
	{Code: CodeNotFinal, Text: "Textual IR of the amdgpu dialect that is to become assembly must be what the last machine pass makes: --start-after names the step behind which it was written, and --emit=amdgpu writes it at any step."},
	{Code: codeScratch, Text: "The kernel needs scratch memory, which the native backend does not set up on this chip. --backend=llvm does."},
}
