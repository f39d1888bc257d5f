package emu

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/ir"
)

func chip(t *testing.T, name string) *target.Target {
	tg := target.ByName(name)
	require.NotNil(t, tg)
	return tg
}

// launch runs k over one wave, with a buffer of 1024 bytes holding 0, 1, 2….
func (k *kernel) launch(t *testing.T, edit func(l *Launch)) ([]byte, *ir.Diags) {
	buf := make([]byte, 1024)
	for i := range 256 {
		binary.LittleEndian.PutUint32(buf[4*i:], uint32(i))
	}
	l := &Launch{Global: [3]uint64{uint64(k.t.Wave), 1, 1}, Local: [3]uint64{uint64(k.t.Wave), 1, 1}, Args: []host.Arg{{Data: buf}}, MaxSteps: 1 << 20}
	if edit != nil {
		edit(l)
	}
	ds := &ir.Diags{}
	Run(k.m, k.t.Modes()[0], l, ds)
	return buf, ds
}

// refused runs k and wants the error kind, naming words.
func (k *kernel) refused(t *testing.T, kind Kind, words ...string) {
	t.Helper()
	_, ds := k.launch(t, nil)
	require.Len(t, ds.List, 1)
	d := ds.List[0]
	require.Equal(t, Kinds[kind].Code, d.Code, "%v", d)
	for _, w := range words {
		require.Contains(t, d.Text, w)
	}
	require.NotEmpty(t, d.Notes)
}

func (k *kernel) accepted(t *testing.T) []byte {
	t.Helper()
	buf, ds := k.launch(t, nil)
	require.Empty(t, ds.List)
	return buf
}

func (k *kernel) end() { k.Op(amdgpu.SEndpgm, 0) }

func global(e amdgpu.Elem) ir.Code { return amdgpu.Mem(amdgpu.Global, e) }

// loadAt loads dwords at the lane's address + off.
func (k *kernel) loadAt(e amdgpu.Elem, n, reg int, off uint64) *ir.Value {
	return k.def(global(e), amdgpu.FOffset.Put(off), ir.VGPR, n, ir.VReg(reg), k.v(2, 2))
}

func (k *kernel) storeAt(e amdgpu.Elem, data *ir.Value, off uint64) {
	k.Op(global(e), amdgpu.FOffset.Put(off), k.v(2, 2), data)
}

func (k *kernel) vmcnt(n uint64) {
	if k.t.Generation == target.GFX12 {
		k.Op(amdgpu.SWaitLoadcnt, amdgpu.FImm.Put(n))
		return
	}
	k.Op(amdgpu.SWaitcnt, amdgpu.FVM.Put(n)|amdgpu.FLGKM.Put(amdgpu.NoWait))
}

// TestUnwaited: a load's result cannot be used, or be overwritten, before a
// wait covers it; loads arrive in order.
func TestUnwaited(t *testing.T) {
	for i := range target.All() {
		tg := &target.All()[i]
		build := func(wait int, use int) *kernel {
			k := newKernel(tg, 1)
			k.prologue()
			k.loadAt(amdgpu.LoadB32, 1, 8, 0)
			k.loadAt(amdgpu.LoadB32, 1, 9, 4)
			if wait >= 0 {
				k.vmcnt(uint64(wait))
			}
			k.def(amdgpu.VAddNcU32, 0, ir.VGPR, 1, ir.VReg(10), k.imm(32, 1), k.v(1, use))
			k.waitAll()
			k.storeAt(amdgpu.StoreB32, k.v(1, 10), 8)
			k.end()
			return k
		}
		build(-1, 8).refused(t, Unwaited, "v8 is read by "+"v_add")
		build(1, 9).refused(t, Unwaited, "v9", raises[tg.Generation].names[cntLoad])
		require.EqualValues(t, 2, word(build(0, 9).accepted(t), 2), "%s", tg.Name)
		require.EqualValues(t, 1, word(build(1, 8).accepted(t), 2), "%s", tg.Name)

		k := newKernel(tg, 1)
		k.prologue()
		k.loadAt(amdgpu.LoadB32, 1, 8, 0)
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 1))
		k.end()
		k.refused(t, Unwaited, "v8 is written by v_mov_b32")

		// Lanes that the load does not write are nobody's business.
		k = newKernel(tg, 1)
		k.prologue()
		k.exec(1)
		k.loadAt(amdgpu.LoadB32, 1, 8, 0)
		k.exec(2)
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 1))
		k.waitAll()
		k.end()
		k.accepted(t)
	}
}

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// exec sets the mask.
func (k *kernel) exec(mask uint64) {
	if k.t.Wave == 64 {
		k.def(amdgpu.SMovB64, 0, ir.SGPR, 2, ir.RegExec, k.imm(64, mask))
		return
	}
	k.def(amdgpu.SMovB32, 0, ir.SGPR, 1, ir.RegExec, k.imm(32, mask))
}

