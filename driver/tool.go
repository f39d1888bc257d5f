package driver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// Exit codes.
const (
	exitOK    = 0
	exitInput = 1 // the input is at fault
	exitUsage = 2 // the command line is, or a tool is missing
	exitBug   = 3 // the compiler is
)

// Main runs the command line args (without the program's name) and returns the
// exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			reportBug(stderr, args, r, debug.Stack())
			code = exitBug
		}
	}()
	if len(args) > 0 {
		switch args[0] {
		case "explain":
			return explain(args[1:], stdout, stderr)
		case "list":
			return list(args[1:], stdout, stderr)
		case "run":
			return runCommand(args[1:], stdin, stdout, stderr)
		case "litmus":
			return litmusCommand(args[1:], stdin, stdout, stderr)
		case "reduce", "test":
			if _, err := os.Stat(args[0]); err != nil {
				return usage(stderr, usagef("this version of pisac has no command %q", args[0]))
			}
		}
	}
	o, err := parseArgs(args, stdout, stderr)
	switch {
	case err == errHelp:
		return exitOK
	case err != nil:
		return usage(stderr, err)
	case o.Version:
		fmt.Fprintln(stdout, version())
		return exitOK
	case o.ListPasses:
		listPasses(stdout)
		return exitOK
	case o.MCPU == "help":
		listTargets(stdout)
		return exitOK
	}
	return run(o, args, stdin, stdout, stderr)
}

func usage(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "pisac: error: %v\n", err)
	var u usageError
	if errors.As(err, &u) {
		fmt.Fprintln(stderr, "pisac: --help lists the options")
	}
	return exitUsage
}

// run compiles the inputs of o and writes the result.
func run(o *Options, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(o.Files) == 0 {
		return usage(stderr, usagef("no input file; - is stdin"))
	}
	out, err := o.outputName()
	if err != nil {
		return usage(stderr, err)
	}
	inputs, err := readInputs(o.Files, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "pisac: error: %v\n", err)
		return exitInput
	}
	if flags, ok, err := reproducerArgs(inputs); err != nil {
		fmt.Fprintf(stderr, "pisac: error: %v\n", err)
		return exitInput
	} else if ok {
		if o, err = parseArgs(append(flags, args...), stdout, stderr); err != nil {
			return usage(stderr, err)
		}
		if out, err = o.outputName(); err != nil {
			return usage(stderr, err)
		}
	}
	jobs := [][]Input{inputs}
	if o.SplitInputFile {
		if len(inputs) != 1 {
			return usage(stderr, usagef("--split-input-file takes one input"))
		}
		jobs = splitInput(inputs[0])
	}
	show := newDiagPrinter(o, stderr)
	o.Log, o.LogColor = stderr, show.color
	o.Save = func(name string, text []byte) error { return saveFile(o, name, text, stdout) }
	var text []byte
	code := exitOK
	for i, job := range jobs {
		r := Compile(job, o)
		switch {
		case r.Bug != nil:
			reportBug(stderr, args, r.Bug, nil)
			reportReproducer(stderr, o)
			return exitBug
		case r.Tool != nil:
			show.all(r.Sources, r.Diags)
			fmt.Fprintf(stderr, "pisac: error: %v\n", r.Tool)
			return exitUsage
		case o.VerifyDiagnostics:
			if bad := verifyDiagnostics(r); len(bad) > 0 {
				show.all(r.Sources, bad)
				code = exitInput
			}
			continue
		}
		show.all(r.Sources, r.Diags)
		dropReproducer(o, r)
		if !r.OK {
			code = exitInput
			continue
		}
		if i > 0 && len(r.Output) > 0 {
			text = append(text, splitMarker+"\n"...)
		}
		text = append(text, r.Output...)
	}
	if code != exitOK || o.VerifyDiagnostics || o.Emit == EmitCheck {
		return code
	}
	if err := writeOutput(out, text, stdout); err != nil {
		fmt.Fprintf(stderr, "pisac: error: %v\n", err)
		return exitInput
	}
	return exitOK
}

// readInputs reads every input whole.
func readInputs(names []string, stdin io.Reader) ([]Input, error) {
	var inputs []Input
	for _, name := range names {
		if name == "-" {
			text, err := io.ReadAll(stdin)
			if err != nil {
				return nil, fmt.Errorf("<stdin>: %v", err)
			}
			inputs = append(inputs, Input{Name: "<stdin>", Text: text, FirstLine: 1})
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, errors.New(pathError(err))
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s: is a directory", name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, errors.New(pathError(err))
		}
		inputs = append(inputs, Input{Name: name, Text: text, FirstLine: 1})
	}
	return inputs, nil
}

// pathError is `name: reason`, without the name of the system call.
func pathError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Sprintf("%s: %v", p.Path, p.Err)
	}
	return err.Error()
}

// reportBug says that the compiler is at fault and how to show it again.
func reportBug(w io.Writer, args []string, what any, stack []byte) {
	fmt.Fprintf(w, "pisac: internal error: %v\n", what)
	fmt.Fprintf(w, "pisac: this is a fault of the compiler, %s, not of the input; to reproduce:\n", version())
	dir, err := os.Getwd()
	if err == nil {
		fmt.Fprintf(w, "    cd %s\n", shellQuote(filepath.Clean(dir)))
	}
	quoted := make([]string, 0, len(args))
	for _, a := range args {
		quoted = append(quoted, shellQuote(a))
	}
	fmt.Fprintf(w, "    pisac %s\n", strings.Join(quoted, " "))
	if len(stack) > 0 {
		fmt.Fprintf(w, "%s", stack)
	}
}

func shellQuote(s string) string {
	plain := s != ""
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_=./,:+@%", c) >= 0) {
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// release is the version of this source tree.
const release = "0.1"

// version names the release and, where the build knows it, the revision.
func version() string {
	v := "pisac " + release
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				v += " (" + s.Value[:12] + ")"
			}
		}
	}
	return v
}
