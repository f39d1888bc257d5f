package litmus

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Damaged tests are refused or judged; nothing panics.
func TestDamaged(t *testing.T) {
	files, err := filepath.Glob("testdata/litmus/*.json")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"%r0", "[@x]", "weak", "v2", ".", ",", "-1", "99999999999", "gpu", "{1, 2}", "END:", "goto END", "iatom", "64", "\"wg\": 7", "shared", "~", "@"}
	var c Checker
	ok, refused := 0, 0
	for i, name := range files {
		if i%3 != 0 {
			continue
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for range 8 {
			s := string(data)
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(s))
				switch rng.IntN(3) {
				case 0:
					s = s[:at] + words[rng.IntN(len(words))] + s[at:]
				case 1:
					s = s[:at] + s[min(at+1+rng.IntN(6), len(s)):]
				default:
					s = strings.Replace(s, words[rng.IntN(len(words))], words[rng.IntN(len(words))], 1)
				}
			}
			p, f, err := ReadJSON([]byte(s))
			if err != nil {
				refused++
				continue
			}
			ok++
			for _, m := range []Model{{}, {ThinAir: Dependencies}} {
				r, err := c.Check(p, Options{Model: m})
				if err == nil {
					require.True(t, json.Valid(r.JSON(name)))
				}
				if p, err = f.Program(); err != nil {
					break
				}
			}
			if _, err := f.PISA(); err == nil {
				_, _ = p.Export(false)
				_, _ = p.Export(true)
			}
			if p, err := f.Program(); err == nil {
				_, _ = CheckMachine(p, machineModes()[i%6])
			}
		}
	}
	require.NotZero(t, ok)
	require.NotZero(t, refused)
	for _, s := range []string{"exists", "exists (", "exists (x=1", "forall (x==1 /\\ ~(y=2) \\/ not true)", "~exists(((((((((((((((((((x=1", "exists x=", "exists (x=1) y"} {
		_, err := ParseCond(s)
		require.Equal(t, strings.HasPrefix(s, "forall"), err == nil, s)
	}
}
