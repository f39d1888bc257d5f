package driver

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"pisac/passes"
)

// phase is a line of --time-passes.
type phase struct {
	name  string
	depth int // 1: a pass
	time  time.Duration
}

// phase notes how long a stage took; steps are its parts.
func (c *compile) phase(name string, start time.Time, pl passes.Pipeline, steps []time.Duration) {
	if !c.o.TimePasses.Given {
		return
	}
	c.times = append(c.times, phase{name, 0, time.Since(start)})
	for _, p := range distinct(pl) {
		t := phase{p.Name, 1, 0}
		for k := range pl {
			if pl[k].Pass == p && k < len(steps) {
				t.time += steps[k]
			}
		}
		c.times = append(c.times, t)
	}
}

// distinct returns the passes of pl in order, each once.
func distinct(pl passes.Pipeline) []*passes.Pass {
	var list []*passes.Pass
	for i := range pl {
		if !slices.Contains(list, pl[i].Pass) {
			list = append(list, pl[i].Pass)
		}
	}
	return list
}

const reportRule = "===-------------------------------------------------------------------------===\n"

// title writes the head of a report as LLVM does.
func title(w io.Writer, text string) {
	fmt.Fprintf(w, "%s%*s\n%s", reportRule, (len(reportRule)+len(text))/2, text, reportRule)
}

// writeTimes is --time-passes. Times of passes are summed over functions,
// which are compiled in parallel, so that they may exceed the stage's.
func (c *compile) writeTimes() {
	total := time.Duration(0)
	for _, t := range c.times {
		if t.depth == 0 {
			total += t.time
		}
	}
	percent := func(t time.Duration) float64 { return 100 * float64(t) / float64(max(total, 1)) }
	w := c.log()
	if c.o.TimePasses.Text == "json" {
		type line struct {
			Name    string  `json:"name"`
			Pass    bool    `json:"pass"`
			Wall    float64 `json:"wall"`
			Percent float64 `json:"percent"`
		}
		lines := make([]line, 0, len(c.times)+1)
		for _, t := range c.times {
			lines = append(lines, line{t.name, t.depth > 0, t.time.Seconds(), percent(t.time)})
		}
		writeJSON(w, append(lines, line{"total", false, total.Seconds(), 100}))
		return
	}
	title(w, "... Execution time report ...")
	fmt.Fprintf(w, "  Total Execution Time: %.4f seconds\n\n  ----Wall Time----  ----Name----\n", total.Seconds())
	for _, t := range append(c.times, phase{"Total", 0, total}) {
		fmt.Fprintf(w, "  %8.4f (%5.1f%%)  %s%s\n", t.time.Seconds(), percent(t.time), strings.Repeat("  ", t.depth), t.name)
	}
}

func writeJSON(w io.Writer, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(append(b, '\n'))
}

// writeStats is --stats: what passes counted, steps of one pass together.
func (c *compile) writeStats(pl passes.Pipeline, counts [][]int64) {
	type line struct {
		Pass  string `json:"pass"`
		Name  string `json:"name"`
		Value int64  `json:"value"`
	}
	lines := []line{}
	for _, p := range distinct(pl) {
		for k, name := range p.Stats {
			l := line{p.Name, name, 0}
			for i := range pl {
				if pl[i].Pass == p && i < len(counts) {
					l.Value += counts[i][k]
				}
			}
			lines = append(lines, l)
		}
	}
	w := c.log()
	if c.o.Stats.Text == "json" {
		writeJSON(w, lines)
		return
	}
	title(w, "... Statistics Collected ...")
	width := 0
	for _, l := range lines {
		width = max(width, len(l.Pass))
	}
	for _, l := range lines {
		if l.Value != 0 {
			fmt.Fprintf(w, "%8d %-*s - %s\n", l.Value, width, l.Pass, l.Name)
		}
	}
}
