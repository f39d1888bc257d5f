package randir

import (
	"pisac/dialects/builtin"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Together runs n lanes of kernel f as one sub-group: lanes part at a branch,
// each part runs to the branch's post-dominator, there they go on together. It
// returns what memory holds then; ok is false if fuel, counted in ops of the
// group, ran out.
//
// Where exactly lanes meet PISA leaves open, and passes may make it earlier: a
// way that is never taken, but leads around a block, goes. determined is false
// if that may show, as both parts of a branch execute one block with ops that
// depend on the active lanes before they meet.
func Together(f *ir.Func, n, fuel int, params ...uint64) (did string, ok, determined bool) {
	t := together{fuel: fuel, determined: true}
	t.post.Compute(f)
	lanes := Group(f, n, params...)
	t.run(lanes, f.Entry(), nil, make([]bool, f.NumBlockIDs()))
	return dump(lanes[0].m.mem), t.fuel >= 0, t.determined
}

type together struct {
	post       ir.PostDom
	fuel       int
	determined bool
}

// run executes lanes from b up to stop. executed, by Block.ID, is where ops
// depended on which they were.
func (t *together) run(lanes []*Frame, b, stop *ir.Block, executed []bool) (arrived []*Frame) {
	for b != stop {
		mask := uint64(0)
		for _, l := range lanes {
			mask |= 1 << l.m.Lane
		}
		for op := b.First(); op != b.Last(); op = op.Next() {
			if t.fuel--; t.fuel < 0 {
				return nil
			}
			if op.Def().Effects&ir.Convergent != 0 || op.Code == pisa.ReadSReg && pisa.SReg(pisa.OpOf(op.Props)) == pisa.SActiveMask {
				executed[b.ID] = true
			}
			for _, l := range lanes {
				l.m.Mask = mask
				if !l.Exec(op) {
					t.fuel = -1
				}
			}
		}
		if t.fuel--; t.fuel < 0 {
			return nil
		}
		end := b.Last()
		if end.Code == builtin.Return {
			return nil
		}
		var part [2][]*Frame
		for _, l := range lanes {
			k := 0
			if end.Code == builtin.CondBr && l.Value(end.Operand(0)) == 0 {
				k = 1
			}
			l.Follow(end.Succ(k))
			part[k] = append(part[k], l)
		}
		switch {
		case len(part[1]) == 0 || b.Succ(0) == b.Succ(1):
			b = b.Succ(0)
		case len(part[0]) == 0:
			b = b.Succ(1)
		default:
			join := t.post.Ipdom(b)
			met := t.apart(part, b, join, executed)
			if join == nil || len(met) == 0 || t.fuel < 0 {
				return nil
			}
			lanes, b = met, join
		}
	}
	return lanes
}

// apart runs the parts of lanes that parted at the end of b up to join.
func (t *together) apart(part [2][]*Frame, b, join *ir.Block, executed []bool) (met []*Frame) {
	var by [2][]bool
	for k := range part {
		by[k] = make([]bool, len(executed))
		met = append(met, t.run(part[k], b.Succ(k), join, by[k])...)
	}
	for i := range executed {
		if by[0][i] && by[1][i] {
			t.determined = false
		}
		executed[i] = executed[i] || by[0][i] || by[1][i]
	}
	return met
}
