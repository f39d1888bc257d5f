package llvmgen

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"pisac/dialects/pisa"
)

func atomName(parts ...string) string {
	return strings.ReplaceAll(strings.Join(parts, "_"), ".", "_")
}

// atomForms lists every form of iatom and fatom that a target can do, as
// functions of the textual IR.
func atomForms(orders ...string) string {
	return atomFormsOf(strings.Fields("add sub smin smax umin umax and or xor xchg cas inc dec incwrap decwrap"), orders...)
}

// atomFormsOf is atomForms with the given operations of iatom only.
func atomFormsOf(intOps []string, orders ...string) string {
	var b strings.Builder
	add := func(mnemonic, space, order, op, typ string) {
		addr := "64b"
		if space == "shared" {
			addr = "32b"
		}
		bits := map[string]string{"hf": "16b", "bf": "16b", "f": "32b", "df": "64b"}[typ]
		if bits == "" {
			bits = typ
		}
		args := ", %x"
		if op == "cas" {
			args = ", %x, %y"
		} else if op == "inc" || op == "dec" {
			args = ""
		}
		fmt.Fprintf(&b, "function @%s(%s, %s, %s) -> %s export {\n^bb0(%%p: %s, %%x: %s, %%y: %s):\n", atomName(mnemonic, space, order, op, typ), addr, bits, bits, bits, addr, bits, bits)
		fmt.Fprintf(&b, "%%r = pisa.%s.%s.%s.%s.%s [%%p]%s : %s\nbuiltin.return %%r\n}\n", mnemonic, space, order, op, typ, args, bits)
	}
	for _, order := range orders {
		for _, space := range []string{"global", "shared", "generic"} {
			for _, op := range intOps {
				for _, typ := range []string{"16b", "32b", "64b"} {
					if typ == "64b" && space != "global" && op != "cas" || typ == "16b" && strings.HasSuffix(op, "wrap") {
						continue
					}
					add("iatom", space, order, op, typ)
				}
			}
			for _, op := range strings.Fields("add sub min max cas") {
				for _, typ := range []string{"bf", "hf", "f", "df"} {
					if typ == "df" && (space != "global" || op != "add" && op != "sub") {
						continue
					}
					add("fatom", space, order, op, typ)
				}
			}
		}
	}
	return b.String()
}

// accessForms lists every form of weak and relaxed ld and st.
func accessForms() string {
	var b strings.Builder
	n := 0
	for _, space := range []string{"global", "shared", "private", "const", "generic"} {
		addr := "64b"
		if space == "shared" || space == "private" {
			addr = "32b"
		}
		add := func(order, vec, typ string) {
			full, q := typ, "."+space+order+vec+"."+typ
			if vec != "" {
				full = vec[1:] + "." + typ
			}
			fmt.Fprintf(&b, "function @l%d(%s, %s) -> %s export {\n^bb0(%%p: %s, %%o: %s):\n%%r = pisa.ld%s [%%p + %%o] : %s\nbuiltin.return %%r\n}\n", n, addr, addr, full, addr, addr, q, full)
			if space != "const" {
				fmt.Fprintf(&b, "function @s%d(%s, %s) export {\n^bb0(%%p: %s, %%x: %s):\n%%c = builtin.const -8 : %s\npisa.st%s [%%p + %%c], %%x\nbuiltin.return\n}\n", n, addr, full, addr, full, addr, q)
			}
			n++
		}
		for _, typ := range []string{"8b", "16b", "32b", "64b"} {
			for _, vec := range []string{"", ".v2", ".v3", ".v4", ".v8"} {
				if vec == ".v3" && (typ == "8b" || typ == "16b") || vec == ".v8" && typ != "32b" {
					continue
				}
				add("", vec, typ)
			}
			if space != "private" && space != "const" && typ != "8b" && !(typ == "64b" && space == "shared") {
				add(".relaxed.system", "", typ)
				add(".relaxed.workgroup", "", typ)
			}
		}
	}
	return b.String()
}

// subgroupForms lists every form of the sub-group operations and special
// registers.
func subgroupForms() string {
	var b strings.Builder
	n := 0
	add := func(op, typ string, args ...string) {
		fmt.Fprintf(&b, "function @g%d(%s) -> %s export {\n^bb0(", n, strings.Join(args, ", "), typ)
		var names []string
		for i, a := range args {
			sep := ", "
			if i == 0 {
				sep = ""
			}
			fmt.Fprintf(&b, "%s%%a%d: %s", sep, i, a)
			names = append(names, fmt.Sprintf("%%a%d", i))
		}
		fmt.Fprintf(&b, "):\n%%r = pisa.%s %s : %s\nbuiltin.return %%r\n}\n", op, strings.Join(names, ", "), typ)
		n++
	}
	for _, op := range strings.Fields("sum smin smax umin umax and or xor absmax") {
		add("ired."+op+".16b", "16b", "16b", "16b", "32b")
		add("ired."+op+".32b", "32b", "32b", "32b", "32b")
	}
	for _, op := range strings.Fields("min max absmax min.nanp max.nanp absmax.nanp") {
		for typ, reg := range map[string]string{"hf": "16b", "bf": "16b", "f": "32b", "hfx2": "v2.16b", "bfx2": "v2.16b"} {
			add("fred."+op+"."+typ, reg, reg, reg, "32b")
		}
	}
	for _, op := range strings.Fields("up dn xor idx up.sg dn.sg xor.sg idx.sg") {
		add("shfl."+op+".32b", "32b", "32b", "32b", "32b", "32b")
	}
	add("redfirstidx.32b", "32b", "32b")
	for r := range pisa.SpecialRegs {
		row := &pisa.SpecialRegs[r]
		comps := []string{""}
		if row.Type.IsVector() {
			comps = []string{".x", ".y", ".z"}
		}
		for _, c := range comps {
			fmt.Fprintf(&b, "function @r%d() -> %v export {\n^bb0:\n%%r = pisa.sreg.%s%s : %v\nbuiltin.return %%r\n}\n", n, row.Type.Elem(), row.Name, c, row.Type.Elem())
			n++
		}
	}
	return b.String()
}

// TestEveryFormCompiles: LLVM's verifier and llc take every form of the memory
// and sub-group ops, for each target, without a message.
func TestEveryFormCompiles(t *testing.T) {
	needLLVM(t)
	text := accessForms() + subgroupForms()
	if *full { // TestNativeOrLoop compiles the other orders
		text += atomForms("acq_rel.gpu", "acq_rel.workgroup")
	}
	for _, tt := range chips() {
		ll := mustEmit(t, text, tt.Name, Options{})
		llc(t, ll, tt.Name, "-O1")
		if *full {
			llc(t, ll, tt.Name, "-O0")
			llc(t, ll, tt.Name, "-O3")
		}
	}
}

var full = flag.Bool("llvm.full", false, "compile every form at every level")
