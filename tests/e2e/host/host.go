package host

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed device/runtime.c
var runtime string

//go:embed device/runtime.ll
var runtimeLL string

// Tools are the programs of LLVM 19.
type Tools struct{ LLC, Opt, Clang string }

// FindTools looks for LLVM 19 in PATH and in Debian's place.
func FindTools() (Tools, bool) {
	find := func(name string) string {
		for _, p := range []string{name + "-19", "/usr/lib/llvm-19/bin/" + name} {
			if f, err := exec.LookPath(p); err == nil {
				return f
			}
		}
		return ""
	}
	t := Tools{find("llc"), find("opt"), find("clang")}
	return t, t.LLC != "" && t.Opt != "" && t.Clang != ""
}

// Kernel is one kernel of a module in LLVM IR.
type Kernel struct {
	Module string // the module's LLVM IR for AMDGPU
	Name   string
}

// Launch runs kernel number Kernel of a Program. Args is the argument block with
// holes: a pointer to buffer i goes where Pointers says.
type Launch struct {
	Kernel        int
	Global, Local [3]uint64
	Offset        [3]uint64
	Dims          int
	Block         []byte   // the argument block
	Offsets       []uint64 // of the parameters in Block
	Buffers       []Buffer
}

// Buffer is memory that a kernel argument points to.
type Buffer struct {
	At     uint64 // where in the block its address goes
	Shared bool   // 32-bit address of shared memory; Data only gives the size
	Data   []byte
}

// Program is an executable that runs the kernels it was built from.
type Program struct{ path string }

// JoinsLanes reports whether a module has operations of a wave or barriers. On
// the host LLVM does not know that it may not merge or move them.
func JoinsLanes(module string) bool { return joins.MatchString(module) }

// Build compiles kernels for waves of wave lanes; its files go into dir. optimize
// has LLVM optimise them, which only kernels that do not join lanes stand.
func Build(tools Tools, dir string, wave int, optimize bool, kernels []Kernel) (*Program, error) {
	file := func(name string) string { return filepath.Join(dir, name) }
	var ll, c strings.Builder
	ll.WriteString(runtimeLL)
	declared := map[string]bool{}
	c.WriteString(runtime)
	for i, k := range kernels {
		translate(&ll, k.Module, fmt.Sprintf("m%d.", i), declared)
		fmt.Fprintf(&c, "void kernel%d(void) __asm__(%q);\n", i, fmt.Sprintf("m%d.%s", i, k.Name))
	}
	c.WriteString("void (*const kernels[])(void) = {")
	for i := range kernels {
		fmt.Fprintf(&c, "kernel%d, ", i)
	}
	c.WriteString("};\n")
	for name, text := range map[string]string{"kernels.ll": ll.String(), "main.c": c.String()} {
		if err := os.WriteFile(file(name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	level := "-O0"
	if optimize {
		level = "-O2"
		if err := run(tools.Opt, "-S", "-O2", "-mtriple=x86_64-linux-gnu", file("kernels.ll"), "-o", file("kernels.ll")); err != nil {
			return nil, err
		}
	}
	if err := run(tools.LLC, level, "-mtriple=x86_64-linux-gnu", "-mattr=+f16c,+fma,+sse4.1,+cx16", "-filetype=obj", file("kernels.ll"), "-o", file("kernels.o")); err != nil {
		return nil, err
	}
	if err := run(tools.Clang, "-O1", "-mf16c", "-mfma", "-no-pie", "-DWAVE="+fmt.Sprint(wave), file("main.c"), file("kernels.o"), "-lm", "-o", file("program")); err != nil {
		return nil, err
	}
	return &Program{file("program")}, nil
}

func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%.2000s", filepath.Base(name), err, out)
	}
	return nil
}

var (
	symbol     = regexp.MustCompile(`@("[^"]*"|[-a-zA-Z$._0-9]+)`)
	attachment = regexp.MustCompile(`,? ![a-zA-Z][-a-zA-Z.]* !\{[^{}]*(\{[^{}]*\}[^{}]*)*\}`)
	space      = regexp.MustCompile(`,? addrspace\(\d+\)`)
	shared     = regexp.MustCompile(`(?m)^(@.* addrspace\(3\) global .*?)(, align \d+)?$`)
	cpu        = regexp.MustCompile(`"target-cpu"="[^"]*"`)
	joins      = regexp.MustCompile(`@llvm\.amdgcn\.(ballot|ds\.bpermute|update\.dpp|readlane|s\.barrier)`)
	waits      = regexp.MustCompile(`asm sideeffect "[^"]*"`)
)

// translate turns a module for AMDGPU into one for x86-64 and appends it, its
// symbols prefixed. All address spaces become one: shared and private memory of
// the runtime lie below 4 GiB, so that their 32-bit addresses are addresses.
func translate(out *strings.Builder, text, prefix string, declared map[string]bool) {
	text = shared.ReplaceAllString(text, `$1, section "pisa_shared"$2`)
	text = space.ReplaceAllString(text, "")
	text = attachment.ReplaceAllString(text, "")
	text = cpu.ReplaceAllString(text, "")
	text = waits.ReplaceAllString(text, `asm sideeffect ""`)
	text = strings.NewReplacer(
		`"=v,0"`, `"=r,0"`,
		"addrspacecast", "bitcast",
		"amdgpu_kernel ", "",
	).Replace(text)
	text = symbol.ReplaceAllStringFunc(text, func(s string) string {
		switch name := strings.Trim(s[1:], `"`); {
		case strings.HasPrefix(name, "llvm.amdgcn."):
			return "@host." + strings.TrimPrefix(name, "llvm.")
		case strings.HasPrefix(name, "llvm.fma.") && strings.HasSuffix(name, "f16"):
			return "@host." + strings.TrimPrefix(name, "llvm.")
		case strings.HasPrefix(name, "llvm."):
			return s
		default:
			return `@"` + prefix + name + `"`
		}
	})
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "target "), strings.HasPrefix(line, "source_filename"), strings.HasPrefix(line, "!"):
			continue
		case strings.HasPrefix(line, "declare "):
			name := symbol.FindString(line)
			if declared[name] || strings.HasPrefix(name, "@host.fma.") {
				continue
			}
			declared[name] = true
		}
		out.WriteString(line)
		out.WriteByte('\n')
	}
}

