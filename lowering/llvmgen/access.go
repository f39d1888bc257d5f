package llvmgen

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/pisa"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

var accessRows = []lowering{
	pisa.Ld:      lowerLd,
	pisa.LdParam: lowerLdParam,
	pisa.St:      lowerSt,
}

// accessType is the LLVM type of an access and the alignment that PISA
// guarantees: that of an element, or of the whole vector where elements are
// narrower than 32 bits (PISA 8.3, alignment).
func accessType(p uint64) (t types.Type, align int) {
	bits, lanes := pisa.TypeOf(p).Info().Bits, pisa.LanesOf(p)
	t, align = bitsType(bits), bits/8
	if lanes > 1 {
		t = llx.Vec(lanes, t)
		if bits < 32 {
			align *= lanes
		}
	}
	return t, align
}

// no128 refuses a 128-bit atomic access.
func (e *emitter) no128(op *ir.Op) bool {
	if pisa.TypeOf(op.Props) != pisa.T128b {
		return false
	}
	e.errorf(op, codeAtomic128, "%s has no 128-bit atomic instruction: its widest compare-and-swap is 64 bits, and a 16-byte access may be split", e.t.Name)
	e.undefResults(op)
	return true
}

func lowerLd(e *emitter, op *ir.Op) {
	t, align := accessType(op.Props)
	order := pisa.OrderOf(op.Props)
	if order == pisa.Weak {
		v := e.Load(t, e.address(op, 0), llx.Access{Align: align})
		if pisa.SpaceOf(op.Props) == ir.SpacePrivate {
			// Never-written private memory is arbitrary to PISA, but undefined
			// behaviour waiting to happen to LLVM.
			v = e.Freeze(v)
		}
		e.set(op, 0, v)
		return
	}
	if e.no128(op) {
		return
	}
	s := pisa.VisibleScope(op.Props)
	if order == pisa.SeqCst {
		// Earlier sequentially consistent accesses of the wave must be complete;
		// their own fences have ordered the rest.
		e.waitAll()
	}
	a := llx.Access{Align: align, Order: llx.Monotonic, Scope: syncScope(s)}
	if order.Acquires() && !e.overtaken(s) {
		// Not a fence, which would wait for stores as well. What LLVM moves over an
		// acquire load it does not move over the barrier behind it.
		a.Order = llx.Acquire
		e.set(op, 0, e.Load(t, e.address(op, 0), a))
		e.compilerBarrier()
		return
	}
	v := e.Load(t, e.address(op, 0), a)
	if order.Acquires() {
		e.acquire(s)
	}
	e.set(op, 0, v)
}

func lowerSt(e *emitter, op *ir.Op) {
	_, align := accessType(op.Props)
	order := pisa.OrderOf(op.Props)
	v := func() value.Value { return e.arg(op, source(op, 0)) }
	if order == pisa.Weak {
		e.Store(v(), e.address(op, 0), llx.Access{Align: align})
		return
	}
	if e.no128(op) {
		return
	}
	s := pisa.VisibleScope(op.Props)
	if order.Releases() {
		e.release(s)
	}
	e.Store(v(), e.address(op, 0), llx.Access{Align: align, Order: llx.Monotonic, Scope: syncScope(s)})
}

// paramLoad is a load of a parameter at a constant offset.
type paramLoad struct {
	param ir.Aux
	off   uint64
	typ   ir.Type
}

// maxEarlyBytes bounds what the entry of a kernel loads of its parameters: 32
// scalar registers.
const maxEarlyBytes = 128

func paramLoadOf(op *ir.Op) (k paramLoad, ok bool) {
	if op.Code != pisa.LdParam {
		return k, false
	}
	k = paramLoad{param: op.Aux, typ: op.Result(0).Type}
	if op.NumOperands() > 0 {
		k.off, ok = constOf(op.Operand(0))
		return k, ok
	}
	return k, true
}

// loadParams loads the parameters of a kernel at its entry, where LLVM makes
// few loads of them and waits once.
func (e *emitter) loadParams(f *ir.Func) {
	e.early = map[paramLoad]value.Value{}
	if f.Kind != ir.FuncKernel {
		return
	}
	left := maxEarlyBytes
	for _, b := range reversePostOrder(f) {
		for op := b.First(); op != nil; op = op.Next() {
			k, ok := paramLoadOf(op)
			n := op.NumResults()
			if !ok || n == 0 || e.early[k] != nil {
				continue
			}
			if left -= k.typ.TotalBits() / 8; left < 0 {
				return
			}
			e.early[k] = e.loadParam(op)
		}
	}
}

// loadParam reads the argument segment at a parameter's offset.
func (e *emitter) loadParam(op *ir.Op) value.Value {
	t, align := accessType(op.Props)
	p := e.params[op.Aux-1]
	if op.NumOperands() > 0 {
		off := op.Operand(0)
		if c, ok := constOf(off); !ok {
			p = e.displace(p, off)
		} else if c != 0 {
			p = e.GEP(p, llx.Int(bitsType(off.Type.TotalBits()), c))
		}
	}
	return e.Load(t, p, llx.Access{Align: align, MD: "!invariant.load !{}"})
}

func lowerLdParam(e *emitter, op *ir.Op) {
	if k, ok := paramLoadOf(op); ok && e.early[k] != nil {
		e.set(op, 0, e.early[k])
		return
	}
	e.set(op, 0, e.loadParam(op))
}
