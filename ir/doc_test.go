package ir

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The invariants of the package comment and those that `pisac explain` gives
// are the same words.
func TestInvariantsAreDocumentedOnce(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(text), "# The invariants")
	require.True(t, ok)
	doc := map[string]string{}
	last := ""
	for _, line := range strings.Split(list, "\n") {
		if m := regexp.MustCompile(`^//\t(I[0-9]+) +(.*)$`).FindStringSubmatch(line); m != nil {
			last = "IR-" + m[1]
			doc[last] = m[2]
		} else if rest, ok := strings.CutPrefix(line, "//\t     "); ok && last != "" {
			doc[last] += " " + rest
		}
	}
	explained := map[string]string{}
	for _, c := range Codes {
		if strings.HasPrefix(c.Code, "IR-I") {
			explained[c.Code] = c.Text
		}
	}
	assert.Equal(t, doc, explained)
	assert.Len(t, doc, 13)
}
