package litmus

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	transformStride = flag.Int("litmus.stride", 0, "check one of this many contexts of each transformation; 1: all; 0: a sample of a few hundred each")
	transformMax    = flag.Int("litmus.max", 1000, "check all contexts of transformations with at most this many")
	transformOnly   = flag.String("litmus.only", "", "check only the transformations whose ids begin so")
)

type transform struct {
	ID         string   `json:"id"`
	Before     []string `json:"before"`
	After      []string `json:"after"`
	Verdict    string   `json:"verdict"`
	Models     map[string][5]int
	Vocabulary Contexts `json:"vocabulary"`
	Evidence   map[string]struct {
		Programs int    `json:"programs"`
		RaceFree int    `json:"racefree"`
		Result   string `json:"result"`
		Kind     string `json:"kind"`
	}
	Counterexample *struct {
		Model    string           `json:"model"`
		Kind     string           `json:"kind"`
		Before   File             `json:"before"`
		After    File             `json:"after"`
		NewState map[string]int64 `json:"new_state"`
	} `json:"counterexample"`
}

func transforms(t testing.TB) []transform {
	data, err := os.ReadFile("testdata/transforms.json")
	require.NoError(t, err)
	var f struct{ Transforms []transform }
	require.NoError(t, json.Unmarshal(data, &f))
	require.Len(t, f.Transforms, 253)
	return f.Transforms
}

// modelOf reads a model as the transformations store it.
func modelOf(v [5]int) Model {
	m := Model{ReleaseSeq: ReleaseSeq(v[0]), ThinAir: ThinAir(v[1]), Lenient: v[2] != 0, OwnSpace: v[3] != 0, Barrier: Barrier(v[4])}
	return m
}

// Every refuted transformation has a counterexample on record: the source
// program must not, and the transformed one must, have its state or a race.
func TestRecordedCounterexamples(t *testing.T) {
	var c Checker
	n := 0
	for _, tr := range transforms(t) {
		ce := tr.Counterexample
		if ce == nil {
			continue
		}
		n++
		m := modelOf(tr.Models[ce.Model])
		before, err := c.Check(program(t, &ce.Before), Options{Model: m})
		require.NoError(t, err, tr.ID)
		require.Nil(t, before.Race, tr.ID)
		after, err := c.Check(program(t, &ce.After), Options{Model: m})
		require.NoError(t, err, tr.ID)
		if ce.Kind == "race" {
			require.NotNil(t, after.Race, tr.ID)
			continue
		}
		require.Equal(t, "state", ce.Kind)
		has := func(r *Result) bool {
			cond := outcomeCond(ce.NewState)
			r.Program.bind(&cond)
			for i := range r.States {
				w := append([]uint64{r.States[i].Unset}, r.States[i].Values...)
				if cond.holds(w) {
					return true
				}
			}
			return false
		}
		require.False(t, has(before), "%s: the source has the new state", tr.ID)
		require.True(t, has(after), "%s: the new state is missing", tr.ID)
	}
	require.Equal(t, 102, n)
}

// otherCounts are race-free programs where ours are not the catalogue's: of
// 469,728 contexts of one row it counts five fewer. The verdict is the same.
var otherCounts = map[string]int{"F09i.rel.gpu;bar->bar;rel.gpu cxx20+lb+lenient": 316958}

// TestTransforms enumerates the recorded contexts of each transformation under
// each recorded model. Where it takes all (-litmus.stride=1) the numbers of
// programs and of race-free ones must then be those that another
// implementation counted, and what it refuted must be refuted. In a sample,
// sound ones must not be refuted.
func TestTransforms(t *testing.T) {
	var programs, raceFree, refuted, whole int
	start := time.Now()
	for _, tr := range transforms(t) {
		if !strings.HasPrefix(tr.ID, *transformOnly) {
			continue
		}
		for name, ev := range tr.Evidence {
			v, known := tr.Models[name]
			if !known {
				continue // evidence from larger contexts or by hand
			}
			opt := CompareOptions{Model: modelOf(v), Stride: *transformStride, NoExit: strings.HasSuffix(tr.ID, "/noexit")}
			if opt.Stride == 0 {
				opt.Stride = tr.Vocabulary.Size()/100 + 1
			}
			if opt.NoExit {
				opt.Stride = opt.Stride/4 + 1
			}
			if tr.Vocabulary.Size() <= *transformMax {
				opt.Stride = 1
			}
			if opt.Stride > 1 {
				opt.Phase = len(tr.ID) % opt.Stride
			}
			// Whole comparisons are counted as the catalogue was, samples are
			// judged by the model itself, which has fewer executions.
			opt.Model.noControl = opt.Stride == 1
			tally, err := tr.Vocabulary.Compare(tr.Before, tr.After, opt)
			require.NoError(t, err, tr.ID)
			programs += tally.Programs
			raceFree += tally.RaceFree
			if !opt.NoExit && ev.Result == "no counterexample" {
				require.Equal(t, ev.Programs, tr.Vocabulary.Size(), tr.ID)
			}
			sound := ev.Result == "no counterexample"
			if tally.Found != nil {
				refuted++
				require.False(t, sound, "%s under %s: recorded as sound, but\n%s", tr.ID, name, tally.Found)
			}
			if opt.Stride == 1 {
				whole++
				assert.Equal(t, sound, tally.Found == nil, "%s under %s", tr.ID, name)
				if sound {
					assert.Equal(t, ev.Programs, tally.Programs, "%s under %s: programs", tr.ID, name)
					if want, ok := otherCounts[tr.ID+" "+name]; ok {
						ev.RaceFree = want
					}
					assert.Equal(t, ev.RaceFree, tally.RaceFree, "%s under %s: race-free programs", tr.ID, name)
				}
			}
		}
	}
	d := time.Since(start)
	t.Logf("%d programs, %d race-free, %d comparisons refuted, %d comparisons whole, %v, %v per program", programs, raceFree, refuted, whole, d, d/time.Duration(max(programs, 1)))
}
