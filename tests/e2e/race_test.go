package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
	"pisac/passes"
)

// TestRaceFree: no program of the corpus races, as written and optimised, but
// for one, in which two work-groups update a global word with work-group scope.
func TestRaceFree(t *testing.T) {
	for _, level := range []int{0, 3} {
		for _, dir := range []string{"kernels", "llvm-style", "conformance"} {
			for i, p := range programs(t, dir) {
				if level > 0 && dir == "conformance" && i%4 != 0 {
					continue
				}
				r := passes.Runner{Target: target.Default()}
				require.NoError(t, r.Run(p.module, passes.Default(level)))
				bad := run(p, func(l *interp.Launch) { l.CheckRaces, l.Seed = true, uint64(level) })
				if p.name == "11_atomics" {
					require.Contains(t, bad, "11_atomics.pisa:21: error: data race on argument 0, offset 12")
					require.Contains(t, bad, "work-group atomic (.acquire)")
				} else if bad != "" {
					t.Errorf("%s at -O%d: %s", p.name, level, bad)
				}
			}
		}
	}
}

// TestRaces: kernels of the corpus with one piece of their synchronisation
// taken away race, and the report names both accesses.
func TestRaces(t *testing.T) {
	cases := []struct {
		name, file, old, new string
		nth                  int // which occurrence of old; 0: all
		want                 []string
	}{
		{"barrier dropped before reading tiles", "matmul_tiled", "barrier.workgroup;", "", 1,
			[]string{"data race on shared memory", "weak load of 4 bytes and an earlier weak store", "the earlier weak store"}},
		{"barrier dropped before the next tile", "matmul_tiled", "barrier.workgroup;", "", 2,
			[]string{"data race on shared memory", "weak store"}},
		{"flag stored relaxed", "msgpass", "st.global.release.gpu.32b [%pf]", "st.global.relaxed.32b [%pf]", 0,
			[]string{"data race on argument 0", "offset 0", "weak load", "weak store"}},
		{"flag loaded relaxed", "msgpass", "ld.global.acquire.gpu.32b %f", "ld.global.relaxed.32b %f", 0,
			[]string{"data race on argument 0"}},
		{"scope narrowed on the store", "msgpass", "st.global.release.gpu.32b [%pf]", "st.global.release.workgroup.32b [%pf]", 0,
			[]string{"data race on argument 1", "work-group store (.release)"}},
		{"scope narrowed on the load", "msgpass", "ld.global.acquire.gpu.32b %f", "ld.global.acquire.workgroup.32b %f", 0,
			[]string{"data race on argument 1", "work-group load (.acquire)"}},
		{"flag stored weakly", "msgpass", "st.global.release.gpu.32b [%pf]", "st.global.32b [%pf]", 0,
			[]string{"data race on argument 1", "weak store"}},
		{"lock taken relaxed", "spinlock", "iatom.global.acquire.gpu.cas", "iatom.global.relaxed.cas", 0,
			[]string{"data race on argument 1"}},
		{"lock released relaxed", "spinlock", "st.global.release.gpu.32b", "st.global.relaxed.32b", 0,
			[]string{"data race on argument 1"}},
		{"lock of a work-group", "spinlock", "iatom.global.acquire.gpu.cas", "iatom.global.acquire.workgroup.cas", 0,
			[]string{"data race on argument 0", "work-group atomic (.acquire)"}},
		{"barrier dropped in the scan", "lookback_scan", "barrier.workgroup;", "", 2, []string{"data race on shared memory"}},
		{"barrier dropped in a reduction", "dot_wg", "barrier.workgroup;", "", 1, []string{"data race on shared memory"}},
		{"barrier dropped in a sort", "bitonic", "barrier.workgroup;", "", 1, []string{"data race on"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := load(t, "kernels/"+c.file+".json")
			b, err := os.ReadFile("kernels/" + c.file + ".pisa")
			require.NoError(t, err)
			parts := strings.Split(string(b), c.old)
			require.Greater(t, len(parts), c.nth, "%q is not in %s", c.old, c.file)
			source := strings.Join(parts, c.new)
			if c.nth > 0 {
				source = strings.Join(parts[:c.nth], c.old) + c.new + strings.Join(parts[c.nth:], c.old)
			}
			p.module = build(t, c.file+".pisa", source)
			for seed := range uint64(4) {
				got := run(p, func(l *interp.Launch) { l.CheckRaces, l.Seed = true, seed })
				require.Contains(t, got, "[PISA-R015]", "seed %d", seed)
				if seed > 0 {
					continue // which of the two comes first depends on the order
				}
				for _, w := range c.want {
					require.Contains(t, got, w)
				}
			}
		})
	}
}

// racy runs a two-group program, producer and consumer of argument 0 by a flag
// in argument 1, and reports whether it races. In the bodies, %p is the data,
// %f the flag.
func racy(t *testing.T, producer, consumer string) bool {
	src := `.version 0.1; .target 100;
.kernel @k(.param[8] .addrspace(global) %data, .param[8] .addrspace(global) %flag) {
  .reg .64b %p, %f; .reg .32b %a, %b, %c, %one, %zero; .pred %t;
  ld.param.64b %p, [%data]; ld.param.64b %f, [%flag]; mov.32b %one, 1; mov.32b %zero, 0;
  mov.32b %a, %groupid.x;
  ucmp.ne.32b %t, %a, 0;
  goto.cond %t, consumer;
  ` + producer + `
  return;
consumer:
  ` + consumer + `
  return;
}
`
	m := build(t, "k.pisa", src)
	l := simple(2, 1, 4)
	l.Args = append(l.Args, host.Arg{Data: make([]byte, 16)})
	l.CheckRaces = true
	var ds ir.Diags
	interp.Run(m, l, &ds)
	text := diags(m.Sources, ds.List)
	if ds.HasErrors() {
		require.Contains(t, text, "data race", src)
	}
	return ds.HasErrors()
}

