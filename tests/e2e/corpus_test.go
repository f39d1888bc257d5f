package e2e

import (
	"flag"
	"testing"

	"pisac/dialects/pisa/interp"
)

// seeds is how many scheduling orders each program is run under.
var seeds = flag.Int("seeds", 1, "scheduling orders to run each program under")

// corpus runs the programs of a folder; want guards against losing files.
func corpus(t *testing.T, dir string, want int) {
	list := programs(t, dir)
	if len(list) != want {
		t.Fatalf("%s has %d launch files, not %d", dir, len(list), want)
	}
	for _, p := range list {
		t.Run(p.name, func(t *testing.T) {
			for seed := range uint64(*seeds) {
				if bad := run(p, func(l *interp.Launch) { l.Seed = seed }); bad != "" {
					t.Fatalf("seed %d:\n%s", seed, bad)
				}
			}
		})
	}
}

func TestConformance(t *testing.T) { corpus(t, "conformance", 617) }

func TestKernels(t *testing.T) { corpus(t, "kernels", 22) }

func TestLLVMStyle(t *testing.T) { corpus(t, "llvm-style", 9) }
