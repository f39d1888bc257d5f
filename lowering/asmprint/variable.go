package asmprint

import (
	"fmt"
	"math/bits"
	"strconv"

	"pisac/ir"
	"pisac/lowering/codeobject"
)

// variables prints the const and global variables that m defines: those of the
// module and those that kernels declare.
func (p *printer) variables() {
	for _, v := range p.m.Vars {
		p.variable(v)
	}
	for _, f := range p.m.Funcs {
		if f.Kind != ir.FuncKernel {
			continue
		}
		for _, v := range f.Vars {
			p.variable(v)
		}
	}
}

func (p *printer) variable(v *ir.Var) {
	if v.Linkage == ir.LinkImport || v.Space != ir.SpaceConst && v.Space != ir.SpaceGlobal {
		return
	}
	name := string(appendName(nil, p.names[v.Symbol()]))
	labels := []string{name}
	if h := p.host[v]; h != "" && h != p.names[v.Symbol()] {
		labels = append(labels, string(appendName(nil, h)))
	}
	for _, l := range labels {
		p.line("\t.type\t", l, ",@object")
	}
	p.section(v)
	for i, l := range labels {
		if v.Linkage == ir.LinkExport || i > 0 || p.host[v] != "" && len(labels) == 1 {
			p.line("\t.protected\t", l)
			p.line("\t.globl\t", l)
		}
	}
	p.line("\t.p2align\t", strconv.Itoa(bits.TrailingZeros(uint(codeobject.VarAlign(v)))), ", 0x0")
	for _, l := range labels {
		p.line(l, ":")
	}
	p.initialiser(v)
	for _, l := range labels {
		p.line("\t.size\t", l, ", ", strconv.FormatUint(v.Size, 10))
	}
}

// section picks the section: the variable's own, or by what it holds.
func (p *printer) section(v *ir.Var) {
	zero, addresses := true, false
	for i := range v.Init {
		it := &v.Init[i]
		addresses = addresses || it.Sym != 0
		zero = zero && it.Sym == 0 && allZero(it.Bytes)
	}
	constant := v.Space == ir.SpaceConst
	name, flags, kind := ".data", "aw", "progbits"
	switch {
	case v.Section != "":
		name = v.Section
		if constant && !addresses {
			flags = "a"
		}
	case constant && addresses:
		name = ".data.rel.ro" // the loader writes the addresses
	case constant:
		name, flags = ".rodata", "a"
	case zero:
		name, kind = ".bss", "nobits"
	}
	if !spells(name) {
		p.diags.Error(v.Loc, 0, codeSpelling, fmt.Sprintf("the assembler cannot spell the section %q", name))
		return
	}
	p.line("\t.section\t", string(appendName(nil, name)), ",\"", flags, "\",@", kind)
}

func allZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// initialiser prints the contents; what no item covers is zero.
func (p *printer) initialiser(v *ir.Var) {
	covered := uint64(0)
	for i := range v.Init {
		it := &v.Init[i]
		covered += it.Size()
		switch {
		case it.Sym != 0:
			p.address(v, it)
		case it.Zero > 0:
			p.line("\t.zero\t", strconv.FormatUint(it.Zero, 10))
		default:
			p.bytes(it.Bytes)
		}
	}
	if covered < v.Size || v.Size == 0 {
		p.line("\t.zero\t", strconv.FormatUint(v.Size-covered, 10))
	}
}

// address prints the 64-bit address of an item.
func (p *printer) address(v *ir.Var, it *ir.Init) {
	s := p.m.Symbol(it.Sym)
	switch {
	case s.Func != nil && s.Func.Kind == ir.FuncDevice:
		p.diags.Error(v.Loc, 0, codeCallable, fmt.Sprintf("@%s holds the address of @%s, for which the native backend has no code", v.Name, s.Func.Name))
		return
	case s.Var == nil || s.Var.Space.AddrBits() != 64:
		p.diags.Error(v.Loc, 0, codeobject.CodeNoAddress, fmt.Sprintf("the initialiser of @%s names something that has no 64-bit address", v.Name))
		return
	}
	p.b = appendName(append(p.b, "\t.quad\t"...), p.names[it.Sym])
	if it.Off != 0 {
		if it.Off > 0 {
			p.b = append(p.b, '+')
		}
		p.b = strconv.AppendInt(p.b, it.Off, 10)
	}
	p.b = append(p.b, '\n')
}

// bytes prints eight words a line, then single bytes.
func (p *printer) bytes(data []byte) {
	const perLine = 32
	for len(data) >= 4 {
		n := min(len(data)&^3, perLine)
		p.b = append(p.b, "\t.long\t"...)
		for i := 0; i < n; i += 4 {
			if i > 0 {
				p.b = append(p.b, ", "...)
			}
			p.b = appendHex(p.b, uint64(data[i])|uint64(data[i+1])<<8|uint64(data[i+2])<<16|uint64(data[i+3])<<24)
		}
		p.b = append(p.b, '\n')
		data = data[n:]
	}
	for _, x := range data {
		p.b = appendHex(append(p.b, "\t.byte\t"...), uint64(x))
		p.b = append(p.b, '\n')
	}
}
