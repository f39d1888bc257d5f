package target

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRows(t *testing.T) {
	require.Equal(t, "gfx1100", Default().Name)
	require.Nil(t, ByName("gfx000"))
	for i := range All() {
		tt := &All()[i]
		require.Same(t, tt, ByName(tt.Name))
		require.Contains(t, []int{32, 64}, tt.Wave)
		require.Equal(t, tt.Generation == GFX9, tt.Subgroups() == 2)
		require.False(t, tt.Has(FAddF32Global|FAddF32GlobalFlush), "%s: both the exact and the flushing add", tt.Name)
	}
}

// The wait sequences assemble for their chip, in llvm-mc's judgement.
func TestWaitsAssemble(t *testing.T) {
	mc := "/usr/lib/llvm-19/bin/llvm-mc"
	if _, err := os.Stat(mc); err != nil {
		t.Log("LLVM 19 is absent: nothing to ask")
		return
	}
	for i := range All() {
		tt := &All()[i]
		for _, text := range []string{tt.WaitAll, tt.WaitLDS} {
			cmd := exec.Command(mc, "-triple=amdgcn-amd-amdhsa", "-mcpu="+tt.Name, "-filetype=null")
			cmd.Stdin = strings.NewReader(text + "\n")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %q: %s", tt.Name, text, out)
		}
	}
}
