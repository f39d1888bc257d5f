package llvmgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

// LLVM 19 takes no fence for a reason to keep a later uniform load out of the
// scalar cache, which neither fence nor invalidation reaches
// (docs/llvm-faults.md). The flag is in shared memory here, so that LLVM knows
// the exchange to leave the data alone.
func TestLoadBehindAcquireIsNotScalar(t *testing.T) {
	needLLVM(t)
	const text = `
kernel @k(param %d size 8 align 8 space global, param %o size 8 align 8 space global) {
  var @flag shared size 4 align 4
^bb0:
  %d = pisa.ld.param.64b %d : 64b
  %o = pisa.ld.param.64b %o : 64b
  %a = pisa.addrof.32b @flag : 32b
  %one = builtin.const 1 : 32b
  %f = pisa.iatom.shared.acquire.workgroup.or.32b [%a], %one : 32b
  %v = pisa.ld.global.32b [%d] : 32b
  pisa.st.global.32b [%o], %v
  builtin.return
}
kernel @b(param %d size 8 align 8 space global, param %o size 8 align 8 space global) {
^bb0:
  %d = pisa.ld.param.64b %d : 64b
  %o = pisa.ld.param.64b %o : 64b
  pisa.barrier.workgroup
  %v = pisa.ld.global.32b [%d] : 32b
  pisa.st.global.32b [%o], %v
  builtin.return
}
kernel @f(param %d size 8 align 8 space global, param %o size 8 align 8 space global) {
^bb0:
  %d = pisa.ld.param.64b %d : 64b
  %o = pisa.ld.param.64b %o : 64b
  pisa.fence.acquire.gpu
  %v = pisa.ld.global.32b [%d] : 32b
  pisa.st.global.32b [%o], %v
  builtin.return
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		for _, fn := range []string{"k", "b", "f"} {
			insts := body(t, asm, fn)
			require.True(t, hasOpcode(insts, `global_load_dword|global_load_b32`), "%s %s %s:\n%s", mcpu, level, fn, strings.Join(insts, "\n"))
		}
	})
}

// LLVM 19's load/store vectoriser merges two plain loads across an acquire load
// and two stores across a release store (docs/llvm-faults.md); not so across
// the fences that are emitted here.
func TestAccessesDoNotMoveOverOrderedOnes(t *testing.T) {
	const text = `
function @acq(64b, 64b) -> 32b export {
^bb0(%p: 64b, %f: 64b):
  %c = builtin.const 4 : 64b
  %a = pisa.ld.global.32b [%p] : 32b
  %x = pisa.ld.global.acquire.gpu.32b [%f] : 32b
  %b = pisa.ld.global.32b [%p + %c] : 32b
  %r = pisa.iadd.32b %a, %b : 32b
  builtin.return %r
}
function @rel(64b, 64b, 32b) export {
^bb0(%p: 64b, %f: 64b, %v: 32b):
  %c = builtin.const 4 : 64b
  pisa.st.global.32b [%p], %v
  pisa.st.global.release.gpu.32b [%f], %v
  pisa.st.global.32b [%p + %c], %v
  builtin.return
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		for fn, wide := range map[string]string{"acq": `(global|flat)_load_(dwordx2|b64)`, "rel": `(global|flat)_store_(dwordx2|b64)`} {
			insts := body(t, asm, fn)
			require.False(t, hasOpcode(insts, wide), "%s %s %s:\n%s", mcpu, level, fn, strings.Join(insts, "\n"))
		}
	})
}

