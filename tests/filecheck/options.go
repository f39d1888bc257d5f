package filecheck

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Exit codes.
const (
	ExitOK       = 0
	ExitMismatch = 1
	ExitUsage    = 2
)

// Dump says when to dump the input.
type Dump uint8

// The values of --dump-input, the strongest last.
const (
	DumpFail Dump = iota // the default
	DumpNever
	DumpOnFail // fail, given explicitly
	DumpAlways
	DumpHelp
)

// Options are the options of one run.
type Options struct {
	CheckPrefixes    []string // default CHECK
	CommentPrefixes  []string // default COM, RUN
	ImplicitCheckNot []string
	Defines          []string // VAR=text, #VAR=expression

	MatchFullLines            bool
	StrictWhitespace          bool
	IgnoreCase                bool
	AllowEmpty                bool
	AllowUnusedPrefixes       bool
	AllowDeprecatedDagOverlap bool
	EnableVarScope            bool

	Dump        Dump
	DumpFilter  DumpFilter
	DumpContext int // lines
	Verbose     bool
	VeryVerbose bool // implies Verbose
	Color       bool
}

var (
	defaultCheckPrefixes   = []string{"CHECK"}
	defaultCommentPrefixes = []string{"COM", "RUN"}
)

// Run checks input against the directives in the check file and writes what is
// wrong to stderr. The names are for messages.
func Run(o Options, checkName, check, inputName, input string, stderr io.Writer) int {
	p := printer{w: stderr, colour: o.Color}
	o.Verbose = o.Verbose || o.VeryVerbose
	if err := o.validate(); err != nil {
		fmt.Fprintf(stderr, "%v\n", err)
		return ExitUsage
	}
	src := &source{name: checkName, text: canonical(check, o.StrictWhitespace)}
	file, err := readChecks(&o, src)
	var at *patternError
	switch {
	case errors.As(err, &at):
		p.message(at.at.upTo(0), sevError, at.text)
		return ExitUsage
	case err != nil:
		fmt.Fprintf(stderr, "error: %v\n", err)
		return ExitUsage
	}
	if input == "" && !o.AllowEmpty {
		fmt.Fprintf(stderr, "FileCheck error: '%s' is empty.\n", inputName)
		return ExitUsage
	}
	in := &source{name: inputName, text: canonical(input, o.StrictWhitespace)}
	r := &reporter{printer: p, o: &o, collect: o.Dump != DumpNever}
	c := checker{o: &o, file: file, reporter: r}
	code := ExitOK
	if !c.run(in.all()) {
		code = ExitMismatch
	}
	if o.Dump == DumpAlways || code == ExitMismatch && o.Dump != DumpNever {
		filter := o.DumpFilter
		if filter == FilterDefault {
			filter = FilterError
			if o.Dump == DumpAlways {
				filter = FilterAll
			}
		}
		fmt.Fprintf(stderr, "\nInput file: %s\nCheck file: %s\n\n-dump-input=help explains the following input dump.\n\n", inputName, checkName)
		r.dumpInput(file, in, filter)
	}
	return code
}

// validate checks prefixes and the form of definitions.
func (o *Options) validate() error {
	seen := map[string]bool{}
	kinds := [...]struct {
		name            string
		given, defaults []string
	}{
		{"check", o.CheckPrefixes, defaultCheckPrefixes},
		{"comment", o.CommentPrefixes, defaultCommentPrefixes},
	}
	for _, k := range kinds {
		if len(k.given) == 0 {
			for _, p := range k.defaults {
				seen[p] = true
			}
		}
	}
	for _, k := range kinds {
		for _, p := range k.given {
			switch {
			case p == "":
				return fmt.Errorf("error: supplied %s prefix must not be the empty string", k.name)
			case wordLength(p) != len(p):
				return fmt.Errorf("error: supplied %s prefix must start with a letter and contain only alphanumeric characters, hyphens, and underscores: '%s'", k.name, p)
			case seen[p]:
				return fmt.Errorf("error: supplied %s prefix must be unique among check and comment prefixes: '%s'", k.name, p)
			}
			seen[p] = true
		}
	}
	for _, d := range o.Defines {
		switch strings.IndexByte(d, '=') {
		case -1:
			return usagef("Missing equal sign in command-line definition '-D%s'", d)
		case 0:
			return usagef("Missing variable name in command-line definition '-D%s'", d)
		}
	}
	return nil
}

