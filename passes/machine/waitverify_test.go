package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// What the pass inserts is enough for the verifier, and each wait is needed.
func TestVerifyWaitsSeesEveryWait(t *testing.T) {
	bodies := map[string]string{
		"gfx1100": `
  %a = amdgpu.s_load_b32 %k : s1@s4
  %x = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %y = amdgpu.global_load_b32.saddr.offset4 %t, %k : v1@v2
  %l = amdgpu.ds_load_b32 %t : v1@v3
  amdgpu.s_branch ^bb1
^bb1:
  %c0 = builtin.const 0x0 : 32b
  %b = amdgpu.v_add_nc_u32 %a, %t : v1@v4
  %c = amdgpu.v_add_nc_u32 %x, %l : v1@v4
  %z = amdgpu.global_load_b32.saddr %t, %k : v1@v1
  %s = amdgpu.s_cmp_eq_u32 %c0, %c0 : scc@scc
  amdgpu.s_cbranch_scc1 %s, ^bb1, ^bb2
^bb2:
  %d = amdgpu.v_mov_b32 %y : v1@v5
  %e = amdgpu.v_mov_b32 %t : v1@v1
  amdgpu.s_endpgm`,
		"gfx942": `
  %p = amdgpu.p_undef : v2@v8
  %g = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %a = amdgpu.flat_load_b32 %p : v1@v1
  amdgpu.global_store_b32.saddr %t, %k, %t
  %h = amdgpu.ds_load_b64 %t : v2@v4
  %c = amdgpu.v_add_nc_u32 %g, %t : v1@v3
  %d = amdgpu.v_add_nc_u32 %a, %t : v1@v3
  %i = amdgpu.v_mov_b32 %t : v1@v5
  amdgpu.s_endpgm`,
		"gfx1201": `
  %a = amdgpu.s_load_b32 %k : s1@s4
  %g = amdgpu.global_load_b32.saddr %t, %k : v1@v2
  %h = amdgpu.ds_load_b64 %t : v2@v4
  %b = amdgpu.v_add_nc_u32 %a, %t : v1@v3
  %c = amdgpu.v_add_nc_u32 %g, %t : v1@v3
  %i = amdgpu.v_mov_b32 %t : v1@v5
  amdgpu.s_endpgm`,
	}
	for chip, body := range bodies {
		build := func() (*Ctx, *ir.Func, []*ir.Op) {
			c, f := parseBody(t, chip, waitHead+body)
			Waitcnt(c, f)
			var waits []*ir.Op
			for b := f.FirstBlock(); b != nil; b = b.Next() {
				for op := b.First(); op != nil; op = op.Next() {
					if amdgpu.Waits(op) {
						waits = append(waits, op)
					}
				}
			}
			return c, f, waits
		}
		c, f, waits := build()
		require.Empty(t, VerifyWaits(c, f), chip)
		require.NotEmpty(t, waits)
		for i := range waits {
			c, f, waits := build()
			waits[i].Erase()
			require.NotEmpty(t, VerifyWaits(c, f), "%s: wait %d erased", chip, i)
			c, f, waits = build()
			w, _ := amdgpu.WaitOf(waits[i])
			for k := range w {
				if w[k] >= 0 {
					weaker := w
					weaker[k]++
					amdgpu.SetWait(waits[i], weaker)
					require.NotEmpty(t, VerifyWaits(c, f), "%s: wait %d weaker", chip, i)
				}
			}
		}
	}
}

// sequenceBlock is a block of a memory-model operation's sequence between two
// other accesses.
func sequenceBlock(t *testing.T, m *target.Mode, class target.MemoryClass, order pisa.Order, scope pisa.Scope) (*Ctx, *ir.Func) {
	c, f := parseBody(t, m.Target.Name, waitHead+`
  amdgpu.global_store_b32.saddr %t, %k, %t
  amdgpu.global_store_b32.saddr %t, %k, %t
  amdgpu.s_endpgm`)
	c.Mode = *m
	var bl ir.Builder
	k, item := f.Entry().First().Result(0), f.Entry().First().Next().Result(0)
	bl.Before(f.Entry().Last().Prev())
	q := m.Sequence(class, ir.SpaceGlobal, order, scope)
	s := Sequence{Class: class, Space: ir.SpaceGlobal, Order: order, Scope: scope}
	add := func(steps []target.Step) {
		for i := range steps {
			s.Ops = append(s.Ops, emitStep(t, c, &bl, &steps[i]))
		}
	}
	add(q.Before)
	bits := amdgpu.FCache.Set(amdgpu.FSaddr.Set(0, 1), uint64(parseCache(q.Bits)))
	switch class {
	case target.ClassLoad:
		s.Access = bl.Value(amdgpu.Mem(amdgpu.Global, amdgpu.LoadB32), bits, ir.Regs(ir.VGPR, 1), item, k).Op()
		s.Access.Result(0).Reg = ir.VReg(1)
	case target.ClassStore:
		s.Access = bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB32), bits, item, k, item)
	case target.ClassRMW:
		s.Access = bl.Value(amdgpu.Mem(amdgpu.Global, amdgpu.AtomicAdd), bits, ir.Regs(ir.VGPR, 1), item, k, item).Op()
		s.Access.Result(0).Reg = ir.VReg(1)
	}
	if s.Access != nil {
		s.Ops = append(s.Ops, s.Access)
	}
	add(q.After)
	c.Sequences = []Sequence{s}
	return c, f
}

