package driver

import (
	"fmt"
	"io"

	"pisac/dialects"
	"pisac/dialects/amdgpu/target"
	"pisac/passes"
	"pisac/passes/canon"
)

// list is `pisac list targets|ops|passes|rules`.
func list(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 {
		switch args[0] {
		case "targets":
			listTargets(stdout)
			return exitOK
		case "ops":
			listOps(stdout)
			return exitOK
		case "passes":
			listPasses(stdout)
			return exitOK
		case "rules":
			listRules(stdout)
			return exitOK
		}
	}
	return usage(stderr, usagef("list: say targets, ops, passes or rules"))
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

// listPasses shows every pass with its options, and the pipelines.
func listPasses(w io.Writer) {
	for _, p := range passes.All() {
		fmt.Fprintf(w, "%-20s %s\n", p.Name, p.Doc)
		for i := range p.Options {
			o := &p.Options[i]
			fmt.Fprintf(w, "  %-18s %s (%s; default %s)\n", o.Name+"=", o.Doc, o.Values(), o.Spell(o.Default))
		}
	}
	fmt.Fprintln(w, "\nThe steps of --backend=native behind those of -O, the lowest -O with each:")
	for _, r := range nativeRows() {
		fmt.Fprintf(w, "-O%d  %-16s %s\n", r.Level, r.Name, r.Doc)
	}
	fmt.Fprintln(w, "\nThe pipelines: the lowest -O with the step, the step, and why it stands there.")
	passes.Levels(func(from int, step, reason string) {
		fmt.Fprintf(w, "-O%d  %-38s %s\n", from, step, reason)
	})
	fmt.Fprintln(w)
	for level := range 4 {
		fmt.Fprintf(w, "-O%d: %s\n", level, passes.Default(level))
	}
}

// listRules shows every rule of canonicalisation.
func listRules(w io.Writer) {
	reg := dialects.All()
	for _, r := range canon.Rules().All() {
		fmt.Fprintf(w, "%-20s %-36s %s\n", reg.Def(r.Root).Name, r.Name, r.Doc)
	}
}
