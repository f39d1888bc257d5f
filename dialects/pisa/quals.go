package pisa

import "pisac/ir"

// Layout of Op.Props, one for all ops of the dialect. Qualifiers that never
// occur together share a place.
var (
	FType  = ir.Field{Shift: 0, Width: 5}  // .type, and .to of a conversion
	FFrom  = ir.Field{Shift: 5, Width: 5}  // .from of a conversion
	FVec   = ir.Field{Shift: 10, Width: 4} // .vec
	FIndex = ir.Field{Shift: 14, Width: 6} // static index of extract and insert, component of sreg
	FOp    = ir.Field{Shift: 20, Width: 8} // .op .cop .operation .signedness .output .dir, register of sreg
	FRound = ir.Field{Shift: 28, Width: 3} // .rndmode
	FFtz   = ir.Field{Shift: 31, Width: 1}
	FDsat  = ir.Field{Shift: 32, Width: 1}
	FNanp  = ir.Field{Shift: 33, Width: 1}
	FFull  = ir.Field{Shift: 34, Width: 1} // .precision
	FFast  = ir.Field{Shift: 35, Width: 1}
	FSg    = ir.Field{Shift: 36, Width: 1}
	FCi    = ir.Field{Shift: 37, Width: 1}
	FCo    = ir.Field{Shift: 38, Width: 1}
	FSpace = ir.Field{Shift: 40, Width: 3} // .addrspace, and .to of addrcast; an ir.Space
	FSpFr  = ir.Field{Shift: 43, Width: 3} // .from of addrcast
	FOrder = ir.Field{Shift: 46, Width: 3} // .memorder
	FScope = ir.Field{Shift: 49, Width: 3} // .memscope
	FCache = ir.Field{Shift: 52, Width: 6} // .cc
)

// DType is a data type that a qualifier names (PISA 4.2).
type DType uint8

const (
	NoType DType = iota
	T8b
	T16b
	T32b
	T64b
	T128b
	HF
	BF
	F
	DF
	T8bx4
	T16bx2
	HFx2
	BFx2
	U8
	S8
	U16
	S16
	U32
	S32
	U64
	S64
	U16x2
	S16x2
)

// TypeInfo is what a DType means.
type TypeInfo struct {
	Name   string
	Bits   int     // of one element
	Lanes  int     // elements of a packed type, else 1
	Reg    ir.Type // type of the register that holds it
	Float  bool
	Signed bool // a signed conversion integer
	Elem   DType
}

// Types is indexed by DType.
var Types = [...]TypeInfo{
	T8b:    {"8b", 8, 1, ir.B8, false, false, T8b},
	T16b:   {"16b", 16, 1, ir.B16, false, false, T16b},
	T32b:   {"32b", 32, 1, ir.B32, false, false, T32b},
	T64b:   {"64b", 64, 1, ir.B64, false, false, T64b},
	T128b:  {"128b", 128, 1, ir.B128, false, false, T128b},
	HF:     {"hf", 16, 1, ir.B16, true, false, HF},
	BF:     {"bf", 16, 1, ir.B16, true, false, BF},
	F:      {"f", 32, 1, ir.B32, true, false, F},
	DF:     {"df", 64, 1, ir.B64, true, false, DF},
	T8bx4:  {"8bx4", 8, 4, ir.Vector(4, ir.B8), false, false, T8b},
	T16bx2: {"16bx2", 16, 2, ir.Vector(2, ir.B16), false, false, T16b},
	HFx2:   {"hfx2", 16, 2, ir.Vector(2, ir.B16), true, false, HF},
	BFx2:   {"bfx2", 16, 2, ir.Vector(2, ir.B16), true, false, BF},
	U8:     {"u8", 8, 1, ir.B8, false, false, U8},
	S8:     {"s8", 8, 1, ir.B8, false, true, S8},
	U16:    {"u16", 16, 1, ir.B16, false, false, U16},
	S16:    {"s16", 16, 1, ir.B16, false, true, S16},
	U32:    {"u32", 32, 1, ir.B32, false, false, U32},
	S32:    {"s32", 32, 1, ir.B32, false, true, S32},
	U64:    {"u64", 64, 1, ir.B64, false, false, U64},
	S64:    {"s64", 64, 1, ir.B64, false, true, S64},
	U16x2:  {"u16x2", 16, 2, ir.Vector(2, ir.B16), false, false, U16},
	S16x2:  {"s16x2", 16, 2, ir.Vector(2, ir.B16), false, true, S16},
}

