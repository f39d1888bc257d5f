package amdgpu

import (
	"fmt"
	"strings"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// Check reports what of f has no encoding on t: instructions that the chip
// lacks, operands that its encodings cannot hold, immediates out of range,
// registers in the wrong place. Before allocation, what depends on registers is
// not looked at, but for operands that must be in vcc to be encoded at all. The
// verifier of the dialect must accept f. The error has a line for each fault.
func Check(t *target.Target, f *ir.Func) error {
	c := checker{t: t}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if !IsMachine(op.Code) {
				continue
			}
			if why := c.op(op); why != "" {
				if c.faults = append(c.faults, "@"+f.Name+": "+describe(op)+": "+why); len(c.faults) == maxFaults {
					return c.error()
				}
			}
		}
	}
	return c.error()
}

// maxFaults is how many faults Check reports.
const maxFaults = 20

type checker struct {
	t      *target.Target
	faults []string
}

func (c *checker) error() error {
	if len(c.faults) == 0 {
		return nil
	}
	return fmt.Errorf("not encodable on %s:\n%s", c.t.Name, strings.Join(c.faults, "\n"))
}

// CheckOp is Check of one instruction; empty if there is no fault.
func CheckOp(t *target.Target, op *ir.Op) string {
	c := checker{t: t}
	return c.op(op)
}

// describe shows op with its registers.
func describe(op *ir.Op) string {
	b := []byte(RowOf(op.Code).Name)
	value := func(v *ir.Value) {
		if bits, ok := IsImm(v); ok {
			b = fmt.Appendf(b, " %#x", bits)
			return
		}
		b = append(append(b, ' '), v.Type.String()...)
		if v.Reg != ir.NoReg {
			b = v.Reg.AppendText(append(b, '@'))
		}
	}
	for i := range op.NumResults() {
		value(op.Result(i))
	}
	if op.NumResults() > 0 {
		b = append(b, " ="...)
	}
	for i := range op.NumPlainOperands() {
		value(op.Operand(i))
	}
	return string(b)
}

func (c *checker) op(op *ir.Op) string {
	r := RowOf(op.Code)
	if r.Family == Pseudo {
		return ""
	}
	if r.Mnemonic(c.t) == "" {
		return "the chip has no such instruction"
	}
	slots := OperandSlots(op)
	if why := c.registers(op, r, slots); why != "" {
		return why
	}
	switch {
	case r.VALU():
		if why := c.modifiers(op, r, slots); why != "" {
			return why
		}
		return c.vectorOperands(op, r, slots)
	case r.SALU():
		return c.scalarOperands(op, r, slots)
	case r.Memory() || r.Family == MUBUF || r.Family == DS:
		return c.address(op, r)
	}
	return c.control(op, r)
}

// registers checks sizes of masks, alignment and place of tuples, and operands
// with a fixed register.
func (c *checker) registers(op *ir.Op, r *Row, slots []Slot) string {
	for i := range op.NumResults() {
		v := op.Result(i)
		if r.Results[i].Mask && v.Type.Lanes() != c.t.Wave/32 {
			return fmt.Sprintf("result %d is a mask of %d lanes", i, 32*v.Type.Lanes())
		}
		if why := c.place(v); why != "" {
			return why
		}
	}
	n := op.NumPlainOperands()
	for i := range n {
		v := op.Operand(i)
		if slots[i].Mask && v.Type.Class() == ir.SGPR {
			if v.Type.Lanes() != c.t.Wave/32 {
				return fmt.Sprintf("operand %d is a mask of %d lanes", i, 32*v.Type.Lanes())
			}
			if r.Has(FixedVCC) && v.Reg != ir.NoReg && v.Reg != ir.RegVCC {
				return "the mask is not in vcc"
			}
		}
		if why := c.place(v); why != "" {
			return why
		}
	}
	if r.Has(Tied) && op.Result(0).Reg != op.Operand(n-1).Reg {
		return "the result is not in the register of the last operand"
	}
	return ""
}

