package litmus

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"pisac/dialects/pisa"
)

// WriteText prints r for people. witness adds the execution that decides the
// condition, or the one with the race.
func (r *Result) WriteText(w io.Writer, witness bool) {
	name := r.Program.Name
	if name == "" {
		name = "test"
	}
	fmt.Fprintf(w, "%s: %s under %s\n", name, r.Verdict(), r.Model)
	if c := &r.Program.Cond; c.Kind != NoCond && r.Race == nil {
		yes := map[bool]string{true: "holds", false: "does not hold"}[r.Satisfied()]
		fmt.Fprintf(w, "  %s: %s\n", c.Text, yes)
	}
	fmt.Fprintf(w, "  %d final states of %d executions", len(r.States), r.Executions)
	if r.Mirrors {
		fmt.Fprint(w, " (counts: one order of equal work-items)")
	}
	fmt.Fprintln(w)
	for i := range r.States {
		s := &r.States[i]
		mark := " "
		if s.Holds {
			mark = "*"
		}
		fmt.Fprintf(w, "  %s %6d  %s\n", mark, s.Count, r.stateText(s))
	}
	if r.Race != nil {
		fmt.Fprintf(w, "  data race on %s:\n    %s\n    %s\n", r.Race.Location, r.Race.side(r, 0), r.Race.side(r, 1))
	}
	if r.Bounded {
		fmt.Fprintf(w, "  loops were unrolled %d times; longer executions are not covered\n", r.Program.Unroll)
	}
	if !witness {
		return
	}
	if r.Race != nil {
		fmt.Fprintln(w, "  an execution with the race:")
		r.Race.Exec.WriteText(w)
	} else if r.Witness != nil {
		what := "a witness"
		if r.Program.Cond.Kind == ForAll {
			what = "a counterexample"
		}
		fmt.Fprintf(w, "  %s:\n", what)
		r.Witness.WriteText(w)
	}
}

func (c *Race) side(r *Result, i int) string {
	in := c.First
	if i == 1 {
		in = c.Second
	}
	return fmt.Sprintf("%s: %s", r.Program.Threads[c.Tids[i]].Name, in.Text)
}

func (r *Result) stateText(s *State) string {
	parts := make([]string, len(r.Names))
	for i, n := range r.Names {
		parts[i] = n + "=" + s.text(i)
	}
	return strings.Join(parts, " ")
}

// jsonResult is a line of --format=json.
type jsonResult struct {
	File       string      `json:"file,omitempty"`
	Name       string      `json:"name"`
	Model      string      `json:"model"`
	Verdict    string      `json:"verdict"`
	Condition  string      `json:"condition,omitempty"`
	Satisfied  bool        `json:"satisfied"`
	States     []jsonState `json:"states"`
	Executions uint64      `json:"executions"`
	Bounded    bool        `json:"bounded,omitempty"`
	Race       *jsonRace   `json:"race,omitempty"`
	Witness    []string    `json:"witness,omitempty"`
}

type jsonState struct {
	Values map[string]*uint64 `json:"values"` // null: never written
	Count  uint64             `json:"count"`
	Holds  bool               `json:"holds"`
}

type jsonRace struct {
	Location string    `json:"location"`
	Accesses [2]string `json:"accesses"`
}

