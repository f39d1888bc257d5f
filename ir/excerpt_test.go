package ir

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExcerpt: a function's excerpt is a module with the function as it is and
// just what it names.
func TestExcerpt(t *testing.T) {
	m := parseToy(t, toyText)
	for _, f := range m.Funcs {
		text := string(AppendExcerpt(nil, f))
		again := parseToy(t, text)
		assert.Equal(t, text, string(AppendExcerpt(nil, again.Func(f.Name))))
		assert.True(t, strings.HasSuffix(text, "\n"+string(AppendFunc(nil, f))), text)
	}
	head, _, _ := strings.Cut(string(AppendExcerpt(nil, m.Func("k"))), "\nkernel")
	assert.Equal(t, `module version 0.1 target 100ca

var @"odd name\0a" global size 0 align 1 = { }
var @S global size 1 align 1 = { zero 1 }

function @f(32b, 64b) -> 32b import

function @g() import
`, head)
	assert.Equal(t, "module version 0.1 target 100ca\n\nfunction @g() import\n", string(AppendExcerpt(nil, m.Func("g"))))

	// Through initialisers, which may name each other in a circle.
	m = parseToy(t, `module version 1.0

var @a global size 8 align 8 = { sym @b }
var @b global size 8 align 8 = { sym @c + 4 }
var @c const size 16 align 8 = { sym @g, sym @a }
var @d global size 1 align 1

function @f() {
^bb0:
  %0 = t.sym @b : 64b
  t.ret
}

function @g() {
^bb0:
  %0 = t.sym @d : 64b
  t.ret
}
`)
	head, _, _ = strings.Cut(string(AppendExcerpt(nil, m.Func("f"))), "\nfunction @f")
	assert.Equal(t, `module version 1.0

var @a global size 8 align 8 = { sym @b }
var @b global size 8 align 8 = { sym @c + 4 }
var @c const size 16 align 8 = { sym @g, sym @a }

function @g() import
`, head)
}

// TestNamesByID: names stay when an op before goes, and the text can be read.
func TestNamesByID(t *testing.T) {
	m := parseToy(t, `module version 1.0

function @f(32b) -> 32b {
^bb0(%0: 32b):
  %1 = t.add.32b %0, %0 : 32b
  t.br ^bb1
^bb1:  // preds: ^bb0
  t.br ^bb2
^bb2:  // preds: ^bb1
  %2 = t.add.32b %0, %0 : 32b
  t.ret %2
}
`)
	f := m.Funcs[0]
	text := func() string {
		var b strings.Builder
		p := NewPrinter(&b)
		p.ByID = true
		require.NoError(t, p.Func(f))
		return b.String()
	}
	assert.Equal(t, string(AppendFunc(nil, f)), text())
	f.Entry().First().Erase()
	bb1 := f.Entry().Next()
	f.Entry().Last().Succ(0).SetTo(bb1.Next())
	bb1.Erase()
	got := text()
	assert.Equal(t, `function @f(32b) -> 32b {
^bb0(%0: 32b):
  t.br ^bb2
^bb2:  // preds: ^bb0
  %2 = t.add.32b %0, %0 : 32b
  t.ret %2
}
`, got)
	parseToy(t, "module version 1.0\n\n"+got)
}
