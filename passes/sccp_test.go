package passes

import "testing"

func TestSCCP(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a loop that keeps its constant", `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %1 = builtin.const 0x1 : 32b
  %0 = builtin.const 0x0 : 32b
  builtin.br ^bb1(%1)
^bb1(%i: 32b):
  %c = pisa.ucmp.eq.32b %i, %1 : pred
  builtin.cond_br %c, ^bb2, ^bb3
^bb2:
  %d = pisa.ucmp.eq.32b %x, %0 : pred
  %j = pisa.iadd.32b %i, %0 : 32b
  builtin.cond_br %d, ^bb4, ^bb1(%j)
^bb3:
  builtin.br ^bb1(%x)
^bb4:
  builtin.return %i
}
`, `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %1 = builtin.const 0x1 : 32b
  %0 = builtin.const 0x0 : 32b
  builtin.br ^bb1(%1)
^bb1(%i: 32b):
  %k = builtin.const 0x1 : 32b
  %p = builtin.const 0x1 : pred
  %c = pisa.ucmp.eq.32b %k, %1 : pred
  builtin.br ^bb2
^bb2:
  %l = builtin.const 0x1 : 32b
  %d = pisa.ucmp.eq.32b %x, %0 : pred
  %h = builtin.const 0x1 : 32b
  %j = pisa.iadd.32b %l, %0 : 32b
  builtin.cond_br %d, ^bb4, ^bb1(%h)
^bb3:
  builtin.br ^bb1(%x)
^bb4:
  builtin.return %l
}
`},
		{"conditions hold behind their branch", `function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  %7 = builtin.const 0x7 : 32b
  %c = pisa.scmp.ne.32b %7, %x : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  builtin.return %x
^bb2:
  %z = pisa.sel.32b %x, %7, %c : 32b
  builtin.return %x
}
`, `function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  %7 = builtin.const 0x7 : 32b
  %c = pisa.scmp.ne.32b %7, %x : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  builtin.return %x
^bb2:
  %k = builtin.const 0x7 : 32b
  %z = pisa.sel.32b %x, %7, %c : 32b
  builtin.return %k
}
`},
		{"equal floats may differ", `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %0 = builtin.const 0x0 : 32b
  %c = pisa.fcmp.eq.f %x, %0 : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb1:
  builtin.return %x
^bb2:
  %n = pisa.sdiv.32b %x, %0 : 32b
  builtin.return %n
}
`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			same(t, c.want, optimize(t, "sccp", c.in))
			everyLimit(t, "sccp", c.in)
		})
	}
}

func TestSCCPEquivalent(t *testing.T) { equivalent(t, "sccp,simplifycfg,dce") }
