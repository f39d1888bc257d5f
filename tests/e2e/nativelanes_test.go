package e2e

import (
	"encoding/binary"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/builtin"
	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/tests/randir"
)

// bufferBase is where the emulator places the first argument of a launch.
func bufferBase(t *testing.T) uint64 {
	c := compileNative(t, program{name: "base", module: build(t, "base.pisa", kernel("", "st.global.64b [%p], %p;\nreturn;\n"))}, "gfx1100", 0, nil)
	r := &emu.Launch{Args: []host.Arg{{Data: make([]byte, 8)}}}
	var ds ir.Diags
	emu.Run(c.Module, c.mode, r, &ds)
	require.False(t, ds.HasErrors(), "%s", diags(c.Sources, ds.List))
	return binary.LittleEndian.Uint64(r.Args[0].Data)
}

// settle takes from a random module what two implementations may do in their
// own ways: private variables start as 0, nothing is divided by 0, and a NaN is
// the NaN.
func settle(m *ir.Module) {
	var bl ir.Builder
	for _, f := range m.Funcs {
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for op := b.First(); op != nil; op = op.Next() {
				switch op.Code {
				case pisa.UDiv, pisa.SDiv:
					bl.Before(op)
					x := op.Operand(1)
					op.SetOperand(1, bl.Value(pisa.Or, pisa.FType.Put(op.Field(pisa.FType)), x.Type, x, builtin.ConstInt(&bl, x.Type, 1)))
				case pisa.RedFirstIdx:
					bl.Before(op)
					p := pisa.FType.Put(uint64(pisa.T32b))
					lane := bl.Value(pisa.ReadSReg, pisa.FOp.Put(uint64(pisa.SLaneID)), ir.B32)
					bit := bl.Value(pisa.Shl, p, ir.B32, builtin.ConstInt(&bl, ir.B32, 1), lane)
					op.SetOperand(0, bl.Value(pisa.Or, p, ir.B32, op.Operand(0), bit))
				case pisa.ReadSReg:
					if pisa.SReg(pisa.OpOf(op.Props)) == pisa.SWorkDim {
						op.SetField(pisa.FOp, uint64(pisa.SLaneID))
					}
				case pisa.FAdd, pisa.FMul, pisa.FMax:
					x := op.Result(0)
					next := op.Next()
					bl.Before(next)
					p := pisa.FType.Put(uint64(pisa.F))
					nan := bl.Value(pisa.FCmp, p|pisa.FOp.Put(uint64(pisa.NE)), ir.Pred, x, x)
					y := bl.Value(pisa.Sel, pisa.FType.Put(uint64(pisa.T32b)), x.Type, builtin.ConstInt(&bl, ir.B32, 0x7fc00000), x, nan)
					for u := x.FirstUse(); u != nil; {
						after := u.NextUse()
						if user := u.User(); user != nan.Op() && user != y.Op() {
							u.Set(y)
						}
						u = after
					}
					op = next.Prev()
				}
			}
		}
		first := f.Entry().First()
		for first.Code == pisa.LdParam {
			first = first.Next()
		}
		bl.Before(first)
		p := pisa.FType.Put(uint64(pisa.T32b))
		for _, v := range m.Vars {
			if v.Fn != f {
				continue
			}
			base := bl.ValueAux(pisa.AddrOf, p, v.Symbol(), ir.B32)
			for off := range v.Size / 4 {
				at := bl.Value(pisa.IAdd, p, ir.B32, base, builtin.ConstInt(&bl, ir.B32, 4*off))
				bl.Op(pisa.St, p|pisa.FSpace.Put(uint64(ir.SpacePrivate)), at, builtin.ConstInt(&bl, ir.B32, 0))
			}
		}
	}
}

// stored reads what randir.Together says that memory holds.
var stored = regexp.MustCompile(`\[(0x[0-9a-f]+)\]=(0x[0-9a-f]+)`)

// TestNativeLanes runs random kernels whose lanes part and meet, ask which of
// them are active, and have private memory, and compares with the same lanes
// walking over the IR.
func TestNativeLanes(t *testing.T) {
	base := bufferBase(t)
	compared := 0
	rapid.Check(t, func(rt *rapid.T) {
		m := randir.Lanes(rt)
		settle(m)
		var ds ir.Diags
		ir.Verify(m, &ds)
		if ds.HasErrors() {
			rt.Fatalf("%s", diags(m.Sources, ds.List))
		}
		text := ir.AppendText(nil, m)
		lanes := rapid.SampledFrom([]int{32, 32, 5}).Draw(rt, "lanes")
		input := []uint64{uint64(rapid.Uint32Range(0, 40).Draw(rt, "a")), uint64(rapid.Uint32Range(0, 40).Draw(rt, "b")), rapid.Uint64().Draw(rt, "c"), base}
		did, ok, determined := randir.Together(m.Func("k"), lanes, 400, input...)
		if !ok || !determined {
			return
		}
		compared++
		want := make([]byte, 64*32)
		for _, w := range stored.FindAllStringSubmatch(did, -1) {
			at, _ := strconv.ParseUint(w[1], 0, 64)
			v, _ := strconv.ParseUint(w[2], 0, 32)
			binary.LittleEndian.PutUint32(want[at-base:], uint32(v))
		}
		w := rapid.SampledFrom(nativeWays[:4]).Draw(rt, "way")
		src := &ir.Sources{}
		p := program{name: "lanes", module: ir.Parse(src, src.Add("lanes.pir", text), dialects.All(), &ds)}
		c := compileNative(t, p, w.chip, w.o, nil)
		if c.errors.HasErrors() {
			rt.Fatalf("%s: %s\n%s", w, diags(c.Sources, c.errors.List), text)
		}
		l := &launch.Launch{Kernel: "k", Global: [3]uint64{uint64(lanes), 1, 1}, Local: [3]uint64{uint64(lanes), 1, 1}, Dims: 1}
		for i, v := range input[:3] {
			l.Args = append(l.Args, launch.Arg{Kind: launch.Scalar, Data: binary.LittleEndian.AppendUint64(nil, v)[:randir.Sig[i].TotalBits()/8]})
		}
		l.Args = append(l.Args, launch.Arg{Kind: launch.Buffer, Data: make([]byte, len(want))})
		r := c.request(l)
		if emu.Run(c.Module, c.mode, r, &ds); ds.HasErrors() {
			rt.Fatalf("%s: %s\n%s\n%s", w, diags(c.Sources, ds.List), text, ir.AppendText(nil, c.Module))
		}
		for at := 0; at < len(want); at += 4 {
			if got, want := binary.LittleEndian.Uint32(r.Args[3].Data[at:]), binary.LittleEndian.Uint32(want[at:]); got != want {
				rt.Fatalf("%s: word %d of lane %d is %#x, not %#x; input %x\n%s\n%s", w, at%64/4, at/64, got, want, input, text, ir.AppendText(nil, c.Module))
			}
		}
	})
	require.Greater(t, compared, 10)
}
