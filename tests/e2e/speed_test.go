package e2e

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// matmul is a launch of matmul_tiled for n by n matrices of small integers.
func matmul(n int) *interp.Launch {
	a, b := make([]byte, 4*n*n), make([]byte, 4*n*n)
	for i := range n * n {
		binary.LittleEndian.PutUint32(a[4*i:], math.Float32bits(float32(i%7-3)))
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(i%5-2)))
	}
	size := binary.LittleEndian.AppendUint32(nil, uint32(n))
	return &interp.Launch{Kernel: "matmul_tiled", Global: [3]uint64{uint64(n), uint64(n), 1}, Local: [3]uint64{16, 16, 1},
		Args: []host.Arg{{Data: a}, {Data: b}, {Data: make([]byte, 4*n*n)}, {Kind: host.ArgScalar, Data: size}}}
}

// TestMatmul256 checks a larger product against plain Go.
func TestMatmul256(t *testing.T) {
	const n = 256
	p := load(t, "kernels/matmul_tiled.json")
	l := matmul(n)
	var ds ir.Diags
	require.NotNil(t, interp.Run(p.module, l, &ds), "%s", diags(p.module.Sources, ds.List))
	at := func(m []byte, i, j int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(m[4*(i*n+j):]))
	}
	for i := 0; i < n; i += 37 {
		for j := range n {
			sum := float32(0)
			for k := range n {
				sum += at(l.Args[0].Data, i, k) * at(l.Args[1].Data, k, j)
			}
			require.Equal(t, sum, at(l.Args[2].Data, i, j), "row %d, column %d", i, j)
		}
	}
}

// speed runs l on one core and reports work-item instructions a second: the
// project asks for 50 million.
func speed(b *testing.B, file string, l *interp.Launch) {
	p := load(b, file)
	l.Workers = 1
	var done uint64
	for b.Loop() {
		var ds ir.Diags
		st := interp.Run(p.module, l, &ds)
		require.NotNil(b, st, "%s", diags(p.module.Sources, ds.List))
		done += st.Instructions
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds()/1e6, "Minst/s")
}

func BenchmarkMatmul(b *testing.B) { speed(b, "kernels/matmul_tiled.json", matmul(128)) }

func BenchmarkMixhash(b *testing.B) {
	const n = 1 << 16
	speed(b, "kernels/mixhash64.json", &interp.Launch{Global: [3]uint64{n, 1, 1}, Local: [3]uint64{256, 1, 1},
		Args: []host.Arg{{Data: make([]byte, 8*n)}, {Data: make([]byte, 8*n)}}})
}
