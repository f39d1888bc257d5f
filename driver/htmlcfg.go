package driver

import (
	"fmt"
	"slices"
)

// cfg is a drawing of a stage's control flow: blocks in rows by their longest
// way from the entry, edges back drawn along the left, and those over many
// rows along the right.
type cfg struct {
	blocks  []stageBlock
	index   map[uint32]int // block id → index
	order   []int          // reverse post-order
	pos     []int          // place in order
	reached int            // blocks of order that can be reached
	row     []int
	x       []int
	rows    [][]int
}

// Measures in pixels.
const (
	nodeW, nodeH = 62, 24
	gapX, gapY   = 14, 30
	laneW        = 7
	margin       = 8
	maxLanes     = 12 // further edges share the last
)

func newCFG(blocks []stageBlock) *cfg {
	g := &cfg{blocks: blocks, index: make(map[uint32]int, len(blocks))}
	for i := range blocks {
		g.index[blocks[i].id] = i
	}
	g.walk()
	g.rank()
	g.arrange()
	return g
}

func (g *cfg) succ(i, k int) int { return g.index[g.blocks[i].succs[k]] }

// walk orders blocks in reverse post-order; those that cannot be reached
// follow in the order of the text.
func (g *cfg) walk() {
	seen := make([]bool, len(g.blocks))
	next := make([]int, len(g.blocks))
	var post, stack []int
	for root := range g.blocks {
		if seen[root] {
			continue
		}
		var part []int
		seen[root] = true
		stack = append(stack[:0], root)
		for len(stack) > 0 {
			b := stack[len(stack)-1]
			if k := next[b]; k < len(g.blocks[b].succs) {
				next[b]++
				if s := g.succ(b, k); !seen[s] {
					seen[s] = true
					stack = append(stack, s)
				}
				continue
			}
			part = append(part, b)
			stack = stack[:len(stack)-1]
		}
		slices.Reverse(part)
		post = append(post, part...)
		if root == 0 {
			g.reached = len(post)
		}
	}
	g.order = post
	g.pos = make([]int, len(g.blocks))
	for p, b := range g.order {
		g.pos[b] = p
	}
}

// back reports an edge that goes up, or to its own block.
func (g *cfg) back(from, to int) bool { return g.pos[to] <= g.pos[from] }

func (g *cfg) rank() {
	g.row = make([]int, len(g.blocks))
	last := 0
	for p, b := range g.order {
		if p >= g.reached && g.row[b] == 0 {
			g.row[b] = last + 1 // cannot be reached: below all that can
		}
		for k := range g.blocks[b].succs {
			if s := g.succ(b, k); !g.back(b, s) {
				g.row[s] = max(g.row[s], g.row[b]+1)
			}
		}
		last = max(last, g.row[b])
	}
	g.rows = make([][]int, last+1)
	for _, b := range g.order {
		g.rows[g.row[b]] = append(g.rows[g.row[b]], b)
	}
}

// arrange puts each block below the middle of those that lead to it.
func (g *cfg) arrange() {
	g.x = make([]int, len(g.blocks))
	sum, n := make([]int, len(g.blocks)), make([]int, len(g.blocks))
	width := 0
	for _, row := range g.rows {
		width = max(width, len(row)*(nodeW+gapX)-gapX)
	}
	for _, row := range g.rows {
		want := func(b int) int {
			if n[b] == 0 {
				return width / 2
			}
			return sum[b] / n[b]
		}
		slices.SortStableFunc(row, func(a, b int) int { return want(a) - want(b) })
		total := len(row)*(nodeW+gapX) - gapX
		x := (width - total) / 2
		if len(row) == 1 && n[row[0]] > 0 {
			x = min(max(want(row[0])-nodeW/2, 0), width-nodeW)
		}
		for _, b := range row {
			g.x[b] = x
			x += nodeW + gapX
			for k := range g.blocks[b].succs {
				if s := g.succ(b, k); !g.back(b, s) {
					// The first of two successors to the left, the second to the right.
					sum[s] += g.x[b] + nodeW/2 + (2*k-len(g.blocks[b].succs)+1)*(nodeW+gapX)/2
					n[s]++
				}
			}
		}
	}
}

// span is an edge: successor k of block from.
type span struct{ from, to, k int }

// drawing is the graph with its coordinates.
type drawing struct {
	*cfg
	offset, width int    // of the blocks, from the left
	edges         []byte // SVG paths
}

