package tests

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/driver"
	"pisac/tests/lit"
)

var (
	update = flag.Bool("update", false, "regenerate the checks of lit tests that say they are generated")
	filter = flag.String("lit.filter", os.Getenv("LIT_FILTER"), "run only lit tests whose path matches this `regexp` (default $LIT_FILTER)")
)

// exitBug is pisac's exit code for a fault of its own, which no "not" excuses.
const exitBug = 3

// subcommand is a first word that does not compile.
var subcommand = regexp.MustCompile(`^[a-z]+$`)

func pisac(p *lit.Proc) int {
	if len(p.Args) > 0 && !subcommand.MatchString(p.Args[0]) {
		p.Args = append([]string{"--verify-each"}, p.Args...)
	}
	code := lit.Main(driver.Main)(p)
	if code == exitBug {
		return lit.Crash
	}
	return code
}

// TestLit runs the lit tests below this directory.
func TestLit(t *testing.T) {
	root, err := filepath.Abs(".")
	require.NoError(t, err)
	c := &lit.Config{
		Root:     root,
		Dirs:     []string{"ir", "pisa", "amdgpu", "passes", "lowering", "driver"},
		Suffixes: []string{".pisa", ".pir", ".test", ".ll"},
		Temp:     t.TempDir(),
		Commands: map[string]lit.Command{"pisac": pisac},
		Features: map[string]bool{},
		Tools:    lit.LLVM(),
	}
	if c.Tools != nil {
		c.Features[lit.LLVMFeature] = true
	}
	o := lit.Options{Update: *update}
	if *filter != "" {
		o.Filter, err = regexp.Compile(*filter)
		require.NoError(t, err)
	}
	before := tree(t, root)
	lit.Test(t, c, o)
	assert.Equal(t, before, tree(t, root), "a lit test wrote outside its own directory: it needs -o - or -o %%t")
}

// tree lists the files below root.
func tree(t *testing.T, root string) []string {
	var names []string
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return names
}
