package driver

import (
	"os"
	"path/filepath"
	"testing"

	"pisac/dialects/amdgpu/target"
)

// FuzzCompile: whatever the text, the compiler is not at fault: assembly that
// is accepted becomes valid IR and LLVM IR, or is refused with a reason.
func FuzzCompile(f *testing.F) {
	for _, pattern := range []string{"../examples/*.pisa", "../tests/lowering/ssabuild/*.pisa", "../tests/pisa/*.pisa", "../tests/e2e/*/*.pisa"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	o := &Options{Emit: EmitLLVM, VerifyEach: true, target: target.ByName("gfx942")}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := Compile([]Input{{"fuzz.pisa", text, 1}}, o)
		if r.Bug != nil {
			t.Fatal(r.Bug)
		}
		if !r.OK {
			for i := range r.Diags {
				if r.Diags[i].Severity == 0 {
					return
				}
			}
			t.Fatal("refused without a reason")
		}
	})
}
