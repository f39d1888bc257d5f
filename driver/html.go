package driver

import (
	_ "embed"
	"fmt"

	"pisac/ir"
)

// The page's style and script; the page holds them, and needs no network.
var (
	//go:embed html.css
	htmlStyle string
	//go:embed html.js
	htmlScript string
)

// arrowHead ends the edges of every drawing.
const arrowHead = `<svg width="0" height="0" style="position:absolute"><defs><marker id="a" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#667"/></marker></defs></svg>`

// html is --dump-html: in the manner of Go's GOSSAFUNC a row of columns for
// each function, its source and the IR after each pass that changed it.
// A click on a value or block colours it in all columns.
func (d *dumper) html() []byte {
	b := append([]byte("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>pisac</title>\n<style>\n"), htmlStyle...)
	b = append(b, "</style></head><body>\n"+arrowHead+"\n<header><select id=\"pick\" aria-label=\"function\">"...)
	for n, f := range d.order {
		b = fmt.Appendf(b, `<option value="f%d">@`, n)
		b = appendEscaped(b, f.Name)
		b = append(b, "</option>"...)
	}
	b = append(b, "</select> <span class=\"help\">click a value, a block or a source line to colour it, again to stop; Escape clears; click a column's head to fold it</span></header>\n"...)
	for n, f := range d.order {
		s := d.funcs[f]
		b = fmt.Appendf(b, "<section id=\"f%d\">\n", n)
		b = d.source(b, f, s)
		for i := range s.stages {
			b = d.column(b, f, &s.stages[i])
		}
		b = append(b, "</section>\n"...)
	}
	b = append(b, "<script>\n"...)
	b = append(b, htmlScript...)
	return append(b, "</script></body></html>\n"...)
}

// source is the column of source lines that the function was made of.
func (d *dumper) source(b []byte, f *ir.Func, s *dumped) []byte {
	var first, last ir.Position
	var from, to ir.Loc
	for i := range s.stages[0].blocks {
		for _, op := range s.stages[0].blocks[i].ops {
			p := d.c.src.Position(op.loc)
			switch {
			case p.Line == 0 || first.Line != 0 && p.File != first.File:
			case first.Line == 0:
				first, last, from, to = p, p, op.loc, op.loc
			case p.Line < first.Line:
				first, from = p, op.loc
			case p.Line > last.Line:
				last, to = p, op.loc
			}
		}
	}
	if first.Line == 0 {
		return b
	}
	if p := d.c.src.Position(f.Loc); p.Line > 0 && p.Line < first.Line && p.File == first.File && d.c.src.File(f.Loc) == d.c.src.File(from) {
		first, from = p, f.Loc
	}
	b = append(b, "<div class=\"col src\"><h2>source</h2><div class=\"body\"><p class=\"sum\">"...)
	b = appendEscaped(b, first.File)
	b = append(b, "</p><pre>"...)
	file := d.c.src.File(from)
	at, line := file.Offset(from)-(first.Col-1), first.Line
	end := file.Offset(to)
	for at <= end && at <= len(file.Text) {
		stop := at
		for stop < len(file.Text) && file.Text[stop] != '\n' {
			stop++
		}
		b = fmt.Appendf(b, `<span class="l" data-l="%d"><i>%d</i>`, line, line)
		b = appendEscaped(b, string(file.Text[at:stop]))
		b = append(b, "</span>\n"...)
		at, line = stop+1, line+1
	}
	return append(b, "</pre></div></div>\n"...)
}

// column is one stage.
func (d *dumper) column(b []byte, f *ir.Func, s *stage) []byte {
	b = append(b, "<div class=\"col\"><h2"...)
	if s.title != "" {
		b = append(b, ` title="`...)
		b = appendEscaped(b, s.title)
		b = append(b, '"')
	}
	b = append(b, '>')
	b = appendEscaped(b, s.name)
	b = append(b, "</h2><div class=\"body\"><p class=\"sum\">@"...)
	b = appendEscaped(b, f.Name)
	if s.gone {
		return append(b, " was removed</p></div></div>\n"...)
	}
	b = fmt.Appendf(b, ": %d ops, %d blocks</p>", s.ops, len(s.blocks))
	b = append(b, "<details open><summary>control flow</summary>"...)
	b = newCFG(s.blocks).appendSVG(b)
	b = append(b, "</details><pre>"...)
	for i := range s.blocks {
		blk := &s.blocks[i]
		b = append(b, `<span class="blk">`...)
		b = appendMarked(b, blk.label)
		b = append(b, ":</span>\n"...)
		for k := range blk.ops {
			b = d.op(b, &blk.ops[k])
		}
	}
	return append(b, "</pre></div></div>\n"...)
}

func (d *dumper) op(b []byte, op *stageOp) []byte {
	line := d.c.src.Position(op.loc).Line
	b = append(b, `<span class="op`...)
	if op.dead {
		b = append(b, " dead"...)
	}
	if line == 0 {
		b = append(b, `">`...)
	} else {
		b = fmt.Appendf(b, `" data-l="%d">`, line)
	}
	b = append(b, "  "...)
	b = appendMarked(b, op.text)
	if line != 0 {
		b = fmt.Appendf(b, `<i> :%d</i>`, line)
	}
	return append(b, "</span>\n"...)
}