// Env is what a command sees of the world around it.
type Env struct {
	Dir            string              // relative file names start here; "" is the process's directory
	Getenv         func(string) string // nil: os.Getenv
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Main is the FileCheck command in the process's directory and environment.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return MainIn(Env{Stdin: stdin, Stdout: stdout, Stderr: stderr}, args)
}

// MainIn is the FileCheck command. args do not include its name.
func MainIn(env Env, args []string) int {
	getenv := env.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	c := commandLine{Options: Options{DumpContext: -1}}
	err := c.parse(append(strings.Fields(getenv("FILECHECK_OPTS")), args...))
	switch {
	case err != nil:
		fmt.Fprintf(env.Stderr, "FileCheck: %v\n", err)
		return ExitUsage
	case c.help:
		io.WriteString(env.Stdout, help())
		return ExitOK
	case c.Dump == DumpHelp:
		io.WriteString(env.Stdout, dumpHelp)
		return ExitOK
	case c.file == "":
		io.WriteString(env.Stderr, "<check-file> not specified\n")
		return ExitUsage
	}
	if c.DumpContext < 0 {
		c.DumpContext = defaultContext
	}
	check, err := env.read(c.file)
	if err != nil {
		fmt.Fprintf(env.Stderr, "Could not open check file '%s': %v\n", c.file, err)
		return ExitUsage
	}
	input, err := env.read(c.input)
	if err != nil {
		fmt.Fprintf(env.Stderr, "Could not open input file '%s': %v\n", c.input, err)
		return ExitUsage
	}
	code := Run(c.Options, displayName(c.file), check, displayName(c.input), input, env.Stderr)
	if input == "" && !c.AllowEmpty && code == ExitUsage {
		fmt.Fprintf(env.Stderr, "FileCheck command line: FileCheck %s\n", strings.Join(args, " "))
	}
	return code
}

// ParseArgs parses the arguments of the command. It is for programs that write
// check files and need to know what a FileCheck command would read.
func ParseArgs(args []string) (o Options, checkFile, inputFile string, err error) {
	c := commandLine{Options: Options{DumpContext: defaultContext}}
	err = c.parse(args)
	return c.Options, c.file, c.input, err
}

const defaultContext = 5

func displayName(file string) string {
	if file == "-" || file == "" {
		return "<stdin>"
	}
	return file
}

func (e *Env) read(file string) (string, error) {
	if file == "-" || file == "" {
		b, err := io.ReadAll(e.Stdin)
		return string(b), err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(e.Dir, file)
	}
	b, err := os.ReadFile(file)
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return string(b), err
}

// commandLine is a parsed command line.
type commandLine struct {
	Options
	file, input string
	help        bool
}

// option is a command line option. One of the functions is set.
type option struct {
	name string
	doc  string
	flag func(c *commandLine) *bool
	set  func(c *commandLine, value string) error
}

func list(field func(c *commandLine) *[]string, split bool) func(*commandLine, string) error {
	return func(c *commandLine, v string) error {
		values := []string{v}
		if split {
			values = strings.Split(v, ",")
		}
		*field(c) = append(*field(c), values...)
		return nil
	}
}

func prefixList(c *commandLine) *[]string { return &c.CheckPrefixes }

