package bench

import (
	"bytes"
	"fmt"
)

// KernelShapes are those that the whole compiler must take in linear time, up
// to 100,000 instructions. Nothing in them folds away.
var KernelShapes = []Shape{
	{"straight", 100_000, straight},
	{"memory", 100_000, memory},
	{"blocks", 100_000, blocks},
	{"loops", 100_000, loops},
	{"divergent", 100_000, divergent},
	{"uniform", 100_000, uniform},
}

// kernelHead declares what the shapes work on: %x of each lane, %u the same
// for all, %n unknown, and an address of each lane's own.
const kernelHead = header + `.kernel @k(.param[8] .addrspace(global) .ptr_align(4) %p, .param[4] %m) {
  .reg .32b %x, %y, %z, %u, %n, %i;
  .reg .64b %base, %addr, %w;
  .pred %q;
  ld.param.64b %base, [%p];
  ld.param.32b %n, [%m];
  mov.32b %x, %localid.x;
  mov.32b %y, %n;
  mov.32b %u, %n;
  zext.64b.32b %w, %x;
  shl.64b %w, %w, 2;
  iadd.64b %addr, %base, %w;
`

const kernelHeadInstrs = 8

// kernelText makes a kernel of about n instructions out of pieces, each of
// which piece appends, of instrs instructions.
func kernelText(n, instrs int, piece func(b *bytes.Buffer, i int)) ([]byte, int) {
	var b bytes.Buffer
	b.WriteString(kernelHead)
	pieces := (n - kernelHeadInstrs - 3) / instrs
	for i := range pieces {
		piece(&b, i)
	}
	b.WriteString("  st.global.32b [%addr], %x;\n  st.global.32b [%addr + 512], %y;\n  return;\n}\n")
	return b.Bytes(), pieces*instrs + kernelHeadInstrs + 3
}

func straight(n int) ([]byte, int) {
	return kernelText(n, 6, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `  iadd.32b %%z, %%x, %d;
  xor.32b %%y, %%y, %%z;
  ucmp.lt.32b %%q, %%z, %%y;
  sel.32b %%z, %%z, %%y, %%q;
  fmad.f %%x, %%z, %%x, %%y;
  umul.32b %%y, %%y, %%z;
`, i%97)
	})
}

func memory(n int) ([]byte, int) {
	return kernelText(n, 5, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `  ld.global.32b %%z, [%%addr + %d];
  iadd.32b %%x, %%x, %%z;
  st.global.32b [%%addr + %d], %%x;
  ld.global.32b %%z, [%%addr + %d];
  xor.32b %%y, %%z, %%x;
`, i%509*4, i%251*8, i%127*16)
	})
}

// blocks is short blocks, each of which lanes may skip together.
func blocks(n int) ([]byte, int) {
	return kernelText(n, 5, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `  ucmp.lt.32b %%q, %%u, %d;
  goto.cond %%q, L%d;
  st.global.32b [%%addr + %d], %%x;
L%d:
  umad.32b %%x, %%x, %%y, %%u;
  umul.32b %%u, %%u, 3;
`, i%1000, i, i%500*4, i)
	})
}

func loops(n int) ([]byte, int) {
	return kernelText(n, 7, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `  mov.32b %%i, 0;
L%d:
  ld.global.32b %%z, [%%addr + %d];
  umad.32b %%x, %%x, %%z, %%y;
  iadd.32b %%i, %%i, %d;
  ucmp.lt.32b %%q, %%i, %%n;
  goto.cond %%q, L%d;
  xor.32b %%y, %%y, %%x;
`, i, i%500*4, 1+i%3, i)
	})
}

// divergent is branches and loops that lanes take each for itself.
func divergent(n int) ([]byte, int) {
	return kernelText(n, 8, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `  ucmp.lt.32b %%q, %%x, %d;
  goto.cond %%q, A%d;
  ld.global.32b %%z, [%%addr + %d];
  iadd.32b %%x, %%x, %%z;
  goto B%d;
A%d:
  umul.32b %%y, %%y, %%x;
  st.global.32b [%%addr], %%y;
B%d:
  xor.32b %%x, %%x, %%y;
`, i, i, i%500*4, i, i, i)
	})
}

// uniform is arithmetic about which lanes agree.
func uniform(n int) ([]byte, int) {
	return kernelText(n, 5, func(b *bytes.Buffer, i int) {
		fmt.Fprintf(b, `  iadd.32b %%z, %%u, %d;
  xor.32b %%u, %%u, %%z;
  ucmp.lt.32b %%q, %%z, %%u;
  sel.32b %%y, %%z, %%y, %%q;
  umul.32b %%u, %%u, %%y;
`, i%97)
	})
}