// JSON is r as one line.
func (r *Result) JSON(file string) []byte {
	j := jsonResult{File: file, Name: r.Program.Name, Model: r.Model.String(), Verdict: r.Verdict().String(),
		Condition: r.Program.Cond.Text, Satisfied: r.Satisfied(), Executions: r.Executions, Bounded: r.Bounded, States: []jsonState{}}
	for i := range r.States {
		s := &r.States[i]
		js := jsonState{Values: map[string]*uint64{}, Count: s.Count, Holds: s.Holds}
		for k, n := range r.Names {
			if s.unset(k) {
				js.Values[n] = nil
			} else {
				js.Values[n] = &s.Values[k]
			}
		}
		j.States = append(j.States, js)
	}
	exec := r.Witness
	if r.Race != nil {
		j.Race = &jsonRace{r.Race.Location, [2]string{r.Race.side(r, 0), r.Race.side(r, 1)}}
		exec = r.Race.Exec
	}
	if exec != nil {
		var b strings.Builder
		exec.WriteText(&b)
		j.Witness = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	out, err := json.Marshal(&j)
	if err != nil {
		panic(err)
	}
	return append(out, '\n')
}

// label is an event in a few words: W x=1 rel gpu.
func (e *Execution) label(i int) string {
	ev := &e.Events[i]
	cell := ""
	if ev.Cell >= 0 {
		cell = e.Program.Cells[ev.Cell].Name
	}
	short := shortOrder(ev)
	switch ev.Kind {
	case EvInit:
		return fmt.Sprintf("init %s=%d", cell, ev.WV)
	case EvRead:
		return fmt.Sprintf("R%s %s=%d", short, cell, ev.RV)
	case EvWrite:
		return fmt.Sprintf("W%s %s=%d", short, cell, ev.WV)
	case EvRMW:
		return fmt.Sprintf("U%s %s=%d→%d", short, cell, ev.RV, ev.WV)
	case EvFence:
		cover := map[Cover]string{CoverGlobal: ".global", CoverShared: ".shared"}[ev.Cover]
		return "F" + cover + short
	case EvBarrierIn:
		return fmt.Sprintf("barrier %d in", ev.Bar)
	case EvBarrierOut:
		return fmt.Sprintf("barrier %d out", ev.Bar)
	}
	return "end"
}

var orderShort = [...]string{pisa.Weak: "", pisa.Relaxed: ".rlx", pisa.Acquire: ".acq", pisa.Release: ".rel", pisa.AcqRel: ".ar", pisa.SeqCst: ".sc"}
var scopeShort = [...]string{pisa.NoScope: "", pisa.Subgroup: ".sg", pisa.Workgroup: ".wg", pisa.GPU: ".gpu", pisa.System: ".sys"}

func shortOrder(ev *Event) string {
	if ev.Order <= pisa.Relaxed { // relaxed is of system scope always
		return orderShort[ev.Order]
	}
	return orderShort[ev.Order] + scopeShort[ev.Scope]
}

// edge is an arrow of a picture.
type edge struct {
	from, to int
	rel      string
}

// edges lists the relations worth drawing: program order between neighbours,
// reads-from, from-read and modification order between neighbours, and
// synchronisation; happens-before of other work-items where nothing else says
// it.
func (e *Execution) edges() []edge {
	var out []edge
	last := map[int8]int{}
	for i := range e.Events {
		ev := &e.Events[i]
		if ev.Kind == EvExit || ev.Tid < 0 {
			continue
		}
		if p, ok := last[ev.Tid]; ok {
			out = append(out, edge{p, i, "po"})
		}
		last[ev.Tid] = i
	}
	next := map[int]int{}
	for _, ws := range e.MO {
		for k := 1; k < len(ws); k++ {
			out = append(out, edge{ws[k-1], ws[k], "mo"})
			next[ws[k-1]] = ws[k]
		}
	}
	for i := range e.Events {
		ev := &e.Events[i]
		if ev.reads() && ev.Src >= 0 {
			out = append(out, edge{int(ev.Src), i, "rf"})
			if n, ok := next[int(ev.Src)]; ok && n != i {
				out = append(out, edge{i, n, "fr"})
			}
		}
		for j := range e.Events {
			if e.SW[i]>>j&1 != 0 {
				out = append(out, edge{j, i, "sw"})
			}
		}
	}
	return append(out, e.crossHB()...)
}

// crossHB is happens-before between work-items, without what sw and po already
// imply.
func (e *Execution) crossHB() []edge {
	var out []edge
	for i := range e.Events {
		for j := range e.Events {
			a, b := &e.Events[j], &e.Events[i]
			if e.HB[i]>>j&1 == 0 || a.Tid < 0 || a.Tid == b.Tid || e.SW[i]>>j&1 != 0 || a.Kind == EvExit || b.Kind == EvExit {
				continue
			}
			if a.Cell >= 0 && a.Cell == b.Cell && !e.viaRF(j, i) {
				out = append(out, edge{j, i, "hb"})
			}
		}
	}
	return out
}

func (e *Execution) viaRF(j, i int) bool { return e.Events[i].reads() && int(e.Events[i].Src) == j }

// WriteText lists the execution: events by work-item, then the relations.
func (e *Execution) WriteText(w io.Writer) {
	id := e.names()
	for i := range e.Events {
		if e.Events[i].Tid < 0 {
			fmt.Fprintf(w, "    %-4s %s\n", id[i], e.label(i))
		}
	}
	for t := range e.Program.Threads {
		th := &e.Program.Threads[t]
		fmt.Fprintf(w, "    %s, work-group %d, sub-group %d\n", th.Name, th.WG, th.SG)
		for i := range e.Events {
			ev := &e.Events[i]
			if int(ev.Tid) != t || ev.Kind == EvExit {
				continue
			}
			text := ""
			if ev.In != nil {
				text = ev.In.Text
			}
			fmt.Fprintf(w, "      %-4s %-22s %s\n", id[i], e.label(i), text)
		}
	}
	byRel := map[string][]string{}
	for _, x := range e.edges() {
		byRel[x.rel] = append(byRel[x.rel], id[x.from]+"→"+id[x.to])
	}
	for _, rel := range []string{"rf", "mo", "fr", "sw", "hb"} {
		if byRel[rel] != nil {
			fmt.Fprintf(w, "    %s: %s\n", rel, strings.Join(byRel[rel], " "))
		}
	}
	if e.Race != [2]int{} {
		fmt.Fprintf(w, "    race: %s %s\n", id[e.Race[0]], id[e.Race[1]])
	}
}

// names gives events short names: i0 for initial writes, then a, b, ….
func (e *Execution) names() []string {
	out := make([]string, len(e.Events))
	inits, n := 0, 0
	for i := range e.Events {
		if e.Events[i].Tid < 0 {
			out[i] = fmt.Sprintf("i%d", inits)
			inits++
			continue
		}
	}
	for t := range e.Program.Threads {
		for i := range e.Events {
			if int(e.Events[i].Tid) == t && e.Events[i].Kind != EvExit {
				out[i] = letters(n)
				n++
			}
		}
	}
	return out
}

func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + letters(n%26)
}
