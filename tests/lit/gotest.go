package lit

import (
	"fmt"
	"os"
	"regexp"
	"sync"
	"testing"
)

// Options choose what Test does.
type Options struct {
	Filter *regexp.Regexp // run only tests whose names match; nil: all
	Update bool           // regenerate the checks of generated tests first
}

// Test runs a suite as parallel subtests of t and prints a summary.
func Test(t *testing.T, c *Config, o Options) {
	names, err := c.Discover()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	count := map[Code]int{}
	ran := 0
	t.Run("lit", func(t *testing.T) {
		for _, name := range names {
			if o.Filter != nil && !o.Filter.MatchString(name) {
				continue
			}
			ran++
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if o.Update {
					if changed, err := c.Update(name); err != nil {
						t.Errorf("update: %v", err)
					} else if changed {
						t.Log("updated")
					}
				}
				r := c.Run(name)
				mu.Lock()
				count[r.Code]++
				mu.Unlock()
				switch {
				case r.Code.Failed():
					t.Errorf("%s: %s\n%s", r.Code, c.file(name), r.Log)
				case r.Code == Unsupported:
					t.Skipf("%s: %s", r.Code, r.Log)
				case r.Code != Pass:
					t.Log(r.Code)
				}
			})
		}
	})
	if ran == 0 {
		t.Errorf("lit: no test matches %v", o.Filter)
	}
	fmt.Fprintln(os.Stdout, Summary(count))
}

// Summary is one line on how many tests came out how.
func Summary(count map[Code]int) string {
	passed, failed := 0, 0
	for code, n := range count {
		switch {
		case code.Failed():
			failed += n
		case code != Unsupported:
			passed += n
		}
	}
	return fmt.Sprintf("lit: %d passed, %d failed, %d unsupported", passed, failed, count[Unsupported])
}
