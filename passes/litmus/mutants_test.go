package litmus

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
)

// Mutants: each row of the sequence table, with one wait, write-back,
// invalidate or the cache bits left out, on programs that use the row. One is
// killed if the machine then has an outcome that the source forbids.

var orderWords = [...]string{pisa.Relaxed: "relaxed", pisa.Acquire: "acquire", pisa.Release: "release", pisa.AcqRel: "acq_rel", pisa.SeqCst: "seq_cst"}
var scopeWords = [...]string{pisa.Workgroup: "workgroup", pisa.GPU: "gpu", pisa.System: "system"}

// op spells an access of the row to variable v: a load into reg, or a write of
// value.
func (r SequenceRow) op(v, reg string, value int) string {
	space := map[ir.Space]string{ir.SpaceGlobal: "global", ir.SpaceShared: "shared", ir.SpaceGeneric: "generic"}[r.Space]
	q := orderWords[r.Order]
	if r.Order != pisa.Relaxed {
		q += "." + scopeWords[r.Scope]
	}
	dst := reg
	switch r.Class {
	case target.ClassLoad:
		return fmt.Sprintf("ld.%s.%s.32b %s, [@%s];", space, q, reg, v)
	case target.ClassStore:
		return fmt.Sprintf("st.%s.%s.32b [@%s], %d;", space, q, v, value)
	case target.ClassRMWNoRet, target.ClassCasNoRet:
		dst = "_"
	case target.ClassFence:
		name := map[ir.Space]string{ir.SpaceGlobal: ".global", ir.SpaceShared: ".shared", ir.SpaceGeneric: ""}[r.Space]
		return fmt.Sprintf("fence%s.%s;", name, orderWords[r.Order]+"."+scopeWords[r.Scope])
	}
	if r.Class >= target.ClassCas {
		return fmt.Sprintf("iatom.%s.%s.cas.32b %s, [@%s], %d, %d;", space, q, dst, v, value-1, value)
	}
	return fmt.Sprintf("iatom.%s.%s.xchg.32b %s, [@%s], %d;", space, q, dst, v, value)
}

// programs are small tests around the row: what it orders before it as a
// release, after it as an acquire, and both as seq_cst; data in global and in
// shared memory, read and written; two work-items and a third as relay.
func (r SequenceRow) programs() []*File {
	switch {
	case r.Class == target.ClassFence || r.Space == ir.SpaceGeneric:
		return append(append(r.around("y"), r.around("f")...), r.seqCst()...)
	case r.Space == ir.SpaceShared:
		return append(r.around("f"), r.seqCst()...)
	}
	return append(r.around("y"), r.seqCst()...)
}

