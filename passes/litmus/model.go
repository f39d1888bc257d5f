package litmus

import (
	"fmt"
	"strings"
)

// Model is the memory model with its switches. The zero value is the model of
// docs/memory-model.md:
//
//	A1  happens-before of each address space is irreflexive
//	A2  coherence: no happens-before against rf, mo, fr of a location
//	A3  an RMW reads the write just before its own in mo
//	A4  no thin air: sb, rf and the barriers' order are acyclic
//	A5  seq_cst: psc restricted to inclusive pairs is acyclic
//
// and a data race makes the program undefined.
type Model struct {
	ReleaseSeq ReleaseSeq
	ThinAir    ThinAir
	// Lenient: atomics whose scopes do not include each other do not race,
	// they merely do not synchronise (PTX, Vulkan).
	Lenient bool
	// OwnSpace: an acquire or release access orders only its own address
	// space (OpenCL), not both.
	OwnSpace bool
	Barrier  Barrier

	// noControl leaves control out of the dependencies, as the catalogue of
	// transformations in testdata was counted; only its test sets it.
	noControl bool
}

// ReleaseSeq says what continues a release sequence.
type ReleaseSeq uint8

const (
	CXX11 ReleaseSeq = iota // RMWs, and later stores of the same work-item
	CXX20                   // RMWs only
)

// ThinAir is the form of axiom A4.
type ThinAir uint8

const (
	NoCycle      ThinAir = iota // sb and rf are acyclic: no load buffering (RC11)
	Dependencies                // dependencies into writes and rf are acyclic
	Unrestricted                // neither: values may come from nowhere
)

// Barrier says what barrier.workgroup does to memory.
type Barrier uint8

const (
	BarrierStrong      Barrier = iota // orders everything in both spaces
	BarrierFenceBefore                // only what a release fence before it covers
	BarrierFence                      // ... and only for what follows an acquire fence
)

// modelOption is one word of --model.
type modelOption struct {
	name, doc string
	set       func(*Model)
}

var modelOptions = []modelOption{
	{"base", "RC11 with release sequences of C++11, strong barriers, scope mismatch races", func(m *Model) { *m = Model{} }},
	{"cxx20", "release sequences continue through RMWs only", func(m *Model) { m.ReleaseSeq = CXX20 }},
	{"lb", "load buffering allowed unless dependencies forbid it", func(m *Model) { m.ThinAir = Dependencies }},
	{"none", "no axiom against values out of thin air", func(m *Model) { m.ThinAir = Unrestricted }},
	{"lenient", "atomics never race; a scope mismatch merely does not synchronise", func(m *Model) { m.Lenient = true }},
	{"own", "an acquire or release access orders its own address space only", func(m *Model) { m.OwnSpace = true }},
	{"fence_before", "a barrier orders what a release fence before it covers", func(m *Model) { m.Barrier = BarrierFenceBefore }},
	{"fence", "a barrier orders between a release fence before and an acquire fence after it", func(m *Model) { m.Barrier = BarrierFence }},
}

// ParseModel reads the value of --model: words joined by + , such as
// "cxx20+lb+lenient".
func ParseModel(s string) (Model, error) {
	var m Model
words:
	for w := range strings.SplitSeq(s, "+") {
		for i := range modelOptions {
			if modelOptions[i].name == w {
				modelOptions[i].set(&m)
				continue words
			}
		}
		return m, fmt.Errorf("unknown model %q; the words are %s", w, modelWords())
	}
	return m, nil
}

func modelWords() string {
	var b strings.Builder
	for i := range modelOptions {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(modelOptions[i].name)
	}
	return b.String()
}

// ModelHelp lists the words of --model, a line each.
func ModelHelp() string {
	var b strings.Builder
	for i := range modelOptions {
		fmt.Fprintf(&b, "  %-13s %s\n", modelOptions[i].name, modelOptions[i].doc)
	}
	return b.String()
}

// String is the model in the words of ParseModel.
func (m Model) String() string {
	var ws []string
	for i := range modelOptions[1:] {
		o := &modelOptions[i+1]
		with := m
		o.set(&with)
		if with == m {
			ws = append(ws, o.name)
		}
	}
	if ws == nil {
		return "base"
	}
	return strings.Join(ws, "+")
}
