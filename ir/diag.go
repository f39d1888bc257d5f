package ir

import "sort"

// Severity of a Diag.
type Severity uint8

const (
	Error Severity = iota
	Warning
	Remark
	Note
)

var severityNames = [...]string{"error", "warning", "remark", "note"}

func (s Severity) String() string { return severityNames[s] }

// Diag is one message about the user's input.
type Diag struct {
	Severity Severity
	Code     string // "PISA-E012"; stable, explained by `pisac explain`
	Loc, End Loc    // caret range [Loc, End); End may be 0
	Text     string // lower case, no full stop
	Notes    []DiagNote
}

// DiagNote is attached to a Diag; Loc may be NoLoc.
type DiagNote struct {
	Loc, End Loc
	Text     string
}

// Diags collects messages. Not safe for concurrent use: parallel work collects
// into its own and appends in function order.
type Diags struct {
	List   []Diag
	Limit  int // errors kept; 0 is DefaultErrorLimit
	errors int
}

// DefaultErrorLimit is how many errors are kept of one run; one more says that
// there were more.
const DefaultErrorLimit = 1000

// Add appends d.
func (ds *Diags) Add(d Diag) {
	if d.Severity == Error {
		ds.errors++
		limit := ds.Limit
		if limit == 0 {
			limit = DefaultErrorLimit
		}
		if ds.errors == limit+1 {
			ds.List = append(ds.List, Diag{Severity: Error, Code: "PISA-E000", Loc: d.Loc, Text: "too many errors; the rest is not shown"})
		}
		if ds.errors > limit {
			return
		}
	}
	ds.List = append(ds.List, d)
}

// Error adds an error and returns it for notes to be attached.
func (ds *Diags) Error(loc, end Loc, code, text string, notes ...DiagNote) {
	ds.Add(Diag{Severity: Error, Code: code, Loc: loc, End: end, Text: text, Notes: notes})
}

// Warn adds a warning.
func (ds *Diags) Warn(loc, end Loc, code, text string, notes ...DiagNote) {
	ds.Add(Diag{Severity: Warning, Code: code, Loc: loc, End: end, Text: text, Notes: notes})
}

// full reports that further errors will not be kept.
func (ds *Diags) full() bool {
	limit := ds.Limit
	if limit == 0 {
		limit = DefaultErrorLimit
	}
	return ds.errors > limit
}

// HasErrors reports whether any error was added.
func (ds *Diags) HasErrors() bool { return ds.errors > 0 }

// Errors returns the number of errors added, those beyond the limit included.
func (ds *Diags) Errors() int { return ds.errors }

// Append moves the messages of other to the end of ds.
func (ds *Diags) Append(other *Diags) {
	for _, d := range other.List {
		ds.Add(d)
	}
}

// Sort orders messages by location, keeping the order of equals.
func (ds *Diags) Sort() {
	sort.SliceStable(ds.List, func(i, j int) bool { return ds.List[i].Loc < ds.List[j].Loc })
}
