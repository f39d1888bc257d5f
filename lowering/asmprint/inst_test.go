package asmprint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/tests/disasm"
)

const llvmBin = "/usr/lib/llvm-19/bin/"

func needLLVM(t *testing.T) {
	if !disasm.Present() {
		t.Skip("LLVM 19 is not there")
	}
}

func assemble(t *testing.T, tt *target.Target, text []byte) (obj string, refused map[int]string) {
	t.Helper()
	obj, refused, err := disasm.Assemble(t.TempDir(), tt.Name, text)
	require.NoError(t, err)
	return obj, refused
}

// variants builds ops of all rows in all ways that matter.
type variants struct {
	t    *target.Target
	f    *ir.Func
	bl   ir.Builder
	ops  []*ir.Op
	next int
}

func newVariants(tt *target.Target) *variants {
	m := ir.NewModule(dialects.All(), nil)
	v := &variants{t: tt, f: m.NewFunc("k", ir.FuncKernel)}
	v.bl.AtEnd(v.f.NewBlock())
	return v
}

// reg makes a value of class c in n registers.
func (v *variants) reg(c ir.RegClass, n int) *ir.Value {
	x := v.bl.Value(amdgpu.PUndef, 0, ir.Regs(c, n))
	at := v.next % 64
	v.next += (n + 3) &^ 3
	if c == ir.VGPR {
		x.Reg = ir.VReg(at)
	} else {
		x.Reg = ir.SReg(at)
	}
	return x
}

func (v *variants) imm(bits uint64, n int) *ir.Value {
	return builtin.ConstInt(&v.bl, ir.Bits(n), bits)
}

func (v *variants) mask(reg ir.Reg) *ir.Value {
	x := v.bl.Value(amdgpu.PUndef, 0, ir.Regs(ir.SGPR, v.t.Wave/32))
	x.Reg = reg
	return x
}

// fill makes an operand for a slot: in vector registers if it may be.
func (v *variants) fill(s *amdgpu.Slot) *ir.Value {
	switch {
	case s.Kinds&amdgpu.KSCC != 0:
		x := v.bl.Value(amdgpu.PUndef, 0, ir.SCCBit)
		x.Reg = ir.RegSCC
		return x
	case s.Mask:
		return v.mask(ir.RegVCC)
	case s.Kinds&amdgpu.KV != 0:
		return v.reg(ir.VGPR, int(s.Regs))
	case s.Kinds&amdgpu.KS != 0:
		return v.reg(ir.SGPR, int(s.Regs))
	}
	return v.imm(7, 32)
}

// add makes an op of r, with special at operand i.
func (v *variants) add(r *amdgpu.Row, slots []amdgpu.Slot, props uint64, results bool, i int, special *ir.Value) *ir.Op {
	v.next = 0
	var types []ir.Type
	var regs []ir.Reg
	if results {
		for k := range r.Results {
			x := v.fill(&r.Results[k])
			types, regs = append(types, x.Type), append(regs, x.Reg)
		}
	}
	var srcs []*ir.Value
	for k := range slots {
		if k == i {
			srcs = append(srcs, special)
		} else {
			srcs = append(srcs, v.fill(&slots[k]))
		}
	}
	op := v.bl.OpResults(r.Code, props, 0, types, srcs...)
	for k, reg := range regs {
		op.Result(k).Reg = reg
	}
	if r.Has(amdgpu.Tied) {
		srcs[len(srcs)-1].Reg = op.Result(0).Reg
	}
	v.ops = append(v.ops, op)
	return op
}

// Numbers that are inline constants or literals, as operands of some width.
var numbers = []struct {
	bits  uint64
	width int
}{
	{0, 32}, {64, 32}, {0xfffffff0, 32}, {0xffffffff, 64}, {^uint64(0), 64}, {65, 32}, {0xffffffef, 32}, {0x12345678, 32},
	{0x3f800000, 32}, {0xc0800000, 32}, {0x3e22f983, 32}, {0x3c00, 32}, {0xbc00, 16}, {0xffff, 16}, {0x3118, 16},
	{0x3ff0000000000000, 64}, {0x3fc45f306dc9c882, 64}, {0x4059000000000000, 64}, {0x12345678, 64}, {0x87654321, 64},
	{0x123456789, 64},
}

