package filecheck

import "strings"

// Limits of the search for the intended match.
const (
	maxFuzzyScan     = 4096 // bytes of input
	maxFuzzyDistance = 50
)

// nearest finds the place in the input that looks most like the pattern: the
// fewest edits, and of those the one on the earliest line.
func (p *pattern) nearest(in slice) (slice, bool) {
	model := p.fixed
	if model == "" {
		model = p.example.String()
	}
	scan := min(maxFuzzyScan, len(in.s))
	if len(model)*scan > 2048*maxFuzzyScan {
		return slice{}, false
	}
	lines, best, quality := 0, -1, 0.0
	limit := maxFuzzyDistance
	for i := range scan {
		if in.s[i] == '\n' {
			lines++
		}
		if in.s[i] == ' ' || in.s[i] == '\t' {
			continue
		}
		text := in.s[i:min(i+len(model), len(in.s))]
		if eol := strings.IndexByte(text, '\n'); eol >= 0 {
			text = text[:eol]
		}
		d := editDistance(text, model, limit)
		q := float64(d) + float64(lines)/100
		if d < limit && (best < 0 || q < quality) {
			best, quality = i, q
			limit = min(limit, d+1) // a later place must be at least as good
		}
	}
	if best <= 0 || quality >= maxFuzzyDistance {
		return slice{}, false
	}
	return in.cut(best, best), true
}

// editDistance returns the least number of insertions, deletions and
// replacements that turn a into b, or limit if it is not less than that.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	// Only cells within limit of the diagonal can stay below it.
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = min(j, limit)
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		diagonal := row[from-1]
		left := limit
		if from == 1 {
			left = min(i, limit)
		}
		row[from-1] = left
		least := left
		for j := from; j <= to; j++ {
			up := row[j]
			if j == i+limit {
				up = limit // outside the band in the row before
			}
			d := diagonal
			if a[i-1] != b[j-1] {
				d = min(diagonal, up, left) + 1
			}
			d = min(d, limit)
			diagonal, left, row[j] = row[j], d, d
			least = min(least, d)
		}
		if least >= limit {
			return limit
		}
	}
	return row[len(b)]
}