// place checks the register of v.
func (c *checker) place(v *ir.Value) string {
	class, n := v.Type.Class(), v.Type.Lanes()
	if v.Reg == ir.NoReg || class == ir.NoClass {
		return ""
	}
	at := v.Reg.Index()
	switch class {
	case ir.SCC:
		if v.Reg != ir.RegSCC {
			return "scc is in " + v.Reg.String()
		}
	case ir.VGPR:
		switch {
		case !v.Reg.IsV():
			return "a vector value is in " + v.Reg.String()
		case at+n > 256:
			return v.Reg.String() + " is beyond the vector registers"
		case c.t.Generation == target.GFX9 && n > 1 && at%2 != 0:
			return "a vector tuple begins at " + v.Reg.String()
		}
	case ir.SGPR:
		last := 106
		if c.t.Generation == target.GFX9 {
			last = 102
		}
		switch {
		case v.Reg.IsV() || v.Reg == ir.RegSCC:
			return "a scalar value is in " + v.Reg.String()
		case v.Reg == ir.RegNull && c.t.Generation == target.GFX9:
			return "the chip has no register null"
		case v.Reg >= ir.RegVCC:
			if n > 2 || n == 2 && v.Reg != ir.RegVCC && v.Reg != ir.RegExec && v.Reg != ir.RegNull && v.Reg != ir.RegPrivateBase && v.Reg != ir.RegSharedBase {
				return fmt.Sprintf("%d registers begin at %v", n, v.Reg)
			}
		case at+n > last:
			return v.Reg.String() + " is beyond the scalar registers"
		case n == 2 && at%2 != 0, n > 2 && at%4 != 0:
			return fmt.Sprintf("a tuple of %d begins at %v", n, v.Reg)
		}
	}
	return ""
}

// same reports that two values are one operand to the encoding.
func same(a, b *ir.Value) bool {
	return a == b || a.Reg != ir.NoReg && a.Reg == b.Reg && a.Type == b.Type
}

// scalarOperands: at most one literal.
func (c *checker) scalarOperands(op *ir.Op, r *Row, slots []Slot) string {
	if r.Family == SOPK {
		if r.Code == SSetregImm32B32 && FImm.Get(op.Props)&63 == 0 {
			return "no hardware register has the number 0"
		}
		return ""
	}
	have, lit := false, uint32(0)
	for i := range op.NumPlainOperands() {
		x := op.Operand(i)
		if _, ok := IsImm(x); !ok || r.Inlines(&slots[i], x) {
			continue
		}
		l, ok := r.Literal(&slots[i], x)
		switch {
		case !ok:
			return fmt.Sprintf("immediate %d does not fit a literal", i)
		case have && l != lit:
			return "has two literals"
		}
		have, lit = true, l
	}
	return ""
}

// isShort reports a row with a 32-bit encoding on t: VOP1, VOP2 or VOPC, which
// CDNA has of a few more and lacks of one.
func isShort(t *target.Target, r *Row) bool {
	if t.Generation == target.GFX9 {
		switch r.Code {
		case VAddCoU32, VSubCoU32, VSubrevCoU32, VMulLoU16:
			return true
		case VCvtPkRtzF16F32:
			return false
		}
	}
	return r.Family == VOP1 || r.Family == VOP2 || r.Family == VOPC
}

// busLimit is how many scalar registers and literals a vector instruction may
// read (constant bus; RDNA3 ISA 6.2.3, CDNA3 ISA 6.2.1).
func (c *checker) busLimit(r *Row) int {
	if c.t.Generation == target.GFX9 {
		return 1
	}
	switch r.Code {
	case VLshlrevB64, VLshrrevB64, VAshrrevI64:
		return 1
	}
	return 2
}