// Nothing waits before s_barrier unless told to: the hardware does not, and
// LLVM 19 does not either on GFX9.
func TestBarrierWaitsForEverything(t *testing.T) {
	const text = `
kernel @k(param %d size 8 align 8 space global) {
  var @s shared size 4 align 4
^bb0:
  %d = pisa.ld.param.64b %d : 64b
  %s = pisa.addrof.32b @s : 32b
  %i = pisa.sreg.localid.x : 32b
  %two = builtin.const 2 : 32b
  %o = pisa.shl.32b %i, %two : 32b
  %w = pisa.ld.global.32b [%d + %o] : 32b
  pisa.st.global.32b [%d], %i
  pisa.st.shared.32b [%s], %i
  pisa.barrier.workgroup
  %l = pisa.ld.shared.32b [%s] : 32b
  %v = pisa.iadd.32b %l, %w : 32b
  pisa.st.global.32b [%d], %v
  builtin.return
}
`
	counters := map[target.Generation][3]string{ // of loads, stores and shared memory
		target.GFX9:  {"vmcnt", "vmcnt", "lgkmcnt"},
		target.GFX11: {"vmcnt", "vscnt", "lgkmcnt"},
		target.GFX12: {"loadcnt", "storecnt", "dscnt"},
	}
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		pending := map[string]bool{}
		seen := 0
		for _, in := range body(t, asm, "k") {
			for i, access := range []string{"global_load", "global_store", "ds_"} {
				if strings.HasPrefix(in, access) {
					pending[counters[target.ByName(mcpu).Generation][i]] = true
					seen |= 1 << i
				}
			}
			for _, c := range waits(in) {
				delete(pending, c)
			}
			if strings.HasPrefix(in, "s_barrier") {
				require.Equal(t, 7, seen)
				require.Empty(t, pending, "%s %s: no wait before the barrier", mcpu, level)
				return
			}
		}
		t.Errorf("%s %s: no barrier", mcpu, level)
	})
}

