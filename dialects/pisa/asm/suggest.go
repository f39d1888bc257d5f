package asm

import (
	"strings"

	"pisac/dialects/pisa"
	"pisac/ir"
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
		if d := ir.EditDistance(w, x, dist); d < dist {
			best, dist = x, d
		}
	}
	return best
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
