// Package e2e runs programs from end to end: the conformance cases, the
// kernels and the modules in LLVM's manner, with their expected results.
//
// conformance/ holds single-purpose kernels with inputs and exact expected
// buffers; kernels/ and llvm-style/ hold assembly with a launch file of the
// same name beside it.
//
// The tests called TestNative… compile them with the native backend and execute
// the machine code on the emulator; with -native in every way.
package e2e
