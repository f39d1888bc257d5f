package llvmgen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Control flow of every shape: values that swap round a loop, an irreducible
// cycle, a branch to one block by both edges, blocks that are never reached.
func TestControlFlow(t *testing.T) {
	const text = `
function @swap(32b, 32b) -> 32b export {
^bb0(%n: 32b, %v: 32b):
  %zero = builtin.const 0 : 32b
  %one = builtin.const 1 : 32b
  builtin.br ^bb1(%zero, %v, %n)
^bb1(%i: 32b, %x: 32b, %y: 32b):
  %i2 = pisa.iadd.32b %i, %one : 32b
  %c = pisa.ucmp.lt.32b %i2, %n : pred
  builtin.cond_br %c, ^bb1(%i2, %y, %x), ^bb2
^bb2:
  builtin.return %x
}
function @irreducible(pred, pred) -> 32b export {
^bb0(%a: pred, %b: pred):
  %k = builtin.const 7 : 32b
  builtin.cond_br %a, ^bb1(%k), ^bb2
^bb1(%x: 32b):
  builtin.cond_br %b, ^bb2, ^bb3
^bb2:
  builtin.cond_br %b, ^bb1(%k), ^bb3
^bb3:
  builtin.return %k
}
function @both(pred, 32b, 32b) -> 32b export {
^bb0(%p: pred, %a: 32b, %b: 32b):
  builtin.cond_br %p, ^bb1(%a, %b), ^bb1(%b, %b)
^bb1(%x: 32b, %y: 32b):
  %r = pisa.isub.32b %x, %y : 32b
  builtin.return %r
}
function @dead(32b) -> 32b export {
^bb0(%x: 32b):
  builtin.br ^bb2(%x)
^bb1:
  %y = pisa.iadd.32b %x, %z : 32b
  %z = pisa.iadd.32b %y, %x : 32b
  builtin.br ^bb2(%z)
^bb2(%v: 32b):
  builtin.return %v
}
function @late(pred, 32b) -> 32b export {
^bb0(%p: pred, %x: 32b):
  builtin.br ^bb2
^bb1:
  %s = pisa.iadd.32b %d, %d : 32b
  builtin.return %s
^bb2:
  %d = pisa.iadd.32b %x, %x : 32b
  builtin.cond_br %p, ^bb1, ^bb3
^bb3:
  builtin.unreachable
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {})
	fn := func(name string) string {
		_, text, ok := strings.Cut(mustEmit(t, text, "gfx1100", Options{}), "@"+name+"(")
		require.True(t, ok)
		text, _, _ = strings.Cut(text, "\n}")
		return text
	}
	require.Contains(t, fn("swap"), `bb1:
	%2 = phi i32 [ 0, %bb0 ], [ %5, %bb1 ]
	%3 = phi i32 [ %1, %bb0 ], [ %4, %bb1 ]
	%4 = phi i32 [ %0, %bb0 ], [ %3, %bb1 ]
`)
	require.Contains(t, fn("both"), `bb0:
	%3 = select i1 %0, i32 %1, i32 %2
	%4 = select i1 %0, i32 %2, i32 %2
	br label %bb1

bb1:
	%5 = phi i32 [ %3, %bb0 ]
	%6 = phi i32 [ %4, %bb0 ]
`)
	require.NotContains(t, fn("dead"), "add")
	require.Contains(t, fn("irreducible"), "phi i32 [ 7, %bb0 ], [ 7, %bb2 ]")
}

func TestCalls(t *testing.T) {
	const text = `
var @table const size 16 align 8 = { sym @inc, sym @dec }
function @inc(32b) -> 32b {
^bb0(%x: 32b):
  %1 = builtin.const 1 : 32b
  %r = pisa.iadd.32b %x, %1 : 32b
  builtin.return %r
}
function @dec(32b) -> 32b {
^bb0(%x: 32b):
  %1 = builtin.const 1 : 32b
  %r = pisa.isub.32b %x, %1 : 32b
  builtin.return %r
}
function @types(8b, 16b, 32b, 64b, 128b, v3.8b, v3.16b, v3.64b, v64.32b, v5.32b) -> v64.32b export {
^bb0(%a: 8b, %b: 16b, %c: 32b, %d: 64b, %e: 128b, %f: v3.8b, %g: v3.16b, %h: v3.64b, %i: v64.32b, %j: v5.32b):
  %r = builtin.call @types(%a, %b, %c, %d, %e, %f, %g, %h, %i, %j) : v64.32b
  builtin.return %r
}
function @nothing() {
^bb0:
  builtin.return
}
kernel @k(param %o size 8 align 8 space global) {
^bb0:
  %o = pisa.ld.param.64b %o : 64b
  %i = pisa.sreg.localid.x : 32b
  builtin.call @nothing()
  builtin.call @inc(%i)
  %one = builtin.const 1 : 32b
  %b = pisa.and.32b %i, %one : 32b
  %b8 = pisa.smul.32b %b, %eight : 32b
  %eight = builtin.const 8 : 32b
  %t = pisa.addrof.64b @table : 64b
  %off = pisa.zext.64b.32b %b8 : 64b
  %fp = pisa.ld.const.64b [%t + %off] : 64b
  %r = builtin.call_indirect %fp(%i) : 32b
  pisa.st.global.32b [%o], %r
  %direct = pisa.addrof.64b @dec : 64b
  %s = builtin.call_indirect %direct(%r) : 32b
  pisa.st.global.32b [%o], %s
  builtin.return
}
`
	fixed := strings.Replace(strings.Replace(text, "  %eight = builtin.const 8 : 32b\n", "", 1), "  %b8 =", "  %eight = builtin.const 8 : 32b\n  %b8 =", 1)
	needLLVM(t)
	for _, tt := range target.All() {
		ll := mustEmit(t, fixed, tt.Name, Options{})
		for _, level := range []string{"-O0", "-O3"} {
			object(t, ll, tt.Name, level)
			// The address may differ between lanes: a loop over the distinct ones.
			insts := body(t, llc(t, ll, tt.Name, level), "k")
			require.True(t, hasOpcode(insts, "s_swappc_b64"), "%s %s", tt.Name, level)
			require.True(t, hasOpcode(insts, "v_readfirstlane_b32"), "%s %s", tt.Name, level)
			require.True(t, hasOpcode(insts, "s_cbranch_execnz"), "%s %s: a loop over call targets", tt.Name, level)
		}
	}
}

// LLVM 19's code generator crashes on an internal function that nothing reaches,
// and traps in a function that uses shared memory but that no kernel calls.
func TestFunctionsThatNoKernelCalls(t *testing.T) {
	const text = `
kernel @k() {
^bb0:
  %x = builtin.const 1 : 32b
  %r = builtin.call @used(%x) : 32b
  builtin.return
}
function @used(32b) -> 32b {
^bb0(%x: 32b):
  builtin.return %x
}
function @alone(32b) -> 32b {
^bb0(%x: 32b):
  %r = builtin.call @alone(%x) : 32b
  %s = builtin.call @used(%r) : 32b
  builtin.return %s
}
function @shared() {
  var @s shared size 4 align 4
^bb0:
  %a = pisa.addrof.32b @s : 32b
  pisa.st.shared.32b [%a], %a
  builtin.return
}
function @caller() export {
^bb0:
  builtin.call @shared()
  builtin.return
}
`
	needLLVM(t)
	for _, tt := range target.All() {
		ll, ds := emitPIR(t, text, tt.Name, Options{})
		require.Len(t, ds.List, 1)
		require.Equal(t, "AMD-W003", ds.List[0].Code)
		require.Contains(t, ds.List[0].Text, "@caller")
		for _, level := range []string{"-O0", "-O3"} {
			asm := llc(t, ll, tt.Name, level)
			require.Contains(t, asm, "\nalone:")
			require.NotContains(t, asm, "caller")
		}
	}
}

// %activemask is read where it stands: in each branch its own lanes, and again
// where they have come together.
func TestActiveMaskIsNotMoved(t *testing.T) {
	const text = `
kernel @k(param %o size 8 align 8 space global, param %n size 4 align 8) {
^bb0:
  %o = pisa.ld.param.64b %o : 64b
  %n = pisa.ld.param.32b %n : 32b
  %i = pisa.sreg.localid.x : 32b
  %a = pisa.sreg.activemask : 32b
  %c = pisa.ucmp.lt.32b %i, %n : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  %m1 = pisa.sreg.activemask : 32b
  builtin.br ^bb3(%m1)
^bb2:
  %m2 = pisa.sreg.activemask : 32b
  builtin.br ^bb3(%m2)
^bb3(%m: 32b):
  %b = pisa.sreg.activemask : 32b
  %4 = builtin.const 4 : 64b
  %8 = builtin.const 8 : 64b
  pisa.st.global.32b [%o], %a
  pisa.st.global.32b [%o + %4], %m
  pisa.st.global.32b [%o + %8], %b
  builtin.return
}
`
	everywhere(t, text, Options{}, func(t *testing.T, mcpu, level, ll, asm string) {
		require.Equal(t, 4, strings.Count(ll, "@llvm.amdgcn.ballot.i")-1)
		reads := 0
		for _, in := range body(t, asm, "k") {
			f := strings.Fields(strings.ReplaceAll(in, ",", " "))
			if len(f) < 2 || strings.Contains(f[0], "saveexec") || strings.HasPrefix(f[1], "exec") && !strings.HasPrefix(f[0], "v_") {
				continue // control flow
			}
			for _, w := range f[2:] {
				if strings.HasPrefix(w, "exec") {
					reads++
					break
				}
			}
		}
		require.GreaterOrEqual(t, reads, 4, "%s %s:\n%s", mcpu, level, strings.Join(body(t, asm, "k"), "\n"))
	})
}

// A loop that waits for another work-item may wait for ever where two
// sub-groups share a wave; each loop nest below says whether it should warn.
func TestSpinLoopWarning(t *testing.T) {
	const head = "function @f(64b, 32b) export {\n^bb0(%p: 64b, %n: 32b):\n  %z = builtin.const 0 : 32b\n"
	cases := map[string]struct {
		text string
		warn int
	}{
		"spin": {head + `  builtin.br ^bb1
^bb1:
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %z : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  builtin.return
}
`, 1},
		"through an argument": {head + `  builtin.br ^bb1(%z)
