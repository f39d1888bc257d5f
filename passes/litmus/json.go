package litmus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"pisac/dialects/pisa"
)

// File is a litmus test in JSON.
type File struct {
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Vars        map[string]FileVar `json:"vars"`
	Threads     []FileThread       `json:"threads"`
	Observe     []string           `json:"observe,omitempty"`
	Outcome     map[string]int64   `json:"outcome,omitempty"`
	// An outcome of -1 is a register that was never written.
	// Condition is used instead of Outcome if it is there.
	Condition string            `json:"condition,omitempty"`
	Source    string            `json:"source,omitempty"`
	Verdict   string            `json:"verdict,omitempty"`
	ByModel   map[string]string `json:"verdict_by_model,omitempty"`
	// Executions are the counts that another checker found.
	Executions struct {
		Consistent uint64 `json:"consistent"`
	} `json:"executions"`
}

// FileVar is a variable of a File.
type FileVar struct {
	Space string          `json:"space,omitempty"`
	Size  uint32          `json:"size,omitempty"`
	Init  json.RawMessage `json:"init,omitempty"`
}

// FileThread is a work-item of a File.
type FileThread struct {
	WG   int      `json:"wg"`
	SG   *int     `json:"sg,omitempty"` // its own if missing
	Host bool     `json:"host,omitempty"`
	Code []string `json:"code"`
}

// ReadJSON reads a litmus test in JSON.
func ReadJSON(data []byte) (*Program, *File, error) {
	var f File
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&f); err != nil {
		return nil, nil, err
	}
	p, err := f.Program()
	return p, &f, err
}

// Program builds the program of f.
func (f *File) Program() (*Program, error) {
	p := &Program{Name: f.Name, Unroll: 2}
	vars := map[string]int32{}
	names := make([]string, 0, len(f.Vars))
	for n := range f.Vars {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		v, err := f.Vars[n].variable(n)
		if err != nil {
			return nil, err
		}
		vars[n] = int32(len(p.Vars))
		p.Vars = append(p.Vars, v)
	}
	if len(f.Threads) > MaxWorkItems {
		return nil, fmt.Errorf("%d work-items; at most %d are possible", len(f.Threads), MaxWorkItems)
	}
	p.Threads = make([]Thread, len(f.Threads))
	for i := range f.Threads {
		ft := &f.Threads[i]
		t := &p.Threads[i]
		t.Name, t.WG, t.SG, t.Host = fmt.Sprintf("work-item %d", i), ft.WG, i, ft.Host
		if ft.SG != nil {
			t.SG = *ft.SG
		}
		if t.WG < 0 || t.WG > MaxWorkItems {
			return nil, fmt.Errorf("work-item %d: work-group %d", i, t.WG)
		}
		r := newLineReader(vars, t)
		for _, l := range ft.Code {
			if err := r.add(l); err != nil {
				return nil, fmt.Errorf("work-item %d: %w", i, err)
			}
		}
		if err := r.finish(); err != nil {
			return nil, fmt.Errorf("work-item %d: %w", i, err)
		}
	}
	if err := p.layOut(); err != nil {
		return nil, err
	}
	if err := f.observed(p); err != nil {
		return nil, err
	}
	if f.Condition != "" {
		var err error
		if p.Cond, err = ParseCond(f.Condition); err != nil {
			return nil, err
		}
	} else if f.Outcome != nil {
		p.Cond = outcomeCond(f.Outcome)
	}
	p.bind(&p.Cond)
	return p, nil
}

func (v FileVar) variable(name string) (Var, error) {
	out := Var{Name: name, Size: 4, Width: 4}
	switch v.Space {
	case "", "global":
	case "shared":
		out.Space = Shared
	default:
		return out, fmt.Errorf("variable %s: space %q is not modelled", name, v.Space)
	}
	if v.Size != 0 {
		out.Size = v.Size
	}
	if len(v.Init) == 0 {
		return out, nil
	}
	var one uint64
	if json.Unmarshal(v.Init, &one) == nil {
		for range (out.Size + 3) / 4 {
			out.Init = append(out.Init, one)
		}
		return out, nil
	}
	if err := json.Unmarshal(v.Init, &out.Init); err != nil {
		return out, fmt.Errorf("variable %s: init: %w", name, err)
	}
	return out, nil
}

// observed fills p.Regs: the registers listed, else those that loads and RMWs
// write, except those called %dead.
func (f *File) observed(p *Program) error {
	add := func(t int, name string) {
		full := fmt.Sprintf("%d:%s", t, name)
		for i := range p.Regs {
			if p.Regs[i].Name == full {
				return
			}
		}
		s := int32(-1)
		for i, n := range p.Threads[t].Slots {
			if n == name {
				s = int32(i)
			}
		}
		p.Regs = append(p.Regs, Observed{Name: full, Thread: t, Slot: s, Hidden: -1})
	}
	if f.Observe != nil {
		for _, o := range f.Observe {
			var t int
			tid, name, ok := strings.Cut(o, ":")
			if _, err := fmt.Sscan(tid, &t); !ok || err != nil || t < 0 || t >= len(p.Threads) {
				return fmt.Errorf("observed register %q", o)
			}
			add(t, name)
		}
	} else {
		for t := range p.Threads {
			th := &p.Threads[t]
			for i := range th.Code {
				in := &th.Code[i]
				if in.Op != OpLoad && in.Op != OpRMW || in.Dst < 0 {
					continue
				}
				for l := range int32(in.Lanes) {
					if n := th.Slots[in.Dst+l]; !strings.HasPrefix(n, "%dead") {
						add(t, n)
					}
				}
			}
		}
	}
	if len(p.Regs) > 64 {
		return fmt.Errorf("%d observed registers; at most 64 are possible", len(p.Regs))
	}
	return nil
}

// outcomeCond is the conjunction of an outcome's equations.
func outcomeCond(o map[string]int64) Cond {
	c := Cond{Kind: Exists, Text: "exists ("}
	names := make([]string, 0, len(o))
	for n := range o {
		names = append(names, n)
	}
	sort.Strings(names)
	c.Code = append(c.Code, CondOp{Op: 't'})
	for i, n := range names {
		if i > 0 {
			c.Text += ` /\ `
		}
		c.Text += fmt.Sprintf("%s = %d", n, o[n])
		step := CondOp{Op: '=', Name: n, Value: uint64(o[n])}
		if o[n] == -1 {
			step.Op = '-'
		}
		c.Code = append(c.Code, step, CondOp{Op: '&'})
	}
	if len(names) == 0 {
		c.Text += "true"
	}
	c.Text += ")"
	return c
}

// failOrder is the order of a compare-and-swap that fails: no write, so no
// release half (PISA 8.2 read as C++ does).
func failOrder(o pisa.Order) pisa.Order {
	switch o {
	case pisa.AcqRel:
		return pisa.Acquire
	case pisa.Release:
		return pisa.Relaxed
	}
	return o
}
