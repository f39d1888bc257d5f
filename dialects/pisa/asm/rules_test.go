package asm

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/pisa"
	"pisac/ir"
)

var markRE = regexp.MustCompile(`//((?: [EW][0-9]{3})+)`)

// marked checks a text whose lines say in a comment which diagnostics they
// get, `// E031 W009`, and that no others come.
func marked(t *testing.T, text string) parsed {
	t.Helper()
	var want []string
	for i, line := range strings.Split(text, "\n") {
		if m := markRE.FindStringSubmatch(line); m != nil {
			for _, code := range strings.Fields(m[1]) {
				want = append(want, fmt.Sprintf("%d: PISA-%s", i+1, code))
			}
		}
	}
	p := parse(t, text)
	var got []string
	for _, d := range p.ds.List {
		got = append(got, fmt.Sprintf("%d: %s", p.src.Position(d.Loc).Line, d.Code))
	}
	sort.Strings(want)
	sort.Strings(got)
	require.Equal(t, want, got, p.messages(ir.Warning))
	if !p.ds.HasErrors() {
		roundTrip(t, p)
	}
	return p
}

const head01 = ".version 0.1;\n.target 100;\n"
const head10 = ".version 1.0;\n.target 100;\n"

// kernel01 and kernel10 wrap statements in a kernel with some registers.
func kernel01(stmts string) string { return head01 + kernelOf(stmts) }
func kernel10(stmts string) string { return head10 + kernelOf(stmts) }

func kernelOf(stmts string) string {
	return `.global .align 8 @G[64];
.const @C[8] = { .zero 8 };
.function .32b @f(.reg .32b %x) {
  return %x;
}
.kernel @k(.param[8] %arg, .param[2] %small) {
  .reg .8b %b, %b1;
  .reg .16b %h, %h1;
  .reg .32b %r, %r1, %r2;
  .reg .64b %d, %d1;
  .reg .128b %q;
  .reg .v2.16b %h2;
  .reg .v2.32b %w2;
  .reg .v3.32b %w3;
  .reg .v4.32b %w4, %w4b;
  .reg .v2.64b %d2;
  .pred %p;
  .shared .align 16 @S[64];
  .private .align 16 @P[64];
` + stmts + "\n}\n"
}

func TestHeader(t *testing.T) {
	for _, text := range []string{
		".kernel @k() { // W001\n}\n",
		"// W001",
		".target 100; // E010\n.version 0.1;\n.kernel @k() {\n}\n",
		".version 0.1;\n.kernel @k() { // E010\n}\n",
		".version 0.2; // E011\n.target 100;\n",
		".version 0.1;\n.target 101; // E012\n",
		".version 0.1;\n.target 100d; // E012\n",
		".version 0.1;\n.version 0.1; // E010 E010\n.target 100;\n",
		".version 0.1;\n.target 100;\n.target 100; // E010\n",
		".version 0.1;\n.target 100;\n.version 0.1; // E010\n",
		".version 0.1 // E004\n.target 100;\n.kernel @k() {\n}\n",
		".version 1.0;\n", // LLVM prints no target for a module without functions
		".version 1.0; // W002\n.kernel @k() {\n}\n",
		".version 1.0;\n.target 100ca;\n.kernel @k() {\n}\n",
	} {
		t.Run(text, func(t *testing.T) { marked(t, text) })
	}
	p := parse(t, ".kernel @k() {\n}\n")
	require.Equal(t, ir.Version{Major: 1}, p.Version)
	require.Equal(t, "", p.Target)
	p = parse(t, ".version 0.1;\n.target 100c;\n")
	require.Equal(t, ir.Version{Minor: 1}, p.Version)
	require.Equal(t, "100c", p.Target)
}

