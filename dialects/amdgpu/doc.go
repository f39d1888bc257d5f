// Package amdgpu is the dialect of AMD's machine instructions: one Row per
// instruction, by encoding family, with AMD's mnemonics (RDNA 3's, where
// generations differ, in the op's name; all of them in the row).
//
// In: nothing but the tables. Out: the op definitions for package ir
// (Defs), which the printer, the parser and the verifier of the IR use; the
// rows (RowOf), which instruction selection, the machine passes, the emulator
// and the assembly printer ask.
// Promise: what the verifier accepts before and after register allocation has
// an encoding on the target.
//
// # Values
//
// A value of type s1, s2, … lies in scalar registers, one for the wave; of type
// v1, v2, … in vector registers; of type scc in the scalar condition code. A
// builtin.const of a type without register class, used as an operand, is an
// immediate: an inline constant or a literal. A lane mask (a predicate of each
// lane) is an s1 in waves of 32 and an s2 in waves of 64; its bits for lanes
// that do not execute are arbitrary.
//
// The execution mask is implicit: every vector instruction reads it. An
// instruction writes it if one of its results has the register exec.
//
// # Control flow
//
// Until layout, the blocks' edges are those of a single lane ("logical"); their
// order is the order in which the wave runs them ("linear"). A terminator says
// both: see TJump to TRet. After layout the edges are the wave's own and
// terminators are machine branches.
package amdgpu
