// Package interp runs the pisa dialect: the reference against which passes and
// backends are judged, and what `pisac run` executes.
//
// In: a verified, linked ir.Module and a Launch (kernel, NDRange, arguments).
// Out: the buffers as the kernel leaves them, and Stats; or one located error
// that names the work-item, the address and the cause; and warnings.
//
// Promised: results are those of the specification bit for bit; the run ends
// (a deadlock or the step limit is an error); it depends on Launch.Seed alone,
// not on the number of cores; and it never touches memory outside what the
// launch allocated.
//
// # How it runs
//
// Each function is decoded once into instructions over dense slots; a slot is
// one 64-bit word for each of the 32 lanes of a sub-group. A sub-group is a
// set of fragments, lanes that are at the same point, with an active mask.
// Where a branch parts a fragment, a join is left at the immediate
// post-dominator: the parts wait there for each other (PISA leaves
// reconvergence open; OpenCL programs expect this). If nothing else can
// advance, a join lets those pass that have arrived, so that a lane may spin
// on what another lane of its own sub-group does.
//
// Sub-groups of a work-group take turns, so spinning on another one ends
// (PISA 1.1.1). Work-groups run one after another; those that wait for later
// ones are set aside. A launch without atomics outside shared memory has
// independent work-groups, and then they run on all cores.
//
// The one goroutine of other launches sees every access in one order, so that
// atomics need no locks: the run is sequentially consistent, and the seed
// decides which of those executions it is.
//
// A fragment whose registers repeat while no memory changes can never advance
// by itself: that is how deadlocks are told from long loops.
//
// # Reading order
//
// launch.go is the request and the counts; engine.go prepares and schedules
// work-groups, group.go one work-group and its barriers, subgroup.go the
// fragments and joins of a sub-group, exec.go their control flow. program.go
// and layout.go decode functions. ops.go, vector.go, cross.go, access.go and
// atomic.go are the instructions, fast.go the hot ones over all lanes. memory.go
// is the address map, race.go the race check, never.go what reads of unwritten
// registers are told by, fault.go the errors, report.go what comes out.
package interp
