package passes

import "testing"

// fused wraps a body in which %p is a kernel's pointer, %q another number of 64
// bits, %i and %j are numbers of 32 bits, %s is a shared address.
func fused(body string) string {
	return `kernel @k(param %p size 8 align 8 space global, param %q size 8 align 8, param %i size 4 align 4, param %j size 4 align 4, param %s size 4 align 4) {
^bb0:
  %p = pisa.ld.param.64b %p : 64b
  %q = pisa.ld.param.64b %q : 64b
  %i = pisa.ld.param.32b %i : 32b
  %j = pisa.ld.param.32b %j : 32b
  %s = pisa.ld.param.32b %s : 32b
  %2 = builtin.const 2 : 32b
  %32 = builtin.const 32 : 32b
  %31 = builtin.const 31 : 32b
  %8 = builtin.const 8 : 64b
  %big = builtin.const 0x80000000 : 64b
` + body + "  builtin.return\n}\n"
}

func TestFuse(t *testing.T) {
	for name, c := range map[string][2]string{
		"an index becomes one product, the sum is in the address": {`
  %e = pisa.zext.64b.32b %i : 64b
  %o = pisa.shl.64b %e, %2 : 64b
  %a = pisa.iadd.64b %o, %p : 64b
  %v = pisa.ld.global.32b [%a] : 32b
  pisa.st.global.32b [%a], %v
`, `
  %4 = builtin.const 4 : 32b
  %o = pisa.umul.full.32b %i, %4 : 64b
  %v = pisa.ld.global.32b [%p + %o] : 32b
  pisa.st.global.32b [%p + %o], %v
`},
		"signed, and several products of one index": {`
  %e = pisa.sext.64b.32b %i : 64b
  %o = pisa.shl.64b %e, %2 : 64b
  %a = pisa.iadd.64b %p, %o : 64b
  %m = pisa.shl.64b %e, %2 : 64b
  %b = pisa.iadd.64b %m, %q : 64b
  pisa.st.global.64b [%a], %b
`, `
  %4 = builtin.const 4 : 32b
  %o = pisa.smul.full.32b %i, %4 : 64b
  %c = builtin.const 4 : 32b
  %b = pisa.smad.full.32b %i, %c, %q : 64b
  pisa.st.global.64b [%p + %o], %b
`},
		"products by other constants": {`
  %e = pisa.zext.64b.32b %i : 64b
  %48 = builtin.const 48 : 64b
  %o = pisa.shl.64b %e, %2 : 64b
  %a = pisa.umul.64b %e, %48 : 64b
  %b = pisa.umad.64b %e, %48, %q : 64b
  pisa.st.global.64b [%p], %a
  pisa.st.global.64b [%o], %b
`, `
  %48 = builtin.const 48 : 64b
  %4 = builtin.const 4 : 32b
  %o = pisa.umul.full.32b %i, %4 : 64b
  %d48 = builtin.const 48 : 32b
  %a = pisa.umul.full.32b %i, %d48 : 64b
  %c48 = builtin.const 48 : 32b
  %b = pisa.umad.full.32b %i, %c48, %q : 64b
  pisa.st.global.64b [%p], %a
  pisa.st.global.64b [%o], %b
`},
		"an address with offsets is a multiply-add": {`
  %e = pisa.zext.64b.32b %i : 64b
  %o = pisa.shl.64b %e, %2 : 64b
  %a = pisa.iadd.64b %p, %o : 64b
  %v = pisa.ld.global.32b [%a] : 32b
  pisa.st.global.32b [%a + %8], %v
`, `
  %4 = builtin.const 4 : 32b
  %a = pisa.umad.full.32b %i, %4, %p : 64b
  %v = pisa.ld.global.32b [%a] : 32b
  pisa.st.global.32b [%a + %8], %v
`},
		"shared and atomic": {`
  %o = pisa.shl.32b %i, %2 : 32b
  %a = pisa.iadd.32b %o, %s : 32b
  %r = pisa.iatom.shared.system.add.32b [%a], %j : 32b
  %b = pisa.iadd.32b %o, %r : 32b
  pisa.st.shared.32b [%s], %b
`, `
  %o = pisa.shl.32b %i, %2 : 32b
  %r = pisa.iatom.shared.system.add.32b [%s + %o], %j : 32b
  %b = pisa.iadd.32b %o, %r : 32b
  pisa.st.shared.32b [%s], %b
`},
		"products and shifts with sums": {`
  %a = pisa.shl.32b %i, %31 : 32b
  %b = pisa.iadd.32b %j, %a : 32b
  %c = pisa.umul.32b %b, %j : 32b
  %d = pisa.iadd.32b %c, %b : 32b
  pisa.st.shared.32b [%s], %d
`, `
  %c31 = builtin.const 0x80000000 : 32b
  %b = pisa.umad.32b %i, %c31, %j : 32b
  %d = pisa.umad.32b %b, %j, %b : 32b
  pisa.st.shared.32b [%s], %d
`},
	} {
		t.Run(name, func(t *testing.T) {
			in := fused(c[0])
			same(t, fused(c[1]), optimize(t, "fuse", in))
			everyLimit(t, "fuse", in)
		})
	}
}

