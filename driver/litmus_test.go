package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pisac/ir"
	"pisac/passes/litmus"
)

const litmusCorpus = "../passes/litmus/testdata/litmus/"

// Every stored test says the same as PISA, through assembler, linker and SSA
// construction, as in its own form, whose verdicts come from another checker.
func TestLitmusFromPISA(t *testing.T) {
	files, err := filepath.Glob(litmusCorpus + "*.json")
	require.NoError(t, err)
	require.Len(t, files, 276)
	o := &litmusOptions{RelaxedScope: "system"}
	var checker litmus.Checker
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		own, f, err := litmus.ReadJSON(data)
		require.NoError(t, err)
		text, err := f.PISA()
		require.NoError(t, err, name)
		c := &compile{o: &Options{Emit: EmitIR, VerifyEach: true}, src: &ir.Sources{}}
		test, err := o.read(c, Input{Name: name, Text: text, FirstLine: 1})
		require.NoError(t, err, name)
		require.Empty(t, c.ds.List, "%s\n%s", name, text)
		p, err := test.program()
		require.NoError(t, err, name)
		for _, m := range []litmus.Model{{}, {ThinAir: litmus.Dependencies}} {
			want, err := checker.Check(own, litmus.Options{Model: m})
			require.NoError(t, err)
			got, err := checker.Check(p, litmus.Options{Model: m})
			require.NoError(t, err, name)
			require.Equal(t, want.Verdict(), got.Verdict(), "%s under %s\n%s", name, m, text)
			require.Equal(t, want.Executions, got.Executions, name)
			require.Equal(t, len(want.States), len(got.States), name)
			if m == (litmus.Model{}) {
				require.Equal(t, f.Verdict, got.Verdict().String(), name)
			}
		}
	}
}

func litmusOutput(t *testing.T, args ...string) (string, string, int) {
	var out, errs bytes.Buffer
	code := Main(append([]string{"litmus"}, args...), strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

func TestLitmusJSON(t *testing.T) {
	out, errs, code := litmusOutput(t, "--format=json", "--model=base,lb", litmusCorpus+"LB+rlx.json", litmusCorpus+"MP+rlxdata+rel+rlx.json")
	require.Equal(t, 0, code, errs)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 4)
	var got []string
	for _, l := range lines {
		var j struct {
			Name, Model, Verdict string
			States               []json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(l), &j))
		got = append(got, fmt.Sprintf("%s %s %s %d", j.Name, j.Model, j.Verdict, len(j.States)))
	}
	require.Equal(t, []string{"LB+rlx base forbidden 3", "LB+rlx lb allowed 4",
		"MP+rlxdata+rel+rlx base allowed 4", "MP+rlxdata+rel+rlx lb allowed 4"}, got)
}

const storeBuffer = `.version 0.1;
.target 100;
//@ litmus SB
//@ run @a wg=0
//@ run @b wg=1
//@ exists (0:%r = 0 /\ 1:%r = 0)
.global .align 8 @p[16];
.function .32b @get(.reg .64b %at) {
  .reg .32b %r;
  ld.global.seq_cst.gpu.32b %r, [%at];
  return %r;
}
.function void @a() {
  .reg .32b %one, %r;
  .reg .64b %at;
  addrof.64b %at, @p;
  mov.32b %one, 1;
  st.global.seq_cst.gpu.32b [%at], %one;
  iadd.64b %at, %at, 8;
  call %r, @get(%at);
  return;
}
.function void @b() {
  .reg .32b %one, %r;
  mov.32b %one, 1;
  st.global.seq_cst.gpu.32b [@p + 8], %one;
  ld.global.seq_cst.gpu.32b %r, [@p];
}
`

// Addresses in registers and calls are followed.
func TestLitmusAddresses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "sb.pisa")
	write := func(s string) { require.NoError(t, os.WriteFile(file, []byte(s), 0o666)) }
	write(storeBuffer)
	out, errs, code := litmusOutput(t, file)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "SB: forbidden under base")
	require.Contains(t, out, "3 final states of 3 executions")
	write(strings.Replace(storeBuffer, "ld.global.seq_cst.gpu.32b %r", "ld.global.acquire.gpu.32b %r", 1))
	out, errs, code = litmusOutput(t, "--witness", file)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "SB: allowed under base")
	require.Contains(t, out, "R.acq.gpu p+8=0")
}

func TestLitmusMistakes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.pisa")
	for _, c := range []struct{ from, to, want string }{
		{"//@ run @b wg=1", "//@ run @c wg=1", "x.pisa:5: there is no function @c with a body"},
		{"1:%r = 0)", "1:%q = 0)", "@b uses no scalar register %q"},
		{"/\\ 1:%r = 0)", "/\\ )", "x.pisa:6: '=' expected"},
		{"@p + 8]", "@p + 6]", "misaligned"},
		{"//@ litmus SB", "//@ litmsu SB", `"litmsu" is none of`},
		{"//@ run @b wg=1", "//@ run @get wg=1", "has parameters"},
		{"st.global.seq_cst.gpu.32b [@p + 8], %one;", "st.global.seq_cst.gpu.32b [@p + 800], %one;", "outside p"},
	} {
		require.Contains(t, storeBuffer, c.from)
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(storeBuffer, c.from, c.to, 1)), 0o666))
		out, errs, code := litmusOutput(t, file)
		require.Equal(t, 1, code, "%s: %s%s", c.to, out, errs)
		require.Contains(t, errs, c.want, c.to)
	}
}

func TestLitmusPictures(t *testing.T) {
	out, errs, code := litmusOutput(t, "--svg=-", litmusCorpus+"MP+rlx.json")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "<svg")
	require.Contains(t, out, ">fr</text>")
	out, errs, code = litmusOutput(t, "--dot=-", litmusCorpus+"MP+rlx+acq.json")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, `label="race"`)
	_, errs, code = litmusOutput(t, "--dot=-", litmusCorpus+"CoRR.json")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "nothing to draw")
}

func TestLitmusPasses(t *testing.T) {
	out, errs, code := litmusOutput(t, "--passes=dce,canonicalize", litmusCorpus+"MP+fences.json", litmusCorpus+"IRIW+sc.json")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "MP+fences: nothing added")
}

func TestLitmusTarget(t *testing.T) {
	for _, chip := range []string{"gfx942", "gfx90a", "gfx1100", "gfx1201"} {
		out, errs, code := litmusOutput(t, "--target="+chip, litmusCorpus+"MP+fences.json", litmusCorpus+"IRIW+sc.json")
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, "MP+fences on "+chip[:5])
		require.NotContains(t, out, "FORBIDDEN")
	}
	_, errs, code := litmusOutput(t, "--target=gfx1", litmusCorpus+"MP+fences.json")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "unknown --target=gfx1")
}
