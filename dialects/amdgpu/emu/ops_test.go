package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// opCase is one execution of an instruction with known result.
type opCase struct {
	code    ir.Code
	a, b, c uint64
	want    uint64
}

// TestVectorValues: results worked out by hand from the documents' formulas.
func TestVectorValues(t *testing.T) {
	const (
		one, two, half1, minus1 = 0x3f800000, 0x40000000, 0x3f000000, 0xbf800000
		inf, nan, tiny          = 0x7f800000, 0x7fc00000, 1
	)
	for _, c := range []opCase{
		{amdgpu.VBfrevB32, 0x80000001, 0, 0, 0x80000001},
		{amdgpu.VClzI32U32, 0, 0, 0, 0xffffffff},
		{amdgpu.VClzI32U32, 0x00010000, 0, 0, 15},
		{amdgpu.VCtzI32B32, 0x00010000, 0, 0, 16},
		{amdgpu.VClsI32, 0xfffffff0, 0, 0, 28},
		{amdgpu.VClsI32, 0x0000000f, 0, 0, 28},
		{amdgpu.VClsI32, 0, 0, 0, 0xffffffff},
		{amdgpu.VSubrevNcU32, 5, 3, 0, 0xfffffffe},
		{amdgpu.VLshlrevB32, 33, 1, 0, 2},
		{amdgpu.VAshrrevI32, 4, 0x80000000, 0, 0xf8000000},
		{amdgpu.VMulU32U24, 0xff000003, 0x01000002, 0, 6},
		{amdgpu.VMulI32I24, 0x00ffffff, 2, 0, 0xfffffffe},
		{amdgpu.VMulHiI32I24, 0x00800000, 0x00800000, 0, 0x4000},
		{amdgpu.VMulHiI32I24, 0x00ffffff, 1, 0, 0xffffffff},
		{amdgpu.VMulHiU32, 0xffffffff, 0xffffffff, 0, 0xfffffffe},
		{amdgpu.VMulHiI32, 0xffffffff, 2, 0, 0xffffffff},
		{amdgpu.VMadI32I24, 0x00ffffff, 3, 10, 7},
		{amdgpu.VBfeU32, 0xabcd1234, 8, 8, 0x12},
		{amdgpu.VBfeI32, 0x0000f000, 12, 4, 0xffffffff},
		{amdgpu.VBfeI32, 0xffffffff, 0, 0, 0},
		{amdgpu.VBfeI32, 0xf0000000, 28, 8, 0x0f}, // the field runs over the top: zeros come in
		{amdgpu.VBfiB32, 0x0000ffff, 0x11112222, 0x33334444, 0x33332222},
		{amdgpu.VBfmB32, 4, 8, 0, 0xf00},
		{amdgpu.VAlignbitB32, 0x11112222, 0x33334444, 16, 0x22223333},
		{amdgpu.VAlignbyteB32, 0x11112222, 0x33334444, 1, 0x22333344},
		{amdgpu.VPermB32, 0x44332211, 0x88776655, 0x07000304, 0x44558811},
		{amdgpu.VPermB32, 0x80002211, 0x80778055, 0x0c0d0b08, 0x00ffffff},
		{amdgpu.VLshlAddU32, 3, 4, 5, 53},
		{amdgpu.VAddLshlU32, 3, 4, 5, 224},
		{amdgpu.VXadU32, 5, 3, 10, 16},
		{amdgpu.VAndOrB32, 6, 3, 8, 10},
		{amdgpu.VMed3U32, 9, 1, 5, 5},
		{amdgpu.VMed3I32, 0xffffffff, 1, 5, 1},
		{amdgpu.VBcntU32B32, 0xf0f0, 100, 0, 108},
		{amdgpu.VCvtPkU16U32, 0x12345, 7, 0, 0x7ffff},
		{amdgpu.VCvtPkI16I32, 0xfffe0000, 0x12345, 0, 0x7fff8000},
		{amdgpu.VSadU32, 3, 10, 100, 107},
		{amdgpu.VLshlAddU64, 0x100000000, 3, 5, 0x800000005},
		{amdgpu.VLshrrevB64, 68, 0x100, 0, 0x10},
		{amdgpu.VAshrrevI64, 4, 1 << 63, 0, 0xf8 << 56},

		{amdgpu.VAddF32, one, one, 0, two},
		{amdgpu.VSubF32, one, two, 0, minus1},
		{amdgpu.VSubrevF32, two, one, 0, minus1},
		{amdgpu.VMulF32, inf, 0, 0, nan},
		{amdgpu.VMinF32, nan, one, 0, one},
		{amdgpu.VMaxF32, one, nan, 0, one},
		{amdgpu.VMinF32, 0, 0x80000000, 0, 0x80000000},
		{amdgpu.VMaxF32, 0x80000000, 0, 0, 0},
		{amdgpu.VMed3F32, two, minus1, one, one},
		{amdgpu.VMed3F32, nan, two, one, one},
		{amdgpu.VFmaF32, 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}, // (1+u)² - (1+2u) = u²
		{amdgpu.VLdexpF32, one, 0xffffff6b, 0, tiny},                     // 2^-149
		{amdgpu.VLdexpF64, 0x3ff0000000000000, 0xfffffbce, 0, 1},         // 2^-1074
		{amdgpu.VRcpF32, two, 0, 0, half1},
		{amdgpu.VRcpF32, tiny, 0, 0, inf}, // denormals are flushed
		{amdgpu.VRcpF32, 0x7f000000, 0, 0, 0},
		{amdgpu.VRsqF32, 0x40800000, 0, 0, half1},
		{amdgpu.VRsqF32, minus1, 0, 0, nan},
		{amdgpu.VSqrtF32, 0x40800000, 0, 0, two},
		{amdgpu.VExpF32, 0x40400000, 0, 0, 0x41000000},
		{amdgpu.VLogF32, 0x41000000, 0, 0, 0x40400000},
		{amdgpu.VLogF32, 0, 0, 0, 0xff800000},
		{amdgpu.VSinF32, 0x3e800000, 0, 0, one}, // a quarter turn
		{amdgpu.VCosF32, half1, 0, 0, minus1},
		{amdgpu.VSinF32, 0x8d800000, 0, 0, 0x8ec90fdb}, // -2^-100 turns: -2π 2^-100
		{amdgpu.VFractF32, 0xb3000000, 0, 0, 0x3f7fffff},
		{amdgpu.VFractF32, 0x3fc00000, 0, 0, half1},
		{amdgpu.VRndneF32, 0x40200000, 0, 0, two}, // 2.5
		{amdgpu.VFloorF32, 0xbf000000, 0, 0, minus1},
		{amdgpu.VCeilF32, 0xbf000000, 0, 0, 0x80000000},
		{amdgpu.VFrexpMantF32, 0x41200000, 0, 0, 0x3f200000}, // 10 = 0.625 × 2^4
		{amdgpu.VFrexpExpI32F32, 0x41200000, 0, 0, 4},
		{amdgpu.VFrexpExpI32F32, tiny, 0, 0, 0xffffff6c}, // 0.5 × 2^-148
		{amdgpu.VFrexpExpI32F32, inf, 0, 0, 0},
		{amdgpu.VCvtI32F32, 0x4f000000, 0, 0, 0x7fffffff},
		{amdgpu.VCvtI32F32, nan, 0, 0, 0},
		{amdgpu.VCvtU32F32, minus1, 0, 0, 0},
		{amdgpu.VCvtF32Ubyte2, 0x00ff0000, 0, 0, 0x437f0000},
		{amdgpu.VCvtPkRtzF16F32, 0x477fffff, one, 0, 0x3c007bff},
		{amdgpu.VPackB32F16, 0x3c00, 0x4000, 0, 0x40003c00},
		{amdgpu.VDivFixupF32, one, 0, one, inf},
		{amdgpu.VDivFixupF32, one, inf, 0x80000001, 0x80000000},
	} {
		m := fpMode{den32: 3, den64: 3}
		s := valuByCode[c.code]
		got := s.fn(&m, c.a, c.b, c.c)
		if r := amdgpu.RowOf(c.code); r.Results[0].Regs == 1 {
			got = lo(got)
		}
		require.Equal(t, c.want, got, "%s of %#x %#x %#x: %#x", amdgpu.RowOf(c.code).Name, c.a, c.b, c.c, got)
	}
}

