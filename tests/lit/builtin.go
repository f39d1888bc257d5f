package lit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// builtins are the commands that every script has. The shell's own (cd, env,
// export, not, popd, pushd) are in shell.go.
var builtins = map[string]Command{
	":":          func(*Proc) int { return 0 },
	"true":       func(*Proc) int { return 0 },
	"false":      func(*Proc) int { return 1 },
	"echo":       echo,
	"cat":        cat,
	"count":      count,
	"cp":         copyFiles,
	"mv":         moveFile,
	"touch":      touch,
	"mkdir":      mkdir,
	"rm":         rm,
	"cmp":        compare,
	"diff":       diff,
	"grep":       grep,
	"split-file": splitFile,
	"FileCheck":  FileCheck,
}

// fail reports an error and returns the exit code for it.
func (p *Proc) fail(err error) int {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = fmt.Errorf("%s: %w", pathErr.Path, pathErr.Err)
	}
	fmt.Fprintf(p.Stderr, "%s: %v\n", p.Name, err)
	return usage
}

func (p *Proc) usage(text string) int {
	fmt.Fprintf(p.Stderr, "usage: %s %s\n", p.Name, text)
	return usage
}

// flags splits single-letter flags off the arguments.
func (p *Proc) flags(allowed string) (flags string, rest []string, err error) {
	rest = p.Args
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			break
		}
		for _, f := range arg[1:] {
			if !strings.ContainsRune(allowed, f) {
				return "", nil, fmt.Errorf("unsupported option '%s'", arg)
			}
		}
		flags += arg[1:]
	}
	return flags, rest, nil
}

// read returns a file's content; "-" is the standard input.
func (p *Proc) read(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(p.Stdin)
	}
	return os.ReadFile(p.Path(name))
}

var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\0`, "\x00", `\"`, `"`, `\'`, "'")

func echo(p *Proc) int {
	args := p.Args
	newline, unescape := "\n", false
	for len(args) > 0 && (args[0] == "-n" || args[0] == "-e") {
		if args[0] == "-n" {
			newline = ""
		} else {
			unescape = true
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if unescape {
		text = escapes.Replace(text)
	}
	io.WriteString(p.Stdout, text+newline)
	return 0
}

func cat(p *Proc) int {
	names := p.Args
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		b, err := p.read(name)
		if err != nil {
			return p.fail(err)
		}
		p.Stdout.Write(b)
	}
	return 0
}

// count checks that the standard input has so many lines.
func count(p *Proc) int {
	if len(p.Args) != 1 {
		return p.usage("<expected line count>")
	}
	want, err := strconv.Atoi(p.Args[0])
	if err != nil {
		return p.fail(fmt.Errorf("invalid line count '%s'", p.Args[0]))
	}
	text, err := io.ReadAll(p.Stdin)
	if err != nil {
		return p.fail(err)
	}
	if got := bytes.Count(text, []byte("\n")); got != want {
		fmt.Fprintf(p.Stderr, "Expected %d lines, got %d.\n", want, got)
		return 1
	}
	return 0
}

func copyFiles(p *Proc) int {
	flags, args, err := p.flags("fr")
	if err != nil {
		return p.fail(err)
	}
	if len(args) < 2 {
		return p.usage("[-fr] SOURCE... TARGET")
	}
	target := p.Path(args[len(args)-1])
	info, err := os.Stat(target)
	into := err == nil && info.IsDir()
	if len(args) > 2 && !into {
		return p.fail(fmt.Errorf("%s is no directory", args[len(args)-1]))
	}
	for _, name := range args[:len(args)-1] {
		source, to := p.Path(name), target
		if into {
			to = filepath.Join(target, filepath.Base(source))
		}
		if err := copyTree(source, to, strings.Contains(flags, "r")); err != nil {
			return p.fail(err)
		}
	}
	return 0
}

func copyTree(from, to string, recursive bool) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if !recursive {
			return fmt.Errorf("%s is a directory", from)
		}
		return os.CopyFS(to, os.DirFS(from))
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o666)
}

func moveFile(p *Proc) int {
	_, args, err := p.flags("f")
	if err != nil {
		return p.fail(err)
	}
	if len(args) != 2 {
		return p.usage("[-f] SOURCE TARGET")
	}
	target := p.Path(args[1])
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		target = filepath.Join(target, filepath.Base(args[0]))
	}
	if err := os.Rename(p.Path(args[0]), target); err != nil {
		return p.fail(err)
	}
	return 0
}

func touch(p *Proc) int {
	for _, name := range p.Args {
		f, err := os.OpenFile(p.Path(name), os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return p.fail(err)
		}
		f.Close()
	}
	return 0
}

func mkdir(p *Proc) int {
	flags, args, err := p.flags("p")
	if err != nil {
		return p.fail(err)
	}
	if len(args) == 0 {
		return p.usage("[-p] DIRECTORY...")
	}
	for _, name := range args {
		make := os.Mkdir
		if flags != "" {
			make = os.MkdirAll
		}
		if err := make(p.Path(name), 0o777); err != nil {
			return p.fail(err)
		}
	}
	return 0
}

func rm(p *Proc) int {
	flags, args, err := p.flags("frR")
	if err != nil {
		return p.fail(err)
	}
	force, recursive := strings.Contains(flags, "f"), strings.ContainsAny(flags, "rR")
	for _, name := range args {
		info, err := os.Lstat(p.Path(name))
		switch {
		case err != nil && force:
			continue
		case err != nil:
		case info.IsDir() && !recursive:
			err = fmt.Errorf("cannot remove '%s': it is a directory", name)
		default:
			err = os.RemoveAll(p.Path(name))
		}
		if err != nil {
			p.fail(err)
			return 1
		}
	}
	return 0
}

