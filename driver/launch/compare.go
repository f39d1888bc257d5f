package launch

import (
	"fmt"
	"math"
	"slices"
)

// Difference is one element that is not as expected.
type Difference struct {
	Arg, Index int
	Type       Type
	Got, Want  uint64
}

func (d Difference) String() string {
	b := fmt.Appendf(nil, "arg%d[%d]: got ", d.Arg, d.Index)
	b = d.Type.AppendText(b, d.Got)
	b = d.Type.AppendText(append(b, ", want "...), d.Want)
	return string(fmt.Appendf(b, " (0x%0*x, 0x%0*x)", 2*d.Type.Size, d.Got, 2*d.Type.Size, d.Want))
}

// Compare lists the elements of got that differ from what e expects, at most
// limit of them, and counts all.
func (e *Expect) Compare(got []byte, limit int) (list []Difference, total int) {
	n := len(e.Data) / e.Type.Size
	want := make([]uint64, n)
	have := make([]uint64, n)
	for i := range n {
		want[i] = e.Type.Get(e.Data, i)
		if (i+1)*e.Type.Size <= len(got) {
			have[i] = e.Type.Get(got, i)
		}
	}
	if e.Multiset {
		slices.Sort(want)
		slices.Sort(have)
	}
	for i := range n {
		if have[i] == want[i] || e.Floats && e.near(have[i], want[i]) {
			continue
		}
		if total++; len(list) < limit {
			list = append(list, Difference{e.Arg, i, e.Type, have[i], want[i]})
		}
	}
	return list, total
}

// near applies the tolerances to float bits.
func (e *Expect) near(got, want uint64) bool {
	f := e.Format.Format
	if f.IsNaN(got) || f.IsNaN(want) {
		return f.IsNaN(got) && f.IsNaN(want) && (e.AnyNaN || e.Rel)
	}
	if e.TolULP != 0 {
		a, b := ordered(got, f.SignBit()), ordered(want, f.SignBit())
		if uint64(max(a, b))-uint64(min(a, b)) <= e.TolULP {
			return true
		}
	}
	if e.TolAbs == 0 && !e.Rel {
		return false
	}
	g, w := e.Format.number(got), e.Format.number(want)
	if math.IsInf(g, 0) || math.IsInf(w, 0) {
		return g == w
	}
	diff := math.Abs(g - w)
	return diff <= e.TolAbs || e.Rel && diff <= e.ATol+e.RTol*math.Abs(w)
}

// ordered maps sign-magnitude bits to integers in the order of the values;
// both zeros are 0.
func ordered(v, sign uint64) int64 {
	if v&sign != 0 {
		return -int64(v &^ sign)
	}
	return int64(v)
}
