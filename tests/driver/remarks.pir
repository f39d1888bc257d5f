// Remarks are diagnostics, or YAML as LLVM's tools read it.
// RUN: pisac --passes=sroa --emit=ir -o %t.out --remarks %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: pisac --passes=sroa --emit=ir -o %t.out --remarks=^s --diagnostics-format=json %s 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: pisac --passes=sroa --emit=check --remarks --verify-diagnostics %s
// RUN: pisac -w --passes=sroa --emit=ir -o %t.out --remarks %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: pisac --passes=sroa --emit=ir -o %t.out --remarks-output=%t.yaml %s 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: pisac --passes=sroa --emit=ir -o %t.out --remarks=dce %s 2>&1 | count 0
// RUN: pisac --passes=sroa --emit=ir -o %t.out %s 2>&1 | count 0
// RUN: not pisac --passes=sroa --emit=ir -o %t.out --remarks='sroa|*' %s 2>&1 | FileCheck %s --check-prefix=BAD
module version 1.0 target 100

// TEXT:      remarks.pir:[[# @LINE + 19]]:7: remark: private variable @v of 4 bytes became values (in @f) [sroa:Promoted]
// TEXT-NEXT: var @v private
// TEXT:      remark: missed: private variable @w stays in memory: {{.*}} (in @f) [sroa:NotPromoted]
// JSON:      "severity":"remark","code":"sroa:Promoted","text":"private variable @v of 4 bytes became values (in @f)"
// YAML:      --- !Passed
// YAML-NEXT: Pass: sroa
// YAML-NEXT: Name: Promoted
// YAML-NEXT: DebugLoc: { File: '{{.*}}remarks.pir', Line: [[# @LINE + 12]], Column: 7 }
// YAML-NEXT: Function: 'f'
// YAML-NEXT: Args:
// YAML-NEXT: - String: 'private variable @v of 4 bytes became values'
// YAML-NEXT: ...
// YAML:      --- !Missed
// YAML-NEXT: Pass: sroa
// YAML-NEXT: Name: NotPromoted
// BAD:       --remarks:1:6: error: bad regular expression: missing argument to repetition operator [PISAC-E010]
// BAD-NEXT:  {{^}}sroa|*
// BAD-NEXT:  {{^}}     ^
function @f(32b) -> 32b {
  var @v private size 4 align 4 // expected-remark {{private variable @v of 4 bytes became values}}
  var @w private size 4 align 4
^bb0(%x: 32b):
  %v = pisa.addrof.32b @v : 32b
  pisa.st.private.32b [%v], %x
  %r = pisa.ld.private.32b [%v] : 32b
  %w = pisa.addrof.32b @w : 32b
  pisa.st.private.32b [%w], %w // expected-remark {{private variable @w stays in memory}}
  builtin.return %r
}