// readTwo reads the two files that cmp and diff compare.
func (p *Proc) readTwo(names []string) (a, b []byte, err error) {
	if len(names) != 2 || names[0] == "-" && names[1] == "-" {
		return nil, nil, fmt.Errorf("needs two files")
	}
	if a, err = p.read(names[0]); err == nil {
		b, err = p.read(names[1])
	}
	return a, b, err
}

func compare(p *Proc) int {
	flags, args, err := p.flags("s")
	if err != nil {
		return p.fail(err)
	}
	a, b, err := p.readTwo(args)
	if err != nil {
		return p.fail(err)
	}
	if bytes.Equal(a, b) {
		return 0
	}
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	if flags == "" {
		fmt.Fprintf(p.Stdout, "%s %s differ: byte %d, line %d\n", args[0], args[1], at+1, bytes.Count(a[:at], []byte("\n"))+1)
	}
	return 1
}

// diff shows differences as a unified diff, whatever form is asked for.
func diff(p *Proc) int {
	strip := false
	var rest []string
	for _, a := range p.Args {
		if a == "--strip-trailing-cr" {
			strip = true
		} else {
			rest = append(rest, a)
		}
	}
	q := *p
	q.Args = rest
	flags, args, err := q.flags("ubBwraU0123456789")
	if err != nil {
		return p.fail(err)
	}
	if strings.Contains(flags, "r") && len(args) == 2 {
		return p.diffTrees(args[0], args[1])
	}
	a, b, err := p.readTwo(args)
	if err != nil {
		return p.fail(err)
	}
	return p.diffTexts(args[0], args[1], normalize(string(a), flags, strip), normalize(string(b), flags, strip))
}

var blankRuns = regexp.MustCompile(`[ \t]+`)

func normalize(text, flags string, stripCR bool) string {
	if stripCR {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for _, line := range lines {
		body, newline := strings.CutSuffix(line, "\n")
		switch {
		case strings.Contains(flags, "w"):
			body = blankRuns.ReplaceAllString(body, "")
		case strings.Contains(flags, "b"):
			body = strings.TrimRight(blankRuns.ReplaceAllString(body, " "), " ")
		}
		if newline {
			if body == "" && strings.Contains(flags, "B") {
				continue
			}
			body += "\n"
		}
		b.WriteString(body)
	}
	return b.String()
}

func (p *Proc) diffTexts(nameA, nameB, a, b string) int {
	if a == b {
		return 0
	}
	const maxDiff = 1 << 20 // beyond, only say that they differ
	if len(a)+len(b) > maxDiff {
		fmt.Fprintf(p.Stdout, "%s and %s differ\n", nameA, nameB)
	} else {
		io.WriteString(p.Stdout, udiff.Unified(nameA, nameB, a, b))
	}
	return 1
}

func (p *Proc) diffTrees(nameA, nameB string) int {
	code := 0
	names := map[string]int{}
	for i, root := range []string{nameA, nameB} {
		err := filepath.WalkDir(p.Path(root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(p.Path(root), path)
			names[rel] |= 1 << i
			return err
		})
		if err != nil {
			return p.fail(err)
		}
	}
	for _, rel := range sortedKeys(names) {
		a, b := filepath.Join(nameA, rel), filepath.Join(nameB, rel)
		if in := names[rel]; in != 3 {
			only := nameA
			if in == 2 {
				only = nameB
			}
			fmt.Fprintf(p.Stdout, "Only in %s: %s\n", only, rel)
			code = 1
			continue
		}
		ta, tb, err := p.readTwo([]string{a, b})
		if err != nil {
			return p.fail(err)
		}
		if p.diffTexts(a, b, string(ta), string(tb)) != 0 {
			code = 1
		}
	}
	return code
}

// grep knows -c -E -F -i -n -o -q -v and -e; regular expressions are Go's.
func grep(p *Proc) int {
	flags, args, err := p.flags("cEFinoqve")
	if err != nil {
		return p.fail(err)
	}
	if len(args) == 0 {
		return p.usage("[-cEFinoqv] PATTERN [FILE...]")
	}
	pattern := args[0]
	if strings.Contains(flags, "F") {
		pattern = regexp.QuoteMeta(pattern)
	}
	if strings.Contains(flags, "i") {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return p.fail(err)
	}
	names := args[1:]
	if len(names) == 0 {
		names = []string{"-"}
	}
	total := 0
	for _, name := range names {
		b, err := p.read(name)
		if err != nil {
			return p.fail(err)
		}
		label := ""
		if len(names) > 1 {
			label = name + ":"
		}
		total += p.grepText(re, string(b), label, flags)
	}
	if total == 0 {
		return 1
	}
	return 0
}

func (p *Proc) grepText(re *regexp.Regexp, text, label, flags string) int {
	found := 0
	s := bufio.NewScanner(strings.NewReader(text))
	s.Buffer(nil, len(text)+1)
	for n := 1; s.Scan(); n++ {
		line := s.Text()
		if re.MatchString(line) == strings.Contains(flags, "v") {
			continue
		}
		found++
		if strings.ContainsAny(flags, "qc") {
			continue
		}
		if strings.Contains(flags, "o") {
			line = strings.Join(re.FindAllString(line, -1), "\n")
		}
		if strings.Contains(flags, "n") {
			line = strconv.Itoa(n) + ":" + line
		}
		fmt.Fprintln(p.Stdout, label+line)
	}
	if strings.Contains(flags, "c") {
		fmt.Fprintln(p.Stdout, label+strconv.Itoa(found))
	}
	return found
}
