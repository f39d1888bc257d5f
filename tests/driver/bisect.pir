// Passes and single rewrites are counted together.
// RUN: pisac --passes=dce,canonicalize --opt-bisect-limit=-1 --emit=ir -o - %s 2>&1 >%t.all | FileCheck %s --check-prefix=ALL
// RUN: pisac --passes=dce,canonicalize --emit=ir -o - %s | diff %t.all -
// RUN: pisac -O0 --emit=ir -o %t.orig %s
// RUN: pisac --passes=dce,canonicalize --opt-bisect-limit=0 --emit=ir -o - %s 2>%t.err | diff %t.orig -
// RUN: FileCheck %s --check-prefix=ZERO --input-file=%t.err
// RUN: pisac --passes=dce,canonicalize --opt-bisect-limit=2 --emit=ir -o - %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not pisac --passes=dce --opt-bisect-limit=x --emit=ir -o - %s 2>&1 | FileCheck %s --check-prefix=BAD
module version 1.0 target 100

// ALL:      BISECT: running pass (1) dce on function (f)
// ALL-NEXT: BISECT: running pass (4) canonicalize on function (f)
// ZERO:      BISECT: NOT running pass (1) dce on function (f)
// ZERO-NEXT: BISECT: NOT running pass (2) canonicalize on function (f)
// TWO:      BISECT: running pass (1) dce
// TWO-NEXT: BISECT: NOT running pass (4) canonicalize
// TWO:      function @f
// TWO-NEXT: ^bb0
// TWO-NEXT: pisa.umul
// TWO-NEXT: builtin.return
// BAD:      opt-bisect-limit
function @f(32b) -> 32b {
^bb0(%x: 32b):
  %a = pisa.umul.32b %x, %x : 32b
  %b = pisa.umul.32b %a, %x : 32b
  builtin.return %x
}
