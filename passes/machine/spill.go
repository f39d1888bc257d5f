package machine

import "pisac/ir"

type spillState struct{}

func (s *spillState) reset() {}

func (ra *allocator) spill(class ir.RegClass, round int) bool { panic("spill") }

func (ra *allocator) placeSpillLanes() {}
