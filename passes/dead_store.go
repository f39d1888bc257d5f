package passes

import (
	"slices"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/passes/analysis"
)

// Removal of stores that nothing can read.
//
//	pisa.st.shared.32b [%p], %x
//	pisa.st.shared.32b [%p], %y
//	=> the second alone
//
// A weak store is dead if on every path another weak store writes all of its
// bytes before anything reads them or could make them visible: a fence, a
// barrier, a call, an ordered access. Stores to private variables are dead too
// if the function ends before a read, and so are those to private and shared
// variables of which nothing is ever read.
var deadStorePass = &Pass{
	Name: "dead-store", Doc: "Remove stores whose bytes nothing reads.",
	Stats: []string{"overwritten stores", "stores never read"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: deadStore,
}

// maxLater is how many later stores, and variables read, are remembered.
const maxLater = 16

// future is what happens behind a point on every path.
type future struct {
	stores []int32 // bytes written before they are read, in storeKiller.pool
	ends   bool    // the function ends, having read no private variable but those of read
	read   []ir.Aux
}

type storeKiller struct {
	c       *Ctx
	f       *ir.Func
	alias   *analysis.Alias
	pool    []analysis.Access
	starts  []*future // by Block.ID; nil: unknown
	unread  map[ir.Aux]bool
	now     future
	stopped bool
	changed bool
}

func deadStore(c *Ctx, f *ir.Func) bool {
	k := storeKiller{c: c, f: f, alias: c.Alias(), starts: make([]*future, f.NumBlockIDs()), unread: unreadVars(f)}
	rpo := c.Dom().RPO()
	for i := len(rpo) - 1; i >= 0 && !k.stopped; i-- {
		b := rpo[i]
		k.join(b)
		k.block(b)
		if b.NumPreds() > 0 && (len(k.now.stores) > 0 || k.now.ends) {
			k.starts[b.ID] = &future{slices.Clone(k.now.stores), k.now.ends, slices.Clone(k.now.read)}
		}
	}
	return k.changed
}

// join sets now to what holds behind b whatever way its branch goes. What
// follows an edge back in a loop is not known yet.
func (k *storeKiller) join(b *ir.Block) {
	k.now.stores, k.now.read = k.now.stores[:0], k.now.read[:0]
	n := b.NumSuccs()
	k.now.ends = n == 0
	for i := range n {
		s := k.starts[b.Succ(i).ID]
		switch {
		case s == nil:
			k.now.stores, k.now.ends = k.now.stores[:0], false
			return
		case i == 0:
			k.now.stores = append(k.now.stores, s.stores...)
			k.now.ends, k.now.read = s.ends, append(k.now.read, s.read...)
		default:
			k.now.stores = slices.DeleteFunc(k.now.stores, func(x int32) bool { return !k.covered(&k.pool[x], s.stores) })
			k.now.ends = k.now.ends && s.ends
			for _, v := range s.read {
				k.reads(v)
			}
		}
	}
}

// covered reports that one of stores writes all of x's bytes.
func (k *storeKiller) covered(x *analysis.Access, stores []int32) bool {
	for _, y := range stores {
		if includes(&k.pool[y], x) {
			return true
		}
	}
	return false
}

// includes reports that x's bytes are among y's.
func includes(y, x *analysis.Access) bool {
	d, ok := y.Ptr.Difference(&x.Ptr)
	return ok && y.Space == x.Space && d >= 0 && uint64(d)+x.Size <= y.Size
}

func (k *storeKiller) block(b *ir.Block) {
	for op := b.Last(); op != nil && !k.stopped; {
		prev := op.Prev()
		acc, ok := k.alias.AccessOf(op)
		switch {
		case ok && op.Code == pisa.St && !acc.Atomic:
			k.store(op, &acc)
		case ok || op.Def().Effects&(ir.WritesMem|ir.FenceEffect|ir.Barrier|ir.Calls) != 0:
			k.intervene(op, &acc, ok)
		}
		op = prev
	}
}

// store removes a dead store, or notes one that is alive.
func (k *storeKiller) store(op *ir.Op, x *analysis.Access) {
	dead := k.unread[x.Ptr.Root.Sym] && x.Ptr.Root.Kind == analysis.RootVar || k.endsUnread(x)
	stat, why := 1, "nothing reads the variable afterwards"
	if !dead && k.covered(x, k.now.stores) {
		dead, stat, why = true, 0, "the bytes are written again before anything reads them"
	}
	if dead {
		if k.stopped = !k.c.May(); !k.stopped {
			k.c.Remark(Passed, "DeadStore", k.f, op.Loc, "%s", why)
			k.c.Count(stat, 1)
			k.changed = true
			op.Erase()
		}
		return
	}
	if len(k.now.stores) == maxLater {
		k.now.stores = append(k.now.stores[:0], k.now.stores[1:]...)
	}
	k.pool = append(k.pool, *x)
	k.now.stores = append(k.now.stores, int32(len(k.pool)-1))
}

// endsUnread reports a store to a private variable of the function that is not
// read before the function ends.
func (k *storeKiller) endsUnread(x *analysis.Access) bool {
	if !k.now.ends || x.Ptr.Root.Kind != analysis.RootVar || slices.Contains(k.now.read, x.Ptr.Root.Sym) {
		return false
	}
	v := k.f.Module().Symbol(x.Ptr.Root.Sym).Var
	return v.Space == ir.SpacePrivate && v.Fn == k.f
}

// intervene takes account of an op that may read what is stored before it, or
// make it visible.
func (k *storeKiller) intervene(op *ir.Op, acc *analysis.Access, isAccess bool) {
	k.now.stores = slices.DeleteFunc(k.now.stores, func(x int32) bool { return k.alias.Touches(op, &k.pool[x]) })
	switch {
	case !isAccess:
		k.now.ends = k.now.ends && op.Def().Effects&ir.Calls == 0
	case acc.Reads && acc.Ptr.Root.Kind == analysis.RootVar:
		k.reads(acc.Ptr.Root.Sym)
	case acc.Reads && acc.Ptr.Root.Kind == analysis.RootUnknown && (acc.Space == ir.SpaceGeneric || acc.Space == ir.SpacePrivate):
		k.now.ends = false
	}
}

func (k *storeKiller) reads(v ir.Aux) {
	switch {
	case slices.Contains(k.now.read, v):
	case len(k.now.read) == maxLater:
		k.now.ends = false
	default:
		k.now.read = append(k.now.read, v)
	}
}

// unreadVars is the private and shared variables of f whose addresses are used
// for storing only.
func unreadVars(f *ir.Func) map[ir.Aux]bool {
	vars := make(map[ir.Aux]bool, len(f.Vars))
	for _, v := range f.Vars {
		// A copy of a device function that was inlined shares its .shared variables.
		if v.Space == ir.SpacePrivate || v.Space == ir.SpaceShared && f.Kind == ir.FuncKernel {
			vars[v.Symbol()] = true
		}
	}
	if len(vars) == 0 {
		return nil
	}
	seen := make([]bool, f.NumOps())
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Aux != 0 && (op.Code == pisa.AddrOf || op.Code == pisa.AddrCast) && vars[op.Aux] && !onlyStored(op, seen) {
				vars[op.Aux] = false
			}
		}
	}
	return vars
}

// onlyStored reports that the address root is used for weak stores only,
// through sums too. An op that two roots lead to does for neither.
func onlyStored(root *ir.Op, seen []bool) bool {
	seen[root.ID] = true
	work := []*ir.Op{root}
	for len(work) > 0 {
		v := work[len(work)-1].Result(0)
		work = work[:len(work)-1]
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			switch op := u.User(); op.Code {
			case pisa.St:
				if pisa.OrderOf(op.Props) != pisa.Weak || op.Operand(op.NumOperands()-1) == v {
					return false
				}
			case pisa.IAdd, pisa.ISub, pisa.UMad:
				if seen[op.ID] {
					return false
				}
				seen[op.ID] = true
				work = append(work, op)
			default:
				return false
			}
		}
	}
	return true
}
