package passes

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// forwarded wraps a body in which %s is a shared address and %t another one
// 4 bytes on, %g a global one, %x and %y are numbers and %p is a predicate.
func forwarded(body string) string {
	return `function @callee() import

function @f(32b, 64b, 32b, 32b, pred) -> 32b {
  var @v private size 64 align 8
  var @w shared size 64 align 8
^bb0(%s: 32b, %g: 64b, %x: 32b, %y: 32b, %p: pred):
  %4 = builtin.const 4 : 32b
  %t = pisa.iadd.32b %s, %4 : 32b
  %v = pisa.addrof.32b @v : 32b
  %w = pisa.addrof.32b @w : 32b
` + body + "}\n"
}

func TestStoreForward(t *testing.T) {
	for name, c := range map[string][2]string{
		"store to load, load to load": {`
  pisa.st.shared.32b [%s], %x
  %a = pisa.ld.shared.32b [%s] : 32b
  %b = pisa.ld.shared.32b [%t] : 32b
  %c = pisa.ld.shared.32b [%s + %4] : 32b
  %r = pisa.bfn.96.32b %a, %b, %c : 32b
  builtin.return %r
`, `
  pisa.st.shared.32b [%s], %x
  %b = pisa.ld.shared.32b [%t] : 32b
  %r = pisa.bfn.96.32b %x, %b, %b : 32b
  builtin.return %r
`},
		"over stores to other bytes and other variables": {`
  pisa.st.private.32b [%v], %x
  pisa.st.private.32b [%v + %4], %y
  pisa.st.shared.32b [%w + %y], %y
  pisa.st.global.32b [%g], %y
  %a = pisa.ld.private.32b [%v] : 32b
  builtin.return %a
`, `
  pisa.st.private.32b [%v], %x
  pisa.st.private.32b [%v + %4], %y
  pisa.st.shared.32b [%w + %y], %y
  pisa.st.global.32b [%g], %y
  builtin.return %x
`},
		"private memory over barriers and fences": {`
  pisa.st.private.32b [%v + %x], %x
  pisa.barrier.workgroup
  pisa.fence.gpu
  %o = pisa.ld.global.acquire.gpu.32b [%g] : 32b
  %a = pisa.ld.private.32b [%v + %x] : 32b
  builtin.return %a
`, `
  pisa.st.private.32b [%v + %x], %x
  pisa.barrier.workgroup
  pisa.fence.gpu
  %o = pisa.ld.global.acquire.gpu.32b [%g] : 32b
  builtin.return %x
`},
		"around a branch": {`
  pisa.st.shared.32b [%s], %x
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  %a = pisa.ld.shared.32b [%s] : 32b
  pisa.st.shared.32b [%t], %a
  builtin.br ^bb2
^bb2:
  %b = pisa.ld.shared.32b [%s] : 32b
  builtin.return %b
`, `
  pisa.st.shared.32b [%s], %x
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  pisa.st.shared.32b [%t], %x
  builtin.br ^bb2
^bb2:
  builtin.return %x
`},
		"around a loop": {`
  pisa.st.shared.32b [%s], %x
  builtin.br ^bb1(%x)
^bb1(%i: 32b):
  %a = pisa.ld.shared.32b [%s] : 32b
  %j = pisa.iadd.32b %i, %a : 32b
  pisa.st.shared.32b [%t], %j
  builtin.cond_br %p, ^bb1(%j), ^bb2
^bb2:
  builtin.return %j
`, `
  pisa.st.shared.32b [%s], %x
  builtin.br ^bb1(%x)
^bb1(%i: 32b):
  %j = pisa.iadd.32b %i, %x : 32b
  pisa.st.shared.32b [%t], %j
  builtin.cond_br %p, ^bb1(%j), ^bb2
^bb2:
  builtin.return %j
`},
		"an element of a vector, the same bits otherwise": {`
  %u = pisa.ld.global.v2.32b [%g] : v2.32b
  pisa.st.private.v2.32b [%v], %u
  %a = pisa.ld.private.32b [%v + %4] : 32b
  %d = pisa.ld.private.64b [%v] : 64b
  %b = pisa.trunc.32b.64b %d : 32b
  %r = pisa.iadd.32b %a, %b : 32b
  builtin.return %r
`, `
  %u = pisa.ld.global.v2.32b [%g] : v2.32b
  pisa.st.private.v2.32b [%v], %u
  %a = pisa.extract.1.32b %u : 32b
  %d = pisa.bitcast %u : 64b
  %b = pisa.trunc.32b.64b %d : 32b
  %r = pisa.iadd.32b %a, %b : 32b
  builtin.return %r
`},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, forwarded(c[1]), optimize(t, "store-forward", forwarded(c[0])))
			everyLimit(t, "store-forward", forwarded(c[0]))
		})
	}
}