func (v *variants) row(r *amdgpu.Row) {
	add := func(props uint64) *ir.Op { return v.add(r, r.Operands, props, true, -1, nil) }
	switch {
	case r.Family == amdgpu.SOPP || r.Family == amdgpu.SOPK:
		v.control(r)
		return
	case r.Family == amdgpu.SMEM:
		if r.Code == amdgpu.SMemtime {
			add(0)
			return
		}
		for _, off := range []int64{0, 16, -16, 1<<20 - 1, -1 << 20, 1 << 20, 1<<23 - 1} {
			v.add(r, r.Operands[:1], amdgpu.FOffset.Set(0, uint64(off)), true, -1, nil)
			add(amdgpu.FSoff.Put(1) | amdgpu.FOffset.Set(0, uint64(off)))
		}
		return
	case r.Family == amdgpu.DS:
		add(0)
		if r.TwoAddresses() {
			add(amdgpu.FOffset0.Put(255) | amdgpu.FOffset1.Put(3))
		} else if r.Code != amdgpu.DsSwizzleB32 {
			add(amdgpu.FOffset.Put(4))
			add(amdgpu.FOffset.Put(65535))
			add(amdgpu.FOffset.Put(65536))
		}
		return
	case r.Family == amdgpu.MUBUF:
		for _, c := range cachePolicies {
			add(amdgpu.FCache.Put(uint64(c)))
		}
		return
	case r.Memory():
		v.memory(r)
		return
	}
	add(0)
	for i := range r.Operands {
		s := &r.Operands[i]
		if s.Kinds == amdgpu.KSCC {
			continue
		}
		if s.Mask {
			if !r.Has(amdgpu.FixedVCC) {
				v.add(r, r.Operands, 0, true, i, v.mask(ir.SReg(10)))
			}
			continue
		}
		if s.Kinds&amdgpu.KS != 0 && s.Kinds&amdgpu.KV != 0 {
			v.add(r, r.Operands, 0, true, i, v.reg(ir.SGPR, int(s.Regs)))
		}
		if s.Kinds&amdgpu.KImm != 0 {
			for k, n := range numbers {
				// All numbers for every third row, a third of them for the others.
				if n.width == 64 && s.Regs != 2 || r.Code%3 != 0 && k%3 != int(r.Code%3)-1 {
					continue
				}
				v.add(r, r.Operands, 0, true, i, v.imm(n.bits, n.width))
			}
		}
	}
	if r.Family == amdgpu.VOPC {
		if c, _, class := amdgpu.CmpOf(r.Code); c != amdgpu.LT && !class {
			return // encoded like the first of the type
		}
	}
	if r.VALU() {
		v.modifiers(r)
	}
}

func (v *variants) modifiers(r *amdgpu.Row) {
	add := func(props uint64) { v.add(r, r.Operands, props, true, -1, nil) }
	for i := range min(len(r.Operands), 3) {
		add(amdgpu.FNeg.Put(1 << i))
		add(amdgpu.FAbs.Put(1 << i))
		add(amdgpu.FNeg.Put(1<<i) | amdgpu.FAbs.Put(1<<i))
		add(amdgpu.FOpSel.Put(1 << i))
		add(amdgpu.FOpLow.Put(1 << i))
		add(amdgpu.FNegHi.Put(1 << i))
	}
	add(amdgpu.FOpSel.Put(8))
	add(amdgpu.FClamp.Put(1))
	for i := uint64(1); i < 4; i++ {
		add(amdgpu.FOmod.Put(i))
	}
	for k, ctl := range []uint64{0xe4, 0x1b, 0x101, 0x11f, 0x128, 0x130, 0x138, 0x140, 0x141, 0x142, 0x143, 0x153, 0x161} {
		if r.Code%3 == 0 || k%3 == int(r.Code%3)-1 {
			add(amdgpu.FDpp.Put(1) | amdgpu.FDppCtl.Put(ctl))
		}
	}
	dpp := amdgpu.FDpp.Put(1) | amdgpu.FDppCtl.Put(0x111)
	add(dpp | amdgpu.FRowMsk.Put(5) | amdgpu.FBnkMsk.Put(12) | amdgpu.FBound.Put(1))
	add(dpp | amdgpu.FClamp.Put(1))
	for i := range r.Operands {
		if s := &r.Operands[i]; s.Kinds&amdgpu.KS != 0 && !s.Mask {
			v.add(r, r.Operands, dpp, true, i, v.reg(ir.SGPR, int(s.Regs)))
		}
	}
	// Two scalar operands, the same and different ones; a scalar and a literal.
	if len(r.Operands) >= 2 && r.Operands[0].Kinds&amdgpu.KS != 0 && r.Operands[1].Kinds&amdgpu.KS != 0 && !r.Operands[1].Mask {
		a, b := v.reg(ir.SGPR, int(r.Operands[0].Regs)), v.reg(ir.SGPR, int(r.Operands[1].Regs))
		v.add(r, r.Operands, 0, true, 0, a).SetOperand(1, b)
		if a.Type == b.Type {
			v.add(r, r.Operands, 0, true, 0, a).SetOperand(1, a)
		}
		if r.Operands[0].Kinds&amdgpu.KImm != 0 && r.Operands[0].Regs == 1 && r.Operands[1].Regs == 1 {
			v.add(r, r.Operands, 0, true, 0, v.imm(0x12345, 32)).SetOperand(1, b)
			v.add(r, r.Operands, 0, true, 0, v.imm(0x12345, 32)).SetOperand(1, v.imm(0x12345, 32))
			v.add(r, r.Operands, 0, true, 0, v.imm(0x12345, 32)).SetOperand(1, v.imm(0x12346, 32))
		}
	}
	for i := range r.Results {
		if r.Results[i].Mask {
			v.add(r, r.Operands, 0, true, -1, nil).Result(i).Reg = ir.SReg(12)
			if r.Family == amdgpu.VOPC {
				v.add(r, r.Operands, 0, true, 0, v.imm(0x12345, 32)).Result(i).Reg = ir.SReg(12)
			}
		}
	}
}

