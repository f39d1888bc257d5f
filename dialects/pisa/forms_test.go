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

// combos calls do with Props for every value of every qualifier of f, one
// varied at a time, and for all pairs (.type or .to, other), so that each
// value meets each type.
func combos(f *pisa.Form, do func(p uint64)) {
	base := uint64(0)
	values := make([][]uint64, len(f.Quals))
	for i := range f.Quals {
		q := &f.Quals[i]
		vals := []uint64{}
		switch q.Form {
		case ir.QualInt:
			vals = append(vals, 0, 1, 2, 3)
		case ir.QualHex:
			vals = append(vals, 1, 0x96, 0xfe)
		case ir.QualFlag:
			if q.Optional {
				vals = append(vals, 0)
			}
			vals = append(vals, 1)
		default:
			for v := range q.Names {
				if q.Allows(uint64(v)) {
					vals = append(vals, uint64(v))
				}
			}
		}
		values[i] = vals
		v := vals[0]
		if q.Optional {
			v = q.Default
		}
		base = q.Field.Set(base, v)
	}
	seen := map[uint64]bool{}
	emit := func(p uint64) {
		if !seen[p] {
			seen[p] = true
			do(p)
		}
	}
	emit(base)
	for i := range f.Quals {
		for _, v := range values[i] {
			p := f.Quals[i].Field.Set(base, v)
			emit(p)
			for k := range f.Quals {
				for _, w := range values[k] {
					emit(f.Quals[k].Field.Set(p, w))
				}
			}
		}
	}
}

// irProps turns what assembly writes into what the IR holds: fields of the
// row's other forms at their defaults, a scope on every atomic.
func irProps(r *pisa.Row, f *pisa.Form, p uint64) uint64 {
	own := map[string]bool{}
	for i := range f.Quals {
		own[f.Quals[i].Name] = true
	}
	for i := range r.Quals() {
		q := &r.Quals()[i]
		if !own[q.Name] {
			p = q.Field.Set(p, q.Default)
		}
	}
	if own["memorder"] && own["memscope"] && pisa.OrderOf(p) != pisa.Weak && pisa.ScopeOf(p) == pisa.NoScope {
		p = pisa.FScope.Set(p, uint64(pisa.System))
	}
	return p
}

func allowed(f *pisa.Form, p uint64) bool {
	for i := range f.Rules {
		if r := &f.Rules[i]; r.Level != pisa.InAsm && r.Props != nil && !r.Props(p) {
			return false
		}
	}
	return true
}

// build makes a module with one op of the form. offset adds an offset operand
// to an address, sources limits the optional operands.
func build(r *pisa.Row, f *pisa.Form, p uint64, offset bool, sources int) *ir.Module {
	m := ir.NewModule(dialects.All(), &ir.Sources{})
	m.Target = "100"
	kind := ir.FuncDevice
	fn := m.NewFunc("f", kind)
	aux := ir.Aux(0)
	entry := fn.NewBlock()
	var bl ir.Builder
	bl.AtEnd(entry)
	var operands []*ir.Value
	var results []ir.Type
	operand := func(t ir.Type) {
		operands = append(operands, builtin.ConstInt(&bl, t, 0))
	}
	optional := 0
	for i := range f.Args {
		a := &f.Args[i]
		t := a.Shape.Type(p)
		elem := pisa.TypeOf(p).Info().Reg
		switch {
		case a.Shape == pisa.ShAny32 && r.IRTypes != 0:
			t = ir.Vector(4, elem)
			if elem == ir.B32 && pisa.LanesOf(p) > 4 {
				t = ir.Vector(64, elem)
			}
			if pisa.IndexOf(p)+pisa.LanesOf(p) > t.Lanes() {
				return nil
			}
		case r.IRTypes != 0 && t == ir.B32:
			t = elem
		case r.IRTypes != 0 && t.IsVector():
			t = ir.Vector(t.Lanes(), elem)
		}
		switch {
		case a.Kinds&pisa.KReg == 0 && a.Kinds&pisa.KVar != 0:
			space := ir.SpaceShared
			owner := fn
			if pisa.TypeOf(p) == pisa.T64b {
				space, owner = ir.SpaceGlobal, nil
			}
			v := m.NewVar("v", space, owner)
			v.Size = 16
			aux = v.Symbol()
			continue
		case a.Kinds&pisa.KReg == 0 && a.Kinds&pisa.KFunc != 0:
			aux = fn.Symbol()
			continue
		case a.Kinds&pisa.KParam != 0:
			fn.Kind = ir.FuncKernel
			fn.Params = []ir.Param{{Name: "a", Size: 64, Align: 8}}
			aux = 1
			if offset {
				operand(ir.B32)
			}
			continue
		case a.Optional:
			if optional++; optional > sources {
				continue
			}
		}
		if a.Shape == pisa.ShAny { // sreg, bitcast
			t = ir.B64
			if r.Code == pisa.ReadSReg {
				t = pisa.SpecialRegs[pisa.OpOf(p)].Type
				if pisa.IndexOf(p) != 0 {
					t = t.Elem()
				}
			} else if a.Role == pisa.Src {
				t = ir.Vector(2, ir.B32)
			}
		}
		if a.Role != pisa.Src {
			results = append(results, t)
		}
		if a.Role != pisa.Dst {
			operand(t)
			if a.Kinds&pisa.KMem != 0 && offset {
				operand(ir.B32)
				p = ir.HasOffset.Set(p, 1)
			}
		}
	}
	bl.OpResults(r.Code, p, aux, results, operands...)
	bl.Op(builtin.Return, 0)
	return m
}

