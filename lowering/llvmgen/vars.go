package llvmgen

import (
	"fmt"

	lir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/ir"
	"pisac/lowering/codeobject"
	"pisac/lowering/llvmgen/llx"
)

// addrSpaces maps PISA's address spaces to those of AMDGPU.
var addrSpaces = [...]int{
	ir.SpaceGeneric: llx.ASFlat,
	ir.SpaceGlobal:  llx.ASGlobal,
	ir.SpaceShared:  llx.ASLocal,
	ir.SpacePrivate: llx.ASPrivate,
	ir.SpaceConst:   llx.ASConstant,
	ir.SpaceParam:   llx.ASConstant,
}

func varAlign(v *ir.Var) int { return codeobject.VarAlign(v) }

func byteArray(n uint64) types.Type { return types.NewArray(n, types.I8) }

// privateType is the type of a .private variable. LLVM keeps small arrays in
// registers, where they are indexed by the element; few programs have elements
// of other than 32 bits.
func privateType(v *ir.Var) types.Type {
	if v.Size > 0 && v.Size%4 == 0 {
		return types.NewArray(v.Size/4, types.I32)
	}
	return byteArray(max(v.Size, 1))
}

func (e *emitter) setVar(a ir.Aux, v value.Value) {
	for len(e.vars) <= int(a) {
		e.vars = append(e.vars, nil)
	}
	e.vars[a] = v
}

// declareVar creates the LLVM global of a variable that is not .private.
func (e *emitter) declareVar(v *ir.Var, name string) {
	g := &lir.Global{ContentType: varType(v), Align: lir.Align(varAlign(v)), Section: v.Section}
	g.SetName(name)
	switch v.Space {
	case ir.SpaceConst:
		g.AddrSpace, g.Immutable = llx.ASConstant, true
	case ir.SpaceShared:
		// A load may be widened past the end of the variable, so that it is padded
		// to its alignment.
		pad := uint64(varAlign(v)) - 1
		g.AddrSpace, g.ContentType = llx.ASLocal, byteArray((v.Size+pad)&^pad)
	default:
		g.AddrSpace = llx.ASGlobal
	}
	switch {
	case v.Linkage == ir.LinkImport:
		g.Linkage = enum.LinkageExternal
	case v.Linkage == ir.LinkExport:
		g.Visibility = enum.VisibilityProtected
	default:
		g.Linkage = enum.LinkageInternal
	}
	e.M.Globals = append(e.M.Globals, g)
	e.setVar(v.Symbol(), llx.GlobalRef(g))
	e.globals = append(e.globals, varGlobal{v, g})
}

// varGlobal pairs a variable with its LLVM global, for the initialiser.
type varGlobal struct {
	v *ir.Var
	g *lir.Global
}

// initParts cuts the initialiser of v into runs: byte arrays, zeros and
// addresses; sym tells which.
func initParts(v *ir.Var, emit func(bytes []byte, zero uint64, sym *ir.Init)) {
	var run []byte
	flush := func() {
		if len(run) > 0 {
			emit(run, 0, nil)
			run = nil
		}
	}
	covered := uint64(0)
	for i := range v.Init {
		it := &v.Init[i]
		covered += it.Size()
		switch {
		case it.Sym != 0:
			flush()
			emit(nil, 0, it)
		case it.Zero > 64:
			flush()
			emit(nil, it.Zero, nil)
		case it.Zero > 0:
			run = append(run, make([]byte, it.Zero)...)
		default:
			run = append(run, it.Bytes...)
		}
	}
	flush()
	if covered < v.Size {
		emit(nil, v.Size-covered, nil)
	}
}

// varType is the LLVM type of the variable: bytes, or a packed structure of
// runs where its initialiser holds addresses or long runs of zeros.
func varType(v *ir.Var) types.Type {
	var fields []types.Type
	initParts(v, func(bytes []byte, zero uint64, sym *ir.Init) {
		switch {
		case sym != nil:
			fields = append(fields, types.I64)
		case zero > 0:
			fields = append(fields, byteArray(zero))
		default:
			fields = append(fields, byteArray(uint64(len(bytes))))
		}
	})
	if len(fields) == 0 {
		return byteArray(v.Size)
	}
	if len(fields) == 1 {
		return fields[0]
	}
	return &types.StructType{Packed: true, Fields: fields}
}

// initVars gives every LLVM global its initial value; all symbols exist.
func (e *emitter) initVars() {
	for _, vg := range e.globals {
		v, g := vg.v, vg.g
		switch {
		case v.Linkage == ir.LinkImport:
		case v.Space == ir.SpaceShared:
			g.Init = llx.Poison(g.ContentType) // not initialised (PISA 4.3)
		default:
			g.Init = e.initValue(v, g.ContentType)
		}
	}
}

func (e *emitter) initValue(v *ir.Var, t types.Type) constant.Constant {
	var fields []constant.Constant
	initParts(v, func(bytes []byte, zero uint64, sym *ir.Init) {
		switch {
		case sym != nil:
			fields = append(fields, e.symbolValue(v, sym))
		case zero > 0:
			fields = append(fields, llx.Zero(byteArray(zero)))
		default:
			fields = append(fields, llx.Bytes(bytes))
		}
	})
	switch st, ok := t.(*types.StructType); {
	case ok:
		return constant.NewStruct(st, fields...)
	case len(fields) == 0:
		return llx.Zero(t)
	}
	return fields[0]
}

// symbolValue is the 64-bit address that an initialiser item names. Global,
// constant and generic addresses are the same numbers.
func (e *emitter) symbolValue(v *ir.Var, it *ir.Init) constant.Constant {
	s := e.mod.Symbol(it.Sym)
	switch {
	case s.Func != nil && s.Func.Kind == ir.FuncDevice:
		return llx.ConstCast("ptrtoint", llx.ConstGEP(llx.FuncRef(e.funcs[it.Sym]), it.Off), types.I64)
	case s.Var != nil && s.Var.Space.AddrBits() == 64:
		return llx.ConstCast("ptrtoint", llx.ConstGEP(e.vars[it.Sym].(*llx.Const), it.Off), types.I64)
	}
	e.diags.Error(v.Loc, 0, codeNoAddress, fmt.Sprintf("the initialiser of @%s names something that has no 64-bit address", v.Name))
	return llx.I64(0)
}

// checkPrivateSize refuses a function whose .private variables exceed what the
// hardware can give a work-item. LLVM lays the frame out behind its first
// bytes and rounds it to the largest alignment.
func (e *emitter) checkPrivateSize(f *ir.Func) {
	limit, end, most := uint64(e.t.PrivateBytes), uint64(codeobject.MinVarAlign), uint64(codeobject.MinVarAlign)
	for _, v := range f.Vars {
		if v.Space != ir.SpacePrivate {
			continue
		}
		align := uint64(varAlign(v))
		most = max(most, align)
		end = (end+align-1)&^(align-1) + min(v.Size, limit+1)
		if (end+most-1)&^(most-1) > limit {
			e.diags.Error(v.Loc, 0, codePrivateSize, fmt.Sprintf(
				"the .private variables of @%s take more than the %d bytes that %s has for a work-item", f.Name, e.t.PrivateBytes, e.t.Name))
			return
		}
	}
}
