package passes

import "testing"

// Variables that a producer addresses through the generic space, as LLVM does
// after it passed their address to an inlined function, become values.
func TestGenericPrivateVariable(t *testing.T) {
	const in = `function @f(32b, 32b) -> 32b {
  var @v private size 16 align 4
^bb0(%x: 32b, %y: 32b):
  %v = pisa.addrof.32b @v : 32b
  %g = pisa.addrcast.generic.private %v : 64b
  %4 = builtin.const 4 : 64b
  %12 = builtin.const 12 : 32b
  %h = pisa.iadd.64b %g, %4 : 64b
  pisa.st.32b [%h], %x
  pisa.st.32b [%h + %4], %y
  %w = pisa.addrcast.private.generic %h : 32b
  %a = pisa.ld.private.32b [%w] : 32b
  %b = pisa.ld.32b [%g + %12] : 32b
  %i = pisa.iadd.64b %h, %4 : 64b
  %c = pisa.ld.32b [%i] : 32b
  %s = pisa.bfn.0x96.32b %a, %b, %c : 32b
  builtin.return %s
}
`
	same(t, `function @f(32b, 32b) -> 32b {
^bb0(%x: 32b, %y: 32b):
  %s = pisa.xor.32b %x, %y : 32b
  builtin.return %s
}
`, optimize(t, "canonicalize,sroa,canonicalize,dce", in))
	everyLimit(t, "canonicalize,sroa", in)
}

func TestCanonicalizeGenericKeeps(t *testing.T) {
	for name, body := range map[string]string{
		"an offset of 64 bits that is not constant": `
  %v = pisa.ld.32b [%g + %d] : 32b
`,
		"another space": `
  %4 = builtin.const 4 : 64b
  %h = pisa.iadd.64b %g, %4 : 64b
  %q = pisa.addrcast.private.generic %h : 32b
  %v = pisa.ld.private.32b [%q] : 32b
`,
		"an ordered access": `
  %v = pisa.ld.acquire.gpu.32b [%g] : 32b
`,
	} {
		t.Run(name, func(t *testing.T) {
			text := `function @f(32b, 64b) -> 32b {
^bb0(%s: 32b, %d: 64b):
  %g = pisa.addrcast.generic.shared %s : 64b
` + body + `  builtin.return %v
}
`
			same(t, text, optimize(t, "canonicalize", text))
		})
	}
}
