package asm

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/pisa"
	"pisac/ir"
)

// The tables testdata/isa.tsv and isa_llvm.tsv describe every instruction form
// independently of the dialect's table. This file reads them and says of any
// instruction whether it is valid; the parser must agree.

type isaQual struct {
	name     string
	values   []string
	optional bool
	def      string
}

type isaArg struct {
	name     string
	kinds    []string
	width    string
	shape    string
	optional bool
}

type isaForm struct {
	mnemonic, name string
	quals          []isaQual
	args           []isaArg
	clauses        []string
	since10        bool
}

var isaArgRE = regexp.MustCompile(`^([a-z0-9-]+)(\??):([^:]+):([^:]+):([^:]+)$`)

func readISA(t *testing.T) map[string][]isaForm {
	forms := make(map[string][]isaForm)
	count := 0
	for _, file := range []string{"isa.tsv", "isa_llvm.tsv"} {
		data, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n")[1:] {
			col := strings.Split(line, "\t")
			f := isaForm{mnemonic: col[0], name: col[1]}
			quals, args := "", ""
			if file == "isa.tsv" {
				quals, args = col[4], col[5]
				for _, c := range strings.Split(col[6], ";") {
					if c != "" {
						f.clauses = append(f.clauses, c)
					}
				}
			} else {
				quals, args, f.since10 = col[2], col[3], true
				if args == "as ubfe" {
					for _, u := range forms["ubfe"] {
						f.args = u.args
					}
					args = ""
				}
				args = strings.ReplaceAll(args, "notpred", "pred/notpred")
			}
			for _, q := range strings.Fields(quals) {
				f.quals = append(f.quals, readISAQual(q))
			}
			if args != "" {
				for _, a := range strings.Split(args, ", ") {
					m := isaArgRE.FindStringSubmatch(a)
					require.NotNil(t, m, "%s: operand %q", f.mnemonic, a)
					f.args = append(f.args, isaArg{m[1], strings.Split(m[3], "/"), m[4], m[5], m[2] != ""})
				}
			}
			forms[f.mnemonic] = append(forms[f.mnemonic], f)
			count++
		}
	}
	require.Equal(t, 143+6, count)
	return forms
}

func readISAQual(s string) (q isaQual) {
	name, values, _ := strings.Cut(s, "=")
	q.name, q.optional = strings.CutSuffix(name, "?")
	switch values {
	case "0..63":
		q.values = []string{"0", "1", "2", "3", "4", "8", "31", "32", "62", "63"}
		return q
	case "0x01..0xfe":
		for i := 1; i < 255; i++ {
			q.values = append(q.values, fmt.Sprintf("0x%02x", i))
		}
		return q
	}
	for _, v := range strings.Split(values, "|") {
		v, isDef := strings.CutSuffix(v, "*")
		q.values = append(q.values, v)
		if isDef {
			q.def = v
		}
	}
	return q
}

// isaOperand is an operand that the test writes.
type isaOperand struct {
	text  string
	kind  string // reg pred notpred imm float mem var func
	width int
	n     int // elements; 1 for a scalar
	elem  bool
	space string
}

var isaWidths = map[string]int{
	"8b": 8, "16b": 16, "32b": 32, "64b": 64, "128b": 128, "hf": 16, "bf": 16, "f": 32, "df": 64,
	"u8": 8, "s8": 8, "u16": 16, "s16": 16, "u32": 32, "s32": 32, "u64": 64, "s64": 64,
	"8bx4": 32, "16bx2": 32, "hfx2": 32, "bfx2": 32, "u16x2": 32, "s16x2": 32,
}

var isaFloats = map[string]bool{"hf": true, "bf": true, "f": true, "df": true}

var isaAddr = map[string]int{"private": 32, "shared": 32, "global": 64, "const": 64, "generic": 64}

const isaHead = `.version %s;
.target 100;
.global .align 8 @G[64];
.const .align 8 @C[64] = { .zero 64 };
.function void @f() {
  return;
}
.kernel @k(.param[64] %%arg) {
  .shared .align 8 @S[64];
  .private .align 8 @P[64];
  .pred %%p;
`

