package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/host"
	"pisac/dialects/pisa/interp"
	"pisac/ir"
)

// outputs runs source, a kernel with one buffer of 32-bit words, under several
// seeds, and requires every run to give want(global id).
func outputs(t *testing.T, source string, l *interp.Launch, want func(gid uint32) uint32) {
	m := build(t, "k.pisa", source)
	size := len(l.Args[0].Data)
	for seed := range uint64(12) {
		l.Seed = seed
		l.Args[0].Data = make([]byte, size)
		var ds ir.Diags
		require.NotNil(t, interp.Run(m, l, &ds), "seed %d: %s", seed, diags(m.Sources, ds.List))
		for i := range uint32(size / 4) {
			require.Equal(t, want(i), binary.LittleEndian.Uint32(l.Args[0].Data[4*i:]), "seed %d: word %d", seed, i)
		}
	}
}

// out stores %d to word %gid.
const out = "zext.64b.32b %off, %gid; shl.64b %off, %off, 2; st.global.32b [%p + %off], %d; return;\n"

func TestFlow(t *testing.T) {
	cases := []struct {
		name, decls, body string
		global, local     uint64
		want              func(gid uint32) uint32
	}{
		{"both arms meet", "", `and.32b %a, %lid, 1;
ucmp.eq.32b %t, %a, 0;
goto.cond %t, even;
mov.32b %b, 1;
goto meet;
even:
mov.32b %b, 2;
meet:
mov.32b %d, %activemask; ` + out, 32, 32, func(uint32) uint32 { return ^uint32(0) }},

		{"continue meets at the loop head", "", `mov.32b %c, 0; mov.32b %d, 0;
head:
mov.32b %a, %activemask; cbit.32b %a, %a; iadd.32b %d, %d, %a; iadd.32b %c, %c, 1;
ucmp.ge.32b %t, %c, 4; goto.cond %t, done;
and.32b %b, %lid, 1; ucmp.eq.32b %t, %b, 0;
goto.cond %t, head;
iadd.32b %d, %d, 1000;
goto head;
done:
` + out, 32, 32, func(g uint32) uint32 { return 4*32 + g%2*3000 }},

		{"lanes leave a loop one by one", "", `mov.32b %c, 0;
head:
iadd.32b %c, %c, 1;
ucmp.le.32b %t, %c, %lid;
goto.cond %t, head;
mov.32b %d, %activemask; xor.32b %d, %d, %c; ` + out, 32, 32, func(g uint32) uint32 { return ^uint32(0) ^ (g + 1) }},

		{"lanes that return are gone", "", `ucmp.lt.32b %t, %lid, 5;
return.cond %t;
mov.32b %d, %activemask; ` + out, 32, 32, func(g uint32) uint32 {
			if g < 5 {
				return 0
			}
			return ^uint32(31)
		}},

		{"return from a function in a branch meets behind the call", ".function .32b @f(.reg .32b %x) { .pred %p; .reg .32b %y; ucmp.lt.32b %p, %x, 7; return.cond %p, 100; umul.32b %y, %x, 3; return %y; }",
			"call %d, @f(%lid); mov.32b %a, %activemask; xor.32b %d, %d, %a; " + out, 32, 32, func(g uint32) uint32 {
				if g < 7 {
					return ^uint32(100)
				}
				return ^(3 * g)
			}},

		{"recursion of different depth", ".function .32b @fact(.reg .32b %n) { .pred %p; .reg .32b %m, %r; ucmp.le.32b %p, %n, 1; return.cond %p, 1; isub.32b %m, %n, 1; call %r, @fact(%m); umul.32b %r, %r, %n; return %r; }",
			"and.32b %a, %lid, 7; call %d, @fact(%a); " + out, 64, 64, func(g uint32) uint32 {
				r := uint32(1)
				for i := uint32(2); i <= g%8; i++ {
					r *= i
				}
				return r
			}},

		{"two recursive calls keep private memory apart", `.function .32b @fib(.reg .32b %n) { .private .align 4 @P[4]; .pred %p; .reg .32b %m, %r, %s, %a;
addrof.32b %a, @P; st.private.32b [%a], %n;
ucmp.lt.32b %p, %n, 2; return.cond %p, %n;
isub.32b %m, %n, 1; call %r, @fib(%m);
ld.private.32b %m, [%a]; isub.32b %m, %m, 2; call %s, @fib(%m);
iadd.32b %r, %r, %s; return %r; }`,
			"umin.32b %a, %lid, 10; call %d, @fib(%a); " + out, 16, 16, func(g uint32) uint32 {
				a, b := uint32(0), uint32(1)
				for range min(g, 10) {
					a, b = b, a+b
				}
				return a
			}},

		{"function pointers that differ between lanes", ".function .32b @f(.reg .32b %x) { .reg .32b %r; iadd.32b %r, %x, 11; return %r; } .function .32b @g(.reg .32b %x) { .reg .32b %r; umul.32b %r, %x, 7; return %r; } .function .32b @h(.reg .32b %x) { .reg .32b %r; mov.32b %r, %activemask; return %r; } .const .align 8 @T[24] = { .64b @f, .64b @g, .64b @h };",
			"udiv.rem.32b %a, %lid, 3; zext.64b.32b %off, %a; shl.64b %off, %off, 3; addrof.64b %q, @T; ld.const.64b %q, [%q + %off]; call %d, %q(%lid); " + out, 32, 32,
			func(g uint32) uint32 { return []uint32{g + 11, g * 7, 0x24924924}[g%3] }},

		{"irreducible loop", "", `mov.32b %c, 0; mov.32b %d, 0;
and.32b %a, %lid, 1; ucmp.eq.32b %t, %a, 0;
goto.cond %t, second;
first:
iadd.32b %d, %d, 1;
iadd.32b %c, %c, 1;
ucmp.ge.32b %t, %c, 6; goto.cond %t, done;
second:
iadd.32b %d, %d, 100;
iadd.32b %c, %c, 1;
ucmp.lt.32b %t, %c, 6; goto.cond %t, first;
done:
mov.32b %a, %activemask; cbit.32b %a, %a; umul.32b %a, %a, 10000; iadd.32b %d, %d, %a; ` + out, 32, 32, func(uint32) uint32 { return 320303 }},

		{"a lock between lanes of one sub-group", "", `.shared .align 4 @L[8]; mov.32b %a, 0; mov.32b %b, 1;
ucmp.ne.32b %t, %lid, 0; goto.cond %t, start;
st.shared.32b [@L], %a; st.shared.32b [@L + 4], %a;
start:
barrier.workgroup;
take:
iatom.shared.acquire.workgroup.cas.32b %c, [@L], %a, %b;
ucmp.ne.32b %t, %c, 0;
goto.cond %t, take;
ld.shared.32b %d, [@L + 4]; iadd.32b %d, %d, 1; st.shared.32b [@L + 4], %d;
st.shared.release.workgroup.32b [@L], %a;
barrier.workgroup;
ld.shared.32b %d, [@L + 4]; ` + out, 64, 64, func(uint32) uint32 { return 64 }},

		{"a lane waits for another lane of its sub-group", "", `.shared .align 4 @F[8]; mov.32b %b, 7; mov.32b %a, 0;
st.shared.32b [@F], %a;
barrier.workgroup;
ucmp.eq.32b %t, %lid, 3;
goto.cond %t, give;
wait:
ld.shared.acquire.workgroup.32b %d, [@F];
ucmp.eq.32b %t, %d, 0;
goto.cond %t, wait;
goto end;
give:
st.shared.release.workgroup.32b [@F], %b; mov.32b %d, 1;
end:
` + out, 32, 32, func(g uint32) uint32 {
			if g == 3 {
				return 1
			}
			return 7
		}},

		{"work-items that have exited miss a barrier", "", `ucmp.ge.32b %t, %lid, 40;
goto.cond %t, end;
.shared .align 4 @S[4]; ucmp.ne.32b %t, %lid, 0; goto.cond %t, go;
mov.32b %a, 5; st.shared.32b [@S], %a;
go:
barrier.workgroup;
ld.shared.32b %d, [@S]; zext.64b.32b %off, %gid; shl.64b %off, %off, 2; st.global.32b [%p + %off], %d;
end:
return;
`, 64, 64, func(g uint32) uint32 {
			if g < 40 {
				return 5
			}
			return 0
		}},

		{"a spin on a later work-group", "", `mov.32b %a, %groupid.x; mov.32b %b, 9; isub.32b %c, 15, %a; zext.64b.32b %off, %c; shl.64b %off, %off, 2;
ucmp.eq.32b %t, %a, 15; goto.cond %t, set;
iadd.32b %c, %a, 1; isub.32b %c, 15, %c; zext.64b.32b %q, %c; shl.64b %q, %q, 2;
wait:
ld.global.acquire.gpu.32b %d, [%p + %q];
ucmp.eq.32b %t, %d, 0;
goto.cond %t, wait;
iadd.32b %b, %d, 1;
set:
st.global.release.gpu.32b [%p + %off], %b; return;
`, 16, 1, func(g uint32) uint32 { return 9 + g }},

		{"lanes that wait for another work-group meet those that do not", "", `mov.32b %a, %groupid.x; mov.32b %b, 9; mov.32b %d, 0;
ucmp.eq.32b %t, %a, 1; goto.cond %t, set;
ucmp.lt.32b %t, %lid, 16; goto.cond %t, meet;
wait:
ld.global.acquire.gpu.32b %c, [%p + 252];
ucmp.eq.32b %t, %c, 0;
goto.cond %t, wait;
meet:
mov.32b %d, %activemask; ` + out + `set:
ucmp.ne.32b %t, %lid, 31; return.cond %t;
st.global.release.gpu.32b [%p + 252], %b; return;
`, 64, 32, func(g uint32) uint32 {
			switch {
			case g < 32:
				return ^uint32(0)
			case g == 63:
				return 9
			}
			return 0
		}},

		{"a spin that counts", "", `mov.32b %a, %groupid.x; mov.32b %b, 1; mov.32b %c, 0;
ucmp.eq.32b %t, %a, 1; goto.cond %t, set;
wait:
iadd.32b %c, %c, 1;
ld.global.acquire.gpu.32b %d, [%p];
ucmp.eq.32b %t, %d, 0;
goto.cond %t, wait;
return;
set:
st.global.release.gpu.32b [%p], %b; return;
`, 2, 1, func(g uint32) uint32 { return 1 - min(g, 1) }},

		{"swap of loop-carried values", "", `mov.32b %a, 1; mov.32b %b, 2; mov.32b %c, 0;
again:
mov.32b %d, %a; mov.32b %a, %b; mov.32b %b, %d;
iadd.32b %c, %c, 1; ucmp.lt.32b %t, %c, %lid; goto.cond %t, again;
umad.32b %d, %a, 10, %b; ` + out, 8, 8, func(g uint32) uint32 {
			if max(g, 1)%2 == 1 {
				return 21
			}
			return 12
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			outputs(t, kernel(c.decls, c.body), simple(c.global, c.local, int(c.global)), c.want)
		})
	}
}

