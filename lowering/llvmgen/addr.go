package llvmgen

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

var addressRows = []lowering{
	pisa.AddrOf:   lowerAddrOf,
	pisa.AddrCast: lowerAddrCast,
	pisa.IsAddr:   lowerIsAddr,
}

// lowerAddrOf gives a variable's or function's address. It is kept as a
// pointer, so that an access through it is one to that variable for LLVM; the
// integer is made where one is asked for.
func lowerAddrOf(e *emitter, op *ir.Op) {
	s := e.mod.Symbol(op.Aux)
	switch {
	case s.Func != nil:
		e.ptrs[op.Result(0).ID] = llx.FuncRef(e.funcs[op.Aux])
	case s.Var.Space == ir.SpacePrivate:
		e.ptrs[op.Result(0).ID] = e.locals[op.Aux]
	default:
		e.ptrs[op.Result(0).ID] = e.vars[op.Aux]
	}
}

// addrInt is the address in p as the integer that PISA sees.
func (e *emitter) addrInt(p value.Value) value.Value {
	t := types.I64
	if as := p.Type().(*llx.PtrType).AddrSpace; as == llx.ASLocal || as == llx.ASPrivate {
		t = types.I32
	}
	if c, ok := p.(*llx.Const); ok {
		return llx.ConstCast("ptrtoint", c, t)
	}
	return e.PtrToInt(p, t)
}

// pointer is the address v as a pointer into address space as.
func (e *emitter) pointer(v *ir.Value, as int) value.Value {
	if p := e.ptrs[v.ID]; p != nil {
		if p.Type() == llx.Ptr(as) {
			return p
		}
		// Global, constant and generic pointers are the same 64 bits.
		if have := p.Type().(*llx.PtrType).AddrSpace; wide(have) && wide(as) {
			if c, ok := p.(*llx.Const); ok {
				return llx.ConstCast("addrspacecast", c, llx.Ptr(as))
			}
			return e.AddrSpaceCast(p, llx.Ptr(as))
		}
	}
	return e.IntToPtr(e.val(v), llx.Ptr(as))
}

func wide(as int) bool { return as == llx.ASFlat || as == llx.ASGlobal || as == llx.ASConstant }

// address is the effective address of op, whose base is operand at: a pointer
// into the op's address space. Offsets are signed (PISA 8, addresses).
func (e *emitter) address(op *ir.Op, at int) value.Value {
	p := e.pointer(op.Operand(at), addrSpaces[pisa.SpaceOf(op.Props)])
	if ir.HasOffset.Get(op.Props) == 0 {
		return p
	}
	return e.displace(p, op.Operand(at+1))
}

// displace adds the offset v, of any width, to p. LLVM sign-extends the index
// of a getelementptr.
func (e *emitter) displace(p value.Value, v *ir.Value) value.Value {
	if c, ok := constOf(v); ok && c == 0 {
		return p
	}
	if p.Type() == llx.Ptr(llx.ASPrivate) {
		if x, k := scaled(v); k != 0 {
			return e.GEPOf(bitsType(8<<k), p, e.val(x))
		}
	}
	return e.GEP(p, e.val(v))
}

// scaled returns x and k if v is x << k, with k of 1 to 3. In 32 bits, as
// addresses of private memory are, both forms wrap alike.
func scaled(v *ir.Value) (x *ir.Value, k uint64) {
	op := v.Op()
	if op == nil || op.Code != pisa.Shl || v.Type != ir.B32 {
		return nil, 0
	}
	c, ok := constOf(op.Operand(1))
	if !ok || c < 1 || c > 3 {
		return nil, 0
	}
	return op.Operand(0), c
}

// source is the index of the first operand behind the address at operand at.
func source(op *ir.Op, at int) int {
	if ir.HasOffset.Get(op.Props) != 0 {
		return at + 2
	}
	return at + 1
}

// lowerAddrCast converts to or from generic addresses (PISA 4.1). The generic
// address of global and constant memory is the address itself.
func lowerAddrCast(e *emitter, op *ir.Op) {
	to, from := addrSpaces[pisa.SpaceOf(op.Props)], addrSpaces[pisa.FromSpaceOf(op.Props)]
	v := op.Operand(0)
	if wide(to) && wide(from) {
		if p := e.ptrs[v.ID]; p != nil {
			e.ptrs[op.Result(0).ID] = p
			return
		}
		e.set(op, 0, e.val(v))
		return
	}
	p := e.pointer(v, from)
	if c, ok := p.(*llx.Const); ok {
		e.ptrs[op.Result(0).ID] = llx.ConstCast("addrspacecast", c, llx.Ptr(to))
		return
	}
	e.ptrs[op.Result(0).ID] = e.AddrSpaceCast(p, llx.Ptr(to))
}

// lowerIsAddr tests in which aperture a generic address lies (PISA 4.13).
func lowerIsAddr(e *emitter, op *ir.Op) {
	p := e.pointer(op.Operand(0), llx.ASFlat)
	in := func(space string) value.Value {
		return e.Intrinsic("llvm.amdgcn.is."+space, types.I1, vals(p))
	}
	var is value.Value
	switch pisa.SpaceOf(op.Props) {
	case ir.SpaceShared:
		is = in("shared")
	case ir.SpacePrivate:
		is = in("private")
	default:
		is = e.Not(e.Or(in("shared"), in("private")))
	}
	e.set(op, 0, e.SExt(is, types.I32))
}
