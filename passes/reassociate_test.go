package passes

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/tests/randir"
)

// TestReassociateRandom reorders random sums, in and around a loop that is left
// after one turn, and compares their values.
func TestReassociateRandom(t *testing.T) {
	rewritten := 0
	rapid.Check(t, func(t *rapid.T) {
		m := ir.NewModule(dialects.All(), &ir.Sources{})
		f := m.NewFunc("f", ir.FuncDevice)
		f.Sig, f.Ret = []ir.Type{ir.B32, ir.B32, ir.B64, ir.B64, ir.Pred}, ir.B64
		entry, loop, exit := f.NewBlock(), f.NewBlock(), f.NewBlock()
		pool := map[ir.Type][]*ir.Value{}
		keep := func(v *ir.Value) { pool[v.Type] = append(pool[v.Type], v) }
		for _, ty := range f.Sig {
			keep(entry.AddArg(ty))
		}
		var bl ir.Builder
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		some := func(ty ir.Type) *ir.Value {
			if pick(4) == 0 {
				return builtin.ConstInt(&bl, ty, []uint64{1, 2, 3, 8, ^uint64(0), 1 << 31}[pick(6)])
			}
			return pool[ty][len(pool[ty])-1-pick(min(len(pool[ty]), 5))]
		}
		ops := func(n int) {
			for range n {
				d := []pisa.DType{pisa.T64b, pisa.T32b}[pick(2)]
				ty, p := d.Info().Reg, pisa.FType.Put(uint64(d))
				switch pick(7) {
				case 0, 1, 2:
					keep(bl.Value(pisa.IAdd, p, ty, some(ty), some(ty)))
				case 3:
					keep(bl.Value(pisa.ISub, p, ty, some(ty), some(ty)))
				case 4:
					keep(bl.Value(pisa.UMad, p, ty, some(ty), some(ty), some(ty)))
				case 5:
					keep(bl.Value(pisa.Shl, p, ty, some(ty), builtin.ConstInt(&bl, ir.B32, uint64(pick(4)))))
				default:
					x := bl.Value(pisa.And, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, some(ir.B32), builtin.ConstInt(&bl, ir.B32, 0xffff))
					y := bl.Value(pisa.IAdd, pisa.FType.Put(uint64(pisa.T32b)), ir.B32, x, builtin.ConstInt(&bl, ir.B32, []uint64{4, 0xfffffffc}[pick(2)]))
					keep(bl.Value([]ir.Code{pisa.ZExt, pisa.SExt}[pick(2)], convert(pisa.T64b, pisa.T32b), ir.B64, y))
				}
			}
		}
		bl.AtEnd(entry)
		ops(pick(3))
		in := []*ir.Value{pool[ir.B32][0], pool[ir.B64][0]}
		builtin.Jump(&bl, loop, in...)
		keep(loop.AddArg(ir.B32))
		keep(loop.AddArg(ir.B64))
		bl.AtEnd(loop)
		ops(3 + pick(6))
		last := func(ty ir.Type) *ir.Value { return pool[ty][len(pool[ty])-1] }
		c := builtin.ConstPred(&bl, false)
		builtin.Branch(&bl, c, ir.Target{To: loop, Args: []*ir.Value{last(ir.B32), last(ir.B64)}}, ir.Target{To: exit})
		bl.AtEnd(exit)
		builtin.Ret(&bl, bl.Value(pisa.Xor, pisa.FType.Put(uint64(pisa.T64b)), ir.B64, last(ir.B64), bl.Value(pisa.ZExt, convert(pisa.T64b, pisa.T32b), ir.B64, last(ir.B32))))
		before := string(ir.AppendText(nil, m))
		var args [4][]uint64
		var want [4]string
		for i := range args {
			w := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 9))
			args[i] = []uint64{w.Draw(t, "a") & 0xffffffff, w.Draw(t, "b") & 0xffffffff, w.Draw(t, "c"), w.Draw(t, "d"), 0}
			want[i], _ = (&randir.Machine{Fuel: 1000}).Run(f, args[i]...)
		}
		r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
		pl := Pipeline{NewStep(canonicalizePass), NewStep(reassociatePass)}
		if err := r.Run(m, pl); err != nil {
			t.Fatalf("%v\n%s", err, before)
		}
		for i := range args {
			if got, ok := (&randir.Machine{Fuel: 1000}).Run(f, args[i]...); !ok || got != want[i] {
				t.Fatalf("%x: %s, not %s\n%s\n%s", args[i], got, want[i], before, ir.AppendText(nil, m))
			}
		}
		rewritten += int(r.Stats[1][0])
	})
	assert.Greater(t, rewritten, 5)
}

