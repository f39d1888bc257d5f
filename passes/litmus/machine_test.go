package litmus

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

var machineAll = flag.Bool("litmus.machine", false, "check all stored tests on all modes, not a sample")

func machineModes() []target.Mode {
	var out []target.Mode
	for _, t := range target.All() {
		out = append(out, t.Modes()...)
	}
	return out
}

// TestMachineAccepts runs the sequences of every mode on the stored tests: no
// outcome may be outside of what the source allows.
func TestMachineAccepts(t *testing.T) {
	modes := machineModes()
	require.Len(t, modes, 6)
	checked, racy, states := 0, 0, 0
	for i, f := range corpus(t) {
		for k, mode := range modes {
			if !*machineAll && i%6 != k {
				continue
			}
			r, err := CheckMachine(program(t, f), mode)
			require.NoError(t, err, "%s on %s", f.Name, mode.Name)
			if r.SourceRaces {
				racy++
				continue
			}
			checked++
			states += r.States
			require.Empty(t, r.Outside, "%s on %s", f.Name, mode.Name)
			require.NotZero(t, r.Outcomes, f.Name)
		}
	}
	t.Logf("%d checks, %d of racy programs, %d machine states", checked, racy, states)
}
