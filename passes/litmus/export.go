package litmus

import (
	"bytes"
	"fmt"
	"strings"

	"pisac/dialects/pisa"
)

// Export writes the program as a litmus test of herd7 (C11) or, with opencl,
// of Dartagnan's OpenCL front end, so that other tools can check it. It
// refuses what those languages cannot say: in C11 every scope must include all
// work-items and there are no barriers and no fences of one address space;
// neither has PISA's vectors as one access, or jumps other than to the end.
func (p *Program) Export(opencl bool) ([]byte, error) {
	x := &exporter{p: p, cl: opencl}
	if err := x.check(); err != nil {
		return nil, err
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+-_.", r) {
			return r
		}
		return '_'
	}, p.Name)
	kind := "C"
	if opencl {
		kind = "OPENCL"
	}
	fmt.Fprintf(&x.b, "%s %s\n{ ", kind, name)
	for i := range p.Vars {
		if v := &p.Vars[i]; !v.Hidden {
			init := uint64(0)
			if len(v.Init) > 0 {
				init = v.Init[0]
			}
			fmt.Fprintf(&x.b, "[%s]=%d; ", v.Name, init)
		}
	}
	x.b.WriteString("}\n")
	for t := range p.Threads {
		if err := x.thread(t); err != nil {
			return nil, err
		}
	}
	if p.Cond.Kind != NoCond {
		text := strings.NewReplacer("%", "", "==", "=").Replace(p.Cond.Text)
		fmt.Fprintf(&x.b, "\n%s\n", text)
	}
	return x.b.Bytes(), nil
}

type exporter struct {
	p    *Program
	cl   bool
	b    bytes.Buffer
	deep int
}

// check refuses what the other language cannot express.
func (x *exporter) check() error {
	p := x.p
	var g graph
	g.reset(p, Model{})
	for i := range p.Vars {
		if v := &p.Vars[i]; !v.Hidden && v.Size > max(v.Width, 4) {
			return fmt.Errorf("%s: an array has no form in the other language here", v.Name)
		}
		if p.Vars[i].Space == Shared && !x.cl {
			return fmt.Errorf("%s: C11 has no shared memory; export opencl", p.Vars[i].Name)
		}
	}
	for t := range p.Threads {
		if p.Threads[t].Host && x.cl {
			return fmt.Errorf("an OpenCL test has no host thread")
		}
		for k := range p.Threads[t].Code {
			in := &p.Threads[t].Code[k]
			where := func(format string, args ...any) error {
				return fmt.Errorf("work-item %d: %s: %s", t, in.Text, fmt.Sprintf(format, args...))
			}
			switch in.Op {
			case OpLoad, OpStore, OpRMW, OpFence:
				if in.Lanes > 1 {
					return where("vector accesses have no form there")
				}
				if in.Op != OpFence && !in.Lit {
					return where("addresses in registers have no form there")
				}
				if in.Float {
					return where("float atomics have no form there")
				}
				if !x.cl && in.Order != pisa.Weak && g.scopes[in.Scope][t] != 1<<len(p.Threads)-1 {
					return where("C11 has no scopes, and this one does not include all work-items")
				}
				if !x.cl && in.Op == OpFence && in.Cover == CoverShared {
					return where("C11 has no fences of shared memory")
				}
			case OpBarrier:
				if !x.cl {
					return where("C11 has no barriers; export opencl")
				}
			case OpJump, OpBranch:
				if int(in.Target) != len(p.Threads[t].Code) {
					return where("only jumps to the end have a form there")
				}
			}
		}
	}
	return nil
}

func (x *exporter) thread(t int) error {
	th := &x.p.Threads[t]
	fmt.Fprintf(&x.b, "\nP%d", t)
	if x.cl {
		fmt.Fprintf(&x.b, "@wg %d, dev 0", th.WG)
	}
	x.b.WriteString(" (")
	n := 0
	for i := range x.p.Vars {
		v := &x.p.Vars[i]
		if v.Hidden {
			continue
		}
		if n++; n > 1 {
			x.b.WriteString(", ")
		}
		space := ""
		if x.cl {
			space = "global "
			if v.Space == Shared {
				space = "local "
			}
		}
		typ := "atomic_int"
		if x.weakOnly(int32(i)) {
			typ = "int"
		}
		fmt.Fprintf(&x.b, "%s%s* %s", space, typ, v.Name)
	}
	x.b.WriteString(") {\n")
	declared := map[string]bool{}
	x.deep = 1
	for k := range th.Code {
		if err := x.instr(th, &th.Code[k], declared); err != nil {
			return fmt.Errorf("work-item %d: %w", t, err)
		}
	}
	for ; x.deep > 1; x.deep-- {
		fmt.Fprintf(&x.b, "%s}\n", strings.Repeat("  ", x.deep-1))
	}
	x.b.WriteString("}\n")
	return nil
}