// summed wraps a body in which %u and %v are uniform, %l and %m differ between
// lanes, and %n is %u in 64 bits.
func summed(body string) string {
	return `kernel @k(param %u size 4 align 4, param %v size 4 align 4, param %p size 8 align 8 space global) {
^bb0:
  %u = pisa.ld.param.32b %u : 32b
  %v = pisa.ld.param.32b %v : 32b
  %p = pisa.ld.param.64b %p : 64b
  %l = pisa.sreg.localid.x : 32b
  %m = pisa.sreg.localid.y : 32b
  %2 = builtin.const 2 : 32b
  %5 = builtin.const 5 : 32b
` + body + "}\n"
}

func TestReassociate(t *testing.T) {
	for name, c := range map[string][2]string{
		"what is invariant leaves the loop": {`
  builtin.br ^bb1(%u)
^bb1(%i: 32b):
  %a = pisa.iadd.32b %i, %l : 32b
  %b = pisa.umad.32b %u, %v, %a : 32b
  pisa.st.shared.32b [%b], %i
  %j = pisa.ld.shared.32b [%b] : 32b
  %c = pisa.ucmp.lt.32b %j, %v : pred
  builtin.cond_br %c, ^bb1(%j), ^bb2
^bb2:
  builtin.return
`, `
  builtin.br ^bb1(%u)
^bb1(%i: 32b):
  %a = pisa.umad.32b %u, %v, %l : 32b
  %b = pisa.iadd.32b %a, %i : 32b
  pisa.st.shared.32b [%b], %i
  %j = pisa.ld.shared.32b [%b] : 32b
  %c = pisa.ucmp.lt.32b %j, %v : pred
  builtin.cond_br %c, ^bb1(%j), ^bb2
^bb2:
  builtin.return
`},
		"a product is distributed": {`
  builtin.br ^bb1(%u)
^bb1(%i: 32b):
  %a = pisa.iadd.32b %i, %l : 32b
  %b = pisa.umad.32b %a, %v, %m : 32b
  pisa.st.shared.32b [%b], %i
  %j = pisa.ld.shared.32b [%b] : 32b
  %c = pisa.ucmp.lt.32b %j, %v : pred
  builtin.cond_br %c, ^bb1(%j), ^bb2
^bb2:
  builtin.return
`, `
  builtin.br ^bb1(%u)
^bb1(%i: 32b):
  %a = pisa.umad.32b %l, %v, %m : 32b
  %b = pisa.umad.32b %i, %v, %a : 32b
  pisa.st.shared.32b [%b], %i
  %j = pisa.ld.shared.32b [%b] : 32b
  %c = pisa.ucmp.lt.32b %j, %v : pred
  builtin.cond_br %c, ^bb1(%j), ^bb2
^bb2:
  builtin.return
`},
		"uniform terms together, the constant last": {`
  %a = pisa.iadd.32b %l, %5 : 32b
  %b = pisa.iadd.32b %u, %a : 32b
  %c = pisa.iadd.32b %b, %m : 32b
  %d = pisa.iadd.32b %c, %v : 32b
  pisa.st.shared.32b [%d], %u
  builtin.return
`, `
  %a = pisa.iadd.32b %u, %v : 32b
  %b = pisa.iadd.32b %a, %l : 32b
  %c = pisa.iadd.32b %b, %m : 32b
  %d = pisa.iadd.32b %c, %5 : 32b
  pisa.st.shared.32b [%d], %u
  builtin.return
`},
		"terms cancel and merge": {`
  %a = pisa.iadd.32b %l, %5 : 32b
  %s = pisa.shl.32b %m, %2 : 32b
  %b = pisa.isub.32b %s, %l : 32b
  %c = pisa.iadd.32b %b, %a : 32b
  %d = pisa.iadd.32b %c, %m : 32b
  pisa.st.shared.32b [%d], %u
  builtin.return
`, `
  %b = pisa.umul.32b %m, %5 : 32b
  %d = pisa.iadd.32b %b, %5 : 32b
  pisa.st.shared.32b [%d], %u
  builtin.return
`},
		"a constant comes out of an index": {`
  %a = pisa.iadd.32b %l, %5 : 32b
  %e = pisa.zext.64b.32b %a : 64b
  %s = pisa.shl.64b %e, %2 : 64b
  %d = pisa.iadd.64b %p, %s : 64b
  pisa.st.global.32b [%d], %u
  builtin.return
`, `
  %e = pisa.zext.64b.32b %l : 64b
  %s = pisa.shl.64b %e, %2 : 64b
  %d = pisa.iadd.64b %p, %s : 64b
  %f = pisa.iadd.64b %d, %20 : 64b
  pisa.st.global.32b [%f], %u
  builtin.return
`},
	} {
		t.Run(name, func(t *testing.T) {
			const twenty = "  %20 = builtin.const 20 : 64b\n"
			in, want := summed(twenty+c[0]), summed(twenty+c[1])
			// Constants are made where they are used.
			assert.Equal(t, optimize(t, "cse,dce", want), optimize(t, "reassociate,cse,dce", in))
			everyLimit(t, "reassociate", in)
		})
	}
}

