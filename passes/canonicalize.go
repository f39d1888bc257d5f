package passes

import (
	"sync"

	"pisac/ir"
	"pisac/passes/analysis"
	"pisac/passes/canon"
	"pisac/passes/rewrite"
)

// Canonicalisation: constants folded, and the rules of package canon applied
// until none does.
//
//	%2 = pisa.umul.32b %0, %1 : 32b      (%1 = 8)
//	%3 = pisa.isub.32b %2, %2 : 32b
//	=> %3 is 0; were the product used, it would be pisa.shl.32b %0, 3
var canonicalizePass = &Pass{
	Name: "canonicalize", Doc: "Fold constants and apply the canonicalisation rules.",
	Stats: []string{"rules applied", "ops folded", "dead ops removed"},
	Needs: PISA, Keeps: analysis.KeepCFG,
	Func: canonicalize,
}

// rewriters keeps memory from run to run.
var rewriters = sync.Pool{New: func() any { return &rewrite.Rewriter{} }}

func canonicalize(c *Ctx, f *ir.Func) bool {
	w := rewriters.Get().(*rewrite.Rewriter)
	defer rewriters.Put(w)
	changed := w.Run(f, canon.Rules(), c.May)
	c.Count(0, w.Rewrites)
	c.Count(1, w.Folded)
	c.Count(2, w.Erased)
	return changed
}