// appendSVG draws the graph.
func (g *cfg) appendSVG(b []byte) []byte {
	d := drawing{cfg: g}
	for _, x := range g.x {
		d.width = max(d.width, x+nodeW)
	}
	var near, ups, downs []span
	for i := range g.blocks {
		for k := range g.blocks[i].succs {
			e := span{i, g.succ(i, k), k}
			switch {
			case e.from != e.to && g.back(e.from, e.to):
				ups = append(ups, e)
			case g.row[e.to] > g.row[e.from]+1:
				downs = append(downs, e)
			default:
				near = append(near, e)
			}
		}
	}
	d.offset = margin + gapX + lanes(ups)
	for _, e := range near {
		d.near(e)
	}
	for n, e := range ups {
		d.up(e, d.offset-gapX/2-(min(n, maxLanes-1)+1)*laneW)
	}
	for n, e := range downs {
		d.down(e, d.offset+d.width+(min(n, maxLanes-1)+1)*laneW)
	}
	w, h := d.offset+d.width+lanes(downs)+margin, 2*margin+len(g.rows)*(nodeH+gapY)-gapY
	b = fmt.Appendf(b, `<svg class="cfg" width="%d" height="%d" viewBox="0 0 %d %d">`, w, h, w, h)
	b = append(b, d.edges...)
	for i := range g.blocks {
		x, y := d.at(i)
		id := g.blocks[i].id
		b = fmt.Appendf(b, `<g data-v="^bb%d"><rect x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d">bb%d <tspan class="n">%d</tspan></text></g>`,
			id, x, y, nodeW, nodeH, x+nodeW/2, y+nodeH-8, id, len(g.blocks[i].ops))
	}
	return append(b, "</svg>"...)
}

// lanes is the width of the lanes for edges.
func lanes(edges []span) int {
	if len(edges) == 0 {
		return 0
	}
	return (min(len(edges), maxLanes) + 1) * laneW
}

// at is the upper left corner of block i.
func (d *drawing) at(i int) (x, y int) {
	return d.offset + d.x[i], margin + d.row[i]*(nodeH+gapY)
}

// path draws an edge; format makes the path's commands.
func (d *drawing) path(e span, format string, args ...any) {
	class := "e"
	if len(d.blocks[e.from].succs) == 2 {
		class = [2]string{"e yes", "e no"}[e.k]
	}
	d.edges = fmt.Appendf(d.edges, `<path class="%s" data-from="^bb%d" data-to="^bb%d" marker-end="url(#a)" d="`, class, d.blocks[e.from].id, d.blocks[e.to].id)
	d.edges = fmt.Appendf(d.edges, format, args...)
	d.edges = append(d.edges, `"/>`...)
}

// near draws an edge to the next row, or of a block to itself beside it. The
// first of two edges leaves the block on the left.
func (d *drawing) near(e span) {
	x1, y1 := d.at(e.from)
	if e.from == e.to {
		d.path(e, "M%d %dC%d %d %d %d %d %d", x1, y1+nodeH-5, x1-gapX, y1+nodeH-5, x1-gapX, y1+5, x1-2, y1+5)
		return
	}
	x1 += nodeW * (e.k + 1) / (len(d.blocks[e.from].succs) + 1)
	x2, y2 := d.at(e.to)
	x2 += nodeW / 2
	d.path(e, "M%d %dC%d %d %d %d %d %d", x1, y1+nodeH, x1, y1+nodeH+gapY/2, x2, y2-gapY/2, x2, y2-3)
}

// up draws an edge back, along x = lane.
func (d *drawing) up(e span, lane int) {
	x1, y1 := d.at(e.from)
	x2, y2 := d.at(e.to)
	d.path(e, "M%d %dC%d %d %d %d %d %dL%d %dC%d %d %d %d %d %d", x1, y1+nodeH-6, lane, y1+nodeH-6, lane, y1+nodeH-6, lane, y1,
		lane, y2+nodeH, lane, y2+6, lane, y2+6, x2-3, y2+6)
}

// down draws an edge over several rows, along x = lane.
func (d *drawing) down(e span, lane int) {
	x1, y1 := d.at(e.from)
	x2, y2 := d.at(e.to)
	d.path(e, "M%d %dC%d %d %d %d %d %dL%d %dC%d %d %d %d %d %d", x1+nodeW, y1+nodeH-6, lane, y1+nodeH-6, lane, y1+nodeH-6, lane, y1+nodeH+6,
		lane, y2-4, lane, y2+8, lane, y2+8, x2+nodeW+3, y2+8)
}
