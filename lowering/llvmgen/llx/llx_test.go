package llx

import (
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
	"github.com/stretchr/testify/require"
)

// verify runs LLVM 19's verifier over the module; without LLVM the text alone
// is tested.
func verify(t *testing.T, text string) {
	t.Helper()
	opt := "/usr/lib/llvm-19/bin/opt"
	if p, err := exec.LookPath("opt-19"); err == nil {
		opt = p
	}
	if _, err := os.Stat(opt); err != nil {
		t.Log("LLVM 19 is absent: printed text not verified")
		return
	}
	cmd := exec.Command(opt, "-passes=verify", "-disable-output")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
}

// build makes a module with one void function, filled by fill.
func build(fill func(b *Builder, p map[string]value.Value)) string {
	m := ir.NewModule()
	m.TargetTriple = "amdgcn-amd-amdhsa"
	b := NewBuilder(m)
	ps := []*ir.Param{
		ir.NewParam("g", Ptr(ASGlobal)), ir.NewParam("s", Ptr(ASLocal)), ir.NewParam("f", Ptr(ASFlat)),
		ir.NewParam("i", types.I32), ir.NewParam("h", types.Half), ir.NewParam("b", BFloat), ir.NewParam("x", types.Float),
		ir.NewParam("v", Vec(4, types.I32)), ir.NewParam("l", types.I64),
	}
	b.F = m.NewFunc("t", types.Void, ps...)
	b.At(b.NewBlock("entry"))
	vals := map[string]value.Value{}
	for _, p := range ps {
		vals[p.LocalName] = p
	}
	fill(b, vals)
	if b.Block.Term == nil {
		b.RetVoid()
	}
	return m.String()
}

func TestInstructionsPrintAsLLVMReadsThem(t *testing.T) {
	text := build(func(b *Builder, p map[string]value.Value) {
		b.Store(b.Add(p["i"], I32(1)), p["g"], Access{Align: 4})
		b.Store(b.Not(p["i"]), p["g"], Access{Align: 4, Order: Release, Scope: ScopeAgent})
		b.Load(types.I64, b.GEP(p["g"], I64(8)), Access{Align: 8, Order: Monotonic})
		b.AtomicRMW("uinc_wrap", p["g"], p["i"], Access{Align: 4, Order: Monotonic, Scope: ScopeWorkgroup})
		b.AtomicRMW("fmin", p["s"], p["x"], Access{Order: Monotonic, Scope: ScopeWorkgroup})
		old, ok := b.CmpXchg(p["f"], p["i"], I32(7), Access{Align: 4, Order: AcqRel, Scope: ScopeAgent}, Acquire)
		b.Select(ok, old, I32(0))
		b.Fence(Release, ScopeAgent, MMRA("global"))
		b.Fence(SeqCst, ScopeSystem, "")
		b.Store(b.FAdd(p["b"], BFloatBits(0x3f80)), p["g"], Access{Align: 2})
		b.FMul(p["x"], FloatBits(0x7fc00001), "nnan")
		b.FCmp(enum.FPredOLT, p["b"], p["b"])
		b.ICmp(enum.IPredEQ, p["f"], Null(ASFlat))
		b.Shuffle(p["v"], Undef(p["v"].Type()), 0, 3, -1)
		b.Insert(p["v"], b.Extract(p["v"], 2), 1)
		b.Alloca(types.NewArray(16, types.I8), 16)
		b.Intrinsic("llvm.amdgcn.workitem.id.x", types.I32, nil)
		b.Asm(types.Void, "s_waitcnt vmcnt(0)", "~{memory}", true, nil)
		b.Asm(types.I32, "v_mov_b32 $0, $1", "=v,v", false, []value.Value{p["i"]}, "convergent")
		b.CallPtr(types.I32, p["f"], []value.Value{p["i"], p["v"]})
		b.AddrSpaceCast(p["g"], Ptr(ASFlat))
		b.Bitcast(p["v"], Vec(2, types.I64))
		loop, done := b.NewBlock("loop"), b.NewBlock("done")
		entry := b.Block
		b.Br(loop)
		b.At(loop)
		phi := b.Phi(types.I32)
		next := b.Add(phi, I32(1))
		AddIncoming(phi, I32(0), entry)
		AddIncoming(phi, next, loop)
		b.CondBr(b.ICmp(enum.IPredULT, next, p["i"]), loop, done)
		b.At(done)
	})
	for _, want := range []string{
		"store i32 %0, ptr addrspace(1) %g, align 4\n",
		"store atomic i32 %1, ptr addrspace(1) %g syncscope(\"agent\") release, align 4\n",
		"load atomic i64, ptr addrspace(1) %2 monotonic, align 8\n",
		"atomicrmw uinc_wrap ptr addrspace(1) %g, i32 %i syncscope(\"workgroup\") monotonic, align 4\n",
		"atomicrmw fmin ptr addrspace(3) %s, float %x syncscope(\"workgroup\") monotonic\n",
		"cmpxchg ptr %f, i32 %i, i32 7 syncscope(\"agent\") acq_rel acquire, align 4\n",
		"fence syncscope(\"agent\") release, !mmra !{!\"amdgpu-as\", !\"global\"}\n",
		"fence seq_cst\n",
		"fadd bfloat %b, 0xR3F80\n",
		"fmul nnan float %x, 0x7FF8000020000000\n",
		"fcmp olt bfloat %b, %b\n",
		"icmp eq ptr %f, null\n",
		"shufflevector <4 x i32> %v, <4 x i32> undef, <3 x i32> <i32 0, i32 3, i32 poison>\n",
		"alloca [16 x i8], align 16, addrspace(5)\n",
		"call void asm sideeffect \"s_waitcnt vmcnt(0)\", \"~{memory}\"()\n",
		"call i32 %f(i32 %i, <4 x i32> %v)\n",
		"declare i32 @llvm.amdgcn.workitem.id.x()\n",
	} {
		require.Contains(t, text, want)
	}
	verify(t, text)
}

