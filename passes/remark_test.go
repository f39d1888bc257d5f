package passes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"pisac/ir"
)

// TestRemarksAreYAML: a YAML parser reads back what was written, whatever the
// names and texts hold.
func TestRemarksAreYAML(t *testing.T) {
	src := &ir.Sources{}
	file := src.Add("dir/it's.pisa", []byte("one\ntwo three\n"))
	for _, text := range []string{"plain", "it's", "", "a: b # c", "tab\tnew\nline", `back\slash "quoted"`, "bell\a \"x\" \\", "\u00e9 \u2028 \U0001f600", "- x", "%d 100%"} {
		var b strings.Builder
		require.NoError(t, WriteRemarks(&b, src, []Remark{
			{Missed, "licm", "NotMoved", text, file.Loc(8), text},
			{Passed, "licm", "Moved", text, ir.NoLoc, text},
		}))
		dec := yaml.NewDecoder(strings.NewReader(b.String()))
		for i, tag := range []string{"!Missed", "!Passed"} {
			var n yaml.Node
			require.NoError(t, dec.Decode(&n), "%s", b.String())
			require.Equal(t, tag, n.Content[0].Tag)
			got := map[string]*yaml.Node{}
			for k := 0; k < len(n.Content[0].Content); k += 2 {
				got[n.Content[0].Content[k].Value] = n.Content[0].Content[k+1]
			}
			require.Equal(t, "licm", got["Pass"].Value)
			require.Equal(t, []string{"NotMoved", "Moved"}[i], got["Name"].Value)
			require.Equal(t, text, got["Function"].Value, "%s", b.String())
			require.Equal(t, []string{"String", text}, values(got["Args"].Content[0]))
			if i == 0 {
				require.Equal(t, []string{"File", "dir/it's.pisa", "Line", "2", "Column", "5"}, values(got["DebugLoc"]))
			} else {
				require.Nil(t, got["DebugLoc"])
			}
		}
	}
}

// values are the keys and values of a mapping.
func values(n *yaml.Node) (list []string) {
	for _, c := range n.Content {
		list = append(list, c.Value)
	}
	return list
}