func TestVariables(t *testing.T) {
	marked(t, head01+`
.const .align 8 @Inferred = { .64b @G };
.global @NoSize; // E022
.global @G[8];
.global @Zero[0]; // E022
.const @NoInit[4]; // E020
.import .const @Imported[4];
.import .global @ImportedNoSize; // E022
.import .kernel @k() { // E018
}
.global .32b @Elems[4]; // W004
.global .v2.64b @Vecs[3] = { .zero 48 }; // W004
.global .align 3 @A3[4]; // E016
.global .align 4 .align 4 @Twice[4]; // E015
.global .section("a") .host_access("b") .align 2 @Any[1];
.global .section("") @Empty[1]; // E015
.global .volatile @Unknown[4]; // E015
.global @Trunc[2] = { .8b 300, .8b -300 };
.global @Big[8] = { .64b 18446744073709551615 };
.global @TooBig[8] = { .64b 18446744073709551616 }; // E057
.global @Low[8] = { .64b -9223372036854775808 };
.global @TooLow[8] = { .64b -9223372036854775809 }; // E057
.global @Float[4] = { .32b 1.5 }; // E020
.global @Sym32[4] = { .32b @G }; // E020
.global @Minus[8] = { .64b @G-8 }; // E020
.global @Undefined[8] = { .64b @nothing }; // E032
.global @Kern[8] = { .64b @later }; // E020
.global @Odd[3] = { .24b 1 }; // E020
.global @Short[4] = { .8b 1, .16b 2 }; // E021
.global @EmptyInit[4] = { }; // E004
.global @Self[8] = { .64b @Other };
.global @Other[8] = { .64b @Self + 4 };
.shared @S[4]; // E013
.private @P[4]; // E013
.reg .32b %r; // E013
.global @G[8]; // E030
.function void @G() { // E030
}
.kernel @later() {
  .const @L[4]; // E020
  .const @L2[4] = { .32b 1 };
  .shared .16b @S[10]; // W004
  .private .section("x") @Q[4]; // E015
  .private @R; // E022
  {
    .shared @S[4]; // W009
    .private @L2[4]; // W009
    .private @L2[4]; // E030
  }
  .global @Inner[4]; // E013
}
`)
	p := marked(t, head01+".shared .16b @S[10]; // E013\n.kernel @k() {\n.private .16b @P[10]; // W004\n.private .v4.8b @V[3]; // W004\n}\n")
	v := p.Funcs[0].Vars
	require.Equal(t, []uint64{20, 12}, []uint64{v[0].Size, v[1].Size})
	require.Equal(t, []uint32{2, 1}, []uint32{v[0].Align, v[1].Align})
	p = marked(t, head01+".global @T[3] = { .8b 300, .8b -300, .8b 0x1ff };\n")
	var got []uint64
	for _, it := range p.Vars[0].Init {
		got = append(got, it.Value)
	}
	require.Equal(t, []uint64{44, 212, 255}, got)
	// What only version 1.0 has.
	p = marked(t, head10+`
.global @Zero[0];
.const @NoInit[4];
.global @Odd = { .24b 0x010203, .48b -1, .64b @Odd-8 };
.global @9a@b[1];
.global @128b = { .128b 1 }; // E020
`)
	require.EqualValues(t, 17, p.Vars[2].Size)
	require.EqualValues(t, 1<<48-1, p.Vars[2].Init[1].Value)
	require.EqualValues(t, -8, p.Vars[2].Init[2].Off)
}

