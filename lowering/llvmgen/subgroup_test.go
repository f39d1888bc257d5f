package llvmgen

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

// The specification's pseudocode of the sub-group operations (PISA 7), on
// plain arrays: the models that the lowerings are held to.

// specShfl is what lane of a sub-group gets; ok is false where it keeps dst.
func specShfl(op string, sg bool, lane int, src1, part uint32, src []uint64) (v uint64, ok bool) {
	if part>>lane&1 == 0 {
		return 0, false
	}
	off := int(src1 & 31)
	cval, seg := 31, 0
	if op == "up" {
		cval = 0
	}
	if sg {
		cval, seg = int(src1>>8&31), int(src1>>16&31)
	}
	low := lane & seg
	clamp := low | cval&^seg
	from, inside := 0, false
	switch op {
	case "up":
		from = lane - off
		inside = from >= clamp
	case "dn":
		from = lane + off
		inside = from <= clamp
	case "xor":
		from = lane ^ off
		inside = from <= clamp
	case "idx":
		from = low | off&^seg
		inside = from <= clamp
	}
	if !inside || from < 0 || from > 31 || part>>from&1 == 0 {
		return src[lane], true
	}
	return src[from], true
}

func specIRed(op string, width int, x []uint64, part uint32) uint64 {
	mask := uint64(1)<<width - 1
	signed := func(v uint64) int64 { return int64(v<<(64-width)) >> (64 - width) }
	first, acc := true, uint64(0)
	for l, v := range x {
		if part>>l&1 == 0 {
			continue
		}
		if op == "absmax" && signed(v) < 0 {
			v = -v & mask
		}
		if first {
			acc, first = v, false
			continue
		}
		switch op {
		case "sum":
			acc = (acc + v) & mask
		case "and":
			acc &= v
		case "or":
			acc |= v
		case "xor":
			acc ^= v
		case "umin":
			acc = min(acc, v)
		case "umax", "absmax":
			acc = max(acc, v)
		case "smin":
			acc = uint64(min(signed(acc), signed(v))) & mask
		case "smax":
			acc = uint64(max(signed(acc), signed(v))) & mask
		}
	}
	return acc
}

// specFRed works in float64, which holds every .f, .hf and .bf. nan reports a
// NaN as the result.
func specFRed(op string, nanp bool, x []float64, part uint32) (r float64, nan bool) {
	first := true
	for l, v := range x {
		if part>>l&1 == 0 {
			continue
		}
		if op == "absmax" {
			v = math.Abs(v)
		}
		switch {
		case math.IsNaN(v):
			if nanp {
				return 0, true
			}
		case first:
			r, first = v, false
		case op == "min":
			r = math.Min(r, v) // -0 < +0
		default:
			r = math.Max(r, v)
		}
	}
	return r, first
}

// wave is a random state: which lanes are active, and a lane mask that is the
// same over each sub-group.
func randomWave(r *rand.Rand, size int) (exec uint64, masks [][]uint64) {
	exec = r.Uint64()
	switch r.IntN(4) {
	case 0:
		exec = ^uint64(0)
	case 1:
		exec &= r.Uint64() & r.Uint64()
	}
	exec |= 1 << r.IntN(size)
	if size < 64 {
		exec &= 1<<size - 1
	}
	m := [2]uint32{r.Uint32(), r.Uint32()}
	if r.IntN(3) == 0 {
		m = [2]uint32{math.MaxUint32, math.MaxUint32}
	}
	masks = make([][]uint64, size)
	for l := range masks {
		masks[l] = []uint64{uint64(m[l/32])}
	}
	return exec, masks
}

func randomLanes(size int, f func() uint64) [][]uint64 {
	x := make([][]uint64, size)
	for l := range x {
		x[l] = []uint64{f()}
	}
	return x
}

// column is the elements of the 32 lanes of sub-group s.
func column(x [][]uint64, s, elem int) []uint64 {
	c := make([]uint64, 32)
	for l := range c {
		if e := x[32*s+l]; elem < len(e) {
			c[l] = e[elem]
		}
	}
	return c
}

func waveTargets() []*target.Target {
	return []*target.Target{target.ByName("gfx1100"), target.ByName("gfx942")}
}

const shflText = `
function @shfl(32b, 32b, 32b, 32b) -> 32b export {
^bb0(%%d: 32b, %%x: 32b, %%c: 32b, %%m: 32b):
  %%r = pisa.shfl.%s.32b %%d, %%x, %%c, %%m : 32b
  builtin.return %%r
}
`

