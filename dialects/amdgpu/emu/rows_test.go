package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/dialects/host"
	"pisac/ir"
)

var registry = ir.NewRegistry(builtin.Defs(), amdgpu.Defs())

// TestEveryRow executes each instruction of each chip, in all lanes.
func TestEveryRow(t *testing.T) {
	for i := range target.All() {
		tg := &target.All()[i]
		n := 0
		for k := range amdgpu.Rows() {
			r := &amdgpu.Rows()[k]
			if r.Mnemonic(tg) == "" || r.Family == amdgpu.Pseudo && r.Code != amdgpu.PSymaddr || r.Code == amdgpu.SCodeEnd {
				continue
			}
			n++
			for _, memory := range []Memory{Strong, Weak} {
				m := rowKernel(r, tg)
				var ds ir.Diags
				l := &Launch{Local: [3]uint64{64, 1, 1}, Global: [3]uint64{64, 1, 1}, Args: []host.Arg{{Data: make([]byte, 4096)}}, ScratchBytes: 64, NoHazards: true, Memory: memory}
				st := Run(m, tg.Modes()[0], l, &ds)
				require.NotNil(t, st, "%s on %s: %v", r.Name, tg.Name, ds.List)
				require.NotZero(t, st.Instructions)
			}
		}
		require.Greater(t, n, 450)
	}
}

// TestSections: every row of semantics cites its document.
func TestSections(t *testing.T) {
	cite := func(code ir.Code, section string) {
		require.Regexp(t, `^((RDNA[34]|CDNA3) ISA \d+\.\d+|AMDGPUUsage, .*|pisac)$`, section, amdgpu.RowOf(code).Name)
	}
	for _, r := range saluRows {
		cite(r.code, r.section)
	}
	for _, rows := range valuTables {
		for _, r := range rows {
			cite(r.code, r.section)
		}
	}
	for _, r := range carryRows {
		cite(r.code, r.section)
	}
	for _, r := range packedRows {
		cite(r.code, r.section)
	}
	for _, rows := range [][]wholeRow{wholeRows[:], wholePacked[:], crossRows[:], permuteRows[:]} {
		for _, r := range rows {
			cite(r.code, r.section)
		}
	}
}

// kernel builds machine code by hand.
type kernel struct {
	ir.Builder
	m *ir.Module
	f *ir.Func
	t *target.Target
}

func newKernel(tg *target.Target, params int) *kernel {
	k := &kernel{m: ir.NewModule(registry, &ir.Sources{}), t: tg}
	k.f = k.m.NewFunc("k", ir.FuncKernel)
	for range params {
		k.f.Params = append(k.f.Params, ir.Param{Name: "p", Size: 8, Align: 8})
	}
	k.AtEnd(k.f.NewBlock())
	return k
}

func (k *kernel) imm(bits int, v uint64) *ir.Value {
	return builtin.ConstInt(&k.Builder, ir.Bits(bits), v)
}

// def makes an instruction with one result in reg.
func (k *kernel) def(code ir.Code, props uint64, class ir.RegClass, n int, reg ir.Reg, args ...*ir.Value) *ir.Value {
	v := k.Value(code, props, ir.Regs(class, n), args...)
	v.Reg = reg
	return v
}

func (k *kernel) s(n, reg int) *ir.Value { return k.def(amdgpu.PUndef, 0, ir.SGPR, n, ir.SReg(reg)) }
func (k *kernel) v(n, reg int) *ir.Value { return k.def(amdgpu.PUndef, 0, ir.VGPR, n, ir.VReg(reg)) }

func (k *kernel) waitAll() {
	switch k.t.Generation {
	case target.GFX12:
		for _, c := range []ir.Code{amdgpu.SWaitLoadcnt, amdgpu.SWaitStorecnt, amdgpu.SWaitDscnt, amdgpu.SWaitKmcnt} {
			k.Op(c, 0)
		}
	case target.GFX11:
		k.Op(amdgpu.SWaitcntVscnt, 0)
		fallthrough
	default:
		k.Op(amdgpu.SWaitcnt, 0)
	}
}

// prologue leaves in s[2:3] the first argument, in v0 the work-item, in v1 16
// bytes for each, in v[2:3] the argument's address plus that.
func (k *kernel) prologue() {
	karg := k.def(amdgpu.PLivein, amdgpu.FKind.Put(uint64(amdgpu.LiveKernarg)), ir.SGPR, 2, ir.SReg(0))
	item := k.def(amdgpu.PLivein, amdgpu.FKind.Put(uint64(amdgpu.LiveItems)), ir.VGPR, 1, ir.VReg(0))
	k.def(amdgpu.SLoadB64, 0, ir.SGPR, 2, ir.SReg(2), karg)
	k.waitAll()
	k.def(amdgpu.VLshlrevB32, 0, ir.VGPR, 1, ir.VReg(1), k.imm(32, 4), item)
	add := k.OpResults(amdgpu.VAddCoU32, 0, 0, []ir.Type{ir.Regs(ir.VGPR, 1), ir.Regs(ir.SGPR, k.t.Wave/32)}, k.s(1, 2), k.v(1, 1))
	add.Result(0).Reg, add.Result(1).Reg = ir.VReg(2), ir.RegVCC
	k.Op(amdgpu.SNop, amdgpu.FImm.Put(7))
	carry := k.OpResults(amdgpu.VAddCoCiU32, 0, 0, []ir.Type{ir.Regs(ir.VGPR, 1), ir.Regs(ir.SGPR, k.t.Wave/32)}, k.imm(32, 0), k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(4), k.s(1, 3)), add.Result(1))
	carry.Result(0).Reg, carry.Result(1).Reg = ir.VReg(3), ir.RegVCC
}