// TestRange: a three-dimensional range with partial work-groups at its edges,
// and every special register, against arithmetic on the ids.
func TestRange(t *testing.T) {
	const regs = "localid.x localid.y localid.z groupid.x groupid.y groupid.z localsize.x localsize.y localsize.z " +
		"enqueuedlocalsize.x enqueuedlocalsize.y enqueuedlocalsize.z groupcount.x groupcount.y groupcount.z laneid activemask subgroupsize workdim"
	names := strings.Fields(regs)
	var b strings.Builder
	b.WriteString(".version 0.1; .target 100;\n.kernel @k(.param[8] .addrspace(global) %buf) {\n.reg .64b %p, %o, %q; .reg .32b %g<0~3>, %v;\nld.param.64b %p, [%buf];\n")
	for i, c := range "xyz" {
		fmt.Fprintf(&b, "umad.32b %%g%d, %%groupid.%c, %%enqueuedlocalsize.%c, %%localid.%c;\n", i, c, c, c)
	}
	b.WriteString("umad.32b %g1, %g2, 5, %g1; umad.32b %g0, %g1, 7, %g0; umul.32b %g0, %g0, 100; zext.64b.32b %o, %g0; iadd.64b %p, %p, %o;\n")
	for i, n := range names {
		fmt.Fprintf(&b, "mov.32b %%v, %%%s; st.global.32b [%%p + %d], %%v;\n", n, 4*i)
	}
	at := 4 * len(names)
	for _, n := range []string{"globalsize", "globaloffset"} {
		for _, c := range "xyz" {
			fmt.Fprintf(&b, "mov.64b %%q, %%%s.%c; trunc.32b.64b %%v, %%q; st.global.32b [%%p + %d], %%v;\n", n, c, at)
			at += 4
		}
	}
	require.Equal(t, 100, at)
	b.WriteString("return;\n}\n")
	m := build(t, "k.pisa", b.String())
	global, local, offset := [3]uint64{7, 5, 3}, [3]uint64{4, 3, 2}, [3]uint64{10, 20, 30}
	l := &interp.Launch{Global: global, Local: local, Offset: offset, Args: []host.Arg{{Data: make([]byte, 100*7*5*3)}}}
	var ds ir.Diags
	require.NotNil(t, interp.Run(m, l, &ds), "%s", diags(m.Sources, ds.List))
	for z := range uint64(3) {
		for y := range uint64(5) {
			for x := range uint64(7) {
				id := [3]uint64{x, y, z}
				rec := l.Args[0].Data[100*((z*5+y)*7+x):]
				var want []uint64
				var lid, gid, size, count [3]uint64
				items := uint64(1)
				for i := range 3 {
					lid[i], gid[i] = id[i]%local[i], id[i]/local[i]
					size[i] = min(local[i], global[i]-gid[i]*local[i])
					count[i] = (global[i] + local[i] - 1) / local[i]
					items *= size[i]
				}
				lane := (lid[2]*size[1]+lid[1])*size[0] + lid[0]
				for _, v := range [][3]uint64{lid, gid, size, local, count} {
					want = append(want, v[:]...)
				}
				want = append(want, lane, 1<<items-1, 32, 3)
				want = append(append(want, global[:]...), offset[:]...)
				for i, w := range want {
					require.Equal(t, uint32(w), binary.LittleEndian.Uint32(rec[4*i:]), "%v: word %d", id, i)
				}
			}
		}
	}
}

