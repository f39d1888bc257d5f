package passes

import "testing"

func TestSimplifyCFG(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"constant branch", `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %c = builtin.const 0x1 : pred
  builtin.cond_br %c, ^a, ^b
^a:
  builtin.return %x
^b:
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.return %y
}
`, `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %c = builtin.const 0x1 : pred
  builtin.return %x
}
`},
		{"a cycle that has become unreachable and swaps its values", `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %c = builtin.const 0x0 : pred
  builtin.cond_br %c, ^l(%x, %x), ^b
^b:
  builtin.return %x
^m:
  %e = builtin.const 0x0 : pred
  builtin.cond_br %e, ^b, ^l(%q, %p)
^l(%p: 32b, %q: 32b):
  builtin.br ^m
}
`, `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %c = builtin.const 0x0 : pred
  builtin.return %x
}
`},
		{"triangle", `function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  builtin.cond_br %p, ^a, ^b(%x)
^a:
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.br ^b(%y)
^b(%z: 32b):
  builtin.return %z
}
`, `function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  %y = pisa.iadd.32b %x, %x : 32b
  %z = pisa.sel.32b %y, %x, %p : 32b
  builtin.return %z
}
`},
		{"arms that must stay", `function @f(32b, pred, 64b) -> 32b {
^bb0(%x: 32b, %p: pred, %a: 64b):
  builtin.cond_br %p, ^a, ^b(%x)
^a:
  %y = pisa.ld.global.32b [%a] : 32b
  builtin.br ^b(%y)
^b(%z: 32b):
  builtin.cond_br %p, ^c, ^d(%z)
^c:
  %m = pisa.sreg.activemask : 32b
  builtin.br ^d(%m)
^d(%w: 32b):
  builtin.cond_br %p, ^e, ^f(%w)
^e:
  %s = pisa.sdiv.32b %x, %w : 32b
  builtin.br ^f(%s)
^f(%v: 32b):
  builtin.return %v
}
`, ""},
		{"a predicate has no select", `function @f(pred, pred) -> 32b {
^bb0(%x: pred, %p: pred):
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  builtin.cond_br %p, ^a, ^b(%x)
^a:
  %c = pisa.ucmp.eq.32b %0, %1 : pred
  builtin.br ^b(%c)
^b(%z: pred):
  %r = pisa.sel.32b %0, %1, %z : 32b
  builtin.return %r
}
`, ""},
		{"short circuit", `function @f(pred, pred, 64b) -> 32b {
^bb0(%x: pred, %y: pred, %a: 64b):
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %n = builtin.const 0x0 : pred
  builtin.cond_br %x, ^a, ^b(%n)
^a:
  pisa.st.global.32b [%a], %0
  builtin.br ^b(%y)
^b(%p: pred):
  builtin.cond_br %p, ^c, ^d
^c:
  pisa.st.global.32b [%a], %1
  builtin.return %1
^d:
  builtin.return %0
}
`, `function @f(pred, pred, 64b) -> 32b {
^bb0(%x: pred, %y: pred, %a: 64b):
  %0 = builtin.const 0x0 : 32b
  %1 = builtin.const 0x1 : 32b
  %n = builtin.const 0x0 : pred
  builtin.cond_br %x, ^a, ^d
^a:
  pisa.st.global.32b [%a], %0
  builtin.cond_br %y, ^c, ^d
^c:
  pisa.st.global.32b [%a], %1
  builtin.return %1
^d:
  builtin.return %0
}
`},
		{"no short circuit before a sub-group operation", `function @f(pred, pred, 64b) -> 32b {
^bb0(%x: pred, %y: pred, %a: 64b):
  %0 = builtin.const 0x0 : 32b
  %n = builtin.const 0x0 : pred
  builtin.cond_br %x, ^a, ^b(%n)
^a:
  pisa.st.global.32b [%a], %0
  builtin.br ^b(%y)
^b(%p: pred):
  builtin.cond_br %p, ^c, ^d
^c:
  %m = pisa.redfirstidx.32b %0 : 32b
  builtin.return %m
^d:
  builtin.return %0
}
`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			same(t, c.want, optimize(t, "simplifycfg", c.in))
			everyLimit(t, "simplifycfg", c.in)
		})
	}
}

func TestSimplifyCFGReturns(t *testing.T) {
	const in = `function @f(32b, pred, 64b) -> 32b {
^bb0(%x: 32b, %p: pred, %a: 64b):
  builtin.cond_br %p, ^a, ^b(%x)
^a:
  pisa.st.global.32b [%a], %x
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.br ^b(%y)
^b(%z: 32b):
  builtin.return %z
}
`
	same(t, in, optimize(t, "simplifycfg", in))
	same(t, `function @f(32b, pred, 64b) -> 32b {
^bb0(%x: 32b, %p: pred, %a: 64b):
  builtin.cond_br %p, ^a, ^b
^a:
  pisa.st.global.32b [%a], %x
  %y = pisa.iadd.32b %x, %x : 32b
  builtin.return %y
^b:
  builtin.return %x
}
`, optimize(t, "simplifycfg{returns=1}", in))
	everyLimit(t, "simplifycfg{returns=1}", in)
}

func TestSimplifyCFGEquivalent(t *testing.T) {
	equivalent(t, "simplifycfg")
	equivalent(t, "simplifycfg{returns=1}")
}
