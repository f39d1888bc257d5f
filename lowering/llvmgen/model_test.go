package llvmgen

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seqRow is one row of testdata/sequences.tsv.
type seqRow struct{ class, space, order, scope, seq string }

func seqRows(t *testing.T, mode string) (rows []seqRow) {
	t.Helper()
	text, err := os.ReadFile("testdata/sequences.tsv")
	require.NoError(t, err)
	for _, line := range strings.Split(string(text), "\n") {
		if f := strings.Split(line, "\t"); len(f) == 6 && f[0] == mode {
			rows = append(rows, seqRow{f[1], f[2], f[3], f[4], f[5]})
		}
	}
	require.NotEmpty(t, rows)
	return rows
}

// startsWithAccess reports that nothing need be done before the access.
func (r seqRow) startsWithAccess() bool { return strings.HasPrefix(r.seq, "OP") }

// pir is a function of the textual IR that does the row's access; empty if
// PISA has none (fence.shared.system). With busy, a load and stores precede it,
// so that every counter has something to wait for; LLVM takes another way where
// it knows of nothing outstanding.
func (r seqRow) pir(name string, busy bool) string {
	space := map[string]string{"global": "global", "local": "shared", "flat": "generic", "generic": "generic", "shared": "shared"}[r.space]
	addr := "64b"
	if space == "shared" {
		addr = "32b"
	}
	quals := "." + space + "." + r.order + "." + r.scope
	// A store to shared memory follows, which must not overtake the access.
	then := "pisa.st.shared.32b [%q], %y\n"
	head := fmt.Sprintf("function @%s(%s, 32b, 32b, 32b, 64b)", name, addr)
	args := fmt.Sprintf("^bb0(%%p: %s, %%x: 32b, %%y: 32b, %%q: 32b, %%g: 64b):\n", addr)
	if busy {
		args += "%w = pisa.ld.global.32b [%g] : 32b\npisa.st.global.32b [%g], %x\npisa.st.shared.32b [%q], %x\n"
		then += "pisa.st.global.32b [%g], %w\n"
	}
	ret, noret := " -> 32b export {\n"+args, " export {\n"+args
	switch r.class {
	case "load":
		return head + ret + "%r = pisa.ld" + quals + ".32b [%p] : 32b\n" + then + "builtin.return %r\n}\n"
	case "store":
		return head + noret + "pisa.st" + quals + ".32b [%p], %x\n" + then + "builtin.return\n}\n"
	case "rmw-ret":
		return head + ret + "%r = pisa.iatom" + quals + ".add.32b [%p], %x : 32b\n" + then + "builtin.return %r\n}\n"
	case "rmw-noret":
		return head + noret + "%r = pisa.iatom" + quals + ".add.32b [%p], %x : 32b\n" + then + "builtin.return\n}\n"
	case "cas-ret":
		return head + ret + "%r = pisa.iatom" + quals + ".cas.32b [%p], %x, %y : 32b\n" + then + "builtin.return %r\n}\n"
	case "cas-noret":
		return head + noret + "%r = pisa.iatom" + quals + ".cas.32b [%p], %x, %y : 32b\n" + then + "builtin.return\n}\n"
	}
	if space != "global" && r.scope == "system" {
		return ""
	}
	return head + noret + "pisa.fence" + quals + "\n" + then + "builtin.return\n}\n"
}

var accessRE = map[string]*regexp.Regexp{
	"load":  regexp.MustCompile(`^(global_load|flat_load|ds_read|ds_load)_`),
	"store": regexp.MustCompile(`^(global_store|flat_store|ds_write|ds_store)_`),
	"rmw":   regexp.MustCompile(`^(global_atomic_add|flat_atomic_add|ds_add)_?`),
	"cas":   regexp.MustCompile(`^(global_atomic_cmpswap|flat_atomic_cmpswap|ds_cmpst|ds_cmpstore)`),
}

var waitRE = regexp.MustCompile(`(\w+cnt(?:_dscnt)?)(?:\(|\s+null, |\s+)(?:0x)?0\)?`)