// TestScalarValues: results and scc.
func TestScalarValues(t *testing.T) {
	for _, c := range []struct {
		opCase
		scc, out bool
	}{
		{opCase{amdgpu.SAddU32, 0xffffffff, 1, 0, 0}, false, true},
		{opCase{amdgpu.SSubU32, 0, 1, 0, 0xffffffff}, false, true},
		{opCase{amdgpu.SAddcU32, 0xffffffff, 0, 0, 0}, true, true},
		{opCase{amdgpu.SSubbU32, 5, 5, 0, 0xffffffff}, true, true},
		{opCase{amdgpu.SAddI32, 0x7fffffff, 1, 0, 0x80000000}, false, true},
		{opCase{amdgpu.SSubI32, 0x80000000, 1, 0, 0x7fffffff}, false, true},
		{opCase{amdgpu.SAddI32, 0xffffffff, 1, 0, 0}, false, false},
		{opCase{amdgpu.SMulHiI32, 0x80000000, 2, 0, 0xffffffff}, false, false},
		{opCase{amdgpu.SAbsdiffI32, 3, 10, 0, 7}, false, true},
		{opCase{amdgpu.SNandB32, 0xffffffff, 0xffffffff, 0, 0}, false, false},
		{opCase{amdgpu.SOrNot1B64, 0, ^uint64(0), 0, 0}, false, false},
		{opCase{amdgpu.SLshlB32, 1, 33, 0, 2}, false, true},
		{opCase{amdgpu.SAshrI64, 1 << 63, 63, 0, ^uint64(0)}, false, true},
		{opCase{amdgpu.SBfeU32, 0xabcd1234, 8<<16 | 8, 0, 0x12}, false, true},
		{opCase{amdgpu.SBfeI32, 0xf000, 4<<16 | 12, 0, 0xffffffff}, false, true},
		{opCase{amdgpu.SBfeI64, 0xf000, 4<<16 | 12, 0, ^uint64(0)}, false, true},
		{opCase{amdgpu.SBfmB64, 40, 8, 0, 0xffffffffff00}, false, false},
		{opCase{amdgpu.SLshl3AddU32, 0x20000000, 5, 0, 5}, false, true},
		{opCase{amdgpu.SPackLhB32B16, 0x11112222, 0x33334444, 0, 0x33332222}, false, false},
		{opCase{amdgpu.SPackHhB32B16, 0x11112222, 0x33334444, 0, 0x33331111}, false, false},
		{opCase{amdgpu.SCselectB32, 1, 2, 0, 1}, true, false},
		{opCase{amdgpu.SCtzI32B64, 0, 0, 0, 0xffffffff}, false, false},
		{opCase{amdgpu.SClzI32U64, 1, 0, 0, 63}, false, false},
		{opCase{amdgpu.SClsI32, 0x80000000, 0, 0, 1}, false, false},
		{opCase{amdgpu.SSextI32I8, 0x180, 0, 0, 0xffffff80}, false, false},
		{opCase{amdgpu.SAbsI32, 0x80000000, 0, 0, 0x80000000}, false, true},
		{opCase{amdgpu.SBcnt1I32B64, ^uint64(0), 0, 0, 64}, false, true},
		{opCase{amdgpu.SCmpGtI32, 1, 0xffffffff, 0, 0}, false, true},
		{opCase{amdgpu.SCmpGtU32, 1, 0xffffffff, 0, 0}, false, false},
		{opCase{amdgpu.SBitcmp1B32, 4, 34, 0, 0}, false, true},
	} {
		got, scc := saluByCode[c.code](c.a, c.b, c.scc)
		name := amdgpu.RowOf(c.code).Name
		require.Equal(t, c.want, got, "%s: %#x", name, got)
		require.Equal(t, c.out, scc, name)
	}
}

