// Package driver is the command pisac, as a library.
//
// In: command line and input texts. Out: the representation that was asked
// for, or diagnostics, and an exit code. Promise: nothing is written unless
// the whole compile succeeded, save what dump flags ask for; Main and Compile
// share no state between calls, so that tests run them in parallel; a fault of
// the compiler is reported as such, with the command that shows it.
//
// Reading order: tool.go (Main), options.go, compile.go (Compile, the library
// call), frontend.go, passflags.go and passes.go (the pipeline), dump.go,
// report.go, html.go, reproducer.go (what shows the passes at work), llc.go
// (LLVM's tools), output.go (files), run.go and checkpasses.go (pisac run),
// diagprint.go, verifydiag.go, explain.go, list.go.
package driver
