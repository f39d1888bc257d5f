package target

// Registers is the register files of a chip.
type Registers struct {
	VGPRs    int // vector registers that an instruction can name
	SGPRs    int // scalar registers beside vcc that an instruction can name
	File     int // vector registers of a lane of a SIMD, for all its waves
	Granule  int // a wave is given a multiple of so many
	MaxWaves int // of a SIMD
	SIMDs    int // that the waves of a work-group are spread over
}

// Occupancy is how many waves that use vgprs vector registers each run on a
// SIMD at a time.
func (r Registers) Occupancy(vgprs int) int {
	given := (max(vgprs, 1) + r.Granule - 1) / r.Granule * r.Granule
	return min(r.MaxWaves, r.File/given)
}

// MaxVGPRs is how many vector registers a wave may use so that a work-group of
// items work-items runs at all: all its waves must be resident together.
func (t *Target) MaxVGPRs(items int) int {
	r := &t.Registers
	waves := (items + t.Wave - 1) / t.Wave
	each := max((waves+r.SIMDs-1)/r.SIMDs, 1)
	return min(r.VGPRs, r.File/each/r.Granule*r.Granule)
}
