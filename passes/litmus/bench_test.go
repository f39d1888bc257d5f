package litmus

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkCorpus checks all stored litmus tests once under the base model.
func BenchmarkCorpus(b *testing.B) {
	files := corpus(b)
	var c Checker
	for b.Loop() {
		for _, f := range files {
			p, err := f.Program()
			if err == nil {
				_, err = c.Check(p, Options{})
			}
			require.NoError(b, err)
		}
	}
}

// BenchmarkIRIW is the four-work-item IRIW with seq_cst fences.
func BenchmarkIRIW(b *testing.B) {
	for _, f := range corpus(b) {
		if f.Name == "IRIW+scfences" {
			p := program(b, f)
			var c Checker
			b.ReportAllocs()
			for b.Loop() {
				_, err := c.Check(p, Options{})
				require.NoError(b, err)
			}
		}
	}
}

// BenchmarkContexts runs contexts of up to three events around a fence.
func BenchmarkContexts(b *testing.B) {
	for _, tr := range transforms(b) {
		if tr.ID != "F07b.rel;st.rel->st.rel/pre" {
			continue
		}
		n := 0
		for b.Loop() {
			tally, err := tr.Vocabulary.Compare(tr.Before, tr.After, CompareOptions{Stride: tr.Vocabulary.Size() / 20000})
			require.NoError(b, err)
			n += tally.Programs
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/program")
	}
}

// BenchmarkSix is six work-items with 24 memory events: a ring in which each
// hands data to the next.
func BenchmarkSix(b *testing.B) {
	p := program(b, ring(6))
	var c Checker
	var r *Result
	for b.Loop() {
		var err error
		r, err = c.Check(p, Options{})
		require.NoError(b, err)
	}
	b.ReportMetric(float64(r.Executions), "executions")
}

// ring is n work-items that each store data, publish a flag, and read flag and
// data of the next.
func ring(n int) *File {
	f := &File{Name: "ring", Vars: map[string]FileVar{}}
	for i := range n {
		f.Vars[fmt.Sprintf("d%d", i)] = FileVar{}
		f.Vars[fmt.Sprintf("f%d", i)] = FileVar{}
		next := (i + 1) % n
		f.Threads = append(f.Threads, FileThread{WG: i, Code: []string{
			fmt.Sprintf("st.global.relaxed.32b [@d%d], 1;", i),
			fmt.Sprintf("st.global.release.gpu.32b [@f%d], 1;", i),
			fmt.Sprintf("ld.global.acquire.gpu.32b %%r0, [@f%d];", next),
			fmt.Sprintf("ld.global.relaxed.32b %%r1, [@d%d];", next),
		}})
	}
	return f
}