// isaPool is one operand of every sort, and the declarations that it needs.
func isaPool() (pool []isaOperand, decls string) {
	reg := func(w, n int) {
		name, t := "%r"+strconv.Itoa(w), "."+strconv.Itoa(w)+"b"
		if n > 1 {
			name, t = name+"x"+strconv.Itoa(n), ".v"+strconv.Itoa(n)+t
		}
		decls += "  .reg " + t + " " + name + ";\n"
		pool = append(pool, isaOperand{text: name, kind: "reg", width: w, n: n})
		if n == 4 {
			pool = append(pool, isaOperand{text: name + ".w", kind: "reg", width: w, n: 1, elem: true})
			pool = append(pool, isaOperand{text: name + ".zw", kind: "reg", width: w, n: 2, elem: true})
		}
	}
	for _, w := range []int{8, 16, 32, 64, 128} {
		reg(w, 1)
	}
	for _, w := range []int{8, 16, 64} {
		for n := 2; n <= 4; n++ {
			reg(w, n)
		}
	}
	for _, n := range []int{2, 3, 4, 5, 6, 7, 8, 16, 32, 64} {
		reg(32, n)
	}
	pool = append(pool,
		isaOperand{text: "%p", kind: "pred", width: 1}, isaOperand{text: "!%p", kind: "notpred", width: 1},
		isaOperand{text: "1", kind: "imm"}, isaOperand{text: "1.5", kind: "float"},
		isaOperand{text: "@G", kind: "var", width: 64, space: "global"}, isaOperand{text: "@C", kind: "var", width: 64, space: "const"},
		isaOperand{text: "@S", kind: "var", width: 32, space: "shared"}, isaOperand{text: "@P", kind: "var", width: 32, space: "private"},
		isaOperand{text: "@f", kind: "func", width: 64},
		isaOperand{text: "[%r64]", kind: "mem", width: 64}, isaOperand{text: "[%r32 + 4]", kind: "mem", width: 32},
		isaOperand{text: "[%r64 - 4]", kind: "mem", width: 64}, isaOperand{text: "[%r64 + %r32]", kind: "mem", width: 64},
		isaOperand{text: "[%r64 + %r64]", kind: "mem", width: 64}, isaOperand{text: "[%r32 + %r32]", kind: "mem", width: 32},
		isaOperand{text: "[%r32x4.y + %r32x4.x]", kind: "mem", width: 32},
		isaOperand{text: "[@G + 4]", kind: "mem", width: 64, space: "global"}, isaOperand{text: "[@S]", kind: "mem", width: 32, space: "shared"},
		isaOperand{text: "[@P + %r32]", kind: "mem", width: 32, space: "private"}, isaOperand{text: "[@C]", kind: "mem", width: 64, space: "const"},
		isaOperand{text: "[%arg]", kind: "param"}, isaOperand{text: "[%arg + 4]", kind: "param"}, isaOperand{text: "[%arg + %r32]", kind: "param"},
	)
	return pool, decls
}

// isaUse is an instruction: a value for each qualifier that is written, and
// operands.
type isaUse struct {
	forms []isaForm // of the mnemonic
	form  *isaForm
	quals map[string]string
	args  []isaOperand
	v10   bool
}

func (u *isaUse) text() string {
	s := u.form.mnemonic
	for _, q := range u.form.quals {
		if v := u.quals[q.name]; v != "" {
			s += "." + v
		}
	}
	for i, a := range u.args {
		sep := ", "
		if i == 0 {
			sep = " "
		}
		s += sep + a.text
	}
	return s + ";"
}

// valid reports whether some form of the mnemonic admits u.
func (u *isaUse) valid(t testing.TB) bool {
	for i := range u.forms {
		if u.admits(t, &u.forms[i]) {
			return true
		}
	}
	return false
}

