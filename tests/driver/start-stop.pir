// The pipeline in two halves gives what the whole gives.
// RUN: pisac --passes=dce,canonicalize,dce,cse --emit=ir -o %t.whole.pir %s
// RUN: pisac --passes=dce,canonicalize,dce,cse --stop-after=canonicalize -o %t.1.pir %s
// RUN: pisac --passes=dce,canonicalize,dce,cse --start-after=canonicalize --emit=ir -o %t.2.pir %t.1.pir
// RUN: diff %t.whole.pir %t.2.pir
// RUN: pisac --passes=dce,canonicalize,dce,cse --stop-before=dce,2 -o %t.3.pir %s
// RUN: diff %t.1.pir %t.3.pir
// RUN: pisac --passes=dce,canonicalize,dce,cse --start-after=dce --stop-before=cse --print-ir-after-all -o - %s 2>&1 >%t.out | FileCheck %s --check-prefix=MIDDLE
// RUN: pisac --passes=dce,canonicalize,dce,cse --stop-before=dce --print-ir-after-all -o - %s 2>&1 >%t.out | count 0
// RUN: not pisac --passes=dce,cse --start-after=cse --stop-before=cse -o - %s 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not pisac --passes=dce,cse --stop-after=dcee -o - %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not pisac --passes=dce,cse --stop-after=canonicalize -o - %s 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not pisac --passes=dce,cse --start-after=dce,2 -o - %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not pisac --passes=dce,cse --start-after=dce,x -o - %s 2>&1 | FileCheck %s --check-prefix=NUMBER
module version 1.0 target 100

// MIDDLE-NOT: Dump
// MIDDLE: IR Dump After Canonicalize
// MIDDLE: IR Dump After Dce
// MIDDLE-NOT: Dump

// ORDER:      --stop-before:1:1: error: the pipeline would stop before --start-after=cse [PISAC-E010]
// NAME:       --stop-after:1:1: error: 'dcee' is not a pass; did you mean "dce"?
// NAME-NEXT:  {{^}}dcee
// NAME-NEXT:  {{^}}^~~~
// ABSENT:     --stop-after:1:1: error: pass canonicalize is not in the pipeline: dce,cse
// COUNT:      --start-after:1:5: error: the pipeline has dce only 1 times: dce,cse
// COUNT-NEXT: {{^}}dce,2
// COUNT-NEXT: {{^}}    ^
// NUMBER:     --start-after:1:5: error: expected which pass of this name
kernel @k(param %p size 8 align 8 space global) {
^bb0:
  %a = pisa.ld.param.64b %p : 64b
  %x = pisa.ld.global.32b [%a] : 32b
  %c = builtin.const 0x5 : 32b
  %d = pisa.iadd.32b %c, %c : 32b
  %s = pisa.iadd.32b %x, %d : 32b
  %t = pisa.iadd.32b %x, %d : 32b
  %u = pisa.umul.32b %s, %t : 32b
  pisa.st.global.32b [%a], %u
  builtin.return
}