// fence.subgroup costs no instruction, and no access moves over it.
func TestSubgroupFence(t *testing.T) {
	const text = `
function @f(64b, 32b) -> 32b export {
^bb0(%p: 64b, %v: 32b):
  %a = pisa.ld.global.32b [%p] : 32b
  pisa.fence.subgroup
  %b = pisa.ld.global.32b [%p] : 32b
  %r = pisa.isub.32b %a, %b : 32b
  builtin.return %r
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		n := 0
		for _, in := range body(t, asm, "f") {
			if strings.HasPrefix(in, "global_load") || strings.HasPrefix(in, "flat_load") {
				n++
			}
			require.NotRegexp(t, `^(buffer_(inv|wb|gl)|global_(inv|wb))`, in)
		}
		require.Equal(t, 2, n, "%s %s: both loads stay", mcpu, level)
	})
}

// object assembles and links LLVM IR to a code object.
func object(t *testing.T, ll, mcpu, level string) string {
	t.Helper()
	dir := t.TempDir()
	in, obj, out := filepath.Join(dir, "a.ll"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a.hsaco")
	require.NoError(t, os.WriteFile(in, []byte(ll), 0o666))
	msg, err := exec.Command(llvmTool("llc"), "-mcpu="+mcpu, level, "-filetype=obj", in, "-o", obj).CombinedOutput()
	require.NoError(t, err, "%s\n%s", msg, ll)
	require.Empty(t, string(msg))
	msg, err = exec.Command("/usr/lib/llvm-19/bin/ld.lld", "-shared", obj, "-o", out).CombinedOutput()
	require.NoError(t, err, "%s", msg)
	require.Empty(t, string(msg))
	return out
}

func TestVariables(t *testing.T) {
	needLLVM(t)
	const text = `
var @plain global size 8 align 4 = { bytes 0x0102030405060708 }
var @shown global size 4 align 4 export = { bytes 0xaabbccdd }
var @bss global size 100000 align 1
var @tab const size 24 align 8 = { bytes 0x22, zero 3, bytes 0x5c0a0d00, sym @plain + 4, sym @twice }
var @big const size 4100 align 32 section ".mine" = { bytes 0x01020304, zero 4096 }
var @"llvm.used" const size 8 align 8 = { sym @big - 8 }
kernel @k(param %o size 8 align 8 space global) {
  var @s shared size 5 align 1
  var @p private size 20 align 4
  var @tab const size 4 align 4 = { bytes 0x11111111 }
^bb0:
  %o = pisa.ld.param.64b %o : 64b
  %t = pisa.addrof.64b @tab : 64b
  %g = pisa.addrof.64b @@tab : 64b
  %x = pisa.ld.const.32b [%t] : 32b
  %y = pisa.ld.const.v2.32b [%g] : v2.32b
  %l = pisa.addrof.64b @"llvm.used" : 64b
  %b = pisa.addrof.64b @bss : 64b
  %p = pisa.addrof.32b @p : 32b
  %s = pisa.addrof.32b @s : 32b
  pisa.st.private.32b [%p], %x
  pisa.st.shared.32b [%s], %x
  %z = pisa.ld.private.32b [%p] : 32b
  %gp = pisa.addrcast.generic.private %p : 64b
  pisa.st.generic.32b [%gp], %z
  pisa.st.global.32b [%o], %z
  pisa.st.global.v2.32b [%o], %y
  pisa.st.global.64b [%o], %l
  pisa.st.global.64b [%b], %gp
  builtin.return
}
function @twice(32b) -> 32b {
^bb0(%x: 32b):
  builtin.return %x
}
`
	for _, tt := range target.All() {
		for _, level := range []string{"-O0", "-O3"} {
			ll := mustEmit(t, text, tt.Name, Options{})
			hsaco := object(t, ll, tt.Name, level)
			dump := func(section string) string {
				out, err := exec.Command("/usr/lib/llvm-19/bin/llvm-objdump", "-s", "-j", section, hsaco).Output()
				require.NoError(t, err)
				return string(out)
			}
			require.Contains(t, dump(".data"), "01020304 05060708")
			require.Contains(t, dump(".data"), "aabbccdd")
			require.Contains(t, dump(".rodata"), "11111111")
			require.Contains(t, dump(".data.rel.ro"), "22000000 5c0a0d00")
			require.Contains(t, dump(".mine"), "01020304 00000000")
			rel, err := exec.Command("/usr/lib/llvm-19/bin/llvm-readelf", "-r", "-s", hsaco).Output()
			require.NoError(t, err)
			require.Equal(t, 3, strings.Count(string(rel), "R_AMDGPU_RELATIVE64"), "an address is relocated when the object is loaded")
			require.Regexp(t, `OBJECT +GLOBAL +PROTECTED +\d+ shown`, string(rel))
			require.NotRegexp(t, `GLOBAL +\w+ +\d+ plain`, string(rel))
		}
	}
}

func TestMemoryLimits(t *testing.T) {
	for _, c := range []struct{ text, code string }{
		{"kernel @k() {\n  var @s shared size 65536 align 4\n  var @t shared size 1 align 1\n^bb0:\n  builtin.return\n}\n", "AMD-E004"},
		{"kernel @k() {\n  var @s shared size 40000 align 4\n^bb0:\n  builtin.call @f()\n  builtin.return\n}\nfunction @f() {\n  var @t shared size 40000 align 1\n^bb0:\n  builtin.return\n}\n", "AMD-E004"},
		{"kernel @k() {\n  var @p private size 4000000000 align 4\n^bb0:\n  builtin.return\n}\n", "AMD-E005"},
		{"kernel @k() {\n  var @p private size 64 align 65536\n^bb0:\n  builtin.return\n}\n", "AMD-E005"},
		{"kernel @k(param %p size 4294967295 align 8) {\n^bb0:\n  builtin.return\n}\n", "AMD-E006"},
	} {
		_, ds := emitPIR(t, c.text, "gfx942", Options{})
		require.Len(t, ds.List, 1, c.text)
		require.Equal(t, c.code, ds.List[0].Code)
		require.NotZero(t, ds.List[0].Loc)
	}
}

// Addresses of every space through generic ones and back.
func TestGenericAddresses(t *testing.T) {
	const text = `
function @f(64b, 32b, 32b, 64b, 32b) -> 32b export {
^bb0(%g: 64b, %s: 32b, %p: 32b, %c: 64b, %v: 32b):
  %0 = pisa.addrcast.generic.global %g : 64b
  %1 = pisa.addrcast.generic.shared %s : 64b
  %2 = pisa.addrcast.generic.private %p : 64b
  %3 = pisa.addrcast.generic.const %c : 64b
  pisa.st.generic.32b [%0], %v
  pisa.st.generic.32b [%1], %v
  pisa.st.generic.32b [%2], %v
  %4 = pisa.ld.generic.32b [%3] : 32b
  %5 = pisa.addrcast.global.generic %0 : 64b
  %6 = pisa.addrcast.shared.generic %1 : 32b
  %7 = pisa.addrcast.private.generic %2 : 32b
  pisa.st.global.32b [%5], %4
  pisa.st.shared.32b [%6], %4
  pisa.st.private.32b [%7], %4
  %8 = pisa.isaddr.shared %1 : 32b
  %9 = pisa.isaddr.private %2 : 32b
  %10 = pisa.isaddr.global %3 : 32b
  pisa.st.global.32b [%5], %8
  pisa.st.global.32b [%5], %9
  builtin.return %10
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		require.Contains(t, ll, "addrspacecast ptr addrspace(3) %")
		require.Contains(t, ll, "@llvm.amdgcn.is.shared(ptr")
		require.Contains(t, ll, "@llvm.amdgcn.is.private(ptr")
	})
	// Global and constant addresses are generic ones: no instruction.
	ll := mustEmit(t, "function @f(64b) -> 64b export {\n^bb0(%g: 64b):\n  %0 = pisa.addrcast.generic.global %g : 64b\n  %1 = pisa.addrcast.global.generic %0 : 64b\n  builtin.return %1\n}\n", "gfx942", Options{})
	require.NotContains(t, ll, "addrspacecast")
}