func (u *isaUse) admits(t testing.TB, f *isaForm) bool {
	if f.since10 && !u.v10 {
		return false
	}
	written := 0
	for _, q := range f.quals {
		v := u.quals[q.name]
		switch {
		case v == "" && !q.optional:
			return false
		case v == "":
		case q.name == "index": // any number below 64
			written++
		case !contains(q.values, v):
			return false
		default:
			written++
		}
	}
	for _, v := range u.quals {
		if v != "" {
			written--
		}
	}
	if written != 0 || len(u.args) > len(f.args) {
		return false
	}
	args := make(map[string]isaOperand)
	for i, a := range f.args {
		if i >= len(u.args) {
			if !a.optional {
				return false
			}
			continue
		}
		if !u.admitsArg(f, &a, u.args[i], i) {
			return false
		}
		args[a.name] = u.args[i]
	}
	if _, has := args["src0"]; f.mnemonic == "iatom" && !has && u.quals["op"] != "inc" && u.quals["op"] != "dec" {
		return false // optional for inc and dec only
	}
	for _, c := range f.clauses {
		if !u.clause(t, f, c, args) {
			return false
		}
	}
	return true
}

// value is the qualifier's value, or its default.
func (u *isaUse) value(f *isaForm, name string) string {
	if v := u.quals[name]; v != "" {
		return v
	}
	for _, q := range f.quals {
		if q.name == name {
			return q.def
		}
	}
	return ""
}

// width evaluates the third column of an operand; 0 if any will do.
func (u *isaUse) width(f *isaForm, expr string) int {
	if expr[0] >= '0' && expr[0] <= '9' && !strings.HasPrefix(expr, "2*") {
		n, _ := strconv.Atoi(expr)
		return n
	}
	if inner, ok := strings.CutPrefix(expr, "2*"); ok {
		return 2 * u.width(f, inner)
	}
	if inner, ok := strings.CutPrefix(expr, "addrsize("); ok {
		return isaAddr[u.value(f, strings.TrimSuffix(inner, ")"))]
	}
	return isaWidths[u.value(f, expr)]
}

func (u *isaUse) admitsArg(f *isaForm, a *isaArg, op isaOperand, i int) bool {
	want := u.width(f, a.width)
	scalar := a.shape == "s" || a.shape == "v(.vec)" && u.value(f, "vec") == ""
	switch op.kind {
	case "imm", "float":
		t := u.value(f, a.width)
		if !contains(a.kinds, "imm") || !scalar {
			return false
		}
		return op.kind == "imm" || isaFloats[t] && f.mnemonic != "mov" || f.mnemonic == "frc"
	case "pred":
		return contains(a.kinds, "pred")
	case "notpred":
		return contains(a.kinds, "notpred")
	case "var", "func":
		return contains(a.kinds, op.kind)
	case "mem":
		return a.kinds[0] == "memRR" && a.width != "-" && op.width == want && (op.space == "" || op.space == u.value(f, "addrspace"))
	case "param":
		return a.width == "-"
	}
	if !contains(a.kinds, "reg") {
		return false
	}
	if f.mnemonic == "lifetime.start" {
		return true
	}
	if op.elem && !u.v10 && (f.mnemonic == "insert" || f.mnemonic == "extract" || f.mnemonic == "insert.dynamic" && i == 0 || f.mnemonic == "extract.dynamic" && i == 1) {
		return false // whole registers
	}
	if op.elem && f.mnemonic == "insert" && i == 0 || op.elem && f.mnemonic == "insert.dynamic" && i == 0 {
		return false
	}
	if op.elem && op.n > 1 && f.mnemonic != "mov" && !u.v10 {
		return false
	}
	switch a.shape {
	case "s":
		return op.n == 1 && op.width == want && !(f.mnemonic == "mov" && op.elem && !u.v10)
	case "swz":
		return op.elem && op.n*op.width == want
	case "p2":
		return op.n == 2 && op.width == 16
	case "p(type)":
		if u.value(f, "type") == "8bx4" {
			return op.n == 4 && op.width == 8
		}
		return op.n == 2 && op.width == 16
	case "v32":
		return op.n > 1 && op.width == 32
	case "v(.vec)":
		n := 1
		if v := u.value(f, "vec"); v != "" {
			n, _ = strconv.Atoi(v[1:])
		}
		return op.n == n && op.width == want
	}
	panic(f.mnemonic + ": shape " + a.shape)
}