// Info returns the row of t.
func (t DType) Info() *TypeInfo { return &Types[t] }

func (t DType) String() string { return Types[t].Name }

// Packed reports a type of several elements in one 32-bit register.
func (t DType) Packed() bool { return Types[t].Lanes > 1 }

// PlainType returns the untyped .type of a scalar register type, .8b to .128b;
// NoType for a vector or a predicate.
func PlainType(t ir.Type) DType {
	for d := T8b; d <= T128b; d++ {
		if Types[d].Reg == t {
			return d
		}
	}
	return NoType
}

func set[T ~uint8](ts ...T) (m uint64) {
	for _, t := range ts {
		m |= 1 << t
	}
	return m
}

// Round is a rounding mode (PISA 3.2).
type Round uint8

const (
	RE  Round = iota // to nearest, ties to even
	RD               // toward minus infinity
	RU               // toward plus infinity
	RZ               // toward zero
	RNA              // to nearest, ties away from zero
)

// Order is a memory order (PISA 6, memory consistency model).
type Order uint8

const (
	Weak Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SeqCst
)

// Acquires reports an order with acquire semantics.
func (o Order) Acquires() bool { return o == Acquire || o >= AcqRel }

// Releases reports an order with release semantics.
func (o Order) Releases() bool { return o >= Release }

// Scope is a memory scope. In the IR every atomic access and fence states it,
// relaxed ones too, although assembly does not write it there.
type Scope uint8

const (
	NoScope Scope = iota
	Subgroup
	Workgroup
	GPU
	System
)

// Cmp is a comparison (.cop).
type Cmp uint8

const (
	EQ Cmp = iota
	NE
	GT
	GE
	LT
	LE
)

// AtomicOp is the operation of iatom and fatom (.op).
type AtomicOp uint8

const (
	AtomAdd AtomicOp = iota
	AtomSub
	AtomSMin
	AtomSMax
	AtomUMin
	AtomUMax
	AtomAnd
	AtomOr
	AtomXor
	AtomXchg
	AtomCas
	AtomInc
	AtomDec
	AtomIncWrap
	AtomDecWrap
	AtomMin // fatom
	AtomMax // fatom
)

// Sources returns how many source registers the operation takes.
func (a AtomicOp) Sources() int {
	switch a {
	case AtomInc, AtomDec:
		return 0
	case AtomCas:
		return 2
	}
	return 1
}

// RedOp is the operation of ired and fred.
type RedOp uint8

const (
	RedSum RedOp = iota
	RedSMin
	RedSMax
	RedUMin
	RedUMax
	RedAnd
	RedOr
	RedXor
	RedAbsMax
	RedMin // fred
	RedMax // fred
)

// ShflOp is the direction of shfl.
type ShflOp uint8

const (
	ShflUp ShflOp = iota
	ShflDn
	ShflXor
	ShflIdx
)

// Sign is dp4a's .signedness: of src1, then of src2.
type Sign uint8

const (
	SignSS Sign = iota
	SignSU
	SignUS
	SignUU
)

// Output is what sdiv and udiv give; Dir is the half that shf gives.
const (
	OutQuo = 0
	OutRem = 1
	DirL   = 0
	DirR   = 1
)

// SReg is a special register (PISA 4.4).
type SReg uint8

const (
	SActiveMask SReg = iota
	SEnqueuedLocalSize
	SGlobalOffset
	SGlobalSize
	SGroupCount
	SGroupID
	SLaneID
	SLocalID
	SLocalSize
	SPrintfBuffer
	SSubgroupSize
	SWorkDim
)

// SpecialRegs is indexed by SReg: name without %, type of the whole register.
var SpecialRegs = [...]struct {
	Name string
	Type ir.Type
}{
	SActiveMask:        {"activemask", ir.B32},
	SEnqueuedLocalSize: {"enqueuedlocalsize", ir.Vector(3, ir.B32)},
	SGlobalOffset:      {"globaloffset", ir.Vector(3, ir.B64)},
	SGlobalSize:        {"globalsize", ir.Vector(3, ir.B64)},
	SGroupCount:        {"groupcount", ir.Vector(3, ir.B32)},
	SGroupID:           {"groupid", ir.Vector(3, ir.B32)},
	SLaneID:            {"laneid", ir.B32},
	SLocalID:           {"localid", ir.Vector(3, ir.B32)},
	SLocalSize:         {"localsize", ir.Vector(3, ir.B32)},
	SPrintfBuffer:      {"printfbuffer", ir.B64},
	SSubgroupSize:      {"subgroupsize", ir.B32},
	SWorkDim:           {"workdim", ir.B32},
}

