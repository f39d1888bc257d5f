package llvmgen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

// nativeRow says on which targets an atomic of 32 or 64 bits is one
// instruction; elsewhere it must be a loop of compare-and-swap. The table is
// that of the vendor's ISA documents and of what the operations do to
// denormals and NaNs.
type nativeRow struct {
	op, space, typ, order string
	strict, fast          string // targets, space-separated
}

const all4 = "gfx942 gfx90a gfx1100 gfx1201"

func nativeRows() (rows []nativeRow) {
	for _, space := range []string{"global", "shared", "generic"} {
		for _, op := range strings.Fields("add sub xchg inc dec") {
			rows = append(rows, nativeRow{op, space, "32b", "relaxed.system", all4, all4}, nativeRow{op, space, "32b", "acq_rel.system", all4, all4})
		}
		for _, op := range strings.Fields("and or xor incwrap decwrap smin umin smax umax") {
			sys := "" // not carried by PCIe
			if space == "shared" {
				sys = all4
			}
			rows = append(rows, nativeRow{op, space, "32b", "relaxed.gpu", all4, all4}, nativeRow{op, space, "32b", "acq_rel.system", sys, sys})
		}
		for _, op := range strings.Fields("add smin xor xchg") {
			rows = append(rows, nativeRow{op, space, "16b", "relaxed.gpu", "", ""})
		}
		for _, op := range []string{"add", "min"} {
			rows = append(rows, nativeRow{op, space, "hf", "relaxed.gpu", "", ""}, nativeRow{op, space, "bf", "relaxed.gpu", "", ""})
		}
	}
	for _, op := range strings.Fields("add umax and incwrap") {
		rows = append(rows, nativeRow{op, "global", "64b", "relaxed.gpu", all4, all4})
	}
	for _, op := range []string{"and", "incwrap"} { // no scope: the native operation with system bits
		rows = append(rows, nativeRow{op, "global", "32b", "relaxed.system", all4, all4})
	}
	for _, op := range []string{"add", "sub"} {
		rows = append(rows,
			nativeRow{op, "shared", "f", "relaxed.gpu", all4, all4},
			nativeRow{op, "global", "f", "relaxed.gpu", "gfx942 gfx1201", all4},
			nativeRow{op, "generic", "f", "relaxed.gpu", "gfx942 gfx1201", "gfx942 gfx1100 gfx1201"},
			nativeRow{op, "global", "f", "relaxed.system", "gfx942", "gfx942"},
			nativeRow{op, "global", "f", "acq_rel.system", "", ""},
			nativeRow{op, "global", "df", "relaxed.gpu", "gfx942", "gfx942 gfx90a"},
		)
	}
	for _, op := range []string{"min", "max"} {
		rows = append(rows,
			nativeRow{op, "shared", "f", "relaxed.gpu", "gfx1201", all4},
			nativeRow{op, "global", "f", "relaxed.gpu", "", "gfx1100 gfx1201"},
			nativeRow{op, "generic", "f", "relaxed.gpu", "", "gfx1100 gfx1201"},
			nativeRow{op, "global", "f", "relaxed.system", "", ""},
		)
	}
	return rows
}

func (r nativeRow) mnemonic() string {
	switch r.typ {
	case "hf", "bf", "f", "df":
		return "fatom"
	}
	return "iatom"
}

func TestNativeOrLoop(t *testing.T) {
	needLLVM(t)
	orders := []string{"relaxed.system", "relaxed.gpu", "acq_rel.system"}
	text := atomForms(orders...)
	floats := atomFormsOf(nil, orders...)
	for _, tt := range chips() {
		for mode, text := range map[FPAtomics]string{FPStrict: text, FPFast: floats} {
			asm := llc(t, mustEmit(t, text, tt.Name, Options{FPAtomics: mode}), tt.Name, "-O1")
			for _, r := range nativeRows() {
				want := r.strict
				if mode == FPFast {
					if want = r.fast; r.mnemonic() == "iatom" {
						continue
					}
				}
				insts := body(t, asm, atomName(r.mnemonic(), r.space, r.order, r.op, r.typ))
				loop := hasOpcode(insts, `(global|flat)_atomic_cmpswap\w*|ds_cmpst\w*`)
				native := hasOpcode(insts, `(global|flat)_atomic_(?:add|sub|swap|smin|smax|umin|umax|min|max|and|or|xor|inc|dec|pk)\w*|ds_(?:add|sub|wrxchg|storexchg|min|max|and|or|xor|inc|dec)_\w+`)
				require.Equal(t, strings.Contains(want, tt.Name), !loop && native, "%s mode %d %+v\n%s", tt.Name, mode, r, strings.Join(insts, "\n"))
			}
		}
	}
}

