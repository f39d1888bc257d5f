package target

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The counts are LLVM 19's: "; Occupancy:" of kernels that use so many
// registers.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		chip         string
		vgprs, waves int
	}{
		{"gfx1100", 0, 16}, {"gfx1100", 96, 16}, {"gfx1100", 97, 12}, {"gfx1100", 120, 12}, {"gfx1100", 192, 8}, {"gfx1100", 256, 5},
		{"gfx942", 1, 8}, {"gfx942", 64, 8}, {"gfx942", 65, 7}, {"gfx942", 72, 7}, {"gfx942", 128, 4}, {"gfx942", 129, 3}, {"gfx942", 256, 2},
		{"gfx90a", 80, 6}, {"gfx1201", 96, 16}, {"gfx1201", 97, 12}, {"gfx1201", 256, 5},
	} {
		assert.Equal(t, c.waves, ByName(c.chip).Registers.Occupancy(c.vgprs), "%s %d", c.chip, c.vgprs)
	}
}

// The counts are LLVM 19's: "; NumVgprs:" of kernels for work-groups of so many
// that would use more. A work-group of 1024 is 16 waves of 64, 4 on each SIMD,
// or 32 of 32, 8 on each.
func TestMaxVGPRs(t *testing.T) {
	for _, c := range []struct {
		chip         string
		items, vgprs int
	}{
		{"gfx942", 1024, 128}, {"gfx942", 768, 168}, {"gfx942", 512, 256}, {"gfx942", 1, 256},
		{"gfx1100", 1024, 192}, {"gfx1100", 768, 240}, {"gfx1100", 256, 256}, {"gfx1201", 1024, 192},
	} {
		assert.Equal(t, c.vgprs, ByName(c.chip).MaxVGPRs(c.items), "%s %d", c.chip, c.items)
	}
}