// TestCarryValues: flags in and out.
func TestCarryValues(t *testing.T) {
	m := &fpMode{den32: 3, den64: 3}
	for _, c := range []struct {
		opCase
		in, out bool
	}{
		{opCase{amdgpu.VAddCoCiU32, 0xffffffff, 0, 0, 0}, true, true},
		{opCase{amdgpu.VSubCoU32, 1, 2, 0, 0xffffffff}, false, true},
		{opCase{amdgpu.VSubrevCoCiU32, 2, 2, 0, 0xffffffff}, true, true},
		{opCase{amdgpu.VMadU64U32, 0xffffffff, 0xffffffff, 0x1ffffffff, 0}, false, true},
		{opCase{amdgpu.VMadI64I32, 0xffffffff, 5, 3, ^uint64(1)}, false, false},
		{opCase{amdgpu.VCndmaskB32, 1, 2, 0, 2}, true, false},
		// 2^127 / 2^-126: the quotient may overflow; the denominator is scaled.
		{opCase{amdgpu.VDivScaleF32, 0x00800000, 0x00800000, 0x7f000000, 0x20800000}, false, true},
		{opCase{amdgpu.VDivScaleF32, 0x7f000000, 0x00800000, 0x7f000000, 0x7f000000}, false, true},
		// 2^64 × fma where the quotient is large, 2^-64 where it is small.
		{opCase{amdgpu.VDivFmasF32, 0, 0, 0x40000000, 0x60000000}, true, false},
		{opCase{amdgpu.VDivFmasF32, 0, 0, 0x3f000000, 0x1f000000}, true, false},
	} {
		got, out := carryOf(c.code)(m, c.a, c.b, c.c, c.in)
		name := amdgpu.RowOf(c.code).Name
		require.Equal(t, c.want, got, "%s: %#x", name, got)
		require.Equal(t, c.out, out, name)
	}
}

