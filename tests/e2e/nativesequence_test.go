package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/asmprint"
	"pisac/passes/machine"
)

// sequenceRow is a row of the table of memory sequences.
type sequenceRow struct{ mode, class, space, order, scope, text string }

// sequenceRows reads the table, which independent rules made.
func sequenceRows(t *testing.T) (rows []sequenceRow) {
	data, err := os.ReadFile("../../dialects/amdgpu/target/testdata/sequences.tsv")
	require.NoError(t, err)
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(l, "\t")
		require.Len(t, f, 6)
		rows = append(rows, sequenceRow{f[0], f[1], f[2], f[3], f[4], f[5]})
	}
	require.Len(t, rows, 1380)
	return rows
}

// result reports an operation with a result that is used.
func (r *sequenceRow) result() bool {
	return r.class == "load" || strings.HasSuffix(r.class, "-ret")
}

// impossible says why no operation has the row's sequence.
func (r *sequenceRow) impossible() string {
	if r.class == "fence" && r.space == "generic" && r.scope == "system" {
		return "PISA 9.2 has fences of system scope for global memory only"
	}
	return ""
}

// unspeakable reports a relaxed access with a scope: the text has none, but
// passes that know the memory to be of the work-group's may give it one.
func (r *sequenceRow) unspeakable() bool { return r.order == "relaxed" && r.scope != "system" }

// kernel is one operation. A store before it takes the waits for the
// arguments, a store behind it what the operation gives.
func (r *sequenceRow) kernel(name string) string {
	space := map[string]string{"global": ".global", "local": ".shared", "shared": ".shared", "flat": ".generic", "generic": ""}[r.space]
	order := "." + r.order
	if r.order != "relaxed" {
		order += "." + r.scope
	}
	at := map[string]string{"local": "[%a]"}[r.space]
	if at == "" {
		at = "[%q]"
	}
	op := map[string]string{
		"load":      "ld%[1]s%[2]s.32b %%r, %[3]s;",
		"store":     "st%[1]s%[2]s.32b %[3]s, %%i;",
		"rmw-ret":   "iatom%[1]s%[2]s.add.32b %%r, %[3]s, %%i;",
		"rmw-noret": "iatom%[1]s%[2]s.add.32b %%r, %[3]s, %%i;",
		"cas-ret":   "iatom%[1]s%[2]s.cas.32b %%r, %[3]s, %%i, %%j;",
		"cas-noret": "iatom%[1]s%[2]s.cas.32b %%r, %[3]s, %%i, %%j;",
		"fence":     "fence%[1]s%[2]s;%.0[3]s",
	}[r.class]
	text := ".kernel @" + name + "(.param[8] .addrspace(global) %out, .param[8] %p) { .shared .align 4 @S[64]; .reg .32b %r, %a, %i, %j; .reg .64b %o, %q;\n" +
		"ld.param.64b %o, [%out]; ld.param.64b %q, [%p]; mov.32b %i, %localid.x; iadd.32b %j, %i, 1; addrof.32b %a, @S;\n" +
		"st.global.32b [%o], %i;\n" + fmt.Sprintf(op, space, order, at) + "\n"
	if r.result() {
		text += "st.global.32b [%o + 4], %r;\n"
	}
	return text + "return; }\n"
}

// orderedOp is the operation of a kernel of a row.
func orderedOp(f *ir.Func) *ir.Op {
	for op := f.Entry().First(); op != nil; op = op.Next() {
		switch op.Code {
		case pisa.Ld, pisa.St, pisa.IAtom, pisa.Fence:
			if pisa.OrderOf(op.Props) != pisa.Weak {
				return op
			}
		}
	}
	return nil
}

// memoryStep is an instruction of a sequence: a wait, or several that stand
// together, by the counters that are to be 0; the access with its cache bits;
// or another instruction.
type memoryStep struct {
	access bool
	waits  []string // sorted
	text   string
}

var (
	waitWords = regexp.MustCompile(`(vm|lgkm|exp)cnt\(0\)`)
	waitName  = regexp.MustCompile(`^s_wait_((?:load|store|ds|km)cnt(?:_dscnt)?) 0x0$`)
	cacheWord = regexp.MustCompile(`^(glc|slc|dlc|sc0|sc1|nt|th:\w+|scope:\w+)$`)
)

// waitsFor is the counters of a wait instruction that waits for 0.
func waitsFor(text string) (counters []string) {
	switch m := waitName.FindStringSubmatch(text); {
	case m != nil:
		a, b, two := strings.Cut(m[1], "_")
		if counters = append(counters, a); two {
			counters = append(counters, b)
		}
	case strings.HasPrefix(text, "s_waitcnt_vscnt null, 0"):
		counters = append(counters, "vscnt")
	case strings.HasPrefix(text, "s_waitcnt "):
		for _, w := range waitWords.FindAllStringSubmatch(text, -1) {
			counters = append(counters, w[1]+"cnt")
		}
	}
	return counters
}

// addStep appends an instruction; waits that stand together are one.
func addStep(steps []memoryStep, s memoryStep) []memoryStep {
	slices.Sort(s.waits)
	if n := len(steps) - 1; s.waits != nil && n >= 0 && steps[n].waits != nil {
		steps[n].waits = slices.Compact(slices.Sorted(slices.Values(slices.Concat(steps[n].waits, s.waits))))
		return steps
	}
	return append(steps, s)
}