var cachePolicies = []amdgpu.CacheBits{0, amdgpu.CacheGLC, amdgpu.CacheGLC | amdgpu.CacheDLC, amdgpu.CacheSLC,
	amdgpu.CacheSC0, amdgpu.CacheSC1, amdgpu.CacheSC0 | amdgpu.CacheSC1, amdgpu.CacheNT,
	amdgpu.CacheNTHint, amdgpu.CacheSE, amdgpu.CacheDEV, amdgpu.CacheSYS, amdgpu.CacheReturn, amdgpu.CacheReturn | amdgpu.CacheSYS,
	amdgpu.CacheReturn | amdgpu.CacheNTHint}

func (v *variants) memory(r *amdgpu.Row) {
	forms := [][]amdgpu.Slot{r.Operands}
	props := []uint64{0}
	if r.Family == amdgpu.Global || r.Family == amdgpu.Scratch {
		forms, props = append(forms, r.Saddr), append(props, amdgpu.FSaddr.Put(1))
	}
	if r.Family == amdgpu.Scratch {
		forms, props = append(forms, r.Operands[1:]), append(props, 0)
	}
	returns := map[target.Generation]amdgpu.CacheBits{target.GFX9: amdgpu.CacheGLC, target.GFX11: amdgpu.CacheGLC, target.GFX12: amdgpu.CacheReturn}[v.t.Generation]
	if v.t.Name == "gfx942" {
		returns = amdgpu.CacheSC0
	}
	for k, slots := range forms {
		for _, off := range []int64{0, 8, -8, 4095, -4096, 4096, -4097, 1<<23 - 1} {
			p := props[k] | amdgpu.FOffset.Set(0, uint64(off))
			if r.Has(amdgpu.Atomic) {
				v.add(r, slots, p|amdgpu.FCache.Put(uint64(returns)), true, -1, nil)
				v.add(r, slots, p, false, -1, nil)
				continue
			}
			v.add(r, slots, p, true, -1, nil)
		}
		for _, c := range cachePolicies {
			ret := c&(amdgpu.CacheGLC|amdgpu.CacheSC0|amdgpu.CacheReturn) != 0
			if !r.Has(amdgpu.Atomic) && c&amdgpu.CacheReturn != 0 {
				continue
			}
			v.add(r, slots, props[k]|amdgpu.FCache.Put(uint64(c)), !r.Has(amdgpu.Atomic) || ret, -1, nil)
		}
	}
}