func TestKernelsAndFunctions(t *testing.T) {
	marked(t, head01+`
.kernel .reqd_work_group_size(1, 2) @two() { // E004
}
.kernel .reqd_work_group_size(0, 1, 1) @zero() { // E015
}
.kernel .vec_type_hint(float5) @hint() { // E015
}
.kernel .vec_type_hint(ulong16) .reqd_work_group_size(8, 8, 1) @good() {
}
.kernel .vec_type_hint(int) .vec_type_hint(int) @twice() { // E015
}
.kernel .max_threads(4) @unknown() { // E015
}
.kernel @params(.param[4] .align(4) .align(4) %a, .param[4] %a, .param[0] %z) { // E015 E030 E022
}
.kernel @params2(.param[8] .addrspace(shared) .ptr_align(16) .align(2) %a, .param[8] .ptr_align(3) %b) { // E016
}
.kernel @params3(.param[8] .align 4 %a, .param[8] %b) { // E004
}
.kernel @named(.param[8] %laneid) { // E035
}
.kernel @return() {
  return 1; // E061
}
.function void @void(.reg .32b %x, .64b %y) { // W003
}
.function void @pred(.pred %x) { // E017
}
.function void @unnamed(.reg .32b) { // E004
}
.function void @same(.reg .32b %x, .reg .64b %x) { // E030
}
.function .32b @noReturn(.reg .32b %x) {
  goto end;
end:
} // E062
.function .32b @inner(.reg .32b %x) {
  {
    return %x;
  }
} // E062
.function .32b @early(.reg .32b %x) {
  .pred %p;
  return.cond %p, 3;
  return %x;
}
.function .v2.32b @vector(.reg .v2.32b %x) {
  return %x;
}
.function .v2.32b @vectorImm() {
  return 0; // E051
}
.function .64b @imm() {
  return -1;
}
.function .16b @immRange() {
  return 65536; // E057
}
.function .16b @immFloat() {
  return 1.0; // E058
}
.import .function void @imported(.reg .32b %a, .reg .32b);
.import .function void @withBody() { // E018
}
.export .function void @exported() {
}
.function void @declared(.reg .32b %x); // W010
.function void @declared(.reg .32b %y) {
}
.function void @declared2(.reg .32b %x); // W010
.function void @declared2(.reg .64b %y) { // E030
}
.function void @never(); // E032
.function void @later() {
}
.function void @later(); // W010
.function @noType() { // E004
}
.function .pred @badType() { // E017
}
`)
	p := marked(t, head10+`
.kernel @k(.param[4] %laneid, .param[8] %r0) {
  .reg .32b %r<0~4>;
  ld.param.32b %r0, [%laneid];
  ld.param.32b %r1, [%r0+4];
  mov.32b %r2, %laneid;
}
.function .32b @tail(.reg .32b %x) {
}
`)
	in := p.Funcs[0].Instrs
	ops := p.Funcs[0].Operands(&in[0])
	require.Equal(t, []OperandKind{OpReg, OpParam}, []OperandKind{ops[0].Kind, ops[1].Kind})
	require.EqualValues(t, 0, ops[1].Ref)
	ops = p.Funcs[0].Operands(&in[1])
	require.EqualValues(t, 1, ops[1].Ref)
	require.True(t, ops[1].HasOff)
	require.EqualValues(t, 4, ops[2].Imm)
	require.Equal(t, OpSpecial, p.Funcs[0].Operands(&in[2])[1].Kind)
}

func TestNames(t *testing.T) {
	marked(t, kernel01(`
  .reg .32b %laneid; // E035
  .reg .32b %r; // E030
  .pred %r; // E030
  .reg .32b %e<5~5>; // E034
  .reg .32b %e<5~4>; // E034
  .reg .32b %n<0~4294967296>; // E006
  .reg .32b %m<0~4294967295>;
  .reg .32b %x<0~10>, %x<10~20>;
  .reg .32b %x<19~21>; // E030
  .reg .32b %y5, %y<6~9>;
  .reg .32b %z<0~9>;
  .reg .32b %z5; // E030
  .reg .32b %u<0~30>;
  .reg .32b %u1<0~2>; // E030
  mov.32b %r, %x19;
  mov.32b %r, %x20;
  mov.32b %r, %x01; // E031
  mov.32b %r, %x21; // E031
  mov.32b %r, %m4294967294;
  mov.32b %r, %m4294967295; // E031
  mov.32b %r, %late; // E031
  .reg .32b %late;
  mov.32b %r, %late;
  mov.32b %nope, %nope; // E031
  mov.32b %r, %nope;
  {
    .reg .64b %r; // W009
    .reg .64b %x<3~5>;
    mov.64b %r, %x4;
    mov.32b %x5, %x2;
    { .pred %x3; // W009
      sel.32b %x5, 1, 2, %x3;
    }
    mov.64b %r, %x3;
  }
  mov.32b %r, %x4;
  mov.32b %r, %arg; // E037
  .reg .32b %arg; // W009
  mov.32b %r, %arg;
  ld.param.32b %r, [%arg]; // E037
  ld.param.32b %r, [%r]; // E037
  ld.param.32b %r, [%none]; // E031
  ld.param.32b %r, [@G]; // E037
  mov.32b %r, %w4.x;
  mov.32b %r, %w4.q; // E031
  mov.32b %r, %w2.z; // E053
  mov.64b %d, %w3.zw; // E053
  mov.64b %d, %w3.xy;
  mov.128b %q, %w4.xyzw;
  mov.32b %r, %r.x; // E053
  iadd.32b %laneid, %r, %r; // E035
  mov.32b %r, %localid; // E035
  mov.32b %r, %localid.w; // E035
  mov.32b %r, %laneid.x; // E035
  mov.64b %d, %localid.xy; // E035
  mov.32b %r, %localid.z;
`))
	p := accept(t, head01+`
.kernel @k() {
  .reg .32b %p2<0~4>, %v.x, %a;
  .reg .v2.32b %v;
  mov.32b %a, %p20;
  mov.32b %v.x, %v.y;
  mov.32b %p20, %v.x;
}
`)
	fn := p.Funcs[0]
	var names []string
	for _, r := range fn.Regs {
		names = append(names, r.Name)
	}
	require.Equal(t, []string{"a", "p20", "v.x", "v"}, names)
	require.Equal(t, Swizzle(0), fn.Operands(&fn.Instrs[1])[0].Swz)
	require.Equal(t, MakeSwizzle(1, 1), fn.Operands(&fn.Instrs[1])[1].Swz)
}

