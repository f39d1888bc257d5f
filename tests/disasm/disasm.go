// Package disasm asks LLVM's assembler and disassembler about AMD GPU code.
//
// In: assembly text. Out: an object, or the lines that llvm-mc refuses; the
// instructions that llvm-objdump finds in it, by symbol.
// Promise: Alike is true of two texts of one instruction only if they mean the
// same encoding, but for the choice of the shortest one.
package disasm

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

const bin = "/usr/lib/llvm-19/bin/"

// Present reports whether LLVM 19 is there.
func Present() bool {
	_, err := os.Stat(bin + "llvm-mc")
	return err == nil
}

// Tool runs a tool of LLVM 19.
func Tool(name string, args ...string) ([]byte, error) {
	out, err := exec.Command(bin+name, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %v\n%s", name, err, out)
	}
	return out, nil
}

var refusal = regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: error: (.*)$`)

// Assemble makes an object in dir of a text for a chip. Refused are the lines,
// from 0, that the assembler does not take.
func Assemble(dir, chip string, text []byte) (obj string, refused map[int]string, err error) {
	obj = filepath.Join(dir, "a.o")
	mc := exec.Command(bin+"llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu="+chip, "-filetype=obj", "-o", obj)
	mc.Stdin = bytes.NewReader(text)
	out, err := mc.CombinedOutput()
	refused = map[int]string{}
	for _, m := range refusal.FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(m[1])
		refused[n-1] = m[2]
	}
	if err != nil && len(refused) == 0 {
		return "", nil, fmt.Errorf("llvm-mc: %v\n%s", err, out)
	}
	return obj, refused, nil
}

// Symbol is a piece of a section.
type Symbol struct {
	Name  string
	Insts []string
}

var symbolLine = regexp.MustCompile(`^(?:[0-9a-f]+ )?<(.*)>:$`)

// Disassemble lists the instructions of an object's code.
func Disassemble(chip, obj string) (list []Symbol, err error) {
	text, err := Tool("llvm-objdump", "-d", "--mcpu="+chip, "--no-show-raw-insn", "--no-leading-addr", obj)
	if err != nil {
		return nil, err
	}
	for l := range strings.Lines(string(text)) {
		l = strings.TrimRight(l, "\n")
		if m := symbolLine.FindStringSubmatch(l); m != nil {
			list = append(list, Symbol{Name: m[1]})
			continue
		}
		if !strings.HasPrefix(l, "\t") || len(list) == 0 {
			continue
		}
		l, _, _ = strings.Cut(l, "//")
		if l = strings.TrimSpace(l); l != "" {
			s := &list[len(list)-1]
			s.Insts = append(s.Insts, l)
		}
	}
	return list, nil
}

var (
	suffix  = regexp.MustCompile(`^([a-z_0-9]+?)(_e32|_e64|_dpp|_e64_dpp)?( |$)`)
	blanks  = regexp.MustCompile(`[ ,\t]+`)
	numeric = regexp.MustCompile(`(^|[ :\[(|])(-?0x[0-9a-f]+|-?[0-9]+(\.[0-9]+)?)\b`)
)

// plain is an instruction without the name of its encoding, its numbers in one
// form.
func plain(s string) string {
	s = suffix.ReplaceAllString(strings.TrimSpace(blanks.ReplaceAllString(s, " ")), "$1$3")
	s = strings.ReplaceAll(s, " bound_ctrl:0", " bound_ctrl:1")
	s = strings.ReplaceAll(s, "s_barrier_wait -1", "s_barrier_wait 0xffff")
	return numeric.ReplaceAllStringFunc(s, func(m string) string {
		head := m[:len(m)-len(strings.TrimLeft(m, " :[(|"))]
		w := m[len(head):]
		if strings.Contains(w, ".") {
			return head + w
		}
		n, err := strconv.ParseInt(w, 0, 64)
		if err != nil {
			u, err := strconv.ParseUint(w, 0, 64)
			if err != nil {
				return m
			}
			n = int64(u)
		}
		return head + fmt.Sprint(n)
	})
}

// Alike compares an instruction as it was printed with what the disassembler
// makes of it. That shows inline constants as floats, and where a branch goes
// or a relocation is as a number.
func Alike(printed, back string) bool {
	w, g := strings.Split(plain(printed), " "), strings.Split(plain(back), " ")
	if len(w) != len(g) || w[0] != g[0] {
		return false
	}
	for i := 1; i < len(w); i++ {
		if w[i] != g[i] && !sameOperand(w[i], g[i]) {
			return false
		}
	}
	return true
}

func sameOperand(w, g string) bool {
	if strings.HasPrefix(w, ".LBB") || strings.Contains(w, "@rel32@") {
		_, err := strconv.ParseInt(g, 0, 64)
		return err == nil
	}
	n, err := strconv.ParseInt(w, 0, 64)
	f, ferr := strconv.ParseFloat(g, 64)
	if err != nil || ferr != nil || !strings.Contains(g, ".") {
		return false
	}
	half, ok := halves[g]
	switch {
	case uint64(n) == math.Float64bits(f), uint64(n) == uint64(math.Float32bits(float32(f))):
	case ok && (n == half || n == int64(int16(half))):
	case g == "0.15915494309189532" && n == 0x3fc45f306dc9c882, g == "0.15915494" && n == 0x3e22f983:
	default:
		return false
	}
	return true
}

// halves are the inline constants of 16-bit floats.
var halves = map[string]int64{"0.5": 0x3800, "1.0": 0x3c00, "2.0": 0x4000, "4.0": 0x4400, "-0.5": 0xb800, "-1.0": 0xbc00, "-2.0": 0xc000, "-4.0": 0xc400, "0.15915494": 0x3118}
