package litmus

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"pisac/ir"
)

// Difference is what a transformation adds to a program: final states that it
// did not have, or a race. Zero: nothing. A source with a race may become
// anything.
type Difference struct {
	Before, After *Result
	SourceRaces   bool
	Race          bool
	Added         []State // of After
}

// Sound reports whether the transformation added nothing.
func (d *Difference) Sound() bool { return d.SourceRaces || !d.Race && len(d.Added) == 0 }

// CompareModules checks a transformation of the functions of a litmus test:
// after must have no final state and no race that before has not.
func CompareModules(before, after *ir.Module, s *Spec, m Model) (*Difference, error) {
	p, err := FromModule(before, s)
	if err != nil {
		return nil, err
	}
	q, err := FromModule(after, s)
	if err != nil {
		return nil, err
	}
	return ComparePrograms(p, q, m)
}

// ComparePrograms is CompareModules for programs whose registers and variables
// correspond by name.
func ComparePrograms(p, q *Program, m Model) (*Difference, error) {
	var c Checker
	d := &Difference{}
	var err error
	if d.Before, err = c.Check(p, Options{Model: m}); err != nil {
		return nil, err
	}
	for i := range q.Vars { // a variable no longer accessed keeps its cells
		for k := range p.Vars {
			if q.Vars[i].Name == p.Vars[k].Name && q.Vars[i].Width == 0 {
				q.Vars[i].Width = p.Vars[k].Width
			}
		}
	}
	if err = q.layOut(); err != nil {
		return nil, err
	}
	q.bind(&q.Cond)
	if d.After, err = c.Check(q, Options{Model: m, AllWitnesses: true}); err != nil {
		return nil, err
	}
	if d.Before.Race != nil {
		d.SourceRaces = true
		return d, nil
	}
	d.Race = d.After.Race != nil
	place := make([]int, len(d.Before.Names))
	for i, n := range d.Before.Names {
		if place[i] = slices.Index(d.After.Names, n); place[i] < 0 {
			return nil, fmt.Errorf("%s is in the final states before but not after: accesses of another size, or no access at all", n)
		}
	}
	if len(d.After.Names) != len(place) {
		return nil, fmt.Errorf("the final states have other locations than before: accesses of another size")
	}
	known := map[string]bool{}
	for i := range d.Before.States {
		known[d.Before.States[i].key(nil)] = true
	}
	for i := range d.After.States {
		if !known[d.After.States[i].key(place)] {
			d.Added = append(d.Added, d.After.States[i])
		}
	}
	return d, nil
}

// key is a state as text, in the order of another program's names.
func (s *State) key(place []int) string {
	var b strings.Builder
	for i := range s.Values {
		k := i
		if place != nil {
			k = place[i]
		}
		b.WriteString(s.text(k))
		b.WriteByte(' ')
	}
	return b.String()
}

// WriteText prints the difference with a witness.
func (d *Difference) WriteText(w io.Writer) {
	name := d.Before.Program.Name
	switch {
	case d.SourceRaces:
		fmt.Fprintf(w, "%s: the source has a data race under %s, so anything is a correct result of it\n", name, d.Before.Model)
	case d.Sound():
		fmt.Fprintf(w, "%s: nothing added under %s (%d final states before, %d after)\n", name, d.Before.Model, len(d.Before.States), len(d.After.States))
	case d.Race:
		fmt.Fprintf(w, "%s: ADDED a data race under %s, on %s:\n    %s\n    %s\n", name, d.Before.Model, d.After.Race.Location, d.After.Race.side(d.After, 0), d.After.Race.side(d.After, 1))
		d.After.Race.Exec.WriteText(w)
	default:
		for i := range d.Added {
			fmt.Fprintf(w, "%s: ADDED under %s: %s\n", name, d.Before.Model, d.After.stateText(&d.Added[i]))
		}
		if e := d.Added[0].Exec; e != nil {
			e.WriteText(w)
		}
	}
}

// JSON is the difference as one line.
func (d *Difference) JSON(file string) []byte {
	verdict := "sound"
	switch {
	case d.SourceRaces:
		verdict = "racy"
	case !d.Sound():
		verdict = "unsound"
	}
	added := []string{}
	for i := range d.Added {
		added = append(added, d.After.stateText(&d.Added[i]))
	}
	out, err := json.Marshal(map[string]any{"file": file, "name": d.Before.Program.Name, "model": d.Before.Model.String(),
		"verdict": verdict, "added": added, "added_race": d.Race && !d.SourceRaces})
	if err != nil {
		panic(err)
	}
	return append(out, '\n')
}
