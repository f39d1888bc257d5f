package passes

import "testing"

func TestCanonicalizeAddresses(t *testing.T) {
	for name, c := range map[string][2]string{
		"constants of the base join the offset": {`function @f(64b) -> 32b {
^bb0(%p: 64b):
  %8 = builtin.const 8 : 64b
  %4 = builtin.const -4 : 32b
  %q = pisa.iadd.64b %p, %8 : 64b
  %r = pisa.iadd.64b %q, %8 : 64b
  %v = pisa.ld.global.32b [%r + %4] : 32b
  builtin.return %v
}
`, `function @f(64b) -> 32b {
^bb0(%p: 64b):
  %c = builtin.const 12 : 64b
  %v = pisa.ld.global.32b [%p + %c] : 32b
  builtin.return %v
}
`},
		"offsets that cancel": {`function @f(32b, 32b) {
^bb0(%p: 32b, %x: 32b):
  %8 = builtin.const 8 : 32b
  %m = builtin.const -8 : 32b
  %q = pisa.iadd.32b %p, %8 : 32b
  pisa.st.shared.32b [%q + %m], %x
  builtin.return
}
`, `function @f(32b, 32b) {
^bb0(%p: 32b, %x: 32b):
  pisa.st.shared.32b [%p], %x
  builtin.return
}
`},
		"a sign-extended index is an offset": {`function @f(64b, 32b) -> 32b {
^bb0(%p: 64b, %i: 32b):
  %s = pisa.sext.64b.32b %i : 64b
  %q = pisa.iadd.64b %s, %p : 64b
  %v = pisa.iatom.global.system.add.32b [%q], %i : 32b
  builtin.return %v
}
`, `function @f(64b, 32b) -> 32b {
^bb0(%p: 64b, %i: 32b):
  %v = pisa.iatom.global.system.add.32b [%p + %i], %i : 32b
  builtin.return %v
}
`},
		"a saturating sum is none": {`function @f(32b) -> 32b {
^bb0(%p: 32b):
  %8 = builtin.const 8 : 32b
  %q = pisa.iadd.dsat.32b %p, %8 : 32b
  %v = pisa.ld.shared.32b [%q] : 32b
  builtin.return %v
}
`, `function @f(32b) -> 32b {
^bb0(%p: 32b):
  %8 = builtin.const 8 : 32b
  %q = pisa.iadd.dsat.32b %p, %8 : 32b
  %v = pisa.ld.shared.32b [%q] : 32b
  builtin.return %v
}
`},
		"casts give the space; ordered accesses keep theirs": {`function @f(32b, 64b) -> 32b {
^bb0(%s: 32b, %p: 64b):
  %g = pisa.addrcast.generic.shared %s : 64b
  %h = pisa.addrcast.generic.global %p : 64b
  %a = pisa.ld.32b [%g] : 32b
  %b = pisa.ld.32b [%h] : 32b
  %c = pisa.ld.acquire.gpu.32b [%g] : 32b
  %i = pisa.isaddr.shared %g : 32b
  %j = pisa.isaddr.shared %h : 32b
  %t = pisa.addrcast.shared.generic %g : 32b
  %1 = pisa.iadd.32b %a, %b : 32b
  %2 = pisa.iadd.32b %1, %c : 32b
  %3 = pisa.iadd.32b %2, %i : 32b
  %4 = pisa.iadd.32b %3, %j : 32b
  %5 = pisa.iadd.32b %4, %t : 32b
  builtin.return %5
}
`, `function @f(32b, 64b) -> 32b {
^bb0(%s: 32b, %p: 64b):
  %g = pisa.addrcast.generic.shared %s : 64b
  %a = pisa.ld.shared.32b [%s] : 32b
  %b = pisa.ld.global.32b [%p] : 32b
  %c = pisa.ld.acquire.gpu.32b [%g] : 32b
  %m = builtin.const -1 : 32b
  %1 = pisa.iadd.32b %a, %b : 32b
  %2 = pisa.iadd.32b %1, %c : 32b
  %3 = pisa.iadd.32b %2, %m : 32b
  %5 = pisa.iadd.32b %3, %s : 32b
  builtin.return %5
}
`},
		"the size of a sub-group": {`function @f() -> 32b {
^bb0:
  %a = pisa.sreg.subgroupsize : 32b
  builtin.return %a
}
`, `function @f() -> 32b {
^bb0:
  %a = builtin.const 32 : 32b
  builtin.return %a
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, c[1], optimize(t, "canonicalize", c[0]))
			everyLimit(t, "canonicalize", c[0])
		})
	}
}
