// Package launch reads what a host gives a kernel, and compares what it gets
// back.
//
// In: a launch file (JSON) or the --arg specifications of the command line.
// Out: a Launch with arguments as bytes and the expected buffers. Promise:
// 64-bit integers are exact; a file that is not understood is an error, never
// a default.
package launch
