// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// RUN: pisac -O0 --emit=ir -o %t.pir %s
// RUN: pisac -O0 --emit=ir -o - %t.pir | cmp - %t.pir
// Integer arithmetic: each op of the chapter, in several forms.
module version 1.0

// CHECK-LABEL: function @dp4a(
function @dp4a(32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b):
  // CHECK:      %3 = pisa.dp4a.ss.32b %0, %1, %2 : 32b{{$}}
  %3 = pisa.dp4a.ss.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %4 = pisa.dp4a.ss.dsat.32b %0, %1, %2 : 32b{{$}}
  %4 = pisa.dp4a.ss.dsat.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %5 = pisa.dp4a.uu.32b %0, %1, %2 : 32b{{$}}
  %5 = pisa.dp4a.uu.32b %0, %1, %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @iabs(
function @iabs(64b) {
^bb0(%0: 64b):
  // CHECK:      %1 = pisa.iabs.64b %0 : 64b{{$}}
  %1 = pisa.iabs.64b %0 : 64b
  builtin.return
}

// CHECK-LABEL: function @iadd(
function @iadd(32b, 32b, 64b, 64b, 16b, 16b) {
^bb0(%0: 32b, %1: 32b, %2: 64b, %3: 64b, %4: 16b, %5: 16b):
  // CHECK:      %6 = pisa.iadd.32b %0, %1 : 32b{{$}}
  %6 = pisa.iadd.32b %0, %1 : 32b
  // CHECK-NEXT: %7 = pisa.iadd.64b %2, %3 : 64b{{$}}
  %7 = pisa.iadd.64b %2, %3 : 64b
  // CHECK-NEXT: %8 = pisa.iadd.16b %4, %5 : 16b{{$}}
  %8 = pisa.iadd.16b %4, %5 : 16b
  builtin.return
}

// CHECK-LABEL: function @ineg(
function @ineg(16b) {
^bb0(%0: 16b):
  // CHECK:      %1 = pisa.ineg.16b %0 : 16b{{$}}
  %1 = pisa.ineg.16b %0 : 16b
  builtin.return
}

// CHECK-LABEL: function @isub(
function @isub(32b, 32b, 64b, 64b, v2.16b, v2.16b) {
^bb0(%0: 32b, %1: 32b, %2: 64b, %3: 64b, %4: v2.16b, %5: v2.16b):
  // CHECK:      %6 = pisa.isub.32b %0, %1 : 32b{{$}}
  %6 = pisa.isub.32b %0, %1 : 32b
  // CHECK-NEXT: %7 = pisa.isub.64b %2, %3 : 64b{{$}}
  %7 = pisa.isub.64b %2, %3 : 64b
  // CHECK-NEXT: %8 = pisa.isub.dsat.16bx2 %4, %5 : v2.16b{{$}}
  %8 = pisa.isub.dsat.16bx2 %4, %5 : v2.16b
  // CHECK-NEXT: %9 = pisa.isub.dsat.32b %0, %1 : 32b{{$}}
  %9 = pisa.isub.dsat.32b %0, %1 : 32b
  // CHECK-NEXT: %10 = pisa.isub.dsat.64b %2, %3 : 64b{{$}}
  %10 = pisa.isub.dsat.64b %2, %3 : 64b
  builtin.return
}

// CHECK-LABEL: function @sdiv(
function @sdiv(16b, 16b, 64b, 64b, 32b, 32b) {
^bb0(%0: 16b, %1: 16b, %2: 64b, %3: 64b, %4: 32b, %5: 32b):
  // CHECK:      %6 = pisa.sdiv.16b %0, %1 : 16b{{$}}
  %6 = pisa.sdiv.16b %0, %1 : 16b
  // CHECK-NEXT: %7 = pisa.sdiv.rem.16b %0, %1 : 16b{{$}}
  %7 = pisa.sdiv.rem.16b %0, %1 : 16b
  // CHECK-NEXT: %8 = pisa.sdiv.64b %2, %3 : 64b{{$}}
  %8 = pisa.sdiv.64b %2, %3 : 64b
  // CHECK-NEXT: %9 = pisa.sdiv.rem.64b %2, %3 : 64b{{$}}
  %9 = pisa.sdiv.rem.64b %2, %3 : 64b
  // CHECK-NEXT: %10 = pisa.sdiv.32b %4, %5 : 32b{{$}}
  %10 = pisa.sdiv.32b %4, %5 : 32b
  builtin.return
}

// CHECK-LABEL: function @smad(
function @smad(32b, 32b, 32b, 64b, 64b, 64b) {
^bb0(%0: 32b, %1: 32b, %2: 32b, %3: 64b, %4: 64b, %5: 64b):
  // CHECK:      %6 = pisa.smad.32b %0, %1, %2 : 32b{{$}}
  %6 = pisa.smad.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %7 = pisa.smad.64b %3, %4, %5 : 64b{{$}}
  %7 = pisa.smad.64b %3, %4, %5 : 64b
  builtin.return
}

// CHECK-LABEL: function @smax(
function @smax(16b, 16b, 32b, 32b) {
^bb0(%0: 16b, %1: 16b, %2: 32b, %3: 32b):
  // CHECK:      %4 = pisa.smax.16b %0, %1 : 16b{{$}}
  %4 = pisa.smax.16b %0, %1 : 16b
  // CHECK-NEXT: %5 = pisa.smax.32b %2, %3 : 32b{{$}}
  %5 = pisa.smax.32b %2, %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @smin(
function @smin(v2.16b, v2.16b, 64b, 64b) {
^bb0(%0: v2.16b, %1: v2.16b, %2: 64b, %3: 64b):
  // CHECK:      %4 = pisa.smin.16bx2 %0, %1 : v2.16b{{$}}
  %4 = pisa.smin.16bx2 %0, %1 : v2.16b
  // CHECK-NEXT: %5 = pisa.smin.64b %2, %3 : 64b{{$}}
  %5 = pisa.smin.64b %2, %3 : 64b
  builtin.return
}

// CHECK-LABEL: function @smul(
function @smul(v2.16b, v2.16b, 32b, 32b, 64b, 64b) {
^bb0(%0: v2.16b, %1: v2.16b, %2: 32b, %3: 32b, %4: 64b, %5: 64b):
  // CHECK:      %6 = pisa.smul.16bx2 %0, %1 : v2.16b{{$}}
  %6 = pisa.smul.16bx2 %0, %1 : v2.16b
  // CHECK-NEXT: %7 = pisa.smul.32b %2, %3 : 32b{{$}}
  %7 = pisa.smul.32b %2, %3 : 32b
  // CHECK-NEXT: %8 = pisa.smul.64b %4, %5 : 64b{{$}}
  %8 = pisa.smul.64b %4, %5 : 64b
  builtin.return
}

// CHECK-LABEL: function @uaddc(
function @uaddc(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // CHECK:      %3, %4 = pisa.uaddc.ci.co.32b %0, %1, %2 : 32b, pred{{$}}
  %3, %4 = pisa.uaddc.ci.co.32b %0, %1, %2 : 32b, pred
  // CHECK-NEXT: %5, %6 = pisa.uaddc.co.32b %0, %1 : 32b, pred{{$}}
  %5, %6 = pisa.uaddc.co.32b %0, %1 : 32b, pred
  // CHECK-NEXT: %7 = pisa.uaddc.ci.32b %0, %1, %2 : 32b{{$}}
  %7 = pisa.uaddc.ci.32b %0, %1, %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @usubb(
function @usubb(32b, 32b, pred) {
^bb0(%0: 32b, %1: 32b, %2: pred):
  // CHECK:      %3, %4 = pisa.usubb.co.32b %0, %1 : 32b, pred{{$}}
  %3, %4 = pisa.usubb.co.32b %0, %1 : 32b, pred
  // CHECK-NEXT: %5, %6 = pisa.usubb.ci.co.32b %0, %1, %2 : 32b, pred{{$}}
  %5, %6 = pisa.usubb.ci.co.32b %0, %1, %2 : 32b, pred
  // CHECK-NEXT: %7 = pisa.usubb.ci.32b %0, %1, %2 : 32b{{$}}
  %7 = pisa.usubb.ci.32b %0, %1, %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @udiv(
function @udiv(32b, 32b, 64b, 64b) {
^bb0(%0: 32b, %1: 32b, %2: 64b, %3: 64b):
  // CHECK:      %4 = pisa.udiv.rem.32b %0, %1 : 32b{{$}}
  %4 = pisa.udiv.rem.32b %0, %1 : 32b
  // CHECK-NEXT: %5 = pisa.udiv.32b %0, %1 : 32b{{$}}
  %5 = pisa.udiv.32b %0, %1 : 32b
  // CHECK-NEXT: %6 = pisa.udiv.rem.64b %2, %3 : 64b{{$}}
  %6 = pisa.udiv.rem.64b %2, %3 : 64b
  builtin.return
}

// CHECK-LABEL: function @umad(
function @umad(32b, 32b, 16b, 16b, 16b) {
^bb0(%0: 32b, %1: 32b, %2: 16b, %3: 16b, %4: 16b):
  // CHECK:      %5 = pisa.umad.32b %0, %0, %1 : 32b{{$}}
  %5 = pisa.umad.32b %0, %0, %1 : 32b
  // CHECK-NEXT: %6 = pisa.umad.16b %2, %3, %4 : 16b{{$}}
  %6 = pisa.umad.16b %2, %3, %4 : 16b
  builtin.return
}

// CHECK-LABEL: function @umax(
function @umax(v2.16b, v2.16b, 32b, 32b) {
^bb0(%0: v2.16b, %1: v2.16b, %2: 32b, %3: 32b):
  // CHECK:      %4 = pisa.umax.16bx2 %0, %1 : v2.16b{{$}}
  %4 = pisa.umax.16bx2 %0, %1 : v2.16b
  // CHECK-NEXT: %5 = pisa.umax.32b %2, %3 : 32b{{$}}
  %5 = pisa.umax.32b %2, %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @umin(
function @umin(v2.16b, v2.16b, 32b, 32b, 64b, 64b) {
^bb0(%0: v2.16b, %1: v2.16b, %2: 32b, %3: 32b, %4: 64b, %5: 64b):
  // CHECK:      %6 = pisa.umin.16bx2 %0, %1 : v2.16b{{$}}
  %6 = pisa.umin.16bx2 %0, %1 : v2.16b
  // CHECK-NEXT: %7 = pisa.umin.32b %2, %3 : 32b{{$}}
  %7 = pisa.umin.32b %2, %3 : 32b
  // CHECK-NEXT: %8 = pisa.umin.64b %4, %5 : 64b{{$}}
  %8 = pisa.umin.64b %4, %5 : 64b
  builtin.return
}

// CHECK-LABEL: function @umul(
function @umul(32b, 32b, 64b, 64b) {
^bb0(%0: 32b, %1: 32b, %2: 64b, %3: 64b):
  // CHECK:      %4 = pisa.umul.32b %0, %1 : 32b{{$}}
  %4 = pisa.umul.32b %0, %1 : 32b
  // CHECK-NEXT: %5 = pisa.umul.64b %2, %3 : 64b{{$}}
  %5 = pisa.umul.64b %2, %3 : 64b
  builtin.return
}