// options is the table of options; filled by init because help prints it.
var options = []option{
	{name: "check-prefix", doc: "prefix of directives (CHECK)", set: list(prefixList, true)},
	{name: "check-prefixes", doc: "several, separated by commas", set: list(prefixList, true)},
	{name: "comment-prefixes", doc: "prefixes of comments (COM,RUN)", set: list(func(c *commandLine) *[]string { return &c.CommentPrefixes }, true)},
	{name: "implicit-check-not", doc: "pattern that must not occur between positive matches", set: list(func(c *commandLine) *[]string { return &c.ImplicitCheckNot }, false)},
	{name: "D", doc: "VAR=TEXT or #VAR=EXPRESSION: define a variable", set: list(func(c *commandLine) *[]string { return &c.Defines }, false)},
	{name: "input-file", doc: "file to check (standard input)", set: func(c *commandLine, v string) error { c.input = v; return nil }},
	{name: "match-full-lines", doc: "a positive match must be a whole line", flag: func(c *commandLine) *bool { return &c.MatchFullLines }},
	{name: "strict-whitespace", doc: "do not treat all horizontal white space alike", flag: func(c *commandLine) *bool { return &c.StrictWhitespace }},
	{name: "ignore-case", doc: "ignore the case of letters", flag: func(c *commandLine) *bool { return &c.IgnoreCase }},
	{name: "allow-empty", doc: "the input may be empty", flag: func(c *commandLine) *bool { return &c.AllowEmpty }},
	{name: "allow-unused-prefixes", doc: "prefixes need not occur", flag: func(c *commandLine) *bool { return &c.AllowUnusedPrefixes }},
	{name: "allow-deprecated-dag-overlap", doc: "matches of -DAGs may overlap", flag: func(c *commandLine) *bool { return &c.AllowDeprecatedDagOverlap }},
	{name: "enable-var-scope", doc: "forget variables without '$' at each -LABEL", flag: func(c *commandLine) *bool { return &c.EnableVarScope }},
	{name: "dump-input", doc: "help, always, fail or never: when to dump the input", set: setDump},
	{name: "dump-input-context", doc: "lines of context in the dump", set: setContext},
	{name: "dump-input-filter", doc: "all, annotation-full, annotation or error: lines in the dump", set: setFilter},
	{name: "v", doc: "report matches", flag: func(c *commandLine) *bool { return &c.Verbose }},
	{name: "vv", doc: "report still more", flag: func(c *commandLine) *bool { return &c.VeryVerbose }},
	{name: "color", doc: "use colours", flag: func(c *commandLine) *bool { return &c.Color }},
	{name: "help", doc: "this text", flag: func(c *commandLine) *bool { return &c.help }},
}

func setDump(c *commandLine, v string) error {
	values := map[string]Dump{"help": DumpHelp, "always": DumpAlways, "fail": DumpOnFail, "never": DumpNever}
	d, ok := values[v]
	if !ok {
		return usagef("for the --dump-input option: Cannot find option named '%s'!", v)
	}
	c.Dump = max(c.Dump, d) // the strongest of several
	return nil
}

func setFilter(c *commandLine, v string) error {
	values := map[string]DumpFilter{"all": FilterAll, "annotation-full": FilterAnnotationFull, "annotation": FilterAnnotation, "error": FilterError}
	f, ok := values[v]
	if !ok {
		return usagef("for the --dump-input-filter option: Cannot find option named '%s'!", v)
	}
	if c.DumpFilter == FilterDefault || f < c.DumpFilter {
		c.DumpFilter = f
	}
	return nil
}

func setContext(c *commandLine, v string) error {
	n, err := strconv.ParseUint(v, 0, 31)
	if err != nil {
		return usagef("for the --dump-input-context option: '%s' value invalid for uint argument!", v)
	}
	c.DumpContext = max(c.DumpContext, int(n))
	return nil
}

func help() string {
	var b strings.Builder
	b.WriteString("USAGE: FileCheck [options] <check-file>\n\n")
	for _, o := range options {
		fmt.Fprintf(&b, "  --%-30s %s\n", o.name, o.doc)
	}
	return b.String()
}

func (c *commandLine) parse(args []string) error {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			if c.file != "" {
				return fmt.Errorf("too many positional arguments: '%s'", arg)
			}
			c.file = arg
			continue
		}
		if arg == "--" {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
		name, value, hasValue := strings.Cut(name, "=")
		o := findOption(name)
		if o == nil && strings.HasPrefix(arg, "-D") {
			o, value, hasValue = findOption("D"), arg[len("-D"):], true
		}
		if o == nil {
			return usagef("Unknown command line argument '%s'.  Try: 'FileCheck --help'", arg)
		}
		if o.flag != nil {
			on, err := strconv.ParseBool(value)
			if hasValue && err != nil {
				return usagef("for the --%s option: '%s' is invalid value for boolean argument! Try 0 or 1", o.name, value)
			}
			*o.flag(c) = on || !hasValue
			continue
		}
		if o.name == "D" && name == "D" { // a prefix: the value follows at once
			if value = strings.TrimPrefix(arg, "-D"); value == "" || strings.HasPrefix(arg, "--") {
				return usageError("for the -D option: requires a value!")
			}
			hasValue = true
		}
		if !hasValue {
			if i++; i == len(args) {
				return usagef("for the --%s option: requires a value!", o.name)
			}
			value = args[i]
		}
		if err := o.set(c, value); err != nil {
			return err
		}
	}
	return nil
}

func findOption(name string) *option {
	for i := range options {
		if options[i].name == name {
			return &options[i]
		}
	}
	return nil
}