// vectorOperands: the constant bus, and literals where the encoding has them.
func (c *checker) vectorOperands(op *ir.Op, r *Row, slots []Slot) string {
	var seen [4]*ir.Value
	bus, have, lit := 0, -1, uint32(0)
	n := op.NumPlainOperands()
	if r.Has(Tied) {
		n--
	}
operands:
	for i := range n {
		x := op.Operand(i)
		if x.Type.Class() == ir.SGPR {
			for _, s := range seen[:bus] {
				if same(s, x) {
					continue operands
				}
			}
			seen[bus] = x
			bus++
			continue
		}
		if _, ok := IsImm(x); !ok {
			continue
		}
		switch {
		case r.Family == VOP3P && slots[i].Regs == 2, r.Code == VFmaMixF32 && (r.ImmValue(&slots[i], x) < -16 || r.ImmValue(&slots[i], x) > 64):
			return "what this immediate means depends on the halves"
		case FNeg.Get(op.Props)|FAbs.Get(op.Props)|FNegHi.Get(op.Props) != 0 && i < 3 && (FNeg.Get(op.Props)|FAbs.Get(op.Props)|FNegHi.Get(op.Props))>>i&1 != 0:
			return "an immediate has a sign modifier"
		case FDpp.Get(op.Props) != 0:
			return "an operand beside one of another lane is an immediate"
		case r.Inlines(&slots[i], x):
			continue
		}
		l, ok := r.Literal(&slots[i], x)
		switch {
		case !ok:
			return fmt.Sprintf("immediate %d does not fit a literal", i)
		case !r.TakesLiteral(c.t, i):
			return fmt.Sprintf("operand %d cannot be a literal", i)
		case have >= 0 && l != lit:
			return "has two literals"
		}
		have, lit = i, l
	}
	if have >= 0 {
		if c.t.Generation == target.GFX9 && !c.short(op, r) {
			return "a literal needs the 32-bit encoding, which the other operands or modifiers do not fit"
		}
		bus++
	}
	if limit := c.busLimit(r); bus > limit {
		return fmt.Sprintf("reads %d scalar operands, the limit is %d", bus, limit)
	}
	return ""
}

// short reports that op fits a 32-bit encoding: VOP1, VOP2 or VOPC without
// modifiers, operand 1 in a vector register, masks in vcc.
func (c *checker) short(op *ir.Op, r *Row) bool {
	if op.Props != 0 || !isShort(c.t, r) {
		return false
	}
	for i := 1; i < op.NumPlainOperands(); i++ {
		x := op.Operand(i)
		if x.Type.Class() != ir.VGPR && !(r.Operands[i].Mask && x.Reg == ir.RegVCC) {
			return false
		}
	}
	for i := range op.NumResults() {
		if r.Results[i].Mask && op.Result(i).Reg != ir.RegVCC {
			return false
		}
	}
	return true
}

// modifiers: only where the instruction has them.
func (c *checker) modifiers(op *ir.Op, r *Row, slots []Slot) string {
	if r.Has(DPP) && FDpp.Get(op.Props) == 0 {
		return "the instruction has no form that reads its own lane only"
	}
	p := op.Props
	if p == 0 {
		return ""
	}
	sign := FNeg.Get(p) | FAbs.Get(p)
	switch {
	case r.Family == VOP3P && r.Code != VFmaMixF32:
		if FAbs.Get(p) != 0 || FOmod.Get(p) != 0 {
			return "a packed instruction has no such modifier"
		}
		if sign|FNegHi.Get(p) != 0 && !r.Has(Float) && r.Code != VDot4I32Iu8 {
			return "an integer instruction has no sign modifiers"
		}
	case FNegHi.Get(p) != 0 || FOpLow.Get(p) != 0 && r.Code != VFmaMixF32:
		return "only packed instructions have this modifier"
	case sign != 0 && (!r.Has(Float) || !floatOperands(r)):
		return "an integer instruction has no sign modifiers"
	case FOmod.Get(p) != 0 && (!r.Has(Float) || r.Family == VOPC || r.Family == VOP3P || r.Code == VPackB32F16 || !floatResult(r)):
		return "the instruction has no output modifier"
	case FAbs.Get(p) != 0 && len(r.Results) == 2:
		return "the encoding with two results has no absolute values"
	case sign>>len(slots) != 0 || sign&2 != 0 && secondInt[r.Code]:
		return "a sign modifier is of no float operand"
	}
	if FOpSel.Get(p)|FOpLow.Get(p) != 0 && !selects(r, FOpSel.Get(p)) {
		return "the instruction does not select halves"
	}
	if FClamp.Get(p) != 0 && !clamps(r) {
		return "the instruction does not clamp"
	}
	if FDpp.Get(p) != 0 {
		return c.dpp(op, r)
	}
	if FDppCtl.Get(p)|FRowMsk.Get(p)|FBnkMsk.Get(p)|FBound.Get(p) != 0 {
		return "lane controls without dpp"
	}
	return ""
}

