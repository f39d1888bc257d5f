package passes

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
var levels = []level{}

// Default returns the pipeline of -O level o.
func Default(o int) Pipeline {
	pl := Pipeline{}
	for _, l := range levels {
		if l.from <= o {
			pl = append(pl, mustStep(l.step))
		}
	}
	return pl
}
