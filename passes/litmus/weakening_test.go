package litmus

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWeakening holds the table testdata/weakening/weakening.tsv: the classic
// shapes in their strong form, and each with one order, scope or address space
// weakened, or one fence or barrier removed. The verdicts are those of the
// reference checker; the first row of a shape is the unchanged one.
func TestWeakening(t *testing.T) {
	data, err := os.ReadFile("testdata/weakening/shapes.json")
	require.NoError(t, err)
	var list []File
	require.NoError(t, json.Unmarshal(data, &list))
	shapes := map[string]*File{}
	for i := range list {
		shapes[list[i].Name] = &list[i]
	}
	data, err = os.ReadFile("testdata/weakening/weakening.tsv")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, lines, 201)
	models := strings.Split(lines[0], "\t")[5:]
	var c Checker
	matter := 0
	for _, line := range lines[1:] {
		row := strings.Split(line, "\t")
		f := shapes[row[0]].weakened(t, row)
		for i, name := range models {
			m, err := ParseModel(name)
			require.NoError(t, err)
			r, err := c.Check(program(t, f), Options{Model: m})
			require.NoError(t, err)
			require.Equal(t, row[5+i], r.Verdict().String(), "%s under %s: %v", row[0], name, row[1:5])
			if row[1] == "-" {
				require.Nil(t, r.Race, row[0]) // the lock's outcome is the other order of the holders
				require.True(t, r.Verdict() == Forbidden || row[0] == "RMW+lock", row[0])
			} else if row[5+i] == "racy" || row[5+i] == "allowed" && row[0] != "RMW+lock" {
				matter++
			}
		}
	}
	t.Logf("%d weakenings change the verdict", matter)
}

// weakened is a copy of f with the change of a row of the table.
func (f *File) weakened(t *testing.T, row []string) *File {
	out := *f
	if row[1] == "-" {
		return &out
	}
	wi, err := strconv.Atoi(row[1])
	require.NoError(t, err)
	at, err := strconv.Atoi(row[2])
	require.NoError(t, err)
	out.Threads = append([]FileThread(nil), f.Threads...)
	code := append([]string(nil), f.Threads[wi].Code...)
	require.Contains(t, code[at], row[3])
	if row[4] == "nothing" {
		code = append(code[:at], code[at+1:]...)
	} else {
		code[at] = strings.Replace(code[at], row[3], row[4], 1)
	}
	out.Threads[wi].Code = code
	return &out
}
