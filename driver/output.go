package driver

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// outputName decides where the result goes; "-" is stdout.
func (o *Options) outputName() (string, error) {
	if o.Emit == EmitCheck || o.VerifyDiagnostics {
		return "-", nil
	}
	if o.Output != "" {
		return o.Output, nil
	}
	ext, text := "", true
	for i := range emits {
		if emits[i].emit == o.Emit {
			ext, text = emits[i].ext, emits[i].text
		}
	}
	in := o.Files[0]
	if in == "-" || o.Emit == EmitPISA {
		if !text {
			return "", usagef("--emit=%s of stdin needs -o FILE", o.Emit)
		}
		return "-", nil
	}
	base := filepath.Base(in)
	if old := filepath.Ext(base); old == ".pisa" || old == ".pir" {
		base = strings.TrimSuffix(base, old)
	}
	name := base + ext
	for _, f := range o.Files {
		if filepath.Clean(f) == name {
			return "", usagef("the output would overwrite the input %s; name another with -o", f)
		}
	}
	return name, nil
}

// writeOutput writes text to name, whole or not at all: to a temporary file
// beside it, which then takes its place.
func writeOutput(name string, text []byte, stdout io.Writer) error {
	if name == "-" {
		_, err := stdout.Write(text)
		return err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, text, 0o644) // a device or pipe cannot be replaced
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		// Say the name that was asked for, not that of the temporary file.
		var path *os.PathError
		if errors.As(err, &path) {
			path.Path = name
		}
		return err
	}
	_, err = f.Write(text)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
