package driver

import (
	"fmt"
	"io"
	"strings"

	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/pisa/asm"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/lowering/asmprint"
	"pisac/lowering/codeobject"
	"pisac/lowering/isel"
	"pisac/lowering/llvmgen"
	"pisac/lowering/ssabuild"
	"pisac/passes/machine"
)

// Codes of the driver's own diagnostics.
const (
	codeTooLong   = "PISAC-E001"
	codeIRAlone   = "PISAC-E002"
	codeFormatOne = "PISAC-E003"
	codeLLVM      = "PISAC-E004"
	codePipeline  = "PISAC-E005"

	codeManyWarnings = "PISAC-W001"
)

// driverCodes explains them.
var driverCodes = []ir.CodeDoc{
	{Code: codeTooLong, Text: "All inputs together may have a little less than 4 GiB (docs/limits.md)."},
	{Code: codeIRAlone, Text: "Several modules of PISA assembly are linked into one. A .pir file is a module that has been linked, so that it comes alone."},
	{Code: codeFormatOne, Text: "--emit=pisa formats one module of PISA assembly."},
	{Code: codeLLVM, Text: "llc or ld.lld says so. LLVM sees no PISA source, so that there is no place in it; the message names the function. Usually a function needs more shared memory, stack or registers than the target has."},
	{Code: codePipeline, Text: "A pass needs what no pass before it gives, or a state that one before it ends (pisac --list-passes)."},
	{Code: codeLitmus, Text: "A litmus test is out of the bounds of pisac litmus, its //@ header is wrong, or it uses what the memory model does not speak about (docs/memory-model.md)."},
	{Code: codeManyWarnings, Text: "A compile shows its first 1000 warnings."},
}

// codes returns every diagnostic of the compiler.
func codes() []ir.CodeDoc {
	var all []ir.CodeDoc
	for i := range asm.Codes {
		c := &asm.Codes[i]
		all = append(all, ir.CodeDoc{Code: c.ID, Text: c.Title + ".\n" + c.Text})
	}
	all = append(all, ssabuild.Codes...)
	all = append(all, codeobject.Codes...)
	all = append(all, isel.Codes...)
	all = append(all, asmprint.Codes...)
	all = append(all, machine.Codes...)
	all = append(all, llvmgen.Codes...)
	all = append(all, interp.Codes()...)
	all = append(all, emu.Codes()...)
	all = append(all, ir.Codes...)
	all = append(all, passCodes...)
	return append(all, driverCodes...)
}

// explain is `pisac explain CODE...`.
func explain(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		return usage(stderr, usagef("explain: name a code, such as PISA-E032"))
	}
	all := codes()
	for _, arg := range args {
		want := strings.Trim(strings.ToUpper(arg), "[]")
		found := false
		var names []string
		for _, c := range all {
			names = append(names, c.Code)
			if c.Code == want {
				fmt.Fprintf(stdout, "%s: %s\n", c.Code, c.Text)
				found = true
				break
			}
		}
		if !found {
			return usage(stderr, usagef("explain: there is no diagnostic %s%s", arg, didYouMean(want, names)))
		}
	}
	return exitOK
}