// TestWorkers: results do not depend on the number of cores, nor on the seed.
func TestWorkers(t *testing.T) {
	p := load(t, "kernels/matmul_tiled.json")
	var first []byte
	for _, workers := range []int{1, 2, 3, 8} {
		for seed := range uint64(3) {
			l := matmul(64)
			l.Workers, l.Seed = workers, seed
			var ds ir.Diags
			st := interp.Run(p.module, l, &ds)
			require.NotNil(t, st)
			require.Equal(t, uint64(64*64*4*2), st.Barriers)
			if first == nil {
				first = l.Args[2].Data
			}
			require.Equal(t, first, l.Args[2].Data, "workers %d seed %d", workers, seed)
		}
	}
}

// TestFirstFault: with several faulty work-groups, the first one is reported,
// whatever the number of workers.
func TestFirstFault(t *testing.T) {
	src := kernel("", "ucmp.lt.32b %t, %gid, 700; goto.cond %t, end;\nudiv.32b %a, 1, %b;\nend:\nreturn;\n")
	for _, workers := range []int{1, 2, 8} {
		l := simple(64*64, 64, 1)
		l.Workers = workers
		require.Contains(t, fail(t, src, l), "work-item global (700,0,0), local (60,0,0) of work-group (10,0,0)")
	}
}

