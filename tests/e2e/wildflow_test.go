package e2e

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// A wild program: labels with arithmetic on four registers and a jump to any
// label, bounded by fuel. Its control flow is of any shape, irreducible too.
type (
	wildBlock struct {
		ops     []wildOp
		cond    wildOp // compares registers a and b
		yes, no int
		end     wildEnd
		call    bool
		args    [2]int
	}
	wildOp struct {
		op        string
		dst, a, b int
		isConst   bool
		k         uint32
	}
	wildEnd int
)

const (
	endBranch wildEnd = iota
	endJump
	endOut
	endReturnIf
)

var wildOps = []string{"iadd", "isub", "xor", "umul", "shr", "umin"}

func drawBlocks(t *rapid.T, calls bool) []wildBlock {
	n := rapid.IntRange(1, 9).Draw(t, "blocks")
	blocks := make([]wildBlock, n)
	reg := rapid.IntRange(0, 3)
	op := func() wildOp {
		return wildOp{rapid.SampledFrom(wildOps).Draw(t, "op"), reg.Draw(t, "dst"), reg.Draw(t, "a"), reg.Draw(t, "b"),
			rapid.Bool().Draw(t, "const"), uint32(rapid.IntRange(0, 40).Draw(t, "k"))}
	}
	for i := range blocks {
		b := &blocks[i]
		for range rapid.IntRange(0, 3).Draw(t, "ops") {
			b.ops = append(b.ops, op())
		}
		b.cond = op()
		b.yes, b.no = rapid.IntRange(0, n-1).Draw(t, "yes"), rapid.IntRange(0, n-1).Draw(t, "no")
		b.end = rapid.SampledFrom([]wildEnd{endBranch, endBranch, endBranch, endBranch, endJump, endOut, endReturnIf}).Draw(t, "end")
		b.call = calls && rapid.IntRange(0, 3).Draw(t, "call") == 0
		b.args = [2]int{reg.Draw(t, "x"), reg.Draw(t, "y")}
	}
	return blocks
}

// wildFuel is how many blocks a call may enter, wildDepth how deep calls nest.
const (
	wildFuel  = 20
	wildDepth = 1
)

func (o wildOp) second() string {
	if o.isConst {
		return fmt.Sprint(o.k)
	}
	return fmt.Sprintf("%%r%d", o.b)
}

// wildSource is the program in PISA: a function of two values and a depth,
// whose fuel each call starts anew, and a kernel that calls it with the global
// id.
func wildSource(blocks []wildBlock) string {
	var b strings.Builder
	b.WriteString(".function .32b @f(.reg .32b %x, .reg .32b %y, .reg .32b %depth) {\n.reg .32b %r<0~4>, %fuel, %d, %s; .pred %p;\nmov.32b %r0, %x; mov.32b %r1, %y; mov.32b %r2, 0; mov.32b %r3, %depth; mov.32b %fuel, 0; isub.32b %d, %depth, 1;\ngoto L0;\n")
	for i := range blocks {
		k := &blocks[i]
		fmt.Fprintf(&b, "L%d:\niadd.32b %%fuel, %%fuel, 1; ucmp.ge.32b %%p, %%fuel, %d; goto.cond %%p, out;\n", i, wildFuel)
		for _, o := range k.ops {
			fmt.Fprintf(&b, "%s.32b %%r%d, %%r%d, %s;\n", o.op, o.dst, o.a, o.second())
		}
		if k.call {
			fmt.Fprintf(&b, "ucmp.eq.32b %%p, %%depth, 0; goto.cond %%p, C%d;\ncall %%s, @f(%%r%d, %%r%d, %%d); iadd.32b %%r2, %%r2, %%s;\nC%d:\n", i, k.args[0], k.args[1], i)
		}
		fmt.Fprintf(&b, "ucmp.lt.32b %%p, %%r%d, %s;\n", k.cond.a, k.cond.second())
		switch k.end {
		case endBranch:
			fmt.Fprintf(&b, "goto.cond %%p, L%d;\ngoto L%d;\n", k.yes, k.no)
		case endJump:
			fmt.Fprintf(&b, "goto L%d;\n", k.yes)
		case endOut:
			b.WriteString("goto out;\n")
		case endReturnIf:
			fmt.Fprintf(&b, "return.cond %%p, %%r1;\ngoto L%d;\n", k.no)
		}
	}
	b.WriteString("out:\nxor.32b %r0, %r0, %r1; xor.32b %r0, %r0, %r2; xor.32b %r0, %r0, %r3; return %r0;\n}\n")
	return kernel(b.String(), "mov.32b %b, 7; mov.32b %c, "+fmt.Sprint(wildDepth)+"; call %d, @f(%gid, %b, %c);\n"+out)
}

// wildCall is the program in Go.
func wildCall(blocks []wildBlock, x, y, depth uint32) uint32 {
	r := [4]uint32{x, y, 0, depth}
	all := func() uint32 { return r[0] ^ r[1] ^ r[2] ^ r[3] }
	second := func(o wildOp) uint32 {
		if o.isConst {
			return o.k
		}
		return r[o.b]
	}
	at := 0
	for range wildFuel - 1 {
		k := &blocks[at]
		for _, o := range k.ops {
			a, b := r[o.a], second(o)
			switch o.op {
			case "iadd":
				a += b
			case "isub":
				a -= b
			case "xor":
				a ^= b
			case "umul":
				a *= b
			case "shr":
				a >>= b & 63
			case "umin":
				a = min(a, b)
			}
			r[o.dst] = a
		}
		if k.call && depth != 0 {
			r[2] += wildCall(blocks, r[k.args[0]], r[k.args[1]], depth-1)
		}
		p := r[k.cond.a] < second(k.cond)
		switch {
		case k.end == endOut:
			return all()
		case k.end == endReturnIf && p:
			return r[1]
		case k.end == endJump || k.end == endBranch && p:
			at = k.yes
		default:
			at = k.no
		}
	}
	return all()
}

// TestWildFlow compares diverging sub-groups with each work-item's own course,
// computed in Go.
func TestWildFlow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		blocks := drawBlocks(rt, rapid.Bool().Draw(rt, "calls"))
		m := build(t, "wild.pisa", wildSource(blocks))
		const n = 80
		l := simple(n, 40, n)
		l.Seed = rapid.Uint64Max(3).Draw(rt, "seed")
		var ds ir.Diags
		if interp.Run(m, l, &ds) == nil {
			rt.Fatalf("%s\n%s", wildSource(blocks), diags(m.Sources, ds.List))
		}
		for g := range uint32(n) {
			want := wildCall(blocks, g, 7, wildDepth)
			if got := binary.LittleEndian.Uint32(l.Args[0].Data[4*g:]); got != want {
				rt.Fatalf("%s\nwork-item %d: %#x, want %#x", wildSource(blocks), g, got, want)
			}
		}
	})
}