var (
	reWidth  = isaPattern(`^w\(([a-z0-9.]+)\)(=|<|>)(2\*)?(w|addrsize)\(([a-z0-9]+)\)$`)
	reCount  = isaPattern(`^n\(([a-z0-9]+)\)=n\(vec\)$`)
	reShape  = isaPattern(`^shape\(.*\)=shape\(type\)$`)
	reIndex  = isaPattern(`^index(?:\+n\(([a-z0-9]+)\))?(<|<=)n\(([a-z0-9]+)\)$`)
	reMult   = isaPattern(`^index%n\(([a-z0-9]+)\)=0$`)
	reNo     = isaPattern(`^no\(([a-z0-9]+)\) if (.+)$`)
	reHas    = isaPattern(`^has\(([a-z0-9]+)\) iff (.+)$`)
	reOnly   = isaPattern(`^([a-z]+) only if (.+)$`)
	reUnless = isaPattern(`^([a-z]+)!=([a-z0-9]+) (unless|if) (.+)$`)
)

// isaRE remembers its matches: restrictions are few and evaluated often.
type isaRE struct {
	re   *regexp.Regexp
	seen map[string][]string
}

func isaPattern(re string) *isaRE { return &isaRE{regexp.MustCompile(re), make(map[string][]string)} }

func (r *isaRE) find(s string) []string {
	m, ok := r.seen[s]
	if !ok {
		m = r.re.FindStringSubmatch(s)
		r.seen[s] = m
	}
	return m
}

// clause evaluates a restriction of the table.
func (u *isaUse) clause(t testing.TB, f *isaForm, c string, args map[string]isaOperand) bool {
	present := func(name string) bool {
		if _, ok := args[name]; ok {
			return true
		}
		return u.quals[name] != ""
	}
	switch {
	case c == "space(src0)=from":
		op := args["src0"]
		return op.space == "" || op.space == u.value(f, "from")
	case c == "addrsize(space(src0))=w(type)":
		return args["src0"].width == isaWidths[u.value(f, "type")]
	}
	if m := reWidth.find(c); m != nil {
		width := func(fn, x string) int {
			x, _, _ = strings.Cut(x, ".")
			if op, ok := args[x]; ok {
				if op.kind == "imm" || op.kind == "float" || op.kind == "var" {
					return -1
				}
				if op.elem && f.mnemonic == "mov" {
					return op.n * op.width
				}
				return op.width
			}
			if fn == "addrsize" {
				return isaAddr[u.value(f, x)]
			}
			return isaWidths[u.value(f, x)]
		}
		if _, isArg := args[strings.Split(m[1], ".")[0]]; !isArg && m[1] != "to" {
			return true // an optional operand that is not there
		}
		a, b := width("w", m[1]), width(m[4], m[5])
		if m[3] != "" {
			b *= 2
		}
		return a < 0 || m[2] == "=" && a == b || m[2] == "<" && a < b || m[2] == ">" && a > b
	}
	if reShape.find(c) != nil {
		return true // the operand column says the same
	}
	if m := reCount.find(c); m != nil {
		n := 1
		if v := u.value(f, "vec"); v != "" {
			n, _ = strconv.Atoi(v[1:])
		}
		return args[m[1]].n == n
	}
	index, _ := strconv.Atoi(u.quals["index"])
	if m := reIndex.find(c); m != nil {
		if m[1] != "" {
			index += args[m[1]].n
		}
		return index < args[m[3]].n || m[2] == "<=" && index == args[m[3]].n
	}
	if m := reMult.find(c); m != nil {
		return u.v10 || index%args[m[1]].n == 0
	}
	if m := reNo.find(c); m != nil {
		return !present(m[1]) || !u.cond(t, f, m[2])
	}
	if m := reHas.find(c); m != nil {
		return present(m[1]) == u.cond(t, f, m[2])
	}
	if m := reOnly.find(c); m != nil {
		return !present(m[1]) || u.cond(t, f, m[2])
	}
	if m := reUnless.find(c); m != nil {
		return u.value(f, m[1]) != m[2] || u.cond(t, f, m[4]) == (m[3] == "unless")
	}
	require.Fail(t, "restriction not understood", "%s %s: %q", f.mnemonic, f.name, c)
	return false
}

