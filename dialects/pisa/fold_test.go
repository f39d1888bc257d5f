package pisa_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

func builderFor(t *testing.T) (*ir.Module, *ir.Builder) {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	bl := &ir.Builder{}
	bl.AtEnd(m.NewFunc("f", ir.FuncDevice).NewBlock())
	return m, bl
}

func TestConstBits(t *testing.T) {
	m, bl := builderFor(t)
	for _, c := range []struct {
		t    ir.Type
		bits uint64
		ops  int
	}{
		{ir.B32, 7, 1}, {ir.Pred, 1, 1}, {ir.B64, 1<<63 | 5, 1},
		{ir.Vector(2, ir.B16), 0x0005_0005, 1}, {ir.Vector(2, ir.B16), 0x0005_0006, 2},
		{ir.Vector(4, ir.B8), 0x01010101, 1}, {ir.Vector(4, ir.B8), 0x01010201, 2},
		{ir.Vector(2, ir.B32), 3<<32 | 4, 2},
	} {
		before := m.Funcs[0].NumOps()
		v := pisa.MakeConst(bl, c.t, c.bits)
		assert.Equal(t, c.t, v.Type)
		assert.Equal(t, c.ops, m.Funcs[0].NumOps()-before)
		got, ok := pisa.ConstBits(v)
		require.True(t, ok)
		assert.Equal(t, c.bits, got, "%v", c.t)
	}
	_, ok := pisa.ConstBits(builtin.ConstInt(bl, ir.Vector(4, ir.B32), 1))
	assert.False(t, ok, "wider than 64 bits")
}

func TestFold(t *testing.T) {
	_, bl := builderFor(t)
	p32 := pisa.FType.Put(uint64(pisa.T32b))
	c := func(v uint64) *ir.Value { return builtin.ConstInt(bl, ir.B32, v) }
	var out [2]uint64

	require.True(t, pisa.Fold(bl.Value(pisa.IAdd, p32, ir.B32, c(0xffffffff), c(3)).Op(), &out))
	assert.Equal(t, uint64(2), out[0])

	// A predicate is one bit although the register form has 32.
	require.True(t, pisa.Fold(bl.Value(pisa.UCmp, p32|pisa.FOp.Put(uint64(pisa.LT)), ir.Pred, c(1), c(2)).Op(), &out))
	assert.Equal(t, uint64(1), out[0])
	require.True(t, pisa.Fold(bl.Value(pisa.UCmp, p32|pisa.FOp.Put(uint64(pisa.LT)), ir.B32, c(1), c(2)).Op(), &out))
	assert.Equal(t, uint64(0xffffffff), out[0])

	sum := bl.OpResults(pisa.UAddC, p32|pisa.FCo.Put(1), 0, []ir.Type{ir.B32, ir.Pred}, c(0xffffffff), c(2))
	require.True(t, pisa.Fold(sum, &out))
	assert.Equal(t, [2]uint64{1, 1}, out)

	assert.False(t, pisa.Fold(bl.Value(pisa.IAdd, p32, ir.B32, c(1), sum.Result(0)).Op(), &out), "an operand is no constant")
	assert.False(t, pisa.Fold(bl.Value(pisa.RedFirstIdx, p32, ir.B32, c(1)).Op(), &out), "depends on the active lanes")
}
