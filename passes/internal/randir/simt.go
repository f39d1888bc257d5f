package randir

import (
	"pisac/dialects/builtin"
	"pisac/ir"
)

// Together runs n lanes of kernel f as one sub-group: lanes part at a branch,
// each part runs to the branch's post-dominator, there they go on together. It
// returns what memory holds then; ok is false if fuel, counted in ops of the
// group, ran out.
func Together(f *ir.Func, n, fuel int, params ...uint64) (did string, ok bool) {
	t := together{fuel: fuel}
	t.post.Compute(f)
	lanes := Group(f, n, params...)
	t.run(lanes, f.Entry(), nil)
	return dump(lanes[0].m.mem), t.fuel >= 0
}

type together struct {
	post ir.PostDom
	fuel int
}

func (t *together) run(lanes []*Frame, b, stop *ir.Block) (arrived []*Frame) {
	for b != stop {
		mask := uint64(0)
		for _, l := range lanes {
			mask |= 1 << l.m.Lane
		}
		for op := b.First(); op != b.Last(); op = op.Next() {
			if t.fuel--; t.fuel < 0 {
				return nil
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
			met := append(t.run(part[0], b.Succ(0), join), t.run(part[1], b.Succ(1), join)...)
			if join == nil || len(met) == 0 || t.fuel < 0 {
				return nil
			}
			lanes, b = met, join
		}
	}
	return lanes
}
