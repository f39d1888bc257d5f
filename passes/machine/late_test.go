package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/ir"
)

// parseBody reads a kernel given as the text of its blocks, for a chip.
func parseBody(t testing.TB, chip, body string) (*Ctx, *ir.Func) {
	t.Helper()
	text := "module version 0.1 target 100\n\nkernel @k() {\n" + body + "\n}\n"
	var ds ir.Diags
	var src ir.Sources
	m := ir.Parse(&src, src.Add("t.pir", []byte(text)), dialects.All(), &ds)
	require.Empty(t, ds.List, "%s", text)
	tt := target.ByName(chip)
	return &Ctx{Target: tt, Mode: tt.Modes()[0], Diags: &ir.Diags{}, OptLevel: 2}, m.Funcs[0]
}

// listing is the instructions of f, a line each: results = mnemonic operands,
// with registers for values and a block's number before it.
func listing(c *Ctx, f *ir.Func) string {
	var sb strings.Builder
	n := map[*ir.Block]int{}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		n[b] = len(n)
	}
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if n[b] > 0 {
			fmt.Fprintf(&sb, "%d:\n", n[b])
		}
		for op := b.First(); op != nil; op = op.Next() {
			if amdgpu.Encoded(op) {
				sb.WriteString(instruction(c, op, n) + "\n")
			}
		}
	}
	return sb.String()
}

func instruction(c *Ctx, op *ir.Op, n map[*ir.Block]int) string {
	r := amdgpu.RowOf(op.Code)
	words := []string{r.Name}
	if name := r.Mnemonic(c.Target); name != "" {
		words[0] = name
	}
	if amdgpu.DualFirst(op) {
		words[0] += ".dual"
	}
	if w, ok := amdgpu.WaitOf(op); ok {
		for i, name := range []string{"load", "store", "lds", "scalar"} {
			if w[i] >= 0 {
				words = append(words, fmt.Sprintf("%s(%d)", name, w[i]))
			}
		}
		return strings.Join(words, " ")
	}
	if (r.Family == amdgpu.SOPP || r.Family == amdgpu.SOPK) && op.Props != 0 {
		words = append(words, fmt.Sprintf("%#x", amdgpu.FImm.Get(op.Props)))
	}
	for i := range op.NumResults() {
		words = append(words, valueText(op.Result(i)))
	}
	for i := range op.NumPlainOperands() {
		words = append(words, valueText(op.Operand(i)))
	}
	for i := range op.NumSuccs() {
		words = append(words, fmt.Sprintf("^%d", n[op.Succ(i).To()]))
	}
	return strings.Join(words, " ")
}

func valueText(v *ir.Value) string {
	if x, ok := amdgpu.IsImm(v); ok {
		return fmt.Sprint(x)
	}
	if v.Reg == ir.NoReg {
		return fmt.Sprintf("%%%d", v.ID)
	}
	if n := v.Type.Lanes(); n > 1 {
		return fmt.Sprintf("%v+%d", v.Reg, n)
	}
	return v.Reg.String()
}
