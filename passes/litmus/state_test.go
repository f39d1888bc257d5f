package litmus

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The six work-items with 24 memory events of the ring are within the bounds,
// and every execution is counted: each work-item reads flag and data of its
// neighbour independently, (0,0), (0,1) or (1,1).
func TestRing(t *testing.T) {
	var c Checker
	for n := 2; n <= 6; n++ {
		r, err := c.Check(program(t, ring(n)), Options{})
		require.NoError(t, err)
		want := uint64(1)
		for range n {
			want *= 3
		}
		require.Equal(t, want, r.Executions, n)
	}
}

// Symmetry changes how many executions are explored, not which states are
// found.
func TestSymmetry(t *testing.T) {
	inc := FileThread{Code: []string{"iatom.global.relaxed.add.32b %r0, [@x], 1;", "ld.global.relaxed.32b %r1, [@y];"}}
	for n := 2; n <= 4; n++ {
		f := &File{Vars: map[string]FileVar{"x": {}, "y": {}}, Threads: []FileThread{{Code: []string{"st.global.relaxed.32b [@y], 1;"}}}}
		for i := range n {
			th := inc
			th.WG = i + 1
			f.Threads = append(f.Threads, th)
		}
		var c Checker
		full, err := c.Check(program(t, f), Options{})
		require.NoError(t, err)
		half, err := c.Check(program(t, f), Options{Symmetry: true})
		require.NoError(t, err)
		require.True(t, half.Mirrors)
		require.Less(t, half.Executions, full.Executions)
		require.Equal(t, keysOf(full), keysOf(half), n)
	}
}

func keysOf(r *Result) (out []string) {
	for i := range r.States {
		out = append(out, r.States[i].key(nil))
	}
	return out
}

// Random programs: under every pair of options that only adds or removes
// synchronisation, the weaker model has every state of the stronger, and
// symmetry and stopping at a race change nothing else.
func TestRandomPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	orders := [][]string{{"relaxed", "acquire.gpu", "seq_cst.gpu", "weak"}, {"relaxed", "release.gpu", "seq_cst.gpu", "weak"}}
	var c Checker
	for range 300 {
		f := &File{Vars: map[string]FileVar{"x": {}, "y": {}}}
		for w := range 2 + rng.IntN(2) {
			th := FileThread{WG: rng.IntN(2)}
			for k := range 1 + rng.IntN(3) {
				v := string("xy"[rng.IntN(2)])
				switch rng.IntN(5) {
				case 0, 1:
					th.Code = append(th.Code, fmt.Sprintf("ld.global.%s.32b %%r%d, [@%s];", orders[0][rng.IntN(4)], k, v))
				case 2, 3:
					th.Code = append(th.Code, fmt.Sprintf("st.global.%s.32b [@%s], %d;", orders[1][rng.IntN(4)], v, 1+w*4+k))
				default:
					th.Code = append(th.Code, fmt.Sprintf("iatom.global.acq_rel.gpu.add.32b %%r%d, [@%s], 1;", k, v))
				}
			}
			f.Threads = append(f.Threads, th)
		}
		check := func(m Model) (map[string]bool, *Result) {
			r, err := c.Check(program(t, f), Options{Model: m})
			require.NoError(t, err)
			out := map[string]bool{}
			for _, k := range keysOf(r) {
				out[k] = true
			}
			return out, r
		}
		base, rb := check(Model{})
		cxx20, _ := check(Model{ReleaseSeq: CXX20})
		lb, rl := check(Model{ThinAir: Dependencies})
		none, _ := check(Model{ThinAir: Unrestricted})
		for s := range base {
			require.True(t, cxx20[s] && lb[s] && none[s], "%+v", f.Threads)
		}
		for s := range lb {
			require.True(t, none[s], "%+v", f.Threads)
		}
		require.True(t, rb.Race == nil || rl.Race != nil)
		require.LessOrEqual(t, rb.Executions, rl.Executions)
	}
}

// Many unordered writes of one location: counted, not listed; too many are
// refused.
func TestManyWrites(t *testing.T) {
	f := &File{Vars: map[string]FileVar{"x": {}}}
	for i := range 6 {
		f.Threads = append(f.Threads, FileThread{WG: i, Code: []string{
			fmt.Sprintf("st.global.relaxed.32b [@x], %d;", 10*i+1), fmt.Sprintf("st.global.relaxed.32b [@x], %d;", 10*i+2)}})
	}
	var c Checker
	r, err := c.Check(program(t, f), Options{})
	require.NoError(t, err)
	require.Len(t, r.States, 6)
	require.EqualValues(t, 7484400, r.Executions) // 12! / 2^6
	for i := range 6 {
		f.Threads[i].Code = append(f.Threads[i].Code, "st.global.relaxed.32b [@x], 99;")
	}
	_, err = c.Check(program(t, f), Options{})
	require.ErrorContains(t, err, "more than 16 writes")
}

// An enumeration that would not end is refused.
func TestTooManyExecutions(t *testing.T) {
	if !*machineAll {
		t.Log("takes a minute; with -litmus.machine")
		return
	}
	f := &File{Vars: map[string]FileVar{"x": {}, "y": {}}}
	for i := range 6 {
		f.Threads = append(f.Threads, FileThread{WG: i, Code: []string{
			fmt.Sprintf("st.global.relaxed.32b [@x], %d;", 10*i+1), "fence.seq_cst.gpu;", fmt.Sprintf("st.global.relaxed.32b [@y], %d;", 10*i+2),
			fmt.Sprintf("st.global.relaxed.32b [@x], %d;", 10*i+3)}})
	}
	var c Checker
	_, err := c.Check(program(t, f), Options{})
	require.ErrorContains(t, err, "too many executions")
}