// What stands between a store and a load of the same bytes: nothing changes.
func TestStoreForwardKeeps(t *testing.T) {
	for _, c := range []struct{ between, culprit string }{
		{"pisa.barrier.workgroup", "pisa.barrier.workgroup"},
		{"pisa.fence.acquire.workgroup", "pisa.fence"},
		{"pisa.fence.shared.release.gpu", "pisa.fence"},
		{"%o = pisa.ld.global.acquire.gpu.32b [%g] : 32b", "pisa.ld"},
		{"%o = pisa.iatom.global.acq_rel.gpu.add.32b [%g], %y : 32b", "pisa.iatom"},
		{"%o = pisa.iatom.shared.system.add.32b [%s], %y : 32b", "pisa.iatom"},
		{"%o = pisa.iatom.shared.system.add.32b [%y], %y : 32b", "pisa.iatom"},
		{"builtin.call @callee()", "builtin.call"},
		{"pisa.st.shared.32b [%y], %y", "pisa.st"},      // another address, perhaps
		{"pisa.st.shared.64b [%y], %g", "pisa.st"},      // of another size too
		{"pisa.st.32b [%g], %y", "pisa.st"},             // generic: anywhere
		{"pisa.st.shared.32b [%w + %y], %y", "pisa.st"}, // the variable that %s may point to
		{"builtin.cond_br %p, ^bb1, ^bb2\n^bb1:\n  pisa.st.shared.32b [%y], %y\n  builtin.br ^bb2\n^bb2:", "pisa.st"},
		{"builtin.cond_br %p, ^bb1, ^bb2\n^bb1:\n  pisa.barrier.workgroup\n  builtin.br ^bb2\n^bb2:", "pisa.barrier.workgroup"},
	} {
		text := forwarded("  pisa.st.shared.32b [%s], %x\n  " + c.between + "\n  %r = pisa.ld.shared.32b [%s] : 32b\n  builtin.return %r\n")
		same(t, text, optimize(t, "store-forward", text))
		assert.Equal(t, "Missed NotForwarded: the bytes are known before "+c.culprit+", which may change them", remarks(t, "store-forward", text), c.between)
	}
	for name, body := range map[string]string{
		"two parameters may be one object": `
  pisa.st.global.32b [%g], %x
  %z = pisa.zext.64b.32b %y : 64b
  pisa.st.global.32b [%z], %y
  %r = pisa.ld.global.32b [%g] : 32b
  builtin.return %r
`,
		"a store later in the loop": `
  pisa.st.shared.32b [%s], %x
  builtin.br ^bb1
^bb1:
  %a = pisa.ld.shared.32b [%s] : 32b
  %j = pisa.iadd.32b %a, %x : 32b
  pisa.st.shared.32b [%s], %j
  builtin.cond_br %p, ^bb1, ^bb2
^bb2:
  builtin.return %j
`,
		"only on one path": `
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  pisa.st.shared.32b [%s], %x
  builtin.br ^bb2
^bb2:
  %r = pisa.ld.shared.32b [%s] : 32b
  builtin.return %r
`,
		"ordered loads": `
  pisa.st.shared.32b [%s], %x
  %r = pisa.ld.shared.relaxed.system.32b [%s] : 32b
  builtin.return %r
`,
		"ordered stores": `
  pisa.st.shared.relaxed.system.32b [%s], %x
  %r = pisa.ld.shared.32b [%s] : 32b
  builtin.return %r
`,
		"a part of a number": `
  pisa.st.shared.32b [%s], %x
  %b = pisa.ld.shared.8b [%s] : 8b
  %r = pisa.zext.32b.8b %b : 32b
  builtin.return %r
`,
		"an element between elements": `
  %u = pisa.ld.global.v2.64b [%g] : v2.64b
  pisa.st.shared.v2.64b [%s], %u
  %r = pisa.ld.shared.32b [%t] : 32b
  builtin.return %r
`,
		"a load with a cache hint": `
  pisa.st.global.32b [%g], %x
  %r = pisa.ld.global.ri.32b [%g] : 32b
  builtin.return %r
`,
	} {
		t.Run(name, func(t *testing.T) {
			same(t, forwarded(body), optimize(t, "store-forward", forwarded(body)))
		})
	}
}

