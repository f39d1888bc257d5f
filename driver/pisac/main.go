// Command pisac compiles PISA, the portable GPU assembly, to AMD GPU code.
package main

import (
	"os"
	"runtime/debug"

	"pisac/driver"
)

func main() {
	debug.SetGCPercent(400) // a compile is short, and all it allocates lives to its end
	os.Exit(driver.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
