package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes"
)

var randomStructs = flag.Int("random-structs", 150, "random structures that TestVectorizedStructures copies")

// field is a part of a random structure.
type field struct {
	typ, qual string
	size, at  int
}

// randomFields lays out fields from an offset on, each aligned as PISA demands
// of an access to it (PISA 8.3), with gaps now and then.
func randomFields(r *rand.Rand, base, size int) (fs []field) {
	for at := 0; at < size; {
		bits, lanes := 8<<r.IntN(4), []int{1, 1, 1, 2, 4}[r.IntN(5)]
		n := bits / 8 * lanes
		align := bits / 8
		if bits < 32 {
			align = n
		}
		if n > 16 || at+n > size || (base+at)%align != 0 {
			at += r.IntN(16) / 15
			continue
		}
		f := field{fmt.Sprintf("%db", bits), fmt.Sprintf("%db", bits), n, at}
		if lanes > 1 {
			f.typ = fmt.Sprintf("v%d.%db", lanes, bits)
			f.qual = f.typ
		}
		fs = append(fs, f)
		at += n
	}
	return fs
}

// structKernel copies fields from memory of some space to memory of another,
// loads and stores in random order. What is known of the alignment of the
// global buffers is align, and it is no more, as the work begins base bytes
// into them.
func structKernel(r *rand.Rand) string {
	const size = 48
	align := 1 << r.IntN(5)
	base := align * r.IntN(3)
	if align == 1 {
		base = r.IntN(8)
	}
	spaces := []string{"global", "global", "shared", "private"}
	from, to := spaces[r.IntN(4)], spaces[r.IntN(4)]
	var b strings.Builder
	fmt.Fprintf(&b, "module version 1.0 target 100\n\nkernel @k(param %%in size 8 align 8 space global ptr_align %d, param %%out size 8 align 8 space global ptr_align %d, param %%z size 8 align 8 space global ptr_align 4, param %%g size 8 align 8) {\n", align, align)
	fmt.Fprintf(&b, "  var @S shared size 128 align %d\n  var @P private size 128 align %d\n^bb0:\n", align, align)
	b.WriteString("  %g = pisa.ld.param.64b %g : 64b\n  %in0 = pisa.ld.param.64b %in : 64b\n  %out0 = pisa.ld.param.64b %out : 64b\n  %z = pisa.ld.param.64b %z : 64b\n")
	// %g is base, unknown to the compiler beyond its being a multiple of align.
	fmt.Fprintf(&b, "  %%align = builtin.const 0x%x : 64b\n  %%gs = pisa.umul.64b %%g, %%align : 64b\n  %%g32 = pisa.trunc.32b.64b %%gs : 32b\n", align)
	b.WriteString("  %in = pisa.iadd.64b %in0, %gs : 64b\n  %out = pisa.iadd.64b %out0, %gs : 64b\n")
	b.WriteString("  %S0 = pisa.addrof.32b @S : 32b\n  %P0 = pisa.addrof.32b @P : 32b\n  %S = pisa.iadd.32b %S0, %g32 : 32b\n  %P = pisa.iadd.32b %P0, %g32 : 32b\n")
	seen := map[int]bool{}
	off := func(at int) string {
		if !seen[at] {
			seen[at] = true
			fmt.Fprintf(&b, "  %%o%d = builtin.const 0x%x : 32b\n", at, at)
		}
		return fmt.Sprintf("%%o%d", at)
	}
	addr := map[string]string{"global": "%in", "shared": "%S", "private": "%P"}
	dst := map[string]string{"global": "%out", "shared": "%S", "private": "%P"}
	n := 0
	copyBytes := func(fromSpace, fromAddr, toSpace, toAddr string) {
		for i := range size {
			o := off(i)
			fmt.Fprintf(&b, "  %%t%d = pisa.ld.%s.8b [%s + %s] : 8b\n  pisa.st.%s.8b [%s + %s], %%t%d\n", n, fromSpace, fromAddr, o, toSpace, toAddr, o, n)
			n++
		}
	}
	if from != "global" {
		copyBytes("global", "%in", from, addr[from])
	}
	fs := randomFields(r, base, size)
	var loads, stores []int
	index := []string{"", "", "zext", "sext"}[r.IntN(4)]
	for i := range fs {
		loads = append(loads, i)
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(loads), func(i, k int) { loads[i], loads[k] = loads[k], loads[i] })
	}
	b.WriteString("  %b0 = pisa.ld.global.8b [%in0] : 8b\n  %b1 = pisa.zext.32b.8b %b0 : 32b\n  %none = builtin.const 0 : 32b\n")
	blocks := 0
	for len(loads)+len(stores) > 0 {
		switch {
		case r.IntN(8) == 0:
			blocks = branch(r, &b, blocks)
		case r.IntN(12) == 0:
			b.WriteString([]string{"  pisa.fence.acquire.gpu\n", "  pisa.fence.release.gpu\n", "  pisa.st.global.relaxed.system.32b [%z], %g32\n", "  pisa.barrier.workgroup\n"}[r.IntN(4)])
		case len(loads) > 0 && (len(stores) == 0 || r.IntN(4) > 0):
			f := &fs[loads[0]]
			o := off(f.at)
			if index != "" && from == "global" { // the sum is extended, not the base's index
				sum := "iadd"
				if f.at < align && r.IntN(2) == 0 {
					sum = "or"
				}
				fmt.Fprintf(&b, "  %%x%d = pisa.%s.32b %%g32, %s : 32b\n  %%e%d = pisa.%s.64b.32b %%x%d : 64b\n", f.at, sum, o, f.at, index, f.at)
				fmt.Fprintf(&b, "  %%v%d = pisa.ld.%s.%s [%%in0 + %%e%d] : %s\n", loads[0], from, f.qual, f.at, f.typ)
				stores, loads = append(stores, loads[0]), loads[1:]
				continue
			}
			fmt.Fprintf(&b, "  %%v%d = pisa.ld.%s.%s [%s + %s] : %s\n", loads[0], from, f.qual, addr[from], o, f.typ)
			stores, loads = append(stores, loads[0]), loads[1:]
		default:
			k := r.IntN(len(stores))
			i := stores[k]
			stores = append(stores[:k], stores[k+1:]...)
			f := &fs[i]
			o := off(f.at)
			v := fmt.Sprintf("%%v%d", i)
			if f.typ == "32b" && r.IntN(2) == 0 {
				fmt.Fprintf(&b, "  %%w%d = pisa.not.32b %s : 32b\n", i, v)
				v = fmt.Sprintf("%%w%d", i)
			}
			fmt.Fprintf(&b, "  pisa.st.%s.%s [%s + %s], %s\n", to, f.qual, dst[to], o, v)
		}
	}
	if to != "global" {
		copyBytes(to, dst[to], "global", "%out")
	}
	b.WriteString("  builtin.return\n}\n")
	return fmt.Sprintf("// %d\n", base/align) + b.String()
}

