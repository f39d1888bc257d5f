package asmprint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/lowering/codeobject"
)

// parse reads a module that has been through the machine passes.
func parse(t *testing.T, text []byte) *ir.Module {
	t.Helper()
	src, ds := &ir.Sources{}, ir.Diags{}
	m := ir.Parse(src, src.Add("t.pir", text), dialects.All(), &ds)
	require.False(t, ds.HasErrors(), "%v", ds.List)
	ir.Verify(m, &ds)
	require.False(t, ds.HasErrors(), "%v", ds.List)
	return m
}

func kernelsOf(m *ir.Module) (list []Kernel) {
	for _, f := range m.Funcs {
		if f.Kind == ir.FuncKernel {
			list = append(list, Kernel{Func: f})
		}
	}
	return list
}

func number(t *testing.T, s string, base int) uint64 {
	n, err := strconv.ParseUint(s, base, 64)
	require.NoError(t, err)
	return n
}

// TestModule assembles a module with everything in it and asks LLVM's readers
// what it says.
func TestModule(t *testing.T) {
	needLLVM(t)
	text, err := os.ReadFile("testdata/kernel.pir")
	require.NoError(t, err)
	m := parse(t, text)
	tt := target.ByName("gfx1100")
	require.NoError(t, amdgpu.Check(tt, m.Funcs[0]))
	kernels := kernelsOf(m)
	kernels[0].Uses = codeobject.Uses{Hidden: 1<<0 | 1<<4 | 1<<13, Items: 1}
	var ds ir.Diags
	out := Module(m, tt.Modes()[0], kernels, &ds)
	require.NotNil(t, out, "%v", ds.List)
	golden, err := os.ReadFile("testdata/kernel.s")
	if os.Getenv("PISAC_UPDATE") != "" {
		require.NoError(t, os.WriteFile("testdata/kernel.s", out, 0o644))
	} else {
		require.NoError(t, err)
		require.Equal(t, string(golden), string(out))
	}
	obj, refused := assemble(t, tt, out)
	require.Empty(t, refused, "%s", out)
	hsaco := filepath.Join(t.TempDir(), "a.hsaco")
	said, err := exec.Command(llvmBin+"ld.lld", "-shared", "-o", hsaco, obj).CombinedOutput()
	require.NoError(t, err, "%s", said)
	read := func(args ...string) string {
		b, err := exec.Command(llvmBin+args[0], append(args[1:], hsaco)...).CombinedOutput()
		require.NoError(t, err, "%s", b)
		return string(b)
	}
	notes := read("llvm-readelf", "--notes")
	for _, want := range []string{
		`\.address_space: +global\n +\.name: +p\n +\.offset: +0\n +\.size: +8\n +\.value_kind: +global_buffer`,
		`\.name: +!str n\n +\.offset: +8\n +\.size: +4\n +\.value_kind: +by_value`,
		`\.address_space: +local\n +\.name: +s\n +\.offset: +12\n +\.pointee_align: +64\n +\.size: +4\n +\.value_kind: +dynamic_shared_pointer`,
		`\.offset: +24\n +\.size: +4\n +\.value_kind: +hidden_block_count_x`,
		`\.offset: +38\n +\.size: +2\n +\.value_kind: +hidden_group_size_y`,
		`\.offset: +96\n +\.size: +8\n +\.value_kind: +hidden_printf_buffer`,
		`\.group_segment_fixed_size: 368`, `\.kernarg_segment_size: 280`, `\.sgpr_count: +8`, `\.vgpr_count: +2`,
		`\.wavefront_size: 32`, `\.workgroup_processor_mode: 1`,
	} {
		require.Regexp(t, regexp.MustCompile(want), notes)
	}
	syms := read("llvm-readelf", "--dyn-symbols")
	for _, want := range []string{`64 OBJECT +GLOBAL PROTECTED +\d+ k.kd`, `FUNC +GLOBAL PROTECTED +\d+ k\n`, ` 4 OBJECT +GLOBAL PROTECTED +\d+ counter`, ` 24 OBJECT +GLOBAL PROTECTED +\d+ init`} {
		require.Regexp(t, regexp.MustCompile(want), syms)
	}
	require.NotContains(t, syms, "elsewhere")
	data := read("llvm-objdump", "-s", "-j", "my data")
	require.Regexp(t, regexp.MustCompile(`01020304 05000000`), data)
	dis := read("llvm-objdump", "-d", "--mcpu=gfx1100")
	// The linker has put in how far the variable is from the end of s_getpc.
	at := regexp.MustCompile(`s_add_u32 s4, s4, (\S+) +// ([0-9A-F]+):`).FindStringSubmatch(dis)
	odd := regexp.MustCompile(`([0-9a-f]{16}) l .* odd name`).FindStringSubmatch(read("llvm-objdump", "-t"))
	require.True(t, at != nil && odd != nil, dis)
	require.Equal(t, number(t, odd[1], 16), number(t, at[1], 0)+number(t, at[2], 16))
	require.NotContains(t, read("llvm-readelf", "-r"), "REL32")
}
