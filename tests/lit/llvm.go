package lit

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// LLVMFeature is what a test must require to use LLVM's programs.
const LLVMFeature = "llvm-19"

// minLLVM is the release that the feature stands for; a later one will do.
const minLLVM = 19

// llvmDir is where Debian puts LLVM 19.
const llvmDir = "/usr/lib/llvm-19/bin"

// llvmTools are the programs that tests may use. All must be there.
var llvmTools = []string{"llc", "opt", "llvm-mc", "ld.lld", "llvm-readelf", "llvm-objdump", "llvm-as"}

// LLVM finds LLVM's programs, in Debian's place or in PATH. It returns nil
// unless all are there and recent enough.
func LLVM() map[string]Tool {
	tools := map[string]Tool{}
	for _, name := range llvmTools {
		path := findLLVM(name)
		if path == "" {
			return nil
		}
		tools[name] = Tool{Path: path, Feature: LLVMFeature}
	}
	return tools
}

func findLLVM(name string) string {
	for _, candidate := range []string{filepath.Join(llvmDir, name), name + "-" + strconv.Itoa(minLLVM), name} {
		path, err := exec.LookPath(candidate)
		if err == nil && llvmRelease(path) >= minLLVM {
			return path
		}
	}
	return ""
}

// releasePattern finds the release in what --version prints, "LLVM version 19.1.7"
// or "LLD 19.1.7".
var releasePattern = regexp.MustCompile(`(?:LLVM version|LLD) (\d+)\.`)

func llvmRelease(path string) int {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	if err != nil {
		return 0
	}
	m := releasePattern.FindSubmatch(out)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}
