package passes

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
	"pisac/passes/litmus"
)

// memoryCheck is how many small programs each memory pass is checked on; what
// it makes of them must have no outcome and no race that they have not.
var memoryCheck = flag.Int("memory-check", 250, "programs that the model checker compares before and after each memory pass")

// memoryModels are the two ends of what the axioms leave open.
var memoryModels = []string{"base", "cxx20+lb+lenient"}

// row is a transformation of the catalogue, with the contexts it was judged in.
type catalogueRow struct {
	ID         string
	Family     string
	Before     []string
	After      []string
	Verdict    string
	Vocabulary litmus.Contexts
}

func catalogue(t testing.TB) []catalogueRow {
	data, err := os.ReadFile("litmus/testdata/transforms.json")
	require.NoError(t, err)
	var f struct{ Transforms []catalogueRow }
	require.NoError(t, json.Unmarshal(data, &f))
	return f.Transforms
}

// smallProgram is threads of PISA lines with `guard %r`, which ends the
// work-item if the register is 0.
type smallProgram struct {
	threads [][]string
	groups  []int
	// observe keeps the registers of the first thread in the outcome. Without,
	// its code ends with its last line.
	observe bool
}

func (p *smallProgram) String() string {
	var b strings.Builder
	for i, t := range p.threads {
		fmt.Fprintf(&b, "work-item %d of work-group %d:\n    %s\n", i, p.groups[i], strings.Join(t, "\n    "))
	}
	return b.String()
}

// file is the program as a litmus test.
func (p *smallProgram) file() *litmus.File {
	f := &litmus.File{Name: "small", Vars: map[string]litmus.FileVar{}}
	for i, t := range p.threads {
		var code []string
		guards := 0
		for _, l := range t {
			if k := strings.IndexByte(l, '@'); k >= 0 {
				name := l[k+1 : k+1+strings.IndexAny(l[k+1:], " ]+,")]
				v := f.Vars[name]
				if strings.Contains(l, ".shared.") {
					v.Space = "shared"
				}
				v.Size = max(v.Size, 4)
				if strings.Contains(l, "+ 4]") || strings.Contains(l, ".v2.") {
					v.Size = 8
				}
				f.Vars[name] = v
			}
			if r, ok := strings.CutPrefix(l, "guard "); ok {
				code = append(code, fmt.Sprintf("ucmp.ne.32b %%guard%d, %s, 0;", guards, strings.TrimSuffix(r, ";")),
					fmt.Sprintf("goto.cond !%%guard%d, END;", guards))
				guards++
				continue
			}
			code = append(code, l)
		}
		if guards > 0 {
			code = append(code, "END:")
		}
		f.Threads = append(f.Threads, litmus.FileThread{WG: p.groups[i], Code: code})
	}
	return f
}

// build returns the module of the program, as kernels, and its test.
func (p *smallProgram) build(t testing.TB) (func() *ir.Module, *litmus.Spec) {
	text, err := p.file().PISA()
	require.NoError(t, err, "%s", p)
	text = bytes.ReplaceAll(text, []byte(".function void @t"), []byte(".kernel @t"))
	spec, err := litmus.ParseHeader(text)
	require.NoError(t, err, "%s", text)
	if !p.observe {
		for i := range p.threads[1:] {
			for _, l := range p.threads[i+1] {
				if f := strings.Fields(l); strings.HasPrefix(l, "ld.") && strings.HasPrefix(f[1], "%c") {
					spec.Observe = append(spec.Observe, fmt.Sprintf("%d:%s", i+1, strings.TrimRight(f[1], ",")))
				}
			}
		}
		if spec.Observe == nil {
			return nil, nil
		}
	}
	var ds ir.Diags
	src := &ir.Sources{}
	parsed := asm.Parse(src.Add("small.pisa", text), asm.Options{}, &ds)
	require.False(t, ds.HasErrors(), "%v\n%s", ds.List, text)
	text, err = litmus.Instrument(parsed, text, spec)
	require.NoError(t, err)
	return func() *ir.Module {
		var ds ir.Diags
		src := &ir.Sources{}
		files := []*asm.File{asm.Parse(src.Add("small.pisa", text), asm.Options{}, &ds)}
		m := ssabuild.Build(dialects.All(), src, asm.Link(files, &ds), &ds)
		require.False(t, ds.HasErrors(), "%v\n%s", ds.List, text)
		return m
	}, spec
}

// preserved runs a pipeline on a program and reports whether it changed it. If
// so the outcomes must be among those before.
func (p *smallProgram) preserved(t testing.TB, pl Pipeline) (changed, raceFree bool) {
	changed, raceFree, bad := p.compare(t, pl)
	require.Empty(t, bad, "the pass adds outcomes to\n%s", p)
	return changed, raceFree
}