// Cache is a cache control (.cc): a hint, checked and carried but without
// effect on the code.
type Cache uint8

const (
	CacheNone Cache = iota
	CacheUC         // atomics: uc
	CacheL2wb
	CacheL3wb
	CacheRI    // weak loads: read invalidate
	cacheFirst // then the L1.L2.L3 combinations in the order of cacheNames
)

var cacheNames = []string{
	"", "uc", "L2wb", "L3wb", "ri",
	"L1uc.L2uc.L3uc", // loads and stores
	"L1uc.L2uc.L3c", "L1uc.L2c.L3uc", "L1uc.L2c.L3c",
	"L1c.L2uc.L3uc", "L1c.L2uc.L3c", "L1c.L2c.L3uc", "L1c.L2c.L3c",
	"L1s.L2uc.L3uc", // loads and stores
	"L1s.L2uc.L3c", "L1s.L2c.L3uc", "L1s.L2c.L3c",
	"L1uc.L2uc.L3wb", "L1uc.L2wb.L3uc", "L1uc.L2wb.L3wb",
	"L1wt.L2uc.L3uc", "L1wt.L2uc.L3wb", "L1wt.L2wb.L3uc", "L1wt.L2wb.L3wb",
	"L1s.L2uc.L3wb", "L1s.L2wb.L3uc",
	"L1wb.L2uc.L3uc", "L1wb.L2wb.L3uc", "L1wb.L2uc.L3wb",
}

// Sets of cache controls: of atomics, weak loads and weak stores.
const (
	ccAtomic = 0b1110
	ccLoad   = 0xfff<<5 | 1<<4
	ccStore  = 1<<5 | 1<<13 | 0xfff<<17
)

var (
	typeNames  = typeNameTable()
	vecLanes   = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64}
	vecNames   = []string{"", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v16", "v32", "v64"}
	roundNames = []string{"re", "rd", "ru", "rz", "rna"}
	orderNames = []string{"weak", "relaxed", "acquire", "release", "acq_rel", "seq_cst"}
	scopeNames = []string{"", "subgroup", "workgroup", "gpu", "system"}
	cmpNames   = []string{"eq", "ne", "gt", "ge", "lt", "le"}
	spaceNames = []string{"", "generic", "global", "shared", "private", "const"}
	atomNames  = []string{"add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor", "xchg", "cas", "inc", "dec", "incwrap", "decwrap", "min", "max"}
	redNames   = []string{"sum", "smin", "smax", "umin", "umax", "and", "or", "xor", "absmax", "min", "max"}
	shflNames  = []string{"up", "dn", "xor", "idx"}
	signNames  = []string{"ss", "su", "us", "uu"}
	outNames   = []string{"quo", "rem"}
	dirNames   = []string{"l", "r"}
	sregNames  = sregNameTable()
	compNames  = []string{"", "x", "y", "z"}
)

func typeNameTable() []string {
	names := make([]string, len(Types))
	for i := range Types {
		names[i] = Types[i].Name
	}
	return names
}

func sregNameTable() []string {
	names := make([]string, len(SpecialRegs))
	for i := range SpecialRegs {
		names[i] = SpecialRegs[i].Name
	}
	return names
}

// VecCode returns the value of FVec for n lanes (1 for a scalar).
func VecCode(n int) (uint64, bool) {
	for i, l := range vecLanes {
		if l == n {
			return uint64(i), true
		}
	}
	return 0, false
}

// Readers of Props.

func TypeOf(p uint64) DType            { return DType(FType.Get(p)) }
func FromOf(p uint64) DType            { return DType(FFrom.Get(p)) }
func LanesOf(p uint64) int             { return vecLanes[FVec.Get(p)] }
func SpaceOf(p uint64) ir.Space        { return ir.Space(FSpace.Get(p)) }
func FromSpaceOf(p uint64) ir.Space    { return ir.Space(FSpFr.Get(p)) }
func RoundOf(p uint64) Round           { return Round(FRound.Get(p)) }
func OrderOf(p uint64) Order           { return Order(FOrder.Get(p)) }
func ScopeOf(p uint64) Scope           { return Scope(FScope.Get(p)) }
func IndexOf(p uint64) int             { return int(FIndex.Get(p)) }
func OpOf(p uint64) uint8              { return uint8(FOp.Get(p)) }
func Has(p uint64, flag ir.Field) bool { return flag.Get(p) != 0 }

