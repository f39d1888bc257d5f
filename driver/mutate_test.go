package driver

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

var mutants = flag.Int("mutants", 2, "programs made of each one of the corpus by TestMutants")

var word = regexp.MustCompile(`[%@]?[A-Za-z_$.][A-Za-z_$.0-9]*|[0-9]+`)

// mutate moves, drops and repeats lines, and exchanges words for others of the
// text: most results are still programs, with other control flow, unwritten
// registers and dead code.
func mutate(r *rand.Rand, text []byte) []byte {
	lines := bytes.SplitAfter(bytes.Clone(text), []byte("\n"))
	for range 1 + r.IntN(6) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(4) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines[i] = nil
		case 2:
			lines[i] = append(bytes.Clone(lines[j]), lines[i]...)
		case 3:
			words := word.FindAllIndex(lines[i], -1)
			others := word.FindAll(lines[j], -1)
			if len(words) > 0 && len(others) > 0 {
				at := words[r.IntN(len(words))]
				other := others[r.IntN(len(others))]
				lines[i] = append(append(bytes.Clone(lines[i][:at[0]]), other...), lines[i][at[1]:]...)
			}
		}
	}
	return bytes.Join(lines, nil)
}

// TestMutants: whatever the text, the compiler is not at fault: what is
// accepted becomes valid IR and LLVM IR, what is not is refused with a reason.
func TestMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, uint64(*mutants)))
	o := &Options{Emit: EmitLLVM, VerifyEach: true, target: target.ByName("gfx942")}
	accepted, refused := 0, 0
	for _, pattern := range []string{"../examples/*.pisa", "../tests/lowering/ssabuild/*.pisa", "../tests/pisa/*.pisa", "../tests/e2e/*/*.pisa"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for range *mutants {
				m := mutate(r, text)
				res := Compile([]Input{{"mutant.pisa", m, 1}}, o)
				require.NoError(t, res.Bug, "%s\n%s", name, m)
				if res.OK {
					accepted++
				} else {
					refused++
					require.NotEmpty(t, res.Diags, "%s", m)
				}
			}
		}
	}
	require.Greater(t, accepted, refused/10)
	t.Logf("%d accepted, %d refused", accepted, refused)
}
