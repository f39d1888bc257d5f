package ir

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// show renders one error at [off, end) of text.
func show(text string, off, end int, notes ...DiagNote) string {
	src := &Sources{}
	f := src.Add("a.pisa", []byte(text))
	var ds Diags
	ds.Error(f.Loc(off), f.Loc(end), "PISA-E012", "bad thing", notes...)
	return rendered(src, &ds)
}

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name     string
		text     string
		off, end int
		want     string
	}{
		{"range", "one\n  two three\n", 6, 9, "a.pisa:2:3: error: bad thing [PISA-E012]\n  two three\n  ^~~\n"},
		{"point", "x y", 2, 2, "a.pisa:1:3: error: bad thing [PISA-E012]\nx y\n  ^\n"},
		{"end of line", "x\ny", 1, 2, "a.pisa:1:2: error: bad thing [PISA-E012]\nx\n ^\n"},
		{"end of file", "x\n", 2, 2, "a.pisa:2:1: error: bad thing [PISA-E012]\n\n^\n"},
		{"empty file", "", 0, 0, "a.pisa:1:1: error: bad thing [PISA-E012]\n\n^\n"},
		{"over lines", "abc def\nghi", 4, 10, "a.pisa:1:5: error: bad thing [PISA-E012]\nabc def\n    ^~~\n"},
		{"CRLF", "ab cd\r\nx", 3, 5, "a.pisa:1:4: error: bad thing [PISA-E012]\nab cd\n   ^~\n"},
		{"tabs", "\ta\tbc\n", 3, 5, "a.pisa:1:4: error: bad thing [PISA-E012]\n\ta\tbc\n\t \t^~\n"},
		{"not UTF-8", "\x80\x01a b\xff", 4, 6, "a.pisa:1:5: error: bad thing [PISA-E012]\n<80><01>a b<ff>\n          ^~~~~\n"},
		{"UTF-8", "äö x", 5, 6, "a.pisa:1:6: error: bad thing [PISA-E012]\näö x\n   ^\n"},
		{"control characters", "a\x1b[31m\u009bb", 0, 1, "a.pisa:1:1: error: bad thing [PISA-E012]\na<1b>[31m<c2><9b>b\n^\n"},
	} {
		assert.Equal(t, c.want, show(c.text, c.off, c.end), c.name)
	}
}

func TestRenderLongLine(t *testing.T) {
	line := strings.Repeat("x", 50000) + "HERE" + strings.Repeat("y", 50000)
	out := strings.Split(show(line, 50000, 50004), "\n")
	require.Len(t, out, 4)
	assert.Equal(t, "..."+strings.Repeat("x", 50)+"HERE"+strings.Repeat("y", 146)+"...", out[1])
	assert.Equal(t, strings.Repeat(" ", 53)+"^~~~", out[2])

	out = strings.Split(show(line, 0, 100000), "\n") // a range longer than what is shown
	assert.Equal(t, strings.Repeat("x", 200)+"...", out[1])
	assert.Equal(t, "^"+strings.Repeat("~", 199), out[2])

	out = strings.Split(show(line, len(line), len(line)), "\n")
	assert.Equal(t, "..."+strings.Repeat("y", 200), out[1])
	assert.Equal(t, strings.Repeat(" ", 203)+"^", out[2])

	out = strings.Split(show(strings.Repeat("ä", 5000), 5000, 5002), "\n")
	assert.NotContains(t, out[1], "<", "no character is cut in two")
	assert.Equal(t, len([]rune(strings.TrimSuffix(out[1][:strings.Index(out[1], "ä")+50], "..."))), len(out[2])-1, "the caret is below the character")
}

func TestRenderNotesAndColor(t *testing.T) {
	src := &Sources{}
	f := src.AddAt("b.pisa", []byte("one two\n"), 41)
	g := src.Add("c.pisa", []byte("three"))
	var ds Diags
	ds.Error(f.Loc(4), f.Loc(7), "PISA-E001", "first", DiagNote{Loc: g.Loc(0), End: g.Loc(5), Text: "see here"}, DiagNote{Text: "PISA 5.1"})
	ds.Warn(NoLoc, NoLoc, "", "nowhere")
	assert.Equal(t, `b.pisa:41:5: error: first [PISA-E001]
one two
    ^~~
c.pisa:1:1: note: see here
three
^~~~~
note: PISA 5.1
warning: nowhere
`, rendered(src, &ds))

	var sb strings.Builder
	require.NoError(t, (&Renderer{Sources: src, Color: true}).Render(&sb, &ds))
	assert.Contains(t, sb.String(), "\x1b[1mb.pisa:41:5: \x1b[1;31merror: \x1b[0m\x1b[1mfirst\x1b[0m [PISA-E001]\none two\n    \x1b[1;32m^~~\x1b[0m\n")
}

