package ir

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// model is a naive mirror of one function: plain slices, nothing intrusive.
type model struct {
	t      *rapid.T
	f      *Func
	blocks []*modelBlock // layout order
}

type modelBlock struct {
	b    *Block
	args []*Value
	ops  []*modelOp
}

type modelOp struct {
	o        *Op
	operands []*Value // plain ones
	edges    []modelEdge
}

type modelEdge struct {
	to   *modelBlock
	args []*Value
}

func (m *model) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(m.t, label) }

func (m *model) block() *modelBlock { return m.blocks[m.pick("block", len(m.blocks))] }

// values lists every value of the function.
func (m *model) values() (out []*Value) {
	for _, b := range m.blocks {
		out = append(out, b.args...)
		for _, o := range b.ops {
			for i := range o.o.NumResults() {
				out = append(out, o.o.Result(i))
			}
		}
	}
	return out
}

func (m *model) someValues(n int) (out []*Value) {
	all := m.values()
	for range n {
		if len(all) > 0 {
			out = append(out, all[m.pick("value", len(all))])
		}
	}
	return out
}

// everyUse calls f with each place that holds a value.
func (m *model) everyUse(f func(place **Value)) {
	for _, b := range m.blocks {
		for _, o := range b.ops {
			for i := range o.operands {
				f(&o.operands[i])
			}
			for k := range o.edges {
				for i := range o.edges[k].args {
					f(&o.edges[k].args[i])
				}
			}
		}
	}
}

func (m *model) uses(v *Value) (n int) {
	m.everyUse(func(place **Value) {
		if *place == v {
			n++
		}
	})
	return n
}

// terminator is the op of b that has edges, if any.
func (b *modelBlock) terminator() *modelOp {
	if n := len(b.ops); n > 0 && len(b.ops[n-1].edges) > 0 {
		return b.ops[n-1]
	}
	return nil
}

func (m *model) addBlock() {
	var pos *Block
	at := m.pick("at", len(m.blocks)+1)
	if at < len(m.blocks) {
		pos = m.blocks[at].b
	}
	m.blocks = slices.Insert(m.blocks, at, &modelBlock{b: m.f.NewBlockBefore(pos)})
}

func (m *model) addOp() {
	b := m.block()
	at := m.pick("at", len(b.ops)+1)
	if t := b.terminator(); t != nil && at == len(b.ops) {
		at--
	}
	operands := m.someValues(m.pick("operands", 4))
	var bl Builder
	switch {
	case at == len(b.ops):
		bl.AtEnd(b.b)
	case m.pick("after", 2) == 1 && at > 0:
		bl.After(b.ops[at-1].o)
	default:
		bl.Before(b.ops[at].o)
	}
	o := bl.OpResults(toyCopy, 0, 0, []Type{B32, B64}[:m.pick("results", 3)], operands...)
	b.ops = slices.Insert(b.ops, at, &modelOp{o: o, operands: operands})
}

func (m *model) addBranch() {
	b := m.block()
	if b.terminator() != nil {
		return
	}
	op := &modelOp{operands: m.someValues(m.pick("operands", 2))}
	var targets []Target
	for range 1 + m.pick("targets", 3) {
		e := modelEdge{to: m.block()}
		e.args = m.someValues(len(e.to.args))
		if len(e.args) != len(e.to.args) {
			return
		}
		op.edges = append(op.edges, e)
		targets = append(targets, Target{To: e.to.b, Args: e.args})
	}
	var bl Builder
	bl.AtEnd(b.b)
	op.o = bl.Branch(toySwitch, 0, op.operands, targets...)
	b.ops = append(b.ops, op)
}

func (m *model) someOp() (*modelBlock, int) {
	b := m.block()
	if len(b.ops) == 0 {
		return nil, 0
	}
	return b, m.pick("op", len(b.ops))
}

func (m *model) setOperand() {
	b, i := m.someOp()
	if b == nil {
		return
	}
	op := b.ops[i]
	v := m.someValues(1)
	switch {
	case len(v) == 0:
	case len(op.edges) == 0 && m.pick("append", 3) == 0:
		op.o.AppendOperand(v[0])
		op.operands = append(op.operands, v[0])
	case len(op.operands) > 0:
		k := m.pick("operand", len(op.operands))
		op.o.SetOperand(k, v[0])
		op.operands[k] = v[0]
	}
}

// addArg adds an argument to a block and a value to each edge into it.
func (m *model) addArg() {
	b := m.block()
	v := b.b.AddArg(B32)
	b.args = append(b.args, v)
	for _, from := range m.blocks {
		t := from.terminator()
		if t == nil {
			continue
		}
		for k := range t.edges {
			if t.edges[k].to == b {
				x := m.someValues(1)[0]
				t.o.Succ(k).AppendArg(x)
				t.edges[k].args = append(t.edges[k].args, x)
			}
		}
	}
}

