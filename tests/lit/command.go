package lit

import (
	"io"
	"path/filepath"
	"sort"

	"pisac/tests/filecheck"
)

// Proc is a command under execution.
type Proc struct {
	Name           string
	Args           []string // without the name
	Dir            string   // its working directory, absolute
	Env            map[string]string
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	moved, changed bool // Dir or Env are not those the script started with
}

// Path makes a file name absolute.
func (p *Proc) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, name)
}

// environ returns the environment in os.Environ's form.
func (p *Proc) environ() []string {
	list := make([]string, 0, len(p.Env))
	for k, v := range p.Env {
		list = append(list, k+"="+v)
	}
	sort.Strings(list)
	return list
}

// Command is a command that runs in the process. It returns the exit code;
// Crash, or a panic, is a crash.
type Command func(p *Proc) int

// Crash is the exit code of a command that crashed: 128 + SIGABRT, negated as
// lit does for signals.
const Crash = -6

// Usage is the exit code of a command that was called wrongly.
const usage = 2

// Main makes a command of a main function, which knows no working directory or
// environment of its own. To call it after a cd or with env is therefore an
// error; so is a relative file name, if it can be told, which is why scripts
// use %s and %t.
func Main(f func(args []string, stdin io.Reader, stdout, stderr io.Writer) int) Command {
	return func(p *Proc) int {
		if p.moved || p.changed {
			io.WriteString(p.Stderr, p.Name+": runs in the test process, which neither cd nor env changes\n")
			return usage
		}
		return f(p.Args, p.Stdin, p.Stdout, p.Stderr)
	}
}

// FileCheck is package filecheck's command.
func FileCheck(p *Proc) int {
	return filecheck.MainIn(filecheck.Env{
		Dir:    p.Dir,
		Getenv: func(name string) string { return p.Env[name] },
		Stdin:  p.Stdin,
		Stdout: p.Stdout,
		Stderr: p.Stderr,
	}, p.Args)
}

// Tool is an outside program.
type Tool struct {
	Path    string
	Feature string // that a test must require to use it; "" for none
}
