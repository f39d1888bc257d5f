package llx

import (
	"strconv"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Builder appends instructions to a block. Value names are left to llir's
// numbering.
type Builder struct {
	M     *ir.Module
	F     *ir.Func  // function being filled
	Block *ir.Block // block being filled

	intrinsics map[string]*ir.Func
}

// NewBuilder returns a builder for functions of m.
func NewBuilder(m *ir.Module) *Builder {
	return &Builder{M: m, intrinsics: map[string]*ir.Func{}}
}

// NewBlock appends a block to the current function without moving to it; an
// empty name leaves it numbered.
func (b *Builder) NewBlock(name string) *ir.Block { return b.F.NewBlock(name) }

// At moves the builder to the end of blk.
func (b *Builder) At(blk *ir.Block) { b.Block = blk }

func (b *Builder) put(i ir.Instruction) { b.Block.Insts = append(b.Block.Insts, i) }

func (b *Builder) op(t types.Type, parts ...part) *Inst {
	i := newInst(t, parts...)
	b.put(i)
	return i
}

func (b *Builder) bin(mnemonic string, x, y value.Value) value.Value {
	return b.op(x.Type(), part{mnemonic, x, false}, part{", ", y, true})
}

// Integer and bitwise arithmetic, of scalars and vectors.
func (b *Builder) Add(x, y value.Value) value.Value  { return b.bin("add ", x, y) }
func (b *Builder) Sub(x, y value.Value) value.Value  { return b.bin("sub ", x, y) }
func (b *Builder) Mul(x, y value.Value) value.Value  { return b.bin("mul ", x, y) }
func (b *Builder) UDiv(x, y value.Value) value.Value { return b.bin("udiv ", x, y) }
func (b *Builder) SDiv(x, y value.Value) value.Value { return b.bin("sdiv ", x, y) }
func (b *Builder) URem(x, y value.Value) value.Value { return b.bin("urem ", x, y) }
func (b *Builder) SRem(x, y value.Value) value.Value { return b.bin("srem ", x, y) }
func (b *Builder) Shl(x, y value.Value) value.Value  { return b.bin("shl ", x, y) }
func (b *Builder) LShr(x, y value.Value) value.Value { return b.bin("lshr ", x, y) }
func (b *Builder) AShr(x, y value.Value) value.Value { return b.bin("ashr ", x, y) }
func (b *Builder) And(x, y value.Value) value.Value  { return b.bin("and ", x, y) }
func (b *Builder) Or(x, y value.Value) value.Value   { return b.bin("or ", x, y) }
func (b *Builder) Xor(x, y value.Value) value.Value  { return b.bin("xor ", x, y) }

// Not is bitwise complement.
func (b *Builder) Not(x value.Value) value.Value {
	it := Elem(x.Type()).(*types.IntType)
	return b.Xor(x, Splat(x.Type(), Int(it, ^uint64(0))))
}

// Neg is two's complement negation.
func (b *Builder) Neg(x value.Value) value.Value { return b.Sub(Zero(x.Type()), x) }

// Floating-point arithmetic in the default environment. flags, where given,
// are fast-math flags such as "afn".
func (b *Builder) FAdd(x, y value.Value, flags ...string) value.Value {
	return b.bin(flagged("fadd ", flags), x, y)
}
func (b *Builder) FSub(x, y value.Value, flags ...string) value.Value {
	return b.bin(flagged("fsub ", flags), x, y)
}
func (b *Builder) FMul(x, y value.Value, flags ...string) value.Value {
	return b.bin(flagged("fmul ", flags), x, y)
}
func (b *Builder) FDiv(x, y value.Value, flags ...string) value.Value {
	return b.bin(flagged("fdiv ", flags), x, y)
}

// FNeg flips the sign bit.
func (b *Builder) FNeg(x value.Value) value.Value {
	return b.op(x.Type(), part{"fneg ", x, false})
}

func flagged(m string, flags []string) string {
	for _, f := range flags {
		m += f + " "
	}
	return m
}

// boolOf is i1 or the vector of i1 shaped like t.
func boolOf(t types.Type) types.Type {
	if n := VecLen(t); n != 0 {
		return Vec(n, types.I1)
	}
	return types.I1
}

// ICmp compares integers or pointers.
func (b *Builder) ICmp(p enum.IPred, x, y value.Value) value.Value {
	return b.op(boolOf(x.Type()), part{"icmp " + p.String() + " ", x, false}, part{", ", y, true})
}

// FCmp compares floating-point values.
func (b *Builder) FCmp(p enum.FPred, x, y value.Value) value.Value {
	return b.op(boolOf(x.Type()), part{"fcmp " + p.String() + " ", x, false}, part{", ", y, true})
}

// Select is c ? x : y.
func (b *Builder) Select(c, x, y value.Value) value.Value {
	return b.op(x.Type(), part{"select ", c, false}, part{", ", x, false}, part{", ", y, false})
}

// Freeze fixes an undefined value to some arbitrary one.
func (b *Builder) Freeze(x value.Value) value.Value {
	return b.op(x.Type(), part{"freeze ", x, false})
}

func (b *Builder) cast(op string, x value.Value, to types.Type) value.Value {
	return b.op(to, part{op, x, false}, part{" to " + to.String(), nil, false})
}

// Conversions. Bitcast returns x itself where nothing changes.
func (b *Builder) Trunc(x value.Value, to types.Type) value.Value { return b.cast("trunc ", x, to) }
func (b *Builder) ZExt(x value.Value, to types.Type) value.Value  { return b.cast("zext ", x, to) }
func (b *Builder) SExt(x value.Value, to types.Type) value.Value  { return b.cast("sext ", x, to) }
func (b *Builder) FPTrunc(x value.Value, to types.Type) value.Value {
	return b.cast("fptrunc ", x, to)
}
func (b *Builder) FPExt(x value.Value, to types.Type) value.Value  { return b.cast("fpext ", x, to) }
func (b *Builder) FPToUI(x value.Value, to types.Type) value.Value { return b.cast("fptoui ", x, to) }
func (b *Builder) FPToSI(x value.Value, to types.Type) value.Value { return b.cast("fptosi ", x, to) }
func (b *Builder) UIToFP(x value.Value, to types.Type) value.Value { return b.cast("uitofp ", x, to) }
func (b *Builder) SIToFP(x value.Value, to types.Type) value.Value { return b.cast("sitofp ", x, to) }
func (b *Builder) PtrToInt(x value.Value, to types.Type) value.Value {
	return b.cast("ptrtoint ", x, to)
}
func (b *Builder) IntToPtr(x value.Value, to types.Type) value.Value {
	return b.cast("inttoptr ", x, to)
}
func (b *Builder) AddrSpaceCast(x value.Value, to types.Type) value.Value {
	return b.cast("addrspacecast ", x, to)
}
func (b *Builder) Bitcast(x value.Value, to types.Type) value.Value {
	if x.Type().Equal(to) {
		return x
	}
	return b.cast("bitcast ", x, to)
}

// ExtractElement reads element i, a constant or a value.
func (b *Builder) ExtractElement(v, i value.Value) value.Value {
	return b.op(Elem(v.Type()), part{"extractelement ", v, false}, part{", ", i, false})
}

// InsertElement returns v with element i replaced.
func (b *Builder) InsertElement(v, e, i value.Value) value.Value {
	return b.op(v.Type(), part{"insertelement ", v, false}, part{", ", e, false}, part{", ", i, false})
}

// Extract and Insert are the forms with a constant index.
func (b *Builder) Extract(v value.Value, i int) value.Value {
	return b.ExtractElement(v, I32(uint32(i)))
}
func (b *Builder) Insert(v, e value.Value, i int) value.Value {
	return b.InsertElement(v, e, I32(uint32(i)))
}

// Shuffle picks elements of x and y; a negative index is poison.
func (b *Builder) Shuffle(x, y value.Value, mask ...int) value.Value {
	var s strings.Builder
	s.WriteString(", <" + strconv.Itoa(len(mask)) + " x i32> <")
	for i, m := range mask {
		if i != 0 {
			s.WriteString(", ")
		}
		if m < 0 {
			s.WriteString("i32 poison")
		} else {
			s.WriteString("i32 " + strconv.Itoa(m))
		}
	}
	s.WriteString(">")
	return b.op(Vec(len(mask), Elem(x.Type())), part{"shufflevector ", x, false}, part{", ", y, false}, part{s.String(), nil, false})
}

// ExtractValue reads field i of a struct of known result type t.
func (b *Builder) ExtractValue(agg value.Value, t types.Type, i int) value.Value {
	return b.op(t, part{"extractvalue ", agg, false}, part{", " + strconv.Itoa(i), nil, false})
}

// Phi places an empty φ of type t; AddIncoming fills it.
func (b *Builder) Phi(t types.Type) *ir.InstPhi {
	p := &ir.InstPhi{Typ: t}
	b.put(p)
	return p
}

// AddIncoming adds an edge to a φ.
func AddIncoming(p *ir.InstPhi, v value.Value, from *ir.Block) {
	p.Incs = append(p.Incs, ir.NewIncoming(v, from))
}

// Terminators.
func (b *Builder) Br(to *ir.Block)                      { b.Block.Term = ir.NewBr(to) }
func (b *Builder) CondBr(c value.Value, t, f *ir.Block) { b.Block.Term = ir.NewCondBr(c, t, f) }
func (b *Builder) Ret(v value.Value)                    { b.Block.Term = ir.NewRet(v) }
func (b *Builder) RetVoid()                             { b.Block.Term = ir.NewRet(nil) }
func (b *Builder) Unreachable()                         { b.Block.Term = ir.NewUnreachable() }
