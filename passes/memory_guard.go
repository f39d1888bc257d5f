package passes

// memoryGuard is a condition that makes a rewrite of memory operations sound. A test
// switches each off and sees the model checker object (TestGuards): a guard
// that nothing misses would be no guard.
type memoryGuard uint64

const (
	guardHalfBetween   memoryGuard = 1 << iota // F02d: a live half between two fences
	guardAccessBetween                         // F10, F10b, F10h: an access between two fences
	guardRelaxed                               // F07, F08, F10d, F10g: a relaxed access needs the fence
	guardScope                                 // F03b, F07c: a narrower fence or access does less
	guardEarlyExit                             // F09: some work-items do not come to the barrier
	guardBarrierScope                          // F09g, F09h: a barrier orders a work-group
	guardSeqCst                                // F14, F05e: a seq_cst fence is more than its halves
	guardShared                                // F06b, F06f: shared memory, or a relay
	guardSpace                                 // F06b, F06c: a fence of the other space
	guardSink                                  // F12c: a release above an atomic write
	guardHoist                                 // F12h: an acquire below an atomic read
	guardJoin                                  // F03b, F04b: less than the join
	guardAll                                   // S01, S02: an access that stays relaxed
	guardNarrow                                // S01c, S02: the access gets the fence's scope, not its own
	guardWalkScope                             // S01, S02: up to any fence
	guardKind                                  // operations that do not combine
	guardUp                                    // A02: not above a load
	guardDown                                  // A02: not below a store
	guardOnlyRelaxed                           // A02: ordered operations across accesses
	guardOtherLocation                         // A02: an access to the same location between
	guardOrderJoin                             // A01b, A01b2: an order lost
	guardFenceBetween                          // A02: a fence between
	numGuards          = iota
)

// Guards of aggregation. The model checker has no lanes: the interpreter, its
// race detector or a lit test misses these (TestAggregationGuards).
const (
	guardOneAddress  memoryGuard = 1 << (numGuards + iota) // lanes with addresses of their own
	guardLaneOrder                                         // AGG: an order is that of each lane
	guardReleased                                          // AGG: a release before
	guardAcquired                                          // AGG: an acquire behind
	guardCalls                                             // AGG: either, in a call
	guardOnlyCommute                                       // another operation on the location
	guardLoopResult                                        // results of different leaders, in a loop
	guardKernel                                            // AGG: either, in a caller
	guardFloat                                             // sums of floats in another order
	guardFloatResult                                       // lanes that see such sums
	endGuards        = iota
)

// guardsOff is set by tests only.
var guardsOff memoryGuard

// holds reports that ok, or that a test wants to do without.
func (g memoryGuard) holds(ok bool) bool { return ok || guardsOff&g != 0 }