// TestScalarLoadsUnsorted: of scalar loads only a count of 0 tells.
func TestScalarLoadsUnsorted(t *testing.T) {
	for _, n := range []uint64{0, 1} {
		k := newKernel(chip(t, "gfx1100"), 1)
		k.prologue()
		k.def(amdgpu.SLoadB32, 0, ir.SGPR, 1, ir.SReg(8), k.s(2, 2))
		k.def(amdgpu.SLoadB32, amdgpu.FOffset.Put(4), ir.SGPR, 1, ir.SReg(9), k.s(2, 2))
		k.Op(amdgpu.SWaitcnt, amdgpu.FVM.Put(amdgpu.NoWait)|amdgpu.FLGKM.Put(n))
		k.def(amdgpu.SMovB32, 0, ir.SGPR, 1, ir.SReg(10), k.s(1, 8))
		k.waitAll()
		k.end()
		if n == 0 {
			k.accepted(t)
		} else {
			k.refused(t, Unwaited, "s8", "lgkmcnt")
		}
	}
}

// TestFlatCountsTwice: a flat load is there when both counters say so.
func TestFlatCountsTwice(t *testing.T) {
	for i := range target.All() {
		k := newKernel(&target.All()[i], 1)
		k.prologue()
		k.def(amdgpu.Mem(amdgpu.Flat, amdgpu.LoadB32), 0, ir.VGPR, 1, ir.VReg(8), k.v(2, 2))
		k.vmcnt(0)
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 8))
		k.end()
		k.refused(t, Unwaited, "v8", raises[k.t.Generation].names[cntLDS])
	}
}

