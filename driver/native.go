package driver

import (
	"slices"
	"sync"
	"time"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/lowering/asmprint"
	"pisac/lowering/codeobject"
	"pisac/lowering/isel"
	"pisac/passes"
	"pisac/passes/analysis"
	"pisac/passes/machine"
)

// The native backend is steps behind those of the pisa dialect, run by the same
// runner, so that every flag about passes holds for them: calls are inlined,
// instructions selected (isel), then the machine passes.

// iselName is the step between the dialects.
const iselName = "isel"

// nativeKernel is a kernel on its way through the native backend.
type nativeKernel struct {
	f    *ir.Func
	ctx  machine.Ctx
	ds   ir.Diags
	uses codeobject.Uses
	// cache is the runner's of the function, for its memory.
	cache *analysis.Cache
	// given: the input was of machine instructions.
	given bool
}

// nativeRows are the steps of the native backend but inlining: names and what
// they do, for flags and lists.
var nativeRows = sync.OnceValue(func() (rows []machine.Pass) {
	rows = append(rows, machine.Pass{Name: iselName, Doc: "Replaces PISA's operations by machine instructions, in the order in which a wave runs the blocks."})
	return append(rows, machine.Passes()...)
})

// isNative reports the name of a step of the native backend.
func isNative(name string) bool {
	for _, r := range nativeRows() {
		if r.Name == name {
			return true
		}
	}
	return false
}

// nativePasses makes passes.Pass rows of the native backend's steps, once for a
// compile: they work on c.kernels.
func (c *compile) nativePasses() []*passes.Pass {
	if c.natives != nil {
		return c.natives
	}
	for _, r := range nativeRows() {
		run := r.Func
		if run == nil {
			run = func(ctx *machine.Ctx, f *ir.Func) { isel.Select(ctx, f, c.iselOptions(c.kernels[f].cache)) }
		}
		isSelect := r.Func == nil
		c.natives = append(c.natives, &passes.Pass{Name: r.Name, Doc: r.Doc, Func: func(pc *passes.Ctx, f *ir.Func) bool {
			k := c.kernels[f]
			if k == nil || isSelect && selected(f) {
				return false
			}
			if isSelect {
				k.uses, k.cache = codeobject.UsesOf(f), pc.Cache
			}
			run(&k.ctx, f)
			return true
		}})
	}
	return c.natives
}

func (c *compile) iselOptions(cache *analysis.Cache) isel.Options {
	opts := isel.Options{FastFPAtomics: c.o.FPAtomics == "fast", Cache: cache}
	switch c.o.SystemAtomic {
	case "native":
		opts.SystemAtomics = isel.SystemNative
	case "cas":
		opts.SystemAtomics = isel.SystemCAS
	}
	return opts
}

// inlining is what stands before instruction selection: the first step alone at
// -O0.
var inlining = sync.OnceValue(func() passes.Pipeline {
	var src ir.Sources
	var ds ir.Diags
	pl := passes.ParsePipeline(src.Add("native", []byte("inline{size=1048576 growth=1048576},"+
		"simplifycfg{if=inline},sroa{if=inline},canonicalize{if=inline}")), &ds)
	pl[0].Required = true
	return pl
})

// nativeSteps is what follows the pipeline of -O. Inlining comes first: there
// are no calls in machine code.
func (c *compile) nativeSteps() passes.Pipeline {
	pl := inlining()
	if c.o.OptLevel == 0 {
		pl = pl[:1]
	}
	pl = slices.Clone(pl)
	levels := nativeRows()
	for i, p := range c.nativePasses() {
		if c.o.OptLevel < levels[i].Level {
			continue
		}
		s := passes.NewStep(p)
		s.Required = levels[i].Level == 0
		pl = append(pl, s)
	}
	return pl
}

// startNative gives each kernel of m its state, before the steps run.
func (c *compile) startNative(m *ir.Module) {
	c.mode = c.chip().Modes()[0]
	c.kernels = map[*ir.Func]*nativeKernel{}
	for _, f := range m.Funcs {
		if f.Kind != ir.FuncKernel || f.IsDecl() {
			continue
		}
		k := &nativeKernel{f: f}
		k.ctx = machine.Ctx{Target: c.chip(), Mode: c.mode, Diags: &k.ds, OptLevel: c.o.OptLevel, Verify: c.o.VerifyEach && !c.o.NoVerify}
		if k.given = selected(f); k.given {
			k.uses.Items = 2 // what it reads is not to be seen any more
		}
		c.kernels[f] = k
	}
}

// selected reports a kernel of machine instructions.
func selected(f *ir.Func) bool {
	for op := f.Entry().First(); op != nil; op = op.Next() {
		if op.Code != builtin.Const {
			return amdgpu.IsMachine(op.Code)
		}
	}
	return false
}

// givenUp reports a kernel that the native backend has refused.
func (c *compile) givenUp(f *ir.Func) bool {
	k := c.kernels[f]
	return k != nil && k.ds.HasErrors()
}

// endNative takes over what the steps reported, in the order of the module.
func (c *compile) endNative(m *ir.Module) {
	for _, f := range m.Funcs {
		if k := c.kernels[f]; k != nil {
			c.ds.Append(&k.ds)
			k.ds = ir.Diags{}
		}
	}
}

// encodable is what of f the chip has no encoding for, behind instruction
// selection.
func (c *compile) encodable(f *ir.Func) string {
	if f == nil || c.kernels[f] == nil || !selected(f) {
		return ""
	}
	if err := amdgpu.Check(c.chip(), f); err != nil {
		return err.Error()
	}
	return ""
}

// native is the kernels of m, final machine code, in the order of the module,
// and the mode that they were compiled for. m has been through optimise with
// the native steps.
func (c *compile) native(m *ir.Module) (kernels []asmprint.Kernel, mode target.Mode) {
	for _, f := range m.Funcs {
		k := c.kernels[f]
		if k == nil {
			continue
		}
		a := asmprint.Kernel{Func: f, Uses: k.uses}
		a.VGPRSpills, a.SGPRSpills, a.ScratchBytes = machine.SpillCounts(f)
		kernels = append(kernels, a)
	}
	return kernels, c.mode
}

// nativeOutput is the assembly of m, or the object made of it.
func (c *compile) nativeOutput(m *ir.Module) []byte {
	start := time.Now()
	kernels, mode := c.native(m)
	for i := range kernels {
		k := &kernels[i]
		if !c.kernels[k.Func].given {
			continue
		}
		if op, why := asmprint.Final(c.chip(), k.Func); op != nil {
			c.ds.Error(op.Loc, ir.NoLoc, asmprint.CodeNotFinal, op.Def().Name+" in @"+k.Func.Name+" has no assembly: "+why)
		}
	}
	if c.ds.HasErrors() {
		return nil
	}
	text := asmprint.Module(m, mode, kernels, &c.ds)
	c.phase("assembly", start, nil, nil)
	if text == nil || c.o.Emit == EmitAsm || c.o.Werror && c.warned() {
		return text
	}
	start = time.Now()
	defer func() { c.phase("LLVM", start, nil, nil) }()
	return c.assemble(text)
}

// assemble turns assembly into an object or a code object.
func (c *compile) assemble(text []byte) []byte {
	mc, lld := c.tools("llvm-mc")
	if c.tool != nil {
		return nil
	}
	out, ok := c.runTool(text, mc, "-triple=amdgcn-amd-amdhsa", "-mcpu="+c.chip().Name, "-filetype=obj", "-o", "-", "-")
	if !ok || c.o.Emit == EmitObj {
		return out
	}
	return c.link(lld, out)
}
