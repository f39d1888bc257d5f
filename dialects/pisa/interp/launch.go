package interp

import (
	"io"

	"pisac/dialects/host"
)

// Launch is what the host gives to a run.
type Launch struct {
	Kernel string    // may be empty if the module has one kernel
	Global [3]uint64 // work-items in all; 0 counts as 1
	Local  [3]uint64 // work-items of a work-group; 0 counts as 1
	Offset [3]uint64 // %globaloffset
	Dims   int       // %workdim; 0: the last dimension above 1
	Args   []host.Arg
	Seed   uint64 // order in which work-groups, sub-groups and branch sides advance

	Workers      int  // goroutines; 0: as many as the machine has cores
	CheckRaces   bool // report data races (as errors)
	StrictBounds bool // report vector loads that read a little past an object
	// WarnUnwritten reports reads of registers that nothing has written on the
	// path taken. Only ssabuild's result, before any pass, tells them.
	WarnUnwritten bool
	MaxSteps      uint64    // instructions × work-items; 0: DefaultMaxSteps
	MaxDepth      int       // calls within calls; 0: DefaultMaxDepth
	Trace         io.Writer // a line for each instruction executed
}

// Limits that end runs which would not end by themselves.
const (
	DefaultMaxSteps = 1 << 40
	DefaultMaxDepth = 512
)

// Stats counts what was executed. Constants are no instructions, nor are static
// extract, insert and bitcast, which name parts of registers.
type Stats struct {
	Kernel       string            `json:"kernel"`
	WorkGroups   uint64            `json:"work_groups"`
	WorkItems    uint64            `json:"work_items"`
	Instructions uint64            `json:"instructions"` // by work-items
	Issued       uint64            `json:"issued"`       // by sub-groups
	Loads        map[string]uint64 `json:"loads"`        // by address space, of work-items
	Stores       map[string]uint64 `json:"stores"`
	Atomics      map[string]uint64 `json:"atomics"` // ordered accesses and read-modify-writes
	Fences       uint64            `json:"fences"`
	Barriers     uint64            `json:"barriers"` // by work-items
	Calls        uint64            `json:"calls"`
}
