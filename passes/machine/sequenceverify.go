package machine

import (
	"slices"
	"strings"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// sequence checks that what the target's table demands of s stands in the final
// code: in the table's order, with no access to memory that others can see
// between.
func (v *waitVerifier) sequence(f *ir.Func, s *Sequence) {
	want, bits := v.expected(s)
	if len(want) == 0 {
		return
	}
	at := s.anchor(f)
	if at == nil {
		v.report(nil, s.Loc, "%s: nothing of its sequence is left", s.name())
		return
	}
	if s.Access != nil && !s.Barrier && !sameWords(cacheText(at), bits) {
		v.report(at, s.Loc, "%s: the access has cache bits %q, not %q", s.name(), cacheText(at), bits)
	}
	// What is left of the sequence around at, but for other accesses' business.
	first, last := at, at
	for p := at.Prev(); p != nil && !sharedAccess(p); p = p.Prev() {
		if slices.Contains(s.Ops, p) {
			first = p
		}
	}
	for n := at.Next(); n != nil && !sharedAccess(n); n = n.Next() {
		if slices.Contains(s.Ops, n) {
			last = n
		}
	}
	var have []*ir.Op
	for op := first; op != last.Next(); op = op.Next() {
		if op == s.Access || amdgpu.Encoded(op) && amdgpu.RowOf(op.Code).Has(amdgpu.Control) {
			have = append(have, op)
		}
	}
	if missing := v.missing(s, want, have); missing != "" {
		v.report(at, s.Loc, "%s: %q does not stand in its place", s.name(), missing)
	}
}

func (s *Sequence) name() string {
	if s.Barrier {
		return "barrier"
	}
	return strings.Join([]string{s.Class.String(), s.Space.String(), s.Order.String(), s.Scope.String()}, ".")
}

// expected is the target's sequence, and the cache bits of the access.
func (v *waitVerifier) expected(s *Sequence) (steps []target.Step, bits string) {
	m := &v.ctx.Mode
	if s.Barrier {
		for _, step := range m.Barrier() {
			if !s.Clean || step.Kind != target.StepInvalidate {
				steps = append(steps, step)
			}
		}
		return steps, ""
	}
	q := m.Sequence(s.Class, s.Space, s.Order, s.Scope)
	if s.Reads != NoReads {
		steps = append(steps, m.AtomicReads(s.Reads == NoResultReads)...)
	}
	steps = append(steps, q.Before...)
	if q.Access {
		steps = append(steps, target.Step{Kind: target.StepAccess})
	}
	return append(steps, q.After...), q.Bits
}

// anchor is the access, or any instruction of s that is left.
func (s *Sequence) anchor(f *ir.Func) *ir.Op {
	ops := s.Ops
	if s.Access != nil {
		ops = []*ir.Op{s.Access}
	}
	for _, op := range ops {
		if op.Block() != nil && op.Func() == f {
			return op
		}
	}
	return nil
}

// sharedAccess reports an access to memory that may be written meanwhile by
// others: not scratch, and not what scalar loads read.
func sharedAccess(op *ir.Op) bool {
	if !amdgpu.IsMachine(op.Code) {
		return false
	}
	r := amdgpu.RowOf(op.Code)
	return r.Memory() && r.Family != amdgpu.Scratch && r.Family != amdgpu.SMEM
}

// missing is the first step of want for which have has no instruction; "" if
// there is none. Waits between two other steps may be merged and in any order.
// A step is sought behind its waits: what comes before may be of another
// sequence.
func (v *waitVerifier) missing(s *Sequence, want []target.Step, have []*ir.Op) string {
	for len(want) > 0 {
		waits := 0
		var counters target.Counter
		for waits < len(want) && want[waits].Kind == target.StepWait {
			counters |= want[waits].Wait
			waits++
		}
		at := 0
		for ; at < len(have) && counters != 0; at++ {
			w, _ := amdgpu.WaitOf(have[at])
			for c, n := range w {
				if n == 0 && amdgpu.Waits(have[at]) {
					counters &^= 1 << c
				}
			}
		}
		for i := range want[:waits] {
			if want[i].Wait&counters != 0 {
				return want[i].Text
			}
		}
		if waits == len(want) {
			return ""
		}
		for at < len(have) && !v.is(s, &want[waits], have[at]) {
			at++
		}
		if at == len(have) {
			return stepText(s, &want[waits])
		}
		want, have = want[waits+1:], have[at+1:]
	}
	return ""
}

// is reports whether op is what step says.
func (v *waitVerifier) is(s *Sequence, step *target.Step, op *ir.Op) bool {
	if step.Kind == target.StepAccess {
		return op == s.Access
	}
	name, rest, _ := strings.Cut(step.Text, " ")
	if amdgpu.RowOf(op.Code).Mnemonic(v.ctx.Target) != name {
		return false
	}
	return step.Kind == target.StepBarrier || sameWords(cacheText(op), rest)
}

func stepText(s *Sequence, step *target.Step) string {
	if step.Kind == target.StepAccess {
		return s.name()
	}
	return step.Text
}

// cacheWords are the assembler's words for cache bits.
var cacheWords = []struct {
	bit  amdgpu.CacheBits
	word string
}{
	{amdgpu.CacheGLC, "glc"}, {amdgpu.CacheSLC, "slc"}, {amdgpu.CacheDLC, "dlc"},
	{amdgpu.CacheSC0, "sc0"}, {amdgpu.CacheSC1, "sc1"}, {amdgpu.CacheNT, "nt"},
	{amdgpu.CacheReturn, "th:TH_ATOMIC_RETURN"}, {amdgpu.CacheNTHint, "th:TH_NT"},
}

var scopeWords = [...]string{"", "scope:SCOPE_SE", "scope:SCOPE_DEV", "scope:SCOPE_SYS"}

// cacheText is the cache bits of op as the assembler spells them.
func cacheText(op *ir.Op) string {
	if amdgpu.RowOf(op.Code).Family == amdgpu.DS {
		return ""
	}
	bits := amdgpu.CacheBits(amdgpu.FCache.Get(op.Props))
	var words []string
	for i := range cacheWords {
		if bits&cacheWords[i].bit != 0 {
			words = append(words, cacheWords[i].word)
		}
	}
	if w := scopeWords[bits>>8]; w != "" {
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
