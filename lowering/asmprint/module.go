package asmprint

import (
	"fmt"
	"strconv"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/lowering/codeobject"
)

// Kernel is a kernel with what its code does not say.
type Kernel struct {
	Func *ir.Func
	Uses codeobject.Uses
	// ScratchBytes is the private memory of a work-item.
	ScratchBytes int
	// Spills of vector and scalar registers: words.
	VGPRSpills, SGPRSpills int
}

// printer is the state of printing one module.
type printer struct {
	m     *ir.Module
	t     *target.Target
	mode  target.Mode
	names symbols
	host  map[*ir.Var]string
	diags *ir.Diags
	b     []byte
}

// Module prints a complete assembly file: the kernels, which went through the
// machine passes, and the variables of m. What a code object cannot have is
// reported to diags; the text is then nil.
func Module(m *ir.Module, mode target.Mode, kernels []Kernel, diags *ir.Diags) []byte {
	errors := diags.Errors()
	p := &printer{m: m, t: mode.Target, mode: mode, diags: diags}
	p.names, p.host = newSymbols(m, diags)
	p.checkFunctions(len(kernels) > 0)
	for i := range kernels {
		p.checkKernel(&kernels[i])
	}
	if diags.Errors() > errors {
		return nil
	}
	p.line("\t.text")
	p.line("\t.amdgcn_target \"amdgcn-amd-amdhsa--" + p.t.Name + "\"")
	p.line("\t.amdhsa_code_object_version 5")
	counts := make([]Counts, len(kernels))
	for i := range kernels {
		counts[i] = p.kernel(i, &kernels[i])
	}
	if len(kernels) > 0 {
		p.padding()
	}
	p.variables()
	p.line("\t.section\t\".note.GNU-stack\",\"\",@progbits")
	p.metadata(kernels, counts)
	if diags.Errors() > errors {
		return nil
	}
	return p.b
}

func (p *printer) line(parts ...string) {
	for _, s := range parts {
		p.b = append(p.b, s...)
	}
	p.b = append(p.b, '\n')
}

// directive writes a directive with a number.
func (p *printer) directive(name string, v int) {
	p.b = append(append(append(p.b, "\t\t.amdhsa_"...), name...), ' ')
	p.b = append(strconv.AppendInt(p.b, int64(v), 10), '\n')
}

// checkFunctions reports functions that other modules may call, of which there
// is no code: a mistake in a library, a warning beside kernels, which are what
// hosts ask for.
func (p *printer) checkFunctions(kernels bool) {
	for _, f := range p.m.Funcs {
		if f.Kind != ir.FuncDevice || f.Linkage != ir.LinkExport || f.IsDecl() {
			continue
		}
		text := fmt.Sprintf("the native backend has no code for @%s, which other modules may call", f.Name)
		if kernels {
			p.diags.Warn(f.Loc, 0, codeNoFunction, text+": the kernels of this module are all there is")
		} else {
			p.diags.Error(f.Loc, 0, codeCallable, text)
		}
	}
}

func (p *printer) checkKernel(k *Kernel) {
	codeobject.CheckKernel(p.t, k.Func, p.diags)
	if _, total := amdgpu.LDSLayout(k.Func); total > uint64(p.t.LDSBytes) {
		p.diags.Error(k.Func.Loc, 0, codeobject.CodeSharedSize, fmt.Sprintf(
			"the .shared variables of kernel @%s take more than the %d bytes of %s", k.Func.Name, p.t.LDSBytes, p.t.Name))
	}
	if k.ScratchBytes > p.t.PrivateBytes {
		p.diags.Error(k.Func.Loc, 0, codeobject.CodePrivateSize, fmt.Sprintf(
			"the .private variables and spilled registers of kernel @%s take %d bytes; %s has %d for a work-item", k.Func.Name, k.ScratchBytes, p.t.Name, p.t.PrivateBytes))
	}
	if k.ScratchBytes > 0 && !p.t.Has(target.ArchitectedScratch) {
		p.diags.Error(k.Func.Loc, 0, codeScratch, fmt.Sprintf("kernel @%s needs scratch memory, which the native backend does not set up on %s", k.Func.Name, p.t.Name))
	}
}