// TestShadowedRange: a register of a range is one register, however often
// blocks in between hide it.
func TestShadowedRange(t *testing.T) {
	p := parse(t, head10+`
.kernel @k() {
  .reg .32b %r<0~9>;
  mov.32b %r5, 0;
  {
    .reg .32b %r<5~6>;
    mov.32b %r5, 1;
    {
      .reg .32b %r5;
      mov.32b %r5, 2;
    }
    mov.32b %r5, 3;
    { mov.32b %r5, 4; }
  }
  mov.32b %r5, 5;
  {
    .reg .32b %r<0~6>;
    mov.32b %r5, 6;
  }
  mov.32b %r5, 7;
}
`)
	require.False(t, p.ds.HasErrors())
	fn := p.Funcs[0]
	var got []uint32
	for i := range fn.Instrs {
		got = append(got, fn.Operands(&fn.Instrs[i])[0].Ref)
	}
	require.Equal(t, []uint32{0, 1, 2, 1, 1, 0, 3, 0}, got)
}

func TestLabels(t *testing.T) {
	marked(t, kernel01(`
  goto one;
  goto tow; // E033
  goto tow;
  {
one:
  }
two: // a comment may follow
  goto.cond !%p, two;
two: // E030
three: mov.32b %r, 1; // E036
  mov.32b %r, 1; four: // E036
.five:
add:
  goto
    add;
  goto void;
void:
  goto r; // E033
last:`))
	marked(t, head01+".kernel @a() {\nx:\n}\n.kernel @b() {\n  goto x; // E033\n}\n.kernel @c() {\nx:\n  goto x;\n}\n")
}