func (u *isaUse) cond(t testing.TB, f *isaForm, c string) bool {
	if a, b, ok := strings.Cut(c, " or "); ok {
		return u.cond(t, f, a) || u.cond(t, f, b)
	}
	if a, b, ok := strings.Cut(c, "&"); ok {
		return u.cond(t, f, a) && u.cond(t, f, b)
	}
	if a, b, ok := strings.Cut(c, " in "); ok {
		return contains(strings.Split(b, "|"), u.value(f, a))
	}
	if a, b, ok := strings.Cut(c, "!="); ok {
		return u.value(f, a) != b
	}
	a, b, ok := strings.Cut(c, "=")
	require.True(t, ok, c)
	return u.value(f, a) == b
}

// isaCheck parses the uses in one kernel, one a line, and compares.
func isaCheck(t *testing.T, uses []isaUse) {
	version := "0.1"
	if uses[0].v10 {
		version = "1.0"
	}
	_, decls := isaPool()
	head := fmt.Sprintf(isaHead, version) + decls
	var b strings.Builder
	b.WriteString(head)
	for i := range uses {
		b.WriteString("  " + uses[i].text() + "\n")
	}
	b.WriteString("  return;\n}\n")
	first := strings.Count(head, "\n") + 1
	src, ds := &ir.Sources{}, &ir.Diags{Limit: len(uses) + 1}
	f := Parse(src.Add("isa", []byte(b.String())), Options{}, ds)
	failed := make(map[int]string)
	for _, d := range ds.List {
		if line := src.Position(d.Loc).Line; d.Severity == ir.Error {
			require.Empty(t, failed[line], "two errors: %s and %s", failed[line], d.Text)
			failed[line] = d.Text
		}
	}
	instrs := make(map[int]*Instr)
	fn := f.Funcs[1]
	for i := range fn.Instrs {
		instrs[src.Position(fn.Instrs[i].Loc).Line] = &fn.Instrs[i]
	}
	wrong := 0
	valid := 0
	for i := range uses {
		u := &uses[i]
		line := first + i
		text, isBad := failed[line]
		ok := u.valid(t) || isaTolerated(t, u)
		if ok == isBad {
			if wrong++; wrong <= 5 {
				t.Errorf("%s: valid by the table: %v; the parser says %q", u.text(), ok, text)
			}
			continue
		}
		delete(failed, line)
		if ok {
			valid++
			isaProps(t, u, instrs[line])
		}
	}
	if len(failed) > 0 && wrong == 0 {
		t.Errorf("errors on other lines: %v", failed)
	}
	if valid == len(uses) && !ds.HasErrors() {
		roundTrip(t, parsed{f, src, ds})
	}
}

// isaTolerated is what pisac accepts with a warning against the page: cache
// controls of ld.shared, atomic .64b of .generic.
func isaTolerated(t testing.TB, u *isaUse) bool {
	w := *u
	w.quals = make(map[string]string)
	for k, v := range u.quals {
		w.quals[k] = v
	}
	if u.form.mnemonic == "ld" && u.form.name == "weak" && u.quals["addrspace"] == "shared" {
		w.quals["cc"] = ""
	}
	if u.form.name == "atomic" && u.quals["type"] == "64b" && u.value(u.form, "addrspace") == "generic" {
		w.quals["addrspace"] = "global"
	}
	for _, a := range w.args { // the space of a variable must still be right
		if a.space == "global" && w.quals["addrspace"] != u.quals["addrspace"] {
			return false
		}
	}
	return w.valid(t)
}

