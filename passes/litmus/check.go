package litmus

import (
	"fmt"
	"sort"
)

// Verdict is what a model says of a program's condition.
type Verdict uint8

const (
	Forbidden Verdict = iota // no execution satisfies it
	Allowed
	Racy // some execution has a data race: anything may happen
)

var verdictNames = [...]string{"forbidden", "allowed", "racy"}

func (v Verdict) String() string { return verdictNames[v] }

// State is a final state: observed registers, then memory.
type State struct {
	Values []uint64
	Unset  uint64 // registers never written, by index
	Count  uint64 // executions that end in it
	Holds  bool   // the condition's formula
	Exec   *Execution
}

// Result is the answer for one program under one model.
type Result struct {
	Program *Program
	Model   Model
	States  []State
	Names   []string // of State.Values
	Race    *Race
	// Executions is the number of consistent executions.
	Executions uint64
	// Bounded: some executions were left out because a loop would have to be
	// unrolled further.
	Bounded bool
	Mirrors bool // counts are of one order of equal work-items
	Witness *Execution
}

// Checker enumerates programs; one may be used for many, but not at once.
type Checker struct{ x explorer }

// Check enumerates the executions of p.
func (c *Checker) Check(p *Program, opt Options) (*Result, error) {
	x := &c.x
	if err := x.run(p, opt); err != nil {
		return nil, err
	}
	x.mirrorStates()
	r := &Result{Program: p, Model: opt.Model, Race: x.race, Executions: x.execs, Bounded: x.bounded,
		Mirrors: len(x.twins) > 0, Witness: x.witness}
	for i := range p.Regs {
		r.Names = append(r.Names, p.Regs[i].Name)
	}
	for i := range p.Cells {
		r.Names = append(r.Names, p.Cells[i].Name)
	}
	words := make([]uint64, 0, x.states.len()*len(r.Names))
	for i := range x.states.len() {
		w := x.states.at(i)
		at := len(words)
		words = append(words, w[1:]...)
		s := State{Values: words[at:], Unset: w[0], Count: x.states.counts[i], Exec: x.byState[i]}
		if p.Cond.Kind != NoCond {
			s.Holds = p.Cond.holds(w)
		}
		r.States = append(r.States, s)
	}
	sort.Slice(r.States, func(i, j int) bool { return r.States[i].less(&r.States[j]) })
	return r, nil
}

func (s *State) less(t *State) bool {
	for i := range s.Values {
		if a, b := s.unset(i), t.unset(i); a != b {
			return a
		}
		if s.Values[i] != t.Values[i] {
			return s.Values[i] < t.Values[i]
		}
	}
	return false
}

func (s *State) unset(i int) bool { return i < 64 && s.Unset>>i&1 != 0 }

// text is the value of name i: "-" for a register that was never written.
func (s *State) text(i int) string {
	if s.unset(i) {
		return "-"
	}
	return fmt.Sprint(s.Values[i])
}

// Reachable reports whether some final state satisfies the condition's formula.
func (r *Result) Reachable() bool {
	for i := range r.States {
		if r.States[i].Holds {
			return true
		}
	}
	return false
}

// Verdict is the verdict on the formula of the condition, whatever its
// quantifier: may a final state satisfy it?
func (r *Result) Verdict() Verdict {
	switch {
	case r.Race != nil:
		return Racy
	case r.Reachable():
		return Allowed
	}
	return Forbidden
}

// Satisfied reports whether the condition with its quantifier holds; a racy
// program satisfies nothing.
func (r *Result) Satisfied() bool {
	if r.Race != nil {
		return false
	}
	switch r.Program.Cond.Kind {
	case Exists:
		return r.Reachable()
	case NotExists:
		return !r.Reachable()
	case ForAll:
		for i := range r.States {
			if !r.States[i].Holds {
				return false
			}
		}
	}
	return true
}
