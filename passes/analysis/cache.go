// Package analysis is facts about a function that passes share: dominators,
// post-dominators, loops, liveness, uniformity, address spaces and aliasing,
// known bits and ranges.
//
// In: a function. Out: tables by block, value or op id, computed at the first
// question. Promised: what a Cache returns is true of the function as it is,
// provided that whoever changes the function says so (Invalidate); each
// analysis is near-linear in the size of the function.
package analysis

import (
	"sync"

	"pisac/ir"
)

// Set is a set of analyses.
type Set uint32

const (
	KeepDom Set = 1 << iota
	KeepPostDom
	KeepLoops
	KeepLiveness
	KeepUniformity
	KeepAlias
	KeepBits

	// KeepCFG is what holds as long as blocks and edges are the same.
	KeepCFG = KeepDom | KeepPostDom | KeepLoops
	// KeepAll holds if nothing changed.
	KeepAll = KeepCFG | KeepLiveness | KeepUniformity | KeepAlias | KeepBits
)

// Cache holds the analyses of one function. Memory is reused when one is
// computed again.
type Cache struct {
	fn    *ir.Func
	valid Set
	dom   ir.Dom
	post  ir.PostDom
	loops Loops
	live  Liveness
	bits  Bits
	alias Alias
	uni   [NumLevels]Uniformity
	unis  [NumLevels]bool // computed
}

// New returns an empty cache for f.
func New(f *ir.Func) *Cache {
	c := spare.Get().(*Cache)
	c.fn, c.valid = f, 0
	return c
}

// spare keeps the memory of caches that were released.
var spare = sync.Pool{New: func() any { return &Cache{} }}

// Release gives the memory of c to caches to come; neither c nor an analysis of
// it is to be used any more. A cache need not be released.
func (c *Cache) Release() {
	c.fn = nil
	spare.Put(c)
}

// Invalidate forgets all analyses but those of keep. A pass calls it in the
// middle of its work when it needs fresh facts; the runner calls it after.
func (c *Cache) Invalidate(keep Set) { c.valid &= keep }

// need reports whether s must be computed, and marks it valid.
func (c *Cache) need(s Set) bool {
	if c.valid&s != 0 {
		return false
	}
	c.valid |= s
	return true
}

// Dom returns the dominator tree.
func (c *Cache) Dom() *ir.Dom {
	if c.need(KeepDom) {
		c.dom.Compute(c.fn)
	}
	return &c.dom
}

// PostDom returns the post-dominator tree.
func (c *Cache) PostDom() *ir.PostDom {
	if c.need(KeepPostDom) {
		c.post.Compute(c.fn)
	}
	return &c.post
}

// Loops returns the natural loops.
func (c *Cache) Loops() *Loops {
	if c.need(KeepLoops) {
		c.loops.compute(c.fn, c.Dom())
	}
	return &c.loops
}

// Liveness returns the sets of live values.
func (c *Cache) Liveness() *Liveness {
	if c.need(KeepLiveness) {
		c.live.Compute(c.fn)
	}
	return &c.live
}

// Bits returns known bits and ranges.
func (c *Cache) Bits() *Bits {
	if c.need(KeepBits) {
		c.bits.compute(c.fn, c.Dom())
	}
	return &c.bits
}

// Alias returns what is known of addresses; it is filled question by question.
func (c *Cache) Alias() *Alias {
	if c.need(KeepAlias) {
		c.alias.compute(c.fn)
	}
	return &c.alias
}

// Uniformity returns which values lanes agree about, for groups of the level.
func (c *Cache) Uniformity(level Level) *Uniformity {
	if c.need(KeepUniformity) {
		c.unis = [NumLevels]bool{}
	}
	if !c.unis[level] {
		c.unis[level] = true
		c.uni[level].compute(c, level)
	}
	return &c.uni[level]
}
