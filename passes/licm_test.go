package passes

import "testing"

func TestLoopSimplify(t *testing.T) {
	const in = `function @f(32b, pred, pred) -> 32b {
^bb0(%x: 32b, %p: pred, %q: pred):
  builtin.cond_br %p, ^h(%x), ^other
^other:
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.cond_br %q, ^h(%y), ^out(%x)
^h(%i: 32b):
  %j = pisa.iadd.32b %i, %x : 32b
  builtin.cond_br %q, ^h(%j), ^more
^more:
  builtin.cond_br %p, ^h(%i), ^out(%j)
^out(%r: 32b):
  builtin.return %r
}
`
	const want = `function @f(32b, pred, pred) -> 32b {
^bb0(%x: 32b, %p: pred, %q: pred):
  builtin.cond_br %p, ^pre(%x), ^other
^other:
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.cond_br %q, ^pre(%y), ^out(%x)
^pre(%0: 32b):
  builtin.br ^h(%0)
^h(%i: 32b):
  %j = pisa.iadd.32b %i, %x : 32b
  builtin.cond_br %q, ^latch(%j), ^more
^more:
  builtin.cond_br %p, ^latch(%i), ^exit(%j)
^latch(%1: 32b):
  builtin.br ^h(%1)
^exit(%2: 32b):
  builtin.br ^out(%2)
^out(%r: 32b):
  builtin.return %r
}
`
	same(t, want, optimize(t, "loop-simplify", in))
	same(t, want, optimize(t, "loop-simplify,loop-simplify", in))
	everyLimit(t, "loop-simplify", in)
}

func TestLoopSimplifyEquivalent(t *testing.T) { equivalent(t, "loop-simplify") }

func TestLICM(t *testing.T) {
	const in = `function @f(32b, 64b, 64b) -> 32b {
  var @V private size 8 align 4
  var @W private size 8 align 4
^bb0(%n: 32b, %a: 64b, %b: 64b):
  %0 = builtin.const 0x0 : 32b
  builtin.br ^outer(%0)
^outer(%i: 32b):
  builtin.br ^inner(%0)
^inner(%j: 32b):
  %c = pisa.umul.32b %n, %n : 32b
  %d = pisa.umul.32b %i, %c : 32b
  %k = pisa.ld.const.32b [%a] : 32b
  %g = pisa.ld.global.32b [%a] : 32b
  %v = pisa.addrof.32b @V : 32b
  %w = pisa.addrof.32b @W : 32b
  %x = pisa.ld.private.32b [%v] : 32b
  %y = pisa.ld.private.32b [%w] : 32b
  %m = pisa.sreg.activemask : 32b
  %s0 = pisa.iadd.32b %j, %d : 32b
  %s1 = pisa.iadd.32b %s0, %k : 32b
  %s2 = pisa.iadd.32b %s1, %g : 32b
  %s3 = pisa.iadd.32b %s2, %x : 32b
  %s4 = pisa.iadd.32b %s3, %m : 32b
  pisa.st.private.32b [%w], %y
  %p = pisa.ucmp.lt.32b %s4, %n : pred
  builtin.cond_br %p, ^inner(%s4), ^next
^next:
  pisa.st.global.32b [%b], %s4
  %q = pisa.ucmp.lt.32b %s3, %n : pred
  builtin.cond_br %q, ^outer(%s4), ^out
^out:
  builtin.return %s4
}
`
	const want = `function @f(32b, 64b, 64b) -> 32b {
  var @V private size 8 align 4
  var @W private size 8 align 4
^bb0(%n: 32b, %a: 64b, %b: 64b):
  %0 = builtin.const 0x0 : 32b
  %c = pisa.umul.32b %n, %n : 32b
  %k = pisa.ld.const.32b [%a] : 32b
  %v = pisa.addrof.32b @V : 32b
  %w = pisa.addrof.32b @W : 32b
  %x = pisa.ld.private.32b [%v] : 32b
  builtin.br ^outer(%0)
^outer(%i: 32b):
  %d = pisa.umul.32b %i, %c : 32b
  %g = pisa.ld.global.32b [%a] : 32b
  builtin.br ^inner(%0)
^inner(%j: 32b):
  %y = pisa.ld.private.32b [%w] : 32b
  %m = pisa.sreg.activemask : 32b
  %s0 = pisa.iadd.32b %j, %d : 32b
  %s1 = pisa.iadd.32b %s0, %k : 32b
  %s2 = pisa.iadd.32b %s1, %g : 32b
  %s3 = pisa.iadd.32b %s2, %x : 32b
  %s4 = pisa.iadd.32b %s3, %m : 32b
  pisa.st.private.32b [%w], %y
  %p = pisa.ucmp.lt.32b %s4, %n : pred
  builtin.cond_br %p, ^inner(%s4), ^next
^next:
  pisa.st.global.32b [%b], %s4
  %q = pisa.ucmp.lt.32b %s3, %n : pred
  builtin.cond_br %q, ^outer(%s4), ^out
^out:
  builtin.return %s4
}
`
	same(t, want, optimize(t, "loop-simplify,licm", in))
	everyLimit(t, "loop-simplify,licm", in)
}

// Loads under a condition, behind an acquire, barrier or call stay.
func TestLICMStays(t *testing.T) {
	for _, mid := range []string{
		"pisa.barrier.workgroup",
		"pisa.fence.global.acquire.gpu",
		"builtin.call @g()",
		"%z = pisa.ld.global.acquire.gpu.32b [%b] : 32b",
		"%z = pisa.iatom.global.relaxed.system.add.32b [%b], %n : 32b",
		"pisa.st.generic.32b [%b], %n",
	} {
		in := `function @g() import
function @f(32b, 64b, 64b) -> 32b {
^bb0(%n: 32b, %a: 64b, %b: 64b):
  builtin.br ^h(%n)
^h(%i: 32b):
  %x = pisa.ld.global.32b [%a] : 32b
  ` + mid + `
  %j = pisa.iadd.32b %i, %x : 32b
  %p = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %p, ^h(%j), ^out
^out:
  builtin.return %j
}
`
		same(t, in, optimize(t, "loop-simplify,licm", in))
	}
	const cond = `function @f(32b, 64b, pred) -> 32b {
^bb0(%n: 32b, %a: 64b, %q: pred):
  builtin.br ^h(%n)
^h(%i: 32b):
  builtin.cond_br %q, ^x, ^l(%i)
^x:
  %x = pisa.ld.global.32b [%a] : 32b
  %j = pisa.iadd.32b %i, %x : 32b
  builtin.br ^l(%j)
^l(%k: 32b):
  %p = pisa.ucmp.lt.32b %k, %n : pred
  builtin.cond_br %p, ^h(%k), ^out
^out:
  builtin.return %k
}
`
	same(t, cond, optimize(t, "loop-simplify,licm", cond))
}

func TestLICMEquivalent(t *testing.T) { equivalent(t, "loop-simplify,licm") }