// TestHazards: each row of the table, missed by one wait state and kept.
func TestHazards(t *testing.T) {
	exec942 := func(k *kernel) {
		c := k.OpResults(amdgpu.Cmp(amdgpu.EQ, amdgpu.CmpU32), 0, 0, []ir.Type{ir.Regs(ir.SGPR, 2)}, k.v(1, 0), k.v(1, 0))
		c.Result(0).Reg = ir.RegExec
	}
	writesScalar := func(k *kernel) { k.def(amdgpu.VReadfirstlaneB32, 0, ir.SGPR, 1, ir.SReg(8), k.v(1, 1)) }
	mov := func(k *kernel) { k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.v(1, 0)) }
	trans := func(k *kernel) { k.def(amdgpu.VRcpF32, 0, ir.VGPR, 1, ir.VReg(8), k.v(1, 0)) }
	dpp := func(reg int) func(k *kernel) {
		return func(k *kernel) {
			k.def(amdgpu.VMovB32, amdgpu.FDpp.Put(1)|amdgpu.FDppCtl.Put(0x111)|amdgpu.FBound.Put(1), ir.VGPR, 1, ir.VReg(9), k.v(1, reg))
		}
	}
	read8 := func(k *kernel) { k.def(amdgpu.VAddNcU32, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 8), k.v(1, 8)) }
	dot := func(k *kernel) {
		k.def(amdgpu.VDot4I32Iu8, 0, ir.VGPR, 1, ir.VReg(8), k.v(1, 0), k.v(1, 0), k.v(1, 0))
	}
	setreg := func(k *kernel) { k.Op(amdgpu.SSetregImm32B32, amdgpu.FImm.Put(hwRegMode|7<<11), k.imm(32, 0xf0)) }
	for _, c := range []struct {
		kind        hazardKind
		first, then func(k *kernel)
	}{
		{hzScalarToMemory, func(k *kernel) {
			k.def(amdgpu.VReadfirstlaneB32, 0, ir.SGPR, 1, ir.SReg(3), k.v(1, 3))
		}, func(k *kernel) {
			k.def(global(amdgpu.LoadB32), amdgpu.FSaddr.Put(1), ir.VGPR, 1, ir.VReg(9), k.v(1, 1), k.s(2, 2))
		}},
		{hzScalarToLane, writesScalar, func(k *kernel) { k.def(amdgpu.VReadlaneB32, 0, ir.SGPR, 1, ir.SReg(9), k.v(1, 0), k.s(1, 8)) }},
		{hzVCCToFmas, func(k *kernel) {
			c := k.OpResults(amdgpu.Cmp(amdgpu.EQ, amdgpu.CmpU32), 0, 0, []ir.Type{ir.Regs(ir.SGPR, 2)}, k.v(1, 0), k.v(1, 0))
			c.Result(0).Reg = ir.RegVCC
		}, func(k *kernel) {
			vcc := k.s(2, 0)
			vcc.Reg = ir.RegVCC
			k.def(amdgpu.VDivFmasF32, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 0), k.v(1, 0), k.v(1, 0), vcc)
		}},
		{hzVectorToDPP, mov, dpp(8)},
		{hzExecToDPP, exec942, dpp(0)},
		{hzSetreg, setreg, setreg},
		{hzStoreData, func(k *kernel) { k.storeAt(amdgpu.StoreB128, k.v(4, 8), 0) }, mov},
		{hzTransToVector, trans, read8},
		{hzHalfToVector, func(k *kernel) {
			k.def(amdgpu.VFmaF16, amdgpu.FOpSel.Put(8), ir.VGPR, 1, ir.VReg(8), k.v(1, 0), k.v(1, 0), k.v(1, 0))
		}, read8},
		{hzScalarToVector, writesScalar, func(k *kernel) { k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.s(1, 8)) }},
		{hzVectorToRead, mov, func(k *kernel) { k.def(amdgpu.VReadfirstlaneB32, 0, ir.SGPR, 1, ir.SReg(9), k.v(1, 8)) }},
		{hzExecToLane, exec942, func(k *kernel) { k.def(amdgpu.VReadfirstlaneB32, 0, ir.SGPR, 1, ir.SReg(9), k.v(1, 0)) }},
		{hzDot, dot, read8},
		{hzTransUse, trans, read8},
		{hzScalarReuse, func(k *kernel) {
			k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.s(1, 8))
			k.def(amdgpu.SMovB32, 0, ir.SGPR, 1, ir.SReg(8), k.imm(32, 1))
		}, func(k *kernel) { k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.s(1, 9)) }},
	} {
		name := map[hazardKind]string{hzTransUse: "gfx1100", hzScalarReuse: "gfx1201"}[c.kind]
		if name == "" {
			name = "gfx942"
		}
		tg := chip(t, name)
		n := int((*hazardsOf(tg))[c.kind])
		require.NotZero(t, n)
		build := func(between int) *kernel {
			k := newKernel(tg, 1)
			k.prologue()
			k.Op(amdgpu.SNop, amdgpu.FImm.Put(7))
			c.first(k)
			for range between {
				switch c.kind {
				case hzTransUse:
					k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(12), k.v(1, 0))
				case hzScalarReuse:
					k.def(amdgpu.SMovB32, 0, ir.SGPR, 1, ir.SReg(20), k.imm(32, 1))
				default:
					k.Op(amdgpu.SNop, 0)
				}
			}
			c.then(k)
			k.waitAll()
			k.end()
			return k
		}
		build(n-1).refused(t, Hazard, hazardRows[c.kind].what[:20])
		build(n).accepted(t)
	}
}

