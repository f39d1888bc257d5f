package lit

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
)

// substitutions maps names, with their '%', to values.
type substitutions struct {
	values   map[string]string
	names    []string // of values, in order of attempt; nil when out of date
	features map[string]bool
}

// maxExpansion limits substitutions that expand to substitutions, and maxLine
// what they may grow to.
const (
	maxExpansion = 20
	maxLine      = 1 << 20
)

// newSubstitutions returns lit's substitutions for a test file, its temporary
// directory, and those of the configuration.
func newSubstitutions(file, dir string, features map[string]bool, own map[string]string) *substitutions {
	base := filepath.Base(file)
	tmp := filepath.Join(dir, base+".tmp")
	s := &substitutions{features: features, values: map[string]string{
		"%{pathsep}":     string(filepath.ListSeparator),
		"%{fs-sep}":      string(filepath.Separator),
		"%{fs-src-root}": filepath.VolumeName(file) + string(filepath.Separator),
		"%{fs-tmp-root}": filepath.VolumeName(tmp) + string(filepath.Separator),
		"%basename_t":    base,
	}}
	paths := map[string]string{"s": file, "S": filepath.Dir(file), "p": filepath.Dir(file), "t": tmp, "T": dir}
	escape := strings.NewReplacer("@", `\@`, "&", `\&`)
	for letter, path := range paths {
		slashed := filepath.ToSlash(path)
		real := path
		if r, err := filepath.EvalSymlinks(path); err == nil {
			real = r
		}
		s.values["%"+letter] = path
		s.values["%/"+letter] = slashed
		s.values["%{"+letter+":real}"] = real
		s.values["%{/"+letter+":real}"] = filepath.ToSlash(real)
		s.values["%{"+letter+":regex_replacement}"] = escape.Replace(path)
		s.values["%{/"+letter+":regex_replacement}"] = escape.Replace(slashed)
		s.values["%:"+letter] = strings.TrimPrefix(strings.Replace(slashed, ":", "", 1), "/")
	}
	for name, value := range own {
		s.values[name] = value
	}
	return s
}

// define applies a DEFINE or REDEFINE step.
func (s *substitutions) define(st *step) error {
	_, exists := s.values[st.name]
	switch {
	case st.keyword == "DEFINE:" && exists:
		return fmt.Errorf("substitution '%s' is already defined before '%s' directive %s", st.name, st.keyword, st.where())
	case st.keyword == "REDEFINE:" && !exists:
		return fmt.Errorf("no substitution for '%s' is defined before '%s' directive %s", st.name, st.keyword, st.where())
	}
	s.values[st.name] = st.value
	s.names = nil
	return nil
}

// percent stands for a literal '%' until all is expanded: commands cannot
// contain it.
const percent = "\x00"

// expand replaces all substitutions in a command.
func (s *substitutions) expand(text string) (string, error) {
	if strings.Contains(text, percent) {
		return "", fmt.Errorf("the command contains a NUL byte")
	}
	for range maxExpansion {
		line, err := s.conditionals(strings.ReplaceAll(text, "%%", percent))
		if err != nil {
			return "", err
		}
		next, changed := s.once(line)
		if !changed {
			if i := strings.Index(next, "%{"); i >= 0 {
				name, _, _ := strings.Cut(next[i:], "}")
				return "", fmt.Errorf("unknown substitution '%s}'; known are %s", name, s.known())
			}
			return strings.TrimSpace(strings.ReplaceAll(next, percent, "%")), nil
		}
		if len(next) > maxLine {
			return "", fmt.Errorf("the command grows beyond %d bytes", maxLine)
		}
		text = next
	}
	return "", fmt.Errorf("recursive substitution did not complete in %d steps: %.200s", maxExpansion, text)
}

// once replaces each substitution by its value.
func (s *substitutions) once(text string) (string, bool) {
	if s.names == nil {
		for name := range s.values {
			s.names = append(s.names, name)
		}
		// The longest first: %basename_t before a %b.
		sort.Slice(s.names, func(i, j int) bool {
			a, b := s.names[i], s.names[j]
			return len(a) > len(b) || len(a) == len(b) && a < b
		})
	}
	var b strings.Builder
	changed := false
scan:
	for text != "" {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		for _, name := range s.names {
			if strings.HasPrefix(text, name) {
				b.WriteString(s.values[name])
				text = text[len(name):]
				changed = true
				continue scan
			}
		}
		b.WriteByte('%')
		text = text[1:]
	}
	b.WriteString(text)
	return b.String(), changed
}

// conditionals chooses the branches of %if cond %{ … %} %else %{ … %}.
func (s *substitutions) conditionals(text string) (string, error) {
	if !strings.Contains(text, "%if ") {
		return text, nil
	}
	result, rest, err := s.branch(text, 0)
	if err == nil && rest != "" {
		err = fmt.Errorf("'%%}' without %%if")
	}
	return result, err
}

// branch expands text up to the "%}" that closes it, or, at depth 0, all of it.
func (s *substitutions) branch(text string, depth int) (result, rest string, err error) {
	if depth > maxNesting {
		return "", "", fmt.Errorf("%%if nested too deeply")
	}
	var b strings.Builder
	for text != "" {
		switch {
		case depth > 0 && strings.HasPrefix(text, "%}"):
			return b.String(), text, nil
		case strings.HasPrefix(text, "%if "):
			chosen, after, err := s.conditional(text[len("%if "):], depth)
			if err != nil {
				return "", "", err
			}
			b.WriteString(chosen)
			text = after
			continue
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
	return b.String(), "", nil
}

// conditional parses one %if after its keyword.
func (s *substitutions) conditional(text string, depth int) (chosen, rest string, err error) {
	cond, text, ok := strings.Cut(text, "%{")
	if !ok {
		return "", "", fmt.Errorf("'%%{' is missing for %%if substitution")
	}
	value, err := evaluate(cond, s.features)
	if err != nil {
		return "", "", err
	}
	yes, text, err := s.branch(text, depth+1)
	if err != nil {
		return "", "", err
	}
	if text, ok = strings.CutPrefix(text, "%}"); !ok {
		return "", "", fmt.Errorf("'%%}' is missing for %%if substitution")
	}
	no := ""
	if after, found := strings.CutPrefix(strings.TrimLeft(text, " \t"), "%else"); found {
		if after, found = strings.CutPrefix(strings.TrimLeft(after, " \t"), "%{"); !found {
			return "", "", fmt.Errorf("'%%{' is missing for %%else substitution")
		}
		if no, text, err = s.branch(after, depth+1); err != nil {
			return "", "", err
		}
		if text, ok = strings.CutPrefix(text, "%}"); !ok {
			return "", "", fmt.Errorf("'%%}' is missing for %%else substitution")
		}
	}
	if value {
		return yes, text, nil
	}
	return no, text, nil
}

// known lists the names in braces, for a message.
func (s *substitutions) known() string {
	var names []string
	for name := range s.values {
		if strings.HasPrefix(name, "%{") && !strings.HasSuffix(name, ":real}") && !strings.HasSuffix(name, ":regex_replacement}") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return strings.Join(names, " ")
}
