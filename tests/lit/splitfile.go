package lit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// separator starts a part of a split file: "--- name" after one character or "//".
var separator = regexp.MustCompile(`(?m)^(?:.|//)--- [^\n]*$`)

// splitFile writes the parts of a file into a directory.
func splitFile(p *Proc) int {
	leading := false
	var args []string
	for _, a := range p.Args {
		switch strings.TrimLeft(a, "-") {
		case "leading-lines":
			leading = true
		case "no-leading-lines":
			leading = false
		default:
			args = append(args, a)
		}
	}
	if len(args) != 2 {
		return p.usage("[--leading-lines] FILE DIRECTORY")
	}
	text, err := p.read(args[0])
	if err != nil {
		return p.fail(err)
	}
	parts, err := split(string(text), leading)
	if err != nil {
		p.fail(fmt.Errorf("%s: %w", args[0], err))
		return 1
	}
	dir := p.Path(args[1])
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return p.fail(fmt.Errorf("%s is no directory", args[1]))
	}
	for _, name := range sortedKeys(parts) {
		file := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(file), 0o777)
		if err == nil {
			err = os.WriteFile(file, []byte(parts[name]), 0o666)
		}
		if err != nil {
			return p.fail(err)
		}
	}
	return 0
}

// split divides a text into its named parts. With leading, each part has as
// many empty lines before it as make its line numbers those of the whole.
func split(text string, leading bool) (map[string]string, error) {
	parts := map[string]string{}
	marks := separator.FindAllStringIndex(text, -1)
	if len(marks) == 0 {
		return nil, fmt.Errorf("no part separator was found")
	}
	for i, m := range marks {
		line := strings.Count(text[:m[0]], "\n") + 1
		_, name, _ := strings.Cut(text[m[0]:m[1]], "--- ")
		name = strings.TrimRight(name, "\r")
		switch {
		case name == "" || strings.TrimSpace(name) != name:
			return nil, fmt.Errorf("line %d: part name cannot be empty or have blanks around it", line)
		case !filepath.IsLocal(name):
			return nil, fmt.Errorf("line %d: part name '%s' leads out of the directory", line, name)
		}
		if _, dup := parts[name]; dup {
			return nil, fmt.Errorf("line %d: part '%s' has occurred before", line, name)
		}
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		body := strings.TrimPrefix(text[m[1]:end], "\n")
		if leading {
			body = strings.Repeat("\n", line) + body
		}
		parts[name] = body
	}
	return parts, nil
}
