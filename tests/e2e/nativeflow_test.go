package e2e

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/host"
	"pisac/ir"
)

// TestNativeWildFlow runs wild control flow in waves of 32 and of 64, and
// compares with each work-item's own course. The second launch has waves that
// are not full, and values that all lanes agree about.
func TestNativeWildFlow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		blocks := drawBlocks(rt, false)
		source := wildSource(blocks)
		chip := rapid.SampledFrom([]string{"gfx1100", "gfx942"}).Draw(rt, "chip")
		level := rapid.SampledFrom([]int{0, 2}).Draw(rt, "level")
		c := compileNative(t, program{name: "wild.pisa", module: build(t, "wild.pisa", source)}, chip, level, nil)
		if c.errors.HasErrors() {
			rt.Fatalf("%s\n%s", source, diags(c.Sources, c.errors.List))
		}
		const n = 120
		for _, local := range []uint64{60, 8} {
			r := &emu.Launch{Global: [3]uint64{n, 1, 1}, Local: [3]uint64{local, 1, 1}, Args: []host.Arg{{Data: make([]byte, 4*n)}}}
			var ds ir.Diags
			if emu.Run(c.Module, c.mode, r, &ds); ds.HasErrors() {
				rt.Fatalf("%s -O%d\n%s\n%s", chip, level, source, diags(c.Sources, ds.List))
			}
			for g := range uint32(n) {
				want := wildCall(blocks, g, 7, wildDepth)
				if got := binary.LittleEndian.Uint32(r.Args[0].Data[4*g:]); got != want {
					rt.Fatalf("%s -O%d\n%s\nwork-item %d: %#x, want %#x\n%s", chip, level, source, g, got, want, ir.AppendText(nil, c.Module))
				}
			}
		}
	})
}
