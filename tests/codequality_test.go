package tests

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/driver"
)

// Static figures of a kernel's machine code. Classes, and what belongs to them,
// are those of the script that made testdata/baseline_clang.tsv.
type codeStats struct {
	class  [numClasses]int
	vgprs  int
	sgprs  int
	spills int // registers of both kinds
	lds    int
	occ    int // waves of a SIMD that the vector registers allow
}

const (
	clVALU = iota
	clSALU
	clVMEM
	clLDS
	clSMEM
	clWait
	clBranch
	clFence
	clBarrier
	clNop
	clOther
	numClasses
)

var classNames = [numClasses]string{"valu", "salu", "vmem", "lds", "smem", "waitcnt", "branch", "fence", "barrier", "nop", "other"}

func (s *codeStats) total() (n int) {
	for _, c := range s.class {
		n += c
	}
	return n
}

// bare is the total without waits and hints.
func (s *codeStats) bare() int { return s.total() - s.class[clWait] - s.class[clNop] }

// classes are in the order in which they are tried.
var classes = []struct {
	class   int
	pattern *regexp.Regexp
}{
	{clFence, regexp.MustCompile(`^(buffer_(inv|wbl2|gl[01]_inv|wbinvl1\w*|invl2)|s_(dcache|icache|gl1)_\w+|global_(inv|wb|wbinv))$`)},
	{clVALU, regexp.MustCompile(`^v_`)},
	{clLDS, regexp.MustCompile(`^ds_`)},
	{clVMEM, regexp.MustCompile(`^(global|flat|buffer|scratch|image|tbuffer)_`)},
	{clSMEM, regexp.MustCompile(`^s_(buffer_)?(load|store|scratch_load|scratch_store|atomic)_|^s_(memtime|memrealtime|prefetch)`)},
	{clWait, regexp.MustCompile(`^s_wait`)},
	{clBranch, regexp.MustCompile(`^s_(cbranch|branch|setpc|swappc|call)`)},
	{clBarrier, regexp.MustCompile(`^s_barrier`)},
	{clNop, regexp.MustCompile(`^s_(nop|delay_alu|clause|sleep|setprio|sendmsg|inst_prefetch|set_inst_prefetch)`)},
	{clOther, regexp.MustCompile(`^s_endpgm`)},
	{clSALU, regexp.MustCompile(`^s_`)},
}

func classOf(mnemonic string) int {
	for _, c := range classes {
		if c.pattern.MatchString(mnemonic) {
			return c.class
		}
	}
	return clOther
}

