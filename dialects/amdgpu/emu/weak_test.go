package emu

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// step emits an instruction of a memory sequence from its text.
func (k *kernel) step(t *testing.T, text string) {
	words := strings.Fields(text)
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 0, 16)
		require.NoError(t, err)
		return n
	}
	switch words[0] {
	case "s_waitcnt":
		vm, lgkm := uint64(amdgpu.NoWait), uint64(amdgpu.NoWait)
		for _, w := range words[1:] {
			switch w {
			case "vmcnt(0)":
				vm = 0
			case "lgkmcnt(0)":
				lgkm = 0
			default:
				t.Fatal(text)
			}
		}
		k.Op(amdgpu.SWaitcnt, amdgpu.FVM.Put(vm)|amdgpu.FLGKM.Put(lgkm))
	case "s_waitcnt_vscnt":
		k.Op(amdgpu.SWaitcntVscnt, 0)
	case "s_barrier", "s_barrier_signal", "s_barrier_wait":
		k.Op(rowNamed(t, words[0]).Code, 0)
	default:
		r := rowNamed(t, words[0])
		if r.Family == amdgpu.SOPP {
			k.Op(r.Code, amdgpu.FImm.Put(number(words[1])))
			return
		}
		k.Op(r.Code, cacheBits(t, words[1:]))
	}
}

func rowNamed(t *testing.T, name string) *amdgpu.Row {
	for i := range amdgpu.Rows() {
		if r := &amdgpu.Rows()[i]; r.Name == name {
			return r
		}
	}
	t.Fatal(name)
	return nil
}

// cacheBits are the cache bits of a text.
func cacheBits(t *testing.T, words []string) uint64 {
	c := amdgpu.CacheBits(0)
	for _, w := range words {
		b, ok := map[string]amdgpu.CacheBits{"glc": amdgpu.CacheGLC, "sc0": amdgpu.CacheSC0, "sc1": amdgpu.CacheSC1,
			"scope:SCOPE_SE": amdgpu.CacheSE, "scope:SCOPE_DEV": amdgpu.CacheDEV, "scope:SCOPE_SYS": amdgpu.CacheSYS}[w]
		require.True(t, ok, w)
		c |= b
	}
	return amdgpu.FCache.Put(uint64(c))
}

// sequence emits q around the access that emit makes, without instruction drop
// of those that are no access; it returns how many those are.
func (k *kernel) sequence(t *testing.T, q target.Sequence, drop int, emit func(props uint64)) int {
	n := 0
	list := func(steps []target.Step) {
		for i := range steps {
			if n++; n-1 != drop {
				k.step(t, steps[i].Text)
			}
		}
	}
	list(q.Before)
	emit(cacheBits(t, strings.Fields(q.Bits)))
	list(q.After)
	return n
}

