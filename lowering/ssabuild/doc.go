// Package ssabuild lowers PISA assembly → pisa dialect.
//
// In: linked, checked assembly modules (asm), whose registers are mutable and
// whose instructions may write parts of a vector. Out: a module of the pisa
// and builtin dialects in SSA form. Promise: minimal and pruned SSA, for
// irreducible control flow too; unreachable code is gone; a register that
// nothing wrote is zero; the same text gives the same bytes.
//
// # How
//
// cfg.go cuts a body into blocks, dom.go finds their dominator tree, phi.go
// decides which registers need a block argument where, emit.go walks the
// dominator tree and creates the ops, finish.go creates block arguments and
// terminators. Braun et al. (CC 2013) decide on the way, by walking up from
// each read; that walk repeats itself on long chains of blocks, so here the
// places come first, as in Cytron et al. (TOPLAS 1991), and the argument lists
// last: an edge is built once, with its complete list.
//
// A read at a place where no block argument is known yet gets a stand-in
// value, whose use list remembers the operands to be patched. Stand-ins that
// no op needs in the end, and those that all edges give one value, vanish.
//
// # Cost
//
// With n statements, e edges, and a the number of (edge, block argument) pairs
// of minimal SSA before pruning: O(n + (e + a) log e) time, O(n + a) space.
// Nothing recurses, and nothing is as large as blocks × registers. maxEdgeArgs
// bounds a.
package ssabuild