func TestConstantsKeepTheirBits(t *testing.T) {
	// LLVM reads each constant back and stores its bits: constant folding of the
	// bitcast by the verifier's parser is the independent reading.
	require.Equal(t, "0x3FF0000000000000", FloatBits(math.Float32bits(1)).Text)
	require.Equal(t, "0x36A0000000000000", FloatBits(1).Text) // smallest denormal, 2^-149
	require.Equal(t, "0xFFF0000020000000", FloatBits(0xff800001).Text)
	require.Equal(t, "i32 -1", I32(0xffffffff).String())
	require.Equal(t, "i64 -9223372036854775808", I64(1<<63).String())
	require.Equal(t, "i8 -128", I8(0x80).String())
	require.Equal(t, "i1 true", Int(types.I1, 3).String())
	require.Equal(t, "i128 18446744073709551615", Int(types.I128, math.MaxUint64).String())
	require.Equal(t, `[3 x i8] c"a\22\00"`, Bytes([]byte{'a', '"', 0}).String())
	require.Equal(t, "[2 x i8] zeroinitializer", Bytes(make([]byte, 2)).String())
	require.Equal(t, `metadata !"round.upward"`, MDString("round.upward").String())
	require.Equal(t, "<2 x i16> <i16 -1, i16 -1>", Splat(Vec(2, types.I16), I16(0xffff)).String())
	text := build(func(b *Builder, p map[string]value.Value) {
		for _, bits := range []uint32{0, 1, 0x80000000, 0x7f800000, 0x7f800001, 0xffc12345, 0x3f800001} {
			b.Store(FloatBits(bits), p["g"], Access{Align: 4})
		}
		for _, bits := range []uint16{1, 0x7c01, 0xfe00, 0x7fff} {
			b.Store(HalfBits(bits), p["g"], Access{Align: 2})
			b.Store(BFloatBits(bits), p["g"], Access{Align: 2})
		}
		b.Store(DoubleBits(0x7ff0000000000001), p["g"], Access{Align: 8})
		for _, size := range []int{1, 16, 128} {
			b.Store(Int(types.NewInt(uint64(size)), ^uint64(0)), p["g"], Access{})
		}
	})
	verify(t, text)
}

func TestSymbolsAreOpaquePointers(t *testing.T) {
	m := ir.NewModule()
	g := m.NewGlobal("var", types.NewArray(8, types.I8))
	g.AddrSpace = ASGlobal
	g.Init = Bytes(make([]byte, 8))
	f := m.NewFunc("callee", types.I32)
	b := NewBuilder(m)
	b.F = m.NewFunc("user", Ptr(ASFlat))
	b.At(b.NewBlock(""))
	b.Store(FuncRef(f), ConstGEP(GlobalRef(g), 4), Access{Align: 4})
	init := ConstCast("ptrtoint", ConstGEP(GlobalRef(g), -4), types.I64)
	h := m.NewGlobal("addr", types.I64)
	h.Init = init
	b.Call(f, nil)
	b.Ret(ConstCast("addrspacecast", GlobalRef(g), Ptr(ASFlat)))
	text := m.String()
	require.Contains(t, text, "store ptr @callee, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @var, i64 4), align 4")
	require.Contains(t, text, "@addr = global i64 ptrtoint (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @var, i64 -4) to i64)")
	require.NotContains(t, text, "*")
	verify(t, text)
}

func TestTypes(t *testing.T) {
	require.Same(t, Ptr(3), Ptr(3))
	require.True(t, Ptr(1).Equal(Ptr(1)))
	require.False(t, Ptr(1).Equal(Ptr(0)))
	require.False(t, Ptr(1).Equal(types.I8Ptr))
	require.True(t, BFloat.Equal(BFloat))
	require.False(t, BFloat.Equal(types.Half))
	require.Equal(t, "<2 x bfloat>", Vec(2, BFloat).String())
	require.Same(t, Vec(4, types.I32), Vec(4, types.I32))
	require.Equal(t, 4, VecLen(Vec(4, types.I32)))
	require.Equal(t, 0, VecLen(types.I32))
	require.Equal(t, "ptr addrspace("+strconv.Itoa(ASPrivate)+")", Ptr(ASPrivate).String())
}