func TestImmediates(t *testing.T) {
	marked(t, kernel01(`
  mov.8b %b, -128;
  mov.8b %b, 255;
  mov.8b %b, -129; // E057
  mov.8b %b, 256; // E057
  mov.16b %h, 0xFFFF;
  mov.16b %h, 0x10000; // E057
  mov.32b %r, 4294967295;
  mov.32b %r, 0xFFFFFFFFFFFFFFFF; // E057
  mov.32b %r, -2147483648;
  mov.32b %r, -2147483649; // E057
  mov.64b %d, 18446744073709551615;
  mov.64b %d, 18446744073709551616; // E057
  mov.64b %d, -9223372036854775808;
  mov.64b %d, -9223372036854775809; // E057
  mov.128b %q, -1;
  mov.128b %q, 18446744073709551615;
  mov.32b %r, 007;
  mov.32b %r, -0x1; // E003
  mov.32b %r, 0x; // E003
  mov.32b %r, 1x; // E003
  mov.32b %r, 1.0; // E058
  mov.32b %r, 1e3; // E058
  fadd.f %r, %r, 1; // W008
  fadd.f %r, %r, -1; // W008
  fadd.f %r, %r, .5;
  fadd.f %r, %r, 1.;
  fadd.f %r, %r, 1e; // E003
  fadd.f %r, %r, 1e+; // E003
  fadd.f %r, %r, 1e-5;
  fadd.f %r, %r, 1e39; // E057
  fadd.f %r, %r, 1e999; // E057
  fadd.f %r, %r, 0x3F80000; // E058
  fadd.f %r, %r, 0x03F800000; // E058
  fadd.hf %h, %h, 65519.0;
  fadd.hf %h, %h, 65520.0; // E057
  fadd.df %d, %d, 0x3FF0000000000000;
  fadd.df %d, %d, 0x3F800000; // E058
  fmul.full.hf %r, %h, 1.0;
  shl.64b %d, %d, 4294967295;
  shl.64b %d, %d, 4294967296; // E057
  i2f.f.u8 %r, 256; // E057
  i2f.f.s16 %r, 1.0; // E058
  f2i.s32.hf %r, 0x3C00;
  sext.64b.16b %d, 65536; // E057
  sel.32b %r, 0x3F800000, -1, %p;
  mov.32b %w4.x, 1; // E051
  mov.64b %w4.xy, 1; // E051
`))
	p := marked(t, kernel10("  mov.32b %w4.x, 1;\n  mov.64b %w4.xy, 1; // E051\n"))
	require.NotNil(t, p)
	for _, c := range []struct {
		instr string
		bits  uint64
		hi    bool
	}{
		{"mov.8b %b, -1", 0xff, false},
		{"mov.64b %d, -1", 1<<64 - 1, false},
		{"mov.128b %q, -1", 1<<64 - 1, true},
		{"mov.128b %q, 0xFFFFFFFFFFFFFFFF", 1<<64 - 1, false},
		{"mov.32b %r, 0x80000000", 0x80000000, false},
		{"fabs.f %r, 4.2", 0x40866666, false},                  // 4.2 is 0x40866666 to nearest
		{"fabs.f %r, 0.1", 0x3dcccccd, false},                  //
		{"fabs.f %r, 1e-45", 1, false},                         // denormals are kept
		{"fabs.f %r, 16777217.0", 0x4b800000, false},           // a tie goes to even
		{"fabs.f %r, -0.0", 0x80000000, false},                 //
		{"fabs.hf %h, 0.1", 0x2e66, false},                     //
		{"fabs.hf %h, 65504.0", 0x7bff, false},                 //
		{"fabs.hf %h, 5.9604644775390625e-8", 1, false},        // 2^-24
		{"fabs.hf %h, 1", 0x3c00, false},                       // an integer, with a warning
		{"fabs.bf %h, 1.00390625", 0x3f80, false},              // 1+2^-8: a tie
		{"fabs.bf %h, 1.01171875", 0x3f82, false},              // 1+3*2^-8: a tie the other way
		{"fabs.bf %h, 0.1", 0x3dcd, false},                     //
		{"fabs.df %d, 0.1", 0x3fb999999999999a, false},         //
		{"fabs.df %d, 0xfff0000000000000", 0xfff << 52, false}, // -inf
	} {
		p := accept(t, kernel01("  "+c.instr+";"))
		fn := p.Funcs[1]
		op := fn.Operands(&fn.Instrs[0])[1]
		require.Equal(t, c.bits, op.Imm, "%s: %#x", c.instr, op.Imm)
		require.Equal(t, c.hi, op.Hi, c.instr)
	}
}

func TestAddresses(t *testing.T) {
	marked(t, kernel01(`
  ld.global.32b %r, [%d];
  ld.global.32b %r, [%d + %r];
  ld.global.32b %r, [%d + %d];
  ld.global.32b %r, [%d + %h]; // W006
  st.global.32b [%d + %h], %r; // E054
  ld.global.32b %r, [%d + %b]; // E054
  ld.global.32b %r, [%r]; // E054
  ld.shared.32b %r, [%r + %d]; // E054
  ld.shared.32b %r, [%d]; // E054
  ld.shared.32b %r, [%w4.x + %w4.y];
  ld.shared.32b %r, [%w4]; // E054
  ld.shared.32b %r, [@S+4];
  ld.shared.32b %r, [ @S + %r ];
  ld.shared.32b %r, [@P]; // E055
  ld.private.32b %r, [@P - 4];
  ld.generic.32b %r, [@G]; // E055
  ld.const.32b %r, [@C];
  ld.global.32b %r, [@C]; // E055
  ld.global.32b %r, [@f]; // E054
  ld.global.32b %r, [16]; // E054
  ld.global.32b %r, [%d - %r]; // E004
  ld.global.32b %r, [%d + -8];
  ld.global.32b %r, [%d - 8];
  ld.global.32b %r, [%d - 0x8]; // E058
  ld.global.32b %r, [%d + 1.5]; // E057
  ld.global.32b %r, [%d + 18446744073709551616]; // E057
  ld.global.32b %r, [%p]; // E054
  ld.shared.32b %r, [%r - 2147483648];
  ld.shared.32b %r, [%r - 2147483649]; // E057
  ld.shared.32b %r, [%r + 4294967295];
  ld.shared.32b %r, [%r + 4294967296]; // E057
  ld.param.32b %r, [%arg];
  ld.param.32b %r, [%arg+4];
  ld.param.32b %r, [%arg + 5]; // W011
  ld.param.64b %d, [%arg - 8]; // W011
  ld.param.32b %r, [%small]; // W011
  ld.param.32b %r, [%arg + %r];
  ld.param.32b %r, [%arg + 2147483648]; // E057
  ld.param.32b %r, [%arg + %d]; // E054
  ld.global.32b %r, [%d; // E004
  ld.global.32b %r, []; // E004
  ld.global.32b %r, [%groupid.x]; // E054
  ld.global.32b %r, [%printfbuffer];
  ld.shared.32b %r, [%groupid.x + %localid.x];
`))
	p := accept(t, kernel01("  ld.shared.32b %r, [%r + 0xFFFFFFF0];\n  ld.global.32b %r, [%d + 0xFFFFFFF0];\n"))
	fn := p.Funcs[1]
	require.EqualValues(t, -16, int64(fn.Operands(&fn.Instrs[0])[2].Imm)) // modulo 2^32
	require.EqualValues(t, 0xfffffff0, fn.Operands(&fn.Instrs[1])[2].Imm)
	marked(t, kernel10("  ld.param.32b %r, [%small];\n")) // LLVM reads an i1 of one byte so
}

