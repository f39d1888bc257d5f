package passes

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/dialects/pisa/asm"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/lowering/ssabuild"
	"pisac/passes/litmus"
)

func TestAtomicCoalesceAddsNoOutcome(t *testing.T) {
	checkMemoryPass(t, "atomic-coalesce{aggregate=0}", "A0")
}

// atomicModel is each operation on 32 bits, written again from PISA 8.2.
var atomicModel = map[string]func(old, x uint32) uint32{
	"add":  func(o, x uint32) uint32 { return o + x },
	"sub":  func(o, x uint32) uint32 { return o - x },
	"inc":  func(o, _ uint32) uint32 { return o + 1 },
	"dec":  func(o, _ uint32) uint32 { return o - 1 },
	"and":  func(o, x uint32) uint32 { return o & x },
	"or":   func(o, x uint32) uint32 { return o | x },
	"xor":  func(o, x uint32) uint32 { return o ^ x },
	"umin": func(o, x uint32) uint32 { return min(o, x) },
	"umax": func(o, x uint32) uint32 { return max(o, x) },
	"smin": func(o, x uint32) uint32 { return uint32(min(int32(o), int32(x))) },
	"smax": func(o, x uint32) uint32 { return uint32(max(int32(o), int32(x))) },
}

// aggregateKernel does one operation per active lane on a word of its
// sub-group. Which lanes are active says %bits: others jump over it, or end.
func aggregateKernel(op string, uniform, used, exits bool) string {
	src, value := ", %x", "umul.32b %x, %lid, 0x9e3779b9; xor.32b %x, %x, 0x5a5a;"
	if uniform {
		value = "iadd.32b %x, %bits, 0x80000003;"
	}
	if op == "inc" || op == "dec" {
		src = ""
	}
	away, use := "goto.cond !%p, DONE;", "st.global.weak.32b [%pout], %r;"
	if exits {
		away = "return.cond !%p;"
	}
	if !used {
		use = ""
	}
	return fmt.Sprintf(`.version 1.0; .target 100;
.kernel @k(.param[8] .addrspace(global) .ptr_align(4) %%ctr, .param[8] .addrspace(global) .ptr_align(4) %%out, .param[4] %%mask) {
  .reg .32b %%lid, %%bits, %%b, %%x, %%r; .reg .64b %%pc, %%pout, %%off; .pred %%p;
  ld.param.64b %%pc, [%%ctr]; ld.param.64b %%pout, [%%out]; ld.param.32b %%bits, [%%mask];
  mov.32b %%lid, %%localid.x;
  zext.64b.32b %%off, %%lid; shl.64b %%off, %%off, 2; iadd.64b %%pout, %%pout, %%off;
  shr.32b %%b, %%bits, %%lid; and.32b %%b, %%b, 1; ucmp.ne.32b %%p, %%b, 0;
  %s
  %s
  iatom.global.relaxed.%s.32b %%r, [%%pc]%s;
  %s
DONE:
  return;
}
`, value, away, op, src, use)
}

func buildPISA(t testing.TB, text string) *ir.Module {
	var ds ir.Diags
	src := &ir.Sources{}
	files := []*asm.File{asm.Parse(src.Add("k.pisa", []byte(text)), asm.Options{}, &ds)}
	require.False(t, ds.HasErrors(), "%v\n%s", ds.List, text)
	m := ssabuild.Build(dialects.All(), src, asm.Link(files, &ds), &ds)
	require.False(t, ds.HasErrors(), "%v\n%s", ds.List, text)
	return m
}

// TestAggregation runs every operation with each kind of operand, with lanes
// that take another way, have ended, or are not there, and compares memory and
// results with lanes that go one after another.
func TestAggregation(t *testing.T) {
	masks := []uint32{0xffffffff, 0, 1, 1 << 31, 0x80000001, 0xaaaaaaaa, 0x00ff0f30, 0x7ffffffe}
	for op, model := range atomicModel {
		for kind := range 8 {
			uniform, used, exits := kind&1 != 0, kind&2 != 0, kind&4 != 0
			m := buildPISA(t, aggregateKernel(op, uniform, used, exits))
			r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
			pl := pipeline(t, "canonicalize,atomic-coalesce")
			require.NoError(t, r.Run(m, pl))
			require.Equal(t, int64(1), r.Stats[1][atomicsAggregated], "%s\n%s", op, ir.AppendText(nil, m))
			if kind%2 == 0 { // again: nothing left to do
				require.NoError(t, r.Run(m, pl[1:]))
				require.Zero(t, r.Stats[0][atomicsAggregated], op)
			}
			for i, mask := range masks {
				size := []uint64{32, 27, 1}[i%3]
				l := &interp.Launch{Global: [3]uint64{size, 1, 1}, Local: [3]uint64{size, 1, 1}, Args: []host.Arg{
					{Kind: host.ArgBuffer, Data: binary.LittleEndian.AppendUint32(nil, 0x40000001)},
					{Kind: host.ArgBuffer, Data: make([]byte, 128)},
					{Kind: host.ArgScalar, Data: binary.LittleEndian.AppendUint32(nil, mask)}}}
				var ds ir.Diags
				st := interp.Run(m, l, &ds)
				require.False(t, ds.HasErrors(), "%v\n%s", ds.List, ir.AppendText(nil, m))
				old := uint32(0x40000001)
				active := 0
				for lane := range uint32(size) {
					var want uint32
					if mask>>lane&1 != 0 {
						x := lane*0x9e3779b9 ^ 0x5a5a
						if uniform {
							x = mask + 0x80000003
						}
						want = old
						old = model(old, x)
						active++
					}
					if used {
						require.Equal(t, want, binary.LittleEndian.Uint32(l.Args[1].Data[4*lane:]), "%s kind %d mask %x lane %d\n%s", op, kind, mask, lane, ir.AppendText(nil, m))
					}
				}
				require.Equal(t, old, binary.LittleEndian.Uint32(l.Args[0].Data), "%s kind %d mask %x", op, kind, mask)
				n := uint64(0)
				for _, a := range st.Atomics {
					n += a
				}
				require.Equal(t, uint64(min(active, 1)), n, "atomics of a sub-group")
			}
		}
	}
}