// statsOf reads the assembly of a module with one kernel.
func statsOf(t *testing.T, asm, chip string) (s codeStats) {
	name := regexp.MustCompile(`\.amdhsa_kernel (\S+)`).FindStringSubmatch(asm)
	require.NotNil(t, name)
	_, code, ok := strings.Cut(asm, "\n"+name[1]+":\n")
	require.True(t, ok)
	code, _, ok = strings.Cut(code, "\n\t.section")
	require.True(t, ok)
	for line := range strings.Lines(code) {
		if line[0] != '\t' || line[1] == '.' {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		s.class[classOf(word)]++
	}
	meta := func(key string) int {
		m := regexp.MustCompile(`\n    \.` + key + `: *(\d+)`).FindStringSubmatch(asm)
		require.NotNil(t, m, key)
		n, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		return n
	}
	s.vgprs, s.sgprs, s.lds = meta("vgpr_count"), meta("sgpr_count"), meta("group_segment_fixed_size")
	s.spills = meta("vgpr_spill_count") + meta("sgpr_spill_count")
	s.occ = occupancy(chip, s.vgprs)
	return s
}

// occupancy is how many waves the vector registers of a SIMD hold: 512 for a
// lane on gfx942, in blocks of 8; 1536 on gfx1100 in waves of 32, in blocks of
// 24.
func occupancy(chip string, vgprs int) int {
	vgprs = max(vgprs, 1)
	if chip == "gfx942" {
		return min(8, 512/((vgprs+7)/8*8))
	}
	return min(16, 1536/((vgprs+23)/24*24))
}

func readBaseline(t *testing.T) map[[2]string]codeStats {
	text, err := os.ReadFile("testdata/baseline_clang.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	col := map[string]int{}
	for i, h := range strings.Split(lines[0], "\t") {
		col[h] = i
	}
	all := map[[2]string]codeStats{}
	for _, l := range lines[1:] {
		f := strings.Split(l, "\t")
		if f[col["label"]] != "clang-O3" {
			continue
		}
		num := func(name string) int {
			n, err := strconv.Atoi(f[col[name]])
			require.NoError(t, err, l)
			return n
		}
		s := codeStats{vgprs: num("vgpr"), sgprs: num("sgpr"), spills: num("vspill") + num("sspill"), lds: num("ldsbytes"), occ: num("occ_regs")}
		for i, c := range classNames {
			s.class[i] = num(c)
		}
		require.Equal(t, num("total"), s.total(), l)
		all[[2]string{f[0], f[1]}] = s
	}
	require.Len(t, all, 44)
	return all
}

const qualityHead = `# The code of the native backend beside clang's

Static figures of the kernels in tests/e2e/kernels: what ` + "`pisac -O2 --backend=native --emit=asm`" + ` writes, and in brackets
what clang -O3 of LLVM 19 makes of the same kernels in OpenCL C. Written by ` + "`go test ./tests -run TestCodeQuality -update`" + `.

"bare" is the total without waits (s_wait…) and hints (s_delay_alu, s_clause, s_nop …). Fences are cache operations. Occupancy is
what the vector registers allow. Spills are registers, of both kinds.
`

// TestCodeQuality writes docs/code-quality.md and holds the code to the goals
// that it states.
func TestCodeQuality(t *testing.T) {
	clang := readBaseline(t)
	files, err := filepath.Glob("e2e/kernels/*.pisa")
	require.NoError(t, err)
	require.Len(t, files, 22)
	var b strings.Builder
	b.WriteString(qualityHead)
	for _, chip := range []string{"gfx1100", "gfx942"} {
		qualityTable(t, &b, chip, files, clang)
	}
	const doc = "../docs/code-quality.md"
	if *update {
		require.NoError(t, os.WriteFile(doc, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(doc)
	require.NoError(t, err)
	const how = "docs/code-quality.md is not of this compiler: go test ./tests -run TestCodeQuality -update"
	if os.Getenv("PISAC_REQUIRE_LLVM") != "" { // where all is tested; work in progress changes it often
		require.Equal(t, string(want), b.String(), how)
	} else if string(want) != b.String() {
		t.Log(how)
	}
}

// nativeAsm compiles a file; why is set if the native backend refuses it.
func nativeAsm(t *testing.T, file, chip, level string) (asm, why string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	code := driver.Main([]string{"--backend=native", level, "--mcpu=" + chip, "--emit=asm", "-o", "-", "-"}, bytes.NewReader(text), &stdout, &stderr)
	if code == 1 && strings.Contains(stderr.String(), "[AMD-E02") {
		return "", regexp.MustCompile(`error: (.*) \[AMD-E02`).FindStringSubmatch(stderr.String())[1]
	}
	require.Zero(t, code, "%s for %s:\n%s", file, chip, stderr.String())
	return stdout.String(), ""
}

func qualityTable(t *testing.T, b *strings.Builder, chip string, files []string, clang map[[2]string]codeStats) {
	columns := []int{clVALU, clSALU, clVMEM, clLDS, clSMEM, clWait, clBranch, clFence, clNop}
	fmt.Fprintf(b, "\n## %s\n\n| kernel | total | bare |", chip)
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", classNames[c])
	}
	b.WriteString(" VGPRs | SGPRs | spills | occupancy |\n|---|" + strings.Repeat("--:|", len(columns)+6) + "\n")
	total, bare, n := 0.0, 0.0, 0
	var refused []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pisa")
		k, ok := clang[[2]string{name, chip}]
		require.True(t, ok, name)
		asm, why := nativeAsm(t, file, chip, "-O2")
		if why != "" {
			refused = append(refused, name+": "+why)
			continue
		}
		s := statsOf(t, asm, chip)
		pair := func(a, c int) { fmt.Fprintf(b, " %d (%d) |", a, c) }
		fmt.Fprintf(b, "| %s |", name)
		pair(s.total(), k.total())
		pair(s.bare(), k.bare())
		for _, c := range columns {
			pair(s.class[c], k.class[c])
		}
		pair(s.vgprs, k.vgprs)
		pair(s.sgprs, k.sgprs)
		pair(s.spills, k.spills)
		pair(s.occ, k.occ)
		b.WriteString("\n")
		total += math.Log(float64(s.total()) / float64(k.total()))
		bare += math.Log(float64(s.bare()) / float64(k.bare()))
		n++
		require.LessOrEqual(t, s.spills, k.spills, "%s for %s spills what clang does not", name, chip)
		require.GreaterOrEqual(t, s.occ, k.occ, "%s for %s: fewer waves than clang's", name, chip)
	}
	require.Positive(t, n)
	require.Less(t, math.Exp(total/float64(n)), 1.15, "%s: total instructions against clang's", chip)
	fmt.Fprintf(b, "\nGeometric mean over %d kernels: total %.3f × clang's (goal: at most 1.15), bare %.3f × (goal: at most 1.00).\n",
		n, math.Exp(total/float64(n)), math.Exp(bare/float64(n)))
	for _, r := range refused {
		fmt.Fprintf(b, "\nNot compiled: %s.\n", r)
	}
}