// around makes the tests whose flag, that the row's access or the accesses
// beside its fence touch, is global y or shared f.
func (r SequenceRow) around(flag string) []*File {
	var out []*File
	scope := scopeWords[max(r.Scope, pisa.Workgroup)]
	wide := scope // of the fences on the other side
	fence := "fence."
	if wide == "system" {
		fence = "fence.global."
	}
	fspace := map[string]string{"y": "global", "f": "shared"}[flag]
	vars := map[string]FileVar{"x": {}, "y": {}, "z": {}, "s": {Space: "shared"}, "f": {Space: "shared"}}
	add := func(threads ...[]string) {
		groups := [][]int{{0, 0, 0}}
		if r.Scope != pisa.Workgroup {
			groups = [][]int{{0, 1, 2}, {0, 0, 1}}
		}
		for _, g := range groups {
			f := &File{Name: fmt.Sprint(r), Vars: map[string]FileVar{}}
			text := ""
			for i, c := range threads {
				f.Threads = append(f.Threads, FileThread{WG: g[i], Code: c})
				text += strings.Join(c, " ")
			}
			for v, d := range vars {
				if strings.Contains(text, "@"+v+"]") {
					f.Vars[v] = d
				}
			}
			out = append(out, f)
			if r.Scope == pisa.System && !strings.Contains(text, ".shared.") && flag == "y" { // the host reaches no shared memory
				h := *f
				h.Threads = append([]FileThread(nil), f.Threads...)
				h.Threads[len(h.Threads)-1].Host = true
				w := *f
				w.Threads = append([]FileThread(nil), f.Threads...)
				w.Threads[0].Host = true
				out = append(out, &h, &w)
			}
		}
	}
	guard := []string{"ucmp.ne.32b %p, %r0, 0;", "goto.cond !%p, END;"}
	cat := func(parts ...[]string) (all []string) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	relFence, acqFence := fence+"release."+wide+";", fence+"acquire."+wide+";"
	readFlag := []string{fmt.Sprintf("ld.%s.relaxed.32b %%r0, [@%s];", fspace, flag), acqFence}
	writeFlag := []string{relFence, fmt.Sprintf("st.%s.relaxed.32b [@%s], 1;", fspace, flag)}
	releasing := []string{r.op(flag, "%q0", 1)}
	acquiring := []string{r.op(flag, "%r0", 2)}
	if r.Class == target.ClassFence {
		releasing = []string{r.op("", "", 0), fmt.Sprintf("st.%s.relaxed.32b [@%s], 1;", fspace, flag)}
		acquiring = []string{fmt.Sprintf("ld.%s.relaxed.32b %%r0, [@%s];", fspace, flag), r.op("", "", 0)}
	}
	end := []string{"END:"}
	for _, d := range []string{"global.weak.32b|x", "shared.weak.32b|s", "global.relaxed.32b|x", "shared.relaxed.32b|s"} {
		q, v, _ := strings.Cut(d, "|")
		store := fmt.Sprintf("st.%s [@%s], 1;", q, v)
		load := func(reg string) []string { return []string{fmt.Sprintf("ld.%s %s, [@%s];", q, reg, v)} }
		if r.Order.Releases() && r.Class != target.ClassLoad {
			add(cat([]string{store}, releasing), cat(readFlag, guard, load("%r1"), end))
			add(cat(load("%r1"), releasing), cat(readFlag, guard, []string{store}, end))
			relay := "ld." + fspace + ".relaxed.32b %r0, [@" + flag + "];"
			add(cat([]string{store}, releasing), cat([]string{relay, acqFence}, guard, []string{"fence.release.gpu;", "st.global.relaxed.32b [@z], 1;", "END:"}),
				cat([]string{"ld.global.relaxed.32b %r0, [@z];", "fence.acquire.gpu;"}, guard, load("%r1"), end))
		}
		if r.Order.Acquires() && r.Class != target.ClassStore {
			add(cat([]string{store}, writeFlag), cat(acquiring, guard, load("%r1"), end))
			add(cat([]string{store}, writeFlag), cat(acquiring, load("%r1")))
			add(cat(load("%r1"), writeFlag), cat(acquiring, []string{strings.Replace(store, "weak", "relaxed", 1)}))
			// without a result: that it was later shows in memory, or in a read before it
			look := []string{fmt.Sprintf("ld.%s.relaxed.32b %%r0, [@%s];", fspace, flag)}
			silent := acquiring
			if r.Class == target.ClassFence {
				silent = []string{fmt.Sprintf("iatom.%s.relaxed.xchg.32b _, [@%s], 2;", fspace, flag), r.op("", "", 0)}
			}
			add(cat([]string{store}, writeFlag), cat(silent, load("%r1")))
			add(cat([]string{store}, writeFlag), cat(look, guard, silent, load("%r1"), end))
			// a flag that is seen twice: the second copy must not be older
			add(cat([]string{store}, writeFlag), cat(load("%r2"), acquiring, load("%r1")))
		}
	}
	if r.Class != target.ClassFence {
		w := []string{r.op(flag, "%r0", 1)}
		if r.Class == target.ClassLoad {
			w = []string{"st." + fspace + ".relaxed.32b [@" + flag + "], 1;"}
		}
		rd := fmt.Sprintf("ld.%s.relaxed.32b %%r%%d, [@%s];", fspace, flag)
		add(w, []string{fmt.Sprintf(rd, 1), fmt.Sprintf(rd, 2)})
		add(w, []string{r.op(flag, "%r3", 1), fmt.Sprintf(rd, 1)})
		if r.Class != target.ClassLoad && r.Class != target.ClassStore {
			inc := strings.Replace(strings.Replace(r.op(flag, "%r0", 1), "xchg", "add", 1), ".cas.32b %r0, [@"+flag+"], 0,", ".cas.32b %r0, [@"+flag+"], 0,", 1)
			add([]string{inc}, []string{inc})
		}
	}
	return out
}