// waits returns the counters that an instruction waits for to be zero.
func waits(inst string) (counters []string) {
	if !strings.HasPrefix(inst, "s_wait") {
		return nil
	}
	for _, m := range waitRE.FindAllStringSubmatch(inst, -1) {
		c := strings.TrimPrefix(strings.TrimPrefix(m[1], "s_wait_"), "s_waitcnt_")
		counters = append(counters, strings.Split(c, "_")...)
	}
	return counters
}

// follows checks that insts contain the sequence in order. A wait of the
// sequence may be given by several instructions, and by stronger ones.
func (r seqRow) follows(insts []string, busy bool) error {
	need := map[string]bool{} // counters still to be waited for
	at := 0
	if busy {
		at = 1 + max(
			slices.IndexFunc(insts, func(in string) bool { return strings.HasPrefix(in, "global_load") }),
			slices.IndexFunc(insts, func(in string) bool { return strings.HasPrefix(in, "global_store") }),
			slices.IndexFunc(insts, func(in string) bool { return r.matches(next, in) }))
	}
	for _, el := range append(strings.Split(r.seq, " ; "), next) {
		if strings.HasPrefix(el, "s_wait") {
			for _, c := range waits(el) {
				need[c] = true
			}
			continue
		}
		found := false
		for ; at < len(insts) && !found; at++ {
			for _, c := range waits(insts[at]) {
				delete(need, c)
			}
			found = r.matches(el, insts[at])
		}
		if !found {
			return fmt.Errorf("no %q", el)
		}
		if len(need) > 0 {
			return fmt.Errorf("no wait for %v before %q", need, el)
		}
	}
	return nil
}

// next is the access that follows the sequence.
const next = "the next access"

func (r seqRow) matches(el, inst string) bool {
	if el == next {
		return strings.HasPrefix(inst, "ds_write") || strings.HasPrefix(inst, "ds_store")
	}
	bits, isOp := strings.CutPrefix(el, "OP")
	if !isOp {
		return el == inst
	}
	class, _, _ := strings.Cut(r.class, "-")
	if !accessRE[class].MatchString(inst) {
		return false
	}
	var have []string
	for _, w := range strings.Fields(inst) {
		if slices.Contains([]string{"sc0", "sc1", "glc"}, w) || strings.HasPrefix(w, "scope:") || strings.HasPrefix(w, "th:") {
			have = append(have, w)
		}
	}
	return slices.Equal(have, strings.Fields(bits))
}

// TestMemoryModel holds the code that llc makes of every class of access,
// address space, order and scope to a table of sequences that was derived
// without LLVM. Waits, write-backs and invalidations must all be there and in
// order; LLVM may do more.
func TestMemoryModel(t *testing.T) {
	needLLVM(t)
	modes := map[string]string{"gfx942": "gfx942", "gfx90a": "gfx90a", "gfx1100": "gfx1100-wgp", "gfx1201": "gfx1200-wgp"}
	for _, tt := range chips() {
		rows := seqRows(t, modes[tt.Name])
		var text strings.Builder
		for i, r := range rows {
			text.WriteString(r.pir(fmt.Sprintf("idle%d", i), false))
			if !r.startsWithAccess() {
				text.WriteString(r.pir(fmt.Sprintf("busy%d", i), true))
			}
		}
		ll := mustEmit(t, text.String(), tt.Name, Options{})
		levels := []string{"-O3"}
		if *full {
			levels = append(levels, "-O0")
		}
		for _, level := range levels {
			asm := llc(t, ll, tt.Name, level)
			checked := 0
			for i, r := range rows {
				if r.pir("x", false) == "" {
					continue
				}
				for name, busy := range map[string]bool{"idle": false, "busy": true} {
					if busy && r.startsWithAccess() {
						continue
					}
					checked++
					insts := body(t, asm, fmt.Sprintf("%s%d", name, i))
					if err := r.follows(insts, busy); err != nil {
						t.Errorf("%s %s: %s %+v: %v\n%s", tt.Name, level, name, r, err, strings.Join(insts, "\n"))
					}
				}
			}
			require.Greater(t, checked, 200)
		}
	}
}