// secondInt are float instructions whose operand 1 is an integer.
var secondInt = map[ir.Code]bool{VLdexpF16: true, VLdexpF32: true, VLdexpF64: true, VTrigPreopF64: true,
	CmpClass(CmpF32): true, CmpClass(CmpF64): true, CmpClass(CmpF16): true}

// floatOperands reports that operands are floats, which conversions' need not
// be.
func floatOperands(r *Row) bool {
	i := strings.LastIndexByte(r.Name, '_')
	return r.Name[i+1] == 'f'
}

// clamps reports instructions with the modifier clamp: float results, and the
// integer sums and products that saturate.
func clamps(r *Row) bool {
	if r.Has(Float) {
		return r.Family != VOPC && r.Code != VDivScaleF32 && r.Code != VDivScaleF64
	}
	switch r.Code {
	case VAddNcU32, VSubNcU32, VSubrevNcU32, VAddNcI32, VSubNcI32, VAddCoU32, VSubCoU32, VSubrevCoU32, VAddCoCiU32, VSubCoCiU32, VSubrevCoCiU32,
		VMadU32U24, VMadI32I24, VSadU32, VMadU64U32, VMadI64I32, VDot4U32U8, VDot4I32Iu8,
		VPkAddU16, VPkAddI16, VPkSubU16, VPkSubI16, VPkMadU16:
		return true
	}
	return false
}

// floatResult reports that the result is a float: a name with two types has the
// result's first.
func floatResult(r *Row) bool {
	w := strings.Split(r.Name, "_")
	return len(w) < 3 || w[len(w)-2][0] != 'i' && w[len(w)-2][0] != 'u' || len(w[len(w)-2]) > 3
}

// selects reports encodings that select halves of operands and result. Those of
// VOP1, VOP2 and VOPC instructions do not, but for assemblers that name halves
// of registers. The cross-lane ones have two flags there.
func selects(r *Row, sel uint64) bool {
	switch r.Code {
	case VFmaF16, VDivFixupF16, VPackB32F16:
		return true
	case VPermlane16B32, VPermlanex16B32:
		return sel < 4
	case VDot4U32U8, VDot4I32Iu8:
		return false
	}
	return r.Family == VOP3P
}

// noDPP are instructions of 32 bits whose 64-bit encoding has no form with lanes.
var noDPP = map[ir.Code]bool{VMulLoU32: true, VMulHiU32: true, VMulHiI32: true, VDivScaleF32: true, VDivFmasF32: true,
	VDivFixupF32: true, VDivFixupF16: true, VMadU64U32: true, VMadI64I32: true}

// dpp: operand 0 in a vector register, of 32 bits; the chip has the control.
func (c *checker) dpp(op *ir.Op, r *Row) string {
	short := isShort(c.t, r)
	switch {
	case r.Has(ReadsLane) || r.Family == VOP3P || noDPP[r.Code],
		c.t.Generation == target.GFX9 && r.Family == VOPC,
		c.t.Generation == target.GFX9 && (!short || FOpSel.Get(op.Props)|FClamp.Get(op.Props)|FOmod.Get(op.Props) != 0):
		return "the instruction has no form with lanes"
	case r.Operands[0].Regs != 1 || len(r.Results) > 0 && r.Results[0].Regs != 1:
		return "only 32-bit operands come from other lanes"
	}
	for i := range op.NumPlainOperands() {
		x := op.Operand(i)
		if x.Type.Class() != ir.VGPR && !(r.Operands[i].Mask && (x.Reg == ir.NoReg || x.Reg == ir.RegVCC || c.t.Generation != target.GFX9)) {
			return "an operand beside one of another lane is not in a vector register"
		}
	}
	ctl := FDppCtl.Get(op.Props)
	gfx9 := c.t.Generation == target.GFX9
	ok := ctl < 0x100 || ctl > 0x100 && ctl < 0x130 && ctl&15 != 0 || ctl == 0x140 || ctl == 0x141 ||
		gfx9 && (ctl == 0x130 || ctl == 0x134 || ctl == 0x138 || ctl == 0x13c || ctl == 0x142 || ctl == 0x143) ||
		ctl >= 0x150 && ctl < 0x160 || !gfx9 && ctl >= 0x160 && ctl < 0x170
	if !ok {
		return fmt.Sprintf("the chip has no lane control %#x", ctl)
	}
	return ""
}