// TestClasses: each class has its bit (V_CMP_CLASS_F32).
func TestClasses(t *testing.T) {
	for bit, v := range []uint64{0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0, 1, 0x3f800000, 0x7f800000} {
		require.EqualValues(t, 1<<bit, single.class(v), "%#x", v)
	}
}

// lanesOf runs one instruction whose operand and result are v8 and v9, and
// returns v9 of each lane.
func lanesOf(t *testing.T, tg *target.Target, exec uint64, emit func(k *kernel)) []uint32 {
	k := newKernel(tg, 1)
	k.prologue()
	k.def(amdgpu.VAddNcU32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 100), k.v(1, 0))
	k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 7))
	k.Op(amdgpu.SNop, amdgpu.FImm.Put(7))
	k.exec(exec)
	emit(k)
	k.waitAll()
	k.exec(ones(uint64(tg.Wave)))
	k.storeAt(amdgpu.StoreB32, k.v(1, 9), 0)
	k.end()
	buf := k.accepted(t)
	out := make([]uint32, tg.Wave)
	for i := range out {
		out[i] = word(buf, 4*i)
	}
	return out
}

// TestLanes: moves between lanes.
func TestLanes(t *testing.T) {
	all := ^uint64(0)
	for _, c := range []struct {
		chip string
		name string
		ctl  uint64
		lane int
		want uint32
	}{
		{"gfx942", "quad_perm [1,0,3,2]", 0xb1, 5, 104},
		{"gfx942", "row_shl:1", 0x101, 16, 117},
		{"gfx942", "row_shl:1 at the end of a row", 0x101, 15, 0},
		{"gfx942", "row_shr:3", 0x113, 20, 117},
		{"gfx942", "row_ror:1", 0x121, 16, 131},
		{"gfx942", "wave_shr:1", 0x138, 16, 115},
		{"gfx942", "wave_rol:1", 0x134, 63, 100},
		{"gfx942", "row_mirror", 0x140, 17, 130},
		{"gfx942", "row_half_mirror", 0x141, 17, 122},
		{"gfx942", "row_bcast:15", 0x142, 33, 131},
		{"gfx942", "row_bcast:31", 0x143, 33, 131},
		{"gfx1100", "row_share:3", 0x153, 30, 119},
		{"gfx1100", "row_xmask:5", 0x165, 17, 120},
	} {
		got := lanesOf(t, chip(t, c.chip), all, func(k *kernel) {
			k.def(amdgpu.VMovB32, amdgpu.FDpp.Put(1)|amdgpu.FDppCtl.Put(c.ctl)|amdgpu.FBound.Put(1), ir.VGPR, 1, ir.VReg(9), k.v(1, 8))
		})
		require.Equal(t, c.want, got[c.lane], c.name)
	}
	// Without bound_ctrl a lane without source keeps what it has; so do rows
	// and banks that the masks leave out, and lanes whose source is inactive.
	got := lanesOf(t, chip(t, "gfx1100"), all&^(1<<4), func(k *kernel) {
		k.def(amdgpu.VMovB32, amdgpu.FDpp.Put(1)|amdgpu.FDppCtl.Put(0x111)|amdgpu.FRowMsk.Put(2)|amdgpu.FBnkMsk.Put(8), ir.VGPR, 1, ir.VReg(9), k.v(1, 8))
	})
	require.Equal(t, []uint32{7, 100, 101, 102, 7, 7, 105}, got[:7])
	require.Equal(t, []uint32{107, 108, 109, 110, 7, 7, 7, 7, 7}, got[8:17])

	got = lanesOf(t, chip(t, "gfx942"), all&^2, func(k *kernel) {
		k.def(amdgpu.VXorB32, 0, ir.VGPR, 1, ir.VReg(10), k.imm(32, 4), k.def(amdgpu.VLshlrevB32, 0, ir.VGPR, 1, ir.VReg(10), k.imm(32, 2), k.v(1, 0)))
		k.def(amdgpu.DsBpermuteB32, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 10), k.v(1, 8))
	})
	require.Equal(t, []uint32{0, 7, 103, 102}, got[:4])

	got = lanesOf(t, chip(t, "gfx1100"), all, func(k *kernel) {
		k.def(amdgpu.VLshlrevB32, 0, ir.VGPR, 1, ir.VReg(10), k.imm(32, 3), k.v(1, 0))
		k.def(amdgpu.DsPermuteB32, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 10), k.v(1, 8))
	})
	require.Equal(t, []uint32{116, 0, 117, 0}, got[:4]) // the later of lanes i and i+16 wins

	got = lanesOf(t, chip(t, "gfx1100"), all, func(k *kernel) {
		k.def(amdgpu.DsSwizzleB32, amdgpu.FOffset.Put(0x10<<10|0x1e), ir.VGPR, 1, ir.VReg(9), k.v(1, 8))
	})
	require.Equal(t, []uint32{116, 116, 118, 118}, got[:4])

	got = lanesOf(t, chip(t, "gfx1100"), all, func(k *kernel) {
		k.def(amdgpu.VPermlanex16B32, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 8), k.imm(32, 0x76543210), k.imm(32, 0xfedcba98))
	})
	require.Equal(t, []uint32{116, 117}, got[:2])
	require.EqualValues(t, 100, got[16])

	got = lanesOf(t, chip(t, "gfx942"), all, func(k *kernel) {
		k.def(amdgpu.VReadlaneB32, 0, ir.SGPR, 1, ir.SReg(9), k.v(1, 8), k.imm(32, 37))
		k.Op(amdgpu.SNop, amdgpu.FImm.Put(1))
		k.def(amdgpu.VWritelaneB32, 0, ir.VGPR, 1, ir.VReg(9), k.s(1, 9), k.imm(32, 2), k.v(1, 9))
	})
	require.Equal(t, []uint32{7, 7, 137, 7}, got[:4])

	got = lanesOf(t, chip(t, "gfx942"), all, func(k *kernel) {
		k.def(amdgpu.VMbcntLoU32B32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 0xffffffff), k.imm(32, 0))
		k.def(amdgpu.VMbcntHiU32B32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 0xffffffff), k.v(1, 9))
	})
	for i := range got {
		require.EqualValues(t, i, got[i])
	}
}

