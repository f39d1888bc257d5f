// Command pisac compiles PISA, the portable GPU assembly, to AMD GPU code.
package main

import (
	"os"

	"pisac/driver"
)

func main() { os.Exit(driver.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
