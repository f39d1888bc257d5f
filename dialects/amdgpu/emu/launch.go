package emu

import (
	"io"

	"pisac/dialects/host"
)

// Launch is what the host gives to a run.
type Launch struct {
	Kernel string    // may be empty if the module has one kernel
	Global [3]uint64 // work-items in all; 0 counts as 1
	Local  [3]uint64 // work-items of a work-group; 0 counts as 1
	Offset [3]uint64 // global offset
	Dims   int       // dimensions; 0: the last one above 1
	Args   []host.Arg

	// What the kernel descriptor states beside registers.
	ScratchBytes uint64 // private segment of a work-item; 0: derived from the code
	FPMode       uint8  // MODE bits 7:0; 0: DefaultFPMode

	Seed   uint64 // order in which work-groups and waves advance, garbage, delays
	Memory Memory
	Agents int    // Weak: on so many GPUs the work-groups run; 0: 1
	Approx uint64 // not 0: approximations are off by what the documents allow
	// NoHazards does not check wait states between instructions.
	NoHazards bool
	MaxSteps  uint64    // instructions of waves; 0: DefaultMaxSteps
	Trace     io.Writer // a line for each instruction executed
}

// Memory is how memory behaves.
type Memory uint8

const (
	Strong Memory = iota // every access reaches memory when it is issued
	Weak                 // delays, separate queues, incoherent caches
)

const (
	// DefaultMaxSteps ends runs that would not end by themselves.
	DefaultMaxSteps = 1 << 30
	// DefaultFPMode rounds to nearest even and keeps denormals.
	DefaultFPMode = 0xf0
)

// Stats counts what was executed.
type Stats struct {
	Kernel       string            `json:"kernel"`
	WorkGroups   uint64            `json:"work_groups"`
	Waves        uint64            `json:"waves"`
	Instructions uint64            `json:"instructions"` // by waves
	Classes      map[string]uint64 `json:"classes"`      // of these, by encoding family
	VGPRs        int               `json:"vgprs"`        // highest one used + 1
	SGPRs        int               `json:"sgprs"`
}
