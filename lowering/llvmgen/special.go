package llvmgen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

var specialRows = []lowering{pisa.ReadSReg: lowerReadSReg}

// Offsets into the implicit arguments of code object version 5 (AMDGPUUsage,
// "Code Object V5 Metadata": hidden_…); those with dimensions are of x.
const (
	hiddenBlockCount   = 0  // u32 each: complete work-groups
	hiddenGroupSize    = 12 // u16 each
	hiddenRemainder    = 18 // u16 each: work-items of the incomplete work-group
	hiddenGlobalOffset = 40 // u64 each
	hiddenGridDims     = 64 // u16
	hiddenPrintfBuffer = 72 // pointer
)

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
		v = e.ZExt(e.hidden(hiddenGroupSize, c, types.I16), types.I32)
	case pisa.SLocalSize:
		v = e.localSize(c)
	case pisa.SGroupCount:
		// The hidden count leaves out an incomplete work-group.
		rest := e.hidden(hiddenRemainder, c, types.I16)
		more := e.ZExt(e.ICmp(enum.IPredNE, rest, llx.I16(0)), types.I32)
		v = e.Add(e.hidden(hiddenBlockCount, c, types.I32), more)
	case pisa.SGlobalSize:
		blocks := e.ZExt(e.hidden(hiddenBlockCount, c, types.I32), types.I64)
		size := e.ZExt(e.hidden(hiddenGroupSize, c, types.I16), types.I64)
		rest := e.ZExt(e.hidden(hiddenRemainder, c, types.I16), types.I64)
		v = e.Add(e.Mul(blocks, size), rest)
	case pisa.SGlobalOffset:
		v = e.hidden(hiddenGlobalOffset, c, types.I64)
	case pisa.SWorkDim:
		v = e.ZExt(e.hidden(hiddenGridDims, 0, types.I16), types.I32)
	case pisa.SPrintfBuffer:
		v = e.hidden(hiddenPrintfBuffer, 0, types.I64)
	default:
		panic("llvmgen: unknown special register")
	}
	e.set(op, 0, v)
}

// localSize is the size of this work-group: the remainder in the last one of
// a dimension that the work-group size does not divide.
func (e *emitter) localSize(c int) value.Value {
	id := e.dimIntrinsic("llvm.amdgcn.workgroup.id.", c)
	whole := e.ICmp(enum.IPredULT, id, e.hidden(hiddenBlockCount, c, types.I32))
	size := e.Select(whole, e.hidden(hiddenGroupSize, c, types.I16), e.hidden(hiddenRemainder, c, types.I16))
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
