package lit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sort"
	"strings"
	"syscall"
	"time"
)

// shell executes the commands of one test.
type shell struct {
	config   *Config
	requires string // the test's REQUIRES, to see what tools it may use
	ctx      context.Context
	home     string // where it starts
	dir      string
	stack    []string // of pushd
	env      map[string]string
	changed  bool // env is not what it started with
	log      *bytes.Buffer
}

// shellError is an error that no "not" turns into success, such as an unknown
// command.
type shellError struct{ error }

func shellErrorf(format string, args ...any) error {
	return shellError{fmt.Errorf(format, args...)}
}

// run executes a parsed command line and returns its exit code.
func (s *shell) run(list []pipeline) (code int, err error) {
	for i := range list {
		p := &list[i]
		if p.op == "&&" && code != 0 || p.op == "||" && code == 0 {
			continue
		}
		if code, err = s.pipeline(p); err != nil {
			return 0, err
		}
		if s.ctx.Err() != nil {
			return 1, nil
		}
	}
	return code, nil
}

// pipeline runs commands one after the other, each to its end, and hands the
// output of one to the next. The last exit code that is not 0 counts.
func (s *shell) pipeline(p *pipeline) (code int, err error) {
	var input []byte
	for i := range p.commands {
		last := i == len(p.commands)-1
		var c int
		if c, input, err = s.command(&p.commands[i], input, last, len(p.commands) == 1); err != nil {
			return 0, err
		}
		if c != 0 {
			code = c
		}
	}
	return code, nil
}

// negation is a "not", "not --crash" or "!" before a command.
type negation struct{ crash bool }

// prefixes takes env, not and ! off the front of a command.
func (s *shell) prefixes(args []string) (rest []string, env map[string]string, nots []negation, err error) {
	for len(args) > 0 {
		switch args[0] {
		case "env":
			if env == nil {
				env = maps.Clone(s.env)
			}
			args = setEnv(env, args[1:])
			if len(args) == 0 {
				return nil, nil, nil, shellErrorf("'env' requires a subcommand")
			}
		case "not", "!":
			name := args[0]
			args = args[1:]
			n := negation{}
			if name == "not" && len(args) > 0 && args[0] == "--crash" {
				n.crash = true
				args = args[1:]
			}
			nots = append(nots, n)
			if len(args) == 0 {
				return nil, nil, nil, shellErrorf("'%s' requires a subcommand", name)
			}
		default:
			return args, env, nots, nil
		}
	}
	return nil, nil, nil, shellErrorf("empty command")
}

// setEnv applies KEY=VALUE and -u KEY arguments and returns those after them.
func setEnv(env map[string]string, args []string) []string {
	for len(args) > 0 {
		if args[0] == "-u" && len(args) > 1 {
			delete(env, args[1])
			args = args[2:]
			continue
		}
		key, value, ok := strings.Cut(args[0], "=")
		if !ok {
			break
		}
		env[key] = value
		args = args[1:]
	}
	return args
}

// negate applies negations, the innermost first. A crash is no success under a
// plain "not".
func negate(code int, nots []negation) int {
	for i := len(nots) - 1; i >= 0; i-- {
		ok := code > 0
		if nots[i].crash {
			ok = code < 0
		}
		code = 1
		if ok {
			code = 0
		}
	}
	return code
}

// command runs one command. Its standard output is returned if it goes into a
// pipe, and logged if it goes nowhere else.
func (s *shell) command(c *command, input []byte, last, alone bool) (code int, output []byte, err error) {
	words := s.globs(c.args)
	args, env, nots, err := s.prefixes(words)
	if err != nil {
		return 0, nil, err
	}
	p := &Proc{Name: args[0], Args: args[1:], Dir: s.dir, Env: s.env, Stdin: bytes.NewReader(input), moved: s.dir != s.home, changed: s.changed}
	if env != nil {
		p.Env, p.changed = env, true
	}
	var stdout, stderr bytes.Buffer
	p.Stdout, p.Stderr = &stdout, &stderr
	closeAll, err := s.redirect(p, c.redirects)
	if err != nil {
		return 0, nil, err
	}
	if own, ok := s.own(p.Name); ok {
		if !alone || env != nil {
			closeAll()
			return 0, nil, shellErrorf("'%s' cannot be part of a pipeline or run by env", p.Name)
		}
		err = own(p)
	} else {
		code, err = s.start(p)
	}
	if closeErr := closeAll(); err == nil {
		err = closeErr
	}
	if err != nil {
		return 0, nil, err
	}
	if code < 0 && len(nots) > 0 && !nots[len(nots)-1].crash {
		fmt.Fprintf(&stderr, "not: %s crashed\n", p.Name)
	}
	code = negate(code, nots)
	if last {
		s.report(words, stdout.Bytes(), stderr.Bytes(), code)
		return code, nil, nil
	}
	s.report(words, nil, stderr.Bytes(), code)
	return code, stdout.Bytes(), nil
}

// globs expands * and ? in unquoted words; without a match they stay.
func (s *shell) globs(words []word) []string {
	var args []string
	for _, w := range words {
		if w.glob {
			pattern := w.text
			if !filepath.IsAbs(pattern) {
				pattern = filepath.Join(s.dir, pattern)
			}
			if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
				sort.Strings(found)
				for _, f := range found {
					if rel, err := filepath.Rel(s.dir, f); err == nil && !filepath.IsAbs(w.text) {
						f = rel
					}
					args = append(args, f)
				}
				continue
			}
		}
		args = append(args, w.text)
	}
	return args
}

