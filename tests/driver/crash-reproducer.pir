// The file holds the module as the failing pass was given it, and the flags;
// pisac FILE shows the fault again.
// RUN: not --crash pisac --passes=dce,canonicalize,test-panic,dce --mcpu=gfx942 --emit=llvm -o - --crash-reproducer=%t.pir %s 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.pir
// RUN: not --crash pisac %t.pir 2>&1 | FileCheck %s --check-prefix=AGAIN
// The command line comes before the file.
// RUN: pisac %t.pir --passes=dce --emit=ir -o - | FileCheck %s --check-prefix=OTHER

// A reproducer of a pass that broke the IR, one that fails only with options.
// RUN: not --crash pisac --passes=dce,test-invalid --crash-reproducer=%t.2.pir %s
// RUN: not --crash pisac %t.2.pir 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: not --crash pisac --passes="test-no-op,simplifycfg{arms=4}" --no-verify --verify-roundtrip --crash-reproducer=%t.3.pir %s
// RUN: not --crash pisac %t.3.pir 2>&1 | FileCheck %s --check-prefix=TRIP

// Nothing is left when all went well.
// RUN: pisac --passes=dce --emit=ir -o - --crash-reproducer=%t.pir %s
// RUN: not cat %t.pir

// A file cannot set just anything.
// RUN: echo "// pisac reproducer: --passes=dce -o x" > %t.4.pir
// RUN: not pisac %t.4.pir 2>&1 | FileCheck %s --check-prefix=EVIL
// RUN: not pisac --crash-reproducer=%s %s 2>&1 | FileCheck %s --check-prefix=SELF
module version 1.0 target 100

// FIRST: pisac: internal error: pass test-panic on @f: on purpose
// FIRST: pisac: the module is in [[PIR:.*]]: pisac [[PIR]] shows it again
// FILE:      {{^}}// pisac reproducer: --passes=test-panic -O2 --emit=check --mcpu=gfx942 {{.*}}--verify-each{{$}}
// FILE-NEXT: {{^}}// pass test-panic on @f: on purpose
// FILE-NEXT: module version 1.0 target 100
// FILE-NOT:  pisa.umul
// FILE-NOT:  pisa.iadd
// FILE:      builtin.return %{{[0-9]+}}
// AGAIN:     pisac: internal error: pass test-panic on @f: on purpose
// OTHER:     function @f
// INVALID:   pass test-invalid on @f: the IR is broken behind it
// TRIP:      pass test-no-op on @f: the printed IR cannot be read back
// EVIL:      4.pir:1: a reproducer cannot set -o
// SELF:      --crash-reproducer={{.*}} would overwrite the input
function @f(32b) -> 32b {
^bb0(%x: 32b):
  %z = builtin.const 0x0 : 32b
  %s = builtin.const 0x7 : 32b
  %a = pisa.umul.32b %x, %x : 32b
  %b = pisa.iadd.32b %x, %z : 32b
  %c = pisa.and.32b %b, %s : 32b
  builtin.return %c
}