func TestShfl(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range waveTargets() {
		for _, op := range []string{"up", "dn", "xor", "idx"} {
			for _, sg := range []bool{false, true} {
				q := op
				if sg {
					q += ".sg"
				}
				ll := mustEmit(t, fmt.Sprintf(shflText, q), tt.Name, Options{})
				for range 20 {
					exec, masks := randomWave(r, tt.Wave)
					dst, x := randomLanes(tt.Wave, func() uint64 { return uint64(r.Uint32()) }), randomLanes(tt.Wave, func() uint64 { return uint64(r.Uint32()) })
					ctl := randomLanes(tt.Wave, func() uint64 { return uint64(r.Uint32()) })
					w := &waveMachine{t: t, wave: tt.Wave, exec: exec}
					got := w.run(ll, "shfl", dst, x, ctl, masks)
					for l := range tt.Wave {
						if exec>>l&1 == 0 {
							continue
						}
						s := l / 32
						part := uint32(masks[l][0]) & uint32(exec>>(32*s))
						want, ok := specShfl(op, sg, l%32, uint32(ctl[l][0]), part, column(x, s, 0))
						if !ok {
							want = dst[l][0]
						}
						require.Equal(t, want, got[l][0], "%s %s lane %d", tt.Name, q, l)
					}
				}
			}
		}
	}
}

// An xor with a constant within a row of 16 lanes is one move where the target
// has it, and right in any case.
func TestShflXorOfConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, tt := range waveTargets() {
		moves := 0
		for n := range 34 { // bits above the fifth do not count
			ll := mustEmit(t, fmt.Sprintf(`
function @shfl(32b, 32b) -> 32b export {
^bb0(%%d: 32b, %%x: 32b):
  %%c = builtin.const %d : 32b
  %%m = builtin.const 0xffffffff : 32b
  %%r = pisa.shfl.xor.32b %%d, %%x, %%c, %%m : 32b
  builtin.return %%r
}
`, n), tt.Name, Options{})
			if !strings.Contains(ll, "bpermute") {
				moves++
			}
			for range 8 {
				exec, _ := randomWave(r, tt.Wave)
				dst, x := randomLanes(tt.Wave, func() uint64 { return uint64(r.Uint32()) }), randomLanes(tt.Wave, func() uint64 { return uint64(r.Uint32()) })
				w := &waveMachine{t: t, wave: tt.Wave, exec: exec}
				got := w.run(ll, "shfl", dst, x)
				for l := range tt.Wave {
					if exec>>l&1 == 0 {
						continue
					}
					s := l / 32
					want, ok := specShfl("xor", false, l%32, uint32(n), uint32(exec>>(32*s)), column(x, s, 0))
					require.True(t, ok)
					require.Equal(t, want, got[l][0], "%s xor %d lane %d", tt.Name, n, l)
				}
			}
		}
		require.Equal(t, map[string]int{"gfx1100": 16, "gfx942": 7}[tt.Name], moves, tt.Name)
	}
}

const redText = `
function @red(%[2]s, %[2]s, 32b) -> %[2]s export {
^bb0(%%d: %[2]s, %%x: %[2]s, %%m: 32b):
  %%r = pisa.%[1]s %%d, %%x, %%m : %[2]s
  builtin.return %%r
}
`

func TestIRed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, tt := range waveTargets() {
		for _, op := range []string{"sum", "smin", "smax", "umin", "umax", "and", "or", "xor", "absmax"} {
			for _, width := range []int{16, 32} {
				ll := mustEmit(t, fmt.Sprintf(redText, fmt.Sprintf("ired.%s.%db", op, width), fmt.Sprintf("%db", width)), tt.Name, Options{})
				for range 5 {
					exec, masks := randomWave(r, tt.Wave)
					val := func() uint64 {
						v := r.Uint64() & (1<<width - 1)
						if r.IntN(8) == 0 {
							v = 1 << (width - 1) // the most negative
						}
						return v
					}
					dst, x := randomLanes(tt.Wave, val), randomLanes(tt.Wave, val)
					w := &waveMachine{t: t, wave: tt.Wave, exec: exec}
					got := w.run(ll, "red", dst, x, masks)
					for l := range tt.Wave {
						if exec>>l&1 == 0 {
							continue
						}
						s := l / 32
						part := uint32(masks[l][0]) & uint32(exec>>(32*s))
						want := dst[l][0]
						if part>>(l%32)&1 != 0 {
							want = specIRed(op, width, column(x, s, 0), part)
						}
						require.Equal(t, want, got[l][0], "%s %s.%d lane %d", tt.Name, op, width, l)
					}
				}
			}
		}
	}
}

// halfToFloat and bfToFloat read 16-bit formats by their definition.
func halfToFloat(v uint64) float64 {
	sign, exp, m := 1.0, int(v>>10&31), float64(v&1023)
	if v>>15 != 0 {
		sign = -1
	}
	switch {
	case exp == 31 && m != 0:
		return math.NaN()
	case exp == 31:
		return math.Inf(int(sign))
	case exp == 0:
		return math.Copysign(math.Ldexp(m, -24), sign)
	}
	return math.Copysign(math.Ldexp(1024+m, exp-25), sign)
}

