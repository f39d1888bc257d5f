package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Kind is the sort of an argument.
type Kind uint8

const (
	Buffer Kind = iota // a pointer to Data
	Scalar             // Data by value
	Shared             // a pointer to Size bytes of shared memory
)

// Arg is one kernel argument.
type Arg struct {
	Kind Kind
	Type Type
	Data []byte
	Size uint64
}

// Expect is what a buffer must hold after the launch.
type Expect struct {
	Arg      int
	Type     Type
	Data     []byte
	Format   Type // of elements, for TolULP, TolAbs and AnyNaN
	Floats   bool // Format is set
	TolULP   uint64
	TolAbs   float64
	RTol     float64
	ATol     float64
	Rel      bool // RTol or ATol is set
	AnyNaN   bool
	Multiset bool
}

// Launch is a launch file.
type Launch struct {
	Kernel string
	Global [3]uint64
	Local  [3]uint64
	Offset [3]uint64
	Dims   int
	Args   []Arg
	Expect []Expect
	Source string // PISA source held in the file; empty if none
}

// The JSON form. Numbers stay text, so that u64 values are exact.
type jsonLaunch struct {
	Name    json.RawMessage `json:"name"`
	Note    json.RawMessage `json:"note"`
	Kernel  string          `json:"kernel"`
	Global  []uint64        `json:"global"`
	Local   []uint64        `json:"local"`
	Offset  []uint64        `json:"offset"`
	WorkDim int             `json:"work_dim"`
	Args    []jsonArg       `json:"args"`
	Expect  []jsonExpect    `json:"expect"`
	PISA    string          `json:"pisa"`
}

type jsonArg struct {
	Kind  string          `json:"kind"`
	Type  string          `json:"type"`
	Data  json.RawMessage `json:"data"`
	Value json.RawMessage `json:"value"`
	File  string          `json:"file"`
	Size  uint64          `json:"size"`
	Name  json.RawMessage `json:"name"`
	Note  json.RawMessage `json:"note"`
}

type jsonExpect struct {
	Arg    int             `json:"arg"`
	Type   string          `json:"type"`
	Data   json.RawMessage `json:"data"`
	Fmt    string          `json:"fmt"`
	TolULP uint64          `json:"tol_ulp"`
	TolAbs float64         `json:"tol_abs"`
	RTol   *float64        `json:"rtol"`
	ATol   *float64        `json:"atol"`
	AnyNaN bool            `json:"anyNaN"`
	NaN    bool            `json:"nan_any_payload"`
	Cmp    string          `json:"cmp"`
	Name   json.RawMessage `json:"name"`
	Note   json.RawMessage `json:"note"`
}

// Parse reads a launch file. Files that it names are relative to dir.
func Parse(text []byte, dir string) (*Launch, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var j jsonLaunch
	if err := d.Decode(&j); err != nil {
		return nil, position(text, d.InputOffset(), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, position(text, d.InputOffset(), fmt.Errorf("text behind the launch"))
	}
	l := &Launch{Kernel: j.Kernel, Dims: j.WorkDim, Source: j.PISA}
	for _, r := range []struct {
		name string
		from []uint64
		to   *[3]uint64
	}{{"global", j.Global, &l.Global}, {"local", j.Local, &l.Local}, {"offset", j.Offset, &l.Offset}} {
		if len(r.from) > 3 {
			return nil, fmt.Errorf("%q has %d dimensions", r.name, len(r.from))
		}
		if r.name != "offset" && slices.Contains(r.from, 0) {
			return nil, fmt.Errorf("%q has no work-item in a dimension", r.name)
		}
		copy(r.to[:], r.from)
	}
	if j.WorkDim < 0 || j.WorkDim > 3 {
		return nil, fmt.Errorf("\"work_dim\" is %d", j.WorkDim)
	}
	for i := range j.Args {
		a, err := j.Args[i].arg(dir)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		l.Args = append(l.Args, a)
	}
	for i := range j.Expect {
		e, err := j.Expect[i].expect(l.Args)
		if err != nil {
			return nil, fmt.Errorf("expectation %d: %w", i, err)
		}
		l.Expect = append(l.Expect, e)
	}
	return l, nil
}

// position adds line and column to a JSON error.
func position(text []byte, off int64, err error) error {
	switch e := err.(type) {
	case *json.SyntaxError:
		off = e.Offset
	case *json.UnmarshalTypeError:
		off = e.Offset
		if e.Field == "" {
			err = fmt.Errorf("a launch is an object, not %s", e.Value)
		} else {
			err = fmt.Errorf("%q cannot be %s", e.Field, e.Value)
		}
	}
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		off, err = int64(len(text)), errors.New("the text ends within the launch")
	}
	off = min(off, int64(len(text)))
	line := 1 + bytes.Count(text[:off], []byte{'\n'})
	col := off - int64(bytes.LastIndexByte(text[:off], '\n'))
	return fmt.Errorf("%d:%d: %w", line, col, err)
}

