// Package passes is the transformations of the IR that stay within a dialect,
// and what runs them.
//
// In: a verified module and a pipeline, a list of rows of the registry. Out:
// the same module, changed, verified again after each pass if asked. Promised:
// a pass returns whether it changed anything; no pass needs another to have
// run but for what its row says (Needs), which Check tests for a pipeline
// before it runs; functions are compiled in parallel and the bytes of every
// output are the same whatever the number of processors.
//
// Reading order: pass.go (rows and context), registry.go (all passes and the
// pipelines -O0 to -O3), pipeline.go (the textual form), run.go (execution),
// remark.go, bisect.go. One pass is one file, called like the pass; analyses
// are in analysis, canonicalisation rules in canon.
package passes

import (
	"fmt"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/passes/analysis"
)

// State is a set of properties of a module that passes need, give or break.
type State uint32

const (
	// PISA: all ops are of the builtin and pisa dialects.
	PISA State = 1 << iota
	// LoopSimplified: every natural loop has a preheader and one latch, and
	// its exits have no predecessors outside of it.
	LoopSimplified
)

var stateNames = []string{"the pisa dialect", "simplified loops (run loop-simplify)"}

// Pass is a row of the registry. Exactly one of Func and Module is set.
type Pass struct {
	Name    string // as pipelines, flags and dumps spell it
	Doc     string // one sentence
	Options []Option
	Stats   []string // what Ctx.Count counts, by index
	Needs   State
	Gives   State
	Breaks  State
	Keeps   analysis.Set // analyses that hold although the pass changed the function
	Func    func(*Ctx, *ir.Func) bool
	Module  func(*Ctx, *ir.Module) bool
}

// Option is a parameter of a pass: a number, a flag (0 or 1), or one of Words.
type Option struct {
	Name    string
	Doc     string
	Default int
	Words   []string // value i is spelled Words[i]; nil: a decimal number
	Max     int      // greatest number; 0: 1 << 20
}

// Ctx is what a pass is given beside the IR. One worker uses it at a time; a
// function pass must not touch other functions or the module.
type Ctx struct {
	*analysis.Cache // of the function at hand; empty in a module pass
	Target          *target.Target

	pass    *Pass
	options []int
	stats   []int64
	run     *Runner
	unit    *unit

	required bool // Step.Required
}

// Opt returns the value of the pass's option i.
func (c *Ctx) Opt(i int) int { return c.options[i] }

// Count adds n to the pass's statistic i.
func (c *Ctx) Count(i int, n int) { c.stats[i] += int64(n) }

// May asks whether a rewrite may be done; every rewrite of the IR is preceded
// by a question, so that --opt-bisect-limit finds the one at fault. Once it
// says no it says no for the rest of the run.
func (c *Ctx) May() bool {
	if c.run.bisect == nil || c.required {
		return true
	}
	return c.run.bisect.may()
}

// FastFPAtomics is the runner's.
func (c *Ctx) FastFPAtomics() bool { return c.run.FastFPAtomics }

// Touched notes that a module pass changes f; without a note, steps with if=
// take every function for changed.
func (c *Ctx) Touched(f *ir.Func) {
	c.run.touched = true
	c.run.unitOf(f).changedBy(c.pass)
}

// CacheOf returns the analyses of f, for module passes.
func (c *Ctx) CacheOf(f *ir.Func) *analysis.Cache { return c.run.unitOf(f).cache }

// WantsRemarks reports whether remarks of this pass are collected, so that the
// work of making one is done only then.
func (c *Ctx) WantsRemarks() bool { return c.run.wantsRemark(c.pass) }

// Remark records what the pass did, or did not do and why, at op.
func (c *Ctx) Remark(k RemarkKind, name string, f *ir.Func, loc ir.Loc, format string, args ...any) {
	if c.WantsRemarks() {
		c.unit.remarks = append(c.unit.remarks, Remark{k, c.pass.Name, name, f.Name, loc, fmt.Sprintf(format, args...)})
	}
}
