package machine

import (
	"slices"

	"pisac/dialects/amdgpu"
)

const (
	// schedWindow is how far an instruction may overtake others.
	schedWindow = 192
	// schedReach is how far one that is no load may.
	schedReach = 24
)

// choose fills order with all nodes and returns the greatest pressure; false if
// no order was found.
func (s *scheduler) choose() (peak pressure, ok bool) {
	s.order, s.ready = s.order[:0], s.ready[:0]
	n := int32(len(s.nodes))
	placed := make([]bool, n)
	var oldest, entered, cycle int32
	peak = s.now
	for int32(len(s.order)) < n {
		for ; entered < min(n, oldest+schedWindow); entered++ {
			if s.nodes[entered].waiting == 0 {
				s.ready = append(s.ready, entered) // greater than all others
			}
		}
		if len(s.ready) == 0 {
			return peak, false
		}
		k := s.best(cycle)
		i := s.ready[k]
		s.ready = slices.Delete(s.ready, k, k+1)
		node := &s.nodes[i]
		cycle = max(cycle, node.ready)
		for _, op := range node.ops {
			s.pass(op)
			peak.max(s.now)
			if amdgpu.Encoded(op) {
				cycle++
			}
		}
		s.order = append(s.order, i)
		placed[i] = true
		for e := node.edges; e >= 0; e = s.edges[e].next {
			to := &s.nodes[s.edges[e].to]
			to.ready = max(to.ready, cycle-1+s.edges[e].latency)
			if to.waiting--; to.waiting == 0 && s.edges[e].to < entered {
				at, _ := slices.BinarySearch(s.ready, s.edges[e].to)
				s.ready = slices.Insert(s.ready, at, s.edges[e].to)
			}
		}
		for oldest < n && placed[oldest] {
			oldest++
		}
	}
	return peak, true
}

// best is the index in ready of what goes next.
func (s *scheduler) best(cycle int32) int {
	if s.now.v > s.limit.v || s.now.s > s.limit.s {
		return s.relief()
	}
	best, bestRank := -1, int64(0)
	for k, i := range s.ready {
		n := &s.nodes[i]
		if n.kind == schedOther && i > s.ready[0]+schedReach {
			continue
		}
		if n.kind == schedLoad || n.kind == schedScalarLoad {
			if d := s.delta(n); s.now.v+d.v > s.limit.v || s.now.s+d.s > s.limit.s {
				continue
			}
		}
		// First what need not wait, then by kind; of what must wait, the first
		// to go on.
		rank := int64(n.kind) << 8
		if n.kind == schedScalarLoad {
			// The last load may take its base's registers; of one register it
			// would, and must then not be next to others on some chips.
			rank += int64(n.ops[0].Result(0).Type.Lanes())
		}
		if stall := n.ready - cycle; stall > 0 {
			rank += int64(stall+1) << 16
		}
		if best < 0 || rank < bestRank {
			best, bestRank = k, rank
		}
	}
	if best < 0 {
		return s.relief()
	}
	return best
}

// relief is what ends most lives, the first of several.
func (s *scheduler) relief() int {
	best, least := 0, 1<<30
	for k, i := range s.ready {
		if i > s.ready[0]+schedWindow/2 {
			break
		}
		d := s.delta(&s.nodes[i])
		n := 0
		if s.now.v+d.v > s.limit.v || s.now.v > s.limit.v {
			n += d.v
		}
		if s.now.s+d.s > s.limit.s || s.now.s > s.limit.s {
			n += d.s
		}
		if n < least {
			best, least = k, n
		}
	}
	return best
}