func bfToFloat(v uint64) float64 { return float64(math.Float32frombits(uint32(v) << 16)) }

func f32ToFloat(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }

func TestFRed(t *testing.T) {
	types := []struct {
		name, reg string
		bits, n   int
		read      func(uint64) float64
		quiet     uint64
		odd       []uint64 // ±0, ±inf, NaNs, denormals
	}{
		{"hf", "16b", 16, 1, halfToFloat, 0x200, []uint64{0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe01, 1, 0x8001}},
		{"bf", "16b", 16, 1, bfToFloat, 0x40, []uint64{0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc1, 1, 0x8001}},
		{"f", "32b", 32, 1, f32ToFloat, 0x400000, []uint64{0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 1, 0x80000001}},
		{"hfx2", "v2.16b", 16, 2, halfToFloat, 0x200, []uint64{0, 0x8000, 0x7c00, 0x7e00, 0x7c01, 1}},
		{"bfx2", "v2.16b", 16, 2, bfToFloat, 0x40, []uint64{0, 0x8000, 0x7f80, 0x7fc0, 0x7f81, 1}},
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, tt := range waveTargets() {
		for _, ty := range types {
			for _, op := range []string{"min", "max", "absmax"} {
				for _, nanp := range []string{"", ".nanp"} {
					ll := mustEmit(t, fmt.Sprintf(redText, "fred."+op+nanp+"."+ty.name, ty.reg), tt.Name, Options{})
					for try := range 6 {
						exec, masks := randomWave(r, tt.Wave)
						lanes := func() [][]uint64 {
							x := make([][]uint64, tt.Wave)
							for l := range x {
								for range ty.n {
									v := r.Uint64() & (1<<ty.bits - 1)
									if try%3 == 0 && math.IsNaN(ty.read(v)) {
										v &= 0xff // numbers only
									}
									if r.IntN(4) == 0 && try%3 != 0 || try%5 == 4 {
										v = ty.odd[r.IntN(len(ty.odd))]
									}
									x[l] = append(x[l], v)
								}
							}
							return x
						}
						dst, x := lanes(), lanes()
						w := &waveMachine{t: t, wave: tt.Wave, exec: exec}
						got := w.run(ll, "red", dst, x, masks)
						for l := range tt.Wave {
							if exec>>l&1 == 0 {
								continue
							}
							s := l / 32
							part := uint32(masks[l][0]) & uint32(exec>>(32*s))
							for k := range ty.n {
								if part>>(l%32)&1 == 0 {
									require.Equal(t, dst[l][k], got[l][k])
									continue
								}
								in := make([]float64, 32)
								for i, v := range column(x, s, k) {
									in[i] = ty.read(v)
								}
								want, nan := specFRed(op, nanp != "", in, part)
								g := ty.read(got[l][k])
								if nan {
									require.True(t, math.IsNaN(g) && got[l][k]&ty.quiet != 0, "%s %s%s.%s lane %d: %#x is not a quiet NaN", tt.Name, op, nanp, ty.name, l, got[l][k])
									continue
								}
								require.True(t, want == g && math.Signbit(want) == math.Signbit(g), "%s %s%s.%s lane %d: %v, want %v", tt.Name, op, nanp, ty.name, l, g, want)
							}
						}
					}
				}
			}
		}
	}
}

func TestLaneRegisters(t *testing.T) {
	const text = `
function @mask() -> 32b export {
^bb0:
  %r = pisa.sreg.activemask : 32b
  builtin.return %r
}
function @lane() -> 32b export {
^bb0:
  %r = pisa.sreg.laneid : 32b
  builtin.return %r
}
function @first(32b) -> 32b export {
^bb0(%m: 32b):
  %r = pisa.redfirstidx.32b %m : 32b
  builtin.return %r
}
`
	r := rand.New(rand.NewPCG(7, 8))
	for _, tt := range waveTargets() {
		ll := mustEmit(t, text, tt.Name, Options{})
		for range 50 {
			exec, masks := randomWave(r, tt.Wave)
			w := &waveMachine{t: t, wave: tt.Wave, exec: exec}
			mask, lane, first := w.run(ll, "mask"), w.run(ll, "lane"), w.run(ll, "first", masks)
			for l := range tt.Wave {
				if exec>>l&1 == 0 {
					continue
				}
				active := uint32(exec >> (l &^ 31))
				require.EqualValues(t, active, mask[l][0])
				require.EqualValues(t, l%32, lane[l][0])
				if p := active & uint32(masks[l][0]); p != 0 {
					require.EqualValues(t, bits.TrailingZeros32(p), first[l][0])
				}
			}
		}
	}
}
