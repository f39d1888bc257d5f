// RUN: pisac --passes=dce,canonicalize,dce --emit=llvm -o %t.out --time-passes %s 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: pisac --passes=dce,canonicalize,dce --emit=llvm -o %t.out --time-passes=json %s 2>&1 | FileCheck %s --check-prefix=TJSON
// RUN: pisac --passes=dce,canonicalize,dce --emit=ir -o %t.out --stats %s 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: pisac --passes=dce,canonicalize,dce --emit=ir -o %t.out --stats=json %s 2>&1 | FileCheck %s --check-prefix=SJSON
// RUN: not pisac --stats=xml %s 2>&1 | FileCheck %s --check-prefix=FORM
module version 1.0 target 100

// TIME:      ... Execution time report ...
// TIME:      Total Execution Time: {{[0-9.]+}} seconds
// TIME:      ----Wall Time----  ----Name----
// TIME-NEXT: {{[0-9.]+}} ({{ *[0-9.]+}}%)  front end
// TIME-NEXT: )  passes
// TIME-NEXT: )    dce
// TIME-NEXT: )    canonicalize
// TIME-NEXT: )  LLVM IR
// TIME-NEXT: (100.0%)  Total
// TJSON: [{"name":"front end","pass":false,"wall":{{[0-9.e-]+}},"percent":{{[0-9.e-]+}}},{"name":"passes",{{.*}}{"name":"dce","pass":true,{{.*}}{"name":"total","pass":false,{{.*}}"percent":100}]

// Steps of one pass are counted together; what is 0 is left out.
// STATS: ... Statistics Collected ...
// STATS: {{^}}       3 dce {{ *}}- ops removed{{$}}
// STATS-NOT: block arguments removed
// SJSON: [{"pass":"dce","name":"ops removed","value":3},{"pass":"dce","name":"block arguments removed","value":0},{"pass":"canonicalize",
// FORM: pisac: error: unknown --stats=xml; there are --stats and --stats=json
function @f(32b) -> 32b {
^bb0(%x: 32b):
  %a = pisa.umul.32b %x, %x : 32b
  %b = pisa.umul.32b %a, %x : 32b
  builtin.return %x
}

function @g(32b) -> 32b {
^bb0(%x: 32b):
  %a = pisa.umul.32b %x, %x : 32b
  builtin.return %x
}
