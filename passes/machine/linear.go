package machine

import (
	"pisac/dialects/amdgpu"
	"pisac/ir"
)

// LinearSuccs appends to buf the blocks in which a wave may continue behind b,
// before layout: what the terminator does physically, and where a p_skip goes.
// A wave leaves the last block of the function only by ending.
func LinearSuccs(b *ir.Block, buf []*ir.Block) []*ir.Block {
	switch t := b.Last(); t.Code {
	case amdgpu.TJump:
		buf = append(buf, t.Succ(0).To())
	case amdgpu.TCond:
		buf = append(buf, t.Succ(0).To())
		if t.Succ(1).To() != t.Succ(0).To() {
			buf = append(buf, t.Succ(1).To())
		}
	case amdgpu.TDiverge, amdgpu.TFall:
		buf = append(buf, b.Next())
	case amdgpu.TLoop:
		buf = append(buf, t.Succ(0).To())
		if n := b.Next(); n != t.Succ(0).To() {
			buf = append(buf, n)
		}
	case amdgpu.TRet:
	default:
		panic("machine: a block ends in no terminator of the linear order")
	}
	for op := b.First(); op != nil; op = op.Next() {
		if op.Code != amdgpu.PSkip {
			continue
		}
		if to := skipTarget(b, op); !hasBlock(buf, to) {
			buf = append(buf, to)
		}
	}
	return buf
}

// skipTarget is the block in which a p_skip of b continues.
func skipTarget(b *ir.Block, skip *ir.Op) *ir.Block {
	for n := skip.Field(amdgpu.FSkip); n > 0; n-- {
		b = b.Next()
	}
	return b
}

func hasBlock(list []*ir.Block, b *ir.Block) bool {
	for _, x := range list {
		if x == b {
			return true
		}
	}
	return false
}
