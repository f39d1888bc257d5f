package target

import "pisac/dialects/pisa"

// costRow is about what the steps of a memory sequence cost on a mode, in
// waits for memory that has nothing outstanding. They rank sequences, no more:
// what a cache operation takes depends on what the caches hold, but on no chip
// is a write-back cheaper than an invalidate, or either cheaper than a wait.
type costRow struct {
	wait       int
	writeBack  scoped[int]
	invalidate scoped[int]
	access     int
}

// costRows are the rows by generation. On GFX9 a write-back walks L2; an
// invalidate of L1 at work-group scope does not exist, at wider scope the
// coherent lines of L2 may go too. On RDNA invalidates are of the small inner
// caches; GFX12 has a write-back at system scope only.
var costRows = [...]costRow{
	GFX9:  {wait: 2, writeBack: scoped[int]{0, 40, 60}, invalidate: scoped[int]{4, 12, 16}, access: 1},
	GFX11: {wait: 2, writeBack: scoped[int]{0, 0, 0}, invalidate: scoped[int]{4, 8, 8}, access: 1},
	GFX12: {wait: 2, writeBack: scoped[int]{0, 0, 40}, invalidate: scoped[int]{4, 8, 12}, access: 1},
}

// Cost adds up the steps of s.
func (m *Mode) Cost(s Sequence) int {
	r := &costRows[m.Generation]
	n := 0
	if s.Access {
		n = r.access
	}
	for _, list := range [...][]Step{s.Before, s.After} {
		for i := range list {
			n += r.step(&list[i])
		}
	}
	return n
}

func (r *costRow) step(s *Step) int {
	k := scopeIndex(max(s.Scope, pisa.Workgroup))
	switch s.Kind {
	case StepWait:
		return r.wait
	case StepWriteBack:
		return r.writeBack[k]
	case StepInvalidate:
		return r.invalidate[k]
	}
	return 0
}