^bb1(%x: 32b):
  %c = pisa.ucmp.eq.32b %x, %n : pred
  builtin.cond_br %c, ^bb3, ^bb2
^bb2:
  %v = pisa.ld.global.relaxed.gpu.32b [%p] : 32b
  builtin.br ^bb1(%v)
^bb3:
  builtin.return
}
`, 1},
		"a barrier in it": {head + `  builtin.br ^bb1
^bb1:
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  pisa.barrier.workgroup
  %c = pisa.ucmp.eq.32b %v, %z : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  builtin.return
}
`, 0},
		"inside a loop with a barrier": {head + `  builtin.br ^bb1
^bb1:
  pisa.barrier.workgroup
  builtin.br ^bb2
^bb2:
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %z : pred
  builtin.cond_br %c, ^bb2, ^bb3
^bb3:
  %d = pisa.ucmp.eq.32b %n, %z : pred
  builtin.cond_br %d, ^bb1, ^bb4
^bb4:
  builtin.return
}
`, 1},
		"inside a loop without": {head + `  builtin.br ^bb1(%z)
^bb1(%i: 32b):
  builtin.br ^bb2
^bb2:
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %z : pred
  builtin.cond_br %c, ^bb2, ^bb3
^bb3:
  %i2 = pisa.iadd.32b %i, %n : 32b
  %d = pisa.ucmp.lt.32b %i2, %n : pred
  builtin.cond_br %d, ^bb1(%i2), ^bb4
