package driver

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The short way of reading a command line and the long one agree.
func TestPlainArgs(t *testing.T) {
	words := []string{"-O0", "-O3", "--mcpu=gfx942", "--emit=asm", "--emit=obj", "--backend=native", "--backend=nonsense", "-o x.s", "-o -", "a.pisa", "-", "x=y"}
	var lines [][]string
	for i, a := range words {
		lines = append(lines, strings.Fields(a))
		for k, b := range words {
			lines = append(lines, strings.Fields(a+" "+b), strings.Fields(a+" "+b+" "+words[(i+k)%len(words)]))
		}
	}
	for _, args := range append(lines, nil) {
		short, long := plainArgs(args), &Options{}
		err := parseFlags(long, "pisac", description, args, io.Discard, io.Discard)
		if short == nil { // files apart from each other
			require.Error(t, err, "%q", args)
			continue
		}
		require.NoError(t, err, "%q", args)
		require.Equal(t, long, short, "%q", args)
	}
	for _, a := range []string{"--help", "-w", "-O4", "-O", "-o", "-o --emit=asm", "--mcpu gfx942", "-mcpu=gfx942", "--emit=", "--", "--verify-each", "--passes=", ""} {
		args := strings.Split(a, " ")
		require.Nil(t, plainArgs(args), "%q", args)
	}
}
