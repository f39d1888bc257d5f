package passes

import "testing"

const countedLoop = `function @f(32b, 64b) -> 32b {
^bb0(%x: 32b, %p: 64b):
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %3 = builtin.const 0x3 : 32b
  builtin.br ^h(%0, %x)
^h(%i: 32b, %s: 32b):
  %c = pisa.ucmp.lt.32b %i, %3 : pred
  builtin.cond_br %c, ^body, ^out
^body:
  %t = pisa.xor.32b %s, %i : 32b
  pisa.st.global.32b [%p], %t
  %n = pisa.iadd.32b %i, %1 : 32b
  builtin.br ^h(%n, %t)
^out:
  %r = pisa.iadd.32b %s, %i : 32b
  builtin.return %r
}
`

func TestUnrollFull(t *testing.T) {
	got := optimize(t, "loop-simplify,unroll,sccp,simplifycfg,canonicalize,cse,dce", countedLoop)
	same(t, `function @f(32b, 64b) -> 32b {
^bb0(%x: 32b, %p: 64b):
  pisa.st.global.32b [%p], %x
  %1 = builtin.const 0x1 : 32b
  %t1 = pisa.xor.32b %x, %1 : 32b
  pisa.st.global.32b [%p], %t1
  %3 = builtin.const 0x3 : 32b
  %t2 = pisa.xor.32b %x, %3 : 32b
  pisa.st.global.32b [%p], %t2
  %r = pisa.iadd.32b %t2, %3 : 32b
  builtin.return %r
}
`, got)
	everyLimit(t, "loop-simplify,unroll", countedLoop)
}

// The number of iterations may be known and yet too large, or the exit one of
// two; a sub-group operation is not copied into a loop of unknown length.
func TestUnrollStays(t *testing.T) {
	const two = `function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %3 = builtin.const 0x3 : 32b
  builtin.br ^h(%0)
^h(%i: 32b):
  %c = pisa.ucmp.lt.32b %i, %3 : pred
  builtin.cond_br %c, ^body, ^out
^body:
  %n = pisa.iadd.32b %i, %1 : 32b
  builtin.cond_br %p, ^h(%n), ^early
^early:
  builtin.return %x
^out:
  builtin.return %i
}
`
	same(t, two, optimize(t, "loop-simplify,unroll", two))
	const lanes = `function @f(32b, 32b) -> 32b {
^bb0(%x: 32b, %y: 32b):
  %1 = builtin.const 0x1 : 32b
  builtin.br ^h(%1)
^h(%i: 32b):
  %a = pisa.sreg.activemask : 32b
  %n = pisa.iadd.32b %i, %a : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^h(%n), ^out
^out:
  builtin.return %i
}
`
	same(t, lanes, optimize(t, "loop-simplify,unroll", lanes))
	same(t, countedLoop, optimize(t, "loop-simplify,unroll{full=8 factor=1}", countedLoop))
}

func TestUnrollPartial(t *testing.T) {
	const in = `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %1 = builtin.const 0x1 : 32b
  builtin.br ^h(%1)
^h(%i: 32b):
  %n = pisa.umul.32b %i, %x : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^h(%n), ^out
^out:
  builtin.return %n
}
`
	const want = `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %1 = builtin.const 0x1 : 32b
  builtin.br ^h(%1)
^h(%i: 32b):
  %n = pisa.umul.32b %i, %x : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^h2, ^out(%n)
^h2:
  %n2 = pisa.umul.32b %n, %x : 32b
  %c2 = pisa.ucmp.lt.32b %n2, %x : pred
  builtin.cond_br %c2, ^h(%n2), ^out(%n2)
^out(%r: 32b):
  builtin.return %r
}
`
	same(t, want, optimize(t, "loop-simplify,unroll{factor=2}", in))
	everyLimit(t, "loop-simplify,unroll", in)
}

func TestUnrollEquivalent(t *testing.T) {
	equivalent(t, "loop-simplify,unroll")
	equivalent(t, "loop-simplify,unroll,sccp,simplifycfg,dce")
}

func TestStrengthReduce(t *testing.T) {
	const in = `function @f(32b, 32b) -> 32b {
^bb0(%x: 32b, %y: 32b):
  %4 = builtin.const 0x4 : 32b
  %1 = builtin.const 0x1 : 32b
  builtin.br ^h(%y)
^h(%i: 32b):
  %m = pisa.umul.32b %i, %x : 32b
  %k = pisa.smul.32b %4, %i : 32b
  %w = pisa.umul.full.32b %i, %x : 64b
  %q = pisa.umul.32b %i, %m : 32b
  %s = pisa.iadd.32b %m, %k : 32b
  %u = pisa.iadd.32b %s, %q : 32b
  %n = pisa.iadd.32b %4, %i : 32b
  %c = pisa.ucmp.lt.32b %u, %x : pred
  builtin.cond_br %c, ^h(%n), ^out
^out:
  builtin.return %m
}
`
	const want = `function @f(32b, 32b) -> 32b {
^bb0(%x: 32b, %y: 32b):
  %4 = builtin.const 0x4 : 32b
  %1 = builtin.const 0x1 : 32b
  %ki = pisa.smul.32b %y, %4 : 32b
  %ks = builtin.const 0x10 : 32b
  %mi = pisa.umul.32b %y, %x : 32b
  %ms = pisa.umul.32b %4, %x : 32b
  builtin.br ^h(%y, %ki, %mi)
^h(%i: 32b, %k: 32b, %m: 32b):
  %w = pisa.umul.full.32b %i, %x : 64b
  %q = pisa.umul.32b %i, %m : 32b
  %s = pisa.iadd.32b %m, %k : 32b
  %u = pisa.iadd.32b %s, %q : 32b
  %n = pisa.iadd.32b %4, %i : 32b
  %c = pisa.ucmp.lt.32b %u, %x : pred
  %kn = pisa.iadd.32b %k, %ks : 32b
  %mn = pisa.iadd.32b %m, %ms : 32b
  builtin.cond_br %c, ^h(%n, %kn, %mn), ^out
^out:
  builtin.return %m
}
`
	same(t, want, optimize(t, "loop-simplify,strength-reduce", in))
	everyLimit(t, "loop-simplify,strength-reduce", in)
}

func TestStrengthReduceEquivalent(t *testing.T) { equivalent(t, "loop-simplify,strength-reduce") }