// TestBounds: accesses outside objects are errors that name them.
func TestBounds(t *testing.T) {
	for i := range target.All() {
		tg := &target.All()[i]
		k := newKernel(tg, 1)
		k.prologue()
		k.loadAt(amdgpu.LoadB32, 1, 8, 1024-16*uint64(tg.Wave-1))
		k.waitAll()
		k.end()
		k.refused(t, OutOfBounds, "past the end of argument 0 (1024 bytes)")

		k = newKernel(tg, 1)
		k.prologue()
		k.Op(amdgpu.DsStoreB32, 0, k.v(1, 1), k.v(1, 0))
		k.end()
		k.refused(t, OutOfBounds, "the work-group has 0 bytes")

		k = newKernel(tg, 1)
		k.prologue()
		k.Op(amdgpu.Mem(amdgpu.Scratch, amdgpu.StoreB32), 0, k.v(1, 1), k.v(1, 0))
		k.end()
		k.refused(t, OutOfBounds, "scratch address")
	}
}

// TestNotFinal: what is no final code is refused, naming the instruction.
func TestNotFinal(t *testing.T) {
	tg := chip(t, "gfx1100")
	k := newKernel(tg, 1)
	k.prologue()
	k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.NoReg, k.imm(32, 1))
	k.end()
	k.refused(t, BadCode, "has no register")

	k = newKernel(tg, 1)
	k.prologue()
	k.def(amdgpu.PCopy, 0, ir.VGPR, 1, ir.VReg(9), k.v(1, 0))
	k.end()
	k.refused(t, BadCode, "p_copy")

	k = newKernel(tg, 1)
	k.prologue()
	k.def(amdgpu.VMovB64, 0, ir.VGPR, 2, ir.VReg(8), k.v(2, 0))
	k.end()
	k.refused(t, BadCode, "gfx1100 has no instruction v_mov_b64")

	k = newKernel(tg, 1)
	k.prologue()
	_, ds := k.launch(t, nil)
	require.Len(t, ds.List, 1)
	require.Contains(t, ds.List[0].Text, "runs over its end")
}

// TestHang: a loop that does not end is told.
func TestHang(t *testing.T) {
	k := newKernel(chip(t, "gfx1100"), 1)
	k.prologue()
	loop, out := k.f.NewBlock(), k.f.NewBlock()
	k.Branch(amdgpu.SBranch, 0, nil, ir.Target{To: loop})
	k.AtEnd(loop)
	k.Branch(amdgpu.SBranch, 0, nil, ir.Target{To: loop})
	k.AtEnd(out)
	k.end()
	k.refused(t, StepLimit, "did not end")
}

