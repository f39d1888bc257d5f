// Package litmus decides what small concurrent programs may do under PISA's
// memory model (docs/memory-model.md): the judge of every optimisation of
// fences, orders and atomics.
//
// In: a Program, that is a few work-items whose code is a list of
// instructions, read from JSON (ReadJSON) or taken from functions of a module
// of the pisa dialect (FromModule).
// Out: a Result: the final states that the model allows, with the number of
// executions of each, whether some execution has a data race, and a witness.
// Promise: within the bounds (MaxWorkItems, MaxEvents, the unrolling of loops,
// which the result reports) every execution is counted exactly once; nothing
// is sampled. A program outside the bounds is an error, never an answer.
//
// # Reading order
//
// model.go has the axioms in the order of the document and their options;
// program.go is what runs; step.go runs one work-item to its next read;
// explore.go chooses for each read the write it reads; graph.go is the
// execution so far with happens-before; order.go finds the modification orders
// and checks coherence, atomicity, seq_cst and races at the end of each
// execution.
//
// # How it scales
//
// An execution is built forwards: since sb and rf are acyclic together, a read
// takes its value from a write that was already run, or waits for a later one.
// The lowest work-item that can move does, so each (control path, rf) is
// reached once, and happens-before grows by one row per event. Modification
// order is not guessed: happens-before demands part of it, and the executions
// are its linear extensions, which are counted without listing them unless a
// seq_cst event makes them differ. Under the dependency-based axiom a read
// may also take a value that a later write will have to provide.
package litmus
