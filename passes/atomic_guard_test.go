package passes

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// aggregationGuard is a kernel that only one condition of aggregation keeps
// from it. Without that, running it shows a race or another result, or, where
// the interpreter cannot tell as it executes lanes in one order, the operation
// is aggregated, which AGG-kept.pir misses.
type aggregationGuard struct {
	name string
	text string      // body of kernel @k
	more string      // functions
	also memoryGuard // off too: a reader in the same kernel is another operation on the location
	show bool        // in the interpreter
}

// Work-group 0 is 32 lanes that count and work-group 1 is 32 that read when all
// have counted.
const (
	countHead = `mov.32b %lid, %localid.x; mov.32b %gid, %groupid.x; mov.32b %one, 1;
  zext.64b.32b %off, %lid; shl.64b %off, %off, 2; iadd.64b %mine, %data, %off; xor.64b %off, %off, 4; iadd.64b %next, %data, %off; iadd.64b %own, %out, %off;
  ucmp.ne.32b %p, %gid, 0; goto.cond %p, READ;
`
	readTail = `return;
READ:
  ld.global.acquire.gpu.32b %r, [%ctr]; ucmp.lt.32b %q, %r, 32; return.cond %q;
  ld.global.weak.32b %r, [%next]; st.global.weak.32b [%own], %r;
`
)

var aggregationGuards = [endGuards]aggregationGuard{
	{"one address", countHead + `st.global.weak.32b [%own], %lid; iatom.global.relaxed.add.32b %r, [%mine], %one; return;
READ: `, "", 0, true},
	{"lane order", countHead + `st.global.weak.32b [%mine], %lid; iatom.global.release.gpu.add.32b %r, [%ctr], %one; ` + readTail, "", guardOnlyCommute, true},
	{"released", countHead + `st.global.weak.32b [%mine], %lid; fence.release.gpu; iatom.global.relaxed.add.32b %r, [%ctr], %one; ` + readTail, "", guardOnlyCommute, true},
	{"acquired", `mov.32b %lid, %localid.x; mov.32b %gid, %groupid.x; mov.32b %one, 1;
  zext.64b.32b %off, %lid; shl.64b %off, %off, 2; iadd.64b %own, %out, %off;
  ucmp.ne.32b %p, %gid, 0; goto.cond %p, READ;
  ucmp.ne.32b %p, %lid, 0; return.cond %p;
  st.global.weak.32b [%data], %one; st.global.release.gpu.32b [%ctr], %one; return;
READ:
  iatom.global.relaxed.add.32b %r, [%ctr], %one; fence.acquire.gpu;
  ucmp.eq.32b %q, %r, 0; return.cond %q;
  ld.global.weak.32b %r, [%data]; st.global.weak.32b [%own], %r;
`, "", guardOnlyCommute, true},
	{"calls", countHead + `st.global.weak.32b [%mine], %lid; call void, @order(); iatom.global.relaxed.add.32b %r, [%ctr], %one; ` + readTail,
		".function void @order() { fence.release.gpu; return; }", guardOnlyCommute, true},
	{"only commute", countHead + `iatom.global.relaxed.add.32b %r, [%ctr], %one; iatom.global.relaxed.umax.32b %r, [%ctr], %lid; return;
READ: `, "", 0, false},
	{"loop result", countHead + `AGAIN: iatom.global.relaxed.add.32b %r, [%ctr], %one; ucmp.lt.32b %q, %r, 40; goto.cond %q, AGAIN; return;
READ: `, "", 0, false},
	{"kernel", countHead + `st.global.weak.32b [%mine], %lid; fence.release.gpu; call void, @count(%one); return;
READ:
  ld.global.acquire.gpu.32b %r, [@c]; ucmp.lt.32b %q, %r, 32; return.cond %q;
  ld.global.weak.32b %r, [%next]; st.global.weak.32b [%own], %r;
`, ".global .align 4 @c[4]; .function void @count(.reg .32b %x) { .reg .32b %r; iatom.global.relaxed.add.32b %r, [@c], %x; return; }", 0, true},
	{"float", countHead + `i2f.f.u32 %x, %lid; fmul.re.f %x, %x, 1000000.3; fatom.global.relaxed.add.f %r, [%ctr], %x; return;
READ: `, "", 0, true},
	{"float result", countHead + `i2f.f.u32 %x, %lid; fmul.re.f %x, %x, 1000000.3; fatom.global.relaxed.add.f %r, [%ctr], %x; st.global.weak.32b [%own], %r; return;
READ: `, "", 0, true},
}

// TestAggregationGuards switches each condition of aggregation off.
func TestAggregationGuards(t *testing.T) {
	defer func() { guardsOff = 0 }()
	for i, c := range aggregationGuards {
		text := fmt.Sprintf(`.version 1.0; .target 100;
%s
.kernel @k(.param[8] .addrspace(global) .ptr_align(8) %%c, .param[8] .addrspace(global) .ptr_align(8) %%d, .param[8] .addrspace(global) .ptr_align(8) %%o) {
  .reg .32b %%lid, %%gid, %%one, %%r, %%x; .reg .64b %%ctr, %%data, %%out, %%off, %%mine, %%next, %%own; .pred %%p, %%q;
  ld.param.64b %%ctr, [%%c]; ld.param.64b %%data, [%%d]; ld.param.64b %%out, [%%o];
  %s
  return;
}
`, c.more, linesOf(c.text))
		fast := c.name == "float result" // so that only the guard at hand refuses
		run := func(off memoryGuard) (done int64, did string) {
			m := buildPISA(t, text)
			guardsOff = off
			r := Runner{VerifyEach: true, Target: target.Default(), Workers: 1, FastFPAtomics: fast}
			require.NoError(t, r.Run(m, pipeline(t, "canonicalize,atomic-coalesce")), c.name)
			guardsOff = 0
			l := &interp.Launch{Kernel: "k", Global: [3]uint64{64, 1, 1}, Local: [3]uint64{32, 1, 1}, CheckRaces: true, Args: []host.Arg{
				{Kind: host.ArgBuffer, Data: make([]byte, 8)}, {Kind: host.ArgBuffer, Data: make([]byte, 128)}, {Kind: host.ArgBuffer, Data: make([]byte, 128)}}}
			var ds ir.Diags
			interp.Run(m, l, &ds)
			if ds.HasErrors() {
				return r.Stats[1][atomicsAggregated], "a race"
			}
			return r.Stats[1][atomicsAggregated], fmt.Sprintf("%x %x %x", l.Args[0].Data, l.Args[1].Data, l.Args[2].Data)
		}
		kept, before := run(c.also)
		require.Zero(t, kept, c.name)
		require.NotEqual(t, "a race", before, c.name)
		done, after := run(c.also | 1<<(numGuards+i))
		require.NotZero(t, done, "%s: the guard is not what keeps it", c.name)
		require.Equal(t, c.show, before != after, "%s: %s, %s", c.name, before, after)
	}
}

// linesOf puts labels on lines of their own.
func linesOf(s string) string {
	var out []byte
	for i := range len(s) {
		out = append(out, s[i])
		if s[i] == ':' || s[i] == ';' {
			out = append(out, '\n')
		}
	}
	return string(out)
}