// TestBarrier: two waves exchange by LDS across a barrier; without the wait for
// the store, weak memory shows it.
func TestBarrier(t *testing.T) {
	for _, name := range []string{"gfx1100", "gfx942", "gfx1201"} {
		tg := chip(t, name)
		for _, wait := range []bool{true, false} {
			wrong := 0
			for seed := range uint64(20) {
				k := newKernel(tg, 1)
				v := k.m.NewVar("lds", ir.SpaceShared, k.f)
				v.Size = 16 * 128
				k.prologue()
				k.Op(amdgpu.DsStoreB32, 0, k.v(1, 1), k.v(1, 0))
				if wait {
					k.waitAll()
				}
				if tg.Generation == target.GFX12 {
					k.Op(amdgpu.SBarrierSignal, 0)
					k.Op(amdgpu.SBarrierWait, 0)
				} else {
					k.Op(amdgpu.SBarrier, 0)
				}
				k.def(amdgpu.VXorB32, 0, ir.VGPR, 1, ir.VReg(5), k.imm(32, 16*uint64(tg.Wave)), k.v(1, 1))
				k.def(amdgpu.DsLoadB32, 0, ir.VGPR, 1, ir.VReg(6), k.v(1, 5))
				k.waitAll()
				k.storeAt(amdgpu.StoreB32, k.v(1, 6), 0)
				k.end()
				buf := make([]byte, 4096)
				_, ds := k.launch(t, func(l *Launch) {
					l.Args[0].Data, l.Seed, l.Memory = buf, seed, Weak
					l.Global[0], l.Local[0] = 2*uint64(tg.Wave), 2*uint64(tg.Wave)
				})
				require.Empty(t, ds.List)
				for i := range 2 * tg.Wave {
					if word(buf, 4*i) != uint32(i^tg.Wave) {
						wrong++
						break
					}
				}
			}
			require.Equal(t, wait, wrong == 0, "%s: %d wrong", name, wrong)
		}
	}
}

// TestTrace: the trace names instructions and registers.
func TestTrace(t *testing.T) {
	k := newKernel(chip(t, "gfx1100"), 1)
	k.prologue()
	k.end()
	var text strings.Builder
	_, ds := k.launch(t, func(l *Launch) { l.Trace = &text })
	require.Empty(t, ds.List)
	require.Contains(t, text.String(), "amdgpu.v_lshlrev_b32")
	require.Contains(t, text.String(), "group (0,0,0) wave 0 exec 0xffffffff")
}

// laneNumber leaves the lane's number × 4 in v20.
func (k *kernel) laneNumber() *ir.Value {
	v := k.def(amdgpu.VMbcntLoU32B32, 0, ir.VGPR, 1, ir.VReg(20), k.imm(32, 0xffffffff), k.imm(32, 0))
	v = k.def(amdgpu.VMbcntHiU32B32, 0, ir.VGPR, 1, ir.VReg(20), k.imm(32, 0xffffffff), v)
	return k.def(amdgpu.VLshlrevB32, 0, ir.VGPR, 1, ir.VReg(20), k.imm(32, 2), v)
}

// TestWorkItems: ids of work-items and groups, and groups at the edge of the
// range, which are smaller.
func TestWorkItems(t *testing.T) {
	for i := range target.All() {
		tg := &target.All()[i]
		k := newKernel(tg, 1)
		k.prologue()
		var ids [3]*ir.Value
		for c := range ids {
			reg := ir.SReg(20 + c)
			if tg.Generation == target.GFX12 { // ttmp9; y and z share ttmp7
				reg = []ir.Reg{1 + 117, 1 + 115, 1 + 115}[c]
			}
			ids[c] = k.def(amdgpu.PLivein, amdgpu.FKind.Put(uint64(int(amdgpu.LiveGroupX)+c)), ir.SGPR, 1, reg)
		}
		if tg.Generation == target.GFX12 {
			s, _ := k.scc(amdgpu.SLshrB32, ir.SReg(22), ids[2], k.imm(32, 16))
			ids[2] = s
			ids[1], _ = k.scc(amdgpu.SAndB32, ir.SReg(21), ids[1], k.imm(32, 0xffff))
		}
		lane := k.laneNumber()
		// Group (x,y,z) has 64 dwords at 256 (x + 2 y + 4 z).
		at, _ := k.scc(amdgpu.SLshl1AddU32, ir.SReg(24), ids[2], ids[1])
		at, _ = k.scc(amdgpu.SLshl1AddU32, ir.SReg(24), at, ids[0])
		at, _ = k.scc(amdgpu.SLshlB32, ir.SReg(24), at, k.imm(32, 8))
		lane = k.def(amdgpu.VAddNcU32, 0, ir.VGPR, 1, ir.VReg(21), at, lane)
		k.Op(global(amdgpu.StoreB32), amdgpu.FSaddr.Put(1), lane, k.s(2, 2), k.v(1, 0))
		k.end()
		buf := make([]byte, 256*8)
		_, ds := k.launch(t, func(l *Launch) {
			l.Args[0].Data = buf
			l.Global, l.Local = [3]uint64{7, 3, 2}, [3]uint64{4, 2, 1}
		})
		require.Empty(t, ds.List, tg.Name)
		for n := range 8 {
			sx, sy := uint32(4), uint32(2)
			if n&1 != 0 {
				sx = 3 // 7 = 4 + 3
			}
			if n&2 != 0 {
				sy = 1
			}
			for l := range uint32(tg.Wave) {
				want := uint32(0)
				if l < sx*sy {
					want = l%sx | l/sx<<10
				}
				require.Equal(t, want, word(buf, 64*n+int(l)), "%s: group %d, lane %d", tg.Name, n, l)
			}
		}
	}
}

