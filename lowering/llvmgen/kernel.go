package llvmgen

import (
	"fmt"
	"strconv"
	"strings"

	lir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu"
	"pisac/ir"
	"pisac/lowering/codeobject"
	"pisac/lowering/llvmgen/llx"
)

// ParamOffsets returns the offset of each kernel parameter in the argument
// block and the size of the block.
func ParamOffsets(params []ir.Param) (offs []uint64, size uint64) { return amdgpu.ParamOffsets(params) }

// declareKernel creates the LLVM function of a kernel.
//
// Every parameter is a `ptr addrspace(4) byref(T) align A`: LLVM lays byref
// parameters out in the kernel-argument segment at the next multiple of A,
// which is PISA's rule, where it would give a plain i32 the alignment 4. T is
// a pointer type where the parameter is declared as a pointer, since LLVM
// derives the kind of argument in the code object's metadata from it.
func (e *emitter) declareKernel(f *ir.Func) *lir.Func {
	possible := codeobject.CheckKernel(e.t, f, e.diags)
	offs, _ := ParamOffsets(f.Params)
	ps := make([]*lir.Param, len(f.Params))
	end := uint64(0)
	for i := range f.Params {
		p := &f.Params[i]
		ps[i] = e.kernelParam(p, offs[i], end)
		end = offs[i] + uint64(p.Size)
	}
	lf := e.M.NewFunc(llvmName(e.names.Kernel(f, e.diags)), types.Void, ps...)
	lf.CallingConv = enum.CallingConvAMDGPUKernel
	lf.Visibility = enum.VisibilityProtected
	lf.FuncAttrs = e.funcAttrs()
	if !possible {
		return lf
	}
	if r := f.ReqdWorkGroupSize; r != [3]uint32{} {
		attach(lf, "reqd_work_group_size", llx.I32(r[0]), llx.I32(r[1]), llx.I32(r[2]))
	}
	// From 1: the last work-group of a grid may be smaller.
	lf.FuncAttrs = append(lf.FuncAttrs, lir.AttrPair{Key: "amdgpu-flat-work-group-size", Value: "1," + strconv.Itoa(codeobject.MaxGroup(e.t, f))})
	if elem, signed, ok := vecTypeHint(f.VecTypeHint); ok {
		attach(lf, "vec_type_hint", llx.Undef(elem), llx.I32(signed))
	}
	return lf
}

// kernelParam creates the LLVM parameter of p, which lies at off; end is where
// the preceding one ends.
func (e *emitter) kernelParam(p *ir.Param, off, end uint64) *lir.Param {
	align := uint64(p.Align)
	if align == 0 {
		align = 8
	}
	var t types.Type = types.NewArray(uint64(p.Size), types.I8)
	switch {
	case p.Space == ir.SpaceGlobal && p.Size == 8:
		t = llx.Ptr(llx.ASGlobal)
	case p.Space == ir.SpaceConst && p.Size == 8:
		t = llx.Ptr(llx.ASConstant)
	case p.Space == ir.SpaceShared && p.Size == 4:
		t = llx.Ptr(llx.ASLocal)
		// The runtime allocates the buffer at the alignment that the metadata
		// states: the parameter's own alignment attribute for a plain pointer,
		// the alignment of the argument for a byref one.
		if (end+3)&^3 == off {
			lp := lir.NewParam(paramName(p), t)
			if p.PtrAlign > 0 {
				lp.Attrs = append(lp.Attrs, lir.Align(p.PtrAlign))
			}
			return lp
		}
		if uint64(p.PtrAlign) > align {
			e.diags.Warn(p.Loc, 0, codePtrAlign, fmt.Sprintf(
				"the host learns the alignment %d, not .ptr_align(%d), of %%%s: give the parameter .align(4), or an alignment that its offset %d has", align, p.PtrAlign, p.Name, off))
		}
	}
	lp := lir.NewParam(paramName(p), llx.Ptr(llx.ASConstant))
	lp.Attrs = append(lp.Attrs, lir.ByRef{Typ: t}, lir.Align(align))
	return lp
}

// paramName is the name by which the metadata lists p; LLVM's names have no
// zero bytes.
func paramName(p *ir.Param) string {
	if strings.Contains(p.Name, "\x00") {
		return ""
	}
	return p.Name
}

// paramPtr returns a pointer to kernel parameter i in the argument segment, to
// be used in the entry block.
func (e *emitter) paramPtr(f *ir.Func, lf *lir.Func, i int) value.Value {
	lp := lf.Params[i]
	if lp.Typ != llx.Ptr(llx.ASLocal) {
		return lp
	}
	// A plain shared pointer: read through the segment like the others, so that
	// ld.param with any offset and width means the same.
	offs, _ := ParamOffsets(f.Params)
	seg := e.Intrinsic("llvm.amdgcn.kernarg.segment.ptr", llx.Ptr(llx.ASConstant), nil)
	return e.GEP(seg, llx.I64(offs[i]))
}

// vecTypeHint reads an OpenCL type name such as float4: the LLVM type, and 1
// if it is signed.
func vecTypeHint(name string) (t types.Type, signed uint32, ok bool) {
	base := strings.TrimRight(name, "0123456789")
	n := 1
	if base != name {
		n, _ = strconv.Atoi(name[len(base):])
	}
	signed = 1
	if strings.HasPrefix(base, "u") {
		base, signed = base[1:], 0
	}
	switch base {
	case "char":
		t = types.I8
	case "short":
		t = types.I16
	case "int":
		t = types.I32
	case "long":
		t = types.I64
	case "half":
		t = types.Half
	case "float":
		t = types.Float
	case "double":
		t = types.Double
	default:
		return nil, 0, false
	}
	switch n {
	case 1:
		return t, signed, true
	case 2, 3, 4, 8, 16:
		return llx.Vec(n, t), signed, true
	}
	return nil, 0, false
}