func TestOrdersAndScopes(t *testing.T) {
	type props struct {
		order pisa.Order
		scope pisa.Scope
		space ir.Space
	}
	for _, c := range []struct {
		instr string
		opts  Options
		want  props
	}{
		{"ld.32b %r, [%d]", Options{}, props{pisa.Weak, pisa.NoScope, ir.SpaceGeneric}},
		{"ld.global.weak.32b %r, [%d]", Options{}, props{pisa.Weak, pisa.NoScope, ir.SpaceGlobal}},
		{"ld.global.relaxed.32b %r, [%d]", Options{}, props{pisa.Relaxed, pisa.System, ir.SpaceGlobal}},
		{"ld.global.relaxed.32b %r, [%d]", Options{RelaxedScope: pisa.GPU}, props{pisa.Relaxed, pisa.GPU, ir.SpaceGlobal}},
		{"ld.acquire.32b %r, [%d]", Options{}, props{pisa.Acquire, pisa.GPU, ir.SpaceGeneric}},
		{"ld.acquire.workgroup.32b %r, [%d]", Options{}, props{pisa.Acquire, pisa.Workgroup, ir.SpaceGeneric}},
		{"st.shared.seq_cst.system.32b [%r], %r", Options{}, props{pisa.SeqCst, pisa.System, ir.SpaceShared}},
		{"iatom.global.inc.32b %r, [%d]", Options{}, props{pisa.Relaxed, pisa.System, ir.SpaceGlobal}},
		{"iatom.global.acq_rel.inc.32b %r, [%d]", Options{RelaxedScope: pisa.GPU}, props{pisa.AcqRel, pisa.GPU, ir.SpaceGlobal}},
		{"fatom.shared.release.add.f %r, [%r], %r", Options{}, props{pisa.Release, pisa.GPU, ir.SpaceShared}},
		{"fence.workgroup", Options{}, props{pisa.AcqRel, pisa.Workgroup, ir.SpaceGeneric}},
		{"fence.acquire.gpu", Options{}, props{pisa.Acquire, pisa.GPU, ir.SpaceGeneric}},
		{"fence.global.system", Options{}, props{pisa.AcqRel, pisa.System, ir.SpaceGlobal}},
		{"fence.shared.seq_cst.gpu", Options{}, props{pisa.SeqCst, pisa.GPU, ir.SpaceShared}},
	} {
		p := parseWith(t, kernel01("  "+c.instr+";"), c.opts)
		require.Empty(t, p.ds.List, c.instr)
		in := &p.Funcs[1].Instrs[0]
		require.Equal(t, c.want, props{pisa.OrderOf(in.Props), pisa.ScopeOf(in.Props), pisa.SpaceOf(in.Props)}, c.instr)
	}
	for _, c := range []struct {
		instr string
		opts  Options
		want  pisa.Round
	}{
		{"fmul.f %r, %r, %r", Options{}, pisa.RE},
		{"fmul.f %r, %r, %r", Options{FMulDefaultRounding: pisa.RZ}, pisa.RZ},
		{"fmul.re.f %r, %r, %r", Options{FMulDefaultRounding: pisa.RZ}, pisa.RE},
		{"fmul.full.hf %r, %h, %h", Options{FMulDefaultRounding: pisa.RZ}, pisa.RZ},
		{"fadd.f %r, %r, %r", Options{FMulDefaultRounding: pisa.RZ}, pisa.RE},
		{"f2i.s32.f %r, %r", Options{}, pisa.RZ},
		{"i2f.f.s32 %r, %r", Options{FMulDefaultRounding: pisa.RZ}, pisa.RE},
	} {
		p := parseWith(t, kernel01("  "+c.instr+";"), c.opts)
		require.Empty(t, p.ds.List, c.instr)
		require.Equal(t, c.want, pisa.RoundOf(p.Funcs[1].Instrs[0].Props), c.instr)
	}
}