// scc makes a scalar instruction that also writes the condition code.
func (k *kernel) scc(code ir.Code, reg ir.Reg, args ...*ir.Value) (r, c *ir.Value) {
	op := k.OpResults(code, 0, 0, []ir.Type{ir.Regs(ir.SGPR, 1), ir.SCCBit}, args...)
	op.Result(0).Reg, op.Result(1).Reg = reg, ir.RegSCC
	return op.Result(0), op.Result(1)
}

// TestHidden: the implicit arguments of code object 5 behind the explicit ones.
func TestHidden(t *testing.T) {
	k := newKernel(chip(t, "gfx1100"), 1)
	k.prologue()
	k.exec(1)
	for i, off := range []uint64{0, 12, 18, 40, 64} {
		k.def(amdgpu.SLoadB32, amdgpu.FOffset.Put(8+off&^3), ir.SGPR, 1, ir.SReg(16+i), k.s(2, 0))
	}
	k.waitAll()
	for i := range 5 {
		k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.s(1, 16+i))
		k.storeAt(amdgpu.StoreB32, k.v(1, 8), uint64(4*i))
	}
	k.end()
	buf, ds := k.launch(t, func(l *Launch) {
		l.Global, l.Local, l.Offset = [3]uint64{70, 1, 1}, [3]uint64{32, 1, 1}, [3]uint64{5, 0, 0}
	})
	require.Empty(t, ds.List)
	// Whole groups, sizes x and y, sizes z and remainder x, offset, dimensions.
	for i, want := range []uint32{2, 1<<16 | 32, 6<<16 | 1, 5, 1} {
		require.Equal(t, want, word(buf, i), "%d", i)
	}
}

// TestGenericScratch: a flat address in the private aperture is the work-item's
// own scratch memory.
func TestGenericScratch(t *testing.T) {
	k := newKernel(chip(t, "gfx942"), 1)
	k.m.NewVar("p", ir.SpacePrivate, k.f).Size = 16
	k.prologue()
	base := k.def(amdgpu.PAperture, 0, ir.SGPR, 2, ir.RegPrivateBase)
	k.def(amdgpu.SMovB64, 0, ir.SGPR, 2, ir.SReg(8), base)
	k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 4))
	k.Op(amdgpu.Mem(amdgpu.Scratch, amdgpu.StoreB32), 0, k.v(1, 8), k.v(1, 0))
	k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.s(1, 9))
	k.waitAll()
	k.def(amdgpu.Mem(amdgpu.Flat, amdgpu.LoadB32), 0, ir.VGPR, 1, ir.VReg(10), k.v(2, 8))
	k.waitAll()
	k.storeAt(amdgpu.StoreB32, k.v(1, 10), 0)
	k.end()
	buf := k.accepted(t)
	for i := range 64 {
		require.EqualValues(t, i, word(buf, 4*i))
	}
}
