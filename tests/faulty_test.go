package tests

import (
	"pisac/dialects/builtin"
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
