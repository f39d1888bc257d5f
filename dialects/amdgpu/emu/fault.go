package emu

import (
	"fmt"

	"pisac/ir"
)

// Kind is the sort of an error that a run finds.
type Kind uint8

// The errors; Kinds explains them.
const (
	BadLaunch Kind = iota
	BadCode
	Unwaited
	Hazard
	OutOfBounds
	Misaligned
	ReadOnly
	Deadlock
	StepLimit
	BarrierMismatch
	Unspecified
	numKinds
)

// Kinds is the code and meaning of every error, by Kind.
var Kinds = [numKinds]struct{ Code, Doc string }{
	BadLaunch:       {"PISA-R101", "A launch that does not fit the kernel."},
	BadCode:         {"PISA-R102", "Machine code that is not final: a value without a register, a pseudo instruction, an instruction that the chip does not have."},
	Unwaited:        {"PISA-R103", "A register is read or written while a memory instruction that writes it is outstanding: no wait counter covers it."},
	Hazard:          {"PISA-R104", "Too few wait states between two instructions that the hardware does not keep apart."},
	OutOfBounds:     {"PISA-R105", "An access outside every object, or over the end of one."},
	Misaligned:      {"PISA-R106", "An address that is not a multiple of what the instruction needs."},
	ReadOnly:        {"PISA-R107", "A store or atomic on constant memory."},
	Deadlock:        {"PISA-R108", "No wave can advance."},
	StepLimit:       {"PISA-R109", "The run did not end within the step limit."},
	BarrierMismatch: {"PISA-R110", "Barrier instructions of the waves of a work-group do not match."},
	Unspecified:     {"PISA-R111", "An instruction whose result the documents leave open."},
}

// Codes returns the explanations for `pisac explain`.
func Codes() []ir.CodeDoc {
	var out []ir.CodeDoc
	for _, k := range Kinds {
		out = append(out, ir.CodeDoc{Code: k.Code, Text: k.Doc})
	}
	return out
}

// fault is an error of a run.
type fault struct {
	kind  Kind
	loc   ir.Loc
	text  string
	notes []ir.DiagNote
}

func (f *fault) diag() ir.Diag {
	return ir.Diag{Severity: ir.Error, Code: Kinds[f.kind].Code, Loc: f.loc, Text: f.text, Notes: f.notes}
}

func badLaunch(loc ir.Loc, format string, args ...any) *fault {
	return &fault{kind: BadLaunch, loc: loc, text: fmt.Sprintf(format, args...)}
}

// fail records the fault of the wave at in; the run ends.
func (w *wave) fail(in *inst, kind Kind, format string, args ...any) *fault {
	eng := w.g.eng
	if eng.fault == nil {
		eng.fault = &fault{kind: kind, loc: in.op.Loc, text: fmt.Sprintf(format, args...),
			notes: []ir.DiagNote{{Text: "instruction: " + w.prog.text(in.op)}, {Text: "in " + w.name()}}}
	}
	return eng.fault
}

func (w *wave) name() string {
	return fmt.Sprintf("wave %d of work-group (%d,%d,%d), exec %#x", w.index, w.g.id[0], w.g.id[1], w.g.id[2], w.exec())
}

// item names a lane's work-item.
func (w *wave) item(lane int) string {
	x, y, z := w.g.local(w.index*w.lanes + lane)
	return fmt.Sprintf("lane %d, work-item (%d,%d,%d)", lane, x, y, z)
}
