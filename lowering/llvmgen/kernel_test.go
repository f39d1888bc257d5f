package llvmgen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// metadataArgs reads the explicit arguments of a kernel from the code object's
// metadata: "name offset size kind space align".
func metadataArgs(t *testing.T, asm, kernel string) (args []string, hidden []string) {
	t.Helper()
	_, md, ok := strings.Cut(asm, ".amdgpu_metadata")
	require.True(t, ok)
	for _, k := range strings.Split(md, "\n  - ") {
		if !strings.Contains(k, ".name:           "+kernel+"\n") {
			continue
		}
		list, _, _ := strings.Cut(k, "\n    .group_segment")
		for _, a := range strings.Split(list, "\n      - ") {
			field := func(name string) string {
				m := regexp.MustCompile(`\.` + name + `: +(\S+)`).FindStringSubmatch(a)
				if m == nil {
					return "-"
				}
				return strings.Trim(m[1], "'")
			}
			kind := field("value_kind")
			switch {
			case strings.HasPrefix(kind, "hidden_"):
				hidden = append(hidden, kind)
			case kind != "-":
				args = append(args, strings.Join([]string{field("name"), field("offset"), field("size"), kind, field("address_space"), field("pointee_align")}, " "))
			}
		}
		return args, hidden
	}
	t.Fatalf("no metadata of %s in:\n%s", kernel, md)
	return nil, nil
}

// The host fills the argument block from this metadata; offsets are PISA's: the
// next multiple of the parameter's alignment, 8 unless stated.
func TestArgumentLayout(t *testing.T) {
	const text = `
kernel @layout(param %a size 4 align 8, param %b size 8 align 8 space global ptr_align 4, param %c size 1 align 1, param %d size 2 align 2, param %e size 16 align 16,
  param %f size 3 align 8, param %g size 8 align 8 space const, param %h size 4 align 4 space shared ptr_align 16, param %i size 4 align 8 space shared, param %j size 8 align 4, param %k size 8 align 64 space global) {
^bb0:
  %b = pisa.ld.param.64b %b : 64b
  %a = pisa.ld.param.32b %a : 32b
  %h = pisa.ld.param.32b %h : 32b
  %k = pisa.ld.param.64b %k : 64b
  pisa.st.global.32b [%b], %a
  pisa.st.global.32b [%k], %h
  builtin.return
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		args, hidden := metadataArgs(t, asm, "layout")
		require.Equal(t, []string{
			"a 0 4 by_value - -",
			"b 8 8 global_buffer global -",
			"c 16 1 by_value - -",
			"d 18 2 by_value - -",
			"e 32 16 by_value - -",
			"f 48 3 by_value - -",
			"g 56 8 global_buffer constant -",
			"h 64 4 dynamic_shared_pointer local 16",
			"i 72 4 dynamic_shared_pointer local 8",
			"j 76 8 by_value - -",
			"k 128 8 global_buffer global -",
		}, args, "%s %s", mcpu, level)
		require.Empty(t, hidden, "no special register is read that needs them")
		require.Contains(t, asm, ".kernarg_segment_align: 64")
	})
}

// A load of a parameter reads its bytes at that offset, whatever its width.
func TestLdParamReadsAtTheOffset(t *testing.T) {
	needLLVM(t)
	const text = `
kernel @k(param %a size 4 align 8, param %b size 16 align 16, param %s size 4 align 4 space shared) {
^bb0:
  %p = pisa.ld.param.64b %b : 64b
  %c = builtin.const 8 : 32b
  %q = pisa.ld.param.32b %b, %c : 32b
  %h = pisa.ld.param.16b %s : 16b
  pisa.st.global.32b [%p], %q
  pisa.st.global.16b [%p], %h
  builtin.return
}
`
	insts := strings.Join(body(t, llc(t, mustEmit(t, text, "gfx1100", Options{}), "gfx1100", "-O3"), "k"), "\n")
	require.Regexp(t, `s_load_b64 s\[\d+:\d+\], s\[\d+:\d+\], 0x10|s_load_b128 s\[\d+:\d+\], s\[\d+:\d+\], 0x10`, insts)
	require.Regexp(t, `s_load_b32 s\d+, s\[\d+:\d+\], 0x18|s_load_b128 s\[\d+:\d+\], s\[\d+:\d+\], 0x10`, insts)
	require.Regexp(t, `s_load_b32 s\d+, s\[\d+:\d+\], 0x20|global_load_u16 v\d+, v\d+, s\[\d+:\d+\] offset:32`, insts)
}

func TestSharedParameterAlignmentWarning(t *testing.T) {
	ll, ds := emitPIR(t, `
kernel @k(param %a size 4 align 4, param %s size 4 align 8 space shared ptr_align 16) {
^bb0:
  builtin.return
}
`, "gfx1100", Options{})
	require.NotEmpty(t, ll)
	require.Len(t, ds.List, 1)
	require.Equal(t, "AMD-W001", ds.List[0].Code)
}

func TestKernelAttributes(t *testing.T) {
	const text = `
kernel @k(param %bb0 size 8 align 8, param %entry size 8 align 8) reqd_work_group_size(8, 4, 2) vec_type_hint "uint4" {
^bb0:
  builtin.return
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		require.Contains(t, asm, ".max_flat_workgroup_size: 64")
		require.Regexp(t, `\.reqd_workgroup_size:\n +- +8\n +- +4\n +- +2`, asm)
		require.Contains(t, asm, ".vec_type_hint:  uint4")
		require.Contains(t, asm, ".protected\tk")
	})
}