^bb4:
  builtin.return
}
`, 1},
		"a weak load": {head + `  builtin.br ^bb1
^bb1:
  %v = pisa.ld.global.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %z : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  builtin.return
}
`, 0},
		"a retry": {head + `  builtin.br ^bb1(%z)
^bb1(%old: 32b):
  %v = pisa.iatom.global.relaxed.gpu.cas.32b [%p], %old, %n : 32b
  %c = pisa.ucmp.ne.32b %v, %old : pred
  builtin.cond_br %c, ^bb1(%v), ^bb2
^bb2:
  builtin.return
}
`, 0},
		"a lock": {head + `  %one = builtin.const 1 : 32b
  builtin.br ^bb1
^bb1:
  %v = pisa.iatom.global.acquire.gpu.cas.32b [%p], %z, %one : 32b
  %c = pisa.ucmp.ne.32b %v, %z : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  builtin.return
}
`, 1},
		"a ticket": {head + `  builtin.br ^bb1
^bb1:
  %one = builtin.const 1 : 32b
  %v = pisa.iatom.global.relaxed.gpu.add.32b [%p], %one : 32b
  %c = pisa.ucmp.lt.32b %v, %n : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  builtin.return
}
`, 0},
		"a flag in a register": {head + `  builtin.br ^bb1
