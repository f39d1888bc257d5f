package driver

import (
	"io"
	"os"

	"pisac/ir"
)

// diagPrinter shows diagnostics as the options say.
type diagPrinter struct {
	w     io.Writer
	json  bool
	color bool
}

func newDiagPrinter(o *Options, w io.Writer) *diagPrinter {
	p := &diagPrinter{w: w, json: o.DiagnosticsFormat == "json"}
	switch o.Color {
	case "always":
		p.color = true
	case "auto":
		p.color = os.Getenv("NO_COLOR") == "" && isTerminal(w)
	}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// all shows list in its order. Where the messages cannot be written there is
// nobody to tell.
func (p *diagPrinter) all(src *ir.Sources, list []ir.Diag) {
	ds := &ir.Diags{List: list}
	if p.json {
		_ = ir.RenderJSON(p.w, src, ds)
		return
	}
	_ = (&ir.Renderer{Sources: src, Color: p.color}).Render(p.w, ds)
}
