package passes

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

const structText = `var @b global size 64 align 8
var @u global size 64 align 4
function @f(32b, 32b) -> 64b {
^bb0(%a: 32b, %b: 32b):
  %p = pisa.addrof.64b @b : 64b
  %q = pisa.addrof.64b @u : 64b
  %1 = builtin.const 1 : 32b
  %2 = builtin.const 2 : 32b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %l3 = pisa.ld.global.64b [%p + %8] : 64b
  %l0 = pisa.ld.global.8b [%p] : 8b
  %l2 = pisa.ld.global.32b [%p + %4] : 32b
  pisa.fence.release.gpu
  %l1 = pisa.ld.global.8b [%p + %1] : 8b
  %lx = pisa.ld.global.16b [%p + %2] : 16b
  pisa.st.global.8b [%q], %l0
  pisa.st.global.8b [%q + %1], %l1
  pisa.fence.acquire.gpu
  pisa.st.global.16b [%q + %2], %lx
  pisa.st.global.32b [%q + %4], %a
  builtin.return %l3
}
`

func TestVectorizeMemoryBisects(t *testing.T) {
	everyLimit(t, "vectorize-memory", structText)
	const want = `var @b global size 64 align 8
var @u global size 64 align 4
function @f(32b, 32b) -> 64b {
^bb0(%a: 32b, %b: 32b):
  %p = pisa.addrof.64b @b : 64b
  %q = pisa.addrof.64b @u : 64b
  %1 = builtin.const 1 : 32b
  %2 = builtin.const 2 : 32b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %v = pisa.ld.global.v4.32b [%p] : v4.32b
  %w0 = pisa.extract.0.32b %v : 32b
  %b0 = pisa.trunc.8b.32b %w0 : 8b
  %c8 = builtin.const 8 : 32b
  %s1 = pisa.shr.32b %w0, %c8 : 32b
  %b1 = pisa.trunc.8b.32b %s1 : 8b
  %c16 = builtin.const 16 : 32b
  %s2 = pisa.shr.32b %w0, %c16 : 32b
  %b2 = pisa.trunc.16b.32b %s2 : 16b
  %w1 = pisa.extract.1.32b %v : 32b
  %w2 = pisa.extract.2.v2.32b %v : v2.32b
  %b3 = pisa.bitcast %w2 : 64b
  pisa.fence.release.gpu
  pisa.fence.acquire.gpu
  %z = builtin.const 0 : v2.32b
  %i0 = pisa.insert.0.32b %z, %w0 : v2.32b
  %i1 = pisa.insert.1.32b %i0, %a : v2.32b
  pisa.st.global.v2.32b [%q], %i1
  builtin.return %b3
}
`
	same(t, want, optimize(t, "vectorize-memory", structText))
	same(t, want, optimize(t, "vectorize-memory,vectorize-memory", structText))
}

// mustNot is modules that a pipeline must leave alone.
func mustNot(t *testing.T) map[string][]string {
	text, err := os.ReadFile("../tests/passes/vectorize-memory/must-not.pir")
	require.NoError(t, err)
	_, body, ok := strings.Cut(string(text), "module version 1.0 target 100\n")
	require.True(t, ok)
	return map[string][]string{
		"vectorize-memory":             {body},
		"vectorize-memory{mixed=0}":    {mixedText},
		"vectorize-memory{max-live=9}": {pressureText},
		"vectorize-memory{window=2}":   {windowText},
	}
}

const mixedText = `function @f(64b, 32b, 16b) {
^bb0(%p: 64b, %x: 32b, %y: 16b):
  %4 = builtin.const 4 : 32b
  %6 = builtin.const 6 : 32b
  pisa.st.global.32b [%p], %x
  pisa.st.global.16b [%p + %4], %y
  %8 = builtin.const 12 : 32b
  pisa.st.global.32b [%p + %8], %x
  builtin.return
}
function @g(64b, 32b, 16b) {
^bb0(%p: 64b, %x: 32b, %y: 16b):
  %4 = builtin.const 4 : 32b
  %6 = builtin.const 6 : 32b
  pisa.st.global.32b [%p], %x
  pisa.st.global.16b [%p + %4], %y
  pisa.fence.acquire.gpu
  %l = pisa.ld.global.16b [%p + %4] : 16b
  pisa.st.global.16b [%p + %6], %l
  builtin.return
}
function @h(64b, 16b, 8b) {
^bb0(%p: 64b, %x: 16b, %y: 8b):
  %2 = builtin.const 2 : 32b
  %3 = builtin.const 3 : 32b
  %q = pisa.shl.64b %p, %2 : 64b
  pisa.st.global.16b [%q], %x
  pisa.st.global.8b [%q + %2], %y
  builtin.return
}
function @i(64b, 32b, 64b) {
^bb0(%p: 64b, %x: 32b, %y: 64b):
  %8 = builtin.const 8 : 32b
  pisa.st.global.64b [%p], %y
  pisa.st.global.32b [%p + %8], %x
  builtin.return
}
`

