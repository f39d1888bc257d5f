package litmus

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pisac/dialects/pisa"
	"pisac/dialects/pisa/asm"
	"pisac/ir"
)

// hiddenPrefix begins the names of the variables that hold observed registers.
const hiddenPrefix = "__litmus_"

// watched is a register to observe: of work-item tid, in function fn.
type watched struct {
	full   string // "1:%v.x"
	tid    int
	reg    string // "%v.x"
	hidden string // the variable
}

// Instrument adds to the text of a litmus test what keeps observed registers
// alive through passes: before each return and at the end of a function they
// are stored to hidden variables, which are no memory of the model. Lines keep
// their numbers. file is the parsed text.
func Instrument(file *asm.File, text []byte, s *Spec) ([]byte, error) {
	ws, err := s.watch(file)
	if err != nil {
		return nil, err
	}
	s.watched = ws
	type insert struct {
		at   int
		text string
	}
	var ins []insert
	done := map[string]bool{}
	for _, w := range ws {
		f := funcNamed(file, s.Run[w.tid].Func)
		if done[w.hidden] {
			continue
		}
		done[w.hidden] = true
		typ, _ := registerType(f, w.reg)
		decl := fmt.Sprintf(".global .align %d @%s[%d]; ", typ.TotalBits()/8, w.hidden, typ.TotalBits()/8)
		for i := range file.Decls {
			if file.Decls[i].Func == f && !file.Decls[i].Proto {
				ins = append(ins, insert{file.Src.Offset(file.Decls[i].Loc), decl})
			}
		}
		store := fmt.Sprintf("st.global.weak.%db [@%s], %s; ", typ.TotalBits(), w.hidden, w.reg)
		for i := range f.Stmts {
			if st := &f.Stmts[i]; st.Kind == asm.StmtInstr && f.Instrs[st.Ref].Row.Name == "return" {
				ins = append(ins, insert{file.Src.Offset(f.Instrs[st.Ref].Loc), store})
			}
		}
		if n := len(f.Stmts); n == 0 || f.Stmts[n-1].Kind != asm.StmtInstr || f.Instrs[f.Stmts[n-1].Ref].Row.Name != "return" {
			ins = append(ins, insert{file.Src.Offset(f.BodyEnd), store})
		}
	}
	slices.SortStableFunc(ins, func(a, b insert) int { return a.at - b.at })
	var out bytes.Buffer
	at := 0
	for _, x := range ins {
		out.Write(text[at:x.at])
		out.WriteString(x.text)
		at = x.at
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}

func funcNamed(file *asm.File, name string) *asm.Func {
	for _, f := range file.Funcs {
		if f.Name == name && f.HasBody {
			return f
		}
	}
	return nil
}

// registerType is the type of a register or of one element of it.
func registerType(f *asm.Func, reg string) (ir.Type, bool) {
	base, comp, elem := strings.Cut(strings.TrimPrefix(reg, "%"), ".")
	for i := range f.Regs {
		r := &f.Regs[i]
		if r.Name != base {
			continue
		}
		if !elem {
			return r.Type, r.Type.IsBits() && !r.Type.IsVector() && r.Type.TotalBits() <= 64 && r.Type.TotalBits() >= 8
		}
		k := strings.Index("xyzw", comp)
		return r.Type.Elem(), len(comp) == 1 && k >= 0 && r.Type.IsVector() && k < r.Type.Lanes() && r.Type.ElemBits() <= 64
	}
	return ir.None, false
}

// watch resolves the registers to observe.
func (s *Spec) watch(file *asm.File) ([]watched, error) {
	var out []watched
	add := func(tid int, reg string) {
		fn := s.Run[tid].Func
		h := hiddenPrefix + fn + "_" + strings.NewReplacer("%", "", ".", "_").Replace(reg)
		out = append(out, watched{fmt.Sprintf("%d:%s", tid, reg), tid, reg, h})
	}
	for _, it := range s.Run {
		if funcNamed(file, it.Func) == nil {
			return nil, &HeaderError{it.Line, fmt.Sprintf("there is no function @%s with a body", it.Func)}
		}
	}
	if regs := s.registers(); regs != nil {
		for _, r := range regs {
			t, reg, _ := strings.Cut(r, ":")
			tid, err := strconv.Atoi(t)
			if err != nil || tid < 0 || tid >= len(s.Run) {
				return nil, &HeaderError{1, fmt.Sprintf("%s: no work-item %s", r, t)}
			}
			if _, ok := registerType(funcNamed(file, s.Run[tid].Func), reg); !ok {
				return nil, &HeaderError{s.Run[tid].Line, fmt.Sprintf("%s: @%s uses no scalar register %s of 8 to 64 bits", r, s.Run[tid].Func, reg)}
			}
			add(tid, reg)
		}
		return out, nil
	}
	for tid, it := range s.Run {
		f := funcNamed(file, it.Func)
		seen := map[string]bool{}
		for i := range f.Instrs {
			in := &f.Instrs[i]
			if in.Row.Code != pisa.Ld && in.Row.Code != pisa.IAtom && in.Row.Code != pisa.FAtom {
				continue
			}
			for _, reg := range destination(f, in) {
				if _, ok := registerType(f, reg); ok && !seen[reg] && !strings.HasPrefix(reg, "%dead") {
					seen[reg] = true
					add(tid, reg)
				}
			}
		}
	}
	return out, nil
}

// destination lists the elements that a load or atomic writes, as registers
// are written in conditions.
func destination(f *asm.Func, in *asm.Instr) []string {
	o := f.Operands(in)[0]
	if o.Kind != asm.OpReg {
		return nil
	}
	r := &f.Regs[o.Ref]
	if !r.Type.IsVector() {
		return []string{"%" + r.Name}
	}
	first, n := o.Swz.First(), o.Swz.Count()
	if n == 0 {
		first, n = 0, r.Type.Lanes()
	}
	var out []string
	for k := first; k < min(first+n, 4); k++ {
		out = append(out, fmt.Sprintf("%%%s.%c", r.Name, "xyzw"[k]))
	}
	return out
}
