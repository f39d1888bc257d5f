package interp

import (
	"pisac/ir"
)

// fastRun returns a lane loop for an op that is hot in most kernels; nil for
// others, which go through pisa.EvalFn lane by lane. The loops are held to
// EvalFn by a test.
func fastRun(o *ir.Op) func(*subgroup, *inst, uint32) { return nil }

func fastLoad32(s *subgroup, in *inst, mask uint32, d *lanes) bool { return false }
