package host

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

func TestMemory(t *testing.T) {
	m := NewMemory(0x10000)
	a := m.Add(make([]byte, 10), 4, "a")
	b := m.Add(make([]byte, 8), 0x4000, "b")
	assert.Equal(t, []uint64{0x10000, 0x14000}, []uint64{a.Base, b.Base})
	assert.Equal(t, []int{0, 1}, []int{a.Num, b.Num})
	assert.Same(t, a, m.Find(0x10009))
	assert.Nil(t, m.Find(0x1000a))
	assert.Nil(t, m.Find(0xffff))
	assert.Same(t, b, m.Find(0x14007))
	for addr, want := range map[uint64]string{
		0x10003: "3 bytes into a (10 bytes)",
		0x1000a: "0 bytes past the end of a (10 bytes)",
		0x13fff: "1 bytes before b (8 bytes)",
		0xffff:  "1 bytes before a (10 bytes)",
		0x12000: "in no object",
		0x20000: "in no object",
	} {
		assert.Equal(t, want, m.Describe(addr), "%#x", addr)
	}
}

func TestNewRange(t *testing.T) {
	k := &ir.Func{Name: "k"}
	lim := Limits{Group: 64, Global: 1000, Device: "gpu"}
	r, bad := NewRange(k, [3]uint64{100, 3}, [3]uint64{32, 2}, 0, lim)
	require.Nil(t, bad)
	assert.Equal(t, Range{Global: [3]uint64{100, 3, 1}, Local: [3]uint64{32, 2, 1}, Count: [3]uint64{4, 2, 1}, Groups: 8, Dims: 2}, r)
	k.ReqdWorkGroupSize = [3]uint32{8, 1, 1}
	for want, sizes := range map[string][2][3]uint64{
		"the range 1001 by 1 in dimension 0 is too large":        {{1001}, {}},
		"the range 1 by 65 in dimension 1 is too large":          {{}, {0, 65}},
		"a work-group of 66 work-items is too large: gpu has 64": {{}, {33, 2}},
		"kernel @k requires work-groups of 8x1x1, not 4x1x1":     {{}, {4}},
	} {
		_, bad := NewRange(k, sizes[0], sizes[1], 0, lim)
		require.NotNil(t, bad, want)
		assert.Equal(t, want, bad.Text)
	}
}
