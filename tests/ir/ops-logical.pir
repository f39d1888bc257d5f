// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// RUN: pisac -O0 --emit=ir -o %t.pir %s
// RUN: pisac -O0 --emit=ir -o - %t.pir | cmp - %t.pir
// Logical ops and shifts, each in several forms.
module version 1.0

// CHECK-LABEL: function @and(
function @and(32b, 32b, 16b, 16b) {
^bb0(%0: 32b, %1: 32b, %2: 16b, %3: 16b):
  // CHECK:      %4 = pisa.and.32b %0, %1 : 32b{{$}}
  %4 = pisa.and.32b %0, %1 : 32b
  // CHECK-NEXT: %5 = pisa.and.16b %2, %3 : 16b{{$}}
  %5 = pisa.and.16b %2, %3 : 16b
  builtin.return
}

// CHECK-LABEL: function @asr(
function @asr(16b, 32b, 32b, 64b) {
^bb0(%0: 16b, %1: 32b, %2: 32b, %3: 64b):
  // CHECK:      %4 = pisa.asr.16b %0, %1 : 16b{{$}}
  %4 = pisa.asr.16b %0, %1 : 16b
  // CHECK-NEXT: %5 = pisa.asr.32b %1, %2 : 32b{{$}}
  %5 = pisa.asr.32b %1, %2 : 32b
  // CHECK-NEXT: %6 = pisa.asr.64b %3, %1 : 64b{{$}}
  %6 = pisa.asr.64b %3, %1 : 64b
  builtin.return
}

// CHECK-LABEL: function @bfi(
function @bfi(32b, 32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b, %3: 32b):
  // CHECK:      %4 = pisa.bfi.32b %0, %1, %2, %3 : 32b{{$}}
  %4 = pisa.bfi.32b %0, %1, %2, %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @bfn(
function @bfn(32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b):
  // CHECK:      %3 = pisa.bfn.0x40.32b %0, %1, %2 : 32b{{$}}
  %3 = pisa.bfn.0x40.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %4 = pisa.bfn.0x8a.32b %0, %1, %2 : 32b{{$}}
  %4 = pisa.bfn.0x8a.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %5 = pisa.bfn.0xf4.32b %0, %1, %2 : 32b{{$}}
  %5 = pisa.bfn.0xf4.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %6 = pisa.bfn.0x21.32b %0, %1, %0 : 32b{{$}}
  %6 = pisa.bfn.0x21.32b %0, %1, %0 : 32b
  // CHECK-NEXT: %7 = pisa.bfn.0x6b.32b %0, %1, %0 : 32b{{$}}
  %7 = pisa.bfn.0x6b.32b %0, %1, %0 : 32b
  // CHECK-NEXT: %8 = pisa.bfn.0xb5.32b %0, %1, %0 : 32b{{$}}
  %8 = pisa.bfn.0xb5.32b %0, %1, %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @bfrev(
function @bfrev(32b) {
^bb0(%0: 32b):
  // CHECK:      %1 = pisa.bfrev.32b %0 : 32b{{$}}
  %1 = pisa.bfrev.32b %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @cbit(
function @cbit(16b) {
^bb0(%0: 16b):
  // CHECK:      %1 = pisa.cbit.16b %0 : 16b{{$}}
  %1 = pisa.cbit.16b %0 : 16b
  builtin.return
}

// CHECK-LABEL: function @fbh(
function @fbh(32b) {
^bb0(%0: 32b):
  // CHECK:      %1 = pisa.fbh.32b %0 : 32b{{$}}
  %1 = pisa.fbh.32b %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @fbl(
function @fbl(32b) {
^bb0(%0: 32b):
  // CHECK:      %1 = pisa.fbl.32b %0 : 32b{{$}}
  %1 = pisa.fbl.32b %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @not(
function @not(32b) {
^bb0(%0: 32b):
  // CHECK:      %1 = pisa.not.32b %0 : 32b{{$}}
  %1 = pisa.not.32b %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @or(
function @or(64b, 64b, 32b, 32b) {
^bb0(%0: 64b, %1: 64b, %2: 32b, %3: 32b):
  // CHECK:      %4 = pisa.or.64b %0, %1 : 64b{{$}}
  %4 = pisa.or.64b %0, %1 : 64b
  // CHECK-NEXT: %5 = pisa.or.32b %2, %3 : 32b{{$}}
  %5 = pisa.or.32b %2, %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @sbfe(
function @sbfe(32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b):
  // CHECK:      %3 = pisa.sbfe.32b %0, %1, %2 : 32b{{$}}
  %3 = pisa.sbfe.32b %0, %1, %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @shr(
function @shr(32b, 32b, 16b, v2.16b) {
^bb0(%0: 32b, %1: 32b, %2: 16b, %3: v2.16b):
  // CHECK:      %4 = pisa.shr.32b %0, %1 : 32b{{$}}
  %4 = pisa.shr.32b %0, %1 : 32b
  // CHECK-NEXT: %5 = pisa.shr.16b %2, %0 : 16b{{$}}
  %5 = pisa.shr.16b %2, %0 : 16b
  // CHECK-NEXT: %6 = pisa.shr.16bx2 %3, %0 : v2.16b{{$}}
  %6 = pisa.shr.16bx2 %3, %0 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @shl(
function @shl(64b, 32b, 32b, 16b, v2.16b) {
^bb0(%0: 64b, %1: 32b, %2: 32b, %3: 16b, %4: v2.16b):
  // CHECK:      %5 = pisa.shl.64b %0, %1 : 64b{{$}}
  %5 = pisa.shl.64b %0, %1 : 64b
  // CHECK-NEXT: %6 = pisa.shl.32b %1, %2 : 32b{{$}}
  %6 = pisa.shl.32b %1, %2 : 32b
  // CHECK-NEXT: %7 = pisa.shl.16b %3, %1 : 16b{{$}}
  %7 = pisa.shl.16b %3, %1 : 16b
  // CHECK-NEXT: %8 = pisa.shl.16bx2 %4, %1 : v2.16b{{$}}
  %8 = pisa.shl.16bx2 %4, %1 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @shf(
function @shf(32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b):
  // CHECK:      %3 = pisa.shf.l.32b %0, %1, %2 : 32b{{$}}
  %3 = pisa.shf.l.32b %0, %1, %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @ubfe(
function @ubfe(32b, 32b, 32b) {
^bb0(%0: 32b, %1: 32b, %2: 32b):
  // CHECK:      %3 = pisa.ubfe.32b %0, %1, %2 : 32b{{$}}
  %3 = pisa.ubfe.32b %0, %1, %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @xor(
function @xor(32b, 32b, 16b, 16b, 64b, 64b) {
^bb0(%0: 32b, %1: 32b, %2: 16b, %3: 16b, %4: 64b, %5: 64b):
  // CHECK:      %6 = pisa.xor.32b %0, %1 : 32b{{$}}
  %6 = pisa.xor.32b %0, %1 : 32b
  // CHECK-NEXT: %7 = pisa.xor.16b %2, %3 : 16b{{$}}
  %7 = pisa.xor.16b %2, %3 : 16b
  // CHECK-NEXT: %8 = pisa.xor.64b %4, %5 : 64b{{$}}
  %8 = pisa.xor.64b %4, %5 : 64b
  builtin.return
}
