package machine

import (
	"math"

	"pisac/ir"
)

// vccIndex is vcc's number among scalar registers.
const vccIndex = int(ir.RegVCC - ir.RegS0)

// trapRegs is the number of the trap handler's scalar registers.
const trapRegs = 16

// clearPhys frees the registers of class k but those that are never allocated.
func (ra *allocator) clearPhys(k int) {
	n := len(ra.blocked[k])
	for len(ra.phys[k]) < n+trapRegs { // behind those allocated: where live-ins may be
		ra.phys[k] = append(ra.phys[k], nil)
	}
	for r := range ra.phys[k] {
		ra.phys[k][r] = ra.phys[k][r][:0]
		if r < n && ra.blocked[k][r] {
			ra.phys[k][r] = append(ra.phys[k][r], seg{0, math.MaxInt32, -1})
		}
	}
}

// colour gives every unit a register, in order of definition; if that does not
// do for a class, larger tuples first. If one does not fit it returns the class.
func (ra *allocator) colour() ir.RegClass {
	for _, class := range [...]ir.RegClass{ir.SGPR, ir.VGPR} {
		if ra.colourSizes(class, 1, math.MaxUint8) {
			continue
		}
		ra.uncolour(class)
		if !ra.colourSizes(class, 3, math.MaxUint8) || !ra.colourSizes(class, 2, 2) || !ra.colourSizes(class, 1, 1) {
			return class
		}
	}
	return ir.NoClass
}

// uncolour takes back the choices of colour.
func (ra *allocator) uncolour(class ir.RegClass) {
	ra.clearPhys(classIndex(class))
	for i := range ra.unit {
		if ra.unit[i] != int32(i) || ra.info[i].class != class {
			continue
		}
		u := &ra.info[i]
		u.reg = u.fixed
		if u.fixed == ir.NoReg {
			continue
		}
		for l := range int(u.size) {
			ra.occupy(u.class, physical(u.fixed)+l, ra.lanes[int(u.lanes)+l])
		}
	}
}

// colourSizes places the units of lo to hi registers.
func (ra *allocator) colourSizes(class ir.RegClass, lo, hi uint8) bool {
	for _, b := range ra.order {
		for _, v := range b.Args() {
			if v.Type.Class() == class && !ra.colourValue(v, lo, hi) {
				return false
			}
		}
		for op := b.First(); op != nil; op = op.Next() {
			for i := range op.NumResults() {
				if v := op.Result(i); v.Type.Class() == class && !ra.colourValue(v, lo, hi) {
					return false
				}
			}
		}
	}
	return true
}

// shortLife is how long a mask may stay in vcc: others have shorter encodings
// there too.
const shortLife = 2 * 24

// lasts is how long the first register of u lives.
func (ra *allocator) lasts(u *unitInfo) (n int32) {
	for _, s := range ra.lanes[u.lanes] {
		n += s.end - s.start
	}
	return n
}

func (ra *allocator) colourValue(v *ir.Value, lo, hi uint8) bool {
	if ra.unit[v.ID] < 0 {
		return true
	}
	root, _ := ra.find(int32(v.ID))
	u := &ra.info[root]
	if u.reg != ir.NoReg || u.size < lo || u.size > hi {
		return true
	}
	if u.hint && ra.lasts(u) <= shortLife && ra.try(u, vccIndex) {
		return true
	}
	if u.sink {
		u.reg = ir.RegNull
		return true
	}
	limit := ra.slimit
	if u.class == ir.VGPR {
		limit = ra.vlimit
	}
	for base := int(u.rem); base+int(u.size) <= limit; base += int(u.align) {
		if ra.try(u, base) {
			return true
		}
	}
	return u.class == ir.SGPR && (ra.try(u, vccIndex) || ra.try(u, vccIndex+1))
}

// try places u at register base if that is free.
func (ra *allocator) try(u *unitInfo, base int) bool {
	if base >= vccIndex && u.class == ir.SGPR && !ra.allowed(u.class, base, int(u.size)) || mod(base, int(u.align)) != int(u.rem) {
		return false
	}
	phys := ra.phys[classIndex(u.class)]
	for l := range int(u.size) {
		if taken(phys[base+l], ra.lanes[int(u.lanes)+l]) {
			return false
		}
	}
	for l := range int(u.size) {
		ra.occupy(u.class, base+l, ra.lanes[int(u.lanes)+l])
	}
	u.reg = register(u.class, base)
	return true
}

// taken reports whether a register is in use in a segment of y.
func taken(x, y []seg) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if len(x) < len(y) {
		x, y = y, x
	}
	for i := range y {
		if k := after(x, y[i].start); k < len(x) && x[k].start < y[i].end {
			return true
		}
	}
	return false
}