func (m *model) removeArg() {
	b := m.block()
	if len(b.args) == 0 {
		return
	}
	i := m.pick("arg", len(b.args))
	if m.uses(b.args[i]) > 0 {
		return
	}
	b.b.RemoveArg(i)
	b.args = slices.Delete(b.args, i, i+1)
	for _, from := range m.blocks {
		if t := from.terminator(); t != nil {
			for k := range t.edges {
				if e := &t.edges[k]; e.to == b {
					e.args = slices.Delete(e.args, i, i+1)
				}
			}
		}
	}
}

// redirect changes target and argument of an edge.
func (m *model) redirect() {
	t := m.block().terminator()
	if t == nil {
		return
	}
	k := m.pick("edge", len(t.edges))
	e := &t.edges[k]
	if to := m.block(); len(to.args) == len(e.args) {
		e.to = to
		t.o.Succ(k).SetTo(to.b)
	}
	if len(e.args) > 0 {
		i := m.pick("arg", len(e.args))
		e.args[i] = m.someValues(1)[0]
		t.o.Succ(k).SetArg(i, e.args[i])
	}
}

func (m *model) replaceUses() {
	vs := m.someValues(2)
	if len(vs) < 2 {
		return
	}
	vs[0].ReplaceUses(vs[1])
	m.everyUse(func(place **Value) {
		if *place == vs[0] {
			*place = vs[1]
		}
	})
}

func (m *model) eraseOp() {
	b, i := m.someOp()
	if b == nil {
		return
	}
	for k := range b.ops[i].o.NumResults() {
		if m.uses(b.ops[i].o.Result(k)) > 0 {
			return
		}
	}
	b.ops[i].o.Erase()
	b.ops = slices.Delete(b.ops, i, i+1)
}

func (m *model) moveOp() {
	b, i := m.someOp()
	to := m.block()
	if b == nil || len(b.ops[i].edges) > 0 {
		return
	}
	op := b.ops[i]
	if to.terminator() == nil && m.pick("end", 2) == 0 {
		op.o.MoveToEnd(to.b)
		b.ops = slices.Delete(b.ops, i, i+1)
		to.ops = append(to.ops, op)
		return
	}
	if len(to.ops) == 0 {
		return
	}
	pos := to.ops[m.pick("pos", len(to.ops))]
	op.o.MoveBefore(pos.o)
	if pos != op {
		b.ops = slices.Delete(b.ops, i, i+1)
		to.ops = slices.Insert(to.ops, slices.Index(to.ops, pos), op)
	}
}

func (m *model) moveBlock() {
	b, pos := m.block(), m.block()
	b.b.MoveAfter(pos.b)
	if b != pos {
		i := slices.Index(m.blocks, b)
		m.blocks = slices.Delete(m.blocks, i, i+1)
		m.blocks = slices.Insert(m.blocks, slices.Index(m.blocks, pos)+1, b)
	}
}

// eraseBlocks erases one or two blocks if nothing else refers to them.
func (m *model) eraseBlocks() {
	dead := []*modelBlock{m.block(), m.block()}
	if dead[0] == dead[1] {
		dead = dead[:1]
	}
	live := slices.DeleteFunc(slices.Clone(m.blocks), func(b *modelBlock) bool { return slices.Contains(dead, b) })
	if len(live) == 0 {
		return
	}
	after := &model{blocks: live}
	for _, b := range live {
		if t := b.terminator(); t != nil {
			for _, e := range t.edges {
				if slices.Contains(dead, e.to) {
					return
				}
			}
		}
	}
	var blocks []*Block
	for _, b := range dead {
		blocks = append(blocks, b.b)
		for _, v := range b.args {
			if after.uses(v) > 0 {
				return
			}
		}
		for _, o := range b.ops {
			for i := range o.o.NumResults() {
				if after.uses(o.o.Result(i)) > 0 {
					return
				}
			}
		}
	}
	if len(blocks) == 1 {
		blocks[0].Erase()
	} else {
		m.f.EraseBlocks(blocks...)
	}
	m.blocks = live
}

