package e2e

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// litmusTest is a stored test of the memory model: threads of PISA, and
// whether an outcome is allowed, forbidden, or the program racy.
type litmusTest struct {
	Name string
	Vars map[string]struct {
		Space string
		Size  int
	}
	Threads []struct {
		WG, SG int
		Host   bool
		Code   []string
	}
	Outcome map[string]int64
	Verdict string
}

// place is where a thread runs.
type place struct{ group, lane int }

// kernel makes one kernel of the threads: each finds its code by its place,
// writes its registers of the outcome behind argument 0's word 8 × thread, and
// the memory of the outcome is copied by the host from argument 1, which holds
// the global variables.
func (l *litmusTest) kernel() (source string, groups, local int, vars map[string]int, outs map[string]int) {
	var b strings.Builder
	vars, outs = map[string]int{}, map[string]int{}
	subgroups := map[int][]int{} // by work-group: its sub-groups
	var places []place
	lanes := map[[2]int]int{}
	for _, t := range l.Threads {
		at := -1
		for i, s := range subgroups[t.WG] {
			if s == t.SG {
				at = i
			}
		}
		if at < 0 {
			at = len(subgroups[t.WG])
			subgroups[t.WG] = append(subgroups[t.WG], t.SG)
		}
		k := [2]int{t.WG, at}
		places = append(places, place{t.WG, at*32 + lanes[k]})
		lanes[k]++
		groups, local = max(groups, t.WG+1), max(local, 32*(at+1))
	}
	var names []string
	for n := range l.Vars {
		names = append(names, n)
	}
	sort.Strings(names)
	// A barrier in a function is one barrier, whoever calls it.
	b.WriteString(".version 1.0; .target 100;\n.function void @bar() { barrier.workgroup; return; }\n.kernel @k(.param[8] %out, .param[8] %mem) {\n.reg .64b %po, %pm; .reg .32b %grp, %lid; .pred %go;\nld.param.64b %po, [%out]; ld.param.64b %pm, [%mem]; mov.32b %grp, %groupid.x; mov.32b %lid, %localid.x;\n")
	for i, n := range names {
		if l.Vars[n].Space == "shared" {
			fmt.Fprintf(&b, ".shared .align 8 @%s[8];\n", n)
		} else {
			vars[n] = 16 * i
			fmt.Fprintf(&b, ".reg .64b %%at_%s; iadd.64b %%at_%s, %%pm, %d;\n", n, n, 16*i)
		}
	}
	for i, p := range places {
		fmt.Fprintf(&b, "ucmp.ne.32b %%go, %%grp, %d;\ngoto.cond %%go, next%d;\nucmp.ne.32b %%go, %%lid, %d;\ngoto.cond %%go, next%d;\n", p.group, i, p.lane, i)
		fmt.Fprintf(&b, "{\n%s\n%s}\nreturn;\nnext%d:\n", l.thread(i, vars), l.stores(i, outs), i)
	}
	b.WriteString("return;\n}\n")
	return b.String(), groups, local, vars, outs
}

var (
	litmusReg   = regexp.MustCompile(`%([a-z]+)([0-9_]*)`)
	litmusVar   = regexp.MustCompile(`\[@(\w+)`)
	litmusLabel = regexp.MustCompile(`\b(END|L)\b`)
)

// thread is the code of thread i with its registers declared.
func (l *litmusTest) thread(i int, vars map[string]int) string {
	var lines []string
	decl := map[string]string{}
	for _, line := range l.Threads[i].Code {
		for _, r := range litmusReg.FindAllString(line, -1) {
			switch {
			case isPredicate(line, r):
				decl[r] = ".pred"
			case decl[r] != "":
			case strings.HasPrefix(r, "%v"):
				decl[r] = ".reg .v2.32b"
			default:
				decl[r] = ".reg .32b"
			}
		}
		line = litmusVar.ReplaceAllStringFunc(line, func(s string) string {
			if _, global := vars[s[2:]]; global {
				return "[%at_" + s[2:]
			}
			return s
		})
		line = litmusLabel.ReplaceAllString(line, fmt.Sprintf("${1}_%d", i))
		lines = append(lines, strings.Replace(line, "barrier.workgroup;", "call void, @bar();", 1))
	}
	var names []string
	for n := range decl {
		names = append(names, n)
	}
	sort.Strings(names)
	head := ""
	for _, n := range names {
		head += decl[n] + " " + n + "; "
		if decl[n] == ".reg .32b" {
			head += "mov.32b " + n + ", 0; "
		}
	}
	return head + "\n" + strings.Join(lines, "\n")
}

