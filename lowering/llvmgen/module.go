package llvmgen

import (
	"slices"
	"strings"

	lir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/codeobject"
	"pisac/lowering/llvmgen/llx"
)

// Emit lowers m for t. What cannot be compiled is reported to diags; the
// result is then nil. m must be verified.
func Emit(m *ir.Module, t *target.Target, opts Options, diags *ir.Diags) *lir.Module {
	out := lir.NewModule()
	out.TargetTriple = "amdgcn-amd-amdhsa"
	e := &emitter{
		Builder: llx.NewBuilder(out), mod: m, t: t, opts: opts, diags: diags,
		locals: map[ir.Aux]value.Value{}, merged: map[*ir.Op][]value.Value{}, names: codeobject.NewNames(m),
	}
	before := diags.Errors()
	e.sregs = scanSRegs(m)
	e.oneWave = slices.ContainsFunc(m.Funcs, func(f *ir.Func) bool { return fitsWave(f, t.Wave) })
	e.calls = newCallGraph(m)
	e.dropUnlaunched()
	e.checkSharedSize()
	e.declare()
	if t.Subgroups() > 1 {
		for _, f := range m.Funcs {
			warnSpinLoops(f, t.Wave, diags)
		}
	}
	for _, f := range m.Funcs {
		if !f.IsDecl() && !e.dropped[f] {
			e.emitFunc(f)
		}
	}
	e.moduleMetadata()
	if diags.Errors() > before {
		return nil
	}
	return out
}

// declare creates every LLVM symbol, so that bodies and initialisers may refer
// to any of them.
func (e *emitter) declare() {
	for _, f := range e.mod.Funcs {
		if !e.dropped[f] {
			e.setFunc(f.Symbol(), e.declareFunc(f))
		}
	}
	for _, v := range e.mod.Vars {
		e.declareVar(v, llvmName(e.names.Var(v, e.diags)))
	}
	for _, f := range e.mod.Funcs {
		for _, v := range f.Vars {
			if v.Space != ir.SpacePrivate && !e.dropped[f] {
				e.declareVar(v, llvmName(e.names.Local(f, v)))
			}
		}
	}
	e.initVars()
}

func (e *emitter) setFunc(a ir.Aux, f *lir.Func) {
	for len(e.funcs) <= int(a) {
		e.funcs = append(e.funcs, nil)
	}
	e.funcs[a] = f
}

// llvmName keeps LLVM from taking a name that begins with "llvm." for an
// intrinsic: after \01 it takes the rest as it stands.
func llvmName(name string) string {
	if strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "\x01") {
		return "\x01" + name
	}
	return name
}

// declareFunc creates the LLVM function of f, without its body.
func (e *emitter) declareFunc(f *ir.Func) *lir.Func {
	if f.Kind == ir.FuncKernel {
		return e.declareKernel(f)
	}
	ps := make([]*lir.Param, len(f.Sig))
	for i, t := range f.Sig {
		ps[i] = lir.NewParam("", llType(t))
	}
	lf := e.M.NewFunc(llvmName(e.names.Internal(f.Name)), llType(f.Ret), ps...)
	switch {
	case f.IsDecl():
	case f.Linkage == ir.LinkExport:
		lf.Visibility = enum.VisibilityProtected
	case !e.calls.live[f]:
		// LLVM 19 crashes on an internal function that nothing reaches.
		lf.Visibility = enum.VisibilityHidden
	default:
		lf.Linkage = enum.LinkageInternal
	}
	lf.FuncAttrs = e.funcAttrs()
	return lf
}

// Attributes that every function has. PISA programs never use the runtime's
// services that the amdgpu-no-… ones name; LLVM would otherwise pass their
// arguments. "convergent" is true of any function, since it may hold
// sub-group operations or a barrier.
var baseAttrs = []lir.FuncAttribute{
	enum.FuncAttrConvergent, enum.FuncAttrNoUnwind,
	// A grid need not be a multiple of the work-group size (%localsize of the
	// last work-group is smaller then).
	lir.AttrPair{Key: "uniform-work-group-size", Value: "false"},
	lir.AttrString("amdgpu-no-hostcall-ptr"),
	lir.AttrString("amdgpu-no-multigrid-sync-arg"),
	lir.AttrString("amdgpu-no-heap-ptr"),
	lir.AttrString("amdgpu-no-default-queue"),
	lir.AttrString("amdgpu-no-completion-action"),
	lir.AttrString("amdgpu-no-queue-ptr"),
	lir.AttrString("amdgpu-no-dispatch-ptr"),
	lir.AttrString("amdgpu-no-dispatch-id"),
	// Native floating-point atomics are emitted only where they are meant
	// (atomic.go); LLVM must not turn them into loops again.
	lir.AttrPair{Key: "amdgpu-unsafe-fp-atomics", Value: "true"},
}

// funcAttrs are the attributes of every function of the module: one group.
func (e *emitter) funcAttrs() []lir.FuncAttribute {
	if len(e.M.AttrGroupDefs) == 0 {
		attrs := append([]lir.FuncAttribute{}, baseAttrs...)
		attrs = append(attrs, lir.AttrPair{Key: "target-cpu", Value: e.t.Name})
		for _, a := range e.sregs.unused() {
			attrs = append(attrs, lir.AttrString(a))
		}
		e.M.AttrGroupDefs = append(e.M.AttrGroupDefs, &lir.AttrGroupDef{FuncAttrs: attrs})
	}
	return []lir.FuncAttribute{e.M.AttrGroupDefs[0]}
}

// moduleMetadata adds the code object version and, if %printfbuffer is read,
// the mark that makes LLVM list the hidden printf buffer among the arguments.
func (e *emitter) moduleMetadata() {
	flag := &metadata.Tuple{MetadataID: -1, Fields: []metadata.Field{
		llx.I32(1), &metadata.String{Value: "amdhsa_code_object_version"}, llx.I32(500),
	}}
	e.M.MetadataDefs = append(e.M.MetadataDefs, flag)
	e.M.NamedMetadataDefs["llvm.module.flags"] = &metadata.NamedDef{Name: "llvm.module.flags", Nodes: []metadata.Node{flag}}
	if e.sregs.has(pisa.SPrintfBuffer) {
		e.M.NamedMetadataDefs["llvm.printf.fmts"] = &metadata.NamedDef{Name: "llvm.printf.fmts"}
	}
}

// attach adds a metadata attachment of i32 constants to a function.
func attach(f *lir.Func, name string, fields ...metadata.Field) {
	f.Metadata = append(f.Metadata, &metadata.Attachment{Name: name, Node: &metadata.Tuple{MetadataID: -1, Fields: fields}})
}
