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

// appendSVG draws the graph.
func (g *cfg) appendSVG(b []byte) []byte {
	left, right := 0, 0
	width := 0
	for i := range g.blocks {
		width = max(width, g.x[i]+nodeW)
	}
	var edges []byte
	type span struct{ from, to, k int }
	var ups, downs []span
	for i := range g.blocks {
		for k := range g.blocks[i].succs {
			s := g.succ(i, k)
			switch {
			case s == i:
			case g.back(i, s):
				ups = append(ups, span{i, s, k})
			case g.row[s] > g.row[i]+1:
				downs = append(downs, span{i, s, k})
			}
		}
	}
	if len(ups) > 0 {
		left = (min(len(ups), maxLanes) + 1) * laneW
	}
	if len(downs) > 0 {
		right = (min(len(downs), maxLanes) + 1) * laneW
	}
	offset := margin + gapX + left
	at := func(i int) (x, y int) { return offset + g.x[i], margin + g.row[i]*(nodeH+gapY) }
	path := func(e span, format string, args ...any) {
		class := "e"
		if n := len(g.blocks[e.from].succs); n == 2 {
			class = [2]string{"e yes", "e no"}[e.k]
		}
		edges = fmt.Appendf(edges, `<path class="%s" data-from="^bb%d" data-to="^bb%d" marker-end="url(#a)" d="`, class, g.blocks[e.from].id, g.blocks[e.to].id)
		edges = fmt.Appendf(edges, format, args...)
		edges = append(edges, `"/>`...)
	}
	// Where an edge leaves its block: the first of two to the left.
	out := func(e span) int {
		x, _ := at(e.from)
		n := len(g.blocks[e.from].succs)
		return x + nodeW*(e.k+1)/(n+1)
	}
	for i := range g.blocks {
		for k := range g.blocks[i].succs {
			s := g.succ(i, k)
			e := span{i, s, k}
			if s == i { // a loop of one block, beside it
				x, y := at(i)
				path(e, "M%d %dC%d %d %d %d %d %d", x, y+nodeH-5, x-gapX, y+nodeH-5, x-gapX, y+5, x-2, y+5)
				continue
			}
			if g.back(i, s) || g.row[s] > g.row[i]+1 {
				continue
			}
			x1 := out(e)
			_, y1 := at(i)
			x2, y2 := at(s)
			x2 += nodeW / 2
			path(e, "M%d %dC%d %d %d %d %d %d", x1, y1+nodeH, x1, y1+nodeH+gapY/2, x2, y2-gapY/2, x2, y2-3)
		}
	}
	for n, e := range ups {
		lane := offset - gapX/2 - (min(n, maxLanes-1)+1)*laneW
		x1, y1 := at(e.from)
		x2, y2 := at(e.to)
		path(e, "M%d %dC%d %d %d %d %d %dL%d %dC%d %d %d %d %d %d", x1, y1+nodeH-6, lane, y1+nodeH-6, lane, y1+nodeH-6, lane, y1,
			lane, y2+nodeH, lane, y2+6, lane, y2+6, x2-3, y2+6)
	}
	for n, e := range downs {
		lane := offset + width + (min(n, maxLanes-1)+1)*laneW
		x1, y1 := at(e.from)
		x2, y2 := at(e.to)
		path(e, "M%d %dC%d %d %d %d %d %dL%d %dC%d %d %d %d %d %d", x1+nodeW, y1+nodeH-6, lane, y1+nodeH-6, lane, y1+nodeH-6, lane, y1+nodeH+6,
			lane, y2-4, lane, y2+8, lane, y2+8, x2+nodeW+3, y2+8)
	}
	w, h := offset+width+right+margin, 2*margin+len(g.rows)*(nodeH+gapY)-gapY
	b = fmt.Appendf(b, `<svg class="cfg" width="%d" height="%d" viewBox="0 0 %d %d">`, w, h, w, h)
	b = append(b, edges...)
	for i := range g.blocks {
		x, y := at(i)
		id := g.blocks[i].id
		b = fmt.Appendf(b, `<g data-v="^bb%d"><rect x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d">bb%d <tspan class="n">%d</tspan></text></g>`,
			id, x, y, nodeW, nodeH, x+nodeW/2, y+nodeH-8, id, len(g.blocks[i].ops))
	}
	return append(b, "</svg>"...)
}
