package asmprint

import (
	"strconv"
	"strings"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/lowering/codeobject"
)

// metadata prints what the runtime reads: version 1.2, of code object 5
// (AMDGPUUsage, "Code Object V5 Metadata").
func (p *printer) metadata(kernels []Kernel, counts []Counts) {
	p.line("\t.amdgpu_metadata")
	p.line("---")
	if len(kernels) == 0 {
		p.line("amdhsa.kernels:  []")
	} else {
		p.line("amdhsa.kernels:")
	}
	for i := range kernels {
		p.kernelMetadata(&kernels[i], &counts[i])
	}
	p.line("amdhsa.target:   amdgcn-amd-amdhsa--", p.t.Name)
	p.line("amdhsa.version:")
	p.line("  - 1")
	p.line("  - 2")
	p.line("...")
	p.line("\t.end_amdgpu_metadata")
}

func (p *printer) kernelMetadata(k *Kernel, c *Counts) {
	f := k.Func
	_, lds := amdgpu.LDSLayout(f)
	name := p.names.of(p.m, f.Symbol())
	first := true
	put := func(key, value string) {
		head := "    ."
		if first {
			head, first = "  - .", false
		}
		p.b = append(append(append(append(p.b, head...), key...), ": "...), value...)
		p.b = append(p.b, '\n')
	}
	num := func(key string, v int) { put(key, strconv.Itoa(v)) }
	if p.t.Generation == target.GFX9 {
		num("agpr_count", 0)
	}
	if len(f.Params) > 0 || k.Uses.Hidden != 0 {
		put("args", "")
		p.arguments(k)
	}
	num("group_segment_fixed_size", int(lds))
	num("kernarg_segment_align", int(kernargAlign(f)))
	num("kernarg_segment_size", int(kernargSize(k)))
	num("max_flat_workgroup_size", codeobject.MaxGroup(p.t, f))
	put("name", quoted(name))
	num("private_segment_fixed_size", k.ScratchBytes)
	if r := f.ReqdWorkGroupSize; r != [3]uint32{} {
		put("reqd_workgroup_size", "")
		for _, n := range r {
			p.line("      - ", strconv.Itoa(int(n)))
		}
	}
	num("sgpr_count", c.Scalar(p.t))
	num("sgpr_spill_count", k.SGPRSpills)
	put("symbol", quoted(name+".kd"))
	put("uses_dynamic_stack", "false")
	if hint := f.VecTypeHint; isTypeHint(hint) {
		put("vec_type_hint", hint)
	}
	num("vgpr_count", c.VGPRs)
	num("vgpr_spill_count", k.VGPRSpills)
	num("wavefront_size", p.t.Wave)
	if p.t.Generation != target.GFX9 {
		num("workgroup_processor_mode", flag(p.mode.WGP))
	}
}

// kernargAlign is the alignment of the argument segment.
func kernargAlign(f *ir.Func) uint32 {
	a := uint32(8)
	for i := range f.Params {
		a = max(a, f.Params[i].Align)
	}
	return a
}

// arguments lists the parameters, then the implicit ones that are used.
func (p *printer) arguments(k *Kernel) {
	offs, _ := amdgpu.ParamOffsets(k.Func.Params)
	for i := range k.Func.Params {
		a := &k.Func.Params[i]
		head := "      - "
		put := func(key, value string) {
			p.line(head, ".", key, ": ", value)
			head = "        "
		}
		kind, space := "by_value", ""
		switch {
		case a.Space == ir.SpaceGlobal && a.Size == 8:
			kind, space = "global_buffer", "global"
		case a.Space == ir.SpaceConst && a.Size == 8:
			kind, space = "global_buffer", "constant"
		case a.Space == ir.SpaceShared && a.Size == 4:
			kind, space = "dynamic_shared_pointer", "local"
		}
		if space != "" {
			put("address_space", space)
		}
		if !strings.Contains(a.Name, "\x00") {
			put("name", quoted(a.Name))
		}
		put("offset", strconv.FormatUint(offs[i], 10))
		if space == "local" {
			put("pointee_align", strconv.FormatUint(uint64(max(a.PtrAlign, a.Align, 8)), 10))
		}
		put("size", strconv.FormatUint(uint64(a.Size), 10))
		put("value_kind", kind)
	}
	start := int(amdgpu.HiddenOffset(k.Func))
	for i := range codeobject.HiddenArgs {
		if k.Uses.Hidden>>i&1 == 0 {
			continue
		}
		h := &codeobject.HiddenArgs[i]
		p.line("      - .offset: ", strconv.Itoa(start+h.Offset))
		p.line("        .size: ", strconv.Itoa(h.Size))
		p.line("        .value_kind: ", h.Kind)
	}
}

// quoted is a string as the metadata's YAML has it. One that could be a number
// or a truth value needs the tag.
func quoted(s string) string {
	plain := len(s) > 3 // shorter ones may be yes, no, on, y
	for i := range len(s) {
		c := s[i] | 0x20
		plain = plain && (c >= 'a' && c <= 'z' || s[i] == '_' || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '.'))
	}
	switch strings.ToLower(s) {
	case "true", "false", "null":
		plain = false
	}
	if plain {
		return s
	}
	b := []byte(`!str "`)
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			b = append(b, `\x`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, '"'))
}

// isTypeHint reports an OpenCL type name such as float4.
func isTypeHint(s string) bool {
	base := strings.TrimRight(s, "0123456789")
	switch strings.TrimPrefix(base, "u") {
	case "char", "short", "int", "long":
	default:
		if base != "half" && base != "float" && base != "double" {
			return false
		}
	}
	switch s[len(base):] {
	case "", "2", "3", "4", "8", "16":
		return true
	}
	return false
}