// redirect opens the files of redirections, which apply from left to right.
func (s *shell) redirect(p *Proc, list []redirect) (closeAll func() error, err error) {
	var files []*os.File
	closeAll = func() error {
		var first error
		for _, f := range files {
			if err := f.Close(); err != nil && first == nil {
				first = shellError{err}
			}
		}
		return first
	}
	for _, r := range list {
		names := s.globs([]word{r.file})
		var f *os.File
		switch {
		case len(names) != 1:
			err = fmt.Errorf("redirection to several files")
		case r.dup >= 0:
		case r.op == "<":
			f, err = os.Open(p.Path(names[0]))
		case r.op == ">>":
			f, err = os.OpenFile(p.Path(names[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		default:
			f, err = os.Create(p.Path(names[0]))
		}
		if err == nil && f != nil {
			files = append(files, f)
		}
		if err == nil {
			err = p.connect(r, f)
		}
		if err != nil {
			closeAll()
			return nil, shellError{err}
		}
	}
	return closeAll, nil
}

func (p *Proc) connect(r redirect, f *os.File) error {
	fd := r.fd
	switch {
	case r.dup >= 0 && fd == 2 && r.dup == 1:
		p.Stderr = p.Stdout
	case r.dup >= 0 && fd != 2 && r.dup == 2:
		p.Stdout = p.Stderr
	case r.dup >= 0:
	case r.op == "<" && fd <= 0:
		p.Stdin = f
	case r.op == "&>":
		p.Stdout, p.Stderr = f, f
	case r.op != "<" && fd == 2:
		p.Stderr = f
	case r.op != "<" && fd != 0:
		p.Stdout = f
	default:
		return fmt.Errorf("unsupported redirection '%d%s'", fd, r.op)
	}
	return nil
}

// own returns the shell's own command of a name: one that changes the shell.
func (s *shell) own(name string) (func(*Proc) error, bool) {
	own := map[string]func(*Proc) error{"cd": s.cd, "pushd": s.pushd, "popd": s.popd, "export": s.export}
	f, ok := own[name]
	return f, ok
}

func (s *shell) cd(p *Proc) error {
	if len(p.Args) != 1 {
		return shellErrorf("'%s' takes one argument", p.Name)
	}
	dir := p.Path(p.Args[0])
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return shellErrorf("%s: no directory '%s'", p.Name, p.Args[0])
	}
	s.dir = dir
	return nil
}

func (s *shell) pushd(p *Proc) error {
	s.stack = append(s.stack, s.dir)
	return s.cd(p)
}

func (s *shell) popd(p *Proc) error {
	if len(p.Args) != 0 || len(s.stack) == 0 {
		return shellErrorf("popd: the directory stack is empty, or there are arguments")
	}
	s.dir = s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return nil
}

func (s *shell) export(p *Proc) error {
	env := maps.Clone(s.env)
	if len(p.Args) != 1 || len(setEnv(env, p.Args)) != 0 {
		return shellErrorf("'export' takes one argument KEY=VALUE")
	}
	s.env, s.changed = env, true
	return nil
}

// start finds and runs a command.
func (s *shell) start(p *Proc) (int, error) {
	f := s.config.Commands[p.Name]
	if f == nil {
		f = builtins[p.Name]
	}
	if f != nil {
		return protect(f, p), nil
	}
	tool, ok := s.config.Tools[p.Name]
	switch {
	case !ok:
		return 0, shellErrorf("'%s': command not found", p.Name)
	case tool.Feature != "" && !strings.Contains(s.requires, tool.Feature):
		return 0, shellErrorf("'%s': a test that uses it needs 'REQUIRES: %s'", p.Name, tool.Feature)
	}
	return s.execute(tool.Path, p)
}

// protect turns a panic into a crash.
func protect(f Command, p *Proc) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(p.Stderr, "%s: panic: %v\n%s", p.Name, v, debug.Stack())
			code = Crash
		}
	}()
	return f(p)
}

// execute runs an outside program.
func (s *shell) execute(path string, p *Proc) (int, error) {
	cmd := exec.CommandContext(s.ctx, path, p.Args...)
	cmd.Dir, cmd.Env = p.Dir, p.environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Stdin, p.Stdout, p.Stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case !errors.As(err, &exit):
		return 0, shellError{err}
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}

// report logs a command that failed or printed something.
func (s *shell) report(args []string, stdout, stderr []byte, code int) {
	if code == 0 && len(stdout) == 0 && len(stderr) == 0 {
		return
	}
	fmt.Fprintf(s.log, "# executed command: %s\n", quoteAll(args))
	for _, part := range []struct {
		name string
		text []byte
	}{{"stdout", stdout}, {"stderr", stderr}} {
		if len(part.text) > 0 {
			fmt.Fprintf(s.log, "# .---command %s------------\n", part.name)
			for line := range strings.Lines(string(clip(part.text))) {
				io.WriteString(s.log, "# | "+strings.TrimRight(line, "\n")+"\n")
			}
			io.WriteString(s.log, "# `-----------------------------\n")
		}
	}
	if code != 0 {
		fmt.Fprintf(s.log, "# error: command failed with exit status: %d\n", code)
	}
}

// clip shortens long output to its start and end.
func clip(text []byte) []byte {
	const limit = 64 << 10
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("\n… %d bytes left out …\n", len(text)-limit)
	return append(append(append([]byte(nil), text[:limit/2]...), note...), text[len(text)-limit/2:]...)
}

func quoteAll(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\n\"'\\|&;<>*?$()") {
			a = "'" + strings.ReplaceAll(a, "'", `'"'"'`) + "'"
		}
		quoted[i] = a
	}
	return strings.Join(quoted, " ")
}
