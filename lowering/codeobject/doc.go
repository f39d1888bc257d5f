// Package codeobject holds what the format of AMD's code objects (version 5)
// prescribes to every backend: names of symbols, limits of kernels, alignment of
// variables, hidden arguments.
//
// In: a module of the pisa or amdgpu dialect. Out: names and layout, and errors
// about what a code object cannot have.
// Promise: code of one backend is launched, and finds its variables, like that
// of another.
package codeobject