func TestDeadStore(t *testing.T) {
	for name, c := range map[string][2]string{
		"overwritten": {`
  pisa.st.shared.32b [%s], %x
  pisa.st.shared.32b [%y], %x
  %r = pisa.ld.shared.32b [%t] : 32b
  %o = pisa.iatom.global.system.add.32b [%g], %y : 32b
  pisa.st.shared.32b [%s], %r
  builtin.return %r
`, `
  pisa.st.shared.32b [%y], %x
  %r = pisa.ld.shared.32b [%t] : 32b
  %o = pisa.iatom.global.system.add.32b [%g], %y : 32b
  pisa.st.shared.32b [%s], %r
  builtin.return %r
`},
		"overwritten on both ways": {`
  pisa.st.shared.32b [%s], %x
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  pisa.st.shared.32b [%s], %y
  builtin.br ^bb3
^bb2:
  pisa.st.shared.v2.32b [%s], %u
  builtin.br ^bb3
^bb3:
  builtin.return %x
`, `
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  pisa.st.shared.32b [%s], %y
  builtin.br ^bb3
^bb2:
  pisa.st.shared.v2.32b [%s], %u
  builtin.br ^bb3
^bb3:
  builtin.return %x
`},
		"private, before the end": {`
  pisa.st.private.32b [%v + %x], %x
  %r = pisa.ld.private.32b [%v] : 32b
  pisa.barrier.workgroup
  pisa.st.private.32b [%v + %x], %y
  pisa.fence.gpu
  builtin.return %r
`, `
  pisa.st.private.32b [%v + %x], %x
  %r = pisa.ld.private.32b [%v] : 32b
  pisa.barrier.workgroup
  pisa.fence.gpu
  builtin.return %r
`},
		"private, never read, in a loop": {`
  builtin.br ^bb1
^bb1:
  pisa.st.private.32b [%v + %x], %x
  builtin.cond_br %p, ^bb1, ^bb2
^bb2:
  builtin.return %x
`, `
  builtin.br ^bb1
^bb1:
  builtin.cond_br %p, ^bb1, ^bb2
^bb2:
  builtin.return %x
`},
	} {
		t.Run(name, func(t *testing.T) {
			in, want := dead(c[0]), dead(c[1])
			same(t, want, optimize(t, "dead-store", in))
			everyLimit(t, "dead-store", in)
		})
	}
}

func dead(body string) string { return forwarded("  %u = pisa.bitcast %g : v2.32b\n" + body) }

func TestDeadStoreKeeps(t *testing.T) {
	for _, between := range []string{
		"pisa.barrier.workgroup", "pisa.fence.acquire.workgroup", "pisa.fence.shared.release.gpu", "builtin.call @callee()",
		"%o = pisa.ld.global.acquire.gpu.32b [%g] : 32b", "pisa.st.global.release.gpu.32b [%g], %y", "%o = pisa.iatom.global.acq_rel.gpu.add.32b [%g], %y : 32b",
		"%o = pisa.ld.shared.32b [%y] : 32b", "%o = pisa.ld.32b [%g] : 32b", "%o = pisa.iatom.shared.system.add.32b [%y], %y : 32b",
		"builtin.cond_br %p, ^bb1, ^bb2\n^bb1:\n  builtin.return %x\n^bb2:",
		"builtin.cond_br %p, ^bb1, ^bb2\n^bb1:\n  %o = pisa.ld.shared.32b [%s] : 32b\n  builtin.br ^bb2\n^bb2:",
	} {
		text := dead("  pisa.st.shared.32b [%s], %x\n  " + between + "\n  pisa.st.shared.32b [%s], %y\n  builtin.return %x\n")
		same(t, text, optimize(t, "dead-store", text))
	}
	for name, body := range map[string]string{
		"partly overwritten": `
  pisa.st.shared.v2.32b [%s], %u
  pisa.st.shared.32b [%s], %x
  builtin.return %x
`,
		"ordered stores": `
  pisa.st.shared.relaxed.system.32b [%s], %x
  pisa.st.shared.relaxed.system.32b [%s], %y
  builtin.return %x
`,
		"at an address that changes": `
  builtin.br ^bb1(%s)
^bb1(%i: 32b):
  pisa.st.shared.32b [%i], %x
  %j = pisa.iadd.32b %i, %4 : 32b
  builtin.cond_br %p, ^bb1(%j), ^bb2
^bb2:
  builtin.return %x
`,
		"shared, before the end": `
  pisa.st.shared.32b [%w], %x
  builtin.return %x
`,
		"private, read through a generic address": `
  %e = pisa.addrcast.generic.private %v : 64b
  pisa.st.global.64b [%g], %e
  pisa.st.private.32b [%v], %x
  %r = pisa.ld.32b [%g] : 32b
  builtin.return %r
`,
		"private of the caller": `
  pisa.st.private.32b [%s], %x
  builtin.return %x
`,
		"private, read in the next turn": `
  pisa.st.private.32b [%v], %x
  builtin.br ^bb1
^bb1:
  %r = pisa.ld.private.32b [%v] : 32b
  pisa.st.private.32b [%v], %y
  builtin.cond_br %p, ^bb1, ^bb2
^bb2:
  builtin.return %r
`,
	} {
		t.Run(name, func(t *testing.T) { same(t, dead(body), optimize(t, "dead-store", dead(body))) })
	}
	assert.Equal(t, "Passed DeadStore: the bytes are written again before anything reads them",
		remarks(t, "dead-store", forwarded("  pisa.st.shared.32b [%s], %x\n  pisa.st.shared.32b [%s], %y\n  builtin.return %x\n")))
}
