package amdgpu

import (
	"strings"

	"pisac/dialects/builtin"
	"pisac/ir"
)

func flag(name string, f ir.Field) ir.Qual {
	return ir.Qual{Name: name, Field: f, Form: ir.QualFlag, Names: []string{"", name}, Optional: true}
}

func keyed(name string, f ir.Field) ir.Qual {
	return ir.Qual{Name: name, Field: f, Form: ir.QualKeyed, Optional: true}
}

func bit(f ir.Field, i uint8) ir.Field { return ir.Field{Shift: f.Shift + i, Width: 1} }

var (
	cacheQuals = []ir.Qual{
		flag("glc", bit(FCache, 0)), flag("slc", bit(FCache, 1)), flag("dlc", bit(FCache, 2)),
		flag("sc0", bit(FCache, 3)), flag("sc1", bit(FCache, 4)), flag("nt", bit(FCache, 5)),
		flag("th_return", bit(FCache, 6)), flag("th_nt", bit(FCache, 7)),
		{Name: "scope", Field: ir.Field{Shift: FCache.Shift + 8, Width: 2}, Form: ir.QualEnum, Optional: true, Names: []string{"", "se", "dev", "sys"}},
	}
	memQuals  = append([]ir.Qual{flag("saddr", FSaddr), {Name: "offset", Field: FOffset, Form: ir.QualSigned, Optional: true}}, cacheQuals...)
	smemQuals = []ir.Qual{flag("soffset", FSoff), {Name: "offset", Field: FOffset, Form: ir.QualSigned, Optional: true}}
	dsQuals   = []ir.Qual{keyed("offset", FOffset)}
	ds2Quals  = []ir.Qual{keyed("offset0_", FOffset0), keyed("offset1_", FOffset1)}
	valuQuals = []ir.Qual{keyed("neg", FNeg), keyed("abs", FAbs), keyed("neghi", FNegHi), flag("clamp", FClamp), keyed("omod", FOmod), keyed("opsel", FOpSel), keyed("oplow", FOpLow), keyed("round", FRound), keyed("flush", FFlush)}
	dppQuals  = []ir.Qual{flag("dpp", FDpp), keyed("ctrl", FDppCtl), keyed("rowmask", FRowMsk), keyed("bankmask", FBnkMsk), flag("bound", FBound), flag("dual", FDual)}
	immQuals  = []ir.Qual{keyed("imm", FImm)}

	allVALUQuals = append(append([]ir.Qual{}, valuQuals...), dppQuals...)

	waitQuals  = []ir.Qual{{Name: "vmcnt", Field: FVM, Form: ir.QualKeyed, Optional: true, Default: NoWait}, {Name: "lgkmcnt", Field: FLGKM, Form: ir.QualKeyed, Optional: true, Default: NoWait}}
	indexQuals = []ir.Qual{keyed("index", FIndex)}
	skipQuals  = []ir.Qual{keyed("by", FSkip)}
	kindQuals  = []ir.Qual{{Name: "kind", Field: FKind, Form: ir.QualEnum, Names: liveInNames}}
)

// NoWait in a field of s_waitcnt waits for nothing.
const NoWait = 63

// quals are the qualifiers of r's op.
func (r *Row) quals() []ir.Qual {
	switch {
	case r.Code == SWaitcnt:
		return waitQuals
	case r.Code == PExtract:
		return indexQuals
	case r.Code == PSkip:
		return skipQuals
	case r.Code == PLivein:
		return kindQuals
	case r.Family == SOPK || r.Family == SOPP:
		return immQuals
	case r.Family == SMEM && r.Has(Loads):
		return smemQuals
	case r.VALU():
		return allVALUQuals
	case r.TwoAddresses():
		return ds2Quals
	case r.Family == DS:
		return dsQuals
	case r.Family == MUBUF:
		return cacheQuals
	case r.Memory():
		return memQuals
	}
	return nil
}

// TwoAddresses reports a DS instruction with two offsets.
func (r *Row) TwoAddresses() bool { return r.Family == DS && strings.Contains(r.Name, "2addr") }

// succs is the number of edges of a terminator.
func (r *Row) succs() int {
	switch r.Code {
	case TCond, TDiverge, SCbranchScc0, SCbranchScc1, SCbranchVccz, SCbranchVccnz, SCbranchExecz, SCbranchExecnz:
		return 2
	case TJump, TFall, TLoop, SBranch:
		return 1
	}
	return 0
}

func (r *Row) effects() (e ir.Effects) {
	if r.Has(Branches) {
		e |= ir.Terminator
	}
	if r.Flags&(Loads|Atomic) != 0 {
		e |= ir.ReadsMem
	}
	if r.Flags&(Stores|Atomic) != 0 {
		e |= ir.WritesMem
	}
	if r.Has(Control) {
		e |= ir.FenceEffect | ir.ReadsMem | ir.WritesMem
	}
	if r.Vector() {
		e |= ir.Convergent
	}
	return e
}

var familyDocs = [NumFamilies]struct{ doc, spec string }{
	Pseudo: {"Pseudo instruction.", "pisac"},
	SOP1:   {"Scalar, one operand.", "RDNA3 ISA 16.3"},
	SOP2:   {"Scalar, two operands.", "RDNA3 ISA 16.1"},
	SOPC:   {"Scalar comparison.", "RDNA3 ISA 16.4"},
	SOPK:   {"Scalar with a 16-bit immediate.", "RDNA3 ISA 16.2"},
	SOPP:   {"Program control.", "RDNA3 ISA 16.5"},
	SMEM:   {"Scalar load.", "RDNA3 ISA 16.6"},
	VOP1:   {"Vector, one operand.", "RDNA3 ISA 16.8"},
	VOP2:   {"Vector, two operands.", "RDNA3 ISA 16.7"},
	VOP3:   {"Vector, 64-bit encoding.", "RDNA3 ISA 16.12"},
	VOP3P:  {"Vector, packed.", "RDNA3 ISA 16.10"},
	VOPC:   {"Vector comparison.", "RDNA3 ISA 16.9"},
	DS:     {"Access to local memory.", "RDNA3 ISA 16.15"},
	Flat:   {"Access to a flat address.", "RDNA3 ISA 16.16"},
	Global: {"Access to global memory.", "RDNA3 ISA 16.16"},
	Scratch: {
		"Access to scratch memory.", "RDNA3 ISA 16.16"},
	MUBUF: {"Cache control.", "AMDGPUUsage, memory model"},
}

// Operands and results are checked by the rows, not by these.
var anyOperands, anyResults = []ir.OperandDef{{Name: "src", Variadic: true}}, []ir.OperandDef{{Name: "dst", Variadic: true}}

// Defs returns the op definitions of the dialect.
func Defs() []ir.OpDef {
	defs := make([]ir.OpDef, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		d := ir.OpDef{
			Name: "amdgpu." + r.Name, Code: r.Code, Doc: familyDocs[r.Family].doc, Spec: familyDocs[r.Family].spec,
			Operands: anyOperands, Results: anyResults,
			Quals: r.quals(), Effects: r.effects(), Succs: r.succs(), Verify: verify,
		}
		if r.Code == PSymaddr {
			d.Aux = ir.AuxSym
		}
		defs = append(defs, d)
	}
	return defs
}

// IsImm reports an immediate operand and its bits.
func IsImm(v *ir.Value) (uint64, bool) {
	if v.Type.Class() != ir.NoClass {
		return 0, false
	}
	return builtin.IsConst(v)
}
