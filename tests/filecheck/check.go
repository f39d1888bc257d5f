package filecheck

import "strings"

// checker matches the directives of a check file against an input.
type checker struct {
	o    *Options
	file *checkFile
	*reporter
}

// run reports whether the input is as the check file says. -LABEL directives
// are matched first and divide the input into regions.
func (c *checker) run(input slice) bool {
	ok := true
	checks := c.file.checks
	for i, j := 0, 0; ; {
		region := input
		for j < len(checks) && checks[j].pattern.kind != kindLabel {
			j++
		}
		last := j == len(checks)
		if !last {
			_, end, found := c.positive(&checks[j], input, true)
			if !found {
				return false
			}
			region = input.upTo(end)
			input = input.from(end)
			j++
		}
		// Variables from the command line live until the first label.
		if i != 0 && c.o.EnableVarScope {
			c.file.vars.clearLocals()
		}
		for ; i < j; i++ {
			_, end, found := c.positive(&checks[i], region, false)
			if !found {
				ok = false
				i = j
				break
			}
			region = region.from(end)
		}
		if last {
			return ok
		}
	}
}

// positive matches a positive directive with its -DAGs and -NOTs and returns
// where in the region the match starts and ends. While looking for labels
// nothing else can be checked: variables have no value yet.
func (c *checker) positive(k *check, region slice, labelScan bool) (start, end int, ok bool) {
	from := 0
	var nots []prefixed
	if !labelScan {
		if from, nots, ok = c.dags(k.before, region); !ok {
			return 0, 0, false
		}
	}
	end = from
	for n := 1; n <= k.pattern.count; n++ {
		in := region.from(end)
		at, errs := k.pattern.match(in)
		if !c.result(true, k.prefix, k.pattern, n, in, at, errs) {
			return 0, 0, false
		}
		if n == 1 {
			start = at.off - region.off
		}
		end = at.off - region.off + len(at.s)
	}
	if labelScan {
		return start, end, true
	}
	skipped := region.cut(from, start)
	if !c.rightLine(k, skipped) {
		c.wrongLine(k.pattern, region.cut(start, end))
		return 0, 0, false
	}
	return start, end, c.absent(nots, skipped)
}

// newlines counts the line ends in s; first is where the line after the first
// one starts.
func newlines(s slice) (n int, first slice) {
	for i := 0; i < len(s.s); i++ {
		if s.s[i] != '\n' && s.s[i] != '\r' {
			continue
		}
		if i+1 < len(s.s) && s.s[i]^s.s[i+1] == '\n'^'\r' { // a pair is one end
			i++
		}
		if n++; n == 1 {
			first = s.from(i + 1).upTo(0)
		}
	}
	return n, first
}

// rightLine checks what -NEXT, -EMPTY and -SAME say about the lines between
// the match before and this one.
func (c *checker) rightLine(k *check, skipped slice) bool {
	name := k.prefix + kinds[k.pattern.kind].suffix
	n, first := newlines(skipped)
	text := ""
	switch k.pattern.kind {
	case kindNext, kindEmpty:
		switch {
		case n == 0:
			text = name + ": is on the same line as previous match"
		case n > 1:
			text = name + ": is not on the line after the previous match"
		}
	case kindSame:
		if n != 0 {
			text = name + ": is not on the same line as the previous match"
		}
	}
	if text == "" {
		return true
	}
	c.message(k.pattern.at.upTo(0), sevError, text)
	c.message(skipped.from(len(skipped.s)), sevNote, "'next' match was here")
	c.message(skipped.upTo(0), sevNote, "previous match ended here")
	if n > 1 && k.pattern.kind != kindSame {
		c.message(first, sevNote, "non-matching line after previous match is here")
	}
	return false
}

// absent checks that none of the -NOT directives matches in the region.
func (c *checker) absent(nots []prefixed, region slice) bool {
	ok := true
	for _, n := range nots {
		at, errs := n.match(region)
		if !c.result(false, n.prefix, n.pattern, 1, region, at, errs) {
			ok = false
		}
	}
	return ok
}

// dags matches the -DAG directives. A group of them may match in any order but
// without overlap. The -NOTs between groups must not match between them; those
// after the last group are returned.
func (c *checker) dags(list []prefixed, region slice) (from int, nots []prefixed, ok bool) {
	var taken []slice // matches of the group, in order of position
	for i, d := range list {
		if d.kind == kindNot {
			nots = append(nots, d)
			continue
		}
		if taken, ok = c.dag(d, region, from, taken); !ok {
			return 0, nil, false
		}
		if i+1 < len(list) && list[i+1].kind == kindDAG {
			continue
		}
		if !c.absent(nots, region.cut(from, max(from, taken[0].off-region.off))) {
			return 0, nil, false
		}
		nots = nil
		last := taken[len(taken)-1]
		from = last.off + len(last.s) - region.off
		taken = nil
	}
	return from, nots, true
}

// dag finds a match that overlaps none of taken, and returns taken with it.
func (c *checker) dag(d prefixed, region slice, from int, taken []slice) ([]slice, bool) {
	for i := 0; ; {
		in := region.from(from)
		at, errs := d.match(in)
		if len(errs) > 0 || c.o.VeryVerbose {
			if !c.result(true, d.prefix, d.pattern, 1, in, at, errs) {
				return nil, false
			}
		}
		if c.o.AllowDeprecatedDagOverlap {
			c.quietResult(d, region, at)
			return merge(taken, at), true
		}
		end := at.off + len(at.s)
		for i < len(taken) && at.off >= taken[i].off+len(taken[i].s) {
			i++
		}
		if i == len(taken) || taken[i].off >= end {
			c.quietResult(d, region, at)
			taken = append(taken, slice{})
			copy(taken[i+1:], taken[i:])
			taken[i] = at
			return taken, true
		}
		c.discarded(taken[i])
		from = taken[i].off + len(taken[i].s) - region.off
		i++
	}
}

// quietResult reports a -DAG match that dag has not reported yet.
func (c *checker) quietResult(d prefixed, region, at slice) {
	if !c.o.VeryVerbose {
		c.result(true, d.prefix, d.pattern, 1, region, at, nil)
	}
}

// merge keeps one range that covers all matches, for overlapping -DAGs.
func merge(taken []slice, at slice) []slice {
	if len(taken) == 0 {
		return []slice{at}
	}
	start := min(taken[0].off, at.off)
	end := max(taken[0].off+len(taken[0].s), at.off+len(at.s))
	return []slice{{at.src, start, at.src.text[start:end]}}
}

// canonical removes the carriage returns of line ends and, unless white space
// is strict, reduces runs of blanks to one space.
func canonical(text string, strict bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case strict || c != ' ' && c != '\t':
			b.WriteByte(c)
		default:
			b.WriteByte(' ')
			for i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				i++
			}
		}
	}
	return b.String()
}