func TestImpossibleWorkGroup(t *testing.T) {
	for _, size := range []string{"1024, 2, 1", "0, 1, 1", "65536, 65536, 65536"} {
		_, ds := emitPIR(t, "kernel @k() reqd_work_group_size("+size+") {\n^bb0:\n  builtin.return\n}\n", "gfx942", Options{})
		require.Len(t, ds.List, 1, size)
		require.Equal(t, "AMD-E002", ds.List[0].Code)
	}
}

// Each special register, by where its value comes from: hidden arguments at the
// offsets that AMDGPUUsage gives for code object version 5.
func TestSpecialRegisters(t *testing.T) {
	needLLVM(t)
	const frame = `
kernel @k(param %%o size 8 align 8 space global) {
^bb0:
  %%p = pisa.ld.param.64b %%o : 64b
  %%r = pisa.sreg.%s : %s
  pisa.st.global.%s [%%p], %%r
  builtin.return
}
`
	for _, c := range []struct {
		reg, typ string
		offset   int    // of the hidden argument, after the 8 bytes of %o; -1: none
		expr     string // found in the code for gfx1100
	}{
		{"localid.x", "32b", -1, `global_store_b32 v\d+, v0,`},
		{"localid.y", "32b", -1, `v_bfe_u32 v\d+, v0, 10, 10`},
		{"localid.z", "32b", -1, `v_bfe_u32 v\d+, v0, 20, 10`},
		{"groupid.x", "32b", -1, ``},
		{"laneid", "32b", -1, `v_mbcnt_lo_u32_b32 v\d+, -1, 0`},
		{"activemask", "32b", -1, `exec_lo`},
		{"subgroupsize", "32b", -1, `32\b`},
		{"enqueuedlocalsize.x", "32b", 12, ``},
		{"enqueuedlocalsize.z", "32b", 16, ``},
		{"globaloffset.y", "64b", 48, ``},
		{"workdim", "32b", 64, ``},
		{"printfbuffer", "64b", 72, ``},
	} {
		asm := llc(t, mustEmit(t, fmt.Sprintf(frame, c.reg, c.typ, c.typ), "gfx1100", Options{}), "gfx1100", "-O3")
		text := strings.Join(body(t, asm, "k"), "\n")
		_, hidden := metadataArgs(t, asm, "k")
		if c.expr != "" {
			require.Regexp(t, c.expr, text, c.reg)
		}
		if c.offset < 0 {
			require.Empty(t, hidden, c.reg)
			continue
		}
		require.NotEmpty(t, hidden)
		off := c.offset + 8
		require.Regexp(t, fmt.Sprintf(`s_load_\w+ \S+, s\[\d+:\d+\], 0x%x\b|offset:%d\b|s_load_\w+ \S+, s\[\d+:\d+\], 0x%x\b`, off, off, off&^3), text, c.reg)
		require.Equal(t, c.reg == "printfbuffer", strings.Contains(strings.Join(hidden, " "), "hidden_printf_buffer"), c.reg)
	}
}

// The sizes of a grid that the work-group size does not divide, computed from
// the hidden arguments by the lane machine's reading of the printed code.
func TestGridSizes(t *testing.T) {
	ll := mustEmit(t, `
function @f() -> 32b export {
^bb0:
  %g = pisa.sreg.groupcount.y : 32b
  %l = pisa.sreg.localsize.y : 32b
  %s = pisa.sreg.globalsize.y : 64b
  %a = pisa.sreg.groupid.y : 32b
  builtin.return %a
}
`, "gfx1100", Options{})
	// block_count_y at 4, group_size_y at 14, remainder_y at 20
	for _, off := range []string{"i64 4", "i64 14", "i64 20"} {
		require.Contains(t, ll, "getelementptr i8, ptr addrspace(4) %", off)
		require.Contains(t, ll, ", "+off+"\n")
	}
	require.Contains(t, ll, "@llvm.amdgcn.workgroup.id.y()")
	require.NotContains(t, ll, "amdgpu-no-workgroup-id-y")
	require.Contains(t, ll, "amdgpu-no-workgroup-id-x")
	require.NotContains(t, ll, "amdgpu-no-implicitarg-ptr")
}