// Between the loads seven registers are live, and nine when both meet above.
const pressureText = `function @f(64b, 32b, 32b, 32b, 32b, 32b) -> 32b {
^bb0(%p: 64b, %a: 32b, %b: 32b, %c: 32b, %d: 32b, %e: 32b):
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %v = pisa.ld.global.32b [%p] : 32b
  %0 = pisa.umul.32b %v, %a : 32b
  %1 = pisa.umad.32b %0, %b, %c : 32b
  %2 = pisa.umad.32b %1, %d, %e : 32b
  %3 = pisa.umad.32b %2, %a, %b : 32b
  %w = pisa.ld.global.v2.32b [%p + %4] : v2.32b
  %w0 = pisa.extract.0.32b %w : 32b
  %5 = pisa.umad.32b %3, %c, %w0 : 32b
  %6 = pisa.umad.32b %5, %d, %a : 32b
  %7 = pisa.umad.32b %6, %e, %b : 32b
  builtin.return %7
}
`

const windowText = `function @f(64b, 32b) {
  var @z shared size 4 align 4
^bb0(%p: 64b, %x: 32b):
  %4 = builtin.const 4 : 32b
  %z = pisa.addrof.32b @z : 32b
  pisa.st.global.32b [%p], %x
  pisa.st.shared.relaxed.system.32b [%z], %x
  pisa.st.shared.relaxed.system.32b [%z], %x
  pisa.st.global.32b [%p + %4], %x
  builtin.return
}
`

// The lower address is not known where the upper one is loaded from.
const addressText = `function @f(64b) -> 32b {
^bb0(%p: 64b):
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 64b
  %q = pisa.iadd.64b %p, %8 : 64b
  %1 = pisa.ld.global.32b [%q + %4] : 32b
  %r = pisa.iadd.64b %p, %8 : 64b
  %2 = pisa.ld.global.32b [%r] : 32b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}
`

func TestVectorizeMemoryAddress(t *testing.T) {
	const want = `function @f(64b) -> 32b {
^bb0(%p: 64b):
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 64b
  %q = pisa.iadd.64b %p, %8 : 64b
  %v = pisa.ld.global.v2.32b [%q] : v2.32b
  %2 = pisa.extract.0.32b %v : 32b
  %1 = pisa.extract.1.32b %v : 32b
  %r = pisa.iadd.64b %p, %8 : 64b
  %3 = pisa.isub.32b %1, %2 : 32b
  builtin.return %3
}
`
	same(t, want, optimize(t, "vectorize-memory", addressText))
}

// changes reports whether a pipeline changes one of the modules, breaks it or
// stops at it.
func changes(t *testing.T, all map[string][]string) string {
	for pl, texts := range all {
		for _, text := range texts {
			m := parse(t, text)
			before := string(ir.AppendText(nil, m))
			r := Runner{VerifyEach: true, Target: target.Default()}
			if err := r.Run(m, pipeline(t, pl)); err != nil {
				return err.Error()
			}
			if after := string(ir.AppendText(nil, m)); after != before {
				return after
			}
		}
	}
	return ""
}