func (j *jsonArg) arg(dir string) (Arg, error) {
	if j.Kind == "shared" {
		return Arg{Kind: Shared, Size: j.Size}, nil
	}
	t, ok := TypeNamed(j.Type)
	if !ok {
		return Arg{}, fmt.Errorf("unknown type %q", j.Type)
	}
	a := Arg{Type: t}
	var err error
	switch j.Kind {
	case "buf":
		switch {
		case j.File != "":
			a.Data, err = os.ReadFile(filepath.Join(dir, j.File))
		case j.Data == nil:
			return a, fmt.Errorf("a buffer needs \"data\"")
		default:
			a.Data, err = t.list(j.Data)
		}
	case "scalar":
		a.Kind = Scalar
		switch {
		case j.Data != nil: // a structure passed by value
			a.Data, err = t.list(j.Data)
		case j.Value == nil:
			return a, fmt.Errorf("a scalar needs \"value\"")
		default:
			var v uint64
			v, err = t.element(j.Value)
			a.Data = t.Append(nil, v)
		}
	default:
		return a, fmt.Errorf("unknown kind %q", j.Kind)
	}
	return a, err
}

// list converts a JSON array of elements.
func (t Type) list(raw json.RawMessage) ([]byte, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, err
	}
	data := make([]byte, 0, len(items)*t.Size)
	for i, it := range items {
		v, err := t.element(it)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		data = t.Append(data, v)
	}
	return data, nil
}

// element converts a JSON number, or a string that Parse understands.
func (t Type) element(raw json.RawMessage) (uint64, error) {
	s := string(raw)
	if strings.HasPrefix(s, `"`) {
		if err := json.Unmarshal(raw, &s); err != nil {
			return 0, err
		}
	}
	return t.Parse(s)
}

func (j *jsonExpect) expect(args []Arg) (Expect, error) {
	t, ok := TypeNamed(j.Type)
	if !ok {
		return Expect{}, fmt.Errorf("unknown type %q", j.Type)
	}
	e := Expect{Arg: j.Arg, Type: t, TolULP: j.TolULP, TolAbs: j.TolAbs, AnyNaN: j.AnyNaN || j.NaN}
	if j.Arg < 0 || j.Arg >= len(args) || args[j.Arg].Kind != Buffer {
		return e, fmt.Errorf("argument %d is no buffer", j.Arg)
	}
	switch j.Cmp {
	case "", "bits":
	case "multiset":
		e.Multiset = true
	default:
		return e, fmt.Errorf("unknown \"cmp\" %q", j.Cmp)
	}
	if j.RTol != nil {
		e.RTol, e.Rel = *j.RTol, true
	}
	if j.ATol != nil {
		e.ATol, e.Rel = *j.ATol, true
	}
	switch {
	case j.Fmt != "":
		if e.Format, ok = TypeNamed(j.Fmt); !ok || !e.Format.Float || e.Format.Size != t.Size {
			return e, fmt.Errorf("\"fmt\" %q does not fit %s", j.Fmt, t.Name)
		}
		e.Floats = true
	case t.Float:
		e.Format, e.Floats = t, true
	case e.AnyNaN:
		// Bits whose format is not named: the IEEE format of their width.
		if e.Format, e.Floats = map[int]Type{2: types[8], 4: types[10], 8: types[11]}[t.Size], t.Size > 1; !e.Floats {
			return e, fmt.Errorf("%s has no NaN", t.Name)
		}
	}
	if !e.Floats && (e.TolULP != 0 || e.TolAbs != 0 || e.Rel) {
		return e, fmt.Errorf("a tolerance needs a float type or \"fmt\"")
	}
	var err error
	if e.Data, err = t.list(j.Data); err != nil {
		return e, err
	}
	if n := len(args[j.Arg].Data); len(e.Data) > n || len(e.Data) == 0 && n > 0 {
		return e, fmt.Errorf("it has %d bytes, argument %d %d", len(e.Data), j.Arg, n)
	}
	return e, nil
}

