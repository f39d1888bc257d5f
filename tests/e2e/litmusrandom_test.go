package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes"
	"pisac/passes/litmus"
)

// litmusPrograms is how many random programs TestLitmusRandom checks.
var litmusPrograms = flag.Int("litmus-programs", 300, "random programs to hold to the memory model")

// litmusWriter makes random litmus tests of two or three work-items.
type litmusWriter struct {
	r     *rand.Rand
	regs  int
	label bool // the thread has a guard
}

func (w *litmusWriter) pick(words ...string) string { return words[w.r.IntN(len(words))] }

func (w *litmusWriter) scope() string { return w.pick("gpu", "gpu", "workgroup") }

// instruction is one line of a thread, or several.
func (w *litmusWriter) instruction() []string {
	v := w.pick("x", "y")
	space := "global"
	if w.r.IntN(6) == 0 {
		v, space = "s", "shared"
	}
	at := fmt.Sprintf("[@%s]", v)
	reg := fmt.Sprintf("%%r%d", w.regs)
	switch w.r.IntN(12) {
	case 0, 1:
		return []string{fmt.Sprintf("st.%s.weak.32b %s, %%k1;", space, at)}
	case 2:
		w.regs++
		return []string{fmt.Sprintf("ld.%s.weak.32b %s, %s;", space, reg, at)}
	case 3, 4:
		order := w.pick("relaxed", "release."+w.scope(), "release."+w.scope(), "seq_cst."+w.scope())
		return []string{fmt.Sprintf("st.%s.%s.32b %s, %%k2;", space, order, at)}
	case 5, 6, 7: // a load that guards what follows
		w.regs++
		order := w.pick("relaxed", "acquire."+w.scope(), "acquire."+w.scope(), "seq_cst."+w.scope())
		lines := []string{fmt.Sprintf("ld.%s.%s.32b %s, %s;", space, order, reg, at)}
		if w.r.IntN(3) > 0 {
			w.label = true
			lines = append(lines, fmt.Sprintf("ucmp.ne.32b %%p, %s, 0;", reg), "goto.cond !%p, END;")
		}
		return lines
	case 8:
		w.regs++
		order := w.pick("relaxed", "acquire."+w.scope(), "release."+w.scope(), "acq_rel."+w.scope())
		if w.r.IntN(3) == 0 {
			return []string{fmt.Sprintf("iatom.%s.%s.cas.32b %s, %s, %%k0, %%k1;", space, order, reg, at)}
		}
		return []string{fmt.Sprintf("iatom.%s.%s.add.32b %s, %s, %%k1;", space, order, reg, at)}
	case 9, 10:
		which := w.pick("", ".global", ".shared")
		return []string{fmt.Sprintf("fence%s.%s.%s;", which, w.pick("acquire", "release", "acq_rel", "seq_cst"), w.scope())}
	}
	if w.label {
		return nil // a barrier that only some reach is an error of its own
	}
	return []string{"barrier.workgroup;"}
}

func (w *litmusWriter) thread() []string {
	w.regs, w.label = 0, false
	var body []string
	for range 1 + w.r.IntN(4) {
		body = append(body, w.instruction()...)
	}
	head := []string{"mov.32b %k0, 0;", "mov.32b %k1, 1;", "mov.32b %k2, 2;"}
	for i := range w.regs {
		head = append(head, fmt.Sprintf("mov.32b %%r%d, 0;", i))
	}
	if w.label {
		body = append(body, "END:")
	}
	return append(head, body...)
}