func TestCallsAndSymbols(t *testing.T) {
	marked(t, kernel01(`
  call %r, @f(%r);
  call %r, @f (%laneid);
  call %r, @f(%w4.y);
  call %r, @f(%w4.xy); // E053
  call %d, @f(%r); // E060
  call void, @f(%r); // E060
  call %r, @f(); // E060
  call %r, @f(%r, %r); // E060
  call %r, @f(%d); // E060
  call %r, @f(1); // E060
  call %r, @f(%p); // E060
  call %r, @f; // E050
  call %r, @late(%r); // E060
  call void, @late(%r, %d);
  call void, @k(); // E060
  call void, @nowhere(); // E032
  call void, @nowhere();
  call %r, %d(%r, %w4);
  call %r, %r(%r); // E052
  call.cond !%p, %r, @f(%r);
  call.cond %r, %r, @f(%r); // E051
  call void, @G(); // E051
  addrof.64b %d, @f;
  addrof.64b %d, @late;
  addrof.64b %d, @k; // E060
  addrof.64b %d, @G;
  addrof.64b %d, @S; // E052
  addrof.32b %r, @S;
  addrof.32b %r, @f; // E051
  addrcast.generic.shared %d, @S;
  addrcast.generic.private %d, @S; // E055
  iadd.32b %r(%r), %r; // E004
  return %r; // E061
  return.cond !%p;
`)+".function void @late(.reg .32b %a, .reg .64b %b) {\n}\n")
	marked(t, kernel10(`
  call %w4.x, @f(%w4.y);
  call %w4.xy, @two(%w4.zw);
`)+".function .v2.32b @two(.reg .v2.32b %a) {\n  return %a;\n}\n")
}

// TestFrameVariables: LLVM's frame variables may have the name of a global;
// the address space of the instruction decides (version 1.0).
func TestFrameVariables(t *testing.T) {
	p := accept(t, head10+`
.kernel @k() {
  .private @R0[16];
  .reg .32b %w;
  .reg .64b %d;
  ld.private.32b %w, [@R0];
  ld.global.32b %w, [@R0];
  addrof.32b %w, @R0;
  call void, @R1();
}
.global @R0[4];
.function void @R1() {
}
`)
	fn := p.Funcs[0]
	space := func(i int) ir.Space {
		for _, op := range fn.Operands(&fn.Instrs[i]) {
			if op.Kind == OpVar {
				return fn.Syms[op.Ref].Var.Space
			}
		}
		return ir.SpaceNone
	}
	require.Equal(t, []ir.Space{ir.SpacePrivate, ir.SpaceGlobal, ir.SpacePrivate}, []ir.Space{space(0), space(1), space(2)})
}

