package driver

import (
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// htmlInput has names that HTML would take amiss, a loop, an edge over several
// rows, a block that loops to itself and one that cannot be reached.
const htmlInput = `module version 1.0 target 100

function @"<b> & 'q'"(32b, 32b) -> 32b {
^bb0(%x: 32b, %y: 32b):
  %k = builtin.const 0x3 : 32b
  %l = builtin.const 0x3 : 32b
  %a = pisa.iadd.32b %x, %k : 32b
  %b = pisa.iadd.32b %x, %l : 32b
  %u = pisa.umul.32b %a, %b : 32b
  %p = pisa.ucmp.lt.32b %u, %y : pred
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  builtin.cond_br %p, ^bb1, ^bb3
^bb2:
  %d = pisa.umul.32b %u, %u : 32b
  builtin.br ^bb4
^bb3:
  builtin.cond_br %p, ^bb0x, ^bb4
^bb0x:
  builtin.br ^bb1
^bb4:
  builtin.return %u
^bb5:
  builtin.br ^bb4
}

function @other(32b) -> 32b {
^bb0(%x: 32b):
  builtin.return %x
}
`

// dumpHTML gives the page of htmlInput.
func dumpHTML(t *testing.T, dir string) string {
	name := filepath.Join(dir, "page.html")
	code, _, stderr := invoke(htmlInput, "--passes=cse,dce", "--emit=ir", "-o", "-", "--dump-html="+name, "-")
	require.Equal(t, exitOK, code, stderr)
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(page)
}

// clicks does what a reader does and writes what the page then shows to a
// text area, as lines "question: answer".
const clicks = `<textarea id="answers"></textarea><script>
const answers = [];
const ask = (q, a) => answers.push(q + ": " + a);
window.onerror = (m) => ask("error", m);
const sec = () => document.querySelector("section.shown");
const mark = (v) => [...sec().querySelectorAll("pre [data-v]")].filter((e) => e.dataset.v === v);
const painted = (v) => mark(v).filter((e) => getComputedStyle(e).backgroundColor !== "rgba(0, 0, 0, 0)").length;
ask("columns", [...sec().querySelectorAll("h2")].map((e) => e.textContent).join());
ask("functions", [...document.querySelectorAll("option")].map((e) => e.textContent).join("|"));
ask("before", painted("%2"));
mark("%2")[0].click();
ask("clicked", painted("%2") + " of " + mark("%2").length + " in " + new Set(mark("%2").map((e) => e.closest(".col"))).size + " columns");
mark("%4")[0].click();
ask("colours", getComputedStyle(mark("%2")[0]).backgroundColor !== getComputedStyle(mark("%4")[0]).backgroundColor);
mark("%2")[0].click();
ask("again", painted("%2"));
mark("^bb1")[0].click();
ask("block", [...sec().querySelectorAll("svg g")].filter((g) => g.dataset.v === "^bb1" && getComputedStyle(g.querySelector("rect")).fill === "rgb(165, 230, 138)").length);
sec().querySelector(".src .l:nth-of-type(5)").click();
ask("line", [...sec().querySelectorAll(".lit")].map((e) => e.textContent.trim()).join("|"));
document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
ask("escaped", sec().querySelectorAll(".lit, .marked").length);
sec().querySelectorAll("h2")[1].click();
ask("folded", sec().querySelectorAll(".body")[1].offsetHeight === 0 && sec().querySelectorAll(".body")[2].offsetHeight > 0);
const svg = sec().querySelectorAll("svg.cfg")[1];
const box = svg.getBoundingClientRect();
const inside = (r) => r.left >= box.left && r.right <= box.right && r.top >= box.top && r.bottom <= box.bottom;
ask("nodes", [...svg.querySelectorAll("g")].map((g) => g.dataset.v).join(" "));
ask("edges", [...svg.querySelectorAll("path.e")].map((p) => p.dataset.from + p.dataset.to).sort().join(" "));
ask("inside", [...svg.querySelectorAll("rect, path.e")].every((e) => inside(e.getBoundingClientRect())));
const rects = [...svg.querySelectorAll("rect")].map((e) => e.getBoundingClientRect());
ask("overlaps", rects.some((a, i) => rects.some((b, k) => i < k && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)));
const y = (v) => svg.querySelector('g[data-v="' + v + '"] rect').getBoundingClientRect().top;
ask("order", y("^bb0") < y("^bb1") && y("^bb1") < y("^bb3") && y("^bb3") < y("^bb5") && y("^bb6") > y("^bb4") && y("^bb4") > y("^bb3"));
const pickBox = document.getElementById("pick");
pickBox.value = "f1";
pickBox.dispatchEvent(new Event("change"));
ask("other", sec().querySelector(".sum:not(.src .sum)") && [...sec().querySelectorAll("h2")].map((e) => e.textContent).join());
document.getElementById("answers").textContent = answers.join("\n");
</script></body>`

var answersArea = regexp.MustCompile(`(?s)<textarea id="answers">(.*?)</textarea>`)

// TestHTMLInBrowser loads the page in headless Chromium and clicks.
func TestHTMLInBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium")
	}
	dir := t.TempDir()
	page := strings.Replace(dumpHTML(t, dir), "</body>", clicks, 1)
	name := filepath.Join(dir, "clicked.html")
	require.NoError(t, os.WriteFile(name, []byte(page), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+name)
	cmd.WaitDelay = 10 * time.Second
	dom, err := cmd.Output()
	require.NoError(t, err)
	m := answersArea.FindSubmatch(dom)
	require.NotNil(t, m, "%s", dom)
	assert.Equal(t, `columns: source,input,cse,dce
functions: @<b> & 'q'|@other
before: 0
clicked: 6 of 6 in 3 columns
colours: true
again: 0
block: 3
line: 7  %a = pisa.iadd.32b %x, %k : 32b|%4 = pisa.iadd.32b %0, %2 : 32b :7|%4 = pisa.iadd.32b %0, %2 : 32b :7|%4 = pisa.iadd.32b %0, %2 : 32b :7
escaped: 0
folded: true
nodes: ^bb0 ^bb1 ^bb2 ^bb3 ^bb5 ^bb4 ^bb6
edges: ^bb0^bb1 ^bb0^bb2 ^bb1^bb1 ^bb1^bb3 ^bb2^bb4 ^bb3^bb4 ^bb3^bb5 ^bb5^bb1 ^bb6^bb4
inside: true
overlaps: false
order: true
other: source,input`, html.UnescapeString(string(m[1])))
}

