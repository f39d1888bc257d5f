package interp

import (
	"fmt"

	"pisac/ir"
)

// Kind is the sort of an error that a run finds.
type Kind uint8

// The errors; Kinds explains them.
const (
	OutOfBounds Kind = iota
	Misaligned
	ReadOnly
	ForeignPointer
	DivisionByZero
	IndexRange
	BarrierDivergence
	Deadlock
	StepLimit
	CallDepth
	BadCallee
	EndOfFunction
	EmptyMask
	PrivateLimit
	DataRace
	UninitShared
	UninitPrivate
	BadLaunch
	UninitRegister
	numKinds
)

// Kinds is the code and meaning of every error, by Kind.
var Kinds = [numKinds]struct{ Code, Doc string }{
	OutOfBounds:       {"PISA-R001", "An access outside every object of its address space, or over the end of one."},
	Misaligned:        {"PISA-R002", "An address that is not a multiple of the access's alignment (PISA memory access: the element's size, the whole vector's for elements below 32 bits)."},
	ReadOnly:          {"PISA-R003", "A store or atomic on constant memory."},
	ForeignPointer:    {"PISA-R004", "A private pointer used by another work-item, or a shared one by another work-group."},
	DivisionByZero:    {"PISA-R005", "A division or remainder by zero."},
	IndexRange:        {"PISA-R006", "A dynamic index beyond the vector."},
	BarrierDivergence: {"PISA-R007", "A barrier that some work-items of the work-group execute and others do not (PISA 9.1)."},
	Deadlock:          {"PISA-R008", "No work-item can advance: all wait for what none will do."},
	StepLimit:         {"PISA-R009", "The run did not end within the step limit."},
	CallDepth:         {"PISA-R010", "Calls nest too deeply."},
	BadCallee:         {"PISA-R011", "A call through a value that is not the address of a function of that signature."},
	EndOfFunction:     {"PISA-R012", "Control reached the end of a function that returns a value."},
	EmptyMask:         {"PISA-R013", "redfirstidx of a mask without active lanes."},
	PrivateLimit:      {"PISA-R014", "More private memory than a work-item has addresses for."},
	DataRace:          {"PISA-R015", "Two accesses of one location in different work-items, one of them a write, that nothing orders and that are not both atomic in scopes that include each other."},
	UninitShared:      {"PISA-R016", "A read of shared memory that nothing has written (warning)."},
	UninitPrivate:     {"PISA-R017", "A read of private memory that nothing has written (warning)."},
	BadLaunch:         {"PISA-R018", "A launch that does not fit the kernel."},
	UninitRegister:    {"PISA-R019", "A read of a register that nothing has written on the path taken (warning); it is zero."},
}

// Codes returns the explanations for `pisac explain`.
func Codes() []ir.CodeDoc {
	var out []ir.CodeDoc
	for _, k := range Kinds {
		out = append(out, ir.CodeDoc{Code: k.Code, Text: k.Doc})
	}
	return out
}

// fault is an error of a work-item.
type fault struct {
	kind  Kind
	loc   ir.Loc
	text  string
	notes []ir.DiagNote
	group uint64 // linear, to report the first of several
}

func (f *fault) diag() ir.Diag {
	return ir.Diag{Severity: ir.Error, Code: Kinds[f.kind].Code, Loc: f.loc, Text: f.text, Notes: f.notes}
}

// fail records the fault of lane at in; the run ends.
func (s *subgroup) fail(in *inst, lane int, kind Kind, format string, args ...any) {
	if s.fault != nil {
		return
	}
	s.fault = &fault{kind: kind, loc: in.op.Loc, group: s.g.linear,
		text:  fmt.Sprintf(format, args...),
		notes: []ir.DiagNote{{Text: "in " + s.item(lane)}},
	}
}

// item names a lane's work-item.
func (s *subgroup) item(lane int) string {
	l := s.localID(lane)
	var g [3]uint64
	for i := range g {
		g[i] = s.g.id[i]*s.g.eng.Local[i] + uint64(l[i]) + s.g.eng.launch.Offset[i]
	}
	return fmt.Sprintf("work-item global (%d,%d,%d), local (%d,%d,%d) of work-group (%d,%d,%d)",
		g[0], g[1], g[2], l[0], l[1], l[2], s.g.id[0], s.g.id[1], s.g.id[2])
}

// short names a lane by its local id.
func (s *subgroup) short(lane int) string {
	l := s.localID(lane)
	if s.g.eng.Local[1] == 1 && s.g.eng.Local[2] == 1 {
		return fmt.Sprint(l[0])
	}
	return fmt.Sprintf("(%d,%d,%d)", l[0], l[1], l[2])
}

// warn reports once per instruction.
func (s *subgroup) warn(in *inst, lane int, kind Kind, format string, args ...any) {
	w := s.g.w
	if w.warned[in.op] != nil {
		return
	}
	w.warned[in.op] = &fault{kind: kind, loc: in.op.Loc, group: s.g.linear,
		text:  fmt.Sprintf(format, args...),
		notes: []ir.DiagNote{{Text: "in " + s.item(lane)}},
	}
}