// Names that PISA allows and ELF or LLVM use otherwise.
func TestOddNames(t *testing.T) {
	needLLVM(t)
	const text = `
var @k.kd global size 4 align 4 = { bytes 0x01000000 }
var @".text" const size 4 align 4 = { bytes 0x02000000 }
var @"a@b" global size 4 align 4 section "mine" = { bytes 0x03000000 }
var @mine global size 4 align 4 export = { bytes 0x04000000 }
var @"nul\00" global size 4 align 4 = { bytes 0x05000000 }
function @"f@1"(32b) -> 32b export {
^bb0(%x: 32b):
  builtin.return %x
}
function @"llvm.amdgcn.workitem.id.x"(32b) -> 32b {
^bb0(%x: 32b):
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.return %y
}
kernel @k(param %p size 8 align 8 space global, param %"q\00" size 4 align 8) {
^bb0:
  %p = pisa.ld.param.64b %p : 64b
  %1 = pisa.addrof.64b @k.kd : 64b
  %2 = pisa.addrof.64b @".text" : 64b
  %3 = pisa.addrof.64b @"a@b" : 64b
  %4 = pisa.addrof.64b @mine : 64b
  %5 = pisa.addrof.64b @"nul\00" : 64b
  pisa.st.global.64b [%p], %1
  pisa.st.global.64b [%p], %2
  pisa.st.global.64b [%p], %3
  pisa.st.global.64b [%p], %4
  pisa.st.global.64b [%p], %5
  %x = pisa.ld.param.32b %"q\00" : 32b
  %y = builtin.call @"f@1"(%x) : 32b
  %z = builtin.call @"llvm.amdgcn.workitem.id.x"(%y) : 32b
  pisa.st.global.32b [%p], %z
  builtin.return
}
`
	for _, tt := range target.All() {
		ll, ds := emitPIR(t, text, tt.Name, Options{})
		require.Len(t, ds.List, 1)
		require.Equal(t, "AMD-W004", ds.List[0].Code)
		require.Contains(t, ds.List[0].Text, `"mine.1"`)
		object(t, ll, tt.Name, "-O1")
	}
	for _, name := range []string{`"k@1"`, `".text"`, `"k\00"`} {
		_, ds := emitPIR(t, "kernel @"+name+"() {\n^bb0:\n  builtin.return\n}\n", "gfx942", Options{})
		require.Len(t, ds.List, 1, name)
		require.Equal(t, "AMD-E001", ds.List[0].Code)
	}
	_, ds := emitPIR(t, "kernel @k() {\n^bb0:\n  builtin.return\n}\nkernel @k.kd() {\n^bb0:\n  builtin.return\n}\n", "gfx942", Options{})
	require.Len(t, ds.List, 1)
}
