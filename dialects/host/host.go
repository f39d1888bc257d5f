// Package host is what a host does for a run, in the interpreter of the pisa
// dialect and in the emulator of machine code: it chooses the kernel, passes
// arguments and maps global memory.
package host

import (
	"fmt"

	"pisac/ir"
)

// ArgKind is the sort of a kernel argument.
type ArgKind uint8

const (
	ArgBuffer ArgKind = iota // a pointer to Data, which the run changes in place
	ArgScalar                // the bytes of Data; the interpreter extends them with zeros to the parameter
	ArgShared                // a pointer to Size bytes of shared memory
)

// Arg is one kernel argument.
type Arg struct {
	Kind ArgKind
	Data []byte
	Size uint64
}

// BadLaunch is an error of a launch that does not fit the module.
type BadLaunch struct {
	Loc  ir.Loc
	Text string
}

// FindKernel returns the kernel called name, the only one if name is empty.
func FindKernel(m *ir.Module, name string) (*ir.Func, *BadLaunch) {
	var found *ir.Func
	for _, f := range m.Funcs {
		if f.Kind != ir.FuncKernel || name != "" && f.Name != name {
			continue
		}
		if found != nil {
			return nil, &BadLaunch{f.Loc, fmt.Sprintf("the module has several kernels (@%s, @%s); name one", found.Name, f.Name)}
		}
		found = f
	}
	switch {
	case found != nil:
		return found, nil
	case name != "":
		return nil, &BadLaunch{ir.NoLoc, fmt.Sprintf("no kernel is called @%s", name)}
	}
	return nil, &BadLaunch{ir.NoLoc, "the module has no kernel"}
}