// branch ends the block with a branch on a bit of the input, and begins one
// that is executed if and only if this one is, but for the last forms: an end of
// the work-item, and a loop whose blocks are not executed together. It returns
// the number of blocks.
func branch(r *rand.Rand, b *strings.Builder, n int) int {
	between := []string{"", "  pisa.st.global.relaxed.system.32b [%z], %g32\n", "  pisa.fence.acquire.gpu\n", "  pisa.fence.release.gpu\n",
		"  pisa.st.global.8b [%out], %b0\n", "  pisa.st.shared.8b [%S], %b0\n"}[r.IntN(6)]
	fmt.Fprintf(b, "  %%k%d = builtin.const 0x%x : 32b\n  %%m%d = pisa.and.32b %%b1, %%k%d : 32b\n  %%c%d = pisa.ucmp.ne.32b %%m%d, %%none : pred\n", n, 1<<r.IntN(8), n, n, n, n)
	switch r.IntN(10) {
	default: // one arm
		fmt.Fprintf(b, "  builtin.cond_br %%c%d, ^bb%d, ^bb%d\n^bb%d:\n%s  builtin.br ^bb%d\n^bb%d:\n", n, n+1, n+2, n+1, between, n+2, n+2)
		return n + 2
	case 5, 6: // two, one of them with an arm
		fmt.Fprintf(b, "  builtin.cond_br %%c%d, ^bb%d, ^bb%d\n^bb%d:\n  builtin.br ^bb%d\n", n, n+1, n+2, n+1, n+4)
		fmt.Fprintf(b, "^bb%d:\n  builtin.cond_br %%c%d, ^bb%d, ^bb%d\n^bb%d:\n%s  builtin.br ^bb%d\n^bb%d:\n", n+2, n, n+3, n+4, n+3, between, n+4, n+4)
		return n + 4
	case 7: // none
		fmt.Fprintf(b, "  builtin.br ^bb%d\n^bb%d:\n", n+1, n+1)
		return n + 1
	case 8:
		fmt.Fprintf(b, "  builtin.cond_br %%c%d, ^bb%d, ^bb%d\n^bb%d:\n  builtin.return\n^bb%d:\n", n, n+1, n+2, n+1, n+2)
		return n + 2
	case 9:
		fmt.Fprintf(b, "  builtin.br ^bb%d(%%none)\n^bb%d(%%i%d: 32b):\n%s  %%j%d = pisa.or.32b %%i%d, %%m%d : 32b\n", n+1, n+1, n, between, n, n, n)
		fmt.Fprintf(b, "  %%d%d = pisa.ucmp.ne.32b %%i%d, %%j%d : pred\n  builtin.cond_br %%d%d, ^bb%d(%%j%d), ^bb%d\n^bb%d:\n", n, n, n, n, n+1, n, n+2, n+2)
		return n + 2
	}
}

