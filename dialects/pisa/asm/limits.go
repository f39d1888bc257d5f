package asm

// Limits of the input; docs/limits.md states them.
const (
	MaxName      = 1 << 16   // bytes of a name
	MaxString    = 1 << 16   // bytes of a string
	MaxOperands  = 16        // operands of one instruction, argument lists apart
	MaxArgs      = 1 << 12   // arguments of a call, parameters of a function or kernel
	MaxDepth     = 1 << 20   // nested blocks
	MaxAlign     = 1 << 30   // bytes
	MaxParamSize = 1<<32 - 1 // bytes of one kernel parameter
	MaxRegNumber = 1<<32 - 1 // exclusive upper end of a register range
	MaxVarSize   = 1<<63 - 1 // bytes of a variable; what a target can place is its own matter
	maxItems     = 1 << 28   // items of one initialiser
)
