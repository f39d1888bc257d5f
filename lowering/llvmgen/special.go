package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/codeobject"
	"pisac/lowering/llvmgen/llx"
)

var specialRows = []lowering{pisa.ReadSReg: lowerReadSReg}

// sregUse is the set of special registers that a module reads: bit
// 4·register + component; all if unknown code may be linked in.
type sregUse uint64

func scanSRegs(m *ir.Module) sregUse {
	var u sregUse
	for _, f := range m.Funcs {
		if f.IsDecl() && f.Kind == ir.FuncDevice {
			return ^sregUse(0)
		}
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for o := b.First(); o != nil; o = o.Next() {
				if o.Code == pisa.ReadSReg {
					u |= 1 << (4*pisa.OpOf(o.Props) + uint8(pisa.IndexOf(o.Props)))
				}
			}
		}
	}
	return u
}

func (u sregUse) has(r pisa.SReg) bool { return u>>(4*r)&15 != 0 }

func (u sregUse) component(r pisa.SReg, c int) bool { return u>>(4*int(r)+1+c)&1 != 0 }

// unused returns the amdgpu-no-… attributes that hold of every function.
func (u sregUse) unused() []string {
	var a []string
	for c, xyz := range []string{"x", "y", "z"} {
		if !u.component(pisa.SLocalID, c) {
			a = append(a, "amdgpu-no-workitem-id-"+xyz)
		}
		if !u.component(pisa.SGroupID, c) && !u.component(pisa.SLocalSize, c) {
			a = append(a, "amdgpu-no-workgroup-id-"+xyz)
		}
	}
	for _, r := range []pisa.SReg{pisa.SEnqueuedLocalSize, pisa.SGlobalOffset, pisa.SGlobalSize, pisa.SGroupCount, pisa.SLocalSize, pisa.SPrintfBuffer, pisa.SWorkDim} {
		if u.has(r) {
			return a
		}
	}
	return append(a, "amdgpu-no-implicitarg-ptr")
}

// lowerReadSReg reads a special register (PISA 4.4).
func lowerReadSReg(e *emitter, op *ir.Op) {
	c := pisa.IndexOf(op.Props) - 1 // dimension; -1 for scalars
	var v value.Value
	switch pisa.SReg(pisa.OpOf(op.Props)) {
	case pisa.SActiveMask:
		v = e.activeMask()
	case pisa.SLaneID:
		v = e.laneID()
	case pisa.SSubgroupSize:
		v = llx.I32(32)
	case pisa.SLocalID:
		v = e.dimIntrinsic("llvm.amdgcn.workitem.id.", c)
	case pisa.SGroupID:
		v = e.dimIntrinsic("llvm.amdgcn.workgroup.id.", c)
	case pisa.SEnqueuedLocalSize:
		v = e.ZExt(e.hidden(codeobject.HiddenGroupSize, c, types.I16), types.I32)
	case pisa.SLocalSize:
		v = e.localSize(c)
	case pisa.SGroupCount:
		// The hidden count leaves out an incomplete work-group.
		rest := e.hidden(codeobject.HiddenRemainder, c, types.I16)
		more := e.ZExt(e.ICmp(enum.IPredNE, rest, llx.I16(0)), types.I32)
		v = e.Add(e.hidden(codeobject.HiddenBlockCount, c, types.I32), more)
	case pisa.SGlobalSize:
		blocks := e.ZExt(e.hidden(codeobject.HiddenBlockCount, c, types.I32), types.I64)
		size := e.ZExt(e.hidden(codeobject.HiddenGroupSize, c, types.I16), types.I64)
		rest := e.ZExt(e.hidden(codeobject.HiddenRemainder, c, types.I16), types.I64)
		v = e.Add(e.Mul(blocks, size), rest)
	case pisa.SGlobalOffset:
		v = e.hidden(codeobject.HiddenGlobalOffset, c, types.I64)
	case pisa.SWorkDim:
		v = e.ZExt(e.hidden(codeobject.HiddenGridDims, 0, types.I16), types.I32)
	case pisa.SPrintfBuffer:
		v = e.hidden(codeobject.HiddenPrintfBuffer, 0, types.I64)
	default:
		panic("llvmgen: unknown special register")
	}
	e.set(op, 0, v)
}

// localSize is the size of this work-group: the remainder in the last one of
// a dimension that the work-group size does not divide.
func (e *emitter) localSize(c int) value.Value {
	id := e.dimIntrinsic("llvm.amdgcn.workgroup.id.", c)
	whole := e.ICmp(enum.IPredULT, id, e.hidden(codeobject.HiddenBlockCount, c, types.I32))
	size := e.Select(whole, e.hidden(codeobject.HiddenGroupSize, c, types.I16), e.hidden(codeobject.HiddenRemainder, c, types.I16))
	return e.ZExt(size, types.I32)
}

func (e *emitter) dimIntrinsic(prefix string, c int) value.Value {
	return e.Intrinsic(prefix+string("xyz"[c]), types.I32, nil)
}

// hidden loads an implicit argument: component c of the array of t at off.
func (e *emitter) hidden(off, c int, t *types.IntType) value.Value {
	size := int(t.BitSize / 8)
	p := e.Intrinsic("llvm.amdgcn.implicitarg.ptr", llx.Ptr(llx.ASConstant), nil)
	// The segment does not change while the kernel runs, and the implicit
	// arguments begin at a multiple of 8.
	return e.Load(t, e.GEP(p, llx.I64(uint64(off+c*size))), llx.Access{Align: size, MD: "!invariant.load !{}"})
}