// emitStep makes an instruction of a step, found by its name.
func emitStep(t *testing.T, c *Ctx, bl *ir.Builder, step *target.Step) *ir.Op {
	name, rest, _ := strings.Cut(step.Text, " ")
	for _, r := range amdgpu.Rows() {
		if r.Mnemonic(c.Target) != name {
			continue
		}
		op := bl.Op(r.Code, 0)
		if step.Kind == target.StepWait {
			w := amdgpu.NoWaits
			for k := range w {
				if step.Wait>>k&1 != 0 {
					w[k] = 0
				}
			}
			amdgpu.SetWait(op, w)
		} else {
			op.SetField(amdgpu.FCache, uint64(parseCache(rest)))
		}
		return op
	}
	t.Fatalf("no row %q", name)
	return nil
}

func parseCache(text string) (bits amdgpu.CacheBits) {
	for i := range cacheWords {
		for _, w := range strings.Fields(text) {
			if w == cacheWords[i].word {
				bits |= cacheWords[i].bit
			}
		}
	}
	for i, s := range scopeWords {
		for _, w := range strings.Fields(text) {
			if w == s {
				bits |= amdgpu.CacheBits(i) << 8
			}
		}
	}
	return bits
}

// The sequence of every class, order and scope is accepted as it stands, and
// refused without any one of its instructions, with waits that wait for less,
// with other cache bits, or with another access inside.
func TestVerifyWaitsHoldsSequences(t *testing.T) {
	mutants := 0
	for i := range target.All() {
		for _, m := range target.All()[i].Modes() {
			for _, class := range []target.MemoryClass{target.ClassLoad, target.ClassStore, target.ClassRMW, target.ClassFence} {
				for order := pisa.Relaxed; order <= pisa.SeqCst; order++ {
					for scope := pisa.Workgroup; scope <= pisa.System; scope++ {
						if class == target.ClassLoad && (order == pisa.Release || order == pisa.AcqRel) ||
							class == target.ClassStore && (order == pisa.Acquire || order == pisa.AcqRel) ||
							class == target.ClassFence && order == pisa.Relaxed {
							continue
						}
						what := fmt.Sprint(m.Name, class, order, scope)
						c, f := sequenceBlock(t, &m, class, order, scope)
						n := len(c.Sequences[0].Ops)
						Waitcnt(c, f)
						require.Empty(t, VerifyWaits(c, f), what)
						for k := range n {
							for _, mutate := range mutations(c.Sequences[0].Ops[k]) {
								c, f := sequenceBlock(t, &m, class, order, scope)
								mutate(c.Sequences[0].Ops[k])
								require.NotEmpty(t, VerifyWaits(c, f), "%s: instruction %d", what, k)
								mutants++
							}
						}
					}
				}
			}
		}
	}
	require.Greater(t, mutants, 300)
}

// mutations of an instruction of a sequence that the verifier must notice.
func mutations(op *ir.Op) (out []func(*ir.Op)) {
	erase := func(op *ir.Op) { op.Erase() }
	access := func(op *ir.Op) {
		var bl ir.Builder
		bl.Before(op)
		head := op.Block().First()
		bl.Op(amdgpu.Mem(amdgpu.Global, amdgpu.StoreB32), amdgpu.FSaddr.Set(0, 1), head.Next().Result(0), head.Result(0), head.Next().Result(0))
	}
	if op.Prev() != nil && !sharedAccess(op.Prev()) && op.Prev().Code != amdgpu.PLivein {
		out = append(out, access)
	}
	if w, ok := amdgpu.WaitOf(op); ok {
		out = append(out, erase)
		for k := range w {
			if w[k] == 0 {
				out = append(out, func(op *ir.Op) { w[k] = 1; amdgpu.SetWait(op, w) })
			}
		}
		return out
	}
	if !sharedAccess(op) {
		return append(out, erase)
	}
	flip := amdgpu.CacheGLC
	return append(out, func(op *ir.Op) {
		op.SetField(amdgpu.FCache, amdgpu.FCache.Get(op.Props)^uint64(flip))
	})
}

func TestVerifyWaitsNamesTheBarrier(t *testing.T) {
	c, f := parseBody(t, "gfx1100", waitHead+`
  amdgpu.s_waitcnt.vmcnt0.lgkmcnt0
  amdgpu.s_waitcnt_vscnt.imm0
  amdgpu.s_barrier
  amdgpu.buffer_gl0_inv
  amdgpu.s_endpgm`)
	first := f.Entry().First().Next().Next()
	s := Sequence{Barrier: true, Access: first.Next().Next()}
	for op := first; op.Code != amdgpu.SEndpgm; op = op.Next() {
		s.Ops = append(s.Ops, op)
	}
	c.Sequences = []Sequence{s}
	require.Empty(t, VerifyWaits(c, f))
	s.Ops[1].Erase()
	problems := VerifyWaits(c, f)
	require.Len(t, problems, 1)
	require.Equal(t, `barrier: "s_waitcnt_vscnt null, 0x0" does not stand in its place`, problems[0].Text)
}