// passing is message passing: the writer stores data and releases a flag; the
// reader has an old copy of the data, waits for the flag with acquire and
// stores what the data is then. The two are work-groups 0 and 1, or waves 0 and
// 1 of a group. With loads the writer loads the data before the release and
// stores what it got, and the reader overwrites it behind the acquire (load
// buffering). drop is the instruction of the two sequences that is left out.
func passing(t *testing.T, m *target.Mode, s pisa.Scope, loads bool, drop int) (k *kernel, steps int) {
	k = newKernel(m.Target, 1)
	const data, flag, out = 0, 256, 512
	k.prologue()
	k.exec(1)
	side := k.def(amdgpu.PLivein, amdgpu.FKind.Put(uint64(amdgpu.LiveGroupX)), ir.SGPR, 1, ir.SReg(10))
	if s == pisa.Workgroup {
		side = k.def(amdgpu.VReadfirstlaneB32, 0, ir.SGPR, 1, ir.SReg(11), k.v(1, 0)) // 0: wave 0
	}
	k.Op(amdgpu.SNop, amdgpu.FImm.Put(7))
	address := func() *ir.Value { return k.v(1, 8) }
	k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(8), k.imm(32, 0))
	access := func(e amdgpu.Elem, off uint64) func(props uint64) {
		return func(props uint64) {
			props |= amdgpu.FSaddr.Put(1) | amdgpu.FOffset.Put(off)
			if e == amdgpu.StoreB32 {
				k.Op(global(e), props, address(), k.s(2, 2), k.v(1, 9))
			} else {
				k.def(global(e), props, ir.VGPR, 1, ir.VReg(9), address(), k.s(2, 2))
			}
		}
	}
	set := func(v uint64) { k.def(amdgpu.VMovB32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, v)) }

	writer, reader, loop, done := k.f.NewBlock(), k.f.NewBlock(), k.f.NewBlock(), k.f.NewBlock()
	c := k.OpResults(amdgpu.SCmpEqU32, 0, 0, []ir.Type{ir.SCCBit}, side, k.imm(32, 0))
	c.Result(0).Reg = ir.RegSCC
	k.Branch(amdgpu.SCbranchScc0, 0, []*ir.Value{c.Result(0)}, ir.Target{To: reader}, ir.Target{To: writer})

	k.AtEnd(writer)
	if loads {
		k.def(global(amdgpu.LoadB32), amdgpu.FSaddr.Put(1), ir.VGPR, 1, ir.VReg(10), address(), k.s(2, 2))
	} else {
		set(42)
		access(amdgpu.StoreB32, data)(0)
	}
	set(1)
	n := k.sequence(t, m.Sequence(target.ClassStore, ir.SpaceGlobal, pisa.Release, s), drop, access(amdgpu.StoreB32, flag))
	if loads {
		k.waitAll()
		k.def(amdgpu.VAddNcU32, 0, ir.VGPR, 1, ir.VReg(9), k.imm(32, 42), k.v(1, 10))
		access(amdgpu.StoreB32, out)(0)
	}
	k.end()

	k.AtEnd(reader)
	if !loads {
		access(amdgpu.LoadB32, data)(0)
		k.waitAll()
	}
	k.Branch(amdgpu.SBranch, 0, nil, ir.Target{To: loop})
	k.AtEnd(loop)
	n += k.sequence(t, m.Sequence(target.ClassLoad, ir.SpaceGlobal, pisa.Acquire, s), drop-n, access(amdgpu.LoadB32, flag))
	k.def(amdgpu.VReadfirstlaneB32, 0, ir.SGPR, 1, ir.SReg(12), k.v(1, 9))
	c = k.OpResults(amdgpu.SCmpEqU32, 0, 0, []ir.Type{ir.SCCBit}, k.s(1, 12), k.imm(32, 0))
	c.Result(0).Reg = ir.RegSCC
	k.Branch(amdgpu.SCbranchScc1, 0, []*ir.Value{c.Result(0)}, ir.Target{To: loop}, ir.Target{To: done})
	k.AtEnd(done)
	if loads {
		set(7)
		q := m.Sequence(target.ClassStore, ir.SpaceGlobal, pisa.Relaxed, s)
		access(amdgpu.StoreB32, data)(cacheBits(t, strings.Fields(q.Bits)))
	} else {
		access(amdgpu.LoadB32, data)(0)
		k.waitAll()
		access(amdgpu.StoreB32, out)(0)
	}
	k.end()
	return k, n
}

// broken runs k with many seeds and reports whether any run went wrong.
func broken(t *testing.T, k *kernel, m *target.Mode, s pisa.Scope, seeds uint64) string {
	for seed := range seeds {
		buf := make([]byte, 1024)
		l := &Launch{Global: [3]uint64{2 * uint64(m.Wave), 1, 1}, Local: [3]uint64{uint64(m.Wave), 1, 1}, Args: []host.Arg{{Data: buf}},
			Seed: seed, Memory: Weak, Agents: 1, MaxSteps: 1 << 16}
		switch s {
		case pisa.System:
			l.Agents = 2
		case pisa.Workgroup:
			l.Local = l.Global
		}
		var ds ir.Diags
		if Run(k.m, *m, l, &ds) == nil {
			return ds.List[0].Text
		}
		if v := word(buf, 128); v != 42 {
			return fmt.Sprintf("the reader saw %d", v)
		}
	}
	return ""
}

// TestMessagePassing: release and acquire of every mode and scope pass the
// message, and without any one instruction of the two sequences they do not.
func TestMessagePassing(t *testing.T) {
	const seeds = 60
	killed := 0
	for i := range target.All() {
		for _, m := range target.All()[i].Modes() {
			for _, s := range []pisa.Scope{pisa.Workgroup, pisa.GPU, pisa.System} {
				wrong := func(drop int) (text string, steps int) {
					for _, loads := range []bool{false, true} {
						var k *kernel
						k, steps = passing(t, &m, s, loads, drop)
						if text = broken(t, k, &m, s, seeds); text != "" {
							break
						}
					}
					return text, steps
				}
				text, n := wrong(-1)
				require.Empty(t, text, "%s %v", m.Name, s)
				for drop := range n {
					text, _ := wrong(drop)
					require.NotEmpty(t, text, "%s %v: nothing wrong without instruction %d of %d", m.Name, s, drop, n)
					killed++
				}
			}
		}
	}
	require.Greater(t, killed, 60)
}
