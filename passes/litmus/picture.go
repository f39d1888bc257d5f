package litmus

import (
	"fmt"
	"html"
	"io"
	"math"
)

// relColours are the colours of relations in pictures.
var relColours = map[string]string{"po": "#444444", "rf": "#c00000", "mo": "#7a3e00", "fr": "#d07000", "sw": "#0050c0", "hb": "#008040", "race": "#ff00ff"}

// place is where an event stands: a column per work-item, initial writes above.
type place struct{ x, y float64 }

const (
	columnWidth = 250.0
	rowHeight   = 84.0
	boxWidth    = 150.0
	boxHeight   = 30.0
	margin      = 40.0
	stagger     = 30.0 // each column a little lower, so that arrows between rows part
	titleHeight = 46.0
)

func (e *Execution) places() (at []place, width, height float64) {
	at = make([]place, len(e.Events))
	nt := len(e.Program.Threads)
	inits := 0
	for i := range e.Events {
		if e.Events[i].Tid < 0 {
			at[i] = place{margin + boxWidth/2 + float64(inits)*columnWidth, titleHeight + boxHeight}
			inits++
		}
	}
	top := titleHeight + boxHeight + rowHeight*1.3
	rows := 0
	for t := range nt {
		row := 0
		for i := range e.Events {
			if int(e.Events[i].Tid) == t && e.Events[i].Kind != EvExit {
				at[i] = place{margin + boxWidth/2 + float64(t)*columnWidth, top + float64(row)*rowHeight + float64(t)*stagger}
				row++
			}
		}
		rows = max(rows, row)
	}
	width = max(float64(nt)*columnWidth, float64(inits)*columnWidth) + 2*margin
	return at, width, top + float64(rows)*rowHeight + float64(nt)*stagger
}

// WriteDOT writes the execution as a graph for Graphviz (neato -n keeps the
// layout).
func (e *Execution) WriteDOT(w io.Writer) {
	at, _, height := e.places()
	id := e.names()
	fmt.Fprintf(w, "digraph %q {\n  node [shape=box, fontname=\"Helvetica\", fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=9];\n", e.Program.Name)
	for t := range e.Program.Threads {
		fmt.Fprintf(w, "  subgraph cluster_%d {\n    label=%q; color=\"#bbbbbb\";\n", t, e.columnTitle(t))
		for i := range e.Events {
			if int(e.Events[i].Tid) == t && e.Events[i].Kind != EvExit {
				fmt.Fprintf(w, "    e%d [label=%q, pos=\"%.0f,%.0f!\"];\n", i, id[i]+": "+e.label(i), at[i].x, height-at[i].y)
			}
		}
		fmt.Fprintln(w, "  }")
	}
	for i := range e.Events {
		if e.Events[i].Tid < 0 {
			fmt.Fprintf(w, "  e%d [label=%q, style=dashed, pos=\"%.0f,%.0f!\"];\n", i, e.label(i), at[i].x, height-at[i].y)
		}
	}
	for _, x := range e.drawn() {
		dir := ""
		if x.rel == "race" {
			dir = ", dir=both, style=bold"
		}
		fmt.Fprintf(w, "  e%d -> e%d [label=%q, color=%q, fontcolor=%q%s];\n", x.from, x.to, x.rel, relColours[x.rel], relColours[x.rel], dir)
	}
	fmt.Fprintln(w, "}")
}

func (e *Execution) columnTitle(t int) string {
	th := &e.Program.Threads[t]
	where := fmt.Sprintf("wg %d, sg %d", th.WG, th.SG)
	if th.Host {
		where = "host"
	}
	return fmt.Sprintf("%s (%s)", th.Name, where)
}

func (e *Execution) drawn() []edge {
	es := e.edges()
	if e.Race != [2]int{} {
		es = append(es, edge{e.Race[0], e.Race[1], "race"})
	}
	return es
}

// WriteSVG draws the execution.
func (e *Execution) WriteSVG(w io.Writer) {
	at, width, height := e.places()
	id := e.names()
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n", width, height)
	fmt.Fprint(w, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs>\n")
	for _, rel := range []string{"po", "rf", "mo", "fr", "sw", "hb", "race"} {
		fmt.Fprintf(w, "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"%s\"/></marker>\n", rel, relColours[rel])
	}
	fmt.Fprintf(w, "</defs>\n<text x=\"%.0f\" y=\"24\" font-size=\"15\" font-weight=\"bold\">%s</text>\n", margin, html.EscapeString(e.Program.Name))
	for t := range e.Program.Threads {
		fmt.Fprintf(w, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" fill=\"#666666\" font-size=\"11\">%s</text>\n",
			margin+boxWidth/2+float64(t)*columnWidth, titleHeight+boxHeight+rowHeight*1.3+float64(t)*stagger-boxHeight/2-6, html.EscapeString(e.columnTitle(t)))
	}
	seen := map[[2]int]int{}
	for _, x := range e.drawn() {
		key := [2]int{min(x.from, x.to), max(x.from, x.to)}
		arrow(w, at[x.from], at[x.to], x.rel, seen[key], e.Events[x.from].Tid == e.Events[x.to].Tid)
		seen[key]++
	}
	for i := range e.Events {
		ev := &e.Events[i]
		if ev.Kind == EvExit {
			continue
		}
		dash := ""
		if ev.Tid < 0 {
			dash = " stroke-dasharray=\"4 3\""
		}
		fmt.Fprintf(w, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.0f\" height=\"%.0f\" rx=\"4\" fill=\"#fafafa\" stroke=\"#333333\"%s/>\n",
			at[i].x-boxWidth/2, at[i].y-boxHeight/2, boxWidth, boxHeight, dash)
		fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s: %s</text>\n", at[i].x, at[i].y+4, id[i], html.EscapeString(e.label(i)))
	}
	fmt.Fprintln(w, "</svg>")
}

// arrow draws a relation as a curve from box edge to box edge; the n-th between
// two events bends further.
func arrow(w io.Writer, a, b place, rel string, n int, same bool) {
	dx, dy := b.x-a.x, b.y-a.y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	bend := 0.0
	switch {
	case same && rel != "po":
		bend = 70 + 22*float64(n)
	case rel != "po":
		bend = 0.09*length + 24*float64(n)
		if rel == "fr" || rel == "hb" { // the other side of rf and sw
			bend = -bend
		}
	}
	nx, ny := -dy/length, dx/length
	mx, my := (a.x+b.x)/2+nx*bend, (a.y+b.y)/2+ny*bend
	p, q := onBox(a, place{mx, my}), onBox(b, place{mx, my})
	start := ""
	if rel == "race" {
		start = " marker-start=\"url(#race)\" stroke-width=\"2.2\""
	}
	fmt.Fprintf(w, "<path d=\"M%.1f,%.1f Q%.1f,%.1f %.1f,%.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" marker-end=\"url(#%s)\"%s/>\n",
		p.x, p.y, mx, my, q.x, q.y, relColours[rel], rel, start)
	lx, ly := (p.x+2*mx+q.x)/4, (p.y+2*my+q.y)/4
	fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" fill=\"%s\" stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">%s</text>\n", lx+3, ly-2, relColours[rel], rel)
}

// onBox is where the line from the centre of a box towards p leaves it.
func onBox(c, p place) place {
	dx, dy := p.x-c.x, p.y-c.y
	if dx == 0 && dy == 0 {
		return c
	}
	s := math.Min((boxWidth/2+1)/math.Max(math.Abs(dx), 1e-9), (boxHeight/2+1)/math.Max(math.Abs(dy), 1e-9))
	return place{c.x + dx*s, c.y + dy*s}
}