// test is a whole program, as JSON. The outcome names every register and
// global variable, so that runs give them.
func (w *litmusWriter) test() []byte {
	n := 2 + w.r.IntN(2)
	outcome := map[string]int{"x": 0, "y": 0}
	var threads []map[string]any
	used := ""
	for i := range n {
		wg := w.r.IntN(2)
		code := w.thread()
		used += strings.Join(code, "\n")
		for k := range w.regs {
			outcome[fmt.Sprintf("%d:%%r%d", i, k)] = 0
		}
		threads = append(threads, map[string]any{"wg": wg, "sg": 2*wg + w.r.IntN(2), "code": code})
	}
	vars := map[string]any{"x": map[string]any{"space": "global", "size": 4, "init": 0}, "y": map[string]any{"space": "global", "size": 4, "init": 0}}
	if strings.Contains(used, "@s]") {
		vars["s"] = map[string]any{"space": "shared", "size": 4, "init": 0}
	}
	b, err := json.Marshal(map[string]any{"name": "random", "vars": vars, "threads": threads, "outcome": outcome})
	if err != nil {
		panic(err)
	}
	return b
}

// TestLitmusRandom holds the interpreter to the axiomatic checker on random
// programs: no race is reported that the model has not, every state reached by
// a race-free program is one that the model allows, and most racy programs are
// found racy. The optimiser must keep all of that.
func TestLitmusRandom(t *testing.T) {
	w := litmusWriter{r: rand.New(rand.NewPCG(1, uint64(*litmusPrograms)))}
	var c litmus.Checker
	racy, found, free := 0, 0, 0
	for range *litmusPrograms {
		text := w.test()
		p, _, err := litmus.ReadJSON(text)
		require.NoError(t, err, "%s", text)
		r, err := c.Check(p, litmus.Options{})
		require.NoError(t, err, "%s", text)
		var l litmusTest
		require.NoError(t, json.Unmarshal(text, &l))
		seen := randomLitmus(t, &l, r, 0)
		if r.Race == nil {
			free++
			randomLitmus(t, &l, r, 3)
			continue
		}
		racy++
		if seen {
			found++
		}
	}
	t.Logf("%d programs race-free, %d racy, of which %d found", free, racy, found)
	require.Greater(t, free, *litmusPrograms/4)
	require.Greater(t, found*100, racy*90)
}

// randomLitmus runs l after the passes of level, under several orders, and
// reports whether a race was seen.
func randomLitmus(t *testing.T, l *litmusTest, r *litmus.Result, level int) bool {
	states := map[string]bool{}
	for _, s := range r.States {
		states[stateKey(r.Names, func(i int, _ string) uint64 { return s.Values[i] })] = true
	}
	source, groups, local, vars, outs := l.kernel()
	m := build(t, "random", source)
	run := passes.Runner{Target: target.Default(), VerifyEach: true}
	require.NoError(t, run.Run(m, passes.Default(level)), "%s", source)
	for seed := range uint64(24) {
		req := l.request(groups, local, seed)
		var ds ir.Diags
		if interp.Run(m, req, &ds) == nil {
			text := diags(m.Sources, ds.List)
			require.Contains(t, text, "data race", "%s", source)
			require.NotNil(t, r.Race, "-O%d, seed %d: %s\n%s", level, seed, text, source)
			return true
		}
		if r.Race != nil {
			continue
		}
		key := stateKey(r.Names, func(_ int, n string) uint64 { return outcomeOf(n, req, vars, outs) })
		require.True(t, states[key], "-O%d, seed %d reaches %s, which the model does not allow: %v\n%s\n%s", level, seed, key, states, source, ir.AppendText(nil, m))
	}
	return false
}

// stateKey spells a final state but for shared memory, which the host does not
// see.
func stateKey(names []string, value func(i int, name string) uint64) string {
	key := ""
	for i, n := range names {
		if !strings.HasPrefix(n, "s@") {
			key += fmt.Sprintf("%s=%d ", n, value(i, n))
		}
	}
	return key
}

// outcomeOf reads a register or variable after a run.
func outcomeOf(name string, req *interp.Launch, vars, outs map[string]int) uint64 {
	if at, ok := outs[name]; ok {
		return word(req.Args[0].Data, at)
	}
	return word(req.Args[1].Data, vars[name])
}

func word(b []byte, at int) uint64 {
	return uint64(b[at]) | uint64(b[at+1])<<8 | uint64(b[at+2])<<16 | uint64(b[at+3])<<24
}