// TestRaceModel goes through the ways of synchronising in the memory model.
func TestRaceModel(t *testing.T) {
	const (
		store   = "st.global.32b [%p], %one;\n"
		read    = "\nld.global.32b %c, [%p];"
		wait    = "wait:\n%s\nucmp.eq.32b %%t, %%b, 0;\ngoto.cond %%t, wait;\n"
		relaxed = "ld.global.relaxed.32b %b, [%f];"
		set     = "st.global.relaxed.32b [%f], %one;"
	)
	await := func(load string) string { return strings.Replace(strings.ReplaceAll(wait, "%%", "%"), "%s", load, 1) }
	for _, c := range []struct {
		name               string
		producer, consumer string
		race               bool
	}{
		{"release and acquire", store + "st.global.release.gpu.32b [%f], %one;", await("ld.global.acquire.gpu.32b %b, [%f];") + read, false},
		{"seq_cst", store + "st.global.seq_cst.gpu.32b [%f], %one;", await("ld.global.seq_cst.gpu.32b %b, [%f];") + read, false},
		{"fences", store + "fence.global.release.gpu;\n" + set, await(relaxed) + "fence.global.acquire.gpu;" + read, false},
		{"generic fences", store + "fence.gpu;\n" + set, await(relaxed) + "fence.gpu;" + read, false},
		{"release fence behind the flag", store + set + "\nfence.global.release.gpu;", await(relaxed) + "fence.global.acquire.gpu;" + read, true},
		{"no acquire fence", store + "fence.global.release.gpu;\n" + set, await(relaxed) + read, true},
		{"fence of the other space", store + "fence.shared.release.gpu;\n" + set, await(relaxed) + "fence.global.acquire.gpu;" + read, true},
		{"acquire fence of the other space", store + "fence.global.release.gpu;\n" + set, await(relaxed) + "fence.shared.acquire.gpu;" + read, true},
		{"work-group fence between work-groups", store + "fence.global.release.workgroup;\n" + set, await(relaxed) + "fence.global.acquire.gpu;" + read, true},
		{"fence against acquire load", store + "fence.global.release.gpu;\n" + set, await("ld.global.acquire.gpu.32b %b, [%f];") + read, false},
		{"release by a read-modify-write", store + "iatom.global.release.gpu.add.32b %a, [%f], %one;", await("ld.global.acquire.gpu.32b %b, [%f];") + read, false},
		{"acquire by a read-modify-write", store + "st.global.release.gpu.32b [%f], %one;", await("iatom.global.acquire.gpu.add.32b %b, [%f], %zero;") + read, false},
		{"failed cas acquires", store + "st.global.release.gpu.32b [%f], %one;", await("iatom.global.acq_rel.gpu.cas.32b %b, [%f], %zero, %zero;") + read, false},
		{"synchronisation orders the acquiring access itself", "ld.global.32b %a, [%f];\nst.global.release.gpu.32b [%f], %one;", await(relaxed) + "iatom.global.acquire.gpu.add.32b %c, [%f], %one;", false},
		{"but not a relaxed one", "ld.global.32b %a, [%f];\nst.global.release.gpu.32b [%f], %one;", await(relaxed) + "iatom.global.relaxed.add.32b %c, [%f], %one;", true},
		{"release sequence of the same work-item", store + "st.global.release.gpu.32b [%f], %zero;\n" + set, await("ld.global.acquire.gpu.32b %b, [%f];") + read, false},
		{"release sequence through a read-modify-write", store + "st.global.release.gpu.32b [%f], %zero;\niatom.global.relaxed.add.32b %a, [%f], %one;", await("ld.global.acquire.gpu.32b %b, [%f];") + read, false},
		{"relaxed atomics alone", "st.global.relaxed.32b [%p], %one;", "ld.global.relaxed.32b %c, [%p];", false},
		{"atomic against weak", "st.global.relaxed.32b [%p], %one;", "ld.global.32b %c, [%p];", true},
		{"atomics of different sizes", "iatom.global.relaxed.add.32b %a, [%p], %one;", ".reg .16b %h; ld.global.relaxed.16b %h, [%p];", true},
		{"different bytes of a word", ".reg .8b %h; mov.8b %h, 1;\nst.global.8b [%p], %h;", ".reg .8b %k; mov.8b %k, 1;\nst.global.8b [%p + 1], %k;", false},
		{"one byte of a word", ".reg .8b %h; mov.8b %h, 1;\nst.global.8b [%p + 1], %h;", "ld.global.32b %a, [%p];", true},
		{"two readers", "ld.global.32b %a, [%p];", "ld.global.32b %a, [%p];", false},
		{"two writers", store, store, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.race, racy(t, c.producer, c.consumer))
		})
	}
}