// TestHalves: op_sel and the other half of a register with a 16-bit result.
func TestHalves(t *testing.T) {
	for name, upper := range map[string]uint32{"gfx942": 0, "gfx1100": 0x77770000} {
		got := lanesOf(t, chip(t, name), 1, func(k *kernel) {
			k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 0x40003c00))
			k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 0x77777777))
			k.def(amdgpu.VAddF16, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 8), k.v(1, 8))
		})
		require.Equal(t, upper|0x4000, got[0], name)
		got = lanesOf(t, chip(t, name), 1, func(k *kernel) {
			k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 0x40003c00))
			k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 0x77777777))
			k.def(amdgpu.VFmaF16, amdgpu.FOpSel.Put(8|1), ir.VGPR, 1, ir.VReg(9), k.v(1, 8), k.v(1, 8), k.v(1, 8))
		})
		require.EqualValues(t, 0x42007777, got[0], name) // 2×1 + 1 above
	}
	// Packed: low 2 = 1+1, high: 2 - 1 by op_sel_hi and neg_hi.
	got := lanesOf(t, chip(t, "gfx1100"), 1, func(k *kernel) {
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 0x40003c00))
		k.def(amdgpu.VPkAddF16, amdgpu.FOpLow.Put(2)|amdgpu.FNegHi.Put(2), ir.VGPR, 1, ir.VReg(9), k.v(1, 8), k.v(1, 8))
	})
	require.EqualValues(t, 0x3c004000, got[0])
	got = lanesOf(t, chip(t, "gfx1100"), 1, func(k *kernel) {
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 0x01ff02fe))
		k.def(amdgpu.VDot4I32Iu8, amdgpu.FNeg.Put(1), ir.VGPR, 1, ir.VReg(9), k.v(1, 8), k.v(1, 8), k.imm(32, 10))
	})
	// Signed × unsigned bytes: -2×254 + 2×2 - 1×255 + 1×1 + 10.
	var want int32 = -2*254 + 4 - 255 + 1 + 10
	require.EqualValues(t, uint32(want), got[0])
}