// cacheOf are the cache bits of a generation, or of a chip.
func (c *checker) cacheBits() CacheBits {
	switch {
	case c.t.Generation == target.GFX12:
		return CacheReturn | CacheNTHint | CacheSYS
	case c.t.Generation == target.GFX11:
		return CacheGLC | CacheSLC | CacheDLC
	case c.t.Has(target.L2WriteBackAgent):
		return CacheSC0 | CacheSC1 | CacheNT
	}
	return CacheGLC | CacheSLC
}

// address: offsets in range, cache bits that the chip knows, an atomic's result
// where its bits say so.
func (c *checker) address(op *ir.Op, r *Row) string {
	bits := CacheBits(FCache.Get(op.Props))
	switch r.Family {
	case MUBUF:
		allowed := c.cacheBits() & (CacheSC0 | CacheSC1 | CacheSYS)
		if bits&^allowed != 0 {
			return "the chip has no such cache policy"
		}
		return ""
	case DS:
		if !r.TwoAddresses() && FOffset.Get(op.Props) > 0xffff {
			return "the offset is beyond 16 bits"
		}
		return ""
	case SMEM:
		off := signedField(FOffset, op.Props)
		lo, hi := int64(-1<<20), int64(1<<20)
		if c.t.Generation == target.GFX12 {
			lo, hi = -1<<23, 1<<23
		}
		if FSoff.Get(op.Props) != 0 != (op.NumPlainOperands() == 2) {
			return "soffset says otherwise than the operands"
		}
		if off < lo || off >= hi || off < 0 && op.NumPlainOperands() == 2 {
			return fmt.Sprintf("the offset %d is out of range", off)
		}
		return ""
	}
	if bits&^c.cacheBits() != 0 {
		return "the chip has no such cache policy"
	}
	if ret := bits&(CacheReturn|CacheGLC|CacheSC0) != 0; r.Has(Atomic) && ret != (op.NumResults() > 0) {
		return "an atomic has a result exactly if its cache policy says so"
	}
	if FSaddr.Get(op.Props) != 0 && r.Family == Flat {
		return "a flat address has no scalar base"
	}
	if r.Family == Scratch && op.NumPlainOperands() < len(r.Operands) && !c.t.Has(target.ArchitectedScratch) {
		return "the chip's scratch accesses have an address"
	}
	if lo, hi := OffsetRange(c.t, r.Family); signedField(FOffset, op.Props) < lo || signedField(FOffset, op.Props) > hi {
		return fmt.Sprintf("the offset %d is not in %d to %d", signedField(FOffset, op.Props), lo, hi)
	}
	return ""
}

// OffsetRange is the least and the largest immediate offset of a Global, Flat
// or Scratch access on t.
func OffsetRange(t *target.Target, f Family) (lo, hi int64) {
	switch {
	case t.Generation == target.GFX12:
		return -1 << 23, 1<<23 - 1
	case f == Flat:
		return 0, 1<<12 - 1
	}
	return -1 << 12, 1<<12 - 1
}

// signedField reads a field in two's complement.
func signedField(f ir.Field, props uint64) int64 {
	return int64(f.Get(props)<<(64-f.Width-f.Shift)) >> (64 - f.Width)
}

// control checks immediates of program control.
func (c *checker) control(op *ir.Op, r *Row) string {
	imm := FImm.Get(op.Props)
	switch {
	case r.Code == SWaitcnt:
		if n := FLGKM.Get(op.Props); c.t.Generation == target.GFX9 && n > 15 && n != NoWait {
			return "lgkmcnt counts to 15"
		}
	case r.Code == SNop && imm > 15, r.Code == SClause && (imm == 0 || imm > 62):
		return "the immediate is out of range"
	case r.Has(Branches) && r.succs() == 2 && op.Succ(1).To() != op.Block().Next():
		return "a branch that is not taken does not fall through to the next block"
	case op.Code == SEndpgm || op.Code == SBranch || r.Family == SMEM:
	}
	return ""
}
