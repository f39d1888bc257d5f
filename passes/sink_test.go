package passes

import "testing"

func TestSink(t *testing.T) {
	const in = `function @f(32b, 32b, pred) -> 32b {
^bb0(%x: 32b, %y: 32b, %p: pred):
  %a = pisa.umul.32b %x, %y : 32b
  %b = pisa.iadd.32b %a, %x : 32b
  %l = pisa.sreg.laneid : 32b
  %m = pisa.sreg.activemask : 32b
  %c = pisa.umul.32b %y, %y : 32b
  %both = pisa.xor.32b %x, %y : 32b
  builtin.cond_br %p, ^one, ^two
^one:
  %d = pisa.iadd.32b %b, %l : 32b
  %e = pisa.iadd.32b %d, %m : 32b
  %g = pisa.iadd.32b %e, %both : 32b
  builtin.return %g
^two:
  builtin.br ^loop(%both)
^loop(%i: 32b):
  %j = pisa.iadd.32b %i, %c : 32b
  %k = pisa.umul.32b %j, %y : 32b
  %q = pisa.ucmp.lt.32b %j, %x : pred
  builtin.cond_br %q, ^loop(%j), ^out
^out:
  builtin.return %k
}
`
	const want = `function @f(32b, 32b, pred) -> 32b {
^bb0(%x: 32b, %y: 32b, %p: pred):
  %m = pisa.sreg.activemask : 32b
  %both = pisa.xor.32b %x, %y : 32b
  builtin.cond_br %p, ^one, ^two
^one:
  %a = pisa.umul.32b %x, %y : 32b
  %b = pisa.iadd.32b %a, %x : 32b
  %l = pisa.sreg.laneid : 32b
  %d = pisa.iadd.32b %b, %l : 32b
  %e = pisa.iadd.32b %d, %m : 32b
  %g = pisa.iadd.32b %e, %both : 32b
  builtin.return %g
^two:
  %c = pisa.umul.32b %y, %y : 32b
  builtin.br ^loop(%both)
^loop(%i: 32b):
  %j = pisa.iadd.32b %i, %c : 32b
  %q = pisa.ucmp.lt.32b %j, %x : pred
  builtin.cond_br %q, ^loop(%j), ^out
^out:
  %k = pisa.umul.32b %j, %y : 32b
  builtin.return %k
}
`
	same(t, want, optimize(t, "sink", in))
	everyLimit(t, "sink", in)
}

func TestSinkEquivalent(t *testing.T) { equivalent(t, "sink") }
