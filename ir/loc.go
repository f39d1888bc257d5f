package ir

import (
	"sort"
	"sync"
)

// Loc is a source location: 1 + a byte offset into the concatenation of all
// files of a Sources. 0 is "unknown". Lines and columns are computed only when
// a diagnostic is shown.
type Loc uint32

// NoLoc is the unknown location.
const NoLoc Loc = 0

// Sources holds the text of every input, for locations and carets.
type Sources struct {
	mu    sync.Mutex
	files []*SourceFile
	next  uint64
}

// SourceFile is one input of a Sources.
type SourceFile struct {
	Name  string
	Text  []byte
	base  Loc
	lines []uint32 // offsets of line starts; built on first use
	once  sync.Once
	first int
}

// MaxSource is the total size in bytes of all inputs of one compile.
const MaxSource = 1<<32 - 1<<16

// Add registers a file and returns it; nil if MaxSource would be exceeded.
func (s *Sources) Add(name string, text []byte) *SourceFile { return s.AddAt(name, text, 1) }

// AddAt is Add for a text that starts at line firstLine of its file
// (--split-input-file).
func (s *Sources) AddAt(name string, text []byte, firstLine int) *SourceFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next+uint64(len(text))+2 > MaxSource {
		return nil
	}
	f := &SourceFile{Name: name, Text: text, base: Loc(s.next + 1), first: firstLine}
	s.next += uint64(len(text)) + 2
	s.files = append(s.files, f)
	return f
}

// Files returns every input in the order added; not to be changed.
func (s *Sources) Files() []*SourceFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files
}

// Loc returns the location of byte offset off in f; off may be len(f.Text).
func (f *SourceFile) Loc(off int) Loc { return f.base + Loc(off) }

// Offset returns the byte offset of l in f.
func (f *SourceFile) Offset(l Loc) int { return int(l - f.base) }

// File returns the file that contains l, or nil.
func (s *Sources) File(l Loc) *SourceFile {
	if s == nil || l == NoLoc {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].base > l })
	if i == 0 {
		return nil
	}
	return s.files[i-1]
}

// Position is a resolved Loc: 1-based line and column (bytes).
type Position struct {
	File string
	Line int
	Col  int
}

// Position resolves l; the zero Position if l is unknown.
func (s *Sources) Position(l Loc) Position {
	f := s.File(l)
	if f == nil {
		return Position{}
	}
	line, col := f.lineCol(f.Offset(l))
	return Position{f.Name, line + f.first, col + 1}
}

// Line returns the text of the line that holds l, without its newline, and
// the 0-based column of l in it.
func (s *Sources) Line(l Loc) (text []byte, col int) {
	f := s.File(l)
	if f == nil {
		return nil, 0
	}
	line, col := f.lineCol(f.Offset(l))
	start, end := int(f.lines[line]), len(f.Text)
	if line+1 < len(f.lines) {
		end = int(f.lines[line+1]) - 1
	}
	if end > start && f.Text[end-1] == '\r' {
		end--
	}
	return f.Text[start:end], min(col, end-start)
}

func (f *SourceFile) lineCol(off int) (line, col int) {
	f.once.Do(func() {
		f.lines = append(f.lines, 0)
		for i, c := range f.Text {
			if c == '\n' {
				f.lines = append(f.lines, uint32(i+1))
			}
		}
	})
	off = min(off, len(f.Text))
	line = sort.Search(len(f.lines), func(i int) bool { return int(f.lines[i]) > off }) - 1
	return line, off - int(f.lines[line])
}
