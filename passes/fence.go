package passes

import (
	"strconv"
	"strings"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// What fences say, as the passes about them reckon with it: a lattice of order,
// scope and address spaces. Rule ids (F01, S02b, …) are those of the catalogue
// in passes/litmus/testdata/transforms.json.

// halves is the order of a fence: what it does with accesses before it
// (release) and behind it (acquire). The order is a set, so that the join of
// acquire and release is acq_rel (F02, F02b).
type halves uint8

const (
	acquireHalf halves = 1 << iota
	releaseHalf
	seqCstFence // beyond both halves, which are set too: takes part in psc

	bothHalves = acquireHalf | releaseHalf
)

// spaces is the set of address spaces that a fence orders.
type spaces uint8

const (
	coverGlobal spaces = 1 << iota
	coverShared

	coverBoth = coverGlobal | coverShared
	numSpaces = 2
)

// anyScope stands for "at every scope": there is nothing to cover.
const anyScope = pisa.System + 1

// fenceSet is what a fence does, or several do one behind the other. The zero
// value does nothing.
type fenceSet struct {
	order halves
	scope pisa.Scope
	cover spaces
}

// fenceOf reads a fence. The bare fence.subgroup is acq_rel of both spaces.
func fenceOf(props uint64) fenceSet {
	s := pisa.ScopeOf(props)
	if s == pisa.Subgroup {
		return fenceSet{bothHalves, s, coverBoth}
	}
	f := fenceSet{bothHalves, s, coverBoth}
	switch pisa.OrderOf(props) {
	case pisa.Acquire:
		f.order = acquireHalf
	case pisa.Release:
		f.order = releaseHalf
	case pisa.SeqCst:
		f.order |= seqCstFence
	}
	switch pisa.SpaceOf(props) {
	case ir.SpaceGlobal:
		f.cover = coverGlobal
	case ir.SpaceShared:
		f.cover = coverShared
	}
	return f
}

// join is the weakest fence that does what f and g do side by side (L2, rules
// F01 to F06). It is commutative, associative and idempotent.
func (f fenceSet) join(g fenceSet) fenceSet {
	return fenceSet{f.order | g.order, max(f.scope, g.scope), f.cover | g.cover}
}

// includes reports that f does all that g does.
func (f fenceSet) includes(g fenceSet) bool { return f.join(g) == f }

// empty reports a fence that does nothing.
func (f fenceSet) empty() bool { return f.order == 0 || f.cover == 0 }

func (f fenceSet) seqCst() bool { return f.order&seqCstFence != 0 }

// memOrder is the order as PISA writes it.
func (f fenceSet) memOrder() pisa.Order {
	switch {
	case f.seqCst():
		return pisa.SeqCst
	case f.order == bothHalves:
		return pisa.AcqRel
	case f.order == releaseHalf:
		return pisa.Release
	}
	return pisa.Acquire
}

func (f fenceSet) space() ir.Space {
	switch f.cover {
	case coverGlobal:
		return ir.SpaceGlobal
	case coverShared:
		return ir.SpaceShared
	}
	return ir.SpaceGeneric
}

// props is f as a fence of PISA 9.2, which has no .system but of .global, and
// one form for sub-groups; that form may say more than f. ok is false if PISA
// cannot say f.
func (f fenceSet) props() (p uint64, ok bool) {
	if f.scope == pisa.Subgroup {
		return pisa.FScope.Put(uint64(pisa.Subgroup)), !f.seqCst()
	}
	if f.scope == pisa.System && f.cover != coverGlobal {
		return 0, false
	}
	return pisa.FSpace.Put(uint64(f.space())) | pisa.FOrder.Put(uint64(f.memOrder())) | pisa.FScope.Put(uint64(f.scope)), true
}

// cost is about what f costs where t is the target.
func (f fenceSet) cost(t *target.Target) int {
	if f.empty() {
		return 0
	}
	m := t.Modes()[0]
	return m.Cost(m.Sequence(target.ClassFence, f.space(), f.memOrder(), f.scope))
}

// String is f as assembly spells it.
func (f fenceSet) String() string {
	if f.empty() {
		return "no fence"
	}
	if f.scope == pisa.Subgroup {
		return "fence.subgroup"
	}
	s := "fence"
	switch f.cover {
	case coverGlobal:
		s += ".global"
	case coverShared:
		s += ".shared"
	}
	return s + "." + orderWords[f.memOrder()] + "." + scopeWords[f.scope]
}

var (
	orderWords = [...]string{"weak", "relaxed", "acquire", "release", "acq_rel", "seq_cst"}
	scopeWords = [...]string{"", "subgroup", "workgroup", "gpu", "system", "every scope"}
)

// opText names a memory op in a remark: its mnemonic up to the order, and its line.
func opText(op *ir.Op) string {
	switch op.Code {
	case pisa.Fence:
		return fenceOf(op.Props).String() + atLine(op)
	case pisa.Ld, pisa.St, pisa.IAtom, pisa.FAtom:
		o := pisa.OrderOf(op.Props)
		if op.Code == pisa.IAtom || op.Code == pisa.FAtom {
			o = max(o, pisa.Relaxed)
		}
		s := strings.TrimPrefix(op.Def().Name, "pisa.") + "." + orderWords[o]
		if o > pisa.Relaxed {
			s += "." + scopeWords[pisa.ScopeOf(op.Props)]
		}
		return s + atLine(op)
	}
	_, name, _ := strings.Cut(op.Def().Name, ".")
	return name + atLine(op)
}

// atLine is " at line N" where op has one.
func atLine(op *ir.Op) string {
	m := op.Func().Module()
	if m.Sources == nil {
		return ""
	}
	if l := m.Sources.Position(op.Loc).Line; l > 0 {
		return " at line " + strconv.Itoa(l)
	}
	return ""
}
