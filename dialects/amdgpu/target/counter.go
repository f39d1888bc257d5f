package target

// Event is what makes a wait counter go up: the issue of a memory
// instruction. The counter goes down when the instruction's result is in the
// register file, or its store is complete.
type Event uint8

const (
	EventLoad      Event = iota // global or scratch load, atomic with result
	EventStore                  // global or scratch store, atomic without result
	EventLDS                    // DS instruction
	EventScalar                 // scalar load
	EventFlatLoad               // flat load, atomic with result: may be of LDS
	EventFlatStore              // flat store, atomic without result
	EventWriteBack              // buffer_wbl2, global_wb
	EventInv                    // buffer_inv, global_inv and their kin
	NumEvents
)

// Counters is how a generation counts. A Counter of one bit is one counter.
type Counters struct {
	// Of is the set of counters that an event makes go up.
	Of [NumEvents]Counter
	// Max is the greatest value that a wait can name, by bit number of the
	// counter; 0: the generation has no such counter.
	Max [NumCounters]int
	// FlatInOrder: flat instructions count down in order with the others of a
	// counter. Where not, only 0 says that one is done.
	FlatInOrder bool
}

// counterRows: CDNA3 ISA 4.4, RDNA3 ISA 5.6, RDNA4 ISA 5.8 (data dependency
// resolution). Scalar loads return in any order on all of them. Cache
// operations: AMDGPUUsage, memory model; buffer_inv of GFX9 and buffer_gl*_inv
// are not counted.
var counterRows = [...]Counters{
	GFX9: {
		Of: [NumEvents]Counter{EventLoad: Loads, EventStore: Loads, EventLDS: LDS, EventScalar: LDS,
			EventFlatLoad: Loads | LDS, EventFlatStore: Loads | LDS, EventWriteBack: Loads},
		Max: [NumCounters]int{63, 0, 15, 0},
	},
	GFX11: {
		Of: [NumEvents]Counter{EventLoad: Loads, EventStore: Stores, EventLDS: LDS, EventScalar: LDS,
			EventFlatLoad: Loads | LDS, EventFlatStore: Stores | LDS, EventWriteBack: Stores},
		Max:         [NumCounters]int{63, 63, 63, 0},
		FlatInOrder: true,
	},
	GFX12: {
		Of: [NumEvents]Counter{EventLoad: Loads, EventStore: Stores, EventLDS: LDS, EventScalar: Scalars,
			EventFlatLoad: Loads | LDS, EventFlatStore: Stores | LDS, EventWriteBack: Stores, EventInv: Loads},
		Max:         [NumCounters]int{63, 63, 63, 31},
		FlatInOrder: true,
	},
}

// Counters returns how the generation counts.
func (g Generation) Counters() *Counters { return &counterRows[g] }
