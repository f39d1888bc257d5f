package host

import (
	"fmt"
	"math/bits"

	"pisac/ir"
)

// Range is the index space of a launch.
type Range struct {
	Global, Local [3]uint64 // work-items in all and of a whole work-group, at least 1
	Count         [3]uint64 // work-groups
	Groups        uint64    // of all dimensions
	Dims          int
}

// Limits are what the device of a run can take.
type Limits struct {
	Group  uint64 // work-items of a work-group
	Global uint64 // work-items of a dimension
	Device string // who says so, may be empty
}

// NewRange is the index space of kernel k for what a launch gives: sizes may be
// 0 for 1, dims 0 for the last dimension above 1.
func NewRange(k *ir.Func, global, local [3]uint64, dims int, limit Limits) (r Range, bad *BadLaunch) {
	fail := func(format string, args ...any) (Range, *BadLaunch) {
		return Range{}, &BadLaunch{k.Loc, fmt.Sprintf(format, args...)}
	}
	r.Groups, r.Dims = 1, 1
	items := uint64(1)
	for i := range 3 {
		r.Global[i], r.Local[i] = max(global[i], 1), max(local[i], 1)
		if r.Local[i] > limit.Group || r.Global[i] > limit.Global {
			return fail("the range %d by %d in dimension %d is too large", r.Global[i], r.Local[i], i)
		}
		items *= r.Local[i]
		r.Count[i] = (r.Global[i] + r.Local[i] - 1) / r.Local[i]
		if hi, lo := bits.Mul64(r.Groups, r.Count[i]); hi != 0 || lo > 1<<40 {
			return fail("too many work-groups")
		}
		r.Groups *= r.Count[i]
		if r.Global[i] > 1 {
			r.Dims = i + 1
		}
	}
	if dims != 0 {
		r.Dims = dims
	}
	if items > limit.Group {
		of := ""
		if limit.Device != "" {
			of = fmt.Sprintf(": %s has %d", limit.Device, limit.Group)
		}
		return fail("a work-group of %d work-items is too large%s", items, of)
	}
	if q := k.ReqdWorkGroupSize; q != [3]uint32{} && (uint64(q[0]) != r.Local[0] || uint64(q[1]) != r.Local[1] || uint64(q[2]) != r.Local[2]) {
		return fail("kernel @%s requires work-groups of %dx%dx%d, not %dx%dx%d", k.Name, q[0], q[1], q[2], r.Local[0], r.Local[1], r.Local[2])
	}
	return r, nil
}