// sound reports whether a pipeline adds no outcome to a program.
func (p *smallProgram) sound(t testing.TB, pl Pipeline) bool {
	_, _, bad := p.compare(t, pl)
	return bad == ""
}

// compare says what a pipeline adds to the outcomes.
func (p *smallProgram) compare(t testing.TB, pl Pipeline) (changed, raceFree bool, bad string) {
	build, spec := p.build(t)
	if build == nil {
		return false, false, ""
	}
	before, after := build(), build()
	r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
	for _, m := range []*ir.Module{before, after} { // one address, one value
		require.NoError(t, r.Run(m, pipeline(t, "cse")))
	}
	text := ir.AppendText(nil, before)
	require.NoError(t, r.Run(after, pl), "%s", p)
	if bytes.Equal(text, ir.AppendText(nil, after)) {
		return false, false, ""
	}
	for _, name := range memoryModels {
		m, err := litmus.ParseModel(name)
		require.NoError(t, err)
		d, err := litmus.CompareModules(before, after, spec, m)
		require.NoError(t, err, "%s", p)
		raceFree = raceFree || !d.SourceRaces
		if !d.Sound() {
			var b strings.Builder
			d.WriteText(&b)
			return true, raceFree, fmt.Sprintf("%s\n%s", ir.AppendText(nil, after), b.String())
		}
	}
	return true, raceFree, ""
}

// randomProgram puts a row's fragment into one of its contexts, or several
// rows' fragments one behind the other.
func randomProgram(rnd *rand.Rand, rows []catalogueRow) *smallProgram {
	r := &rows[rnd.Intn(len(rows))]
	v := &r.Vocabulary
	pick := func(items [][]string) []string {
		if len(items) == 0 {
			return nil
		}
		return items[rnd.Intn(len(items))]
	}
	p := &smallProgram{observe: rnd.Intn(3) > 0}
	place := v.Places[rnd.Intn(len(v.Places))]
	if v.Max[len(place)-2] == 0 {
		return randomProgram(rnd, rows)
	}
	p.groups = place
	main := append([]string(nil), pick(v.Prefix)...)
	main = append(main, r.Before...)
	if rnd.Intn(3) == 0 {
		main = append(main, pick(v.Suffix)...)
	}
	main = append(main, pick(v.Suffix)...)
	p.threads = append(p.threads, distinctRegisters(main))
	for i := 1; i < len(place); i++ {
		voc := v.One
		if len(place) == 3 {
			voc = v.Two
		}
		n := 1 + rnd.Intn(v.Max[len(place)-2])
		var code []string
		for k := range n {
			for _, l := range pick(voc) {
				l = strings.ReplaceAll(l, "%c0", fmt.Sprintf("%%c%d", k))
				code = append(code, strings.ReplaceAll(l, "], 9;", fmt.Sprintf("], %d;", 11+2*i+k)))
			}
		}
		p.threads = append(p.threads, code)
	}
	if !p.oneKernel() {
		return randomProgram(rnd, rows)
	}
	return p
}

// oneKernel reports that the work-items may run one kernel as far as barriers
// go: each of a work-group comes to as many, and ends before none. Kernels that
// end early say so in their code, which the passes see.
func (p *smallProgram) oneKernel() bool {
	counts := map[int]int{}
	for i, t := range p.threads {
		n, guarded := 0, false
		for _, l := range t {
			guarded = guarded || strings.HasPrefix(l, "guard")
			if strings.HasPrefix(l, "barrier") {
				n++
				if guarded {
					return false
				}
			}
		}
		if m, ok := counts[p.groups[i]]; ok && m != n {
			return false
		}
		counts[p.groups[i]] = n
	}
	return true
}

// distinctRegisters renames what two items write under one name.
func distinctRegisters(code []string) []string {
	seen := map[string]int{}
	out := make([]string, len(code))
	now := map[string]string{}
	for i, l := range code {
		f := strings.Fields(l)
		for old, name := range now {
			if k := strings.IndexByte(l, ','); k >= 0 && !strings.HasPrefix(l, "guard") {
				l = l[:k] + strings.ReplaceAll(l[k:], old, name)
			} else {
				l = strings.ReplaceAll(l, old, name)
			}
		}
		if len(f) > 2 && strings.HasPrefix(f[1], "%") {
			reg := strings.TrimRight(f[1], ",")
			if seen[reg]++; seen[reg] > 1 {
				now[reg] = fmt.Sprintf("%s_%d", reg, seen[reg])
				l = strings.Replace(l, reg+",", now[reg]+",", 1)
			}
		}
		out[i] = l
	}
	return out
}

