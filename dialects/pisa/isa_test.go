package pisa

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/ir"
)

// isaRow is a line of testdata/isa.tsv: the specification's syntax blocks,
// extracted independently of the table.
type isaRow struct{ mnemonic, form, quals, args, rules string }

func readISA(t testing.TB, path string) (rows []isaRow) {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		c := strings.Split(sc.Text(), "\t")
		if strings.HasPrefix(c[0], "#") {
			continue
		}
		for len(c) < 8 {
			c = append(c, "")
		}
		rows = append(rows, isaRow{c[0], c[1], c[4], c[5], c[6]})
	}
	require.NoError(t, sc.Err())
	return rows
}

// TestTableAgainstSpec compares each form of the table with the specification's
// syntax block: qualifiers in order, optional or not, default, set of values;
// operands in order with their kinds.
func TestTableAgainstSpec(t *testing.T) {
	rows := readISA(t, "testdata/isa.tsv")
	require.Len(t, rows, 143)
	seen := 0
	for _, row := range rows {
		t.Run(row.mnemonic+"/"+row.form, func(t *testing.T) {
			r := Mnemonic(row.mnemonic)
			require.NotNil(t, r)
			name := row.form
			if row.mnemonic == "mov" { // four forms by swizzle, one in the table
				name = "base"
			}
			f := r.form(name)
			require.NotNil(t, f, "form %s", name)
			seen++
			compareQuals(t, row, f)
			compareArgs(t, row, f)
		})
	}
	assert.Equal(t, 143, seen)
	forms := 0
	for i := range Table {
		for k := range Table[i].Forms {
			if !Table[i].IROnly && Table[i].Forms[k].Since == (ir.Version{}) {
				forms++
			}
		}
	}
	assert.Equal(t, 143-3, forms, "every form of the table is one of the specification's; mov's four are one")
}

func (r *Row) form(name string) *Form {
	for i := range r.Forms {
		if r.Forms[i].Name == name {
			return &r.Forms[i]
		}
	}
	return nil
}

func compareQuals(t *testing.T, row isaRow, f *Form) {
	var want []string
	for _, q := range strings.Fields(row.quals) {
		name, vals, _ := strings.Cut(q, "=")
		opt := strings.HasSuffix(name, "?")
		name = strings.TrimSuffix(name, "?")
		def := ""
		for _, v := range strings.Split(vals, "|") {
			if strings.HasSuffix(v, "*") {
				def = strings.TrimSuffix(v, "*")
			}
		}
		if row.mnemonic == "fmul" && name == "rndmode" {
			def = "re" // digest A2: the general statement wins over the page's bold .rz
		}
		if name == "memscope" && opt && (row.mnemonic == "ld" || row.mnemonic == "st" || row.mnemonic == "fatom" || row.mnemonic == "iatom") {
			def = "" // filled in by the assembler, which knows the order
		}
		want = append(want, name+" opt="+strconv.FormatBool(opt)+" default="+def+" "+sortedSet(strings.ReplaceAll(vals, "*", "")))
	}
	var got []string
	for i := range f.Quals {
		q := &f.Quals[i]
		name, def, vals := q.Name, "", ""
		switch q.Form {
		case ir.QualFlag:
			name, vals = q.Names[1], q.Names[1]
			if name == "full" {
				name = "precision"
			}
		case ir.QualInt:
			vals = "0..63"
		case ir.QualHex:
			vals = "0x01..0xfe"
		default:
			if q.Optional {
				def = q.Names[q.Default]
			}
			var vs []string
			for v, n := range q.Names {
				if n != "" && q.Allows(uint64(v)) {
					vs = append(vs, n)
				}
			}
			vals = strings.Join(vs, "|")
		}
		got = append(got, name+" opt="+strconv.FormatBool(q.Optional)+" default="+def+" "+sortedSet(vals))
	}
	assert.Equal(t, want, got)
}

func sortedSet(s string) string {
	vs := strings.Split(s, "|")
	for i := range vs { // insertion sort: a handful of words
		for k := i; k > 0 && vs[k] < vs[k-1]; k-- {
			vs[k], vs[k-1] = vs[k-1], vs[k]
		}
	}
	return strings.Join(vs, "|")
}

func compareArgs(t *testing.T, row isaRow, f *Form) {
	var want, got []string
	for _, a := range strings.Split(row.args, ", ") {
		c := strings.Split(a, ":")
		if c[0] == "" {
			continue
		}
		name := strings.TrimSuffix(c[0], "?")
		kinds := c[1]
		if row.mnemonic == "mov" { // s_s and the swizzled forms
			kinds = map[string]string{"dst": "reg", "src0": "reg/imm"}[name]
		}
		switch {
		case strings.HasPrefix(kinds, "mem"):
			kinds = "mem"
			if strings.Contains(c[1], "param") {
				kinds = "param"
			}
		}
		if row.mnemonic == "sel" && len(want) == 3 {
			name = "cond" // src2 or pred
		}
		want = append(want, name+" opt="+strconv.FormatBool(strings.HasSuffix(c[0], "?"))+" "+kinds)
	}
	for i := range f.Args {
		a := &f.Args[i]
		got = append(got, a.Name+" opt="+strconv.FormatBool(a.Optional)+" "+a.Kinds.tsv())
	}
	assert.Equal(t, want, got)
}

func (k Kinds) tsv() string {
	var s []string
	for _, n := range []struct {
		k    Kinds
		name string
	}{{KFunc, "func"}, {KReg, "reg"}, {KImm, "imm"}, {KVar, "var"}, {KPred, "pred"}, {KNotPred, "notpred"}, {KMem, "mem"},
		{KParam, "param"}, {KLabel, "label"}, {KVoid, "void"}, {KArgList, "reg*"}} {
		if k&n.k != 0 {
			s = append(s, n.name)
		}
	}
	return strings.Join(s, "/")
}
