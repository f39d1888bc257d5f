package passes

import (
	"fmt"
	"io"
)

// bisect counts passes and rewrites for --opt-bisect-limit. Functions are then
// compiled one after another, so that numbers are the same in each run.
type bisect struct {
	limit int // -1: none, only print
	n     int
	log   io.Writer
}

// pass counts a pass about to run and reports whether it may.
func (b *bisect) pass(name, fn string) bool {
	ok := b.may()
	verb := "running"
	if !ok {
		verb = "NOT running"
	}
	if fn != "" {
		fn = " on function (" + fn + ")"
	}
	fmt.Fprintf(b.log, "BISECT: %s pass (%d) %s%s\n", verb, b.n, name, fn)
	return ok
}

func (b *bisect) may() bool {
	b.n++
	return b.limit < 0 || b.n <= b.limit
}
