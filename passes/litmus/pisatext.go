package litmus

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// neverWritten is what a register that no instruction wrote shows in the PISA
// form of a test, where it must have some value.
const neverWritten = 0xffffffff

// PISA is the test as a .pisa file with a header, the form that the compiler
// itself checks.
func (f *File) PISA() ([]byte, error) {
	p, err := f.Program()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, ".version 0.1;\n.target 100;\n//@ litmus %s\n", f.Name)
	for i := range p.Threads {
		t := &p.Threads[i]
		fmt.Fprintf(&b, "//@ run @t%d wg=%d sg=%d", i, t.WG, t.SG)
		if t.Host {
			b.WriteString(" host")
		}
		b.WriteByte('\n')
	}
	for i := range p.Vars {
		if v := &p.Vars[i]; v.Init != nil && slices.Max(v.Init) > 0 {
			fmt.Fprintf(&b, "//@ init @%s = %s\n", v.Name, strings.Trim(strings.ReplaceAll(fmt.Sprint(v.Init), " ", ", "), "[]"))
		}
	}
	if len(p.Regs) > 0 {
		b.WriteString("//@ observe")
		for i := range p.Regs {
			b.WriteString(" " + p.Regs[i].Name)
		}
		b.WriteByte('\n')
	}
	if p.Cond.Kind != NoCond {
		fmt.Fprintf(&b, "//@ %s\n", strings.ReplaceAll(p.Cond.Text, "= -1", fmt.Sprintf("= %d", uint32(neverWritten))))
	}
	b.WriteByte('\n')
	for i := range p.Vars {
		if v := &p.Vars[i]; v.Space == Global {
			fmt.Fprintf(&b, ".global .align %d @%s[%d];\n", min(v.Size, 8), v.Name, v.Size)
		}
	}
	for i := range p.Threads {
		if err := f.function(&b, p, i); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// function writes work-item i as a function.
func (f *File) function(b *bytes.Buffer, p *Program, i int) error {
	fmt.Fprintf(b, "\n.function void @t%d() {\n", i)
	for k := range p.Vars {
		if v := &p.Vars[k]; v.Space == Shared {
			fmt.Fprintf(b, "  .shared .align %d @%s[%d];\n", min(v.Size, 8), v.Name, v.Size)
		}
	}
	preds := map[string]bool{}
	lines := make([]parsed, 0, len(f.Threads[i].Code))
	for _, l := range f.Threads[i].Code {
		q := splitLine(l)
		lines = append(lines, q)
		if q.op == "ucmp" || q.op == "scmp" {
			preds[q.ops[0]] = true
		}
	}
	f.registers(b, p, i, lines, preds)
	for k := range lines {
		if err := lines[k].write(b, i, k); err != nil {
			return err
		}
	}
	b.WriteString("  return;\n}\n")
	return nil
}

// registers declares the registers of work-item i and gives the observed ones
// the value that shows that nothing wrote them.
func (f *File) registers(b *bytes.Buffer, p *Program, i int, lines []parsed, preds map[string]bool) {
	t := &p.Threads[i]
	lanes := map[string]int{}
	var order []string
	for _, n := range t.Slots {
		base, comp, vec := strings.Cut(n, ".")
		if base == "" || preds[base] {
			continue
		}
		if _, ok := lanes[base]; !ok {
			order = append(order, base)
			lanes[base] = 1
		}
		if vec {
			lanes[base] = max(lanes[base], f.lanesOf(lines, base, comp))
		}
	}
	for _, r := range order {
		typ := ".32b"
		if lanes[r] > 1 {
			typ = fmt.Sprintf(".v%d.32b", lanes[r])
		}
		fmt.Fprintf(b, "  .reg %s %s;\n", typ, r)
	}
	for _, r := range slices.Sorted(keys(preds)) {
		fmt.Fprintf(b, "  .pred %s;\n", r)
	}
	for k := range p.Regs {
		r := &p.Regs[k]
		if r.Thread == i && r.Slot < 0 { // observed, but the code does not use it
			_, name, _ := strings.Cut(r.Name, ":")
			base, _, vector := strings.Cut(name, ".")
			if !vector {
				b.WriteString(viaRegister(name, fmt.Sprintf("%#x", uint32(neverWritten))))
				continue
			}
			if lanes[base] == 0 {
				lanes[base] = 4
				fmt.Fprintf(b, "  .reg .v4.32b %s;\n", base)
			}
			b.WriteString(viaRegister(fmt.Sprintf("%%unset%d", k), fmt.Sprintf("%#x", uint32(neverWritten))))
			fmt.Fprintf(b, "  mov.32b %s, %%unset%d;\n", name, k)
		}
		if r.Thread == i && r.Slot >= 0 {
			if name := t.Slots[r.Slot]; strings.Contains(name, ".") {
				b.WriteString(viaRegister(fmt.Sprintf("%%unset%d", k), fmt.Sprintf("%#x", uint32(neverWritten))))
				fmt.Fprintf(b, "  mov.32b %s, %%unset%d;\n", name, k)
			} else {
				fmt.Fprintf(b, "  mov.32b %s, %#x;\n", name, uint32(neverWritten))
			}
		}
	}
}

// viaRegister puts a constant into a register of its own.
func viaRegister(reg, value string) string {
	return fmt.Sprintf("  .reg .32b %s;\n  mov.32b %s, %s;\n", reg, reg, value)
}

func keys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// lanesOf is how many elements a vector register needs for its uses.
func (f *File) lanesOf(lines []parsed, base, comp string) int {
	n := 1
	for i := range lines {
		q := &lines[i]
		for _, o := range q.ops {
			if o == base && q.lanes() > 1 {
				n = max(n, int(q.lanes()))
			}
			if o == base+"."+comp {
				n = max(n, 2, strings.Index("xyzwabcd", comp)+1)
			}
		}
	}
	return n
}

// write writes a line in the full syntax: sources of stores and atomics are
// registers there.
func (q *parsed) write(b *bytes.Buffer, t, line int) error {
	if q.text == "" {
		return nil
	}
	if strings.HasSuffix(q.text, ":") {
		fmt.Fprintf(b, "%s\n", q.text)
		return nil
	}
	first := map[string]int{"st": 1, "iatom": 2}[q.op]
	if q.op == "mov" && strings.Contains(q.ops[0], ".") {
		first = 1
	}
	if first > 0 {
		var lines string
		for i := first; i < len(q.ops); i++ {
			if q.ops[i][0] != '%' {
				r := fmt.Sprintf("%%imm%d_%d_%d", t, line, i)
				lines += viaRegister(r, q.ops[i])
				q.ops[i] = r
			}
		}
		b.WriteString(lines)
	}
	name := q.op
	if len(q.quals) > 0 {
		name += "." + strings.Join(q.quals, ".")
	}
	switch {
	case q.op == "iatom" && q.ops[0] == "_":
		q.ops[0] = fmt.Sprintf("%%drop%d_%d", t, line)
		fmt.Fprintf(b, "  .reg .32b %s;\n", q.ops[0])
	case q.op == "mov" && !strings.HasPrefix(q.ops[1], "%") && strings.HasPrefix(q.ops[1], "@"):
		return fmt.Errorf("%s: addresses in registers have no PISA form here", q.text)
	}
	fmt.Fprintf(b, "  %s", name)
	if len(q.ops) > 0 {
		fmt.Fprintf(b, " %s", strings.Join(q.ops, ", "))
	}
	b.WriteString(";\n")
	return nil
}