// TestModes: the rounding mode holds from its instruction on.
func TestModes(t *testing.T) {
	got := lanesOf(t, chip(t, "gfx1100"), 1, func(k *kernel) {
		k.Op(amdgpu.SRoundMode, amdgpu.FImm.Put(roundUp))
		k.def(amdgpu.VAddF32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 0x3f800000), k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 1)))
	})
	require.EqualValues(t, 0x3f800001, got[0])
	got = lanesOf(t, chip(t, "gfx942"), 1, func(k *kernel) {
		// Bits 5:4 of MODE: denormals of single numbers are flushed.
		k.Op(amdgpu.SSetregImm32B32, amdgpu.FImm.Put(hwRegMode|4<<6|1<<11), k.imm(32, 0))
		k.def(amdgpu.VAddF32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 0), k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 1)))
	})
	require.EqualValues(t, 0, got[0])
}

// TestLocalMemory: parts of registers, two addresses, and the order of
// operands of a compare-and-swap, which GFX12 and GFX11 have the other way
// round than GFX9.
func TestLocalMemory(t *testing.T) {
	for name, swapped := range map[string]bool{"gfx942": false, "gfx1100": true, "gfx1201": true} {
		k := newKernel(chip(t, name), 1)
		k.m.NewVar("lds", ir.SpaceShared, k.f).Size = 1024
		k.prologue()
		k.exec(1)
		zero := k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 0))
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(10), k.imm(32, 0x11228384))
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(11), k.imm(32, 5))
		k.Op(amdgpu.DsStore2addrB32, amdgpu.FOffset0.Put(1)|amdgpu.FOffset1.Put(3), zero, k.v(1, 10), k.v(1, 11))
		k.def(amdgpu.DsLoadI8, amdgpu.FOffset.Put(5), ir.VGPR, 1, ir.VReg(12), zero)
		k.def(amdgpu.DsLoadU16, amdgpu.FOffset.Put(4), ir.VGPR, 1, ir.VReg(13), zero)
		// The word at 12 holds 5: the compared one is first, or second.
		args := []*ir.Value{zero, k.v(1, 11), k.v(1, 10)}
		if swapped {
			args[1], args[2] = args[2], args[1]
		}
		k.def(amdgpu.DsCmpstoreRtnB32, amdgpu.FOffset.Put(12), ir.VGPR, 1, ir.VReg(14), args...)
		k.def(amdgpu.DsLoad2addrB32, amdgpu.FOffset0.Put(3)|amdgpu.FOffset1.Put(1), ir.VGPR, 2, ir.VReg(16), zero)
		k.waitAll()
		for i, r := range []int{12, 13, 14, 16, 17} {
			k.storeAt(amdgpu.StoreB32, k.v(1, r), uint64(4*i))
		}
		k.end()
		buf := k.accepted(t)
		for i, want := range []uint32{0xffffff83, 0x8384, 5, 0x11228384, 0x11228384} {
			require.Equal(t, want, word(buf, i), "%s, %d", name, i)
		}
	}
}