// isaProps compares the properties with the qualifiers, defaults included.
func isaProps(t *testing.T, u *isaUse, in *Instr) {
	require.NotNil(t, in, u.text())
	require.Equal(t, u.form.mnemonic, in.Row.Name)
	var form *isaForm
	for i := range u.forms {
		if u.forms[i].name == in.Form.Name {
			form = &u.forms[i]
		}
	}
	if u.form.mnemonic == "mov" {
		form = u.form
	}
	require.NotNil(t, form, "%s: form %s", u.text(), in.Form.Name)
	for _, q := range form.quals {
		want := u.value(form, q.name)
		switch {
		case q.name == "rndmode" && u.form.mnemonic == "fmul" && u.quals["rndmode"] == "":
			want = "re" // digest A2
		case q.name == "memscope" && u.form.mnemonic != "fence":
			switch u.value(form, "memorder") {
			case "relaxed":
				want = "system"
			default:
				if want == "" {
					want = "gpu"
				}
			}
		case q.name == "cc" && u.form.mnemonic == "ld" && u.quals["addrspace"] == "shared":
			want = ""
		case want == "" && (q.name == "dir" || q.name == "operation"):
			t.Fatalf("%s: no value of %s", u.text(), q.name)
		}
		got := isaPropText(in, q.name)
		if got != want {
			t.Errorf("%s: %s is %q, want %q", u.text(), q.name, got, want)
		}
	}
}

// isaPropText reads a qualifier back from the properties by the row's layout.
func isaPropText(in *Instr, name string) string {
	q := formQual(in.Form, isaQualName(name))
	if q == nil {
		return "(no such qualifier)"
	}
	v := q.Field.Get(in.Props)
	switch q.Form {
	case ir.QualInt:
		return strconv.FormatUint(v, 10)
	case ir.QualHex:
		return fmt.Sprintf("0x%02x", v)
	}
	return q.Names[v]
}

// isaQualName maps names of the tables to those of the dialect, where they
// differ.
func isaQualName(name string) string {
	if name == "precision" {
		return "full"
	}
	return name
}

func isaSkip(mnemonic string) bool {
	return mnemonic == "call" || mnemonic == "goto" || mnemonic == "return" // their own tests
}

// isaAssignments is every combination of written values.
func isaAssignments(f *isaForm) (out []map[string]string) {
	out = []map[string]string{{}}
	for _, q := range f.quals {
		values := q.values
		if q.optional {
			values = append([]string{""}, values...)
		}
		if q.name == "operation" {
			values = append([]string{"0x00", "0xff"}, values...)
		}
		var next []map[string]string
		for _, m := range out {
			for _, v := range values {
				n := map[string]string{q.name: v}
				for k, x := range m {
					n[k] = x
				}
				next = append(next, n)
			}
		}
		out = next
	}
	return out
}

// isaFit chooses operands that make u valid if any do.
//
// What the operands depend on is the key of fits, which saves the search.
func isaFit(t testing.TB, u *isaUse, pool []isaOperand, fits map[string][]isaOperand) {
	f := u.form
	key := isaKey(f, u.quals)
	if args, ok := fits[key]; ok {
		if u.args = args; u.valid(t) {
			return
		}
	}
	defer func() { fits[key] = u.args }()
	for n := len(f.args); n >= 0 && (n == len(f.args) || f.args[n].optional); n-- {
		u.args = u.args[:0:0]
		for i := 0; i < n; i++ {
			a := &f.args[i]
			chosen := isaOperand{text: "%r32", kind: "reg", width: 32, n: 1}
			for _, op := range pool {
				if op.elem && a.shape != "swz" || op.kind == "imm" || op.kind == "float" || !u.admitsArg(f, a, op, i) {
					continue
				}
				chosen = op
				if a.shape != "v32" && f.clauses == nil || a.shape == "v32" && op.n == 64 || f.mnemonic != "addrof" && f.mnemonic != "addrcast" && a.shape != "v32" {
					break
				}
				v := *u
				v.args = append(append([]isaOperand{}, u.args...), op)
				if a.shape != "v32" && v.admits(t, f) {
					break
				}
			}
			u.args = append(u.args, chosen)
		}
		if u.valid(t) {
			return
		}
	}
}

