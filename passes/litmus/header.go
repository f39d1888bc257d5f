package litmus

import (
	"fmt"
	"strconv"
	"strings"
)

// Spec is what a litmus test says beside the code of its functions. In a
// .pisa file it stands in comments that begin with //@, a line each:
//
//	//@ litmus NAME
//	//@ run @f wg=0 sg=0          a work-item, in order; host for a host thread
//	//@ init @x = 1, 2            initial elements of a variable
//	//@ observe 1:%r0 1:%v.x      registers in the final state
//	//@ exists (1:%r0 = 1 /\ x = 2)   or forall, ~exists
//	//@ unroll 3                  backward jumps of a work-item (default 2)
//
// Registers that the condition names are observed; without observe and
// without registers in the condition, all that loads and atomics write, except
// those called %dead….
// A .shared variable is declared in each function that uses it; variables of
// one name are one variable, with an instance per work-group.
type Spec struct {
	Name    string
	Run     []RunItem
	Init    map[string][]uint64
	Observe []string
	Cond    Cond
	Unroll  int

	watched []watched // filled in by Instrument
}

// RunItem is a work-item of a Spec.
type RunItem struct {
	Func   string
	WG, SG int
	Host   bool
	Line   int
}

// HeaderError is a mistake in a header line.
type HeaderError struct {
	Line int
	Msg  string
}

func (e *HeaderError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// ParseHeader reads the //@ lines of a file.
func ParseHeader(text []byte) (*Spec, error) {
	s := &Spec{Unroll: 2, Init: map[string][]uint64{}}
	n := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		n++
		body, ok := strings.CutPrefix(strings.TrimSpace(line), "//@")
		if !ok {
			continue
		}
		body = strings.TrimSpace(body)
		word, rest, _ := strings.Cut(body, " ")
		rest = strings.TrimSpace(rest)
		if err := s.line(word, rest, body, n); err != nil {
			return nil, &HeaderError{n, err.Error()}
		}
	}
	if len(s.Run) == 0 {
		return nil, &HeaderError{1, "no work-item: a litmus test has lines like `//@ run @function wg=0`"}
	}
	if len(s.Run) > MaxWorkItems {
		return nil, &HeaderError{s.Run[MaxWorkItems].Line, fmt.Sprintf("at most %d work-items are possible", MaxWorkItems)}
	}
	return s, nil
}

func (s *Spec) line(word, rest, body string, n int) error {
	switch word {
	case "litmus":
		s.Name = rest
	case "run":
		return s.runLine(rest, n)
	case "init":
		name, vals, ok := strings.Cut(rest, "=")
		name = strings.TrimPrefix(strings.TrimSpace(name), "@")
		if !ok || name == "" {
			return fmt.Errorf("write init @variable = value, …")
		}
		for v := range strings.SplitSeq(vals, ",") {
			x, err := parseValue(strings.TrimSpace(v))
			if err != nil {
				return fmt.Errorf("value %q", strings.TrimSpace(v))
			}
			s.Init[name] = append(s.Init[name], x)
		}
	case "observe":
		s.Observe = append(s.Observe, strings.Fields(rest)...)
	case "unroll":
		u, err := strconv.Atoi(rest)
		if err != nil || u < 0 || u > 16 {
			return fmt.Errorf("unroll takes a number from 0 to 16")
		}
		s.Unroll = u
	case "exists", "forall", "~exists", "~":
		if s.Cond.Kind != NoCond {
			return fmt.Errorf("there is a condition already")
		}
		c, err := ParseCond(body)
		s.Cond = c
		return err
	default:
		return fmt.Errorf("%q is none of litmus, run, init, observe, unroll, exists, forall, ~exists", word)
	}
	return nil
}

func (s *Spec) runLine(rest string, n int) error {
	f := strings.Fields(rest)
	if len(f) == 0 || len(f[0]) < 2 || f[0][0] != '@' {
		return fmt.Errorf("write run @function wg=0 sg=0")
	}
	it := RunItem{Func: f[0][1:], WG: len(s.Run), SG: len(s.Run), Line: n}
	for _, w := range f[1:] {
		key, val, _ := strings.Cut(w, "=")
		x, err := strconv.Atoi(val)
		switch {
		case w == "host":
			it.Host = true
		case err != nil || x < 0 || x >= MaxWorkItems:
			return fmt.Errorf("%q is no placement; numbers go from 0 to %d", w, MaxWorkItems-1)
		case key == "wg":
			it.WG = x
		case key == "sg":
			it.SG = x
		default:
			return fmt.Errorf("%q is none of wg=, sg=, host", w)
		}
	}
	s.Run = append(s.Run, it)
	return nil
}

// registers lists the registers, "1:%r0", that the spec wants to observe; nil
// if it leaves the choice open.
func (s *Spec) registers() []string {
	var out []string
	seen := map[string]bool{}
	add := func(n string) {
		if strings.Contains(n, ":%") && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, o := range s.Observe {
		add(o)
	}
	for i := range s.Cond.Code {
		add(s.Cond.Code[i].Name)
	}
	return out
}
