// A pass that breaks the IR is found behind it, one whose output has no text
// by --verify-roundtrip.
// RUN: pisac --passes=canonicalize,dce,cse --verify-roundtrip --emit=ir -o %t.1 %s
// RUN: pisac --passes=canonicalize,dce,cse --verify-roundtrip --verify-each --emit=ir -o %t.2 %s
// RUN: diff %t.1 %t.2
// RUN: not --crash pisac --passes=dce,test-invalid --emit=ir -o - %s 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: not --crash pisac --passes=dce,test-no-op --no-verify --verify-roundtrip --emit=ir -o - %s 2>&1 | FileCheck %s --check-prefix=TRIP
// RUN: not --crash pisac --passes=dce,test-panic,dce --emit=ir -o - %s 2>&1 | FileCheck %s --check-prefix=PANIC
module version 1.0 target 100

// EACH:  pisac: internal error: pass test-invalid on @f: the IR is broken behind it: I
// EACH:  to reproduce:
// EACH:  pisac {{.*}}--passes=dce,test-invalid
// TRIP:  pisac: internal error: pass test-no-op on @f: the printed IR cannot be read back:
// TRIP:  IR:{{[0-9]+}}:{{[0-9]+}}: error:
// PANIC: pisac: internal error: pass test-panic on @f: on purpose
// PANIC: goroutine
var @table const size 8 align 8 = { sym @f }

function @f(32b) -> 32b {
^bb0(%x: 32b):
  %c = builtin.const 0x7 : 32b
  %a = pisa.addrof.64b @table : 64b
  %v = pisa.ld.const.32b [%a] : 32b
  %s = pisa.iadd.32b %x, %c : 32b
  %t = pisa.iadd.32b %s, %v : 32b
  builtin.return %t
}

// What all passes together made is verified in any case; lit turns on
// --verify-each, TestVerifiedWithoutAsking does not.
