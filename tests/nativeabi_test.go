package tests

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/tests/disasm"
)

// own are the directives of a kernel descriptor in which the native backend
// differs from LLVM: registers used, and the IEEE mode, which it does not want.
var own = regexp.MustCompile(`next_free_|accum_offset|reserve_|ieee_mode|private_segment`)

var (
	descriptorLine = regexp.MustCompile(`(?m)^\t\t\.amdhsa_(\w+) (\d+)$`)
	argument       = regexp.MustCompile(`(?s)      - (\.(?:address_space|name|offset):.*?value_kind: *\w+)`)
	blanksInYAML   = regexp.MustCompile(`:? +|!str|"`)
)

// descriptors has the directives of the only kernel of a text.
func descriptors(asm string) map[string]string {
	d := map[string]string{}
	for _, m := range descriptorLine.FindAllStringSubmatch(asm, -1) {
		d[m[1]] = m[2]
	}
	return d
}

// arguments lists the arguments that the metadata has, each as a line.
func arguments(asm string) (explicit, hidden []string) {
	for _, m := range argument.FindAllStringSubmatch(asm, -1) {
		line := strings.Join(strings.Fields(blanksInYAML.ReplaceAllString(m[1], " ")), " ")
		if strings.Contains(line, "hidden_") {
			hidden = append(hidden, line)
		} else {
			explicit = append(explicit, line)
		}
	}
	return explicit, hidden
}

// TestNativeABI compares what the host and the hardware see of a kernel with
// what llc makes of pisac's LLVM IR: the descriptor but for own; the arguments
// in the metadata, of which the implicit ones are no more than LLVM's.
func TestNativeABI(t *testing.T) {
	if !disasm.Present() {
		t.Skip("LLVM 19 is not there")
	}
	for i, s := range samples(t) {
		if !strings.HasPrefix(s.name, "e2e/kernels") {
			continue
		}
		chip := []string{"gfx1100", "gfx942"}[i%2]
		t.Run(filepath.Base(s.name)+" "+chip, func(t *testing.T) {
			t.Parallel()
			ours := s.native(t, chip, "-O2")
			theirs := s.compiled(t, "--backend=llvm", "--emit=asm", "--mcpu="+chip)
			require.NotEmpty(t, ours)
			d, l := descriptors(ours), descriptors(theirs)
			require.Greater(t, len(d), 15)
			for key, v := range d {
				// LLVM asks for the x of the work-group's id even where nothing reads it.
				unread := d["system_sgpr_workgroup_id_x"] == "0" && (key == "system_sgpr_workgroup_id_x" || key == "user_sgpr_count")
				if !own.MatchString(key) && !unread {
					require.Equal(t, l[key], v, "%s", key)
				}
			}
			explicit, hidden := arguments(ours)
			explicitL, hiddenL := arguments(theirs)
			require.NotEmpty(t, explicitL)
			require.Equal(t, explicitL, explicit)
			for _, h := range hidden {
				require.True(t, slices.Contains(hiddenL, h), "%s is not among %v", h, hiddenL)
			}
		})
	}
}