func text(m *ir.Module) string { return string(ir.AppendText(nil, m)) }

func errors(m *ir.Module) []ir.Diag {
	ds := ir.Diags{}
	ir.Verify(m, &ds)
	return ds.List
}

// TestFormsInIR builds an op of every form with every qualifier value and
// type, and sees it verify, print and read back to the same text. What a
// restriction forbids must be refused.
func TestFormsInIR(t *testing.T) {
	forms, accepted, refused := 0, 0, 0
	for i := range pisa.Table {
		r := &pisa.Table[i]
		if r.Code == 0 {
			continue
		}
		for k := range r.Forms {
			f := &r.Forms[k]
			if f.Name == "pred-float" { // an assembler's alias
				continue
			}
			forms++
			before := accepted
			combos(f, func(asm uint64) {
				p := irProps(r, f, asm)
				for _, offset := range []bool{false, true} {
					sources := 2
					if r.Code == pisa.IAtom || r.Code == pisa.FAtom {
						sources = pisa.AtomicOp(pisa.OpOf(p)).Sources()
						if r.Code == pisa.FAtom {
							sources--
						}
					}
					m := build(r, f, p, offset, sources)
					if m == nil {
						continue
					}
					src := text(m)
					if !allowed(f, p) || r.Code == pisa.ReadSReg && pisa.IndexOf(p) != 0 && !pisa.SpecialRegs[pisa.OpOf(p)].Type.IsVector() ||
						r.Code == pisa.ReadSReg && pisa.IndexOf(p) == 0 && pisa.SpecialRegs[pisa.OpOf(p)].Type.IsVector() {
						refused++
						require.NotEmpty(t, errors(m), "%s", src)
						continue
					}
					require.Empty(t, errors(m), "%s", src)
					accepted++
					srcs := &ir.Sources{}
					ds := ir.Diags{}
					back := ir.Parse(srcs, srcs.Add("x", []byte(src)), dialects.All(), &ds)
					require.Empty(t, ds.List, "%s", src)
					require.Equal(t, src, text(back))
				}
			})
			assert.Greater(t, accepted, before, "%s/%s: no combination is accepted", r.Name, f.Name)
		}
	}
	t.Logf("%d forms, %d ops accepted, %d refused", forms, accepted, refused)
	assert.Greater(t, refused, 100)
}

// TestFormsRefuse breaks one property at a time of a valid op of every form:
// an operand's type, a missing operand, a qualifier outside its set.
func TestFormsRefuse(t *testing.T) {
	for i := range pisa.Table {
		r := &pisa.Table[i]
		if r.Code == 0 || r.Code == pisa.BarrierWorkgroup || r.Code == pisa.Bitcast || r.Code == pisa.ReadSReg {
			continue
		}
		f := &r.Forms[0]
		first := uint64(0)
		found := false
		combos(f, func(asm uint64) {
			if p := irProps(r, f, asm); !found && allowed(f, p) {
				first, found = p, true
			}
		})
		require.True(t, found, r.Name)
		sources := 2
		switch r.Code {
		case pisa.IAtom:
			sources = 1
		case pisa.FAtom:
			sources = 0
		}
		m := build(r, f, first, false, sources)
		require.Empty(t, errors(m), "%s", text(m))
		op := m.Funcs[0].Entry().Last().Prev()
		for k := range op.NumOperands() {
			old := op.Operand(k)
			for _, ty := range []ir.Type{ir.B8, ir.B128, ir.Vector(3, ir.B16)} {
				if ty == old.Type {
					continue
				}
				var bl ir.Builder
				bl.Before(op)
				op.SetOperand(k, builtin.ConstInt(&bl, ty, 0))
				assert.NotEmpty(t, errors(m), "%s: operand %d of type %v", r.Name, k, ty)
			}
			op.SetOperand(k, old)
		}
		require.Empty(t, errors(m))
		good := op.Props
		for bit := range 63 {
			op.Props = good ^ 1<<bit
			spelled := false
			var used uint64
			for qi := range f.Quals {
				used = f.Quals[qi].Field.Set(used, ^uint64(0))
			}
			spelled = used>>bit&1 != 0
			if !spelled && op.Props != good {
				legalElsewhere := false // the bit selects another form of the row
				for oi := range r.Quals() {
					var m uint64
					m = r.Quals()[oi].Field.Set(m, ^uint64(0))
					legalElsewhere = legalElsewhere || m>>bit&1 != 0
				}
				if !legalElsewhere {
					assert.NotEmpty(t, errors(m), "%s: stray bit %d of Props", r.Name, bit)
				}
			}
		}
		op.Props = good
		for k := range op.NumResults() {
			old := op.Result(k).Type
			op.Result(k).Type = ir.Vector(3, ir.B16)
			assert.NotEmpty(t, errors(m), "%s: result %d", r.Name, k)
			op.Result(k).Type = old
		}
	}
}