// weakOnly reports a variable that only weak accesses touch.
func (x *exporter) weakOnly(v int32) bool {
	for t := range x.p.Threads {
		for k := range x.p.Threads[t].Code {
			in := &x.p.Threads[t].Code[k]
			if (in.Op == OpLoad || in.Op == OpStore || in.Op == OpRMW) && in.Var == v && in.Order != pisa.Weak {
				return false
			}
		}
	}
	return true
}

var cOrders = [...]string{pisa.Weak: "memory_order_relaxed", pisa.Relaxed: "memory_order_relaxed", pisa.Acquire: "memory_order_acquire",
	pisa.Release: "memory_order_release", pisa.AcqRel: "memory_order_acq_rel", pisa.SeqCst: "memory_order_seq_cst"}
var clScopes = [...]string{pisa.Subgroup: "memory_scope_sub_group", pisa.Workgroup: "memory_scope_work_group",
	pisa.GPU: "memory_scope_device", pisa.System: "memory_scope_all_svm_devices"}
var cRMW = map[pisa.AtomicOp]string{pisa.AtomAdd: "atomic_fetch_add", pisa.AtomSub: "atomic_fetch_sub", pisa.AtomOr: "atomic_fetch_or",
	pisa.AtomAnd: "atomic_fetch_and", pisa.AtomXor: "atomic_fetch_xor", pisa.AtomXchg: "atomic_exchange"}

func regName(th *Thread, s int32) string {
	if n := strings.NewReplacer("%", "", ".", "_").Replace(th.Slots[s]); n != "" {
		return n
	}
	return fmt.Sprintf("t%d", s)
}

func (x *exporter) value(th *Thread, o *Operand) string {
	if o.Slot >= 0 {
		return regName(th, o.Slot)
	}
	return fmt.Sprint(o.Imm)
}

func (x *exporter) orderArgs(in *Instr) string {
	if x.cl {
		return cOrders[in.Order] + ", " + clScopes[in.Scope]
	}
	return cOrders[in.Order]
}

func (x *exporter) instr(th *Thread, in *Instr, declared map[string]bool) error {
	line := func(format string, args ...any) {
		fmt.Fprintf(&x.b, "%s%s\n", strings.Repeat("  ", x.deep), fmt.Sprintf(format, args...))
	}
	assign := func(expr string) {
		if in.Dst < 0 {
			line("%s;", expr)
			return
		}
		r := regName(th, in.Dst)
		if declared[r] {
			line("%s = %s;", r, expr)
			return
		}
		declared[r] = true
		line("int %s = %s;", r, expr)
	}
	name := ""
	if in.Var >= 0 {
		name = x.p.Vars[in.Var].Name
	}
	switch in.Op {
	case OpLoad:
		if in.Order == pisa.Weak && x.weakOnly(in.Var) {
			assign("*" + name)
		} else {
			assign(fmt.Sprintf("atomic_load_explicit(%s, %s)", name, x.orderArgs(in)))
		}
	case OpStore:
		if in.Order == pisa.Weak && x.weakOnly(in.Var) {
			line("*%s = %s;", name, x.value(th, &in.B))
		} else {
			line("atomic_store_explicit(%s, %s, %s);", name, x.value(th, &in.B), x.orderArgs(in))
		}
	case OpRMW:
		f, ok := cRMW[in.Fn]
		if !ok {
			return fmt.Errorf("%s: the operation has no form in the other language here", in.Text)
		}
		assign(fmt.Sprintf("%s_explicit(%s, %s, %s)", f, name, x.value(th, &in.B), x.orderArgs(in)))
	case OpFence:
		if x.cl {
			flags := map[Cover]string{CoverGlobal: "CLK_GLOBAL_MEM_FENCE", CoverShared: "CLK_LOCAL_MEM_FENCE", CoverBoth: "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"}[in.Cover]
			line("atomic_work_item_fence(%s, %s);", flags, x.orderArgs(in))
		} else {
			line("atomic_thread_fence(%s);", cOrders[in.Order])
		}
	case OpBarrier:
		line("barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);")
	case OpMove:
		assign(x.value(th, &in.A))
	case OpEval:
		e, err := x.expression(th, in)
		if err != nil {
			return err
		}
		assign(e)
	case OpBranch:
		neg := "!"
		if in.Neg {
			neg = ""
		}
		line("if (%s%s) {", neg, x.value(th, &in.A))
		x.deep++
	}
	return nil
}

// expression is a pure instruction of the few kinds that tests use.
func (x *exporter) expression(th *Thread, in *Instr) (string, error) {
	text := strings.TrimPrefix(strings.TrimSpace(in.Text), "pisa.")
	if _, after, ok := strings.Cut(text, "= pisa."); ok {
		text = after
	}
	for prefix, op := range map[string]string{"iadd": "+", "xor": "^", "and": "&", "ucmp.eq": "==", "ucmp.ne": "!=", "scmp.eq": "==", "scmp.ne": "!="} {
		if strings.HasPrefix(text, prefix+".") {
			return fmt.Sprintf("(%s %s %s)", x.value(th, &in.A), op, x.value(th, &in.B)), nil
		}
	}
	return "", fmt.Errorf("%s: the operation has no form in the other language here", in.Text)
}
