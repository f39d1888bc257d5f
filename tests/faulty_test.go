package tests

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/builtin"
	"pisac/driver"
	"pisac/ir"
	"pisac/passes"
)

// Passes at fault, each in its own way, for the tests of what watches passes.
func init() {
	for _, p := range []*passes.Pass{
		{Name: "test-panic", Doc: "Panics.", Needs: passes.PISA, Func: func(*passes.Ctx, *ir.Func) bool { panic("on purpose") }},
		{Name: "test-needs-loops", Doc: "Needs simplified loops.", Needs: passes.PISA | passes.LoopSimplified, Func: func(*passes.Ctx, *ir.Func) bool { return false }},
		{Name: "test-wrong", Doc: "Makes every constant 7 an 8.", Needs: passes.PISA, Func: wrong},
		{Name: "test-invalid", Doc: "Gives every constant 7 another type.", Needs: passes.PISA, Func: invalid},
		{Name: "test-no-op", Doc: "Makes every constant 7 an op that is none.", Needs: passes.PISA, Func: noOp},
	} {
		passes.Register(p)
	}
}

// sevens calls do for every constant 7 of f.
func sevens(c *passes.Ctx, f *ir.Func, do func(*ir.Op)) bool {
	changed := false
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			if op.Code == builtin.Const && op.Props == 7 && c.May() {
				do(op)
				changed = true
			}
		}
	}
	return changed
}

func wrong(c *passes.Ctx, f *ir.Func) bool {
	return sevens(c, f, func(op *ir.Op) { op.Props = 8 })
}

func invalid(c *passes.Ctx, f *ir.Func) bool {
	return sevens(c, f, func(op *ir.Op) { op.Result(0).Type = ir.Bits(64) })
}

func noOp(c *passes.Ctx, f *ir.Func) bool {
	return sevens(c, f, func(op *ir.Op) { op.Code = 1<<16 - 1 })
}

// TestVerifiedWithoutAsking: without --verify-each too, broken IR does not
// leave the compiler, and the reproducer finds the pass.
func TestVerifiedWithoutAsking(t *testing.T) {
	const input = `module version 1.0 target 100

function @f(32b) -> 32b export {
^bb0(%x: 32b):
  %c = builtin.const 0x7 : 32b
  %d = pisa.and.32b %x, %c : 32b
  builtin.return %d
}
`
	pisac := func(args ...string) (code int, stdout, stderr string) {
		var out, msg bytes.Buffer
		code = driver.Main(args, strings.NewReader(input), &out, &msg)
		return code, out.String(), msg.String()
	}
	name := filepath.Join(t.TempDir(), "repro.pir")
	code, stdout, stderr := pisac("--passes=dce,test-invalid,dce", "--emit=ir", "--crash-reproducer="+name, "-o", "-", "-")
	require.Equal(t, exitBug, code, stderr)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "the IR is invalid after the passes")
	require.Contains(t, stderr, "the module is in "+name)
	code, _, stderr = pisac(name)
	require.Equal(t, exitBug, code, stderr)
	require.Contains(t, stderr, "pass test-invalid on @f: the IR is broken behind it")
	code, stdout, _ = pisac("--passes=test-invalid", "--no-verify", "--emit=ir", "-o", "-", "-")
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "builtin.const 0x7 : 64b")
}