// TestCFGOfManyBlocks: the drawing takes linear time, whatever the shape.
func TestCFGOfManyBlocks(t *testing.T) {
	const n = 5000
	shapes := map[string]func(i int) []uint32{
		"chain":     func(i int) []uint32 { return []uint32{uint32(i + 1)} },
		"exits":     func(i int) []uint32 { return []uint32{uint32(i + 1), n - 1} },
		"loops":     func(i int) []uint32 { return []uint32{uint32(i + 1), 0} },
		"diamonds":  func(i int) []uint32 { return []uint32{uint32(i + 1), uint32(min(i+2, n-1))} },
		"fan":       func(i int) []uint32 { return []uint32{uint32(min(2*i+1, n-1)), uint32(min(2*i+2, n-1))} },
		"unreached": func(i int) []uint32 { return nil },
	}
	for name, succs := range shapes {
		blocks := make([]stageBlock, n)
		for i := range blocks {
			blocks[i] = stageBlock{id: uint32(i)}
			if i < n-1 {
				blocks[i].succs = succs(i)
			}
		}
		start := time.Now()
		svg := newCFG(blocks).appendSVG(nil)
		assert.Less(t, time.Since(start), 2*time.Second, name)
		assert.Equal(t, n, strings.Count(string(svg), "<rect"), name)
		want := 0
		for i := range blocks {
			want += len(blocks[i].succs)
		}
		assert.Equal(t, want, strings.Count(string(svg), "<path"), name)
	}
}

// TestHTMLEscapes: no name becomes markup.
func TestHTMLEscapes(t *testing.T) {
	page := dumpHTML(t, t.TempDir())
	require.NotContains(t, page, "<b> &")
	require.Contains(t, page, "@&lt;b&gt; &amp; 'q'")
	for in, want := range map[string]string{
		`%"a>b" = x`:    `<b data-v="%&#34;a&gt;b&#34;">%&#34;a&gt;b&#34;</b> = x`,
		`^bb1(%2: 32b)`: `<b data-v="^bb1">^bb1</b>(<b data-v="%2">%2</b>: 32b)`,
		`100% & ^`:      `100% &amp; ^`,
		"\x00\xff":      "\uFFFD\uFFFD",
		`%"not closed`:  `<b data-v="%&#34;not closed">%&#34;not closed</b>`,
	} {
		assert.Equal(t, want, string(appendMarked(nil, in)), fmt.Sprintf("%q", in))
	}
}
