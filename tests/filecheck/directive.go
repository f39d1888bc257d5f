package filecheck

import (
	"fmt"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// check is a positive directive with the -DAG and -NOT directives before it.
type check struct {
	pattern *pattern
	prefix  string
	before  []prefixed
}

type prefixed struct {
	*pattern
	prefix string
}

// usageError is an error in the options, or in the check file without a place
// in it. Its text is LLVM's.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// checkFile is a parsed check file.
type checkFile struct {
	src      *source
	checks   []check
	vars     *variables
	implicit []*source // one for each --implicit-check-not
}

// readChecks parses all the directives of a check file.
func readChecks(o *Options, src *source) (*checkFile, error) {
	f := &checkFile{src: src, vars: newVariables()}
	if err := f.vars.predefine(o.Defines); err != nil {
		return nil, err
	}
	f.vars.line = &numericVar{name: "@LINE", format: format{verb: 'u'}}
	f.vars.numeric["@LINE"] = f.vars.line
	var nots []prefixed
	for _, text := range o.ImplicitCheckNot {
		// A made-up source shows which option a diagnostic is about.
		const open = "-implicit-check-not='"
		s := &source{name: "command line", text: open + text + "'"}
		f.implicit = append(f.implicit, s)
		p := &pattern{kind: kindNot, count: 1, vars: f.vars}
		if err := p.parse(s.all().cut(len(open), len(open)+len(text)), "IMPLICIT-CHECK", o); err != nil {
			return nil, err
		}
		nots = append(nots, prefixed{p, "IMPLICIT-CHECK"})
	}
	r := reader{o: o, file: f, rest: src.all(), line: 1, implicit: nots, pending: nots, used: map[string]bool{}}
	r.prefixes()
	for {
		more, err := r.directive()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	if err := r.unused(); err != nil {
		return nil, err
	}
	if len(r.pending) > 0 {
		// The end of the input closes the region of trailing -NOTs and -DAGs.
		end := &pattern{kind: kindEOF, count: 1, vars: f.vars, line: r.line + 1, at: r.rest}
		f.checks = append(f.checks, check{end, r.checkPrefixes[0], r.pending})
	}
	return f, nil
}

// reader finds the directives of a check file one after the other.
type reader struct {
	o             *Options
	file          *checkFile
	rest          slice
	line          int
	implicit      []prefixed
	pending       []prefixed // -DAGs and -NOTs for the next positive directive
	checkPrefixes []string
	comment       map[string]bool
	all           []string // all prefixes, longest first
	nextAt        []int    // where each of all occurs next, as offset in the source
	foreign       map[string]bool
	used          map[string]bool
}

// namesPrefixes matches the option with which RUN lines name prefixes.
var namesPrefixes = regexp.MustCompile(`-check-prefix(?:es)?[= ]["']?([A-Za-z0-9_,-]+)`)

func (r *reader) prefixes() {
	r.checkPrefixes = r.o.CheckPrefixes
	if len(r.checkPrefixes) == 0 {
		r.checkPrefixes = defaultCheckPrefixes
	}
	comments := r.o.CommentPrefixes
	if len(comments) == 0 {
		comments = defaultCommentPrefixes
	}
	r.comment = map[string]bool{}
	for _, p := range comments {
		r.comment[p] = true
	}
	r.all = append(append(r.all, r.checkPrefixes...), comments...)
	sort.SliceStable(r.all, func(i, j int) bool { return len(r.all[i]) > len(r.all[j]) })
	r.nextAt = make([]int, len(r.all))
	for i := range r.nextAt {
		r.nextAt[i] = -1
	}
	r.foreign = map[string]bool{}
	for _, m := range namesPrefixes.FindAllStringSubmatch(r.file.src.text, -1) {
		for _, p := range strings.Split(m[1], ",") {
			r.foreign[p] = true
		}
	}
}

// nextPrefix finds the first occurrence of a prefix, the longest of several.
func (r *reader) nextPrefix() (prefix string, at int) {
	at = math.MaxInt
	for i, p := range r.all {
		if r.nextAt[i] < r.rest.off {
			j := strings.Index(r.rest.s, p)
			if j < 0 {
				r.nextAt[i] = math.MaxInt
			} else {
				r.nextAt[i] = r.rest.off + j
			}
		}
		if r.nextAt[i] < at {
			prefix, at = p, r.nextAt[i]
		}
	}
	return prefix, at
}

func isWord(c byte) bool { return isAlpha(c) || isDigit(c) || c == '-' || c == '_' }

func wordLength(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return n
}

// directive finds and parses the next directive.
func (r *reader) directive() (more bool, err error) {
	for {
		prefix, at := r.nextPrefix()
		if prefix == "" {
			return false, nil
		}
		skipped := r.rest.s[:at-r.rest.off]
		r.line += strings.Count(skipped, "\n")
		r.rest = r.rest.from(len(skipped))
		if at == 0 || !isWord(r.file.src.text[at-1]) {
			word := r.rest
			// The longest prefix need not be the one whose directive it is.
			for i, p := range r.all {
				if r.nextAt[i] != at {
					continue
				}
				head, err := r.head(p)
				if err != nil {
					return false, err
				}
				if head != nil {
					return true, r.body(head, word, p)
				}
			}
		}
		r.rest = r.rest.from(max(len(prefix), wordLength(r.rest.s)))
	}
}

// head parses a directive up to its colon and leaves r.rest after that. It
// returns nil if there is no directive.
func (r *reader) head(prefix string) (*pattern, error) {
	s := r.rest.from(len(prefix))
	p := &pattern{count: 1, vars: r.file.vars, line: r.line}
	if r.comment[prefix] {
		if !s.eat(":") {
			return nil, nil
		}
		p.kind = kindComment
		r.rest = s
		return p, nil
	}
	end := wordLength(r.rest.s)
	if len(r.rest.s) > len(prefix) && isWord(s.s[0]) && s.s[0] != '-' && s.s[0] != '_' {
		return nil, nil // the prefix is the start of another word
	}
	if r.isForeign(r.rest.s[:end]) {
		return nil, nil
	}
	suffix := r.rest.cut(len(prefix), end)
	after := r.rest.from(end)
	colon := after
	modifier, ok := takeColon(&colon)
	if !ok {
		return nil, nil
	}
	if err := p.setKind(suffix, r.rest.cut(0, end), prefix); err != nil {
		return nil, err
	}
	if strings.HasPrefix(after.s, " ") || strings.HasPrefix(after.s, "\t") {
		return nil, errorAt(r.rest.upTo(0), "misspelled directive '%s': blank before the colon", r.rest.s[:colon.off-r.rest.off])
	}
	switch modifier {
	case "":
	case "LITERAL":
		p.literal = true
	default:
		return nil, errorAt(after.upTo(0), "unknown modifier '{%s}' of directive '%s'", modifier, r.rest.s[:end])
	}
	r.rest = colon
	return p, nil
}

// takeColon takes "{MODIFIERS}:" or ":", after blanks, off the front of s.
func takeColon(s *slice) (modifier string, ok bool) {
	t := s.trimLeft()
	if t.eat("{") {
		end := strings.IndexAny(t.s, "}\n")
		if end < 0 || t.s[end] == '\n' || !strings.HasPrefix(t.s[end:], "}:") {
			return "", false
		}
		var names []string
		for _, m := range strings.Split(t.s[:end], ",") {
			if m = strings.TrimSpace(m); m != "LITERAL" || len(names) == 0 {
				names = append(names, m)
			}
		}
		*s = t.from(end + 2)
		return strings.Join(names, ","), true
	}
	if !t.eat(":") {
		return "", false
	}
	*s = t
	return "", true
}

// isForeign reports whether word is a directive of a prefix that the check file
// names for another run.
func (r *reader) isForeign(word string) bool {
	for _, p := range r.checkPrefixes {
		if word == p {
			return false
		}
	}
	if r.foreign[word] {
		return true
	}
	for _, k := range kinds[kindNext : kindEmpty+1] {
		if base, ok := strings.CutSuffix(word, k.suffix); ok && r.foreignBase(base) {
			return true
		}
	}
	if i := strings.LastIndex(word, "-COUNT-"); i >= 0 {
		return r.foreignBase(word[:i])
	}
	return false
}

func (r *reader) foreignBase(base string) bool {
	for _, p := range r.checkPrefixes {
		if base == p {
			return false
		}
	}
	return r.foreign[base]
}

// setKind interprets what stands between prefix and colon.
func (p *pattern) setKind(suffix, word slice, prefix string) error {
	for k := kindPlain; k <= kindEmpty; k++ {
		if suffix.s == kinds[k].suffix {
			p.kind = k
			return nil
		}
	}
	if count, ok := strings.CutPrefix(suffix.s, "-COUNT-"); ok {
		digits := len(count) - len(strings.TrimLeft(count, "0123456789"))
		n, err := strconv.ParseInt(count[:digits], 10, 64)
		if err != nil {
			digits = 0
		}
		if digits != len(count) || n <= 0 || n > math.MaxInt32 {
			return errorAt(suffix.from(len("-COUNT-")+digits).upTo(0), "invalid count in -COUNT specification on prefix '%s'", prefix)
		}
		p.count = int(n)
		return nil
	}
	for k := kindNext; k <= kindEmpty; k++ {
		if name := kinds[k].suffix; suffix.s == name+"-NOT" || suffix.s == "-NOT"+name {
			return errorAt(suffix.from(1).upTo(0), "unsupported -NOT combo on prefix '%s'", prefix)
		}
	}
	return errorAt(word.upTo(0), "misspelled directive '%s:'%s", word.s, didYouMean(suffix.s, prefix))
}

// didYouMean names the nearest directive if it is near.
func didYouMean(suffix, prefix string) string {
	best, limit := "", 3
	for _, k := range kinds[:kindEmpty+1] {
		if d := editDistance(strings.ToUpper(suffix), k.suffix, limit); d < limit {
			best, limit = prefix+k.suffix+":", d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean '%s'?", best)
}

// body parses the rest of a directive's line.
func (r *reader) body(p *pattern, word slice, prefix string) error {
	if !r.o.StrictWhitespace || !r.o.MatchFullLines {
		r.rest = r.rest.trimLeft()
	}
	end := strings.IndexAny(r.rest.s, "\n\r")
	if end < 0 {
		end = len(r.rest.s)
	}
	text := r.rest.upTo(end)
	r.rest = r.rest.from(end)
	if p.kind == kindComment {
		return nil
	}
	r.used[prefix] = true
	if err := p.parse(text, prefix, r.o); err != nil {
		return err
	}
	if p.kind == kindLabel && p.usesVariables() {
		return errorAt(word.upTo(0), "found '%s-LABEL:' with variable definition or use", prefix)
	}
	switch p.kind {
	case kindNext, kindSame, kindEmpty:
		if len(r.file.checks) == 0 {
			return errorAt(word.upTo(0), "found '%s%s' without previous '%s: line", prefix, kinds[p.kind].suffix, prefix)
		}
	case kindDAG, kindNot:
		r.pending = append(r.pending[:len(r.pending):len(r.pending)], prefixed{p, prefix})
		return nil
	}
	r.file.checks = append(r.file.checks, check{p, prefix, r.pending})
	r.pending = r.implicit
	return nil
}

// unused complains about prefixes that occur nowhere.
func (r *reader) unused() error {
	var missing []string
	for _, p := range r.checkPrefixes {
		if !r.used[p] {
			missing = append(missing, "'"+p+":'")
		}
	}
	none := len(missing) == len(r.checkPrefixes)
	if !none && (r.o.AllowUnusedPrefixes || len(missing) == 0) {
		return nil
	}
	if len(r.implicit) > 0 && len(r.o.CheckPrefixes) == 0 {
		return nil
	}
	sort.Strings(missing)
	noun := "prefix "
	if len(missing) > 1 {
		noun = "prefixes "
	}
	return usageError("no check strings found with " + noun + strings.Join(missing, ", "))
}

// predefine enters the variables of -D and -D#.
func (v *variables) predefine(defines []string) error {
	src := &source{name: "Global defines"}
	starts := make([]int, len(defines))
	for i, d := range defines {
		src.text += fmt.Sprintf("Global define #%d: %s", i+1, d)
		starts[i] = len(src.text) - len(d)
		if strings.HasPrefix(d, "#") {
			src.text += " (parsed as: [["
			starts[i] = len(src.text)
			src.text += strings.Replace(d, "=", ":", 1) + "]])"
		}
		src.text += "\n"
	}
	for i, d := range defines {
		s := src.all().cut(starts[i], starts[i]+len(d))
		var err error
		if s.eat("#") {
			err = v.predefineNumber(s)
		} else {
			err = v.predefineString(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (v *variables) predefineNumber(s slice) error {
	p := numberParser{vars: v}
	expr, def, err := p.block(s)
	if err != nil {
		return err
	}
	if expr.code == nil || def == nil {
		return errorAt(s, "missing value in global definition")
	}
	value, errs := expr.eval()
	if errs != nil {
		if u, ok := errs[0].(undefined); ok {
			return errorAt(u.at, "%v", u)
		}
		return errorAt(s, "%v", errs[0])
	}
	def.value = value
	v.numeric[def.name] = def
	return nil
}

func (v *variables) predefineString(s slice) error {
	value := s
	name, pseudo, err := takeName(&value)
	if err != nil {
		return err
	}
	if pseudo || !strings.HasPrefix(value.s, "=") {
		head, _, _ := strings.Cut(s.s, "=")
		return errorAt(s, "invalid name in string variable definition '%s'", head)
	}
	if v.numeric[name.s] != nil {
		return errorAt(name, "numeric variable with name '%s' already exists", name.s)
	}
	if _, ok := v.values[name.s]; !ok { // the first definition of a name counts
		v.values[name.s] = capture{text: value.s[1:]}
	}
	v.defined[name.s] = true
	return nil
}