// With a guard switched off, or a row of the crossing table opened, some module
// is changed that must not be.
func TestVectorizeMemoryGuards(t *testing.T) {
	all := mustNot(t)
	require.Empty(t, changes(t, all))
	for _, pl := range []string{"vectorize-memory{mixed=0}", "vectorize-memory{max-live=9}", "vectorize-memory{window=2}"} {
		assert.NotEmpty(t, changes(t, map[string][]string{"vectorize-memory": all[pl]}), "%s makes no difference", pl)
	}
	vmGuardsOff = 1 << vmGuardAddress
	assert.Error(t, (&Runner{VerifyEach: true, Target: target.Default()}).Run(parse(t, addressText), pipeline(t, "vectorize-memory")))
	for g := range vmGuardAddress { // the last
		vmGuardsOff = 1 << g
		assert.NotEmpty(t, changes(t, all), "guard %d switched off is not noticed", g)
	}
	vmGuardsOff = 0
	for k := range crossings {
		row := crossings[k]
		if crossing(k) == crossCall {
			continue // a guard of its own
		}
		if !row.up {
			crossings[k].up = true
			assert.NotEmpty(t, changes(t, all), "moving up across %s is not noticed", row.name)
		}
		crossings[k] = row
		if !row.down {
			crossings[k].down = true
			assert.NotEmpty(t, changes(t, all), "moving down across %s is not noticed", row.name)
		}
		crossings[k] = row
	}
}

// Whether accesses become one does not depend on which of them comes first.
func TestVectorizeMemoryIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quals := []string{"global", "global.L1uc.L2c.L3c", "global.relaxed.system"}
		a, b := rapid.SampledFrom(quals).Draw(t, "a"), rapid.SampledFrom(quals).Draw(t, "b")
		sizes := rapid.SampledFrom([][2]int{{32, 32}, {32, 64}, {16, 32}, {64, 64}, {16, 16}}).Draw(t, "sizes")
		align := 1 << rapid.IntRange(0, 4).Draw(t, "align")
		la := fmt.Sprintf("  %%1 = pisa.ld.%s.%db [%%p] : %db\n", a, sizes[0], sizes[0])
		lb := fmt.Sprintf("  %%2 = pisa.ld.%s.%db [%%p + %%o] : %db\n", b, sizes[1], sizes[1])
		run := func(body string) string {
			text := fmt.Sprintf("var @b global size 64 align %d\nfunction @f() {\n^bb0:\n  %%p = pisa.addrof.64b @b : 64b\n  %%o = builtin.const %d : 32b\n%s  builtin.return\n}\n", align, sizes[0]/8, body)
			src, ds := &ir.Sources{}, ir.Diags{}
			m := ir.Parse(src, src.Add("t.pir", []byte("module version 1.0 target 100\n\n"+text)), dialects.All(), &ds)
			if ds.HasErrors() {
				t.Fatalf("%v\n%s", ds.List, text)
			}
			r := Runner{VerifyEach: true, Target: target.Default()}
			if err := r.Run(m, Pipeline{NewStep(vectorizeMemoryPass)}); err != nil {
				t.Fatal(err)
			}
			var loads []string
			for op := m.Func("f").Entry().First(); op != nil; op = op.Next() {
				if op.Code == pisa.Ld {
					loads = append(loads, fmt.Sprint(op.Props, op.Result(0).Type))
				}
			}
			if len(loads) == 2 && loads[0] > loads[1] {
				loads[0], loads[1] = loads[1], loads[0]
			}
			return strings.Join(loads, "; ")
		}
		if x, y := run(la+lb), run(lb+la); x != y {
			t.Fatalf("%s\nbut the other way round %s", x, y)
		}
	})
}

// A value that both the first load gives and the second address needs: no hang,
// one access, since the sum is known to be the first address.
func TestVectorizeMemoryAddressCycle(t *testing.T) {
	const in = `function @f(64b) -> 32b {
^bb0(%p: 64b):
  %0 = builtin.const 0 : 32b
  %4 = builtin.const 4 : 32b
  %r = pisa.ld.global.32b [%p] : 32b
  %m = pisa.umul.32b %r, %0 : 32b
  %e = pisa.zext.64b.32b %m : 64b
  %q = pisa.iadd.64b %p, %e : 64b
  %s = pisa.ld.global.32b [%q + %4] : 32b
  builtin.return %s
}
`
	same(t, in, optimize(t, "vectorize-memory", in)) // the product is not looked through at its extension
	direct := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(in, "  %e = pisa.zext.64b.32b %m : 64b\n", ""), "64b %p, %e", "32b %p, %m"), "global", "shared")
	direct = strings.NewReplacer("@f(64b)", "@f(32b)", "%p: 64b", "%p: 32b", "32b %p, %m : 64b", "32b %p, %m : 32b").Replace(direct)
	assert.Contains(t, optimize(t, "vectorize-memory", direct), "ld.shared.v2.32b")
	everyLimit(t, "vectorize-memory", direct)
}
