package driver

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"pisac/dialects/amdgpu/target"
)

// Emit is a representation at which the compile stops.
type Emit string

const (
	EmitCheck  Emit = "check"  // none: diagnostics only
	EmitPISA   Emit = "pisa"   // canonical assembly
	EmitIR     Emit = "ir"     // the pisa dialect, textual
	EmitAMDGPU Emit = "amdgpu" // the amdgpu dialect, textual
	EmitLLVM   Emit = "llvm"   // LLVM IR
	EmitAsm    Emit = "asm"    // AMD GPU assembly
	EmitObj    Emit = "obj"    // relocatable object
	EmitHSACO  Emit = "hsaco"  // linked code object
)

// emits has, for each representation, how its files end ("" for none) and
// whether a terminal can show it.
var emits = []struct {
	emit Emit
	ext  string
	text bool
}{
	{EmitCheck, "", true},
	{EmitPISA, ".pisa", true},
	{EmitIR, ".pir", true},
	{EmitAMDGPU, ".pir", true},
	{EmitLLVM, ".ll", true},
	{EmitAsm, ".s", true},
	{EmitObj, ".o", false},
	{EmitHSACO, ".hsaco", false},
}

// Options are the choices of one compile. The tags are the command line.
type Options struct {
	Files []string `arg:"" optional:"" name:"file" help:"Inputs: .pisa (assembly) or .pir (textual IR); - is stdin. Several are linked."`

	Output   string `short:"o" placeholder:"FILE" help:"Output file; - is stdout. The default follows the input's name."`
	OptLevel int    `name:"opt-level" short:"O" default:"2" enum:"0,1,2,3" help:"Optimisation level: -O0, -O1, -O2, -O3."`
	MCPU     string `name:"mcpu" default:"gfx1100" placeholder:"CHIP" help:"Target chip; --mcpu=help lists them."`
	Emit     Emit   `placeholder:"KIND" help:"What to produce: check, pisa, ir, amdgpu, llvm, asm, obj or hsaco (default asm)."`
	Backend  string `placeholder:"NAME" help:"Code generator: native (pisac's own; the default), or llvm (through llc)."`

	RelaxedScope string `default:"system" enum:"system,gpu" help:"Scope of .relaxed atomics, which name none: system or gpu."`
	FPAtomics    string `name:"fp-atomics" default:"strict" enum:"strict,fast" help:"Floating-point atomics: strict, or fast where the hardware may flush denormals."`
	SystemAtomic string `name:"system-atomics" default:"" help:"Atomics that PCIe does not carry: native, or a cas loop also for .relaxed."`
	FMulRounding string `name:"fmul-default-rounding" default:"re" enum:"re,rz" help:"Rounding of fmul without a mode: re or rz."`

	PassFlags `embed:"" group:"Passes"`

	VerifyEach        bool   `help:"Verify the IR after each pass, not only before and after all passes."`
	NoVerify          bool   `help:"Do not verify what the compiler itself made."`
	VerifyDiagnostics bool   `help:"Compare diagnostics with the expected-… comments of the input."`
	SplitInputFile    bool   `help:"Compile the parts between lines '// -----' one by one."`
	DiagnosticsFormat string `default:"text" enum:"text,json" help:"Diagnostics as text, or one JSON object a line."`
	Color             string `default:"auto" enum:"auto,always,never" help:"Colour in diagnostics: auto, always or never."`
	Werror            bool   `help:"Treat warnings as errors."`
	NoWarnings        bool   `short:"w" help:"Do not show warnings."`
	Version           bool   `help:"Print the version and leave."`

	// Log takes dumps and reports; nil: nobody does. LogColor colours diffs.
	Log      io.Writer `kong:"-"`
	LogColor bool      `kong:"-"`
	// Save takes the files that dump flags name; nil: they are not written.
	Save func(name string, text []byte) error `kong:"-"`

	target *target.Target
}

const description = `Compiles PISA, the portable GPU assembly, to AMD GPU code.

pisac explain CODE tells what a diagnostic means; pisac list targets|ops|passes|rules lists.`

// usageError is a mistake of the command line.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errHelp says that help was asked for, and printed.
var errHelp = errors.New("help")

// parseArgs reads the command line of the compiler.
func parseArgs(args []string, stdout, stderr io.Writer) (*Options, error) {
	if o := plainArgs(args); o != nil {
		return o, o.resolve()
	}
	o := &Options{}
	if err := parseFlags(o, "pisac", description, args, stdout, stderr); err != nil {
		return nil, err
	}
	return o, o.resolve()
}

// plainArgs reads a command line of the commonest options only, each spelled in
// full; nil: it has others. To build the reader of them all takes as long as to
// compile a kernel, and all values are checked by resolve.
func plainArgs(args []string) *Options {
	o := &Options{OptLevel: 2, MCPU: "gfx1100", RelaxedScope: "system", FPAtomics: "strict", FMulRounding: "re",
		DiagnosticsFormat: "text", Color: "auto"}
	file := -1 // where the last one stands
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, value, ok := strings.Cut(a, "=")
		switch {
		case ok && value != "" && name == "--mcpu":
			o.MCPU = value
		case ok && value != "" && name == "--emit":
			o.Emit = Emit(value)
		case ok && value != "" && name == "--backend":
			o.Backend = value
		case len(a) == 3 && a[:2] == "-O" && a[2] >= '0' && a[2] <= '3':
			o.OptLevel = int(a[2] - '0')
		case a == "-o" && i+1 < len(args) && args[i+1] != "" && (args[i+1] == "-" || args[i+1][0] != '-'):
			i++
			o.Output = args[i]
		case (a == "-" || a != "" && a[0] != '-') && (file < 0 || file == i-1): // files stand together
			file = i
			o.Files = append(o.Files, a)
		default:
			return nil
		}
	}
	return o
}