// TestAggregationAgainstModel: where the pass aggregates, one lane's operation
// for two does not show to a third work-item; beside a release before or an
// acquire after, where it does not, it does (AGG).
func TestAggregationAgainstModel(t *testing.T) {
	type around struct {
		before, after string
		refused       bool // by the pass
		shows         bool // in the model, in one of the contexts
	}
	cases := []around{
		{"", "", false, false},
		{"st.global.weak.32b [@x], 1;", "", false, false},
		{"st.global.relaxed.32b [@z], 1;", "st.global.relaxed.32b [@x], 1;", false, false},
		{"ld.global.acquire.gpu.32b %a, [@z];", "st.global.release.gpu.32b [@x], 1;", false, false},
		{"st.global.weak.32b [@x], 1; fence.release.gpu;", "", true, true},
		{"", "fence.acquire.gpu; ld.global.weak.32b %r, [@x];", true, false}, // the lane has no read to show it with
	}
	others := [][]string{
		{"ld.global.relaxed.32b %c0, [@y];", "fence.acquire.gpu;", "ucmp.ge.32b %q, %c0, 2;", "goto.cond !%q, END;", "ld.global.weak.32b %c1, [@x];", "END:"},
		{"ld.global.relaxed.32b %c0, [@y];", "ld.global.relaxed.32b %c1, [@z];"},
		{"st.global.relaxed.32b [@z], 4;", "iatom.global.relaxed.add.32b %c0, [@y], 8;", "ld.global.relaxed.32b %c1, [@x];"},
		{"st.global.weak.32b [@x], 4;", "fence.release.gpu;", "iatom.global.relaxed.add.32b %c0, [@y], 8;"},
	}
	split := func(s string) (out []string) {
		for l := range strings.SplitSeq(s, ";") {
			if l = strings.TrimSpace(l); l != "" {
				out = append(out, l+";")
			}
		}
		return out
	}
	for _, c := range cases {
		shows := false
		for _, o := range others {
			make := func(first, second string) *smallProgram {
				p := &smallProgram{groups: []int{0, 0, 1}, observe: true}
				// The second lane alone has what surrounds it: it is the one whose
				// operation another does.
				lane := append(split(c.before), split(second)...)
				lane = append(lane, split(c.after)...)
				p.threads = [][]string{split(first), lane, o}
				return p
			}
			p, q := make("iatom.global.relaxed.add.32b %dead0, [@y], 1;", "iatom.global.relaxed.add.32b %dead1, [@y], 2;"), make("iatom.global.relaxed.add.32b %dead0, [@y], 3;", "")
			for _, name := range []string{"lb", "cxx20+lb+lenient"} {
				m, err := litmus.ParseModel(name)
				require.NoError(t, err)
				before, err := p.file().Program()
				require.NoError(t, err)
				after, err := q.file().Program()
				require.NoError(t, err)
				d, err := litmus.ComparePrograms(before, after, m)
				require.NoError(t, err, "%s", p)
				if !d.Sound() {
					shows = true
					var b strings.Builder
					d.WriteText(&b)
					assert.True(t, c.shows, "%s\n%s", p, b.String())
				}
			}
		}
		assert.Equal(t, c.shows, shows, "%+v", c)
		text := fmt.Sprintf(".version 1.0; .target 100;\n.global .align 4 @x[4]; .global .align 4 @y[4]; .global .align 4 @z[4];\n.kernel @k() { .reg .32b %%a, %%r, %%one; mov.32b %%one, 1;\n%s\niatom.global.relaxed.add.32b %%r, [@y], %%one;\n%s return; }\n",
			strings.ReplaceAll(c.before, ", 1;", ", %one;"), strings.ReplaceAll(c.after, ", 1;", ", %one;"))
		m := buildPISA(t, text)
		r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1}
		require.NoError(t, r.Run(m, pipeline(t, "atomic-coalesce")))
		assert.Equal(t, !c.refused, r.Stats[0][atomicsAggregated] == 1, "%s\n%s", text, ir.AppendText(nil, m))
	}
}

func TestAtomicCoalesceEveryLimit(t *testing.T) {
	m := buildPISA(t, aggregateKernel("add", false, true, true))
	_, text, _ := strings.Cut(string(ir.AppendText(nil, m)), "\n")
	everyLimit(t, "atomic-coalesce", text)
}
