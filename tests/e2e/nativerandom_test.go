package e2e

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/pisa"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// nativeRandom is how many random programs are compiled natively, from
// nativeFirst on.
var (
	nativeRandom = flag.Int("native-random", 60, "random programs to compile natively and execute")
	nativeFirst  = flag.Uint64("native-first", 0, "seed of the first of them")
)

// exactForms are the forms of randomForms whose results are exact.
func exactForms() (forms []*pisa.Form, rows []*pisa.Row) {
	all, of := randomForms()
	for i, f := range all {
		fast := slices.ContainsFunc(f.Quals, func(q ir.Qual) bool { return q.Field == pisa.FFast })
		if !fast && of[i].Code != pisa.FRcp {
			forms, rows = append(forms, f), append(rows, of[i])
		}
	}
	return forms, rows
}

// TestNativeRandomPrograms executes random programs in the interpreter and as
// machine code of both chips, optimised and not.
func TestNativeRandomPrograms(t *testing.T) {
	forms, rows := exactForms()
	for part := range uint64(2) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for seed := *nativeFirst + part; seed < *nativeFirst+uint64(*nativeRandom); seed += 2 {
				p, source := randomProgram(t, seed, forms, rows)
				source = agreeing(source, seed)
				p.module = build(t, p.name, source)
				r := request(p.launch)
				var ds ir.Diags
				interp.Run(p.module, r, &ds)
				require.False(t, ds.HasErrors(), "%s\n%s", diags(p.module.Sources, ds.List), source)
				for _, w := range nativeWays[:4] {
					if bad := nativeDiffers(t, p.name, source, p, w, seed, r.Args[1].Data); bad != "" {
						t.Errorf("seed %d %s: %s\n%s", seed, w, bad, source)
						break
					}
				}
			}
		})
	}
}

// agreeing makes the work-items agree about the registers that they start from:
// in every fourth program about all, in another fourth about some.
func agreeing(source string, seed uint64) string {
	const first = "  ld.param.64b %pi, [%in];\n"
	source = strings.Replace(source, first, first+"  .reg .64b %same;\n  mov.64b %same, %pi;\n", 1)
	n := uint64(0)
	return loadFrom.ReplaceAllStringFunc(source, func(load string) string {
		if n++; seed%4 == 1 || seed%4 == 3 && (seed/4+n*n)%7 < 4 {
			return strings.Replace(load, "%pi", "%same", 1)
		}
		return load
	})
}

var loadFrom = regexp.MustCompile(`ld\.global\.\S+ %\w+, \[%pi`)

// nativeDiffers compiles and executes p, and compares its second argument, 128
// bytes for each work-item, with want.
func nativeDiffers(t *testing.T, name, source string, p program, w nativeWay, seed uint64, want []byte) string {
	p.module = build(t, name, source)
	c := compileNative(t, p, w.chip, w.o, nil)
	if c.errors.HasErrors() {
		return diags(c.Sources, c.errors.List)
	}
	l := c.request(p.launch)
	l.Seed, l.Approx = seed, seed
	if seed%2 == 1 {
		l.Memory = emu.Weak
	}
	var ds ir.Diags
	if emu.Run(c.Module, c.mode, l, &ds); ds.HasErrors() {
		return diags(c.Sources, ds.List)
	}
	for at := range want {
		if got := l.Args[1].Data[at]; got != want[at] {
			return fmt.Sprintf("byte %d of work-item %d is %#x, not %#x", at%128, at/128, got, want[at])
		}
	}
	return ""
}
