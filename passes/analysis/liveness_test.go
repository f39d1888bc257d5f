package analysis

import (
	"testing"

	"pgregory.net/rapid"

	"pisac/ir"
	"pisac/tests/randir"
)

// The definition is the oracle: v is live into b if a path from b's start
// leads to a use of v without passing v's definition.
func TestLiveness(t *testing.T) {
	var l Liveness
	rapid.Check(t, func(t *rapid.T) {
		f := randir.Module(t).Func("f")
		l.Compute(f)
		var all []*ir.Value
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			all = append(all, b.Args()...)
			for op := b.First(); op != nil; op = op.Next() {
				for i := range op.NumResults() {
					all = append(all, op.Result(i))
				}
			}
		}
		for b := f.FirstBlock(); b != nil; b = b.Next() {
			for _, v := range all {
				if got, want := l.LiveIn(v, b), liveIn(v, b, map[*ir.Block]bool{}); got != want {
					t.Fatalf("LiveIn(%d, %d) = %v in\n%s", v.ID, b.ID, got, ir.AppendFunc(nil, f))
				}
			}
			for i := range l.In(b) {
				if i > 0 && l.In(b)[i-1].ID >= l.In(b)[i].ID {
					t.Fatal("In is not sorted")
				}
			}
		}
	})
}

func liveIn(v *ir.Value, b *ir.Block, seen map[*ir.Block]bool) bool {
	if seen[b] || v.Block() == b {
		return false
	}
	seen[b] = true
	for op := b.First(); op != nil; op = op.Next() {
		for i := range op.NumOperands() {
			if op.Operand(i) == v {
				return true
			}
		}
	}
	for i := range b.NumSuccs() {
		if liveIn(v, b.Succ(i), seen) {
			return true
		}
	}
	return false
}