// seqCst is store buffering between the row's accesses, or across its fence.
func (r SequenceRow) seqCst() (out []*File) {
	if r.Order != pisa.SeqCst {
		return nil
	}
	s := scopeWords[r.Scope]
	for _, pair := range [][2]string{{"global x", "global y"}, {"shared s", "shared f"}, {"shared s", "global y"}} {
		first, second := strings.Fields(pair[0]), strings.Fields(pair[1])
		shared := first[0] == "shared" || second[0] == "shared"
		if shared && r.Scope != pisa.Workgroup {
			s = scopeWords[r.Scope]
		}
		side := func(a, b []string, reg string) []string {
			if r.Class == target.ClassFence {
				return []string{fmt.Sprintf("st.%s.relaxed.32b [@%s], 1;", a[0], a[1]), r.op("", "", 0), fmt.Sprintf("ld.%s.relaxed.32b %s, [@%s];", b[0], reg, b[1])}
			}
			aq, bq := a[0], b[0]
			if r.Space == ir.SpaceGeneric {
				aq, bq = "generic", "generic"
			}
			return []string{fmt.Sprintf("st.%s.seq_cst.%s.32b [@%s], 1;", aq, s, a[1]), fmt.Sprintf("ld.%s.seq_cst.%s.32b %s, [@%s];", bq, s, reg, b[1])}
		}
		f := &File{Name: fmt.Sprint(r), Vars: map[string]FileVar{first[1]: {Space: first[0]}, second[1]: {Space: second[0]}}}
		wg := 1
		if shared || r.Scope == pisa.Workgroup {
			wg = 0
		}
		f.Threads = []FileThread{{WG: 0, Code: side(first, second, "%r0")}, {WG: wg, Code: side(second, first, "%r1")}}
		out = append(out, f)
	}
	return out
}

// barrierPrograms use barrier.workgroup.
func barrierPrograms() (out []*File) {
	for _, d := range []string{"global.weak.32b|x", "shared.weak.32b|s"} {
		q, v, _ := strings.Cut(d, "|")
		st, ld := fmt.Sprintf("st.%s [@%s], 1;", q, v), fmt.Sprintf("ld.%s %%r0, [@%s];", q, v)
		vars := map[string]FileVar{"x": {}, "s": {Space: "shared"}}
		for _, c := range [][2][]string{{{st, "barrier.workgroup;"}, {"barrier.workgroup;", ld}}, {{ld, "barrier.workgroup;"}, {"barrier.workgroup;", st}}} {
			out = append(out, &File{Name: "barrier", Vars: vars, Threads: []FileThread{{Code: c[0]}, {Code: c[1]}}})
		}
	}
	return out
}

// source is a race-free program and the states that its model allows.
type source struct {
	p       *Program
	allowed map[string]bool
}

func sources(t *testing.T, files []*File) (out []source) {
	var c Checker
	for _, f := range files {
		p := program(t, f)
		r, err := c.Check(p, Options{Model: Model{ThinAir: Dependencies}})
		require.NoError(t, err)
		if r.Race != nil {
			continue
		}
		s := source{p, map[string]bool{}}
		for i := range r.States {
			s.allowed[wordKey(append([]uint64{r.States[i].Unset}, r.States[i].Values...))] = true
		}
		out = append(out, s)
	}
	return out
}

func wordKey(w []uint64) string { return fmt.Sprint(w) }

// outside runs the machine and reports an outcome that is not allowed.
func (s *source) outside(t *testing.T, mode *target.Mode, mut *Mutation) bool {
	m := newMachine(s.p, mode, mut)
	m.stop = func(w []uint64) bool { return !s.allowed[wordKey(w)] }
	m.run()
	require.NoError(t, m.err)
	return m.done
}

func allRows() (rows []SequenceRow) {
	orders := map[target.MemoryClass][]pisa.Order{
		target.ClassLoad:  {pisa.Relaxed, pisa.Acquire, pisa.SeqCst},
		target.ClassStore: {pisa.Relaxed, pisa.Release, pisa.SeqCst},
		target.ClassFence: {pisa.Acquire, pisa.Release, pisa.AcqRel, pisa.SeqCst},
	}
	for c := target.ClassLoad; c <= target.ClassFence; c++ {
		os := orders[c]
		if os == nil {
			os = []pisa.Order{pisa.Relaxed, pisa.Acquire, pisa.Release, pisa.AcqRel}
		}
		for _, a := range []ir.Space{ir.SpaceGlobal, ir.SpaceShared, ir.SpaceGeneric} {
			for _, o := range os {
				for s := pisa.Workgroup; s <= pisa.System; s++ {
					if o == pisa.Relaxed && s != pisa.System || s == pisa.System && (a == ir.SpaceShared || c == target.ClassFence && a != ir.SpaceGlobal) {
						continue // PISA has no such form, or it is the one of another scope
					}
					rows = append(rows, SequenceRow{c, a, o, s})
				}
			}
		}
	}
	return rows
}

