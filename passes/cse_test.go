package passes

import "testing"

func TestCSE(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"commuted, and in a dominated block", `function @f(32b, 32b, pred) -> 32b {
^bb0(%x: 32b, %y: 32b, %p: pred):
  %a = pisa.iadd.32b %x, %y : 32b
  %b = pisa.iadd.32b %y, %x : 32b
  %c = pisa.isub.32b %x, %y : 32b
  %d = pisa.isub.32b %y, %x : 32b
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  %e = pisa.iadd.32b %x, %y : 32b
  %g = pisa.umul.32b %x, %y : 32b
  %h = pisa.umad.32b %c, %d, %g : 32b
  %i = pisa.umad.32b %d, %c, %g : 32b
  %j = pisa.iadd.32b %h, %i : 32b
  %k = pisa.iadd.dsat.32b %h, %i : 32b
  %l = pisa.xor.32b %j, %k : 32b
  %m = pisa.xor.32b %l, %e : 32b
  builtin.return %m
^bb2:
  %n = pisa.umul.32b %x, %y : 32b
  %o = pisa.iadd.32b %n, %b : 32b
  builtin.return %o
}
`, `function @f(32b, 32b, pred) -> 32b {
^bb0(%x: 32b, %y: 32b, %p: pred):
  %a = pisa.iadd.32b %x, %y : 32b
  %c = pisa.isub.32b %x, %y : 32b
  %d = pisa.isub.32b %y, %x : 32b
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  %g = pisa.umul.32b %x, %y : 32b
  %h = pisa.umad.32b %c, %d, %g : 32b
  %j = pisa.iadd.32b %h, %h : 32b
  %k = pisa.iadd.dsat.32b %h, %h : 32b
  %l = pisa.xor.32b %j, %k : 32b
  %m = pisa.xor.32b %l, %a : 32b
  builtin.return %m
^bb2:
  %n = pisa.umul.32b %x, %y : 32b
  %o = pisa.iadd.32b %n, %a : 32b
  builtin.return %o
}
`},
		{"loads", `function @f(64b, 64b, 32b) -> 32b {
^bb0(%a: 64b, %b: 64b, %s: 32b):
  %0 = pisa.ld.global.32b [%a] : 32b
  %1 = pisa.ld.global.32b [%a] : 32b
  %c0 = pisa.ld.const.32b [%a] : 32b
  pisa.st.global.32b [%b], %1
  %2 = pisa.ld.global.32b [%a] : 32b
  %3 = pisa.ld.global.32b [%b] : 32b
  pisa.st.global.32b [%b], %2
  %4 = pisa.ld.global.32b [%b] : 32b
  pisa.fence.global.acq_rel.gpu
  %5 = pisa.ld.global.32b [%b] : 32b
  %6 = pisa.ld.global.relaxed.system.32b [%b] : 32b
  %7 = pisa.ld.global.relaxed.system.32b [%b] : 32b
  %8 = pisa.ld.global.32b [%b] : 32b
  %c1 = pisa.ld.const.32b [%a] : 32b
  %r0 = pisa.iadd.32b %3, %4 : 32b
  %r1 = pisa.iadd.32b %5, %6 : 32b
  %r2 = pisa.iadd.32b %7, %8 : 32b
  %r3 = pisa.iadd.32b %c0, %c1 : 32b
  %r4 = pisa.umad.32b %r0, %r1, %r2 : 32b
  %r5 = pisa.umad.32b %r3, %r3, %r4 : 32b
  builtin.return %r5
}
`, `function @f(64b, 64b, 32b) -> 32b {
^bb0(%a: 64b, %b: 64b, %s: 32b):
  %0 = pisa.ld.global.32b [%a] : 32b
  %c0 = pisa.ld.const.32b [%a] : 32b
  pisa.st.global.32b [%b], %0
  %2 = pisa.ld.global.32b [%a] : 32b
  pisa.st.global.32b [%b], %2
  pisa.fence.global.acq_rel.gpu
  %5 = pisa.ld.global.32b [%b] : 32b
  %6 = pisa.ld.global.relaxed.system.32b [%b] : 32b
  %7 = pisa.ld.global.relaxed.system.32b [%b] : 32b
  %8 = pisa.ld.global.32b [%b] : 32b
  %r0 = pisa.iadd.32b %0, %2 : 32b
  %r1 = pisa.iadd.32b %5, %6 : 32b
  %r2 = pisa.iadd.32b %7, %8 : 32b
  %r3 = pisa.iadd.32b %c0, %c0 : 32b
  %r4 = pisa.umad.32b %r0, %r1, %r2 : 32b
  %r5 = pisa.umad.32b %r3, %r3, %r4 : 32b
  builtin.return %r5
}
`},
		{"active lanes", `function @g() import
function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  %a = pisa.sreg.activemask : 32b
  %b = pisa.sreg.activemask : 32b
  %l = pisa.sreg.laneid : 32b
  %s = pisa.shfl.idx.32b %x, %x, %a, %b : 32b
  builtin.cond_br %p, ^bb1, ^bb2(%s)
^bb1:
  %c = pisa.sreg.activemask : 32b
  %m = pisa.sreg.laneid : 32b
  %d = pisa.iadd.32b %c, %m : 32b
  builtin.call @g()
  %e = pisa.sreg.activemask : 32b
  %h = pisa.iadd.32b %d, %e : 32b
  %i = pisa.iadd.32b %h, %l : 32b
  builtin.br ^bb2(%i)
^bb2(%r: 32b):
  builtin.return %r
}
`, `function @g() import
function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  %a = pisa.sreg.activemask : 32b
  %l = pisa.sreg.laneid : 32b
  %s = pisa.shfl.idx.32b %x, %x, %a, %a : 32b
  builtin.cond_br %p, ^bb1, ^bb2(%s)
^bb1:
  %c = pisa.sreg.activemask : 32b
  %d = pisa.iadd.32b %c, %l : 32b
  builtin.call @g()
  %e = pisa.sreg.activemask : 32b
  %h = pisa.iadd.32b %d, %e : 32b
  %i = pisa.iadd.32b %h, %l : 32b
  builtin.br ^bb2(%i)
^bb2(%r: 32b):
  builtin.return %r
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, c.want, optimize(t, "cse", c.in))
			everyLimit(t, "cse", c.in)
		})
	}
}

func TestCSEEquivalent(t *testing.T) { equivalent(t, "cse") }