// ParseArg reads an --arg specification: TYPE:VALUE, hexN:BITS,
// buf:TYPE:LIST, buf:file:PATH, buf:TYPE:file:PATH or shared:BYTES. A list
// item N*V stands for N times V.
func ParseArg(spec string) (Arg, error) {
	kind, rest, ok := strings.Cut(spec, ":")
	if !ok {
		return Arg{}, fmt.Errorf("argument %q is not TYPE:VALUE or buf:TYPE:LIST", spec)
	}
	switch kind {
	case "buf":
		return parseBuffer(rest)
	case "shared":
		n, err := strconv.ParseUint(rest, 0, 31)
		if err != nil {
			return Arg{}, fmt.Errorf("argument %q: not a number of bytes", spec)
		}
		return Arg{Kind: Shared, Size: n}, nil
	}
	if bits, ok := strings.CutPrefix(kind, "hex"); ok {
		if t, ok := TypeNamed("u" + bits); ok {
			if !strings.HasPrefix(strings.ToLower(rest), "0x") {
				rest = "0x" + rest
			}
			v, err := t.Parse(rest)
			return Arg{Kind: Scalar, Type: t, Data: t.Append(nil, v)}, err
		}
	}
	t, ok := TypeNamed(kind)
	if !ok {
		return Arg{}, fmt.Errorf("argument %q: unknown type %q", spec, kind)
	}
	v, err := t.Parse(rest)
	return Arg{Kind: Scalar, Type: t, Data: t.Append(nil, v)}, err
}

// maxBuffer bounds what a short specification can ask for.
const maxBuffer = 1 << 32

func parseBuffer(spec string) (Arg, error) {
	name, rest, _ := strings.Cut(spec, ":")
	if name == "file" {
		data, err := os.ReadFile(rest)
		t, _ := TypeNamed("u8")
		if len(data)%4 == 0 {
			t, _ = TypeNamed("u32")
		}
		return Arg{Kind: Buffer, Type: t, Data: data}, err
	}
	t, ok := TypeNamed(name)
	if !ok {
		return Arg{}, fmt.Errorf("buffer %q: unknown type %q", spec, name)
	}
	if path, ok := strings.CutPrefix(rest, "file:"); ok {
		data, err := os.ReadFile(path)
		return Arg{Kind: Buffer, Type: t, Data: data}, err
	}
	a := Arg{Kind: Buffer, Type: t, Data: []byte{}}
	if rest == "" {
		return a, nil
	}
	for item := range strings.SplitSeq(rest, ",") {
		n := uint64(1)
		if times, v, ok := strings.Cut(item, "*"); ok {
			var err error
			if n, err = strconv.ParseUint(strings.TrimSpace(times), 0, 40); err != nil {
				return a, fmt.Errorf("buffer item %q: %q is not a count", item, times)
			}
			item = v
		}
		v, err := t.Parse(item)
		if err != nil {
			return a, err
		}
		if uint64(len(a.Data))+n*uint64(t.Size) > maxBuffer {
			return a, fmt.Errorf("the buffer is larger than %d bytes", uint64(maxBuffer))
		}
		one := t.Append(nil, v)
		a.Data = append(a.Data, bytes.Repeat(one, int(n))...)
	}
	return a, nil
}
