package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects/pisa"
)

// TestSequence holds the ordered copies to parallel ones.
func TestSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 8
		var in []copyPair
		for dst := range int32(n) {
			if rapid.Bool().Draw(t, "copied") {
				in = append(in, copyPair{dst, int32(rapid.IntRange(0, n-1).Draw(t, "src"))})
			}
		}
		d := decoder{slots: &slotAlloc{n: n}}
		out := d.sequence(in)
		var want, got [n + 8]int32
		for i := range want {
			want[i], got[i] = int32(i), int32(i)
		}
		for _, c := range in {
			want[c.dst] = c.src
		}
		for _, c := range out {
			got[c.dst] = got[c.src]
		}
		for i := range n {
			if got[i] != want[i] {
				t.Fatalf("%v became %v: slot %d has %d", in, out, i, got[i])
			}
		}
		if len(out) > len(in)+n/2 {
			t.Fatalf("%d copies became %d", len(in), len(out))
		}
	})
}

// TestShflSource goes through the encoding table of PISA 7.4 for every lane.
func TestShflSource(t *testing.T) {
	for l := range width {
		for o := range uint32(32) {
			i, ok := shflSource(pisa.ShflUp, false, l, o)
			require.Equal(t, l >= int(o), ok)
			require.True(t, !ok || i == l-int(o))
			i, ok = shflSource(pisa.ShflDn, false, l, o)
			require.Equal(t, l+int(o) < 32, ok)
			require.True(t, !ok || i == l+int(o))
			i, ok = shflSource(pisa.ShflXor, false, l, o)
			require.True(t, ok && i == l^int(o))
			i, ok = shflSource(pisa.ShflIdx, false, l, o)
			require.True(t, ok && i == int(o))
			// Segments of eight: seg 0x18, the last lane of each is the clamp.
			i, ok = shflSource(pisa.ShflIdx, true, l, 0x181f00|o)
			require.Equal(t, l&24|int(o)&7, i)
			require.True(t, ok)
			i, ok = shflSource(pisa.ShflDn, true, l, 0x181f00|o)
			require.Equal(t, l+int(o) <= l|7, ok)
			require.True(t, !ok || i == l+int(o))
		}
	}
}