// kernel prints code and descriptor of one kernel.
func (p *printer) kernel(i int, k *Kernel) Counts {
	name := string(appendName(nil, p.names.of(p.m, k.Func.Symbol())))
	p.line("\t.protected\t", name)
	p.line("\t.globl\t", name)
	p.line("\t.p2align\t8")
	p.line("\t.type\t", name, ",@function")
	p.line(name, ":")
	for b := k.Func.FirstBlock(); b != nil; b = b.Next() {
		if b.FirstPred() != nil {
			p.b = append(appendLabel(p.b, b), ":\n"...)
		}
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == builtin.Const {
				continue
			}
			start := len(p.b)
			p.b = append(p.b, '\t')
			if amdgpu.DualFirst(op) {
				second := amdgpu.DualSecond(op)
				p.b = append(appendDual(p.b, p.t, op, second), '\n')
				op = second
				continue
			}
			if p.b = appendInst(p.b, p.t, op, p.names); len(p.b) == start+1 {
				p.b = p.b[:start]
			} else {
				p.b = append(p.b, '\n')
			}
		}
	}
	c := CountsOf(p.t, k.Func)
	p.descriptor(name, k, c)
	end := ".Lfunc_end" + strconv.Itoa(i)
	p.line("\t.text")
	p.line(end, ":")
	p.line("\t.size\t", name, ", ", end, "-", name)
	return c
}

// descriptor prints the kernel descriptor (AMDGPUUsage, ".amdhsa_kernel").
func (p *printer) descriptor(name string, k *Kernel, c Counts) {
	_, lds := amdgpu.LDSLayout(k.Func)
	live := amdgpu.LiveIns(k.Func)
	_, user := amdgpu.LiveInRegs(p.t, live)
	gfx9 := p.t.Generation == target.GFX9
	p.line("\t.section\t.rodata,\"a\",@progbits")
	p.line("\t.p2align\t6, 0x0")
	p.line("\t.amdhsa_kernel ", name)
	p.directive("group_segment_fixed_size", int(lds))
	p.directive("private_segment_fixed_size", k.ScratchBytes)
	p.directive("kernarg_size", int(kernargSize(k)))
	p.directive("user_sgpr_count", user)
	p.directive("user_sgpr_dispatch_ptr", has(live, amdgpu.LiveDispatch))
	p.directive("user_sgpr_kernarg_segment_ptr", has(live, amdgpu.LiveKernarg))
	if !gfx9 {
		p.directive("wavefront_size32", flag(p.t.Wave == 32))
	}
	p.directive("uses_dynamic_stack", 0)
	if p.t.Has(target.ArchitectedScratch) {
		p.directive("enable_private_segment", flag(k.ScratchBytes > 0))
	}
	p.directive("system_sgpr_workgroup_id_x", has(live, amdgpu.LiveGroupX))
	p.directive("system_sgpr_workgroup_id_y", has(live, amdgpu.LiveGroupY))
	p.directive("system_sgpr_workgroup_id_z", has(live, amdgpu.LiveGroupZ))
	p.directive("system_vgpr_workitem_id", k.Uses.Items)
	p.directive("next_free_vgpr", c.VGPRs)
	p.directive("next_free_sgpr", c.SGPRs)
	if gfx9 {
		p.directive("accum_offset", max((c.VGPRs+3)&^3, 4))
	}
	p.directive("reserve_vcc", flag(c.VCC))
	p.directive("float_round_mode_32", 0)
	p.directive("float_round_mode_16_64", 0)
	p.directive("float_denorm_mode_32", 3)
	p.directive("float_denorm_mode_16_64", 3)
	if p.t.Generation != target.GFX12 {
		p.directive("dx10_clamp", 1) // a clamped NaN is 0, as .dsat has it
		p.directive("ieee_mode", 0)
	}
	if gfx9 {
		p.directive("tg_split", 0)
	} else {
		p.directive("workgroup_processor_mode", flag(p.mode.WGP))
		p.directive("memory_ordered", 1)
	}
	p.line("\t.end_amdhsa_kernel")
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func has(s amdgpu.LiveSet, l amdgpu.LiveIn) int { return flag(s.Has(l)) }

// kernargSize is the bytes of the argument segment.
func kernargSize(k *Kernel) uint64 {
	_, size := amdgpu.ParamOffsets(k.Func.Params)
	if k.Uses.Hidden != 0 {
		size = uint64(amdgpu.HiddenOffset(k.Func)) + codeobject.HiddenBytes
	}
	return size
}

// padding follows the code: instructions are fetched ahead beyond its end.
func (p *printer) padding() {
	if p.t.Generation == target.GFX9 {
		p.line("\t.p2alignl 6, 3212836864") // s_nop 0
		p.line("\t.fill 256, 4, 3212836864")
		return
	}
	p.line("\t.p2alignl 7, 3214868480") // s_code_end
	p.line("\t.fill 96, 4, 3214868480")
}