// TestSeedRepeats: a seed fixes the result of a program whose result depends
// on the order, and seeds do reach different orders.
func TestSeedRepeats(t *testing.T) {
	m := build(t, "k.pisa", kernel("", "mov.32b %a, 1; iatom.global.relaxed.add.32b %d, [%p], %a; iadd.32b %c, %gid, 1; zext.64b.32b %off, %c; shl.64b %off, %off, 2; st.global.32b [%p + %off], %d; return;\n"))
	once := func(seed uint64) string {
		l := simple(256, 64, 257)
		l.Seed = seed
		var ds ir.Diags
		require.NotNil(t, interp.Run(m, l, &ds))
		return string(l.Args[0].Data)
	}
	orders := map[string]bool{}
	for seed := range uint64(20) {
		a := once(seed)
		require.Equal(t, a, once(seed))
		orders[a] = true
	}
	require.Greater(t, len(orders), 5)
}

// TestStats counts a kernel that is small enough to count by hand.
func TestStats(t *testing.T) {
	m := build(t, "k.pisa", kernel(".function .32b @f(.reg .32b %x) { return %x; }",
		".shared .align 4 @S[256]; shl.32b %a, %lid, 2; addrof.32b %b, @S; iadd.32b %a, %a, %b; st.shared.32b [%a], %gid; fence.shared.workgroup; barrier.workgroup; ld.shared.32b %d, [%a]; call %d, @f(%d); mov.32b %c, 1; iatom.global.relaxed.add.32b %d, [%p], %c; return;\n"))
	l := simple(96, 48, 1)
	var ds ir.Diags
	st := interp.Run(m, l, &ds)
	require.NotNil(t, st)
	require.Equal(t, &interp.Stats{Kernel: "k", WorkGroups: 2, WorkItems: 96, Instructions: st.Instructions, Issued: st.Issued,
		Loads: map[string]uint64{"param": 96, "shared": 96}, Stores: map[string]uint64{"shared": 96}, Atomics: map[string]uint64{"global": 96},
		Fences: 96, Barriers: 96, Calls: 96}, st)
	require.Equal(t, 24*st.Issued, st.Instructions, "two sub-groups, of 32 and 16, in each group")
}

