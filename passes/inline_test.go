package passes

import "testing"

func TestInline(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"two calls, private and const variables", `function @g(32b, pred) -> 32b {
  var @P private size 8 align 4
  var @C const size 4 align 4 = { bytes 0x01020304 }
^bb0(%x: 32b, %p: pred):
  %a = pisa.addrof.32b @P : 32b
  pisa.st.private.32b [%a], %x
  builtin.cond_br %p, ^y, ^n
^y:
  %c = pisa.addrof.64b @C : 64b
  %k = pisa.ld.const.32b [%c] : 32b
  builtin.return %k
^n:
  %v = pisa.ld.private.32b [%a] : 32b
  builtin.return %v
}
function @f(32b, pred) -> 32b export {
  var @P private size 4 align 4
^bb0(%x: 32b, %p: pred):
  %r = builtin.call @g(%x, %p) : 32b
  builtin.call @g(%r, %p)
  builtin.return %r
}
`, `var @C const size 4 align 4 = { bytes 0x01020304 }

function @f(32b, pred) -> 32b export {
  var @P private size 4 align 4
  var @g.P private size 8 align 4
^bb0(%x: 32b, %p: pred):
  %a = pisa.addrof.32b @g.P : 32b
  pisa.st.private.32b [%a], %x
  builtin.cond_br %p, ^y, ^n
^y:
  %c = pisa.addrof.64b @C : 64b
  %k = pisa.ld.const.32b [%c] : 32b
  builtin.br ^next(%k)
^n:
  %v = pisa.ld.private.32b [%a] : 32b
  builtin.br ^next(%v)
^next(%r: 32b):
  %b = pisa.addrof.32b @g.P : 32b
  pisa.st.private.32b [%b], %r
  builtin.cond_br %p, ^y2, ^n2
^y2:
  %c2 = pisa.addrof.64b @C : 64b
  %k2 = pisa.ld.const.32b [%c2] : 32b
  builtin.br ^end
^n2:
  %v2 = pisa.ld.private.32b [%b] : 32b
  builtin.br ^end
^end:
  builtin.return %r
}
`},
		{"a shared variable of one caller", `function @g(32b) {
  var @S shared size 8 align 4
^bb0(%x: 32b):
  %a = pisa.addrof.32b @S : 32b
  pisa.st.shared.32b [%a], %x
  builtin.return
}
kernel @f() {
  var @S shared size 8 align 4
^bb0:
  %l = pisa.sreg.laneid : 32b
  builtin.call @g(%l)
  builtin.call @g(%l)
  builtin.return
}
`, `kernel @f() {
  var @S shared size 8 align 4
  var @g.S shared size 8 align 4
^bb0:
  %l = pisa.sreg.laneid : 32b
  builtin.br ^mid
^mid:
  %a = pisa.addrof.32b @g.S : 32b
  pisa.st.shared.32b [%a], %l
  builtin.br ^end
^end:
  builtin.return
}
`},
		{"a shared variable of two callers, recursion, addresses", `function @g(32b) {
  var @S shared size 8 align 4
^bb0(%x: 32b):
  %a = pisa.addrof.32b @S : 32b
  pisa.st.shared.32b [%a], %x
  builtin.return
}
function @r(32b) -> 32b {
^bb0(%x: 32b):
  %y = builtin.call @s(%x) : 32b
  builtin.return %y
}
function @s(32b) -> 32b {
^bb0(%x: 32b):
  %y = builtin.call @r(%x) : 32b
  builtin.return %y
}
kernel @f() {
^bb0:
  %l = pisa.sreg.laneid : 32b
  builtin.call @g(%l)
  builtin.return
}
kernel @h() {
^bb0:
  %l = pisa.sreg.laneid : 32b
  builtin.call @g(%l)
  %x = builtin.call @s(%l) : 32b
  builtin.return
}
`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			if c.name == "a shared variable of one caller" {
				got := optimize(t, "inline,simplifycfg,cse", c.in)
				same(t, `kernel @f() {
  var @S shared size 8 align 4
  var @g.S shared size 8 align 4
^bb0:
  %l = pisa.sreg.laneid : 32b
  %a = pisa.addrof.32b @g.S : 32b
  pisa.st.shared.32b [%a], %l
  pisa.st.shared.32b [%a], %l
  builtin.return
}
`, got)
			} else {
				same(t, c.want, optimize(t, "inline", c.in))
			}
			everyLimit(t, "inline", c.in)
		})
	}
}

func TestInlineEquivalent(t *testing.T) {
	equivalent(t, "inline")
	equivalent(t, "inline,simplifycfg,cse,dce")
}