// expected reads the row's sequence.
func (r *sequenceRow) expected() (steps []memoryStep) {
	for _, text := range strings.Split(r.text, " ; ") {
		switch bits, access := strings.CutPrefix(text, "OP"); {
		case text == "" || text == "-":
		case access:
			steps = addStep(steps, memoryStep{access: true, text: strings.Join(slices.Sorted(slices.Values(strings.Fields(bits))), " ")})
		case waitsFor(text) != nil:
			steps = addStep(steps, memoryStep{waits: waitsFor(text)})
		default:
			steps = addStep(steps, memoryStep{text: text})
		}
	}
	return steps
}

var memoryControl = regexp.MustCompile(`^(s_wait(cnt|_\w+cnt)|buffer_|global_(inv|wb)|s_barrier)`)
var memoryAccess = regexp.MustCompile(`^(global|flat|ds|scratch)_`)

// emitted is the memory instructions and waits of f between the store before
// the operation and the one behind it or the end.
func emitted(tg *target.Target, f *ir.Func) (steps []memoryStep, code string) {
	var lines []string
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if amdgpu.Encoded(op) {
				lines = append(lines, strings.TrimSpace(string(asmprint.AppendInst(nil, tg, op))))
			}
		}
	}
	code = strings.Join(lines, "\n")
	first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "global_store") })
	for _, l := range lines[first+1:] {
		words := strings.Fields(l)
		control := memoryControl.MatchString(l)
		memory := memoryAccess.MatchString(l) && !control
		switch {
		case memory:
			var bits []string
			for _, w := range words[1:] {
				if cacheWord.MatchString(w) {
					bits = append(bits, w)
				}
			}
			slices.Sort(bits)
			steps = addStep(steps, memoryStep{access: true, text: strings.Join(bits, " ")})
		case control && waitsFor(l) != nil:
			steps = addStep(steps, memoryStep{waits: waitsFor(l)})
		case control:
			steps = addStep(steps, memoryStep{text: l})
		}
	}
	return steps, code
}

func isAccess(s memoryStep) bool { return s.access }

// forResult is the counter of which the use of the operation's result waits.
func (r *sequenceRow) forResult() []string {
	old := !strings.HasPrefix(r.mode, "gfx12")
	switch {
	case r.space == "local" && old:
		return []string{"lgkmcnt"}
	case r.space == "local":
		return []string{"dscnt"}
	case r.space == "flat" && old:
		return []string{"lgkmcnt", "vmcnt"}
	case r.space == "flat":
		return []string{"dscnt", "loadcnt"}
	case old:
		return []string{"vmcnt"}
	}
	return []string{"loadcnt"}
}

// check compares what stands in the final code with the row.
func (r *sequenceRow) check(have []memoryStep) string {
	want := r.expected()
	if r.result() { // the store of the result, and the wait for it
		if n := len(have) - 1; n < 0 || !have[n].access {
			return "the result is not stored"
		}
		have = have[:len(have)-1]
		waited := true
		for _, c := range r.forResult() {
			waited = waited && slices.ContainsFunc(want[slices.IndexFunc(want, isAccess):], func(s memoryStep) bool { return slices.Contains(s.waits, c) })
		}
		if !waited {
			want = addStep(want, memoryStep{waits: r.forResult()})
		}
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		return fmt.Sprintf("%v\nis not %v", have, want)
	}
	return ""
}

// TestNativeSequences: for every row of the table of memory sequences a kernel
// with that one operation has exactly that sequence in its final code; waits
// that stand together may be one.
func TestNativeSequences(t *testing.T) {
	modes := map[string]target.Mode{}
	for i := range target.All() {
		for _, m := range target.All()[i].Modes() {
			modes[m.Name] = m
		}
	}
	by := map[string][]sequenceRow{}
	left := 0
	for _, r := range sequenceRows(t) {
		if r.impossible() != "" {
			left++
			continue
		}
		by[r.mode] = append(by[r.mode], r)
	}
	require.Len(t, by, 6)
	require.Equal(t, 24, left)
	for mode, rows := range by {
		t.Run(mode, func(t *testing.T) {
			for _, level := range []int{0, 2} {
				source := ".version 0.1; .target 100;\n"
				for i := range rows {
					source += rows[i].kernel(fmt.Sprint("k", i))
				}
				p := program{name: "sequences", module: build(t, "sequences.pisa", source)}
				for i := range rows {
					op := orderedOp(p.module.Func(fmt.Sprint("k", i)))
					if r := &rows[i]; r.unspeakable() {
						op.SetField(pisa.FScope, uint64(map[string]pisa.Scope{"workgroup": pisa.Workgroup, "gpu": pisa.GPU}[r.scope]))
					}
				}
				c := compileMode(t, p, modes[mode], 0, func(ctx *machine.Ctx) { ctx.OptLevel = level })
				require.False(t, c.errors.HasErrors(), "%s", diags(c.Sources, c.errors.List))
				for i := range rows {
					r := &rows[i]
					have, code := emitted(c.mode.Target, c.Func(fmt.Sprint("k", i)))
					if bad := r.check(have); bad != "" {
						assert.Fail(t, "another sequence", "%v, machine passes of -O%d:\n%s\n%s", *r, level, bad, code)
						continue
					}
					for k := range have { // the comparison sees each of them
						require.NotEmpty(t, r.check(slices.Delete(slices.Clone(have), k, k+1)), "%v without instruction %d:\n%s", *r, k, code)
					}
				}
			}
		})
	}
}
