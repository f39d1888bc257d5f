package machine

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/dialects/amdgpu"
	"pisac/ir"
)

var hazardRounds = flag.Int("hazard-rounds", 12, "random functions whose nops are compared with LLVM's")

// hazardTemplate is an instruction as the amdgpu dialect and as LLVM's machine
// IR write it. In both, V S P Q D stand for registers, numbered by use.
type hazardTemplate struct{ pir, mir string }

// The letters: v0 to v7, s8 to s11, pairs s[8:9] to s[10:11] or vcc, v[4:7].
var hazardTemplates = []hazardTemplate{
	{"%R = amdgpu.v_add_nc_u32 V, V : v1@V", "V = V_ADD_U32_e32 V, V, implicit $exec"},
	{"%R = amdgpu.v_add_nc_u32 S, V : v1@V", "V = V_ADD_U32_e32 S, V, implicit $exec"},
	{"%R = amdgpu.v_cmp_eq_u32 V, V : s2@P", "P = V_CMP_EQ_U32_e64 V, V, implicit $exec"},
	{"%R = amdgpu.v_cndmask_b32 V, V, P : v1@V", "V = V_CNDMASK_B32_e64 0, V, 0, V, P, implicit $exec"},
	{"%R = amdgpu.v_readfirstlane_b32 V : s1@S", "S = V_READFIRSTLANE_B32 V, implicit $exec"},
	{"%R = amdgpu.v_readlane_b32 V, S : s1@S", "S = V_READLANE_B32 V, S"},
	{"%R = amdgpu.v_rcp_f32 V : v1@V", "V = V_RCP_F32_e32 V, implicit $mode, implicit $exec"},
	{"%R = amdgpu.v_mul_f32 V, V : v1@V", "V = V_MUL_F32_e32 V, V, implicit $mode, implicit $exec"},
	{"%R = amdgpu.v_mov_b32.dpp V : v1@V", "V = V_MOV_B32_dpp undef V, V, 0, 15, 15, 0, implicit $exec"},
	{"%R = amdgpu.global_load_b32.saddr V, P : v1@V", "V = GLOBAL_LOAD_DWORD_SADDR P, V, 0, 0, implicit $exec :: (load (s32), addrspace 1)"},
	{"amdgpu.global_store_b128.saddr V, P, Q", "GLOBAL_STORE_DWORDX4_SADDR V, Q, P, 0, 0, implicit $exec :: (store (s128), addrspace 1)"},
	{"%R = amdgpu.ds_load_b32 V : v1@V", "V = DS_READ_B32_gfx9 V, 0, 0, implicit $exec"},
	{"%R, %C = amdgpu.v_mad_u64_u32 V, V, %v0_2 : v2@v0, s2@P", "$vgpr0_vgpr1, P = V_MAD_U64_U32_e64 V, V, $vgpr0_vgpr1, 0, implicit $exec"},
	{"%R = amdgpu.s_mov_b32 S : s1@S", "S = S_MOV_B32 S"},
	{"%R = amdgpu.s_load_b32 P : s1@S", "S = S_LOAD_DWORD_IMM P, 0, 0"},
	{"%R = amdgpu.v_dot4_u32_u8 V, V, V : v1@V", "V = V_DOT4_U32_U8 0, V, 0, V, 0, V, 0, 0, 0, 0, 0, implicit $exec"},
}

