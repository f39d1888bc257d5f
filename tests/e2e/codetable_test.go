package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/ir"
	"pisac/lowering/llvmgen"
	"pisac/passes"
	"pisac/tests/e2e/host"
)

// codeKind is how instructions are counted. The kinds and patterns are those of
// a script that counted clang's code (testdata/clang.tsv) from its disassembly.
type codeKind struct {
	name    string
	pattern *regexp.Regexp
	clang   func(k *clangKeeps) int
}

var (
	cachePattern = regexp.MustCompile(`^(buffer_(inv|wbl2|gl[01]_inv|wbinvl1\w*)|s_(dcache|icache|gl1)_\w+|global_(inv|wb|wbinv))$`)
	codeKinds    = []codeKind{
		{"cache", cachePattern, func(k *clangKeeps) int { return k.fence }},
		{"waits", regexp.MustCompile(`^s_wait`), func(k *clangKeeps) int { return k.wait }},
		{"vector memory", regexp.MustCompile(`^(global|flat|buffer|scratch|image|tbuffer)_`), func(k *clangKeeps) int { return k.vmem }},
		{"LDS", regexp.MustCompile(`^ds_`), func(k *clangKeeps) int { return k.lds }},
		{"atomics", regexp.MustCompile(`atomic|^ds_(add|sub|min|max|cmpst|cmpstore|inc|dec|and|or|xor|wrxchg|storexchg)_`), func(k *clangKeeps) int { return k.atomic }},
	}
)

type codeCounts [5]int

// opcode is the mnemonic of a line of assembly; empty if it is none. Lines of
// inline assembly count as others do.
func opcode(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] < 'a' || line[0] > 'z' {
		return ""
	}
	word, _, _ := strings.Cut(line, " ")
	word, _, _ = strings.Cut(word, "\t")
	if strings.HasSuffix(word, ":") {
		return ""
	}
	return word
}

// countCode counts the instructions of a kernel in llc's assembly.
func countCode(t *testing.T, asm, kernel string) (c codeCounts) {
	_, text, ok := strings.Cut(asm, "\n"+kernel+":")
	require.True(t, ok, "%s is not in the assembly", kernel)
	text, _, ok = strings.Cut(text, "\n\t.section")
	require.True(t, ok)
	require.Contains(t, text, "s_endpgm")
	for line := range strings.SplitSeq(text, "\n") {
		op := opcode(line)
		if op == "" || strings.HasPrefix(op, "v_") {
			continue
		}
		for i, k := range codeKinds {
			if k.pattern.MatchString(op) && (i == 0 || !cachePattern.MatchString(op)) {
				c[i]++
			}
		}
	}
	return c
}

// moreCode names what our code may have more of than clang's, and why.
var moreCode = []moreReason{
	{"lookback_scan", "gfx1100", "cache", "the barrier behind which each work-item reads its input comes behind an atomic operation on global memory. " +
		"PISA's barrier orders global memory, so that the compute unit's cache is discarded; the twin's orders shared memory only"},
}

type moreReason struct{ kernel, chip, kind, why string }

// fewerCode is where our code must have fewer of some kind, and none more.
var fewerCode = []string{"fences", "structload", "counter2"}

// TestCodeTable compares the machine code that llc makes of the kernels at -O2
// with that of clang -O3 for the twins: it never has more cache operations,
// waits, accesses of vector memory and LDS, or atomics, but for moreCode. It
// writes docs/memory-passes-amd.md.
func TestCodeTable(t *testing.T) {
	tools, _ := host.FindTools()
	if tools.LLC == "" {
		t.Skip("LLVM 19 is not installed")
	}
	clang := readClang(t)
	var b strings.Builder
	b.WriteString(codeTableHead)
	used := make([]bool, len(moreCode))
	dir := t.TempDir()
	for _, chip := range []string{"gfx942", "gfx1100"} {
		fmt.Fprintf(&b, "\n## %s\n\n| kernel |", chip)
		for _, k := range codeKinds {
			fmt.Fprintf(&b, " %s | clang |", k.name)
		}
		b.WriteString("\n|---|" + strings.Repeat("--:|--:|", len(codeKinds)) + "\n")
		for _, p := range programs(t, "kernels") {
			c := countCode(t, assembly(t, tools.LLC, dir, chip, p), p.launch.Kernel)
			k, ok := clang[[2]string{p.name, chip}]
			require.True(t, ok, "testdata/clang.tsv has no %s for %s", p.name, chip)
			fmt.Fprintf(&b, "| %s |", p.name)
			fewer := 0
			for i, kind := range codeKinds {
				theirs := kind.clang(&k)
				fmt.Fprintf(&b, " %d | %d |", c[i], theirs)
				why := slices.IndexFunc(moreCode, func(m moreReason) bool { return m.kernel == p.name && m.chip == chip && m.kind == kind.name })
				switch {
				case c[i] < theirs:
					fewer++
				case c[i] > theirs && why >= 0:
					used[why] = true
				default:
					assert.LessOrEqual(t, c[i], theirs, "%s for %s: %s", p.name, chip, kind.name)
				}
			}
			b.WriteString("\n")
			for _, name := range fewerCode {
				assert.True(t, name != p.name || fewer > 0, "%s for %s: nothing is fewer than clang's", name, chip)
			}
		}
	}
	b.WriteString("\n## More than clang's\n")
	for i, m := range moreCode {
		assert.True(t, used[i], "%s for %s: no exception is needed for %s", m.kernel, m.chip, m.kind)
		fmt.Fprintf(&b, "\n%s for %s, %s: %s.\n", m.kernel, m.chip, m.kind, m.why)
	}
	const file = "../../docs/memory-passes-amd.md"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String(), "run go test ./tests/e2e -run TestCodeTable -update")
}

// assembly is what pisac -O2 --backend=llvm --emit=asm writes.
func assembly(t *testing.T, llc, dir, chip string, p program) string {
	r := reference{program: p, text: ir.AppendText(nil, p.module)}
	m := r.parsed(t)
	pr := passes.Runner{Target: target.ByName(chip), Workers: 1}
	require.NoError(t, pr.Run(m, passes.Default(2)))
	var ds ir.Diags
	out := llvmgen.Emit(m, target.ByName(chip), llvmgen.Options{}, &ds)
	require.False(t, ds.HasErrors(), "%s: %s", p.name, diags(m.Sources, ds.List))
	file := filepath.Join(dir, p.name+"."+chip+".ll")
	require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o666))
	asm, err := exec.Command(llc, "-O2", "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+chip, "-o", "-", file).Output()
	require.NoError(t, err)
	return string(asm)
}

const codeTableHead = `# The memory passes in AMD code

Written by ` + "`go test ./tests/e2e -run TestCodeTable -update`" + `; the same test fails if the code of a kernel has more
of a kind than clang's and the reason is not named at the end, or if none is fewer in fences, structload or counter2.

Static instructions of the kernels, as ` + "`pisac -O2 --backend=llvm --emit=asm`" + ` and llc of LLVM 19 make them, beside those that clang -O3
of LLVM 19 makes of their twins in OpenCL C: cache operations (write-backs and invalidations), waits (s_wait…), vector
memory (with scratch and atomics), LDS, and of the last two the read-modify-writes. What makes the difference beside the
passes: an explicit wait of the memory model becomes one instruction with LLVM's own; a barrier on gfx1100 discards the
cache only where a load may find something stale; parameters are loaded at the entry; small private arrays stay in registers;
a reduction moves data between lanes without LDS.
`
