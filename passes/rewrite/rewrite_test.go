package rewrite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

const input = `module version 1.0 target 100

function @f(32b %x) -> 32b {
^bb0(%x: 32b):
  %0 = builtin.const 0x0 : 32b
  %2 = builtin.const 0x2 : 32b
  %3 = builtin.const 0x3 : 32b
  %s = pisa.iadd.32b %2, %3 : 32b
  %a = pisa.iadd.32b %x, %0 : 32b
  %b = pisa.iadd.32b %a, %0 : 32b
  %dead = pisa.umul.32b %s, %s : 32b
  %r = pisa.iadd.32b %b, %s : 32b
  builtin.return %r
}
`

func parse(t *testing.T, text string) *ir.Module {
	src, ds := &ir.Sources{}, ir.Diags{}
	m := ir.Parse(src, src.Add("t", []byte(text)), dialects.All(), &ds)
	require.Empty(t, ds.List)
	return m
}

var addZero = Rule{Name: "add-zero", Root: pisa.IAdd, Doc: "x + 0 => x", Apply: func(w *Rewriter, op *ir.Op) bool {
	if c, ok := pisa.ConstBits(op.Operand(1)); !ok || c != 0 || !w.Commit() {
		return false
	}
	w.Replace(op, op.Operand(0))
	return true
}}

func always() bool { return true }

func TestRun(t *testing.T) {
	m := parse(t, input)
	var w Rewriter
	require.True(t, w.Run(m.Funcs[0], NewRules([]Rule{addZero}), always))
	ds := ir.Diags{}
	require.True(t, ir.Verify(m, &ds))
	ret := m.Funcs[0].Entry().Last()
	add := ret.Operand(0).Op()
	assert.Equal(t, pisa.IAdd, add.Code)
	assert.Equal(t, m.Funcs[0].Entry().Arg(0), add.Operand(0))
	five, _ := pisa.ConstBits(add.Operand(1))
	assert.Equal(t, uint64(5), five, "2 + 3")
	n := 0
	for op := m.Funcs[0].Entry().First(); op != nil; op = op.Next() {
		n++
	}
	assert.Equal(t, 3, n, "constant, sum, return; the rest is dead")
	assert.False(t, w.Run(m.Funcs[0], NewRules([]Rule{addZero}), always), "a fixed point")
}

// TestStop sees every prefix of the rewrites leave valid IR, and one more
// rewrite with each step of the limit.
func TestStop(t *testing.T) {
	for limit := range 12 {
		m := parse(t, input)
		var w Rewriter
		n := 0
		w.Run(m.Funcs[0], NewRules([]Rule{addZero}), func() bool { n++; return n <= limit })
		ds := ir.Diags{}
		require.True(t, ir.Verify(m, &ds), "limit %d", limit)
		assert.LessOrEqual(t, w.Rewrites+w.Folded+w.Erased, limit)
		if limit < 4 {
			assert.Equal(t, limit, w.Rewrites+w.Folded+w.Erased)
		}
	}
}

func TestDivergentRules(t *testing.T) {
	swap := Rule{Name: "swap", Root: pisa.IAdd, Apply: func(w *Rewriter, op *ir.Op) bool {
		a, b := op.Operand(0), op.Operand(1)
		op.SetOperand(0, b)
		op.SetOperand(1, a)
		return true
	}}
	assert.PanicsWithValue(t, "rewrite: no end of rewrites; the last rule was swap", func() {
		var w Rewriter
		w.Run(parse(t, input).Funcs[0], NewRules([]Rule{swap}), always)
	})
	leak := Rule{Name: "leak", Root: pisa.IAdd, Apply: func(w *Rewriter, op *ir.Op) bool {
		builtin.ConstInt(&w.Builder, ir.B32, 1)
		return false
	}}
	assert.PanicsWithValue(t, "rewrite: rule leak created ops and returned false", func() {
		var w Rewriter
		w.Run(parse(t, input).Funcs[0], NewRules([]Rule{leak}), always)
	})
}

func TestDead(t *testing.T) {
	m := parse(t, `module version 1.0 target 100

function @f(64b %p) {
^bb0(%p: 64b):
  %0 = pisa.ld.global.32b [%p] : 32b
  %1 = pisa.ld.global.relaxed.system.32b [%p] : 32b
  %2 = pisa.iatom.global.system.inc.32b [%p] : 32b
  %3 = pisa.sreg.activemask : 32b
  builtin.return
}
`)
	var got []bool
	for op := m.Funcs[0].Entry().First(); op != nil; op = op.Next() {
		got = append(got, Dead(op))
	}
	assert.Equal(t, []bool{true, false, false, true, false}, got)
}
