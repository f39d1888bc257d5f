package llx

import (
	"strconv"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Load reads a t at p.
func (b *Builder) Load(t types.Type, p value.Value, a Access) value.Value {
	return b.op(t, part{"load " + atomicWord(a.Order) + t.String() + ", ", p, false}, part{a.tail(), nil, false})
}

// Store writes v at p.
func (b *Builder) Store(v, p value.Value, a Access) {
	b.op(types.Void, part{"store " + atomicWord(a.Order), v, false}, part{", ", p, false}, part{a.tail(), nil, false})
}

// AtomicRMW applies op (LLVM's word: add, fmin, uinc_wrap, …) and returns the
// old value.
func (b *Builder) AtomicRMW(op string, p, v value.Value, a Access) value.Value {
	return b.op(v.Type(), part{"atomicrmw " + op + " ", p, false}, part{", ", v, false}, part{a.tail(), nil, false})
}

// CmpXchg stores repl at p if the value there has the bits of cmp, with
// ordering a.Order on success and fail otherwise. It returns the old value and
// the i1 that tells success.
func (b *Builder) CmpXchg(p, cmp, repl value.Value, a Access, fail Order) (old, ok value.Value) {
	t := types.NewStruct(cmp.Type(), types.I1)
	tail := a.tail()
	if i := strings.Index(tail, ", "); i >= 0 {
		tail = tail[:i] + " " + fail.String() + tail[i:]
	} else {
		tail += " " + fail.String()
	}
	r := b.op(t, part{"cmpxchg ", p, false}, part{", ", cmp, false}, part{", ", repl, false}, part{tail, nil, false})
	return b.ExtractValue(r, cmp.Type(), 0), b.ExtractValue(r, types.I1, 1)
}

// Fence places a fence; md is an attachment such as `!mmra !{…}` or empty.
func (b *Builder) Fence(o Order, scope, md string) {
	s := "fence "
	if scope != "" {
		s += `syncscope("` + scope + `") `
	}
	s += o.String()
	if md != "" {
		s += ", " + md
	}
	b.op(types.Void, part{s, nil, false})
}

// MMRA is the attachment that restricts a fence to one AMDGPU address space:
// as is "global" or "local" (AMDGPUUsage, "Memory Model Relaxation
// Annotations").
func MMRA(as string) string { return `!mmra !{!"amdgpu-as", !"` + as + `"}` }

// GEP displaces p by a byte offset of integer type. It is never inbounds: PISA
// address arithmetic wraps.
func (b *Builder) GEP(p, off value.Value) value.Value {
	return b.GEPOf(types.I8, p, off)
}

// GEPOf displaces p by off elements of type t.
func (b *Builder) GEPOf(t types.Type, p, off value.Value) value.Value {
	return b.op(p.Type(), part{"getelementptr " + t.String() + ", ", p, false}, part{", ", off, false})
}

// Alloca reserves a t of private memory.
func (b *Builder) Alloca(t types.Type, align int) value.Value {
	return b.op(Ptr(ASPrivate), part{"alloca " + t.String() + ", align " + strconv.Itoa(align) + ", addrspace(5)", nil, false})
}

// Intrinsic calls an LLVM intrinsic by its full name, declaring it at first
// use. The signature follows from ret and the arguments, so one name must
// always be used with the same types. attrs are call attributes such as
// "strictfp".
func (b *Builder) Intrinsic(name string, ret types.Type, args []value.Value, attrs ...string) value.Value {
	if b.intrinsics[name] == nil {
		ps := make([]*ir.Param, len(args))
		for i, a := range args {
			ps[i] = ir.NewParam("", a.Type())
		}
		b.intrinsics[name] = b.M.NewFunc(name, ret, ps...)
	}
	return b.callText(ret, "@"+name, args, "", attrs)
}

// Call calls f directly.
func (b *Builder) Call(f *ir.Func, args []value.Value, attrs ...string) value.Value {
	return b.callText(f.Sig.RetType, f.Ident(), args, callConv(f.CallingConv), attrs)
}

// CallPtr calls through a pointer to a function of the default convention; the
// signature follows from ret and the arguments.
func (b *Builder) CallPtr(ret types.Type, p value.Value, args []value.Value, attrs ...string) value.Value {
	parts := []part{{"call " + ret.String() + " ", p, true}}
	return b.op(ret, callArgs(parts, args, attrs)...)
}

// Asm is inline assembly. With sideEffect it is neither removed nor reordered
// with other side effects.
func (b *Builder) Asm(ret types.Type, text, constraints string, sideEffect bool, args []value.Value, attrs ...string) value.Value {
	s := "asm "
	if sideEffect {
		s += "sideeffect "
	}
	s += quote([]byte(text)) + ", " + quote([]byte(constraints))
	return b.callText(ret, s, args, "", attrs)
}

func callConv(cc enum.CallingConv) string {
	if cc == enum.CallingConvNone {
		return ""
	}
	return cc.String() + " "
}

func (b *Builder) callText(ret types.Type, callee string, args []value.Value, cc string, attrs []string) value.Value {
	parts := make([]part, 0, len(args)+3)
	parts = append(parts, part{"call " + cc + ret.String() + " " + callee, nil, false})
	return b.op(ret, callArgs(parts, args, attrs)...)
}

func callArgs(parts []part, args []value.Value, attrs []string) []part {
	sep := "("
	for _, a := range args {
		parts = append(parts, part{sep, a, false})
		sep = ", "
	}
	end := ")"
	if len(args) == 0 {
		end = "()"
	}
	for _, a := range attrs {
		end += " " + a
	}
	return append(parts, part{end, nil, false})
}
