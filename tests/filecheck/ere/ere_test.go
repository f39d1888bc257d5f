package ere

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func compile(t require.TestingT, src string) *Regexp {
	e, err := Parse(src, false)
	require.NoError(t, err, src)
	r, err := Join([]Part{{Expr: e, Capture: true}})
	require.NoError(t, err, src)
	return r
}

func TestLimits(t *testing.T) {
	cases := map[string]error{
		strings.Repeat("(", 100_000):                                    ErrTooDeep,
		strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000):     ErrTooDeep,
		strings.Repeat("[", 100_000):                                    ErrBracket,
		"((((a{255}){255}){255}){255}){255}":                            ErrTooLarge,
		"()" + strings.Repeat(`(\1\1\1\1\1\1\1\1)`, 8):                  nil,
		`()(\1\1)(\2\2)(\3\3)(\4\4)(\5\5)(\6\6)(\7\7)(\8\8)`:            nil,
		`(a{99})(\1{99})(\2{99})(\3{99})(\4{99})(\5{99})(\6{99})\7{99}`: ErrTooLarge,
		`(a\1)`: ErrBackref,
		`a)`:    ErrParen,
		`a||b`:  ErrEmpty,
		`^*`:    ErrRepeatOp,
		`a{1`:   ErrBrace,
		`a{1x}`: ErrRepeat,
	}
	for src, want := range cases {
		e, err := Parse(src, false)
		if err == nil {
			_, err = Join([]Part{{Expr: e}})
		}
		assert.Equal(t, want, err, "%.60s", src)
	}
}

// TestAdversarial holds searches to a bound that exponential or quadratic
// behaviour in the text would break.
func TestAdversarial(t *testing.T) {
	long := strings.Repeat("a", 200_000)
	cases := []struct {
		src, text string
		found     bool
	}{
		{"(a*)*b", long, false},
		{"(a|a)*b", long, false},
		{"(a|aa)+$", long, true},
		{"((a+)+)+b", long, false},
		{"a{0,200}a{200}b", long[:20_000], false},
		{"(.|\n)*x", strings.Repeat("ab\n", 50_000), false},
	}
	for _, c := range cases {
		start := time.Now()
		_, _, found, err := compile(t, c.src).Find(c.text)
		assert.NoError(t, err)
		assert.Equal(t, c.found, found, c.src)
		assert.Less(t, time.Since(start), 10*time.Second, c.src)
	}
	// A back-reference that cannot be satisfied is given up.
	plain := func(src string) *Regexp {
		e, err := Parse(src, false)
		require.NoError(t, err)
		r, err := Join([]Part{{Expr: e}})
		require.NoError(t, err)
		return r
	}
	_, _, found, err := plain(`(a*)(a*)(a*)\1\2\3x\1`).Find(long)
	assert.False(t, found)
	assert.True(t, err == nil || err == ErrTooCostly)
	_, _, _, err = plain(`(.*)(.*)(.*)(.*)\4\3\2\1x`).Find(strings.Repeat(strings.Repeat("ab", 100)+"x\n", 100))
	assert.True(t, err == nil || err == ErrTooCostly)
}

// genExpr generates expressions that mean the same to Go's regexp.
func genExpr(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if depth == 0 {
			return rapid.SampledFrom([]string{"a", "b", "[ab]", "[^a\n]", "[^\n]", "^", "$", "c"}).Draw(t, "atom")
		}
		sub := genExpr(depth - 1)
		switch rapid.IntRange(0, 5).Draw(t, "op") {
		case 0:
			return sub.Draw(t, "x") + sub.Draw(t, "y")
		case 1:
			return "(" + sub.Draw(t, "x") + "|" + sub.Draw(t, "y") + ")"
		case 2:
			return "(" + sub.Draw(t, "x") + ")*"
		case 3:
			return "(" + sub.Draw(t, "x") + ")" + rapid.SampledFrom([]string{"+", "?", "{2}", "{1,3}", "{2,}"}).Draw(t, "n")
		default:
			return sub.Draw(t, "x")
		}
	})
}

// TestAgainstGo compares matches with those of Go's leftmost-longest regexp.
func TestAgainstGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := genExpr(4).Draw(t, "src")
		text := rapid.StringMatching(`[abc\n]{0,12}`).Draw(t, "text")
		want := regexp.MustCompile("(?m:" + src + ")")
		want.Longest()
		loc := want.FindStringIndex(text)
		m, captures, found, err := compile(t, src).Find(text)
		require.NoError(t, err)
		require.Equal(t, loc != nil, found)
		if found {
			require.Equal(t, loc, []int{m.Start, m.End})
			require.Equal(t, m, captures[0])
		}
	})
}