// explain says why a part may be missing without a forbidden outcome; "" if it
// must be missed.
func explain(m *Mutation) string {
	r := &m.Row
	switch {
	case m.Part == -1:
		return "cache bits: without them an access is late, or its write stays in a cache; what is ordered, the waits, write-backs and invalidates decide"
	case r.Class == target.ClassFence && r.Space == ir.SpaceShared && r.Order == pisa.Acquire:
		return "a flag in shared memory: its accesses are one queue, so that later ones need no wait"
	case r.Class == target.ClassLoad && r.Space == ir.SpaceShared && r.Order == pisa.SeqCst && m.Part == 0:
		return "seq_cst load of shared memory: earlier seq_cst loads waited for themselves, earlier accesses of shared memory are in its queue, and stores count elsewhere (RDNA)"
	}
	return ""
}

func TestMachineMutants(t *testing.T) {
	stored := sources(t, corpus(t))
	rows := append(allRows(), SequenceRow{Class: classBarrier})
	modes := machineModes()
	type tally struct{ killed, survived int }
	explained := map[string]int{}
	total := tally{}
	var list []string
	for ri, row := range rows {
		var progs []source
		if row.Class == classBarrier {
			progs = sources(t, barrierPrograms())
		} else {
			progs = sources(t, row.programs())
		}
		require.NotEmpty(t, progs, "%v", row)
		for mi := range modes {
			mode := &modes[mi]
			if !*machineAll && (ri+mi)%6 != 0 {
				continue
			}
			for i := range progs {
				require.False(t, progs[i].outside(t, mode, nil), "%v on %s: the full sequence is not enough for %+v", row, mode.Name, progs[i].p.Threads)
			}
			var parts []target.Step
			if row.Class == classBarrier {
				parts = mode.Barrier()
			} else {
				q := mode.Sequence(row.Class, row.Space, row.Order, row.Scope)
				parts = append(append(parts, q.Before...), q.After...)
				if q.Bits != "" && q.Bits != "glc" && q.Bits != "sc0" && q.Bits != "th:TH_ATOMIC_RETURN" || row.Class == target.ClassLoad && q.Bits != "" {
					parts = append(parts, target.Step{Text: "bits " + q.Bits})
				}
			}
			for k := range parts {
				mut := &Mutation{Row: row, Part: k, Text: parts[k].Text}
				if strings.HasPrefix(mut.Text, "bits ") {
					mut.Part = -1
				}
				if mut.Text == "s_barrier_signal -1" {
					continue
				}
				killed := false
				for i := 0; i < len(progs) && !killed; i++ {
					killed = progs[i].outside(t, mode, mut)
				}
				for i := 0; i < len(stored) && !killed && *machineAll; i++ {
					probe := newMachine(stored[i].p, mode, nil)
					if probe.used[row] {
						killed = stored[i].outside(t, mode, mut)
					}
				}
				switch {
				case killed:
					total.killed++
				case explain(mut) != "":
					explained[explain(mut)]++
				default:
					total.survived++
					list = append(list, fmt.Sprintf("%s %v %v %v %v: %s", mode.Name, row.Class, row.Space, orderWords[row.Order], row.Scope, mut.Text))
				}
			}
		}
	}
	sort.Strings(list)
	for _, l := range list {
		t.Log("survived: ", l)
	}
	n := total.killed + total.survived
	for why, k := range explained {
		n += k
		t.Logf("%d survived, explained: %s", k, why)
	}
	rate := 100 * float64(total.killed) / float64(n)
	t.Logf("%d mutants, %d killed: %.1f%%", n, total.killed, rate)
	require.Empty(t, list, "survivors that nothing explains")
	if *machineAll {
		require.GreaterOrEqual(t, rate, 90.0)
	}
}
