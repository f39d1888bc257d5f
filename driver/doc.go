// Package driver is the command pisac, as a library.
//
// In: command line and input texts. Out: the representation that was asked
// for, or diagnostics, and an exit code. Promise: nothing is written unless
// the whole compile succeeded; Main and Compile share no state between calls,
// so that tests run them in parallel; a fault of the compiler is reported as
// such, with the command that shows it.
//
// Reading order: tool.go (Main), options.go, compile.go (Compile, the library
// call), frontend.go, llc.go (LLVM's tools), output.go (files),
// diagprint.go, verifydiag.go, explain.go, list.go.
package driver