func TestQualifierMessages(t *testing.T) {
	for _, c := range []struct{ instr, want string }{
		{"iad.32b %r, %r, %r", "unknown instruction 'iad'; did you mean iadd?"},
		{"barrier.workgrup", "unknown instruction 'barrier'; did you mean barrier.workgroup?"},
		{"iadd.33b %r, %r, %r", "iadd has no qualifier .33b; did you mean .32b?"},
		{"iadd.8b %b, %b, %b", "iadd has no .8b; .type is one of .16b .32b .64b .8bx4 .16bx2"},
		{"iadd %r, %r, %r", "iadd needs .type: one of .16b .32b .64b"},
		{"iadd.32b.dsat %r, %r, %r", ".dsat stands too late: it must come before .32b"},
		{"iadd.dsat.dsat.32b %r, %r, %r", ".dsat is given twice: .dsat and .dsat"},
		{"sdiv.quo.rem.32b %r, %r, %r", ".output is given twice: .quo and .rem"},
		{"fdiv.re.fast.f %r, %r, %r", ".re does not go with the other qualifiers: the fast form of fdiv has no .rndmode"},
		{"fsqrt.hfx2 %h2, %h2", "fsqrt needs .fast: one of .fast"},
		{"fadd.f. %r, %r, %r", "a qualifier must follow '.'"},
		{"ld.global.aquire.32b %r, [%d]", "ld has no qualifier .aquire; did you mean .acquire?"},
		{"ld.global.release.32b %r, [%d]", "ld has no .release; .memorder is one of .weak .relaxed .acquire .seq_cst"},
		{"extract.64.32b %r, %w4", "extract has no .64; .index is a number from .0 to .63"},
		{"iadd.32b %r, %r", "iadd takes 3 operands, not 2"},
		{"iadd.32b %r, %r, %d", "src1 is .64b, must be .32b"},
		{"iadd.32b %r, %r, [%d]", "src1 must be a register or an immediate, not an address"},
		{"mov.32b %r, %R", "undefined register %R; did you mean %r?"},
	} {
		p := parse(t, kernel01("  "+c.instr+";"))
		require.Len(t, p.ds.List, 1, "%s\n%s", c.instr, p.messages(ir.Warning))
		require.Equal(t, c.want, p.ds.List[0].Text, c.instr)
	}
}

// TestCarets: a diagnostic points at the word that is wrong.
func TestCarets(t *testing.T) {
	for _, c := range []struct{ instr, caret string }{
		{"iadd.32b.dsat %r, %r, %r", ".dsat"},
		{"ld.global.aquire.32b %r, [%d]", ".aquire"},
		{"iadd.32b %r, %r, %d", "%d"},
		{"iadd.32b %r, %r, 0x1FFFFFFFF", "0x1FFFFFFFF"},
		{"ld.shared.32b %r, [%r + %d]", "%d"},
		{"goto nowhere", "nowhere"},
		{"call void, @nowhere()", "@nowhere"},
		{"iadd.32b %r, %r", "iadd.32b"},
	} {
		text := kernel01("  " + c.instr + ";")
		p := parse(t, text)
		require.Len(t, p.ds.List, 1, c.instr)
		d := p.ds.List[0]
		require.Equal(t, c.caret, text[p.Src.Offset(d.Loc):p.Src.Offset(d.End)], c.instr)
	}
}

// TestRecovery: all mistakes of a file in one run, and each once.
func TestRecovery(t *testing.T) {
	marked(t, kernel01(`
  vadd.32b {%r, %r}, %r; // E040
  iadd.32b %r, %r, 1 // E004
  mov.32b %r, %r1;
  iadd.32b %r %r, 1; // E004
  isub.32b %r, %r, ; // E004
  .reg .32b ; // E004
  .reg .32b %new, ; // E004
  mov.32b %new, %r;
  .registers .32b %x; // E014
  # ; // E001
  xadd.32b %r; // E040
  {
    foo %r; // E040
  }
  mov.32b %r, "text"; // E004
`))
	marked(t, head01+`
.kernl @a() { // E014
  iadd.32b %a, %b, %c;
}
kernel @b() { // E004
  iadd.32b %a, %b, %c;
}
.kernel @c() {
  iadd.32b %u, 1, 2; // E031
} } // E004
.global @G[4] = { .32b 1, .33b 2, .32b } ; // E020 E004
.global @H[4] // E004
.global @I[4 // E004
.kernel b() { // E004
}
.kernel @d() {
  mov.32b %v, 1; // E031 E019
.kernel @e() {
}
`)
}

func TestCodesAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for i, c := range Codes {
		require.False(t, seen[c.ID], c.ID)
		seen[c.ID] = true
		require.NotEmpty(t, c.Title)
		require.NotEmpty(t, c.Text)
		if i > 0 {
			require.Less(t, Codes[i-1].ID, c.ID)
		}
	}
	_, ok := Explain("PISA-E999")
	require.False(t, ok)
}