func TestFuseKeeps(t *testing.T) {
	for name, body := range map[string]string{
		"a sum that saturates": `
  %a = pisa.iadd.dsat.32b %s, %i : 32b
  pisa.st.shared.32b [%a], %i
`,
		"a sum that is stored too": `
  %a = pisa.iadd.64b %p, %q : 64b
  pisa.st.global.64b [%a], %a
`,
		"a sum from outside of the loop": `
  %a = pisa.iadd.64b %p, %q : 64b
  builtin.br ^bb1
^bb1:
  %v = pisa.ld.global.acquire.gpu.32b [%a] : 32b
  %c = pisa.ucmp.eq.32b %v, %i : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
`,
		"an address with an offset": `
  %a = pisa.iadd.64b %p, %q : 64b
  pisa.st.global.32b [%a + %8], %i
`,
		"a shift that a factor cannot express": `
  %e = pisa.zext.64b.32b %i : 64b
  %a = pisa.shl.64b %e, %32 : 64b
  %f = pisa.sext.64b.32b %j : 64b
  %b = pisa.shl.64b %f, %31 : 64b
  pisa.st.global.64b [%p], %a
  pisa.st.global.64b [%p + %8], %b
`,
		"a factor that 32 bits do not hold": `
  %f = pisa.sext.64b.32b %j : 64b
  %b = pisa.umul.64b %f, %big : 64b
  pisa.st.global.64b [%p + %8], %b
`,
		"an extension that is needed all the same": `
  %e = pisa.zext.64b.32b %i : 64b
  %a = pisa.shl.64b %e, %2 : 64b
  pisa.st.global.64b [%p], %a
  pisa.st.global.64b [%p + %8], %e
`,
		"a product that is needed all the same": `
  %a = pisa.umul.32b %i, %j : 32b
  %b = pisa.iadd.32b %a, %j : 32b
  pisa.st.shared.32b [%a], %b
`,
		"a shift beyond the width": `
  %a = pisa.shl.32b %i, %32 : 32b
  %b = pisa.iadd.32b %a, %j : 32b
  pisa.st.shared.32b [%b + %j], %b
`,
		"packed": `
  %x = pisa.bitcast %i : v2.16b
  %y = pisa.smul.16bx2 %x, %x : v2.16b
  %z = pisa.iadd.16bx2 %y, %x : v2.16b
  pisa.st.shared.v2.16b [%s], %z
`,
	} {
		t.Run(name, func(t *testing.T) { same(t, fused(body), optimize(t, "fuse", fused(body))) })
	}
}

// A small index is an offset by itself: 32-bit offsets are signed.
func TestFuseShortOffset(t *testing.T) {
	const in = `function @f(64b, 32b) {
^bb0(%p: 64b, %x: 32b):
  %m = builtin.const 0xfffc : 32b
  %i = pisa.and.32b %x, %m : 32b
  %e = pisa.zext.64b.32b %i : 64b
  %a = pisa.iadd.64b %p, %e : 64b
  pisa.st.global.32b [%a], %i
  %f = pisa.zext.64b.32b %x : 64b
  %b = pisa.iadd.64b %p, %f : 64b
  pisa.st.global.32b [%b], %i
  %v = pisa.ld.global.32b [%p + %e] : 32b
  %g = pisa.sext.64b.32b %x : 64b
  pisa.st.global.32b [%p + %g], %v
  builtin.return
}
`
	same(t, `function @f(64b, 32b) {
^bb0(%p: 64b, %x: 32b):
  %m = builtin.const 0xfffc : 32b
  %i = pisa.and.32b %x, %m : 32b
  pisa.st.global.32b [%p + %i], %i
  %f = pisa.zext.64b.32b %x : 64b
  pisa.st.global.32b [%p + %f], %i
  %v = pisa.ld.global.32b [%p + %i] : 32b
  pisa.st.global.32b [%p + %x], %v
  builtin.return
}
`, optimize(t, "fuse", in))
	everyLimit(t, "fuse", in)
}