^bb1:
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %n : pred
  builtin.cond_br %c, ^bb2, ^bb3(%z)
^bb2:
  builtin.br ^bb3(%n)
^bb3(%done: 32b):
  %d = pisa.ucmp.eq.32b %done, %z : pred
  builtin.cond_br %d, ^bb1, ^bb4
^bb4:
  builtin.return
}
`, 1},
		"a branch that the exit does not depend on": {head + `  builtin.br ^bb1(%z)
^bb1(%i: 32b):
  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  %c = pisa.ucmp.eq.32b %v, %n : pred
  builtin.cond_br %c, ^bb2, ^bb3
^bb2:
  pisa.st.global.32b [%p], %i
  builtin.br ^bb3
^bb3:
  %i2 = pisa.iadd.32b %i, %n : 32b
  %d = pisa.ucmp.lt.32b %i2, %n : pred
  builtin.cond_br %d, ^bb1(%i2), ^bb4
^bb4:
  builtin.return
}
`, 0},
		"before the loop": {head + `  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  builtin.br ^bb1(%z)
^bb1(%i: 32b):
  %i2 = pisa.iadd.32b %i, %n : 32b
  %c = pisa.ucmp.lt.32b %i2, %v : pred
  builtin.cond_br %c, ^bb1(%i2), ^bb2
^bb2:
  builtin.return
}
`, 0},
	}
	for name, c := range cases {
		for _, tt := range target.All() {
			_, ds := emitPIR(t, c.text, tt.Name, Options{})
			want := c.warn
			if tt.Wave == 32 {
				want = 0
			}
			require.Len(t, ds.List, want, "%s on %s", name, tt.Name)
			for _, d := range ds.List {
				require.Equal(t, "AMD-W002", d.Code)
				require.Equal(t, ir.Warning, d.Severity)
			}
		}
	}
	one := "kernel @k(param %p size 8 align 8) reqd_work_group_size(32, 1, 1) {\n^bb0:\n  %p = pisa.ld.param.64b %p : 64b\n  %z = builtin.const 0 : 32b\n  builtin.br ^bb1\n" +
		"^bb1:\n  %v = pisa.ld.global.acquire.gpu.32b [%p] : 32b\n  %c = pisa.ucmp.eq.32b %v, %z : pred\n  builtin.cond_br %c, ^bb1, ^bb2\n^bb2:\n  builtin.return\n}\n"
	_, ds := emitPIR(t, one, "gfx942", Options{})
	require.Empty(t, ds.List, "the sub-group has the wave to itself")
}

// Emission and the search for spin loops are linear in deep nests and long
// chains.
func TestManyBlocks(t *testing.T) {
	var b strings.Builder
	const n = 20000
	b.WriteString("function @f(pred) export {\n^bb0(%p: pred):\n  builtin.br ^b1\n")
	for i := 1; i < n; i++ {
		b.WriteString("^b" + itoa(i) + ":\n  builtin.cond_br %p, ^b" + itoa(i+1) + ", ^b" + itoa(max(i-1, 1)) + "\n")
	}
	b.WriteString("^b" + itoa(n) + ":\n  builtin.return\n}\n")
	ll := mustEmit(t, b.String(), "gfx942", Options{})
	require.Equal(t, n, strings.Count(ll, "br i1")+1)
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + string(rune('0'+i%10))
}
