package passes

import "testing"

// The memory model's checker finds no outcome that vectorisation adds in the
// contexts of the catalogue's rows.
func TestVectorizeMemoryAddsNoOutcome(t *testing.T) {
	checkMemoryPass(t, "vectorize-memory", "V0")
}
