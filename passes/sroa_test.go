package passes

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

// remarks runs passes on the IR text and returns what they remark, a line each.
func remarks(t testing.TB, passes, text string) string {
	m := parse(t, text)
	r := Runner{VerifyEach: true, Target: target.Default(), Remarks: regexp.MustCompile(".")}
	require.NoError(t, r.Run(m, pipeline(t, passes)))
	var lines []string
	for _, x := range r.List {
		lines = append(lines, x.Kind.String()+" "+x.Name+": "+x.Text)
	}
	return strings.Join(lines, "\n")
}

func TestSROA(t *testing.T) {
	for name, c := range map[string][2]string{
		"a loop keeps its counter in memory": {`function @f(32b) -> 32b {
  var @v private size 8 align 4
^bb0(%n: 32b):
  %z = builtin.const 0 : 32b
  %1 = builtin.const 1 : 32b
  %4 = builtin.const 4 : 32b
  %a = pisa.addrof.32b @v : 32b
  %b = pisa.iadd.32b %a, %4 : 32b
  pisa.st.private.32b [%a], %z
  pisa.st.private.32b [%b], %n
  builtin.br ^bb1
^bb1:
  %i = pisa.ld.private.32b [%a] : 32b
  %j = pisa.iadd.32b %i, %1 : 32b
  pisa.st.private.32b [%a], %j
  %m = pisa.ld.private.32b [%a + %4] : 32b
  %c = pisa.ucmp.lt.32b %j, %m : pred
  builtin.cond_br %c, ^bb1, ^bb2
^bb2:
  %r = pisa.ld.private.32b [%a] : 32b
  builtin.return %r
}
`, `function @f(32b) -> 32b {
^bb0(%n: 32b):
  %z = builtin.const 0 : 32b
  %1 = builtin.const 1 : 32b
  %4 = builtin.const 4 : 32b
  builtin.br ^bb1(%z)
^bb1(%i: 32b):
  %j = pisa.iadd.32b %i, %1 : 32b
  %c = pisa.ucmp.lt.32b %j, %n : pred
  builtin.cond_br %c, ^bb1(%j), ^bb2
^bb2:
  builtin.return %j
}
`},
		"what nothing has written is zero": {`function @f(pred, 64b) -> 64b {
  var @v private size 8 align 8
^bb0(%p: pred, %x: 64b):
  %a = pisa.addrof.32b @v : 32b
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  pisa.st.private.64b [%a], %x
  builtin.br ^bb2
^bb2:
  %r = pisa.ld.private.64b [%a] : 64b
  builtin.return %r
}
`, `function @f(pred, 64b) -> 64b {
^bb0(%p: pred, %x: 64b):
  %0 = builtin.const 0 : 64b
  builtin.cond_br %p, ^bb1, ^bb2(%0)
^bb1:
  builtin.br ^bb2(%x)
^bb2(%r: 64b):
  builtin.return %r
}
`},
		"a vector is cut into elements": {`function @f(v4.32b, 32b) -> v2.32b {
  var @v private size 16 align 4
^bb0(%x: v4.32b, %y: 32b):
  %a = pisa.addrof.32b @v : 32b
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  pisa.st.private.v4.32b [%a], %x
  %w = pisa.ld.private.v4.32b [%a] : v4.32b
  pisa.st.private.v4.32b [%a], %w
  pisa.st.private.32b [%a + %8], %y
  %r = pisa.ld.private.v2.32b [%a + %4] : v2.32b
  builtin.return %r
}
`, `function @f(v4.32b, 32b) -> v2.32b {
^bb0(%x: v4.32b, %y: 32b):
  %4 = builtin.const 4 : 32b
  %8 = builtin.const 8 : 32b
  %0 = builtin.const 0 : v2.32b
  %1 = pisa.extract.1.32b %x : 32b
  %2 = pisa.insert.0.32b %0, %1 : v2.32b
  %3 = pisa.insert.1.32b %2, %y : v2.32b
  builtin.return %3
}
`},
		"a value carried around loops unchanged is no argument": {`function @f(32b, pred) -> 32b {
  var @v private size 4 align 4
^bb0(%x: 32b, %p: pred):
  %a = pisa.addrof.32b @v : 32b
  pisa.st.private.32b [%a], %x
  builtin.br ^bb1
^bb1:
  builtin.br ^bb2
^bb2:
  builtin.cond_br %p, ^bb2, ^bb3
^bb3:
  builtin.cond_br %p, ^bb1, ^bb4
^bb4:
  %r = pisa.ld.private.32b [%a] : 32b
  builtin.return %r
}
`, `function @f(32b, pred) -> 32b {
^bb0(%x: 32b, %p: pred):
  builtin.br ^bb1
^bb1:
  builtin.br ^bb2
^bb2:
  builtin.cond_br %p, ^bb2, ^bb3
^bb3:
  builtin.cond_br %p, ^bb1, ^bb4
^bb4:
  builtin.return %x
}
`},
		"blocks that are never executed": {`function @f(32b) -> 32b {
  var @v private size 4 align 4
^bb0(%x: 32b):
  %a = pisa.addrof.32b @v : 32b
  pisa.st.private.32b [%a], %x
  builtin.br ^bb1
^bb1:
  %r = pisa.ld.private.32b [%a] : 32b
  builtin.return %r
^bb2:
  %u = pisa.ld.private.32b [%a] : 32b
  pisa.st.private.32b [%a], %u
  builtin.br ^bb1
}
`, `function @f(32b) -> 32b {
^bb0(%x: 32b):
  %0 = builtin.const 0 : 32b
  builtin.br ^bb1(%x)
^bb1(%r: 32b):
  builtin.return %r
^bb2:
  builtin.br ^bb1(%0)
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, c[1], optimize(t, "sroa", c[0]))
			everyLimit(t, "sroa", c[0])
		})
	}
}

// What keeps a variable in memory, and what the remark says of it.
func TestSROAKeeps(t *testing.T) {
	for reason, body := range map[string]string{
		"it is accessed at an offset that is not constant": `
  %b = pisa.iadd.32b %a, %x : 32b
  pisa.st.private.32b [%b], %x`,
		"it is accessed at an offset that is not constant, or its address is stored": `
  pisa.st.private.32b [%a + %x], %x`,
		"its address is used by pisa.addrcast":   "\n  %g = pisa.addrcast.generic.private %a : 64b",
		"its address is used by builtin.cond_br": "\n  builtin.cond_br %p, ^bb1(%a), ^bb1(%x)\n^bb1(%w: 32b):",
		"its address is used by pisa.ucmp":       "\n  %c = pisa.ucmp.eq.32b %a, %x : pred",
		"its address is used by builtin.return":  "\n  builtin.return %a\n^bb1:",
		"an access is not within its bounds":     "\n  pisa.st.private.32b [%a + %12], %x\n  pisa.st.private.v2.32b [%a + %12], %y",
		"accesses of different parts overlap":    "\n  pisa.st.private.v2.32b [%a + %4], %y\n  %l = pisa.ld.private.64b [%a + %4] : 64b",
	} {
		text := `function @f(32b, pred, v2.32b) -> 32b {
  var @v private size 16 align 8
^bb0(%x: 32b, %p: pred, %y: v2.32b):
  %4 = builtin.const 4 : 32b
  %12 = builtin.const 12 : 32b
  %a = pisa.addrof.32b @v : 32b
  pisa.st.private.32b [%a], %x` + body + `
  builtin.return %x
}
`
		same(t, text, optimize(t, "sroa", text))
		assert.Equal(t, "Missed NotPromoted: private variable @v stays in memory: "+reason, remarks(t, "sroa", text))
	}
	stored := `function @f(32b) -> 32b {
  var @v private size 4 align 4
^bb0(%x: 32b):
  %a = pisa.addrof.32b @v : 32b
  pisa.st.private.32b [%a], %a
  builtin.return %x
}
`
	same(t, stored, optimize(t, "sroa", stored))
	shared := strings.Replace(strings.ReplaceAll(stored, "private", "shared"), ", %a\n", ", %x\n", 1)
	same(t, shared, optimize(t, "sroa", shared))
	assert.Empty(t, remarks(t, "sroa", shared))
}

func TestSROARemarks(t *testing.T) {
	assert.Equal(t, "Passed Promoted: private variable @v of 4 bytes became values", remarks(t, "sroa", `function @f(32b) -> 32b {
  var @v private size 4 align 4
^bb0(%x: 32b):
  %a = pisa.addrof.32b @v : 32b
  pisa.st.private.32b [%a], %x
  builtin.return %x
}
`))
}
