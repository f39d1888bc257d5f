package litmus

import (
	"fmt"
	"strings"

	"pisac/ir"
)

// Transform makes the module of a litmus test's text (File.PISA) twice: as it
// is, and after the pass to be judged.
type Transform func(text []byte) (before, after *ir.Module, s *Spec, err error)

// ComparePass compiles prefix, fragment and suffix as a function, lets a pass
// transform it, and looks for a context in which what came out has a final
// state or a race that what went in has not. Where the pass changes nothing,
// nothing is checked. opt.Stride also thins out prefixes and suffixes.
func (ctx *Contexts) ComparePass(fragment []string, run Transform, opt CompareOptions) (Tally, error) {
	var total Tally
	n := 0
	for _, pre := range ctx.Prefix {
		for _, suf := range ctx.Suffix {
			if n++; opt.Stride > 1 && n%9 != opt.Phase%9 {
				continue
			}
			t, err := ctx.passOnce(pre, fragment, suf, run, opt)
			total.Programs += t.Programs
			total.RaceFree += t.RaceFree
			if total.Found = t.Found; err != nil || t.Found != nil {
				return total, err
			}
		}
	}
	return total, nil
}

// passOnce is ComparePass for one prefix and suffix.
func (ctx *Contexts) passOnce(pre, fragment, suf []string, run Transform, opt CompareOptions) (Tally, error) {
	var decl Program
	ctx.declare(&decl, fragment)
	f := &File{Name: "fragment", Vars: map[string]FileVar{}}
	for i := range decl.Vars {
		v := &decl.Vars[i]
		f.Vars[v.Name] = FileVar{Space: map[Space]string{Global: "global", Shared: "shared"}[v.Space], Size: v.Size}
	}
	lines := append(append(append([]string(nil), pre...), fragment...), suf...)
	var code []string
	for _, l := range lines {
		if reg, ok := strings.CutPrefix(l, "guard "); ok {
			code = append(code, "ucmp.ne.32b %guard, "+reg[:len(reg)-1]+", 0;", "goto.cond !%guard, END;")
			continue
		}
		code = append(code, l)
	}
	f.Threads = []FileThread{{Code: append(code, "END:")}}
	text, err := f.PISA()
	if err != nil {
		return Tally{}, err
	}
	before, after, spec, err := run(text)
	if err != nil {
		return Tally{}, fmt.Errorf("%w\n%s", err, text)
	}
	p, err := FromModule(before, spec)
	if err != nil {
		return Tally{}, err
	}
	q, err := FromModule(after, spec)
	if err != nil {
		return Tally{}, err
	}
	if sameCode(p.Threads[0].Code, q.Threads[0].Code) {
		return Tally{}, nil
	}
	k := &comparison{ctx: ctx, opt: opt, p: *p, q: *q}
	vars := map[string]int32{}
	for i := range p.Vars {
		if len(q.Vars) != len(p.Vars) || q.Vars[i].Name != p.Vars[i].Name {
			return Tally{}, fmt.Errorf("the pass changed the variables")
		}
		vars[p.Vars[i].Name] = int32(i)
		if !p.Vars[i].Hidden {
			p.Vars[i].Width, q.Vars[i].Width = 4, 4
		}
	}
	k.p.Threads = append(p.Threads, Thread{}, Thread{})
	k.others(vars)
	k.q.Threads = append(q.Threads, k.p.Threads[1:]...)
	k.q.Regs = k.p.Regs
	k.countBarriers(p.Threads[0].Code)
	k.before = []piece{{lines, p.Threads[0].Code}}
	k.after = []piece{{[]string{string(ir.AppendText(nil, after))}, q.Threads[0].Code}}
	k.run()
	return k.tally, k.err
}

// sameCode reports whether two functions make the same accesses of the same
// operands in the same order; a difference in names of temporaries counts.
func sameCode(a, b []Instr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameInstr(&a[i], &b[i]) {
			return false
		}
	}
	return true
}
