package flow

import (
	"flag"
	"os"
	"testing"
)

// TestMain gives the random tests one seed, so that a run repeats; a longer
// search takes -rapid.seed and -rapid.checks.
func TestMain(m *testing.M) {
	flag.Parse()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		if err := seed.Value.Set("1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