// TestVectorizedStructures copies random structures with and without
// vectorize-memory: the copies are the same, and no access is misaligned, which
// the interpreter reports.
func TestVectorizedStructures(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	var merged int64
	for range *randomStructs {
		text := structKernel(r)
		var scale uint64
		_, err := fmt.Sscanf(text, "// %d", &scale)
		require.NoError(t, err)
		in := make([]byte, 256)
		for i := range in {
			in[i] = byte(r.Uint32())
		}
		run := func(pl passes.Pipeline) []byte {
			src, ds := &ir.Sources{}, ir.Diags{}
			m := ir.Parse(src, src.Add("t.pir", []byte(text)), dialects.All(), &ds)
			require.False(t, ds.HasErrors(), "%s\n%s", diags(src, ds.List), text)
			pr := passes.Runner{VerifyEach: true, Target: target.Default()}
			require.NoError(t, pr.Run(m, pl), text)
			for i := range pl {
				if pl[i].Pass.Name == "vectorize-memory" {
					merged += pr.Stats[i][0] + pr.Stats[i][1]
				}
			}
			out := make([]byte, 256)
			l := &interp.Launch{Args: []host.Arg{{Data: bytes.Clone(in)}, {Data: out}, {Data: make([]byte, 16)},
				{Kind: host.ArgScalar, Data: []byte{byte(scale), 0, 0, 0, 0, 0, 0, 0}}}}
			interp.Run(m, l, &ds)
			require.False(t, ds.HasErrors(), "%s\n%s\n%s", diags(src, ds.List), text, ir.AppendText(nil, m))
			return l.Args[1].Data
		}
		want := run(nil)
		for _, name := range []string{"vectorize-memory", ""} {
			pl := passes.Default(2)
			if name != "" {
				pl = passes.Pipeline{passes.NewStep(passes.Lookup(name))}
			}
			require.Equal(t, want, run(pl), "%s\n%s", pl, text)
		}
	}
	require.Greater(t, merged, int64(4**randomStructs), "too little was merged")
}
