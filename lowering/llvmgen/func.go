package llvmgen

import (
	"strconv"
	"strings"

	lir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"pisac/dialects/builtin"
	"pisac/ir"
	"pisac/lowering/llvmgen/llx"
)

var flowRows = []lowering{
	builtin.Br:           lowerBr,
	builtin.CondBr:       lowerCondBr,
	builtin.Return:       lowerReturn,
	builtin.Unreachable:  func(e *emitter, _ *ir.Op) { e.Unreachable() },
	builtin.Const:        lowerConst,
	builtin.Call:         lowerCall,
	builtin.CallIndirect: lowerCallIndirect,
}

// emitFunc fills the body of f. Blocks are visited in reverse post-order, so
// that definitions come before uses; unreachable ones are left out.
func (e *emitter) emitFunc(f *ir.Func) {
	lf := e.funcs[f.Symbol()]
	e.fn, e.F, e.stale = f, lf, nil
	e.vals = make([]value.Value, f.NumValues())
	e.ptrs = make([]value.Value, f.NumValues())
	e.first = make([]*lir.Block, f.NumBlockIDs())
	e.last = make([]*lir.Block, f.NumBlockIDs())
	clear(e.merged)
	order := reversePostOrder(f)

	entry := e.NewBlock(entryName(f))
	e.At(entry)
	e.emitPrologue(lf)
	prefix := blockPrefix(f)
	for _, b := range order {
		e.first[b.ID] = e.NewBlock(prefix + strconv.Itoa(int(b.ID)))
	}
	e.Br(e.first[f.Entry().ID])
	// Blocks that lowerings add are placed behind the one that they extend.
	added := make([][]*lir.Block, f.NumBlockIDs())
	for _, b := range order {
		e.At(e.first[b.ID])
		if b != f.Entry() {
			for _, a := range b.Args() {
				e.vals[a.ID] = e.Phi(llType(a.Type))
			}
		}
		mark := len(lf.Blocks)
		for o := b.First(); o != nil; o = o.Next() {
			e.emitOp(o)
		}
		e.last[b.ID] = e.Block
		added[b.ID] = append([]*lir.Block(nil), lf.Blocks[mark:]...)
	}
	lf.Blocks = append(lf.Blocks[:0], entry)
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		if e.first[b.ID] == nil {
			continue
		}
		lf.Blocks = append(append(lf.Blocks, e.first[b.ID]), added[b.ID]...)
		e.fillPhis(b)
	}
}

// fillPhis adds what b passes along its edges to the φ of its successors.
func (e *emitter) fillPhis(b *ir.Block) {
	from := e.last[b.ID]
	e.At(from)
	op := b.Last()
	for i := range op.NumSuccs() {
		edge := op.Succ(i)
		merged := e.merged[op]
		for k, a := range edge.To().Args() {
			v := value.Value(nil)
			if merged != nil {
				v = merged[k]
			} else {
				v = e.val(edge.Arg(k))
			}
			llx.AddIncoming(e.vals[a.ID].(*lir.InstPhi), v, from)
		}
		if merged != nil {
			break
		}
	}
}

// emitOp runs the lowering of o.
func (e *emitter) emitOp(o *ir.Op) {
	c := int(o.Code)
	if c >= len(lowerings) || lowerings[c] == nil {
		panic("llvmgen: no lowering of " + o.Def().Name)
	}
	lowerings[c](e, o)
}

// emitPrologue gives parameters and private variables their values.
func (e *emitter) emitPrologue(lf *lir.Func) {
	f := e.fn
	e.params = e.params[:0]
	for i := range f.Params {
		e.params = append(e.params, e.paramPtr(f, lf, i))
	}
	for i, a := range f.Entry().Args() {
		e.vals[a.ID] = lf.Params[i]
	}
	clear(e.locals)
	for _, v := range f.Vars {
		if v.Space == ir.SpacePrivate {
			e.locals[v.Symbol()] = e.Alloca(privateType(v), varAlign(v))
		}
	}
	e.checkPrivateSize(f)
	e.loadParams(f)
}

// blockPrefix is a name prefix of blocks that no parameter's name begins with:
// labels and parameters share one name space.
func blockPrefix(f *ir.Func) string {
	prefix := "bb"
	for i := 0; i < len(f.Params); i++ {
		if strings.HasPrefix(f.Params[i].Name, prefix) {
			prefix, i = prefix+"_", -1
		}
	}
	return prefix
}

// entryName is the name of the block that holds allocas; none if a parameter
// has it.
func entryName(f *ir.Func) string {
	for i := range f.Params {
		if f.Params[i].Name == "entry" {
			return ""
		}
	}
	return "entry"
}

// reversePostOrder lists the reachable blocks so that each comes before those
// it dominates.
func reversePostOrder(f *ir.Func) []*ir.Block {
	type frame struct {
		b *ir.Block
		i int
	}
	seen := make([]bool, f.NumBlockIDs())
	order := make([]*ir.Block, 0, f.NumBlocks())
	stack := []frame{{f.Entry(), 0}}
	seen[f.Entry().ID] = true
	for len(stack) > 0 {
		t := &stack[len(stack)-1]
		if t.i < t.b.NumSuccs() {
			s := t.b.Succ(t.i)
			t.i++
			if !seen[s.ID] {
				seen[s.ID] = true
				stack = append(stack, frame{s, 0})
			}
			continue
		}
		order = append(order, t.b)
		stack = stack[:len(stack)-1]
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

func lowerBr(e *emitter, op *ir.Op) { e.Br(e.first[op.Succ(0).To().ID]) }

// lowerCondBr branches. Where both successors are one block, LLVM's φ would
// need the same value from both edges: the values are selected instead.
func lowerCondBr(e *emitter, op *ir.Op) {
	cond := e.arg(op, 0)
	yes, no := op.Succ(0), op.Succ(1)
	if yes.To() != no.To() {
		e.CondBr(cond, e.first[yes.To().ID], e.first[no.To().ID])
		return
	}
	args := make([]value.Value, yes.NumArgs())
	for i := range args {
		args[i] = e.Select(cond, e.val(yes.Arg(i)), e.val(no.Arg(i)))
	}
	e.merged[op] = args
	e.Br(e.first[yes.To().ID])
}

func lowerReturn(e *emitter, op *ir.Op) {
	if op.NumOperands() == 0 {
		e.RetVoid()
		return
	}
	e.Ret(e.arg(op, 0))
}

func lowerConst(e *emitter, op *ir.Op) {
	t := op.Result(0).Type
	if t == ir.B128 {
		e.set(op, 0, llx.Int128(op.Props, e.mod.Wide(op.Aux)))
		return
	}
	c := llx.Int(bitsType(t.ElemBits()), op.Props)
	if t.IsVector() {
		e.set(op, 0, llx.Splat(llType(t), c))
		return
	}
	e.set(op, 0, c)
}
