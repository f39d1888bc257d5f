package passes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pisac/ir"
)

// Step is a pass of a pipeline with the values of its options.
type Step struct {
	Pass    *Pass
	Options []int
	// If, written if=NAME among the options, makes the step run only on
	// functions that the pass of that name changed earlier in the pipeline; if
	// it is not there, on all.
	If *Pass
	// Required steps are done whatever --opt-bisect-limit says: what follows
	// cannot do without.
	Required bool
}

// Pipeline is passes in order.
type Pipeline []Step

// NewStep returns p with its defaults.
func NewStep(p *Pass) Step {
	s := Step{Pass: p, Options: make([]int, len(p.Options))}
	for i := range p.Options {
		s.Options[i] = p.Options[i].Default
	}
	return s
}

// String spells the pipeline as ParsePipeline reads it, options only where
// they differ from the default.
func (pl Pipeline) String() string {
	var b strings.Builder
	for i := range pl {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(pl[i].String())
	}
	return b.String()
}

// String spells one step.
func (s *Step) String() string {
	var opts []string
	for i, v := range s.Options {
		o := &s.Pass.Options[i]
		if v == o.Default {
			continue
		}
		opts = append(opts, o.Name+"="+o.Spell(v))
	}
	if s.If != nil {
		opts = append(opts, "if="+s.If.Name)
	}
	if opts == nil {
		return s.Pass.Name
	}
	return s.Pass.Name + "{" + strings.Join(opts, " ") + "}"
}

// ParsePipeline reads `a,b{opt=1 opt=2},c`. file holds the text, so that
// mistakes get a caret into the option: add it to the Sources under the flag's
// name. It returns nil if there was a mistake.
func ParsePipeline(file *ir.SourceFile, ds *ir.Diags) Pipeline {
	p := pipelineParser{file: file, text: string(file.Text), ds: ds}
	before := ds.Errors()
	pl := Pipeline{}
	for p.pos <= len(p.text) {
		if s, ok := p.step(); ok {
			pl = append(pl, s)
		}
		if p.pos < len(p.text) && p.text[p.pos] != ',' {
			p.errorf(p.pos, p.pos+1, "expected ',' between passes")
			for p.pos < len(p.text) && p.text[p.pos] != ',' {
				p.pos++
			}
		}
		p.pos++
	}
	if ds.Errors() != before {
		return nil
	}
	return pl
}

type pipelineParser struct {
	file *ir.SourceFile
	text string
	pos  int
	ds   *ir.Diags
}

func (p *pipelineParser) errorf(from, to int, format string, args ...any) {
	p.ds.Error(p.file.Loc(from), p.file.Loc(max(to, from)), "PASS-E001", fmt.Sprintf(format, args...))
}

func (p *pipelineParser) word() (from, to int) {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
	from = p.pos
	for p.pos < len(p.text) && !strings.ContainsRune(",{}= ", rune(p.text[p.pos])) {
		p.pos++
	}
	to = p.pos
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
	return from, to
}

func (p *pipelineParser) step() (Step, bool) {
	from, to := p.word()
	name := p.text[from:to]
	pass := Lookup(name)
	switch {
	case name == "":
		p.errorf(from, from+1, "expected the name of a pass")
	case pass == nil:
		p.errorf(from, to, "'%s' is not a pass%s", name, suggestion(name, passNames()))
	}
	var s Step
	if pass != nil {
		s = NewStep(pass)
	}
	if p.pos < len(p.text) && p.text[p.pos] == '{' {
		p.options(&s)
	}
	return s, pass != nil
}

func (p *pipelineParser) options(s *Step) {
	open := p.pos
	p.pos++
	for {
		from, to := p.word()
		if p.pos == len(p.text) {
			p.errorf(open, open+1, "this '{' is not closed")
			return
		}
		switch c := p.text[p.pos]; {
		case from == to && c == '}':
			p.pos++
			return
		case from == to:
			p.errorf(p.pos, p.pos+1, "expected an option or '}'")
			p.pos++
		case c == '=':
			p.pos++
			vf, vt := p.word()
			p.option(s, from, to, vf, vt)
		default:
			p.option(s, from, to, to, to)
		}
	}
}

// option sets one option; a flag may stand without a value.
func (p *pipelineParser) option(s *Step, from, to, vf, vt int) {
	if s.Pass == nil {
		return
	}
	name, val := p.text[from:to], p.text[vf:vt]
	if name == "if" {
		if s.If = Lookup(val); s.If == nil {
			p.errorf(vf, vt, "'%s' is not a pass%s", val, suggestion(val, passNames()))
		}
		return
	}
	var names []string
	for i := range s.Pass.Options {
		o := &s.Pass.Options[i]
		names = append(names, o.Name)
		if o.Name != name {
			continue
		}
		if val == "" && vf == to {
			val = "1"
		}
		v, ok := o.parse(val)
		if !ok {
			p.errorf(vf, vt, "'%s' is not a value of %s; it takes %s", val, name, o.Values())
			return
		}
		s.Options[i] = v
		return
	}
	p.errorf(from, to, "pass %s has no option '%s'%s", s.Pass.Name, name, suggestion(name, names))
}

// Spell returns value v as pipelines write it.
func (o *Option) Spell(v int) string {
	if o.Words != nil {
		return o.Words[v]
	}
	return strconv.Itoa(v)
}

func (o *Option) parse(val string) (int, bool) {
	for i, w := range o.Words {
		if w == val {
			return i, true
		}
	}
	if o.Words != nil {
		return 0, false
	}
	n, err := strconv.Atoi(val)
	return n, err == nil && n >= 0 && n <= o.max()
}

func (o *Option) max() int {
	if o.Max == 0 {
		return 1 << 20
	}
	return o.Max
}

// Values says what the option takes.
func (o *Option) Values() string {
	if o.Words != nil {
		return strings.Join(o.Words, ", ")
	}
	return "0 to " + strconv.Itoa(o.max())
}

func suggestion(name string, all []string) string {
	if s := ir.Nearest(name, slices.Values(all)); s != "" {
		return "; did you mean '" + s + "'?"
	}
	return ""
}

// StateError is a pass that lacks what it needs.
type StateError struct {
	Step int // index in the pipeline
	Text string
}

func (e *StateError) Error() string { return e.Text }

// Check tests that each pass finds the state that it needs, beginning with
// have, and reports the first that does not, as a StateError.
func (pl Pipeline) Check(have State) error {
	for i := range pl {
		p := pl[i].Pass
		if miss := p.Needs &^ have; miss != 0 {
			for k, n := range stateNames {
				if miss>>k&1 != 0 {
					return &StateError{i, fmt.Sprintf("pass %s (number %d of the pipeline) needs %s", p.Name, i+1, n)}
				}
			}
		}
		have = have&^p.Breaks | p.Gives
	}
	return nil
}

// After returns what holds behind pl if have held before it.
func (pl Pipeline) After(have State) State {
	for i := range pl {
		have = have&^pl[i].Pass.Breaks | pl[i].Pass.Gives
	}
	return have
}
