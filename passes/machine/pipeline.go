package machine

import (
	"time"

	"pisac/ir"
)

// Pass is a row of the pipeline.
type Pass struct {
	Name string // as flags and dumps spell it
	Doc  string // one sentence
	Func func(*Ctx, *ir.Func)
	Why  string // why it stands behind the pass before it
	// Level is the lowest OptLevel that runs it.
	Level int
}

// pipeline is in order.
var pipeline = []Pass{
	{Name: "exec", Doc: "Sets the execution mask at heads of blocks, and skips blocks that no lane executes.", Func: Exec},
	{Name: "lds-pair", Doc: "Makes one instruction of two accesses to local memory from one address.", Func: LDSPair, Level: 1,
		Why: "nothing is moved across writes of exec, which stand now"},
	{Name: "schedule", Doc: "Orders the instructions of blocks: loads early, waits late, few registers.", Func: Schedule, Level: 1,
		Why: "a pair is one load to be placed"},
	{Name: "fpmode", Doc: "Switches rounding and denormal modes where instructions ask for others.", Func: FPMode,
		Why: "the scheduler moves floating-point instructions freely while each states its mode"},
	{Name: "regalloc", Doc: "Gives every value its register; spills what does not fit.", Func: Regalloc,
		Why: "liveness of scalar registers follows the wave's path, which exec has laid down"},
	{Name: "ssadestroy", Doc: "Makes moves of copies, tuples and block arguments.", Func: SSADestroy,
		Why: "which of them are moves depends on the registers"},
	{Name: "layout", Doc: "Makes the wave's own branches of the linear order.", Func: Layout,
		Why: "blocks of copies that came to nothing go"},
	{Name: "peephole", Doc: "Removes what final registers and branches make needless.", Func: Peephole, Level: 1,
		Why: "branches are the machine's own now"},
	{Name: "waitcnt", Doc: "Makes instructions wait for the memory instructions that they depend on.", Func: Waitcnt,
		Why: "waits are for physical registers along the wave's own edges"},
	{Name: "dual", Doc: "Makes dual-issue instructions of independent vector instructions.", Func: Dual, Level: 2,
		Why: "no wait may come between the halves of a pair"},
	{Name: "hazards", Doc: "Keeps instructions apart where the hardware does not.", Func: Hazards,
		Why: "waits and pairs are among the instructions that stand between"},
	{Name: "shorten", Doc: "Gives instructions encodings of fewer bytes.", Func: Shorten, Level: 1,
		Why: "dual issue knows multiply-adds by their long form"},
	{Name: "clause", Doc: "Marks adjacent memory instructions as clauses.", Func: Clause, Level: 1,
		Why: "nothing may come between the instructions of a clause any more"},
	{Name: "delay", Doc: "Tells the hardware's scheduler of ALU latencies.", Func: Delay, Level: 1,
		Why: "a delay names instructions by how far back they are"},
}

// Passes returns the pipeline.
func Passes() []Pass { return pipeline }

// Hooks observe a run; each may be nil.
type Hooks struct {
	Before func(i int, p *Pass, f *ir.Func)
	// After sees the function behind pass i, and the time that the pass took;
	// it returns false to end the run there.
	After func(i int, p *Pass, f *ir.Func, took time.Duration) bool
}

// Run compiles f. It ends early, with an error in c.Diags, at a function that
// a pass refuses.
func Run(c *Ctx, f *ir.Func, h *Hooks) {
	for i := range pipeline {
		p := &pipeline[i]
		if c.OptLevel < p.Level {
			continue
		}
		var start time.Time
		if h != nil {
			if h.Before != nil {
				h.Before(i, p, f)
			}
			start = time.Now()
		}
		errors := c.Diags.Errors()
		p.Func(c, f)
		if c.Diags.Errors() > errors {
			return
		}
		if h != nil && h.After != nil && !h.After(i, p, f, time.Since(start)) {
			return
		}
	}
}
