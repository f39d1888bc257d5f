package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"pisac/ir"
)

// minLLVM is the oldest LLVM whose AMDGPU backend the code is written for.
const minLLVM = 19

// toolTimeout bounds one run of a tool of LLVM.
const toolTimeout = 10 * time.Minute

// llvmDirs are where Debian puts LLVM, the release that this compiler is
// tested with first.
var llvmDirs = []string{"/usr/lib/llvm-19/bin", "/usr/lib/llvm-20/bin", "/usr/lib/llvm-21/bin", "/usr/lib/llvm-22/bin"}

// findTool returns the path of an LLVM tool of release minLLVM or later: from
// PATH, with the release in its name or without, or from Debian's places.
func findTool(name, debian string) (string, error) {
	old := ""
	try := func(path string) bool {
		v, ok := toolVersion(path)
		if ok && v < minLLVM && old == "" {
			old = fmt.Sprintf("%s is of LLVM %d, and ", path, v)
		}
		return ok && v >= minLLVM
	}
	for _, n := range []string{fmt.Sprintf("%s-%d", name, minLLVM), name} {
		if path, err := exec.LookPath(n); err == nil && try(path) {
			return path, nil
		}
	}
	for _, dir := range llvmDirs {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil && try(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%sno %s of LLVM %d or later is in PATH or /usr/lib/llvm-%d/bin; "+
		"install it (Debian: apt install %s), or stop at --emit=llvm", old, name, minLLVM, minLLVM, debian)
}

// toolVersions remembers the release of each tool by path: asking costs a
// process.
var toolVersions sync.Map

// toolVersion asks a tool for the release of LLVM that it is of.
func toolVersion(path string) (int, bool) {
	if v, ok := toolVersions.Load(path); ok {
		return v.(int), v.(int) > 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	v := 0
	if err == nil {
		v = parseVersion(string(out))
	}
	toolVersions.Store(path, v)
	return v, v > 0
}

// parseVersion finds the release in "LLVM version 19.1.7" or "LLD 19.1.7".
func parseVersion(s string) int {
	for _, mark := range []string{"LLVM version ", "LLD "} {
		_, rest, ok := strings.Cut(s, mark)
		if !ok {
			continue
		}
		major, _, _ := strings.Cut(rest, ".")
		if v, err := strconv.Atoi(strings.TrimSpace(major)); err == nil {
			return v
		}
	}
	return 0
}

// llvm turns LLVM IR into what o.Emit asks for: asm, obj or hsaco.
func (c *compile) llvm(text []byte) []byte {
	llc, lld := c.tools("llc")
	if c.tool != nil {
		return nil
	}
	filetype := "obj"
	if c.o.Emit == EmitAsm {
		filetype = "asm"
	}
	out, ok := c.runTool(text, llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+c.o.target.Name,
		"-O"+strconv.Itoa(c.o.OptLevel), "-filetype="+filetype, "-o", "-", "-")
	switch {
	case !ok || c.o.Emit == EmitObj:
		return out
	case c.o.Emit == EmitAsm:
		return quoteKernels(out)
	}
	return c.link(lld, out)
}

// plainName matches what the assembler reads as a name without quotes.
var plainName = regexp.MustCompile(`^[A-Za-z_.$][A-Za-z0-9_.$]*$`)

// quoteKernels puts quotes around the names of kernels that need them. llc has
// them everywhere but in .amdhsa_kernel (docs/llvm-faults.md, M17).
func quoteKernels(text []byte) []byte {
	mark := []byte("\n\t.amdhsa_kernel ")
	var out []byte
	for {
		before, rest, ok := bytes.Cut(text, mark)
		if !ok {
			return append(out, text...)
		}
		end := bytes.IndexByte(rest, '\n')
		name := rest[:end]
		out = append(append(out, before...), mark...)
		if !plainName.Match(name) {
			name = []byte(`"` + string(name) + `"`)
		}
		out = append(out, name...)
		text = rest[end:]
	}
}

// tools finds name, of LLVM, and the linker if o.Emit asks for a code object.
func (c *compile) tools(name string) (tool, lld string) {
	tool, c.tool = findTool(name, "llvm-19")
	if c.tool == nil && c.o.Emit == EmitHSACO {
		lld, c.tool = findTool("ld.lld", "lld-19")
	}
	return tool, lld
}

// link makes a code object of one relocatable object. ld.lld reads and writes
// files only.
func (c *compile) link(lld string, obj []byte) []byte {
	dir, err := os.MkdirTemp("", "pisac-")
	if err != nil {
		c.tool = err
		return nil
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in.o"), filepath.Join(dir, "out.hsaco")
	if err := os.WriteFile(in, obj, 0o600); err != nil {
		c.tool = err
		return nil
	}
	if _, ok := c.runTool(nil, lld, "-shared", "-o", out, in); !ok {
		return nil
	}
	text, err := os.ReadFile(out)
	if err != nil {
		c.tool = err
	}
	return text
}

// runTool runs a tool of LLVM. A limit of the target that the code exceeds is
// the input's fault; any other failure is ours, for we wrote what it reads.
func (c *compile) runTool(stdin []byte, path string, args ...string) (stdout []byte, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), toolTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	err := cmd.Run()
	var exit *exec.ExitError
	text := strings.TrimSpace(msg.String())
	switch {
	case err == nil:
		for line := range strings.Lines(text) {
			c.ds.Warn(ir.NoLoc, ir.NoLoc, codeLLVM, filepath.Base(path)+": "+strings.TrimSpace(line))
		}
		return out.Bytes(), true
	case !errors.As(err, &exit):
		c.tool = fmt.Errorf("%s: %v", path, err)
	case isTargetLimit(text):
		c.ds.Error(ir.NoLoc, ir.NoLoc, codeLLVM, filepath.Base(path)+": "+firstLine(text))
	default:
		c.bug = fmt.Errorf("%s %s: %v\n%s", path, strings.Join(args, " "), err, text)
	}
	return nil, false
}

// isTargetLimit recognises llc's report that a function needs more memory or
// registers than the chip has.
func isTargetLimit(text string) bool {
	for _, s := range []string{"exceeds limit", "ran out of registers", "stack frame size"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "error: "))
}
