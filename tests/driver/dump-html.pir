// One page with all functions, a column for the input and for each pass that
// changed the function. driver/html_test.go looks at it in a browser.
// RUN: pisac --passes=canonicalize,cse,dce --emit=ir -o %t.out --dump-html=%t.html %s 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.html
// RUN: pisac --passes=dce --emit=ir -o %t.out --dump-html=%t.2.html --filter-func=g %s
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t.2.html
// RUN: not pisac --passes=dce --emit=ir -o %t.out --dump-html=%t.none/x.html %s 2>&1 | FileCheck %s --check-prefix=BAD
module version 1.0 target 100

// CHECK:     <option value="f0">@f</option><option value="f1">@g</option>
// CHECK:     <section id="f0">
// CHECK:     <h2>source</h2>
// CHECK:     <span class="l" data-l="[[# @LINE + 20]]"><i>
// CHECK:     <h2>input</h2>
// CHECK:     @f: 8 ops, 3 blocks
// CHECK:     <svg class="cfg"
// CHECK-DAG: data-from="^bb0" data-to="^bb1"
// CHECK-DAG: data-from="^bb1" data-to="^bb1"
// CHECK:     <span class="op dead" data-l="{{[0-9]+}}">  <b data-v="%2">%2</b> = pisa.umul.32b <b data-v="%0">%0</b>
// CHECK:     <h2 title="canonicalize">canonicalize</h2>
// CHECK-NOT: <h2 title="cse">
// CHECK:     <h2 title="dce">dce</h2>
// CHECK:     <section id="f1">
// CHECK:     <h2>input</h2>
// CHECK-NOT: <h2 title
// CHECK-NOT: src="
// CHECK-NOT: http
// ONE-NOT:   @f<
// ONE:       <option value="f0">@g</option></select>
// BAD:       error: --dump-html: {{.*}}no such file or directory [PISAC-E011]
function @f(32b) -> 32b {
^bb0(%x: 32b):
  %0 = builtin.const 0x0 : 32b
  %d = pisa.umul.32b %x, %x : 32b
  builtin.br ^bb1(%0, %x)
^bb1(%i: 32b, %dead: 32b):
  %n = pisa.iadd.32b %i, %x : 32b
  %m = pisa.umul.32b %dead, %n : 32b
  %c = pisa.ucmp.lt.32b %n, %x : pred
  builtin.cond_br %c, ^bb1(%n, %m), ^bb2
^bb2:
  builtin.return %n
}

function @g(32b) -> 32b {
^bb0(%x: 32b):
  builtin.return %x
}
