package passes

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
	"pisac/lowering/ssabuild"
)

// firing is the pass that does what a family of the catalogue says, whatever
// it costs on a target. Rows V are vectorize-memory's, rows E those of
// store-forward and dead-store, which stop at what acquires: these rules rest
// on races being undefined.
var firing = map[byte]string{'F': elideMerge, 'S': strengthen, 'A': coalesce}

// notDone are sound rows that no pass does, and why.
var notDone = map[string]string{
	"F02c": "two fences are no better than one",
	"F06d": "two fences are no better than one",
	"F06e": "sound between two work-items only: F06f",
	"F13b": "strengthens, for nothing", "F13c": "strengthens, for nothing", "F13d": "strengthens, for nothing", "F13f": "strengthens, for nothing",
	"F14d": "there is no lemma beyond the work-item that has no other access",
	"S03":  "strengthens, for nothing", "S03b": "strengthens, for nothing", "S03d": "strengthens, for nothing", "S03e": "strengthens, for nothing", "S03f": "strengthens, for nothing",
	"S05d": "nothing says that no other work-item accesses a location of an atomic",
	"S07":  "instruction selection does it (tests/lowering/llvmgen/shared-scope.pisa)", "S07b": "like S07", "S07c": "like S07",
	"S07d": "there is no proof for seq_cst",
}

// atEnds are sound rows whose condition is the beginning or end of the kernel,
// or that all work-items come to a barrier; the others hold in a function of
// which nothing is known.
var atEnds = regexp.MustCompile(`/pre$|/noexit$|^F11|^S01[bdef]|^S02[bd]|^S04`)

// otherBarrier is rows about a barrier that does not order memory; pisac's does.
var otherBarrier = regexp.MustCompile(`^F09[wx]`)

// motion is rows of one fence that moves, which it does only to meet another.
var motion = regexp.MustCompile(`^F12|^F09[ij]`)

// toMeet is the source of a row with a second fence where the first goes.
func toMeet(row *catalogueRow) []string {
	if last := row.After[len(row.After)-1]; strings.HasPrefix(last, "fence") {
		return append(slices.Clone(row.Before), last)
	}
	return append([]string{row.After[0]}, row.Before...)
}

var mnemonic = regexp.MustCompile(`pisa\.((?:ld|st|iatom|fence|barrier)\S*)`)

// rowOps is the memory operations of lines, in a kernel or a function, behind
// a pipeline.
func rowOps(t *testing.T, code []string, kernel bool, passes string) []string {
	p := &smallProgram{threads: [][]string{code}, groups: []int{0}, observe: true}
	text, err := p.file().PISA()
	require.NoError(t, err)
	if kernel {
		text = bytes.ReplaceAll(text, []byte(".function void @t"), []byte(".kernel @t"))
	}
	var ds ir.Diags
	src := &ir.Sources{}
	files := []*asm.File{asm.Parse(src.Add("row.pisa", text), asm.Options{}, &ds)}
	m := ssabuild.Build(dialects.All(), src, asm.Link(files, &ds), &ds)
	require.False(t, ds.HasErrors(), "%v\n%s", ds.List, text)
	r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
	require.NoError(t, r.Run(m, pipeline(t, passes)))
	// An operation that joins a relaxed one gets its scope, system.
	out := strings.ReplaceAll(string(ir.AppendText(nil, m)), ".system", ".gpu")
	var ops []string
	for _, s := range mnemonic.FindAllStringSubmatch(out, -1) {
		ops = append(ops, s[1])
	}
	return ops
}

// TestCatalogueFires: a pass makes of the source of each sound row its target,
// or something shorter, and of no other one, in a function of which nothing is
// known.
func TestCatalogueFires(t *testing.T) {
	fired, refused := 0, 0
	used := map[string]bool{}
	for _, row := range catalogue(t) {
		pass := firing[row.ID[0]]
		if pass == "" {
			continue
		}
		id, _, _ := strings.Cut(row.ID, ".")
		sound := row.Verdict == "sound"
		kernel := sound && atEnds.MatchString(row.ID)
		code := row.Before
		if motion.MatchString(row.ID) {
			code = toMeet(&row)
		}
		before := rowOps(t, code, kernel, "cse")
		got := rowOps(t, code, kernel, "cse,"+pass)
		want := rowOps(t, row.After, kernel, "cse")
		same := slices.Equal(got, want) || sound && len(got) < len(want) && len(got) < len(before)
		if strings.HasPrefix(row.ID, "A02.") && sound { // up or down
			slices.Sort(got)
			slices.Sort(want)
			same = slices.Equal(got, want)
		}
		switch {
		case sound && notDone[id] == "":
			assert.True(t, same, "%s does not fire: %v, not %v", row.ID, got, want)
			fired++
		case sound:
			used[id] = true
			assert.False(t, same, "%s fires", row.ID)
		case otherBarrier.MatchString(id):
		default:
			assert.False(t, same, "%s is %s and fires: %v", row.ID, row.Verdict, got)
			refused++
		}
	}
	for id := range notDone {
		assert.True(t, used[id], "%s is no row", id)
	}
	t.Logf("%d sound rows fire, %d others do not, %d are not done", fired, refused, len(notDone))
}

// TestCatalogueNamed: the lit tests name every rule, those beside it too.
func TestCatalogueNamed(t *testing.T) {
	var text []byte
	for _, dir := range []string{"../tests/passes", "../tests/lowering"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			text = append(text, data...)
			return err
		}))
	}
	named := map[string]bool{}
	for _, id := range regexp.MustCompile(`\b[FSAVE][0-9]{2}[a-z]?[0-9]?\b`).FindAll(text, -1) {
		named[string(id)] = true
	}
	for _, row := range catalogue(t) {
		if id, _, _ := strings.Cut(row.ID, "."); !named[id] {
			named[id] = true // once
			t.Errorf("no lit test names %s", row.ID)
		}
	}
}