// check compares the function with the model.
func (m *model) check() {
	t := m.t
	want := map[*Value]int{}
	m.everyUse(func(place **Value) { want[*place]++ })
	preds := map[*Block]int{}
	b := m.f.FirstBlock()
	for _, mb := range m.blocks {
		if b != mb.b || !slices.Equal(b.Args(), mb.args) || b.Func() != m.f {
			t.Fatalf("blocks or arguments differ")
		}
		o := b.First()
		for _, mo := range mb.ops {
			if o != mo.o || o.Block() != b || o.NumSuccs() != len(mo.edges) || o.NumPlainOperands() != len(mo.operands) {
				t.Fatalf("ops differ: %v", o)
			}
			for i, v := range mo.operands {
				if o.Operand(i) != v || o.Operands()[i].User() != o {
					t.Fatalf("operand %d differs", i)
				}
			}
			for k := range mo.edges {
				e := o.Succ(k)
				preds[e.To()]++
				if e.To() != mo.edges[k].to.b || e.From() != b || e.Index() != k || e.NumArgs() != len(mo.edges[k].args) {
					t.Fatalf("edge %d differs", k)
				}
				for i, v := range mo.edges[k].args {
					if e.Arg(i) != v || e.Args()[i].Value() != v {
						t.Fatalf("argument %d of edge %d differs", i, k)
					}
				}
			}
			o = o.Next()
		}
		if o != nil || len(mb.ops) > 0 && b.Last() != mb.ops[len(mb.ops)-1].o {
			t.Fatalf("block has other ops")
		}
		b = b.Next()
	}
	if b != nil || m.f.NumBlocks() != len(m.blocks) || m.f.LastBlock() != m.blocks[len(m.blocks)-1].b {
		t.Fatalf("function has other blocks")
	}
	for _, v := range m.values() {
		n := 0
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			if n++; u.Value() != v || n > want[v] {
				t.Fatalf("use list of %d is wrong", v.ID)
			}
		}
		if n != want[v] || v.HasUses() != (n > 0) || v.HasOneUse() != (n == 1) {
			t.Fatalf("value %d has %d uses, not %d", v.ID, n, want[v])
		}
	}
	for _, mb := range m.blocks {
		n := 0
		for e := mb.b.FirstPred(); e != nil; e = e.NextPred() {
			n++
		}
		if n != preds[mb.b] || mb.b.NumPreds() != n {
			t.Fatalf("predecessors of a block: %d, not %d", n, preds[mb.b])
		}
	}
}

// Random edits keep the function equal to a model of slices.
func TestMutations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{t: t, f: NewModule(toyReg, nil).NewFunc("k", FuncKernel)}
		m.blocks = []*modelBlock{{b: m.f.NewBlock()}}
		m.addOp()
		edits := []func(){m.addBlock, m.addOp, m.addOp, m.addBranch, m.addBranch, m.setOperand, m.setOperand, m.addArg, m.addArg,
			m.removeArg, m.redirect, m.replaceUses, m.eraseOp, m.moveOp, m.moveBlock, m.eraseBlocks}
		for range rapid.IntRange(1, 60).Draw(t, "edits") {
			edits[m.pick("edit", len(edits))]()
			m.check()
		}
		// The structural half of the verifier agrees that nothing is damaged.
		var ds Diags
		VerifyFunc(m.f, &ds)
		for _, d := range ds.List {
			if d.Code == "IR-I5" || d.Code == "IR-I10" {
				t.Fatalf("%s", d.Text)
			}
		}
	})
}

// An edge without arguments shares its offset with the next one: a value
// appended to the second must not become a plain operand.
func TestAppendArgToEmptyEdges(t *testing.T) {
	f := NewModule(toyReg, nil).NewFunc("k", FuncKernel)
	b, x, y := f.NewBlock(), f.NewBlock(), f.NewBlock()
	var bl Builder
	bl.AtEnd(b)
	c := bl.Value(toyConst, 1, Pred)
	o := bl.Branch(toyCond, 0, []*Value{c}, Target{To: x}, Target{To: y})
	o.Succ(1).AppendArg(c)
	assert.Equal(t, []int{1, 0, 1}, []int{o.NumPlainOperands(), o.Succ(0).NumArgs(), o.Succ(1).NumArgs()})
	o.Succ(0).AppendArg(c)
	assert.Equal(t, "t.cond %0, ^bb1(%0), ^bb2(%0)", o.String())
	o.Succ(0).RemoveArg(0)
	assert.Equal(t, "t.cond %0, ^bb1, ^bb2(%0)", o.String())
}

// What must not be erased panics: it is a fault of the compiler.
func TestErasePanics(t *testing.T) {
	m := parseToy(t, broken)
	k := m.Func("k")
	for name, f := range map[string]func(){
		"op":           func() { at(k, 0, 0).Erase() },
		"predecessors": func() { k.LastBlock().Erase() },
		"arg":          func() { k.Entry().Next().RemoveArg(0) },
		"append":       func() { at(k, 0, 4).AppendOperand(at(k, 0, 0).Result(0)) },
	} {
		assert.Panics(t, f, name)
	}
}

// A block may have more arguments than fit 16 bits.
func TestManyArgs(t *testing.T) {
	f := NewModule(toyReg, nil).NewFunc("k", FuncKernel)
	b := f.NewBlock()
	for range 70000 {
		b.AddArg(B32)
	}
	assert.Equal(t, 69999, b.Arg(69999).Index())
}

func ExampleOp_String() {
	f := NewModule(toyReg, nil).NewFunc("k", FuncKernel)
	var bl Builder
	bl.AtEnd(f.NewBlock())
	x := bl.Value(toyConst, 42, B32)
	y := bl.Value(toyAdd, toyType.Put(3)|toySat.Put(1), B32, x, x)
	fmt.Println(y.Op())
	// Output: %1 = t.add.sat.32b %0, %0 : 32b
}
