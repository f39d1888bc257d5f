package driver

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// shown prints one error at text[from:to] of a file.
func shown(text string, from, to int, o Options) string {
	var src ir.Sources
	var out bytes.Buffer
	f := src.Add("f", []byte(text))
	newDiagPrinter(&o, &out).all(&src, []ir.Diag{{Loc: f.Loc(from), End: f.Loc(to), Text: "t", Code: "C"}})
	return out.String()
}

func TestExcerpts(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
		want     string
	}{
		{"one\ntwo three\n", 8, 13, "f:2:5: error: t [C]\ntwo three\n    ^~~~~\n"},
		{"\tx, y\n", 4, 5, "f:1:5: error: t [C]\n\tx, y\n\t   ^\n"},
		{"abc", 3, 3, "f:1:4: error: t [C]\nabc\n   ^\n"},
		{"", 0, 0, "f:1:1: error: t [C]\n\n^\n"},
		{"ab\r\ncd", 1, 2, "f:1:2: error: t [C]\nab\n ^\n"},
		{"é é\n", 3, 5, "f:1:4: error: t [C]\né é\n  ^\n"},
		{"a\xffb\x01c\n", 2, 3, "f:1:3: error: t [C]\na?b?c\n  ^\n"},
		{"a b\nc d\n", 2, 6, "f:1:3: error: t [C]\na b\n  ^\n"}, // a range ends with its line
	} {
		require.Equal(t, c.want, shown(c.text, c.from, c.to, Options{Color: "never"}), "%q", c.text)
	}
}

// TestLongLine: what is shown of a line is bounded, and the caret still stands
// under the place.
func TestLongLine(t *testing.T) {
	text := strings.Repeat("x", 1_000_000) + "HERE" + strings.Repeat("y", 1_000_000)
	lines := strings.Split(shown(text, 1_000_000, 1_000_004, Options{Color: "never"}), "\n")
	require.Less(t, len(lines[1]), 2*maxExcerpt)
	at := strings.Index(lines[2], "^~~~")
	require.Positive(t, at)
	runes := []rune(lines[1])
	require.Equal(t, "HERE", string(runes[at:at+4]))
	require.Equal(t, at+4, len(lines[2]))
}

func TestColour(t *testing.T) {
	out := shown("ab\n", 0, 1, Options{Color: "always"})
	require.Contains(t, out, "\x1b[1;31merror: \x1b[0m")
	require.NotContains(t, shown("ab\n", 0, 1, Options{Color: "auto"}), "\x1b") // not a terminal
}
