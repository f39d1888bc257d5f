package llvmgen

import (
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// waveMachine runs the LLVM IR of a function without branches on all lanes of a
// wave at once, as far as the lowerings of sub-group operations need it. It
// reads the printed text, so that what is run is what llc gets.
type waveMachine struct {
	t    *testing.T
	wave int
	exec uint64                // active lanes
	regs map[string][][]uint64 // name → lane → elements
}

// A value's element width and count.
type shape struct{ bits, n int }

var vecRE = regexp.MustCompile(`^<(\d+) x i(\d+)>$`)

func parseShape(s string) shape {
	if m := vecRE.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[2])
		return shape{b, n}
	}
	b, err := strconv.Atoi(strings.TrimPrefix(s, "i"))
	if err != nil {
		panic("not an integer type: " + s)
	}
	return shape{b, 1}
}

func (s shape) mask() uint64 {
	if s.bits == 64 {
		return ^uint64(0)
	}
	return 1<<s.bits - 1
}

// splitArgs cuts at commas outside brackets.
func splitArgs(s string) (out []string) {
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '<', '(', '{':
			depth++
		case '>', ')', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// typed cuts "i32 %5" or "<2 x i16> <i16 1, i16 1>" into type and value.
func typed(s string) (shape, string) {
	if s[0] == '<' {
		i := strings.Index(s, "> ") + 1
		return parseShape(s[:i]), strings.TrimSpace(s[i:])
	}
	t, v, _ := strings.Cut(s, " ")
	return parseShape(t), v
}

func (w *waveMachine) operand(s shape, v string, lane int) []uint64 {
	switch {
	case v[0] == '%':
		return w.regs[v][lane]
	case v == "true":
		return []uint64{1}
	case v == "false":
		return []uint64{0}
	case v == "zeroinitializer":
		return make([]uint64, s.n)
	case v[0] == '<':
		var e []uint64
		for _, a := range splitArgs(v[1 : len(v)-1]) {
			es, ev := typed(a)
			e = append(e, w.operand(es, ev, lane)[0])
		}
		return e
	}
	n, err := strconv.ParseInt(v, 10, 64)
	require.NoError(w.t, err, v)
	return []uint64{uint64(n) & s.mask()}
}

func sext(s shape, v uint64) int64 { return int64(v<<(64-s.bits)) >> (64 - s.bits) }

func arith(op string, s shape, x, y uint64) uint64 {
	switch op {
	case "add":
		x += y
	case "sub":
		x -= y
	case "mul":
		x *= y
	case "and":
		x &= y
	case "or":
		x |= y
	case "xor":
		x ^= y
	case "shl":
		x <<= y
	case "lshr":
		x >>= y
	case "ashr":
		x = uint64(sext(s, x) >> y)
	default:
		panic("binary " + op)
	}
	if (op == "shl" || op == "lshr" || op == "ashr") && y >= uint64(s.bits) {
		panic("shift by too much is poison")
	}
	return x & s.mask()
}

func compare(p string, s shape, x, y uint64) bool {
	a, b := sext(s, x), sext(s, y)
	switch p {
	case "eq":
		return x == y
	case "ne":
		return x != y
	case "ult":
		return x < y
	case "ugt":
		return x > y
	case "uge":
		return x >= y
	case "slt":
		return a < b
	case "sgt":
		return a > b
	case "sle":
		return a <= b
	case "sge":
		return a >= b
	}
	panic("icmp " + p)
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

var callRE = regexp.MustCompile(`^call (\S+) @([\w.]+)\((.*)\)$`)

// step runs one instruction.
func (w *waveMachine) step(line string) {
	dst, rest, _ := strings.Cut(line, " = ")
	vals := make([][]uint64, w.wave)
	each := func(f func(lane int) []uint64) {
		for l := range w.wave {
			if w.exec>>l&1 != 0 {
				vals[l] = f(l)
			} else {
				vals[l] = []uint64{0xdeadbeef, 0xdeadbeef} // never to be seen
			}
		}
	}
	op, tail, _ := strings.Cut(rest, " ")
	switch op {
	case "call":
		m := callRE.FindStringSubmatch(rest)
		require.NotNil(w.t, m, line)
		args := splitArgs(m[3])
		arg := func(i, lane int) uint64 { s, v := typed(args[i]); return w.operand(s, v, lane)[0] }
		each(func(l int) []uint64 { return []uint64{w.call(m[2], arg, l)} })
	case "icmp":
		p, tail, _ := strings.Cut(tail, " ")
		a := splitArgs(tail)
		s, x := typed(a[0])
		each(func(l int) (r []uint64) {
			xs, ys := w.operand(s, x, l), w.operand(s, a[1], l)
			for i := range xs {
				r = append(r, b2u(compare(p, s, xs[i], ys[i])))
			}
			return r
		})
	case "select":
		a := splitArgs(tail)
		cs, c := typed(a[0])
		s, x := typed(a[1])
		_, y := typed(a[2])
		each(func(l int) (r []uint64) {
			cv, xs, ys := w.operand(cs, c, l), w.operand(s, x, l), w.operand(s, y, l)
			for i := range xs {
				if cv[min(i, len(cv)-1)] != 0 {
					r = append(r, xs[i])
				} else {
					r = append(r, ys[i])
				}
			}
			return r
		})
	case "trunc", "zext", "sext", "bitcast":
		from, to, _ := strings.Cut(tail, " to ")
		s, x := typed(from)
		ts := parseShape(to)
		each(func(l int) []uint64 { return convert(op, s, ts, w.operand(s, x, l)) })
	default:
		a := splitArgs(tail)
		s, x := typed(a[0])
		each(func(l int) (r []uint64) {
			xs, ys := w.operand(s, x, l), w.operand(s, a[1], l)
			for i := range xs {
				r = append(r, arith(op, s, xs[i], ys[i]))
			}
			return r
		})
	}
	w.regs[dst] = vals
}

func convert(op string, s, ts shape, x []uint64) []uint64 {
	switch op {
	case "sext":
		return []uint64{uint64(sext(s, x[0])) & ts.mask()}
	case "bitcast":
		v := uint64(0)
		for i := range x {
			v |= x[i] << (i * s.bits)
		}
		r := make([]uint64, ts.n)
		for i := range r {
			r[i] = v >> (i * ts.bits) & ts.mask()
		}
		return r
	}
	return []uint64{x[0] & ts.mask()}
}

func (w *waveMachine) call(name string, arg func(i, lane int) uint64, lane int) uint64 {
	switch name {
	case "llvm.amdgcn.mbcnt.lo":
		return uint64(bits.OnesCount32(uint32(arg(0, lane)) & uint32(uint64(1)<<min(lane, 32)-1)))
	case "llvm.amdgcn.mbcnt.hi":
		return arg(1, lane) + uint64(bits.OnesCount32(uint32(arg(0, lane))&uint32(uint64(1)<<max(lane-32, 0)-1)))
	case "llvm.amdgcn.ballot.i32", "llvm.amdgcn.ballot.i64":
		m := uint64(0)
		for l := range w.wave {
			if w.exec>>l&1 != 0 {
				m |= arg(0, l) << l
			}
		}
		return m
	case "llvm.amdgcn.ds.bpermute":
		from := int(arg(0, lane)>>2) % w.wave
		require.NotZero(w.t, w.exec>>from&1, "lane %d reads lane %d, which is not active", lane, from)
		return arg(1, from)
	case "llvm.amdgcn.update.dpp.i32":
		require.Equal(w.t, [3]uint64{15, 15, 0}, [3]uint64{arg(3, lane), arg(4, lane), arg(5, lane)})
		if from := w.moveSource(uint32(arg(2, lane)), lane); w.exec>>from&1 != 0 {
			return arg(1, from)
		}
		return arg(0, lane)
	case "llvm.amdgcn.readlane.i32":
		from := int(arg(1, lane))
		require.Less(w.t, from, w.wave)
		if w.exec>>from&1 == 0 {
			return 0xdeadbeef // never to be used
		}
		for l := range w.wave { // the lane's number is a scalar
			if w.exec>>l&1 != 0 {
				require.Equal(w.t, arg(1, lane), arg(1, l))
			}
		}
		return arg(0, from)
	case "llvm.cttz.i32":
		if arg(1, lane) != 0 {
			require.NotZero(w.t, arg(0, lane))
		}
		return uint64(bits.TrailingZeros32(uint32(arg(0, lane))))
	}
	panic("call of " + name)
}

// moveSource is the lane that a data-parallel move reads (CDNA 3 and RDNA 3 ISA,
// "DPP").
func (w *waveMachine) moveSource(ctrl uint32, lane int) int {
	row, at := lane&^15, lane&15
	switch {
	case ctrl < 0x100:
		return lane&^3 | int(ctrl>>(2*(lane&3)))&3
	case ctrl > 0x120 && ctrl < 0x130:
		return row | (at-int(ctrl&15))&15
	case ctrl == 0x140:
		return row | 15 - at
	case ctrl == 0x141:
		return row | at&8 | 7 - at&7
	case ctrl >= 0x150 && ctrl < 0x160:
		return row | int(ctrl&15)
	case ctrl >= 0x160 && ctrl < 0x170 && w.wave == 32:
		return row | at ^ int(ctrl&15)
	}
	panic(fmt.Sprintf("move %#x", ctrl))
}

// run executes the function of that name on the arguments, one slice of lanes
// each, and returns the result of every lane.
func (w *waveMachine) run(ll, fn string, args ...[][]uint64) [][]uint64 {
	_, text, ok := strings.Cut(ll, "@"+fn+"(")
	require.True(w.t, ok)
	text, _, _ = strings.Cut(text, "\n}")
	w.regs = map[string][][]uint64{}
	for i, a := range args {
		w.regs[fmt.Sprintf("%%%d", i)] = a
	}
	for _, line := range strings.Split(text, "\n")[1:] {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasSuffix(line, ":") || strings.HasPrefix(line, "br "):
		case strings.HasPrefix(line, "ret "):
			_, v := typed(strings.TrimPrefix(line, "ret "))
			return w.regs[v]
		default:
			w.step(line)
		}
	}
	w.t.Fatal("no return")
	return nil
}
