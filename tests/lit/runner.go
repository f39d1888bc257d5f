package lit

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Code is the outcome of a test.
type Code string

// The outcomes, lit's words.
const (
	Pass        Code = "PASS"
	FlakyPass   Code = "FLAKYPASS"
	XFail       Code = "XFAIL"
	Unsupported Code = "UNSUPPORTED"
	Fail        Code = "FAIL"
	XPass       Code = "XPASS"
	Unresolved  Code = "UNRESOLVED"
	Timeout     Code = "TIMEOUT"
)

// Failed reports whether the outcome fails the suite.
func (c Code) Failed() bool {
	return c == Fail || c == XPass || c == Unresolved || c == Timeout
}

// Config describes a test suite.
type Config struct {
	Root     string   // absolute directory of the suite; test names are relative to it
	Dirs     []string // directories below Root; all of Root if there are none
	Suffixes []string // of test files, with their dots
	Temp     string   // absolute directory for what tests write

	Features      map[string]bool
	Substitutions map[string]string // own ones, "%{name}" to value
	Commands      map[string]Command
	Tools         map[string]Tool
	Env           map[string]string // additional environment of tools

	Timeout time.Duration // of one test; 0 is a minute
}

// Result is the outcome of one test.
type Result struct {
	Name string // relative to the root, with slashes
	Code Code
	Log  string
}

// inputs is the name of directories whose files are data of tests.
const inputs = "Inputs"

// Discover finds the test files, sorted. To find none is an error.
func (c *Config) Discover() ([]string, error) {
	dirs := c.Dirs
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	var names []string
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(c.Root, dir), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				if os.IsNotExist(err) && path == filepath.Join(c.Root, dir) {
					return fs.SkipDir // not every suite has every directory
				}
				return err
			case d.IsDir() && d.Name() == inputs:
				return fs.SkipDir
			case d.IsDir() || !slices.Contains(c.Suffixes, filepath.Ext(path)):
				return nil
			}
			rel, err := filepath.Rel(c.Root, path)
			names = append(names, filepath.ToSlash(rel))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("lit: no tests with suffix %s in %s of %s", strings.Join(c.Suffixes, " "), strings.Join(dirs, " "), c.Root)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Run runs one test.
func (c *Config) Run(name string) Result {
	r := Result{Name: name}
	var log bytes.Buffer
	r.Code = c.run(name, &log)
	r.Log = log.String()
	return r
}

func (c *Config) run(name string, log *bytes.Buffer) Code {
	file := filepath.Join(c.Root, filepath.FromSlash(name))
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(log, err)
		return Unresolved
	}
	s, err := parseScript(string(text))
	if err != nil {
		fmt.Fprintln(log, err)
		return Unresolved
	}
	if !c.supported(s, log) {
		return Unsupported
	}
	code := c.attempts(s, file, name, log)
	if code != Pass && code != FlakyPass && code != Fail {
		return code
	}
	for _, e := range s.xfail {
		if expected, _ := evaluate(e, c.Features); e == "*" || expected {
			if code == Fail {
				return XFail
			}
			fmt.Fprintf(log, "passed in spite of XFAIL: %s\n", e)
			return XPass
		}
	}
	return code
}

// supported evaluates REQUIRES and UNSUPPORTED. Their syntax has been checked.
func (c *Config) supported(s *script, log *bytes.Buffer) bool {
	for _, e := range s.requires {
		if ok, _ := evaluate(e, c.Features); !ok {
			fmt.Fprintf(log, "requires: %s\n", e)
			return false
		}
	}
	for _, e := range s.unsupported {
		if bad, _ := evaluate(e, c.Features); bad {
			fmt.Fprintf(log, "unsupported: %s\n", e)
			return false
		}
	}
	return true
}

// attempts runs a script, again if it fails and may be retried.
func (c *Config) attempts(s *script, file, name string, log *bytes.Buffer) Code {
	dir := filepath.Join(c.Temp, filepath.FromSlash(name)+".dir")
	for try := 0; ; try++ {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			fmt.Fprintln(log, err)
			return Unresolved
		}
		code := c.timed(s, file, dir, log)
		switch {
		case code == Pass && try > 0:
			return FlakyPass
		case code != Fail || try >= s.retries:
			return code
		}
	}
}

// timed runs a script within the time limit. Outside programs are killed; a
// command in the process cannot be, and is left behind.
func (c *Config) timed(s *script, file, dir string, log *bytes.Buffer) Code {
	limit := c.Timeout
	if limit == 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	type outcome struct {
		code Code
		log  bytes.Buffer
	}
	done := make(chan *outcome, 1)
	go func() {
		var o outcome
		o.code = c.once(ctx, s, file, dir, &o.log)
		done <- &o
	}()
	var o *outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		select { // what was killed may just have ended
		case o = <-done:
		case <-time.After(time.Second):
		}
	}
	if o != nil {
		log.Write(o.log.Bytes())
	}
	if ctx.Err() != nil && (o == nil || o.code == Fail) {
		fmt.Fprintf(log, "test reached the time limit of %v\n", limit)
		return Timeout
	}
	return o.code
}

// once runs a script.
func (c *Config) once(ctx context.Context, s *script, file, dir string, log *bytes.Buffer) Code {
	subst := newSubstitutions(file, dir, c.Features, c.Substitutions)
	lines, err := s.commands(subst)
	if err != nil {
		fmt.Fprintln(log, err)
		return Unresolved
	}
	sh := shell{config: c, ctx: ctx, requires: strings.Join(s.requires, " "), home: dir, dir: dir, log: log, env: map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": dir, "TMPDIR": dir, "LC_ALL": "C",
	}}
	maps.Copy(sh.env, c.Env)
	for _, l := range lines {
		fmt.Fprintf(log, "# RUN: %s\n%s\n", l.where, l.text)
		code, err := sh.run(l.parsed)
		if err != nil {
			fmt.Fprintf(log, "# error: %v\n", err)
			return Unresolved
		}
		if code != 0 {
			return Fail
		}
	}
	return Pass
}

// line is a RUN line ready to be executed.
type line struct {
	where, text string
	parsed      []pipeline
}

// commands expands and parses all RUN lines, before any is executed.
func (s *script) commands(subst *substitutions) ([]line, error) {
	var lines []line
	for i := range s.steps {
		st := &s.steps[i]
		if st.keyword != "RUN:" {
			if err := subst.define(st); err != nil {
				return nil, err
			}
			continue
		}
		text, err := subst.expand(st.text)
		if err != nil {
			return nil, fmt.Errorf("RUN: %s: %w", st.where(), err)
		}
		if text == "" { // an %if that chose nothing
			continue
		}
		parsed, err := parseShell(text)
		if err != nil {
			return nil, fmt.Errorf("RUN: %s: %w\n%s", st.where(), err, text)
		}
		lines = append(lines, line{st.where(), text, parsed})
	}
	return lines, nil
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