// posixDivide finds by trial how POSIX divides text among parts: each in turn
// takes the most that lets the rest match the rest of the text.
func posixDivide(parts []*regexp.Regexp, text string) []int {
	if len(parts) == 0 {
		if text == "" {
			return []int{}
		}
		return nil
	}
	for n := len(text); n >= 0; n-- {
		if parts[0].MatchString(text[:n]) {
			if rest := posixDivide(parts[1:], text[n:]); rest != nil {
				return append([]int{n}, rest...)
			}
		}
	}
	return nil
}

func TestCapturesDivideAsPOSIXSays(t *testing.T) {
	atom := rapid.SampledFrom([]string{"a", "a*", "b?", "(a|ab)", "(ab|b)*", "[ab]{1,2}", "(a|b|ab)+", "b*"})
	rapid.Check(t, func(t *rapid.T) {
		srcs := rapid.SliceOfN(atom, 1, 4).Draw(t, "parts")
		text := rapid.StringMatching(`[ab]{0,8}`).Draw(t, "text")
		var parts []Part
		var trial []*regexp.Regexp
		for _, src := range srcs {
			e, err := Parse(src, false)
			require.NoError(t, err)
			parts = append(parts, Part{Expr: e, Capture: true})
			trial = append(trial, regexp.MustCompile("^(?:"+src+")$"))
		}
		r, err := Join(parts)
		require.NoError(t, err)
		m, captures, found, err := r.Find(text)
		require.NoError(t, err)
		if !found {
			require.Nil(t, posixDivide(trial, text))
			return
		}
		var got []int
		for _, c := range captures {
			got = append(got, c.End-c.Start)
		}
		require.Equal(t, posixDivide(trial, text[m.Start:m.End]), got)
	})
}

// TestBackReferencesByTrial compares X Y X' with all ways of choosing X.
func TestBackReferencesByTrial(t *testing.T) {
	atom := rapid.SampledFrom([]string{"a*", "[ab]+", "(a|ab)", "(ab)*b?", "."})
	rapid.Check(t, func(t *rapid.T) {
		x, y := atom.Draw(t, "x"), atom.Draw(t, "y")
		text := rapid.StringMatching(`[ab]{0,8}`).Draw(t, "text")
		ex, err := Parse(x, false)
		require.NoError(t, err)
		ey, err := Parse(y, false)
		require.NoError(t, err)
		r, err := Join([]Part{{Expr: ex, Capture: true}, {Expr: ey}, {Ref: 0}})
		require.NoError(t, err)
		m, captures, found, err := r.Find(text)
		require.NoError(t, err)

		whole := func(src, s string) bool { return regexp.MustCompile("^(?:" + src + ")$").MatchString(s) }
		best := Span{-1, -1}
		for i := 0; i <= len(text) && best.Start < 0; i++ {
			for j := i; j <= len(text); j++ {
				for k := j; k <= len(text); k++ {
					cap := text[i:j]
					if end := k + len(cap); end > best.End && whole(x, cap) && whole(y, text[j:k]) && strings.HasPrefix(text[k:], cap) {
						best = Span{i, end}
					}
				}
			}
		}
		require.Equal(t, best.Start >= 0, found)
		if found {
			require.Equal(t, best, m)
			c := captures[0]
			require.True(t, whole(x, text[c.Start:c.End]))
			require.Equal(t, c.Start, m.Start)
			require.Equal(t, text[c.Start:c.End], text[m.End-(c.End-c.Start):m.End])
		}
	})
}

func TestIgnoreCase(t *testing.T) {
	e, err := Parse("a[b-c]+[^x]", true)
	require.NoError(t, err)
	r, err := Join([]Part{{Expr: e}})
	require.NoError(t, err)
	m, _, found, _ := r.Find("xXABcXy")
	assert.True(t, found)
	assert.Equal(t, Span{2, 5}, m)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a", "(a|b)*c{2,3}", `[[:alpha:]]\1`, "[^]a-z-]", "[[:<:]]x", "(a)(b)\\2\\1", "[[=a=][.space.]]"} {
		f.Add(s, "aab bcc")
	}
	f.Fuzz(func(t *testing.T, src, text string) {
		e, err := Parse(src, len(text)%2 == 0)
		if err != nil {
			return
		}
		r, err := Join([]Part{{Expr: e, Capture: true}, {Expr: Literal("x", false)}, {Expr: e}})
		if err != nil {
			return
		}
		m, captures, found, err := r.Find(text)
		if err == nil && found && (m.Start < 0 || m.End > len(text) || captures[0].Start != m.Start) {
			t.Fatal(m, captures)
		}
	})
}
