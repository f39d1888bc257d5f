package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes"
)

// memoryFigures is what the work-items of a kernel execute together.
type memoryFigures struct{ fences, memory, atomics uint64 }

// memoryOf runs p behind -O level o.
func memoryOf(t *testing.T, p program, o int) (f memoryFigures) {
	r := reference{program: p, text: ir.AppendText(nil, p.module)}
	m := r.parsed(t)
	pr := passes.Runner{Target: target.Default(), Workers: 1}
	require.NoError(t, pr.Run(m, passes.Default(o)))
	l := request(p.launch)
	l.Workers = 1
	var ds ir.Diags
	st := interp.Run(m, l, &ds)
	require.False(t, ds.HasErrors(), "%s: %s", p.name, diags(m.Sources, ds.List))
	f.fences = st.Fences
	for _, by := range []map[string]uint64{st.Loads, st.Stores} {
		for space, n := range by {
			if space != "param" {
				f.memory += n
			}
		}
	}
	for _, n := range st.Atomics {
		f.atomics += n
	}
	return f
}

// clangKeeps is static instructions of clang -O3, of the kernel's twin in
// OpenCL C.
type clangKeeps struct{ fence, wait, vmem, lds, atomic int }

func readClang(t *testing.T) map[[2]string]clangKeeps {
	data, err := os.ReadFile("testdata/clang.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Equal(t, "kernel\tcpu\tfence\twaitcnt\tvmem\tlds\tatomic", lines[1])
	all := map[[2]string]clangKeeps{}
	for _, line := range lines[2:] {
		f := strings.Split(line, "\t")
		require.Len(t, f, 7, line)
		var k clangKeeps
		for i, to := range []*int{&k.fence, &k.wait, &k.vmem, &k.lds, &k.atomic} {
			*to, err = strconv.Atoi(f[2+i])
			require.NoError(t, err, line)
		}
		all[[2]string{f[0], f[1]}] = k
	}
	return all
}

// TestMemoryTable holds what the memory passes gain on the kernels: nothing
// executes more fences, loads and stores, or atomics at -O2 than at -O0. It
// writes the last section of docs/memory-passes.md.
func TestMemoryTable(t *testing.T) {
	const file, heading = "../../docs/memory-passes.md", "## On the kernels\n"
	clang := readClang(t)
	var b strings.Builder
	b.WriteString(heading + memoryTableHead)
	var sum [2]memoryFigures
	for _, p := range programs(t, "kernels") {
		var f [2]memoryFigures
		for i, o := range []int{0, 2} {
			f[i] = memoryOf(t, p, o)
			sum[i].fences += f[i].fences
			sum[i].memory += f[i].memory
			sum[i].atomics += f[i].atomics
		}
		assert.LessOrEqual(t, f[1].fences, f[0].fences, "%s: fences", p.name)
		assert.LessOrEqual(t, f[1].memory, f[0].memory, "%s: loads and stores", p.name)
		assert.LessOrEqual(t, f[1].atomics, f[0].atomics, "%s: atomics", p.name)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |", p.name, f[0].fences, f[1].fences, f[0].memory, f[1].memory, f[0].atomics, f[1].atomics)
		for _, chip := range []string{"gfx942", "gfx1100"} {
			k, ok := clang[[2]string{p.name, chip}]
			require.True(t, ok, "testdata/clang.tsv has no %s for %s", p.name, chip)
			fmt.Fprintf(&b, " %d, %d, %d, %d |", k.fence, k.vmem, k.lds, k.atomic)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d | %d | %d | | |\n", sum[0].fences, sum[1].fences, sum[0].memory, sum[1].memory, sum[0].atomics, sum[1].atomics)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	prose, table, ok := strings.Cut(string(data), heading)
	require.True(t, ok, "%s has no heading %q", file, heading)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(prose+b.String()), 0o666))
		return
	}
	require.Equal(t, b.String(), heading+table, "run go test ./tests/e2e -run TestMemoryTable -update")
}

const memoryTableHead = `
Written by ` + "`go test ./tests/e2e -run TestMemoryTable -update`" + `; the same test fails if a kernel executes more
fences, loads and stores, or atomics at -O2 than at -O0.

Executed by all work-items of a launch in the reference interpreter (` + "`pisac run --stats`" + `): fences, barriers not counted;
loads and stores, of vectors as one, parameters not counted; atomics, which are ordered accesses and read-modify-writes.
Beside them what clang -O3 of LLVM 19 keeps of the OpenCL C twin, in static instructions: cache operations, vector memory,
LDS and, of these, read-modify-writes.

| kernel | fences -O0 | -O2 | loads, stores -O0 | -O2 | atomics -O0 | -O2 | clang gfx942 | clang gfx1100 |
|---|--:|--:|--:|--:|--:|--:|---|---|
`
