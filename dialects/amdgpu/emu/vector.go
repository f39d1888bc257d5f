package emu

import (
	"math/bits"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

const (
	secVOP2  = "RDNA3 ISA 16.7"
	secVOP1  = "RDNA3 ISA 16.8"
	secVOPC  = "RDNA3 ISA 16.9"
	secVOP3P = "RDNA3 ISA 16.10"
	secVOP3  = "RDNA3 ISA 16.12"
	cdnaVOP1 = "CDNA3 ISA 12.8"
	cdnaVOP3 = "CDNA3 ISA 12.11"
	cdnaPk   = "CDNA3 ISA 12.10"
)

// valuFn computes one lane.
type valuFn func(m *fpMode, a, b, c uint64) uint64

// valuSpec is a vector instruction that depends on its operands alone. types
// has a letter for the result and for each operand: i and l integers of 32 and
// 64 bits, w of 16; f, d, h floats of 32, 64, 16.
type valuSpec struct {
	code    ir.Code
	types   string
	fn      valuFn
	section string
	sat     valuFn // with clamp, of integers
}

var valuTables = [...][]valuSpec{intRows, floatRows, convertRows}

var valuByCode = func() (t [amdgpu.NumCodes]*valuSpec) {
	for _, rows := range valuTables {
		for i := range rows {
			t[rows[i].code] = &rows[i]
		}
	}
	return t
}()

func formatOf(letter byte) *format {
	switch letter {
	case 'f':
		return &single
	case 'd':
		return &double
	case 'h':
		return &half
	}
	return nil
}

// vector decodes the vector ALU's instructions.
func (d *decoder) vector(in *inst) {
	r := in.row
	d.masks(in)
	d.dppControl(in)
	if r.Has(amdgpu.Tied) && in.src[in.nsrc-1].reg != in.dst[0] {
		d.fail(in.op, "the last operand and the result of %s are different registers", r.Name)
	}
	if amdgpu.FRound.Get(in.props)|amdgpu.FFlush.Get(in.props) != 0 {
		d.fail(in.op, "%s still says which mode it needs", r.Name)
	}
	d.dual(in)
	switch s := valuByCode[in.op.Code]; {
	case s != nil:
		in.spec, in.valu, in.run = s, s.fn, runLanes
		d.modifiers(in, s.types)
		if amdgpu.FClamp.Get(in.props) != 0 && formatOf(s.types[0]) == nil {
			if in.valu = s.sat; s.sat == nil {
				d.fail(in.op, "%s has no clamp", r.Name)
			}
		}
	case r.Family == amdgpu.VOPC:
		d.compare(in)
	case r.Family == amdgpu.VOP3P:
		d.packed(in)
	default:
		d.special(in)
	}
}

// dual checks the second half of a pair that is issued at once: it reads what
// registers held before the first half, as does the one after the other only if
// it does not read the first one's result.
func (d *decoder) dual(in *inst) {
	if amdgpu.FDual.Get(in.props) == 0 {
		return
	}
	next := in.op.Next()
	if next == nil || !amdgpu.CanDual(d.t, in.op, next) {
		d.fail(in.op, "%s and what follows are no pair", in.row.Name)
		return
	}
	for i := range next.NumPlainOperands() {
		if v := next.Operand(i); v.Reg != ir.NoReg && v.Reg == in.op.Result(0).Reg {
			d.fail(next, "the second half of a pair reads the result of the first")
		}
	}
}

// masks checks that lane masks have a bit for each lane.
func (d *decoder) masks(in *inst) {
	words := uint8(d.t.Wave / 32)
	for i := range in.row.Results {
		if in.row.Results[i].Mask && in.dwid[i] != words {
			d.fail(in.op, "the mask of %s has %d registers, not %d", in.row.Name, in.dwid[i], words)
		}
	}
	for i := range in.row.Operands {
		if in.row.Operands[i].Mask && in.src[i].words != 0 && in.src[i].words != words {
			d.fail(in.op, "the mask of %s has %d registers, not %d", in.row.Name, in.src[i].words, words)
		}
	}
}

// modifiers sets formats and operand modifiers by the letters of types.
func (d *decoder) modifiers(in *inst, types string) {
	neg, abs, sel := amdgpu.FNeg.Get(in.props), amdgpu.FAbs.Get(in.props), amdgpu.FOpSel.Get(in.props)
	for i := range min(int(in.nsrc), len(types)-1) {
		o := &in.src[i]
		o.fmt = formatOf(types[i+1])
		o.neg, o.abs = neg>>i&1 != 0, abs>>i&1 != 0
		o.hi = sel>>i&1 != 0
		o.half = types[i+1] == 'h' || types[i+1] == 'w'
		in.mods = in.mods || o.neg || o.abs || o.half
		if (o.neg || o.abs) && o.fmt == nil || o.hi && !o.half {
			d.fail(in.op, "operand %d of %s has no such modifier", i, in.row.Name)
		}
		if o.words == 0 && types[i+1] != 'l' && types[i+1] != 'd' {
			o.imm = lo(o.imm)
		}
	}
	if fmt := formatOf(types[0]); fmt == nil && amdgpu.FOmod.Get(in.props) != 0 {
		d.fail(in.op, "%s has no output modifier", in.row.Name)
	}
	in.half = types[0] == 'h' || types[0] == 'w'
	in.high = sel&8 != 0
	if in.high && !in.half {
		d.fail(in.op, "%s has no upper half of a result", in.row.Name)
	}
	in.out = formatOf(types[0])
	in.post = in.out != nil && amdgpu.FOmod.Get(in.props)|amdgpu.FClamp.Get(in.props) != 0
	in.keep = !d.zeroesUpper(in)
}

// zeroesUpper: on GFX9 instructions with a 16-bit result clear the upper half
// of the register, but for those that GFX9 brought (LLVM,
// zeroesHigh16BitsOfDest); later ones keep it.
func (d *decoder) zeroesUpper(in *inst) bool {
	return raises[d.t.Generation].names[cntStore] == "" && in.op.Code != amdgpu.VFmaF16 && in.op.Code != amdgpu.VDivFixupF16
}

// laneValue reads an operand in lane l, without modifiers.
func (w *wave) laneValue(o *operand, l int) uint64 {
	switch {
	case o.words == 0:
		return o.imm
	case o.reg < regV0:
		return w.scalarValue(o)
	case o.words == 1:
		return uint64(w.v[o.reg-regV0][l])
	}
	return uint64(w.v[o.reg-regV0][l]) | uint64(w.v[o.reg-regV0+1][l])<<32
}

// modified applies op_sel, abs and neg.
func (o *operand) modified(v uint64) uint64 {
	if o.half {
		if o.hi {
			v >>= 16
		}
		v &= 0xffff
	}
	if o.abs {
		v &^= o.fmt.sign()
	}
	if o.neg {
		v ^= o.fmt.sign()
	}
	return v
}

// setLane writes the result register of lane l.
func (w *wave) setLane(reg uint16, words uint8, l int, v uint64) {
	w.v[reg-regV0][l] = uint32(v)
	if words > 1 {
		w.v[reg-regV0+1][l] = uint32(v >> 32)
	}
}

// sources reads the operands of lane l.
func (w *wave) sources(in *inst, l int) (x [4]uint64) {
	for i := range in.nsrc {
		o := &in.src[i]
		v := w.laneValue(o, l)
		if i == 0 && in.dpp {
			v = w.dpp[l]
		}
		if in.mods {
			v = o.modified(v)
		}
		x[i] = v
	}
	return x
}

// result finishes a lane: output modifier, clamp, upper or lower half.
func (w *wave) result(in *inst, l int, r uint64) {
	if in.post {
		r = w.mode.post(in.out, amdgpu.FOmod.Get(in.props), amdgpu.FClamp.Get(in.props) != 0, r)
	}
	if in.half {
		old := uint64(w.v[in.dst[0]-regV0][l])
		switch {
		case in.high:
			r = old&0xffff | r&0xffff<<16
		case in.keep:
			r = old&0xffff0000 | r&0xffff
		default:
			r &= 0xffff
		}
	}
	w.setLane(in.dst[0], in.dwid[0], l, r)
}

// post applies omod and clamp (RDNA3 ISA 6.5, MODE.DX10_CLAMP: NaN gives 0).
func (m *fpMode) post(f *format, omod uint64, clamp bool, r uint64) uint64 {
	if omod != 0 && m.denorm(f)&2 != 0 {
		m.bad = "an output modifier while denormal results are kept is ignored by the hardware"
	}
	switch omod {
	case 1:
		r = m.mul(f, r, f.one()+1<<f.mant)
	case 2:
		r = m.mul(f, r, f.one()+2<<f.mant)
	case 3:
		r = m.mul(f, r, f.one()-1<<f.mant)
	}
	if clamp {
		switch {
		case f.isNaN(r) || r&f.sign() != 0:
			r = 0
		case r > f.one():
			r = f.one()
		}
	}
	return r
}

// runLanes executes an instruction of valuSpec.
func runLanes(w *wave, in *inst) {
	exec := w.sourceLanes(in)
	for e := exec; e != 0; e &= e - 1 {
		l := bits.TrailingZeros64(e)
		x := w.sources(in, l)
		w.result(in, l, in.valu(&w.mode, x[0], x[1], x[2]))
	}
	w.checkMode(in)
}

// checkMode reports what an instruction found unspecified.
func (w *wave) checkMode(in *inst) {
	if w.mode.bad != "" {
		w.fail(in, Unspecified, "%s: %s", in.row.Name, w.mode.bad)
		w.mode.bad = ""
	}
}

// firstLane is the lowest active lane, or 0.
func (w *wave) firstLane() int {
	if e := w.exec(); e != 0 {
		return bits.TrailingZeros64(e)
	}
	return 0
}