// Result is what a launch left: its buffers, or why it failed.
type Result struct {
	Buffers [][]byte
	Failure string
}

// Run executes launches, each in a process of its own.
func (p *Program) Run(launches []Launch) ([]Result, error) {
	var in bytes.Buffer
	put := func(v ...uint64) {
		for _, x := range v {
			in.Write(binary.LittleEndian.AppendUint64(nil, x))
		}
	}
	for i := range launches {
		l := &launches[i]
		put(uint64(l.Kernel), uint64(l.Dims))
		put(l.Global[:]...)
		put(l.Local[:]...)
		put(l.Offset[:]...)
		put(uint64(len(l.Block)), uint64(len(l.Offsets)), uint64(len(l.Buffers)))
		in.Write(l.Block)
		put(l.Offsets...)
		for _, b := range l.Buffers {
			kind := uint64(0)
			if b.Shared {
				kind = 1
			}
			put(b.At, kind, uint64(len(b.Data)))
			in.Write(b.Data)
		}
	}
	cmd := exec.Command(p.path)
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%.2000s", err, stderr.Bytes())
	}
	results := make([]Result, len(launches))
	for i := range results {
		if len(out) < 8 {
			return nil, fmt.Errorf("output ends at launch %d\n%.2000s", i, stderr.Bytes())
		}
		status := binary.LittleEndian.Uint64(out)
		out = out[8:]
		if status != 0 {
			results[i].Failure = failures[min(status, uint64(len(failures)-1))]
			continue
		}
		for _, b := range launches[i].Buffers {
			results[i].Buffers = append(results[i].Buffers, out[:len(b.Data)])
			out = out[len(b.Data):]
		}
	}
	return results, nil
}

var failures = []string{"", "deadlock", "killed by a signal or out of time"}