// SystemNative and SystemCAS override what the scope says.
func TestSystemAtomics(t *testing.T) {
	text := atomForms("relaxed.system", "acq_rel.system", "relaxed.gpu")
	for _, tt := range target.All() {
		native := mustEmit(t, text, tt.Name, Options{SystemAtomics: SystemNative})
		cas := mustEmit(t, text, tt.Name, Options{SystemAtomics: SystemCAS})
		fn := func(ll, name string) string {
			_, rest, ok := strings.Cut(ll, "@"+name+"(")
			require.True(t, ok)
			rest, _, _ = strings.Cut(rest, "\n}")
			return rest
		}
		for _, order := range []string{"relaxed_system", "acq_rel_system"} {
			name := "iatom_global_" + order + "_xor_32b"
			require.Contains(t, fn(native, name), "atomicrmw xor ptr addrspace(1)")
			require.NotContains(t, fn(native, name), "cmpxchg")
			require.Contains(t, fn(cas, name), "cmpxchg")
			require.NotContains(t, fn(cas, name), "atomicrmw")
			require.Contains(t, fn(cas, "iatom_global_"+order+"_add_32b"), "atomicrmw add", "PCIe carries add")
			require.Contains(t, fn(cas, "iatom_global_"+order+"_sub_32b"), "atomicrmw add", "PCIe has no sub")
			require.Contains(t, fn(cas, "iatom_shared_"+order+"_xor_32b"), "atomicrmw xor", "shared memory is never the host's")
		}
		require.Contains(t, fn(cas, "iatom_global_relaxed_gpu_xor_32b"), "atomicrmw xor")
	}
}

// The fences of an ordered loop stand outside it: a write-back of the cache at
// every trip is slow, and has starved other waves.
func TestOrderedLoopHasItsFencesOutside(t *testing.T) {
	needLLVM(t)
	ll := mustEmit(t, atomForms("acq_rel.system"), "gfx942", Options{})
	asm := llc(t, ll, "gfx942", "-O3")
	insts := body(t, asm, "iatom_global_acq_rel_system_xor_64b")
	first, last := -1, -1
	for i, in := range insts {
		if strings.HasPrefix(in, "global_load") || strings.HasPrefix(in, "flat_load") {
			first = i
		}
		if strings.HasPrefix(in, "global_atomic_cmpswap") {
			last = i
		}
	}
	require.True(t, first >= 0 && last > first)
	for i, in := range insts {
		if strings.HasPrefix(in, "buffer_wbl2") {
			require.Less(t, i, first)
		}
		if strings.HasPrefix(in, "buffer_inv") {
			require.Greater(t, i, last)
		}
	}
}

// LLVM 19's atomic optimiser adds up the operands of the lanes and adds the sum
// to memory once; for floats that rounds differently from adding one by one
// (docs/llvm-faults.md).
func TestFloatAddIsNotReassociated(t *testing.T) {
	needLLVM(t)
	text := `
kernel @k(param %p size 8 align 8 space global, param %x size 4 align 8) {
^bb0:
  %p = pisa.ld.param.64b %p : 64b
  %x = pisa.ld.param.32b %x : 32b
  %r = pisa.fatom.global.relaxed.gpu.add.f [%p], %x : 32b
  builtin.return
}
kernel @s(param %o size 8 align 8 space global) {
  var @v shared size 4 align 4
^bb0:
  %i = pisa.sreg.localid.x : 32b
  %a = pisa.addrof.32b @v : 32b
  %p = pisa.ld.param.64b %o : 64b
  %r = pisa.fatom.shared.relaxed.gpu.add.f [%a], %i : 32b
  pisa.st.global.32b [%p], %r
  builtin.return
}
`
	for _, mcpu := range []string{"gfx942", "gfx1201"} {
		asm := llc(t, mustEmit(t, text, mcpu, Options{}), mcpu, "-O3")
		for fn, add := range map[string]string{"k": "global_atomic_add_f32", "s": "ds_add_rtn_f32"} {
			insts := body(t, asm, fn)
			require.True(t, hasOpcode(insts, add), "%s", strings.Join(insts, "\n"))
			require.False(t, hasOpcode(insts, `v_mul_f32\w*|v_add_f32\w*|v_readlane_b32|v_writelane_b32|s_bcnt1\w*|v_fma\w*|s_add_f32|s_mul_f32`),
				"%s: lanes are combined:\n%s", mcpu, strings.Join(insts, "\n"))
		}
	}
}

func Test128BitAtomicsAreRefused(t *testing.T) {
	text := `
function @f(64b, 128b, 128b) -> 128b export {
^bb0(%p: 64b, %x: 128b, %y: 128b):
  %0 = pisa.ld.global.relaxed.system.128b [%p] : 128b
  pisa.st.global.relaxed.system.128b [%p], %x
  %1 = pisa.iatom.global.relaxed.system.xchg.128b [%p], %x : 128b
  %2 = pisa.iatom.generic.acq_rel.gpu.cas.128b [%p], %x, %y : 128b
  builtin.return %2
}
`
	_, ds := emitPIR(t, text, "gfx1100", Options{})
	require.Len(t, ds.List, 4)
	m := parsePIR(t, text)
	for i, d := range ds.List {
		require.Equal(t, "AMD-E010", d.Code)
		require.Contains(t, d.Text, "gfx1100 has no 128-bit atomic instruction")
		require.Equal(t, 5+i, m.Sources.Position(d.Loc).Line, fmt.Sprint(d))
	}
}