// VisibleScope is the scope in which a memory access or fence can matter. Shared
// memory is visible in the work-group only, so that no wider scope means more
// there. A relaxed access without scope is one of the system (PISA 6 knows none
// narrower), other ordered ones are of the GPU.
func VisibleScope(p uint64) Scope {
	if SpaceOf(p) == ir.SpaceShared {
		return Workgroup
	}
	if s := ScopeOf(p); s != NoScope {
		return s
	}
	if OrderOf(p) == Relaxed {
		return System
	}
	return GPU
}

// Qualifiers, as rows use them.

func enum(name string, f ir.Field, names []string, allowed uint64) ir.Qual {
	return ir.Qual{Name: name, Field: f, Names: names, Allowed: allowed}
}

func flagQual(name string, f ir.Field) ir.Qual {
	return ir.Qual{Name: name, Field: f, Form: ir.QualFlag, Names: []string{"", name}, Optional: true}
}

// opt makes q optional with default value def.
func opt[T ~uint8](q ir.Qual, def T) ir.Qual {
	q.Optional, q.Default = true, uint64(def)
	return q
}

func must(q ir.Qual) ir.Qual { q.Optional = false; return q }

func typ(ts ...DType) ir.Qual   { return enum("type", FType, typeNames, set(ts...)) }
func toT(ts ...DType) ir.Qual   { return enum("to", FType, typeNames, set(ts...)) }
func fromT(ts ...DType) ir.Qual { return enum("from", FFrom, typeNames, set(ts...)) }

func space(ss ...ir.Space) ir.Qual { return enum("addrspace", FSpace, spaceNames, set(ss...)) }

func order(os ...Order) ir.Qual { return enum("memorder", FOrder, orderNames, set(os...)) }

func scope(ss ...Scope) ir.Qual { return enum("memscope", FScope, scopeNames, set(ss...)) }

func vec(names ...int) ir.Qual {
	var m uint64
	for _, n := range names {
		c, _ := VecCode(n)
		m |= 1 << c
	}
	return enum("vec", FVec, vecNames, m)
}

func atom(ops ...AtomicOp) ir.Qual { return enum("op", FOp, atomNames, set(ops...)) }

func red(ops ...RedOp) ir.Qual { return enum("op", FOp, redNames, set(ops...)) }

func cache(allowed uint64) ir.Qual { return opt(enum("cc", FCache, cacheNames, allowed), CacheNone) }

var (
	qFtz    = flagQual("ftz", FFtz)
	qDsat   = flagQual("dsat", FDsat)
	qNanp   = flagQual("nanp", FNanp)
	qSg     = flagQual("sg", FSg)
	qCi     = must(flagQual("ci", FCi))
	qCo     = must(flagQual("co", FCo))
	qFull   = must(flagQual("full", FFull))
	qFast   = must(flagQual("fast", FFast))
	qRound  = opt(enum("rndmode", FRound, roundNames, 0), RE)
	qRoundZ = opt(enum("rndmode", FRound, roundNames, 0), RZ)
	qRoundM = enum("rndmode", FRound, roundNames, 0)
	qCop    = enum("cop", FOp, cmpNames, 0)
	qIndex  = ir.Qual{Name: "index", Field: FIndex, Form: ir.QualInt}
	qBfn    = ir.Qual{Name: "operation", Field: FOp, Form: ir.QualHex}
	qOut    = opt(enum("output", FOp, outNames, 0), uint8(OutQuo))
	qAnyVec = vec(2, 3, 4, 5, 6, 7, 8, 16, 32, 64)
	qMemVec = opt(vec(2, 3, 4, 8), uint8(0))

	tInt   = typ(T16b, T32b, T64b)
	tFloat = typ(BF, HF, F, DF)
	tTrans = typ(BF, HF, F)
	tPk    = typ(BFx2, HFx2)
	t16x2  = typ(T16bx2)
	t32    = typ(T32b)
)

// String spells o and s as qualifiers do; no scope is empty.
func (o Order) String() string { return orderNames[o] }
func (s Scope) String() string { return scopeNames[s] }
