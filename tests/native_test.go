package tests

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/driver"
	"pisac/tests/disasm"
)

// laterWork marks what the native backend refuses until it can do it.
var laterWork = regexp.MustCompile(`error: .* \[AMD-E0(2\d|3[12]|05|10)\]`)

// native compiles s with the native backend; empty if it is refused.
func (s *sample) native(t *testing.T, chip, level string) string {
	var stdout, stderr bytes.Buffer
	code := driver.Main([]string{"--backend=native", "--verify-each", level, "--mcpu=" + chip, "--emit=asm", "-o", "-", "-"}, strings.NewReader(s.text), &stdout, &stderr)
	if code == 1 && laterWork.MatchString(stderr.String()) {
		return ""
	}
	require.Zero(t, code, "%s %s %s:\n%s", s.name, chip, level, stderr.String())
	return stdout.String()
}

// TestNativeAssembles compiles the corpus with the native backend. The
// assembly must assemble and link; the disassembler must give back what was printed; the
// descriptors must count the registers that the code uses, no more. Where LLVM is
// required, as .ci/run does, every module is tried in every way; else the kernels
// for two chips, and some modules in one way in turn.
func TestNativeAssembles(t *testing.T) {
	full := os.Getenv("PISAC_REQUIRE_LLVM") != ""
	if !disasm.Present() {
		if full {
			t.Fatal("LLVM 19 is required and not there")
		}
		t.Skip("LLVM 19 is not there")
	}
	var ways [][2]string
	for _, chip := range []string{"gfx1100", "gfx942", "gfx90a", "gfx1201"} {
		for _, level := range []string{"-O0", "-O2"} {
			ways = append(ways, [2]string{chip, level})
		}
	}
	for i, s := range samples(t) {
		for k, way := range ways {
			kernel := strings.HasPrefix(s.name, "e2e/kernels")
			if !full && !(kernel && (k == 1 || k == 3)) && (i%3 != 0 || k != i/3%len(ways)) {
				continue
			}
			t.Run(fmt.Sprint(filepath.Base(s.name), way), func(t *testing.T) {
				t.Parallel()
				if asm := s.native(t, way[0], way[1]); asm != "" {
					checkAssembly(t, way[0], asm, (full || kernel) && !strings.Contains(s.text, ".import"))
				}
			})
		}
	}
}

func checkAssembly(t *testing.T, chip, asm string, linked bool) {
	obj, refused, err := disasm.Assemble(t.TempDir(), chip, []byte(asm))
	require.NoError(t, err)
	lines := strings.Split(asm, "\n")
	for n, why := range refused {
		t.Errorf("%s\n\t%s", lines[n], why)
	}
	require.Empty(t, refused)
	if linked {
		_, err = disasm.Tool("ld.lld", "-shared", "-o", obj+".hsaco", obj)
		require.NoError(t, err)
	}
	list, err := disasm.Disassemble(chip, obj)
	require.NoError(t, err)
	kernels := regexp.MustCompile(`(?m)^\t\.amdhsa_kernel (.*)$`).FindAllStringSubmatch(asm, -1)
	for i, k := range kernels {
		name := strings.Trim(k[1], `"`)
		code := codeOf(asm, k[1])
		require.NotEmpty(t, code)
		back := instructions(list, name)
		require.GreaterOrEqual(t, len(back), len(code), "%s: the disassembler sees fewer instructions", name)
		for n, line := range code {
			if !disasm.Alike(line, back[n]) {
				t.Fatalf("%s: printed  %s\n\tgot back %s", name, line, back[n])
			}
		}
		for _, rest := range back[len(code):] { // padding
			require.Contains(t, []string{"s_code_end", "s_nop 0"}, rest)
		}
		checkDescriptor(t, chip, asm, obj, name, i, code)
	}
}

// codeOf is the instructions of a kernel in assembly.
func codeOf(asm, name string) (code []string) {
	_, text, _ := strings.Cut(asm, "\n"+name+":\n")
	text, _, _ = strings.Cut(text, "\n\t.section")
	for line := range strings.Lines(text) {
		if line[0] == '\t' && line[1] != '.' {
			code = append(code, strings.TrimSpace(line))
		}
	}
	return code
}

// instructions are those behind a symbol: up to the next one that is no label.
func instructions(list []disasm.Symbol, name string) (all []string) {
	on := false
	for _, s := range list {
		if s.Name == name {
			on = true
		} else if !strings.HasPrefix(s.Name, ".LBB") && !strings.HasPrefix(s.Name, "L") {
			on = on && s.Name == name
		}
		if on {
			all = append(all, s.Insts...)
		}
	}
	return all
}

var (
	oneReg   = regexp.MustCompile(`\b([vs])(\d+)\b`)
	someRegs = regexp.MustCompile(`\b([vs])\[(\d+):(\d+)\]`)
)

// highest is one more than the largest number of a register in the code.
func highest(code []string) (v, s int) {
	see := func(kind string, n string) {
		k, _ := strconv.Atoi(n)
		if kind == "v" {
			v = max(v, k+1)
		} else {
			s = max(s, k+1)
		}
	}
	for _, line := range code {
		_, ops, _ := strings.Cut(line, " ")
		for _, m := range oneReg.FindAllStringSubmatch(ops, -1) {
			see(m[1], m[2])
		}
		for _, m := range someRegs.FindAllStringSubmatch(ops, -1) {
			see(m[1], m[3])
		}
	}
	return v, s
}

// checkDescriptor reads the kernel descriptor's register blocks from the object
// and compares them with the code's registers.
func checkDescriptor(t *testing.T, chip, asm, obj, name string, i int, code []string) {
	number := func(key string) int {
		all := regexp.MustCompile(`(?m)^\t\t\.amdhsa_`+key+` (\d+)$`).FindAllStringSubmatch(asm, -1)
		n, err := strconv.Atoi(all[i][1])
		require.NoError(t, err)
		return n
	}
	v, s := highest(code)
	require.Equal(t, v, number("next_free_vgpr"), "%s: vector registers", name)
	require.Equal(t, s, number("next_free_sgpr"), "%s: scalar registers", name)
	if strings.Contains(strings.Join(code, "\n"), "vcc") {
		require.Equal(t, 1, number("reserve_vcc"), name)
	}
	if i > 0 || !strings.HasPrefix(chip, "gfx9") {
		return
	}
	out, err := disasm.Tool("llvm-objdump", "-s", "-j", ".rodata", obj)
	require.NoError(t, err)
	rodata := sectionBytes(string(out))
	require.GreaterOrEqual(t, len(rodata), 64)
	// compute_pgm_rsrc1: granulated count of vector registers, in blocks of 8.
	rsrc1 := binary.LittleEndian.Uint32(rodata[48:])
	require.Equal(t, (max(v, 1)+7)/8-1, int(rsrc1&63), name)
}

// sectionBytes reads the hexadecimal dump of objdump -s.
func sectionBytes(dump string) (out []byte) {
	for _, m := range regexp.MustCompile(`(?m)^ [0-9a-f]+ ((?:[0-9a-f]+ ){1,4})`).FindAllStringSubmatch(dump, -1) {
		h := strings.ReplaceAll(m[1], " ", "")
		for k := 0; k+1 < len(h); k += 2 {
			b, _ := strconv.ParseUint(h[k:k+2], 16, 8)
			out = append(out, byte(b))
		}
	}
	return out
}