// TestWidths: every width of global, local and scratch memory brings back what
// it stored, and no more.
func TestWidths(t *testing.T) {
	for i := range target.All() {
		tg := &target.All()[i]
		type pair struct {
			load, store ir.Code
			bytes       int
		}
		var pairs []pair
		for _, f := range []amdgpu.Family{amdgpu.Global, amdgpu.Flat, amdgpu.Scratch} {
			for e := amdgpu.StoreB8; e <= amdgpu.StoreB128; e++ {
				load := map[amdgpu.Elem]amdgpu.Elem{amdgpu.StoreB8: amdgpu.LoadU8, amdgpu.StoreB16: amdgpu.LoadU16}[e]
				if e >= amdgpu.StoreB32 {
					load = amdgpu.LoadB32 + e - amdgpu.StoreB32
				}
				pairs = append(pairs, pair{amdgpu.Mem(f, load), amdgpu.Mem(f, e), e.Bytes()})
			}
		}
		for k, code := range []ir.Code{amdgpu.DsLoadU8, amdgpu.DsLoadU16, amdgpu.DsLoadB32, amdgpu.DsLoadB64, amdgpu.DsLoadB96, amdgpu.DsLoadB128} {
			store := []ir.Code{amdgpu.DsStoreB8, amdgpu.DsStoreB16, amdgpu.DsStoreB32, amdgpu.DsStoreB64, amdgpu.DsStoreB96, amdgpu.DsStoreB128}[k]
			pairs = append(pairs, pair{code, store, []int{1, 2, 4, 8, 12, 16}[k]})
		}
		for _, p := range pairs {
			k := newKernel(tg, 1)
			k.m.NewVar("lds", ir.SpaceShared, k.f).Size = 1024
			private := k.m.NewVar("p", ir.SpacePrivate, k.f)
			private.Size = 64
			k.prologue()
			k.exec(1)
			addr := k.v(2, 2)
			if f := amdgpu.RowOf(p.load).Family; f == amdgpu.DS || f == amdgpu.Scratch {
				addr = k.v(1, 1)
			}
			words := max(p.bytes/4, 1)
			for r := range 4 {
				k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8+r), k.imm(32, uint64(0xa1b2c3d4+r)))
				k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(12+r), k.imm(32, 0))
			}
			k.Op(amdgpu.SNop, amdgpu.FImm.Put(7))
			k.Op(p.store, 0, addr, k.v(words, 12)) // zeros, then the upper part stays
			k.Op(p.store, 0, addr, k.v(words, 8))
			k.def(p.load, 0, ir.VGPR, words, ir.VReg(16), addr)
			k.waitAll()
			for r := range words {
				k.storeAt(amdgpu.StoreB32, k.v(1, 16+r), uint64(512+4*r))
			}
			k.end()
			buf := k.accepted(t)
			for r := range words {
				want := uint32(0xa1b2c3d4 + r)
				if p.bytes < 4 {
					want &= 1<<(8*p.bytes) - 1
				}
				require.Equal(t, want, word(buf, 128+r), "%s on %s", amdgpu.RowOf(p.load).Name, tg.Name)
			}
		}
	}
}

// TestAtomics: the read-modify-writes of global memory.
func TestAtomics(t *testing.T) {
	w := &wave{g: &group{eng: &engine{mode: &target.Mode{Target: chip(t, "gfx942")}}}}
	for _, c := range []struct {
		e              amdgpu.Elem
		old, data, cmp uint64
		want           uint64
	}{
		{amdgpu.AtomicMinI, 0xffffffff, 1, 0, 0xffffffff},
		{amdgpu.AtomicMinU, 0xffffffff, 1, 0, 1},
		{amdgpu.AtomicMaxI64, 1 << 63, 1, 0, 1},
		{amdgpu.AtomicMaxU64, 1 << 63, 1, 0, 1 << 63},
		{amdgpu.AtomicInc, 3, 3, 0, 0},
		{amdgpu.AtomicInc, 2, 3, 0, 3},
		{amdgpu.AtomicDec, 0, 3, 0, 3},
		{amdgpu.AtomicDec, 4, 3, 0, 3},
		{amdgpu.AtomicDec, 3, 3, 0, 2},
		{amdgpu.AtomicCmpSwap, 3, 9, 3, 9},
		{amdgpu.AtomicCmpSwap, 4, 9, 3, 4},
		{amdgpu.AtomicAddF32, 0x3f800000, 0x3f800000, 0, 0x40000000},
		{amdgpu.AtomicAddF64, 0x3ff0000000000000, 0x3ff0000000000000, 0, 0x4000000000000000},
		{amdgpu.AtomicMinF32, 0x7fc00000, 0x3f800000, 0, 0x7fc00000}, // before GFX12 a NaN in memory stays
	} {
		m := &memInst{atomic: elemAtomics[c.e], bytes: uint64(c.e.Bytes()), family: amdgpu.Global}
		got := w.modify(m, c.old, c.data, c.cmp)
		if m.bytes == 4 {
			got = lo(got)
		}
		require.Equal(t, c.want, got, "element %d", c.e)
	}
}