// isPredicate reports that line uses r as a predicate.
func isPredicate(line, r string) bool {
	return strings.HasPrefix(line, "goto.cond") || strings.HasPrefix(line, "ucmp") && strings.Index(line, r) < strings.Index(line, ",")
}

// stores writes the registers of thread i that the outcome names.
func (l *litmusTest) stores(i int, outs map[string]int) string {
	var names []string
	code := strings.Join(l.Threads[i].Code, "\n") + "\n"
	for n := range l.Outcome {
		if at := strings.Index(n, "%"); strings.HasPrefix(n, fmt.Sprintf("%d:", i)) && strings.Contains(code, n[at:]+",") {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	s := ""
	for k, n := range names {
		outs[n] = 32*i + 4*k
		s += fmt.Sprintf("st.global.32b [%%po + %d], %s;\n", outs[n], n[strings.Index(n, "%"):])
	}
	return s
}

// reaches reports whether memory and registers are the outcome's.
func (l *litmusTest) reaches(out, mem []byte, vars, outs map[string]int) bool {
	for n, want := range l.Outcome {
		var got uint32
		if at, ok := outs[n]; ok {
			got = binary.LittleEndian.Uint32(out[at:])
		} else if at, ok := vars[n]; ok {
			got = binary.LittleEndian.Uint32(mem[at:])
		} else {
			return false // shared memory, or a register that the thread lacks
		}
		if got != uint32(want) {
			return false
		}
	}
	return true
}

// request is a launch of the kernel.
func (l *litmusTest) request(groups, local int, seed uint64) *interp.Launch {
	return &interp.Launch{Global: [3]uint64{uint64(groups * local), 1, 1}, Local: [3]uint64{uint64(local), 1, 1}, Seed: seed, CheckRaces: true,
		Args: []host.Arg{{Data: make([]byte, 32*len(l.Threads))}, {Data: make([]byte, 16*len(l.Vars)+16)}}}
}

// TestLitmus runs the memory model's tests under many interleavings. A program
// that the model calls race-free must not be reported, one that it calls racy
// must be; and no run reaches an outcome that is forbidden.
func TestLitmus(t *testing.T) {
	files, err := filepath.Glob("../../passes/litmus/testdata/litmus/*.json")
	require.NoError(t, err)
	require.Len(t, files, 276)
	racy, ran := 0, 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		var l litmusTest
		require.NoError(t, json.Unmarshal(text, &l))
		host := false
		for _, th := range l.Threads {
			host = host || th.Host
		}
		if host {
			continue // a launch has no other threads of the host
		}
		ran++
		source, groups, local, vars, outs := l.kernel()
		m := build(t, l.Name, source)
		found := false
		seeds := uint64(32)
		if l.Verdict == "racy" {
			seeds = 2000 // until the race is met
		}
		for seed := range seeds {
			req := l.request(groups, local, seed)
			var ds ir.Diags
			st := interp.Run(m, req, &ds)
			switch {
			case st != nil:
				require.False(t, l.Verdict == "forbidden" && l.reaches(req.Args[0].Data, req.Args[1].Data, vars, outs), "%s: seed %d reaches %v\n%s", l.Name, seed, l.Outcome, source)
			default:
				text := diags(m.Sources, ds.List)
				if strings.Contains(text, "deadlock") && strings.Contains(source, "L_") {
					continue // the loop's partner had already left
				}
				require.Contains(t, text, "data race", "%s\n%s", l.Name, source)
				require.Equal(t, "racy", l.Verdict, "%s: seed %d: %s\n%s", l.Name, seed, text, source)
				found = true
			}
			if found {
				break
			}
		}
		if l.Verdict == "racy" {
			racy++
			if !found {
				t.Errorf("%s is racy, but no run says so\n%s", l.Name, source)
			}
		}
	}
	require.Greater(t, ran, 270)
	require.Greater(t, racy, 10)
	t.Logf("%d tests, %d racy", ran, racy)
}
