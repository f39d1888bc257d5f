package passes

import "sync"

// registry is every pass, in the order in which --list-passes shows them.
var registry = []*Pass{
	canonicalizePass,
	dcePass,
	sroaPass,
	storeForwardPass,
	deadStorePass,
	reassociatePass,
	narrowPass,
	fusePass,
	simplifyCFGPass,
	sccpPass,
	csePass,
	loopSimplifyPass,
	licmPass,
	inlinePass,
	sinkPass,
	unrollPass,
	strengthReducePass,
	vectorizeMemoryPass,
	fenceElidePass,
	memorderStrengthenPass,
	atomicCoalescePass,
}

// byName finds a row.
var byName = func() map[string]*Pass {
	m := make(map[string]*Pass, len(registry))
	for _, p := range registry {
		m[p.Name] = p
	}
	return m
}()

// All returns every pass.
func All() []*Pass { return registry }

// Lookup returns the pass called name, or nil.
func Lookup(name string) *Pass { return byName[name] }

func passNames() []string {
	names := make([]string, len(registry))
	for i, p := range registry {
		names[i] = p.Name
	}
	return names
}

// level is a line of the default pipelines: a step, the lowest -O that has it,
// and why it stands where it stands.
type level struct {
	from   int
	step   string
	reason string
}

// levels is the pipelines -O1 to -O3; -O0 is empty, as no later stage needs a
// pass of the pisa dialect.
var levels = []level{
	// Each function by itself, so that what is inlined is small.
	{1, "simplifycfg", "long blocks first: most passes see more within a block"},
	{1, "sroa", "values instead of memory, before anything looks at values"},
	{1, "canonicalize", "one form for each thing, so that equal things look equal"},
	{2, "inline", "bottom-up over functions that are small by now; a callee's size decides"},
	{2, "simplifycfg{if=inline}", "joins the seams"},
	{2, "sroa{if=inline}", "private variables that were passed by address"},
	{2, "canonicalize{if=inline}", "arguments have become constants and sums"},
	{1, "sccp", "branches on constants, which canonicalize has uncovered"},
	{1, "simplifycfg", "takes the branches that sccp decided, and small arms"},
	{2, "narrow", "ranges decide comparisons and shorten 64-bit arithmetic; before cse, as it makes new equal ops"},
	{2, "reassociate", "invariant and uniform parts of sums together, for cse and licm to find"},
	{1, "cse", "needs the one form; gives equal addresses to the memory passes"},
	{2, "store-forward", "needs equal addresses"},
	{2, "dead-store", "stores whose loads are gone"},
	// Loops.
	{2, "loop-simplify", "licm wants a preheader"},
	{2, "licm", "behind cse: one copy of each invariant"},
	{3, "strength-reduce", "behind licm: factors stand outside; before unroll, which makes counters constants"},
	{2, "unroll{full=128 factor=1}", "loops that disappear; when bodies are as small as they get"},
	{3, "loop-simplify{if=unroll}", "what is left of them"},
	{3, "unroll", "the other loops, and larger ones"},
	// Clearing up.
	{2, "sccp{if=unroll}", "counters of unrolled loops are constants"},
	{2, "simplifycfg{if=unroll}", "copies of the body become one block"},
	{2, "canonicalize", "sums of constants over copies, what cse and licm left over"},
	{2, "cse", "what copies of the body share, and ops of forwarded loads"},
	{2, "store-forward{if=unroll}", "from copy to copy"},
	{2, "dead-store{if=unroll}", "from copy to copy"},
	{2, "sink", "behind licm and cse, which hoist: what only one arm needs"},
	{1, "simplifycfg{returns=1}", "arms are as small as they get; then jumps to returns"},
	{1, "fence-elide", "when dead accesses are gone and blocks are long"},
	{2, "memorder-strengthen", "of the fences that are left, those that cost more than ordered accesses"},
	{2, "fence-elide{if=memorder-strengthen}", "an ordered access may cover another fence"},
	{2, "atomic-coalesce{scan=0}", "a fence that is gone forbids nothing; in blocks of their final length"},
	{3, "atomic-coalesce", "a scan over lanes is long, but gives each its result"},
	{1, "vectorize-memory", "when fences are gone, copies of loop bodies are one block, and addresses are equal"},
	{1, "canonicalize", "parts of the words that it loads"},
	{1, "dce", "block arguments and cycles that canonicalize cannot see"},
	{1, "fuse", "last: its forms say less than the canonical ones"},
	{1, "dce", "sums that went into addresses"},
}

// steps are the parsed steps of levels.
var steps = sync.OnceValue(func() []Step {
	list := make([]Step, len(levels))
	for i := range levels {
		list[i] = mustStep(levels[i].step)
	}
	return list
})

// Default returns the pipeline of -O level o. Its options are shared.
func Default(o int) Pipeline {
	all := steps()
	pl := make(Pipeline, 0, len(all))
	for i := range levels {
		if levels[i].from <= o {
			pl = append(pl, all[i])
		}
	}
	return pl
}