// parseFlags reads a command line into the options o, by their tags. Long
// options may have a single dash. A mistake is a usageError.
func parseFlags(o any, name, description string, args []string, stdout, stderr io.Writer) (err error) {
	k, err := kong.New(o, kong.Name(name), kong.Description(description),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { panic(errHelp) }))
	if err != nil {
		panic(err)
	}
	defer func() {
		if r := recover(); r != nil {
			if r != errHelp {
				panic(r)
			}
			err = errHelp
		}
	}()
	if _, err := k.Parse(doubleDashes(args, k.Model)); err != nil {
		return usageError{strings.ReplaceAll(err.Error(), "--opt-level", "-O")} // kong knows it by its long name
	}
	return nil
}

// doubleDashes turns -mcpu=gfx942 into --mcpu=gfx942.
func doubleDashes(args []string, model *kong.Application) []string {
	long := map[string]bool{"help": true}
	for _, group := range model.AllFlags(false) {
		for _, f := range group {
			long[f.Name] = true
		}
	}
	out := slices.Clone(args)
	for i, a := range out {
		if a == "--" {
			break
		}
		if len(a) < 3 || a[0] != '-' || a[1] == '-' {
			continue
		}
		name, _, _ := strings.Cut(a[1:], "=")
		if name == "Werror" {
			out[i] = "--werror"
		} else if long[name] {
			out[i] = "-" + a
		}
	}
	return out
}

// resolve checks what the tags cannot, and fills in defaults that depend on
// other options.
func (o *Options) resolve() error {
	switch {
	case o.Emit == "" && o.VerifyDiagnostics:
		o.Emit = EmitCheck
	case o.Emit == "" && (namesNative(o.StopAfter) || namesNative(o.StopBefore)):
		o.Emit = EmitAMDGPU
	case o.Emit == "" && (o.StopAfter != "" || o.StopBefore != ""):
		o.Emit = EmitIR
	case o.Emit == "":
		o.Emit = EmitAsm
	default:
		names := make([]string, 0, len(emits))
		for i := range emits {
			names = append(names, string(emits[i].emit))
		}
		if !slices.Contains(names, string(o.Emit)) {
			return usagef("unknown --emit=%s%s; the kinds are %s", o.Emit, didYouMean(string(o.Emit), names), strings.Join(names, ", "))
		}
	}
	if err := o.resolveBackend(); err != nil {
		return err
	}
	switch o.SystemAtomic {
	case "", "native", "cas":
	default:
		return usagef("unknown --system-atomics=%s%s; there are native and cas", o.SystemAtomic, didYouMean(o.SystemAtomic, []string{"native", "cas"}))
	}
	if err := o.resolvePasses(); err != nil {
		return err
	}
	if o.MCPU == "help" {
		return nil
	}
	if o.target = target.ByName(o.MCPU); o.target == nil {
		var names []string
		for _, t := range target.All() {
			names = append(names, t.Name)
		}
		return usagef("unknown --mcpu=%s%s; --mcpu=help lists the targets", o.MCPU, didYouMean(o.MCPU, names))
	}
	return nil
}

// defaultBackend is that of a compile that names none.
const defaultBackend = "native"

// resolveBackend picks the code generator: the one asked for, or that which the
// representation asked for needs.
func (o *Options) resolveBackend() error {
	needs := map[Emit]string{EmitAMDGPU: "native", EmitLLVM: "llvm"}[o.Emit]
	for _, at := range []string{o.StartAfter, o.StopAfter, o.StopBefore} {
		if namesNative(at) {
			needs = "native"
		}
	}
	switch {
	case o.Backend == "" && needs != "":
		o.Backend = needs
	case o.Backend == "":
		o.Backend = defaultBackend
	case o.Backend != "native" && o.Backend != "llvm":
		return usagef("unknown --backend=%s%s; there are native and llvm", o.Backend, didYouMean(o.Backend, []string{"native", "llvm"}))
	case needs != "" && o.Backend != needs && o.Emit == EmitLLVM:
		return usagef("--emit=llvm shows what --backend=llvm makes; leave out --backend=%s", o.Backend)
	case needs != "" && o.Backend != needs:
		return usagef("--backend=%s has no machine code of pisac's own to show; leave the option out, or say --backend=native", o.Backend)
	}
	return nil
}

// isNative reports that the compile goes through the native backend's steps.
func (o *Options) isNative() bool {
	return o.Backend == "native" && (o.Emit == EmitAMDGPU || o.Emit == EmitAsm || o.Emit == EmitObj || o.Emit == EmitHSACO)
}

// namesNative reports that P or P,N names a step of the native backend.
func namesNative(at string) bool {
	name, _, _ := strings.Cut(at, ",")
	return isNative(name)
}

// didYouMean returns `; did you mean "x"?` for the nearest of names, or
// nothing if none is near.
func didYouMean(got string, names []string) string {
	best, dist := "", 3
	for _, n := range names {
		if d := editDistance(got, n, dist); d < dist {
			best, dist = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// editDistance is the Levenshtein distance of a and b, or limit if it is not
// below that.
func editDistance(a, b string, limit int) int {
	if len(a) > len(b)+limit || len(b) > len(a)+limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, diag+1)
		}
	}
	return min(row[len(b)], limit)
}