// fill replaces the letters by registers: operands first, the result last in
// the dialect and first in LLVM's text.
func (x *hazardTemplate) fill(r *rand.Rand, n int) (pir, mir string) {
	letters := func(s string) (at []int) {
		for i := range len(s) {
			if strings.IndexByte("VSPQ", s[i]) < 0 || i > 0 && isWord(s[i-1]) && s[i-1] != '@' || i+1 < len(s) && isWord(s[i+1]) {
				continue
			}
			at = append(at, i)
		}
		return at
	}
	pat, mat := letters(x.pir), letters(x.mir)
	result := strings.HasPrefix(x.pir, "%R")
	regs := make([][2]string, len(pat))
	for i, at := range pat {
		regs[i] = hazardReg(r, x.pir[at])
	}
	names := make([]string, len(pat))
	for i := range regs {
		names[i] = regs[i][0]
	}
	pir = substitute(x.pir, pat, func(i int) string {
		if result && i == len(pat)-1 {
			return strings.TrimSuffix(names[i], "_2")
		}
		return "%" + names[i]
	})
	pir = strings.Replace(pir, "%R", fmt.Sprintf("%%r%d", n), 1)
	pir = strings.Replace(pir, "%C", fmt.Sprintf("%%m%d", n), 1)
	order := make([]string, 0, len(mat))
	if result {
		order = append(order, regs[len(regs)-1][1])
		regs = regs[:len(regs)-1]
	}
	// Where LLVM names a register twice it is the DPP move's old value; a store
	// has its data before the base.
	switch {
	case strings.Contains(x.mir, "undef V"):
		order = append(order, order[0], regs[0][1])
	case strings.Contains(x.mir, "STORE"):
		order = append(order, regs[0][1], regs[2][1], regs[1][1])
	case strings.Contains(x.mir, "LOAD_DWORD_SADDR"):
		order = append(order, regs[1][1], regs[0][1])
	default:
		for _, v := range regs {
			order = append(order, v[1])
		}
	}
	mir = substitute(x.mir, mat, func(i int) string { return order[i] })
	return pir, mir
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func substitute(s string, at []int, by func(int) string) string {
	var sb strings.Builder
	last := 0
	for i, k := range at {
		sb.WriteString(s[last:k] + by(i))
		last = k + 1
	}
	return sb.String() + s[last:]
}

// hazardReg is a register in our spelling and in LLVM's.
func hazardReg(r *rand.Rand, letter byte) [2]string {
	switch n := r.IntN(3); letter {
	case 'V':
		n = r.IntN(8)
		return [2]string{fmt.Sprintf("v%d", n), fmt.Sprintf("$vgpr%d", n)}
	case 'S':
		n = 8 + r.IntN(4)
		return [2]string{fmt.Sprintf("s%d", n), fmt.Sprintf("$sgpr%d", n)}
	case 'P':
		if n == 2 {
			return [2]string{"vcc", "$vcc"}
		}
		return [2]string{fmt.Sprintf("s%d_2", 8+2*n), fmt.Sprintf("$sgpr%d_sgpr%d", 8+2*n, 9+2*n)}
	}
	return [2]string{"v4_4", "$vgpr4_vgpr5_vgpr6_vgpr7"}
}

// hazardPreamble gives every register a value that the text can name.
func hazardPreamble() string {
	var sb strings.Builder
	for i := range 8 {
		fmt.Fprintf(&sb, "  %%v%d = amdgpu.p_undef : v1@v%d\n", i, i)
	}
	for i := range 4 {
		fmt.Fprintf(&sb, "  %%s%d = amdgpu.p_undef : s1@s%d\n", 8+i, 8+i)
	}
	sb.WriteString("  %s8_2 = amdgpu.p_undef : s2@s8\n  %s10_2 = amdgpu.p_undef : s2@s10\n  %vcc = amdgpu.p_undef : s2@vcc\n  %v4_4 = amdgpu.p_undef : v4@v4\n  %v0_2 = amdgpu.p_undef : v2@v0\n")
	sb.WriteString("  %c0 = builtin.const 0x0 : 32b\n")
	return sb.String()
}

// TestHazardsAgreeWithLLVM compares the nops before every instruction of random
// functions with those of LLVM's hazard recognizer.
func TestHazardsAgreeWithLLVM(t *testing.T) {
	llc := "/usr/lib/llvm-19/bin/llc"
	if _, err := os.Stat(llc); err != nil {
		t.Skip("LLVM 19 is not there")
	}
	for _, chip := range []string{"gfx942", "gfx90a"} {
		r := rand.New(rand.NewPCG(7, uint64(len(chip))))
		for round := range *hazardRounds {
			var pir, mir strings.Builder
			blocks := 1 + round%3*3
			pir.WriteString("^bb0:\n" + hazardPreamble())
			mir.WriteString("---\nname: k\ntracksRegLiveness: false\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n")
			n := 0
			for b := range blocks {
				if b > 0 {
					fmt.Fprintf(&pir, "^bb%d:\n", b)
				}
				last := b == blocks-1
				taken := min(b+1+r.IntN(3), blocks-1)
				fmt.Fprintf(&mir, "  bb.%d:\n", b)
				if taken == b+1 {
					fmt.Fprintf(&mir, "    successors: %%bb.%d\n", b+1)
				} else if !last {
					fmt.Fprintf(&mir, "    successors: %%bb.%d, %%bb.%d\n", b+1, taken)
				}
				for range 1 + r.IntN(60/blocks) {
					x := &hazardTemplates[r.IntN(len(hazardTemplates))]
					p, m := x.fill(r, n)
					n++
					pir.WriteString("  " + p + "\n")
					mir.WriteString("    " + m + "\n")
				}
				if last {
					pir.WriteString("  amdgpu.s_endpgm\n")
					mir.WriteString("    S_ENDPGM 0\n...\n")
				} else {
					fmt.Fprintf(&pir, "  %%q%d = amdgpu.s_cmp_eq_u32 %%c0, %%c0 : scc@scc\n  amdgpu.s_cbranch_scc1 %%q%d, ^bb%d, ^bb%d\n", b, b, taken, b+1)
					fmt.Fprintf(&mir, "    S_CMP_EQ_U32 $sgpr0, 0, implicit-def $scc\n    S_CBRANCH_SCC1 %%bb.%d, implicit $scc\n", taken)
				}
			}
			c, f := parseBody(t, chip, pir.String())
			Hazards(c, f)
			cmd := exec.Command(llc, "-mtriple=amdgcn-amd-amdhsa", "-mcpu="+chip, "-run-pass=post-RA-hazard-rec", "-x", "mir", "-o", "-", "-")
			cmd.Stdin = strings.NewReader(mir.String())
			out, err := cmd.Output()
			require.NoError(t, err, mir.String())
			require.Equal(t, llvmNops(string(out)), ourNops(f), "%s round %d\n%s\n%s", chip, round, mir.String(), out)
		}
	}
}

// ourNops is the wait states before each instruction.
func ourNops(f *ir.Func) (nops []int) {
	n := 0
	for b := f.FirstBlock(); b != nil; b = b.Next() {
		for op := b.First(); op != nil; op = op.Next() {
			switch {
			case op.Code == amdgpu.SNop:
				n += 1 + int(amdgpu.FImm.Get(op.Props))
			case amdgpu.Encoded(op):
				nops, n = append(nops, n), 0
			}
		}
	}
	return nops
}

func llvmNops(text string) (nops []int) {
	n := 0
	_, text, _ = strings.Cut(text, "body:")
	for _, l := range strings.Split(text, "\n")[1:] {
		l = strings.TrimSpace(l)
		var k int
		if _, err := fmt.Sscanf(l, "S_NOP %d", &k); err == nil {
			n += 1 + k
		} else if strings.Contains(l, "S_") || strings.Contains(l, "V_") || strings.Contains(l, "GLOBAL_") || strings.Contains(l, "DS_") {
			nops, n = append(nops, n), 0
		}
	}
	return nops
}

// A transcendental result is waited for on gfx1100 unless enough stands between
// (the expectations are LLVM 19's).
func TestTransUse(t *testing.T) {
	body := hazardPreamble() + `
  %a = amdgpu.v_sqrt_f32 %v1 : v1@v2
  %b = amdgpu.v_add_nc_u32 %v0, %v0 : v1@v3
  %c = amdgpu.v_add_nc_u32 %a, %v0 : v1@v4
  %d = amdgpu.v_add_nc_u32 %a, %v0 : v1@v5
  %e = amdgpu.v_rcp_f32 %v1 : v1@v2
  %l = amdgpu.ds_load_b32 %v0 : v1@v6
  %g = amdgpu.v_add_nc_u32 %e, %v0 : v1@v5
  %h = amdgpu.v_rcp_f32 %v1 : v1@v2
  %i = amdgpu.v_rcp_f32 %v1 : v1@v3
  %j = amdgpu.v_rcp_f32 %v1 : v1@v4
  %k = amdgpu.v_add_nc_u32 %h, %v0 : v1@v5
  amdgpu.s_endpgm`
	c, f := parseBody(t, "gfx1100", "^bb0:\n"+body)
	Hazards(c, f)
	require.Equal(t, lines(`
  v_sqrt_f32 v2 v1
  v_add_nc_u32 v3 v0 v0
  s_waitcnt_depctr 0xfff
  v_add_nc_u32 v4 v2 v0
  v_add_nc_u32 v5 v2 v0
  v_rcp_f32 v2 v1
  ds_load_b32 v6 v0
  v_add_nc_u32 v5 v2 v0
  v_rcp_f32 v2 v1
  v_rcp_f32 v3 v1
  v_rcp_f32 v4 v1
  v_add_nc_u32 v5 v2 v0
  s_endpgm`), listing(c, f))
}

func TestSALUAfterVALURead(t *testing.T) {
	body := hazardPreamble() + `
  %z = amdgpu.s_mov_b32 %c0 : s1@s8
  %y = amdgpu.v_mov_b32 %z : v1@v1
  %a = amdgpu.s_mov_b32 %c0 : s1@s9
  %b = amdgpu.v_mov_b32 %z : v1@v2
  %d = amdgpu.s_mov_b32 %a : s1@s10
  amdgpu.s_endpgm`
	c, f := parseBody(t, "gfx1201", "^bb0:\n"+body)
	Hazards(c, f)
	require.Equal(t, lines(`
  s_mov_b32 s8 0
  v_mov_b32 v1 s8
  s_mov_b32 s9 0
  s_wait_alu 0xfffe
  v_mov_b32 v2 s8
  s_mov_b32 s10 s9
  s_endpgm`), listing(c, f))
}
