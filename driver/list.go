package driver

import (
	"fmt"
	"io"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
)

// list is `pisac list targets|ops`.
func list(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 {
		switch args[0] {
		case "targets":
			listTargets(stdout)
			return exitOK
		case "ops":
			listOps(stdout)
			return exitOK
		}
	}
	return usage(stderr, usagef("list: say targets or ops"))
}

func listTargets(w io.Writer) {
	for i, t := range target.All() {
		mark := ""
		if i == 0 {
			mark = " (default)"
		}
		fmt.Fprintf(w, "%-9s %s%s\n", t.Name, t.Doc, mark)
	}
}

func listOps(w io.Writer) {
	reg := dialects.All()
	for i := range reg.Defs {
		if d := &reg.Defs[i]; d.Name != "" {
			fmt.Fprintf(w, "%-24s %s\n", d.Name, d.Doc)
		}
	}
}