// TestTrace: a line for each instruction, with its source line and values.
func TestTrace(t *testing.T) {
	var b bytes.Buffer
	m := build(t, "k.pisa", kernel("", "iadd.32b %a, %gid, 5;\nst.global.32b [%p], %a;\nreturn;\n"))
	l := simple(2, 2, 1)
	l.Trace = &b
	var ds ir.Diags
	require.NotNil(t, interp.Run(m, l, &ds))
	require.Regexp(t, `group \(0,0,0\) sub-group 0 mask 00000003 @k line 2 \| %\d+ = pisa\.iadd\.32b .*=0x0.* \(lane 0\)\n`, b.String())
	require.Regexp(t, `line 3 \| pisa\.st\.global\.32b \[%\d+\], %\d+ \| %\d+=0x100000000000 %\d+=0x5 \(lane 0\)\n`, b.String())
}

// TestSharedArgument: a pointer to shared memory that the host sizes.
func TestSharedArgument(t *testing.T) {
	src := ".version 0.1; .target 100;\n.kernel @k(.param[4] .align(4) .addrspace(shared) %s, .param[8] %buf) { .reg .32b %a, %b, %l; .reg .64b %p, %o; ld.param.32b %a, [%s]; ld.param.64b %p, [%buf]; mov.32b %l, %localid.x; shl.32b %b, %l, 2; st.shared.32b [%a + %b], %l; barrier.workgroup; xor.32b %b, %b, 4; ld.shared.32b %b, [%a + %b]; zext.64b.32b %o, %l; shl.64b %o, %o, 2; st.global.32b [%p + %o], %b; return; }\n"
	l := &interp.Launch{Global: [3]uint64{8, 1, 1}, Local: [3]uint64{8, 1, 1}, Args: []host.Arg{{Kind: host.ArgShared, Size: 32}, {Data: make([]byte, 32)}}}
	var ds ir.Diags
	m := build(t, "k.pisa", src)
	require.NotNil(t, interp.Run(m, l, &ds), "%s", diags(m.Sources, ds.List))
	require.Equal(t, words(1, 0, 3, 2, 5, 4, 7, 6), l.Args[1].Data)
	l.Args[0].Size = 28
	require.Contains(t, fail(t, src, l), "past the end of argument 0 (28 bytes)")
}

// TestUniformMask holds the count of active lanes in nested divergence to the
// ids that take each path.
func TestUniformMask(t *testing.T) {
	body := "mov.32b %d, 0;\n"
	for bit := range 5 {
		body += fmt.Sprintf("and.32b %%a, %%lid, %d; ucmp.eq.32b %%t, %%a, 0;\ngoto.cond %%t, skip%d;\nmov.32b %%b, %%activemask; cbit.32b %%b, %%b; iadd.32b %%d, %%d, %%b;\n", 1<<bit, bit)
	}
	for bit := 4; bit >= 0; bit-- {
		body += fmt.Sprintf("skip%d:\nmov.32b %%b, %%activemask; cbit.32b %%b, %%b; iadd.32b %%d, %%d, %%b;\n", bit)
	}
	outputs(t, kernel("", body+out), simple(32, 32, 32), func(g uint32) uint32 {
		depth := bits.TrailingZeros32(^g) // branches entered
		sum := uint32(0)
		for i := range min(depth, 5) {
			sum += 16 >> i
		}
		for i := range min(depth+1, 5) { // joins passed, from the innermost reached
			sum += 32 >> i
		}
		return sum
	})
}