// operand fills slot i of a row.
func (k *kernel) operand(r *amdgpu.Row, i int, s *amdgpu.Slot) *ir.Value {
	n := int(s.Regs)
	switch {
	case s.Kinds == amdgpu.KSCC:
		v := k.Value(amdgpu.PUndef, 0, ir.SCCBit)
		v.Reg = ir.RegSCC
		return v
	case s.Mask:
		v := k.s(k.t.Wave/32, 0)
		v.Reg = ir.RegVCC
		return v
	case r.Family == amdgpu.SMEM && i == 0:
		return k.s(2, 2)
	case r.Family == amdgpu.DS && i == 0:
		return k.v(1, 1)
	case r.Family == amdgpu.Scratch && i == 0:
		return k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(5), k.imm(32, 16))
	case (r.Family == amdgpu.Flat || r.Family == amdgpu.Global) && i == 0:
		return k.v(2, 2)
	case r.Code == amdgpu.VLshlAddU64 && i == 1, s.Kinds == amdgpu.KImm:
		return k.imm(32, 1)
	case s.Kinds&amdgpu.KV != 0:
		return k.v(n, 16+8*i)
	}
	return k.s(n, 16+8*i)
}

// rowKernel is a kernel around one instruction.
func rowKernel(r *amdgpu.Row, tg *target.Target) *ir.Module {
	k := newKernel(tg, 1)
	k.f.Vars = nil
	shared := k.m.NewVar("lds", ir.SpaceShared, k.f)
	shared.Size = 4096 + 512
	g := k.m.NewVar("g", ir.SpaceGlobal, nil)
	g.Size = 16
	k.prologue()
	for _, results := range []bool{true, false} {
		if !results && (len(r.Results) == 0 || !r.Results[0].Opt) {
			continue
		}
		if r.Code == amdgpu.SBarrierWait {
			k.Op(amdgpu.SBarrierSignal, 0)
		}
		k.one(r, results)
		k.waitAll()
		if r.Code == amdgpu.SBarrierSignal {
			k.Op(amdgpu.SBarrierWait, 0)
		}
	}
	k.Op(amdgpu.SEndpgm, 0)
	return k.m
}

func (k *kernel) one(r *amdgpu.Row, results bool) {
	var args []*ir.Value
	for i := range r.Operands {
		if s := &r.Operands[i]; !s.Opt || r.Family == amdgpu.Scratch {
			args = append(args, k.operand(r, i, s))
		}
	}
	if r.Code == amdgpu.SEndpgm {
		return
	}
	var types []ir.Type
	var regs []ir.Reg
	for i := range r.Results {
		if !results {
			break
		}
		s := &r.Results[i]
		switch {
		case s.Kinds == amdgpu.KSCC:
			types, regs = append(types, ir.SCCBit), append(regs, ir.RegSCC)
		case s.Mask:
			types, regs = append(types, ir.Regs(ir.SGPR, k.t.Wave/32)), append(regs, ir.RegVCC)
		case s.Kinds == amdgpu.KV:
			types, regs = append(types, ir.Regs(ir.VGPR, int(s.Regs))), append(regs, ir.VReg(48))
		default:
			types, regs = append(types, ir.Regs(ir.SGPR, int(s.Regs))), append(regs, ir.SReg(48))
		}
	}
	if r.Has(amdgpu.Tied) {
		regs[0] = args[len(args)-1].Reg
	}
	props := k.props(r, results)
	if r.Has(amdgpu.Branches) {
		next := k.f.NewBlock()
		targets := []ir.Target{{To: next}}
		if r.Code != amdgpu.SBranch {
			targets = append(targets, ir.Target{To: next})
		}
		k.Branch(r.Code, 0, args, targets...)
		k.AtEnd(next)
		return
	}
	aux := ir.Aux(0)
	if r.Code == amdgpu.PSymaddr {
		aux = k.m.Vars[0].Symbol()
	}
	op := k.OpResults(r.Code, props, aux, types, args...)
	for i, reg := range regs {
		op.Result(i).Reg = reg
	}
}

func (k *kernel) props(r *amdgpu.Row, results bool) uint64 {
	switch {
	case r.Code == amdgpu.SSetregImm32B32:
		return amdgpu.FImm.Put(hwRegMode | 3<<11)
	case r.Code == amdgpu.SWaitcnt:
		return amdgpu.FVM.Put(0) | amdgpu.FLGKM.Put(0)
	case r.Has(amdgpu.Atomic) && r.Family != amdgpu.DS && results:
		return amdgpu.FCache.Put(uint64(returnBit(k.t)))
	}
	return 0
}

func returnBit(t *target.Target) amdgpu.CacheBits {
	switch {
	case t.Generation == target.GFX12:
		return amdgpu.CacheReturn
	case t.Has(target.L2WriteBackAgent):
		return amdgpu.CacheSC0
	}
	return amdgpu.CacheGLC
}