func TestReassociateKeeps(t *testing.T) {
	for name, body := range map[string]string{
		"saturating": `
  %a = pisa.iadd.dsat.32b %l, %5 : 32b
  %b = pisa.iadd.dsat.32b %a, %u : 32b
  pisa.st.shared.32b [%b], %u
  builtin.return
`,
		"a part that is used elsewhere": `
  %a = pisa.iadd.32b %l, %5 : 32b
  %b = pisa.iadd.32b %a, %u : 32b
  pisa.st.shared.32b [%b], %a
  builtin.return
`,
		"an index that may wrap": `
  %a = pisa.iadd.32b %u, %5 : 32b
  %e = pisa.zext.64b.32b %a : 64b
  %s = pisa.shl.64b %e, %2 : 64b
  %d = pisa.iadd.64b %p, %s : 64b
  pisa.st.global.32b [%d], %u
  builtin.return
`,
		"an index that may be negative": `
  %m5 = builtin.const -5 : 32b
  %a = pisa.iadd.32b %l, %m5 : 32b
  %e = pisa.zext.64b.32b %a : 64b
  %s = pisa.shl.64b %e, %2 : 64b
  %d = pisa.iadd.64b %p, %s : 64b
  pisa.st.global.32b [%d], %u
  builtin.return
`,
		"in order": `
  %a = pisa.iadd.32b %u, %l : 32b
  %b = pisa.iadd.32b %a, %5 : 32b
  %c = pisa.umad.32b %u, %v, %m : 32b
  pisa.st.shared.32b [%b], %c
  builtin.return
`,
		"floats": `
  %a = pisa.fadd.f %l, %5 : 32b
  %b = pisa.fadd.f %a, %u : 32b
  pisa.st.shared.32b [%b], %u
  builtin.return
`,
	} {
		t.Run(name, func(t *testing.T) { same(t, summed(body), optimize(t, "reassociate", summed(body))) })
	}
}