// TestEveryQualifierCombination walks all forms and all combinations of their
// qualifiers.
func TestEveryQualifierCombination(t *testing.T) {
	forms := readISA(t)
	pool, _ := isaPool()
	total := 0
	for _, mnemonic := range sortedKeys(forms) {
		if isaSkip(mnemonic) {
			continue
		}
		for i := range forms[mnemonic] {
			f := &forms[mnemonic][i]
			t.Run(mnemonic+"/"+f.name, func(t *testing.T) {
				for _, v10 := range []bool{false, true} {
					fits := make(map[string][]isaOperand)
					var all, good []isaUse
					assignments := isaAssignments(f)
					if v10 && !f.since10 {
						assignments = isaTypes(f)
					}
					for _, q := range assignments {
						u := isaUse{forms: forms[mnemonic], form: f, quals: q, v10: v10}
						isaFit(t, &u, pool, fits)
						all = append(all, u)
						if u.valid(t) {
							good = append(good, u)
						}
					}
					total += len(all)
					isaCheck(t, all)
					if f.since10 && !v10 {
						require.Empty(t, good)
						continue
					}
					if len(good) == 0 && v10 {
						continue // of bfn only the first operation, which is no valid one
					}
					require.NotEmpty(t, good)
					isaCheck(t, good)
				}
			})
		}
	}
	require.Greater(t, total, 25000)
}

// TestEveryOperand puts each sort of operand at each place of each form, for
// every type.
func TestEveryOperand(t *testing.T) {
	forms := readISA(t)
	pool, _ := isaPool()
	for _, mnemonic := range sortedKeys(forms) {
		if isaSkip(mnemonic) {
			continue
		}
		for i := range forms[mnemonic] {
			f := &forms[mnemonic][i]
			t.Run(mnemonic+"/"+f.name, func(t *testing.T) {
				for _, v10 := range []bool{false, true} {
					fits := make(map[string][]isaOperand)
					var all []isaUse
					for _, q := range isaTypes(f) {
						u := isaUse{forms: forms[mnemonic], form: f, quals: q, v10: v10}
						isaFit(t, &u, pool, fits)
						if !u.valid(t) {
							continue
						}
						for at := range f.args {
							for _, op := range pool {
								w := u
								w.args = append([]isaOperand{}, u.args...)
								if at < len(w.args) {
									w.args[at] = op
									all = append(all, w)
								}
							}
						}
						if n := len(u.args); n > 0 { // one too few, one too many
							w := u
							w.args = u.args[:n-1]
							all = append(all, w)
							w.args = append(append([]isaOperand{}, u.args...), pool[2])
							all = append(all, w)
						}
					}
					if len(all) > 0 {
						isaCheck(t, all)
					}
				}
			})
		}
	}
}

// isaTypes is the assignments that differ in what operand types depend on.
func isaTypes(f *isaForm) (out []map[string]string) {
	seen := make(map[string]bool)
	for _, m := range isaAssignments(f) {
		if key := isaKey(f, m); !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	return out
}

func isaKey(f *isaForm, m map[string]string) (key string) {
	for _, q := range f.quals {
		switch q.name {
		case "type", "to", "from", "addrspace", "vec", "index":
			key += m[q.name] + " "
		case "op":
			if m["op"] == "cas" || m["op"] == "inc" || m["op"] == "dec" {
				key += m["op"]
			}
		}
	}
	return key
}

func sortedKeys(m map[string][]isaForm) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// TestTableHasEveryForm: the dialect's rows and the tables name the same
// instructions and forms.
func TestTableHasEveryForm(t *testing.T) {
	forms := readISA(t)
	for mnemonic, fs := range forms {
		row := pisa.Mnemonic(mnemonic)
		require.NotNil(t, row, mnemonic)
		if mnemonic == "mov" {
			continue // four forms that differ in swizzles only
		}
		var want, got []string
		for _, f := range fs {
			want = append(want, f.name)
		}
		for i := range row.Forms {
			got = append(got, row.Forms[i].Name)
			require.Equal(t, strings.HasPrefix(row.Forms[i].Name, "pred-float") || row.Forms[0].Since.Major > 0, row.Forms[i].Since.Major > 0)
		}
		require.ElementsMatch(t, want, got, mnemonic)
	}
	for i := range pisa.Table {
		if r := &pisa.Table[i]; !r.IROnly {
			require.Contains(t, forms, r.Name)
		}
	}
}
