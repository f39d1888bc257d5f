package passes

import "testing"

func TestDCE(t *testing.T) {
	const in = `function @f(32b, 64b) -> 32b {
^bb0(%x: 32b, %p: 64b):
  %0 = builtin.const 0x0 : 32b
  %d = pisa.umul.32b %x, %x : 32b
  %e = pisa.iadd.32b %d, %x : 32b
  %l = pisa.ld.global.32b [%p] : 32b
  %o = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  builtin.br ^bb1(%0, %x)
^bb1(%i: 32b, %dead: 32b):
  %n = pisa.iadd.32b %i, %x : 32b
  %m = pisa.umul.32b %dead, %n : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^bb1(%n, %m), ^bb2
^bb2:
  builtin.return %n
}
`
	const want = `function @f(32b, 64b) -> 32b {
^bb0(%x: 32b, %p: 64b):
  %0 = builtin.const 0x0 : 32b
  %o = pisa.ld.global.acquire.gpu.32b [%p] : 32b
  builtin.br ^bb1(%0)
^bb1(%i: 32b):
  %n = pisa.iadd.32b %i, %x : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^bb1(%n), ^bb2
^bb2:
  builtin.return %n
}
`
	same(t, want, optimize(t, "dce", in))
	everyLimit(t, "dce", in)
	same(t, want, optimize(t, "dce,dce", want))
}
