package asm

import (
	"strings"

	"pisac/dialects/pisa"
)

// didYouMean returns "; did you mean X?" for the nearest of the words, if one
// is near enough to be a slip of the hand.
func didYouMean(w string, words []string) string {
	if s := nearest(w, words); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

// maxSuggest bounds the length of words that are compared.
const maxSuggest = 40

func nearest(w string, words []string) string {
	bare := len(w)
	if w != "" && (w[0] == '%' || w[0] == '@' || w[0] == '.') {
		bare--
	}
	best, dist := "", 1+bare/3 // names of two letters are not slips of each other
	if len(w) > maxSuggest {
		return ""
	}
	for _, x := range words {
		if x == "" || len(x) > maxSuggest || x == w {
			continue
		}
		if strings.EqualFold(w, x) {
			return x
		}
		if d := distance(w, x, dist); d < dist {
			best, dist = x, d
		}
	}
	return best
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours that turn a into b, or limit if it is at least that.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var rows [3][maxSuggest + 1]int
	for j := 0; j <= len(b); j++ {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur, prev, prev2 := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j-1]+cost, prev[j]+1, cur[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
		}
	}
	return min(rows[len(a)%3][len(b)], limit)
}

// mnemonics returns the names of all instructions of a version.
func mnemonics(v10 bool) []string {
	var out []string
	for i := range pisa.Table {
		if r := &pisa.Table[i]; !r.IROnly && (v10 || r.Forms[0].Since.Major == 0) {
			out = append(out, r.Name)
		}
	}
	return out
}