// checkedRows is the rows that bear on a pass.
func checkedRows(t testing.TB, families ...string) (rows []catalogueRow) {
	for _, r := range catalogue(t) {
		for _, f := range families {
			if strings.HasPrefix(r.ID, f) && len(r.Vocabulary.Places) > 0 && !strings.Contains(strings.Join(r.Before, " "), ".v2.") {
				rows = append(rows, r)
			}
		}
	}
	require.NotEmpty(t, rows)
	return rows
}

// checkMemoryPass runs a pass over random programs made of rows of the
// catalogue until enough of them are changed.
func checkMemoryPass(t *testing.T, pass string, families ...string) {
	rows := checkedRows(t, families...)
	pl := pipeline(t, pass)
	rnd := rand.New(rand.NewSource(1))
	fired, free, all := 0, 0, 0
	for all = 0; all < *memoryCheck; all++ {
		changed, raceFree := randomProgram(rnd, rows).preserved(t, pl)
		if changed {
			fired++
		}
		if raceFree {
			free++
		}
	}
	t.Logf("%s: %d programs, %d changed, %d of these race-free", pass, all, fired, free)
	require.Greater(t, free, all/25, "too few programs say anything")
}

func TestFenceElideAddsNoOutcome(t *testing.T) {
	checkMemoryPass(t, "fence-elide", "F", "S0", "E0")
	checkMemoryPass(t, "fence-elide{merge=always}", "F")
}

// guardTest is what objects when a guard is off: rows of the catalogue in
// random contexts, or one program.
type guardTest struct {
	name, pass string
	families   []string
	program    *smallProgram
}

var (
	elide      = "fence-elide"
	elideMerge = "fence-elide{merge=always}"
	strengthen = "memorder-strengthen{fences=always}"
	coalesce   = "atomic-coalesce{aggregate=0}"
)

// lines makes a program of work-items, each written on one line.
func lines(groups []int, threads ...string) *smallProgram {
	p := &smallProgram{groups: groups, observe: true}
	for _, t := range threads {
		var code []string
		for l := range strings.SplitSeq(t, ";") {
			switch l = strings.TrimSpace(l); {
			case strings.HasSuffix(l, ":"):
				code = append(code, l)
			case l != "":
				code = append(code, l+";")
			}
		}
		p.threads = append(p.threads, code)
	}
	return p
}

const (
	publish = "st.global.weak.32b [@x], 1; fence.release.gpu; st.global.relaxed.32b [@y], 1"
	consume = "ld.global.acquire.gpu.32b %c0, [@y]; guard %c0; ld.global.weak.32b %c1, [@x]"
)

