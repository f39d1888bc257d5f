package ir

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// Sizes and allocation counts are promises (see the package comment of the
// slabs): a field more in Op costs every pass.
func TestSizes(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(Op{}), uintptr(120), "Op")
	assert.LessOrEqual(t, unsafe.Sizeof(Value{}), uintptr(40), "Value")
	assert.LessOrEqual(t, unsafe.Sizeof(Operand{}), uintptr(32), "Operand")
	assert.LessOrEqual(t, unsafe.Sizeof(Edge{}), uintptr(48), "Edge")
}

// straight builds a function of n ops with two operands each.
func straight(m *Module, n int) *Func {
	f := m.NewFunc("f", FuncDevice)
	f.Sig = []Type{B32}
	b := f.NewBlock()
	x := b.AddArg(B32)
	y := x
	var bl Builder
	bl.AtEnd(b)
	for range n {
		x, y = bl.Value(toyAdd, toyType.Put(3), B32, x, y), x
	}
	bl.Op(toyRet, 0)
	return f
}

func TestAllocations(t *testing.T) {
	m := NewModule(toyReg, nil)
	n := testing.AllocsPerRun(3, func() { straight(m, 20000) })
	assert.LessOrEqual(t, n, 300.0, "20,000 ops")
	var v Verifier
	v.Diags = &Diags{}
	v.function(m.Funcs[0])
	n = testing.AllocsPerRun(3, func() { v.function(m.Funcs[0]) })
	assert.LessOrEqual(t, n, 2.0, "a verifier that has its tables")
}

// A big operand list must not throw away the rest of a chunk.
func TestSlabKeepsChunks(t *testing.T) {
	var s slab[int]
	for range 20 {
		s.take(slabMax / 2)
		s.one()
	}
	small := cap(s.cur)
	assert.LessOrEqual(t, small, 64)
	a := s.take(3)
	assert.Equal(t, 3, cap(a), "an append must not reach a neighbour")
}

func benchModule(n int) (*Module, []byte) {
	m := NewModule(toyReg, nil)
	straight(m, n)
	return m, AppendText(nil, m)
}

const benchOps = 100000

func perOp(b *testing.B) {
	b.ReportMetric(float64(benchOps)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		straight(NewModule(toyReg, nil), benchOps)
	}
	perOp(b)
}

func BenchmarkPrint(b *testing.B) {
	m, text := benchModule(benchOps)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		text = AppendText(text[:0], m)
	}
	perOp(b)
}

func BenchmarkParse(b *testing.B) {
	_, text := benchModule(benchOps)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		src := &Sources{}
		var ds Diags
		if Parse(src, src.Add("b.pir", text), toyReg, &ds) == nil {
			b.Fatal(ds.List[0].Text)
		}
	}
	perOp(b)
}

func BenchmarkVerify(b *testing.B) {
	m, _ := benchModule(benchOps)
	b.ReportAllocs()
	for b.Loop() {
		var ds Diags
		if !Verify(m, &ds) {
			b.Fatal(ds.List[0].Text)
		}
	}
	perOp(b)
}

func BenchmarkVerifyChain(b *testing.B) {
	for _, n := range []int{15000, 150000} {
		m := chain(n)
		b.Run(string(appendUint(nil, uint64(n))), func(b *testing.B) {
			for b.Loop() {
				var ds Diags
				Verify(m, &ds)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mblocks/s")
		})
	}
}
