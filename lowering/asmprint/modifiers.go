package asmprint

import (
	"strconv"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
)

// modifiers writes what follows the operands of a vector ALU instruction.
func (p *instPrinter) modifiers() {
	if !p.r.VALU() || p.op.Props == 0 && p.op.Code != amdgpu.VFmaMixF32 {
		return
	}
	props := p.op.Props
	srcs := 0
	for i := range p.slots {
		if !p.slots[i].Mask {
			srcs++
		}
	}
	sel := amdgpu.FOpSel.Get(props)
	switch {
	case p.op.Code == amdgpu.VFmaMixF32:
		p.bits(" op_sel:", sel, srcs)
		p.bits(" op_sel_hi:", ^amdgpu.FOpLow.Get(props)&7, srcs)
	case p.r.Family == amdgpu.VOP3P:
		p.bits(" op_sel:", sel, srcs)
		if low := amdgpu.FOpLow.Get(props); low != 0 {
			p.list(" op_sel_hi:", ^low, srcs)
		}
		if p.op.Code != amdgpu.VDot4I32Iu8 || p.t.Generation != target.GFX9 { // CDNA's has signed operands only
			p.bits(" neg_lo:", amdgpu.FNeg.Get(props), srcs)
		}
		p.bits(" neg_hi:", amdgpu.FNegHi.Get(props), srcs)
	case p.op.Code == amdgpu.VPermlane16B32 || p.op.Code == amdgpu.VPermlanex16B32:
		p.bits(" op_sel:", sel, 2)
	case sel != 0:
		// Bit 3 is the result's: the last of the list.
		p.list(" op_sel:", sel&(1<<srcs-1)|sel>>3<<srcs, srcs+1)
	}
	if amdgpu.FClamp.Get(props) != 0 {
		p.b = append(p.b, " clamp"...)
	}
	p.b = append(p.b, omods[amdgpu.FOmod.Get(props)]...)
	if amdgpu.FDpp.Get(props) != 0 {
		p.dpp()
	}
}

var omods = [...]string{"", " mul:2", " mul:4", " div:2"}

// bits writes a list of n bits unless all are 0.
func (p *instPrinter) bits(key string, v uint64, n int) {
	if v&(1<<n-1) != 0 {
		p.list(key, v, n)
	}
}

func (p *instPrinter) list(key string, v uint64, n int) {
	p.b = append(append(p.b, key...), '[')
	for i := range n {
		if i > 0 {
			p.b = append(p.b, ',')
		}
		p.b = append(p.b, '0'+byte(v>>i&1))
	}
	p.b = append(p.b, ']')
}

// dppControls are the ranges of dpp_ctrl (RDNA3 ISA 15.4.? DPP16; CDNA3 ISA
// 13.3.9): first value, name, number of the first.
var dppControls = [...]struct {
	first, last uint64
	text        string
	from        uint64 // number behind the text for first; none: no number
}{
	{0x101, 0x10f, " row_shl:", 1}, {0x111, 0x11f, " row_shr:", 1}, {0x121, 0x12f, " row_ror:", 1},
	{0x130, 0x130, " wave_shl:", 1}, {0x134, 0x134, " wave_rol:", 1}, {0x138, 0x138, " wave_shr:", 1}, {0x13c, 0x13c, " wave_ror:", 1},
	{0x140, 0x140, " row_mirror", none}, {0x141, 0x141, " row_half_mirror", none},
	{0x142, 0x142, " row_bcast:", 15}, {0x143, 0x143, " row_bcast:", 31},
	{0x150, 0x15f, " row_share:", 0}, {0x160, 0x16f, " row_xmask:", 0},
}

const none = ^uint64(0)

// dpp writes which lane operand 0 comes from and which lanes are written.
func (p *instPrinter) dpp() {
	props := p.op.Props
	ctl := amdgpu.FDppCtl.Get(props)
	if ctl < 0x100 {
		p.b = append(p.b, " quad_perm:["...)
		for i := range 4 {
			if i > 0 {
				p.b = append(p.b, ',')
			}
			p.b = append(p.b, '0'+byte(ctl>>(2*i)&3))
		}
		p.b = append(p.b, ']')
	}
	for i := range dppControls {
		c := &dppControls[i]
		if ctl < c.first || ctl > c.last {
			continue
		}
		if c.first == 0x150 && p.t.Generation == target.GFX9 {
			p.b = append(p.b, " row_newbcast:"...)
		} else {
			p.b = append(p.b, c.text...)
		}
		if c.from != none {
			p.b = strconv.AppendUint(p.b, c.from+ctl-c.first, 10)
		}
	}
	p.b = appendHex(append(p.b, " row_mask:"...), ^amdgpu.FRowMsk.Get(props)&15)
	p.b = appendHex(append(p.b, " bank_mask:"...), ^amdgpu.FBnkMsk.Get(props)&15)
	if amdgpu.FBound.Get(props) != 0 {
		p.b = append(p.b, " bound_ctrl:1"...)
	}
}