var guardTests = [numGuards]guardTest{
	{"half between", "fence-elide{merge=never}", nil, lines([]int{0, 1, 2}, "ld.global.relaxed.32b %r0, [@z]; guard %r0; fence.release.gpu; fence.acquire.gpu; fence.release.gpu; st.global.relaxed.32b [@y], 1",
		"st.global.weak.32b [@x], 1; st.global.release.gpu.32b [@z], 1", consume)},
	{"access between", elide, []string{"F10", "F01"}, nil},
	{"relaxed", elide, []string{"F07", "F08", "F10"}, nil},
	{"scope", elide, nil, lines([]int{0, 0, 1}, "st.global.weak.32b [@x], 1; fence.release.gpu; st.global.release.workgroup.32b [@y], 1", "iatom.global.relaxed.add.32b %c0, [@y], 1",
		"ld.global.acquire.gpu.32b %c0, [@y]; ucmp.ge.32b %q, %c0, 2; goto.cond !%q, END; ld.global.weak.32b %c1, [@x]; END:")},
	{"early exit", elide, nil, lines([]int{0, 0}, "ld.global.relaxed.32b %g, [@z]; guard %g; ld.global.relaxed.32b %r0, [@y]; fence.acquire.workgroup; barrier.workgroup; guard %r0; ld.global.weak.32b %r1, [@x]",
		publish+"; st.global.relaxed.32b [@z], 1")},
	{"barrier scope", elide, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@y]; barrier.workgroup; fence.acquire.gpu; guard %r0; ld.global.weak.32b %r1, [@x]", publish)},
	{"seq_cst", elide, nil, lines([]int{0, 1}, "st.global.relaxed.32b [@x], 1; fence.seq_cst.gpu; ld.global.relaxed.32b %r0, [@y]", "st.global.relaxed.32b [@y], 1; fence.seq_cst.gpu; ld.global.relaxed.32b %c0, [@x]")},
	{"shared", elide, []string{"F06"}, nil},
	{"space", elide, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@y]; fence.shared.acquire.gpu; fence.global.acquire.gpu; guard %r0; ld.global.weak.32b %r1, [@x]", publish)},
	{"sink", elideMerge, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@z]; st.global.weak.32b [@x], 1; fence.release.gpu; st.global.relaxed.32b [@y], 1; fence.acquire.gpu; ld.global.weak.32b %r1, [@w]", consume)},
	{"hoist", elideMerge, nil, lines([]int{0, 1}, "st.global.weak.32b [@w], 1; fence.release.gpu; st.global.relaxed.32b [@z], 1; ld.global.relaxed.32b %r0, [@y]; fence.acquire.gpu; guard %r0; ld.global.weak.32b %r1, [@x]", publish)},
	{"join", elideMerge, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@z]; st.global.weak.32b [@x], 1; fence.release.gpu; fence.acquire.workgroup; st.global.relaxed.32b [@y], 1", consume)},
	{"all", strengthen, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@y]; ld.global.relaxed.32b %r1, [@z]; fence.acquire.gpu; guard %r0; ld.global.weak.32b %r2, [@x]", publish)},
	{"narrow", strengthen, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@y]; fence.acquire.workgroup; ld.global.weak.32b %r1, [@z]", publish)},
	{"walk scope", strengthen, nil, lines([]int{0, 1}, "ld.global.relaxed.32b %r0, [@y]; fence.seq_cst.workgroup; ld.global.relaxed.32b %r1, [@z]; fence.acquire.gpu; guard %r0; ld.global.weak.32b %r2, [@x]", publish)},
	{"kind", coalesce, nil, lines([]int{0, 1}, "iatom.global.relaxed.add.32b %r0, [@y], 1; iatom.global.relaxed.umax.32b %r1, [@y], 4", "ld.global.relaxed.32b %c0, [@y]")},
	{"up", coalesce, nil, lines([]int{0, 1}, "iatom.global.relaxed.add.32b %r0, [@y], 1; ld.global.acquire.gpu.32b %r2, [@z]; st.global.weak.32b [@x], %r0; iatom.global.relaxed.add.32b %r1, [@y], 1",
		"ld.global.relaxed.32b %c0, [@y]; st.global.release.gpu.32b [@z], 1")},
	{"down", coalesce, []string{"A02"}, nil},
	{"only relaxed", coalesce, nil, lines([]int{0, 1}, "iatom.global.acquire.gpu.add.32b %r0, [@y], 1; ld.global.relaxed.32b %r2, [@x]; iatom.global.relaxed.add.32b %r1, [@y], 2",
		"st.global.relaxed.32b [@x], 1; iatom.global.release.gpu.add.32b %c0, [@y], 8")},
	{"other location", coalesce, nil, lines([]int{0, 1}, "iatom.global.relaxed.add.32b %r0, [@y], 1; st.global.weak.32b [@y], 5; iatom.global.relaxed.add.32b %r1, [@y], 2", "st.global.relaxed.32b [@z], 1")},
	{"order join", coalesce, []string{"A01"}, nil},
	{"fence between", coalesce, nil, lines([]int{0, 1}, "iatom.global.relaxed.add.32b %r0, [@y], 1; st.global.weak.32b [@x], %r0; fence.release.gpu; iatom.global.relaxed.add.32b %r1, [@y], 1",
		"ld.global.acquire.gpu.32b %c0, [@y]; ucmp.eq.32b %q, %c0, 2; goto.cond !%q, END; ld.global.weak.32b %c1, [@x]; END:")},
}

// TestGuards switches each guard off: then the checker must find an outcome
// that a pass adds, where with the guard there is none.
func TestGuards(t *testing.T) {
	defer func() { guardsOff = 0 }()
	caught := 0
	for g, c := range guardTests {
		pl := pipeline(t, c.pass)
		tried, bad := 0, ""
		if c.program != nil {
			tried = 1
			require.True(t, c.program.sound(t, pl), c.name)
			guardsOff = 1 << g
			var changed bool
			changed, _, bad = c.program.compare(t, pl)
			if bad == "" {
				t.Logf("%s: changed: %v", c.name, changed)
			}
		} else {
			rows, rnd := checkedRows(t, c.families...), rand.New(rand.NewSource(int64(g)))
			guardsOff = 1 << g
			for ; tried < guardPrograms && bad == ""; tried++ {
				_, _, bad = randomProgram(rnd, rows).compare(t, pl)
			}
		}
		guardsOff = 0
		if bad == "" {
			t.Errorf("%s: nothing misses it in %d programs", c.name, tried)
			continue
		}
		caught++
		t.Logf("%s: program %d", c.name, tried)
	}
	t.Logf("%d of %d guards are missed if switched off", caught, len(guardTests))
}

// guardPrograms bounds the search for a program that misses a guard.
const guardPrograms = 1000