func (v *variants) control(r *amdgpu.Row) {
	if r.Has(amdgpu.Branches) && r.Code != amdgpu.SEndpgm {
		return // TestModule has labels
	}
	imms := []uint64{0, 1, 3}
	switch r.Code {
	case amdgpu.SEndpgm, amdgpu.SBarrier, amdgpu.SCodeEnd:
		imms = imms[:1]
	case amdgpu.SBarrierSignal, amdgpu.SBarrierWait:
		imms = []uint64{0xffff}
	case amdgpu.SSetregImm32B32:
		imms = []uint64{1 | 3<<11, 1 | 4<<6 | 3<<11, 1 | 23<<6}
	case amdgpu.SMovkI32:
		imms = []uint64{0, 7, 0x7fff, 0x8000, 0xfffe}
	case amdgpu.SWaitcnt:
		for _, vm := range []uint64{0, 5, 62, 63} {
			for _, lgkm := range []uint64{0, 15, 16, 63} {
				v.add(r, r.Operands, amdgpu.FVM.Put(vm)|amdgpu.FLGKM.Put(lgkm), true, -1, nil)
			}
		}
		return
	case amdgpu.SDelayAlu:
		imms = []uint64{1, 9, 5, 1 | 1<<4 | 2<<7, 3 | 2<<4 | 9<<7, 2 | 5<<4 | 7<<7}
	case amdgpu.SWaitcntDepctr:
		imms = []uint64{0xfffe, 0x0fff, 0xfffd, 0xf1ff, 0xffe3, 0x0ffe}
	case amdgpu.SClause:
		imms = []uint64{1, 62}
	case amdgpu.SNop:
		imms = []uint64{0, 7, 15}
	case amdgpu.SWaitLoadcntDscnt, amdgpu.SWaitStorecntDscnt:
		imms = []uint64{0, 0x103}
	}
	for _, imm := range imms {
		v.add(r, r.Operands, amdgpu.FImm.Put(imm), true, -1, nil)
	}
}

// TestInstructions prints every row of every chip in all ways that TestInstructions
// can think of. What Check accepts must assemble, and disassemble to what was
// printed; what Check refuses for its encoding the assembler must refuse too.
func TestInstructions(t *testing.T) {
	needLLVM(t)
	for k := range target.All() {
		tt := &target.All()[k]
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()
			v := newVariants(tt)
			rows := amdgpu.Rows()
			for i := range rows {
				if rows[i].Family != amdgpu.Pseudo && rows[i].Mnemonic(tt) != "" {
					v.row(&rows[i])
				}
			}
			v.check(t)
		})
	}
}

func (v *variants) check(t *testing.T) {
	var text []byte
	var lines, why []string
	for _, op := range v.ops {
		w := amdgpu.CheckOp(v.t, op)
		line := v.print(op)
		if line == "" {
			require.NotEmpty(t, w, "%v has no text", op.Def().Name)
			continue
		}
		lines, why = append(lines, line), append(why, w)
		text = append(append(text, line...), '\n')
	}
	_, refused := assemble(t, v.t, text)
	bad := 0
	fail := func(format string, args ...any) {
		if bad++; bad <= 40 {
			t.Errorf(format, args...)
		}
	}
	var good []string
	var goodText []byte
	for i, line := range lines {
		msg, no := refused[i]
		switch {
		case why[i] == "" && no:
			fail("refused: %s\n\t%s", line, msg)
		case why[i] != "" && !no && !stricter(line, why[i]):
			fail("accepted: %s\n\tCheck: %s", line, why[i])
		case why[i] == "":
			good = append(good, line)
			goodText = append(append(goodText, line...), '\n')
		}
	}
	obj, refused := assemble(t, v.t, goodText)
	if len(refused) > 0 {
		t.FailNow()
	}
	list, err := disasm.Disassemble(v.t.Name, obj)
	require.NoError(t, err)
	require.Len(t, list, 1)
	back := list[0].Insts
	require.Len(t, back, len(good))
	for i, line := range good {
		if !disasm.Alike(line, back[i]) {
			fail("printed  %s\n\tgot back %s", line, back[i])
		}
	}
	t.Logf("%s: %d instructions, %d of them not encodable; %d disagreements", v.t.Name, len(lines), len(lines)-len(good), bad)
}

// print is AppendInst; empty if the op has no text at all.
func (v *variants) print(op *ir.Op) (line string) {
	defer func() {
		if recover() != nil {
			line = ""
		}
	}()
	return string(AppendInst(nil, v.t, op))
}

// stricter reports rules of Check beyond what the assembler knows.
func stricter(line, why string) bool {
	if strings.HasPrefix(line, "v_ldexp_f16") && why == "operand 1 cannot be a literal" { // it is an integer, whatever the assembler thinks
		return true
	}
	for _, s := range []string{
		"an immediate has a sign modifier", "lane controls without dpp", "says otherwise", "depends on the halves",
		"no sign modifiers", "is of no float operand", "no output modifier", "does not clamp", "no such modifier",
		"only packed instructions", "only 32-bit operands come", "beside one of another lane", "-16 is out", "-1048576 is out",
		"no form with lanes", "no absolute values", "no such cache policy", "does not select",
	} {
		if strings.Contains(why, s) {
			return true
		}
	}
	return false
}