// Read back by another implementation of JSON.
func TestRenderJSON(t *testing.T) {
	src := &Sources{}
	f := src.Add("d\".pisa", []byte("ab\ncd\xff efg"))
	var ds Diags
	ds.Error(f.Loc(3), f.Loc(6), "PISA-E001", "a \"b\"\n\\ \x7f\xff ä", DiagNote{Loc: f.Loc(0), End: f.Loc(9), Text: "n"})
	ds.Warn(NoLoc, NoLoc, "PISA-W002", "w")
	var sb strings.Builder
	require.NoError(t, RenderJSON(&sb, src, &ds))
	lines := strings.Split(strings.TrimSuffix(sb.String(), "\n"), "\n")
	require.Len(t, lines, 2)
	type entry struct {
		File, Severity, Code, Text string
		Line, Col, EndCol          int
		Notes                      []entry
	}
	var got [2]entry
	for i, l := range lines {
		dec := json.NewDecoder(strings.NewReader(l))
		dec.DisallowUnknownFields()
		require.NoError(t, dec.Decode(&got[i]), l)
	}
	assert.Equal(t, entry{
		File: `d".pisa`, Line: 2, Col: 1, EndCol: 4, Severity: "error", Code: "PISA-E001", Text: "a \"b\"\n\\ \x7f\ufffd ä",
		Notes: []entry{{File: `d".pisa`, Line: 1, Col: 1, EndCol: 3, Severity: "note", Text: "n"}}}, got[0])
	assert.Equal(t, entry{Severity: "warning", Code: "PISA-W002", Text: "w", Notes: []entry{}}, got[1])
}

func TestSources(t *testing.T) {
	src := &Sources{}
	a := src.Add("a", []byte("x\n\ny"))
	b := src.AddAt("b", nil, 7)
	c := src.Add("c", []byte("\n\n"))
	for _, x := range []struct {
		loc  Loc
		want Position
	}{
		{NoLoc, Position{}},
		{a.Loc(0), Position{"a", 1, 1}},
		{a.Loc(1), Position{"a", 1, 2}},
		{a.Loc(2), Position{"a", 2, 1}},
		{a.Loc(3), Position{"a", 3, 1}},
		{a.Loc(4), Position{"a", 3, 2}},
		{b.Loc(0), Position{"b", 7, 1}},
		{c.Loc(0), Position{"c", 1, 1}},
		{c.Loc(2), Position{"c", 3, 1}},
	} {
		assert.Equal(t, x.want, src.Position(x.loc))
	}
	assert.Same(t, b, src.File(b.Loc(0)))
	var none *Sources
	assert.Equal(t, Position{}, none.Position(5))
}

func TestDiags(t *testing.T) {
	ds := Diags{Limit: 2}
	ds.Warn(3, 0, "", "w")
	for range 5 {
		ds.Error(2, 0, "E", "e")
	}
	ds.Warn(1, 0, "", "late")
	assert.Equal(t, 5, ds.Errors())
	var texts []string
	for _, d := range ds.List {
		texts = append(texts, d.Text)
	}
	assert.Equal(t, []string{"w", "e", "e", "too many errors; the rest is not shown", "late"}, texts)
	ds.Sort()
	assert.Equal(t, []Loc{1, 2, 2, 2, 3}, []Loc{ds.List[0].Loc, ds.List[1].Loc, ds.List[2].Loc, ds.List[3].Loc, ds.List[4].Loc})
}

func TestNearest(t *testing.T) {
	names := func(yield func(string) bool) {
		for _, s := range []string{"pisa.iadd", "pisa.isub", "pisa.fadd"} {
			if !yield(s) {
				return
			}
		}
	}
	for word, want := range map[string]string{
		"pisa.iad": "pisa.iadd", "pisa.idad": "pisa.iadd", "pisa.isubb": "pisa.isub", "pisa.fad": "pisa.fadd",
		"pisa.load": "", "x": "", "": "", strings.Repeat("a", 50): "",
	} {
		assert.Equal(t, want, Nearest(word, names), word)
	}
}

func TestTypes(t *testing.T) {
	seen := map[string]bool{}
	for _, elem := range []int{8, 16, 32, 64, 128} {
		for lanes := 1; lanes <= 127; lanes++ {
			ty := Vector(lanes, Bits(elem))
			// PISA 4, registers: the vectors that can be declared.
			want := lanes == 1 || elem < 128 && lanes <= 4 || elem == 32 && (lanes <= 8 || lanes == 16 || lanes == 32 || lanes == 64)
			assert.Equal(t, want, ty.Valid(), ty.String())
			if !want {
				continue
			}
			back, ok := ParseType(ty.String())
			assert.True(t, ok && back == ty, ty.String())
			assert.Equal(t, elem*lanes, ty.TotalBits())
			assert.Equal(t, Bits(elem), ty.Elem())
			seen[ty.String()] = true
		}
	}
	assert.Len(t, seen, 5+3*3+10)
	for _, s := range []string{"", "b", "v", "v.", "v2.", "v9", "s0", "v1.32b", "v02.32b", "v2.v2.32b", "v4294967298.32b", "33b", "32", "v4.pred", "v2.128b", "Pred"} {
		_, ok := ParseType(s)
		assert.False(t, ok, s)
	}
	for _, ty := range []Type{Pred, None} {
		back, ok := ParseType(ty.String())
		assert.True(t, ok && back == ty && ty.Valid())
	}
	for _, s := range []string{"scc", "s1", "s2", "v3", "v16"} {
		ty, ok := ParseType(s)
		assert.True(t, ok && ty.Valid() && ty.String() == s, s)
	}
	for _, s := range []string{"s0", "s", "v9", "s02", "v128", "sc"} {
		ty, ok := ParseType(s)
		assert.False(t, ok && ty.Valid(), s)
	}
	assert.Equal(t, VGPR, Regs(VGPR, 4).Class())
	assert.False(t, (B32 | 1<<19).Valid())
	assert.False(t, (B32 | 1<<28).Valid())
}
