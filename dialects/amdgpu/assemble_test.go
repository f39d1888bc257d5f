package amdgpu

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu/target"
)

const llvmBin = "/usr/lib/llvm-19/bin/"

// TestRowsAssemble prints every row for every chip that has it, in every way of
// filling its operands from registers and small numbers, and holds the table to
// what llvm-mc makes of the text and to what the disassembler gives back.
func TestRowsAssemble(t *testing.T) {
	if _, err := os.Stat(llvmBin + "llvm-mc"); err != nil {
		t.Skip("LLVM 19 is not there")
	}
	for i := range target.All() {
		tt := &target.All()[i]
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()
			var lines []string
			for k := range rows {
				lines = append(lines, rows[k].samples(tt)...)
			}
			require.Greater(t, len(lines), 1200)
			back := assembled(t, tt, lines)
			bad := 0
			for k, want := range lines {
				if got := plainText(back[k]); got != plainText(want) {
					if bad++; bad < 20 {
						t.Errorf("printed  %s\ngot back %s", want, back[k])
					}
				}
			}
			require.Zero(t, bad)
		})
	}
}

// assembled is what the disassembler gives for lines, an instruction each.
func assembled(t *testing.T, tt *target.Target, lines []string) []string {
	obj := filepath.Join(t.TempDir(), "a.o")
	mc := exec.Command(llvmBin+"llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu="+tt.Name, "-filetype=obj", "-o", obj)
	mc.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out, err := mc.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := exec.Command(llvmBin+"llvm-objdump", "-d", "--no-show-raw-insn", "--no-leading-addr", obj).Output()
	require.NoError(t, err)
	_, body, _ := bytes.Cut(text, []byte("<.text>:\n"))
	var back []string
	for l := range strings.Lines(string(body)) {
		l, _, _ = strings.Cut(l, "//")
		if l = strings.TrimSpace(l); l != "" {
			back = append(back, l)
		}
	}
	require.Len(t, back, len(lines), "the disassembler sees another number of instructions")
	return back
}

var (
	suffix = regexp.MustCompile(`^([a-z_0-9]+?)(_e32|_e64|_dpp|_e64_dpp)?( |$)`)
	spaces = regexp.MustCompile(`[ ,]+`)
)

// plainText is an instruction without the name of its encoding.
func plainText(s string) string {
	return suffix.ReplaceAllString(strings.TrimSpace(spaces.ReplaceAllString(s, " ")), "$1$3")
}

// samples are texts of r on t: all operands in registers, then each in turn a
// scalar register or a small number.
func (r *Row) samples(t *target.Target) []string {
	name := r.Mnemonic(t)
	if name == "" || r.Family == Pseudo {
		return nil
	}
	out := []string{r.sample(t, name, -1, 0)}
	for i := range r.Operands {
		for _, k := range []uint8{KS, KImm} {
			s := &r.Operands[i]
			if k == KS && r.VALU() && t.Generation == target.GFX9 && slices.ContainsFunc(r.Operands, func(s Slot) bool { return s.Mask }) {
				continue // the mask is the one scalar operand
			}
			if s.Kinds&k != 0 && s.Kinds != k && s.Regs != 0 {
				out = append(out, r.sample(t, name, i, k))
			}
		}
	}
	if r.Family == Global || r.Family == Scratch && !r.Has(Atomic) {
		out = append(out, r.sampleWith(t, name, saddrOperands(r), -1, 0))
	}
	return out
}

// sample fills operand special with a register or number of the kind given.
func (r *Row) sample(t *target.Target, name string, special int, kind uint8) string {
	return r.sampleWith(t, name, r.Operands, special, kind)
}

func (r *Row) sampleWith(t *target.Target, name string, operands []Slot, special int, kind uint8) string {
	var ops []string
	next, scalars := 8, 0
	put := func(s *Slot, k uint8) {
		switch {
		case s.Kinds == KSCC:
		case s.Mask && r.Has(FixedVCC):
		case s.Mask && t.Wave == 32:
			ops = append(ops, "vcc_lo")
		case s.Mask:
			ops = append(ops, "vcc")
		case k&KImm != 0, k == KS && r.VALU() && s.Kinds&KImm != 0 && scalars > 0 && t.Generation == target.GFX9:
			ops = append(ops, "7")
		case s.Regs == 1:
			ops = append(ops, fmt.Sprintf("%c%d", "sv"[k/KV], next))
		default:
			ops = append(ops, fmt.Sprintf("%c[%d:%d]", "sv"[k/KV], next, next+int(s.Regs)-1))
		}
		if k == KS {
			scalars++
		}
		next += max((int(s.Regs)+3)&^3, 4)
	}
	first := func(s *Slot) uint8 {
		switch {
		case s.Kinds&KV != 0:
			return KV
		case s.Kinds&KS != 0:
			return KS
		}
		return s.Kinds
	}
	for i := range r.Results {
		put(&r.Results[i], first(&r.Results[i]))
	}
	scalars = 0
	for i := range operands {
		s := &operands[i]
		switch {
		case i == len(operands)-1 && r.Has(Tied):
			continue
		case i == special:
			put(s, kind)
		case s.Opt && r.Family == SMEM:
			ops = append(ops, "0x10")
		default:
			put(s, first(s))
		}
	}
	return strings.TrimSpace(name + " " + r.fixed(t, ops, len(operands) > len(r.Operands)))
}

// fixed puts the operands in the assembler's order, with those that the row
// does not list.
func (r *Row) fixed(t *target.Target, ops []string, saddr bool) string {
	n := 0
	if len(r.Results) > 0 {
		n = 1
	}
	switch {
	case r.Family == Global && saddr: // result, offset, base, data: base goes last
		base := ops[n+1]
		ops = append(slices.Delete(ops, n+1, n+2), base)
	case r.Family == Global:
		ops = append(ops, "off")
	case r.Family == Scratch:
		at := len(ops)
		ops = slices.Insert(ops, at, "off")
		if strings.HasPrefix(ops[n], "s") {
			ops[at], ops[n] = ops[n], "off"
		}
	}
	tail := ""
	if r.Has(Atomic) && r.Family >= Flat && n > 0 {
		tail = map[string]string{"gfx942": " sc0", "gfx1201": " th:TH_ATOMIC_RETURN"}[t.Name]
		if tail == "" {
			tail = " glc"
		}
	}
	if r.Has(DPP) {
		tail = " row_shr:1 row_mask:0xf bank_mask:0xf"
	}
	switch {
	case r.Code == SSetregImm32B32:
		ops = append([]string{"hwreg(HW_REG_MODE, 0, 4)"}, ops...)
	case r.Code == SWaitcnt:
		ops = append(ops, "vmcnt(1) lgkmcnt(2)")
	case r.Code == SWaitcntVscnt:
		ops = append(ops, "null", "0x3")
	case r.Code == SDelayAlu:
		ops = append(ops, "instid0(VALU_DEP_1)")
	case r.Code == SWaitcntDepctr:
		ops = append(ops, "depctr_va_vcc(0)")
	case r.Code == SBarrierSignal:
		ops = append(ops, "-1")
	case r.Code == SBarrierWait:
		ops = append(ops, "0xffff")
	case r.Code == SEndpgm || r.Code == SBarrier || r.Code == SCodeEnd:
	case r.Family == SOPP && (r.Has(Branches) || r.Code == SNop || r.Code == SSleep || r.Code == SDenormMode):
		ops = append(ops, "4")
	case r.Family == SOPP || r.Family == SOPK:
		ops = append(ops, "0x4")
	}
	return strings.Join(ops, ", ") + tail
}
