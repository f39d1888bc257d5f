// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// RUN: pisac -O0 --emit=ir -o %t.pir %s
// RUN: pisac -O0 --emit=ir -o - %t.pir | cmp - %t.pir
// Floating-point arithmetic: each op of the chapter, in several forms.
module version 1.0

// CHECK-LABEL: function @fabs(
function @fabs(32b, 16b, v2.16b) {
^bb0(%0: 32b, %1: 16b, %2: v2.16b):
  // CHECK:      %3 = pisa.fabs.f %0 : 32b{{$}}
  %3 = pisa.fabs.f %0 : 32b
  // CHECK-NEXT: %4 = pisa.fabs.ftz.bf %1 : 16b{{$}}
  %4 = pisa.fabs.ftz.bf %1 : 16b
  // CHECK-NEXT: %5 = pisa.fabs.ftz.bfx2 %2 : v2.16b{{$}}
  %5 = pisa.fabs.ftz.bfx2 %2 : v2.16b
  // CHECK-NEXT: %6 = pisa.fabs.ftz.hf %1 : 16b{{$}}
  %6 = pisa.fabs.ftz.hf %1 : 16b
  builtin.return
}

// CHECK-LABEL: function @fadd(
function @fadd(64b, 64b, v2.16b, v2.16b, 16b, 16b) {
^bb0(%0: 64b, %1: 64b, %2: v2.16b, %3: v2.16b, %4: 16b, %5: 16b):
  // CHECK:      %6 = pisa.fadd.df %0, %1 : 64b{{$}}
  %6 = pisa.fadd.df %0, %1 : 64b
  // CHECK-NEXT: %7 = pisa.fadd.dsat.df %0, %1 : 64b{{$}}
  %7 = pisa.fadd.dsat.df %0, %1 : 64b
  // CHECK-NEXT: %8 = pisa.fadd.ftz.bfx2 %2, %3 : v2.16b{{$}}
  %8 = pisa.fadd.ftz.bfx2 %2, %3 : v2.16b
  // CHECK-NEXT: %9 = pisa.fadd.hf %4, %5 : 16b{{$}}
  %9 = pisa.fadd.hf %4, %5 : 16b
  // CHECK-NEXT: %10 = pisa.fadd.rna.bf %4, %5 : 16b{{$}}
  %10 = pisa.fadd.rna.bf %4, %5 : 16b
  // CHECK-NEXT: %11 = pisa.fadd.rz.bfx2 %2, %3 : v2.16b{{$}}
  %11 = pisa.fadd.rz.bfx2 %2, %3 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @fcos(
function @fcos(16b) {
^bb0(%0: 16b):
  // CHECK:      %1 = pisa.fcos.bf %0 : 16b{{$}}
  %1 = pisa.fcos.bf %0 : 16b
  // CHECK-NEXT: %2 = pisa.fcos.hf %0 : 16b{{$}}
  %2 = pisa.fcos.hf %0 : 16b
  // CHECK-NEXT: %3 = pisa.fcos.ftz.bf %0 : 16b{{$}}
  %3 = pisa.fcos.ftz.bf %0 : 16b
  builtin.return
}

// CHECK-LABEL: function @fdiv(
function @fdiv(64b, 64b, 32b, 32b, 16b, 16b) {
^bb0(%0: 64b, %1: 64b, %2: 32b, %3: 32b, %4: 16b, %5: 16b):
  // CHECK:      %6 = pisa.fdiv.fast.df %0, %1 : 64b{{$}}
  %6 = pisa.fdiv.fast.df %0, %1 : 64b
  // CHECK-NEXT: %7 = pisa.fdiv.fast.f %2, %3 : 32b{{$}}
  %7 = pisa.fdiv.fast.f %2, %3 : 32b
  // CHECK-NEXT: %8 = pisa.fdiv.ftz.fast.hf %4, %5 : 16b{{$}}
  %8 = pisa.fdiv.ftz.fast.hf %4, %5 : 16b
  // CHECK-NEXT: %9 = pisa.fdiv.df %0, %1 : 64b{{$}}
  %9 = pisa.fdiv.df %0, %1 : 64b
  // CHECK-NEXT: %10 = pisa.fdiv.ru.f %2, %3 : 32b{{$}}
  %10 = pisa.fdiv.ru.f %2, %3 : 32b
  // CHECK-NEXT: %11 = pisa.fdiv.rz.df %0, %1 : 64b{{$}}
  %11 = pisa.fdiv.rz.df %0, %1 : 64b
  // CHECK-NEXT: %12 = pisa.fdiv.ftz.fast.bf %4, %4 : 16b{{$}}
  %12 = pisa.fdiv.ftz.fast.bf %4, %4 : 16b
  builtin.return
}

// CHECK-LABEL: function @fexp2(
function @fexp2(32b, v2.16b) {
^bb0(%0: 32b, %1: v2.16b):
  // CHECK:      %2 = pisa.fexp2.f %0 : 32b{{$}}
  %2 = pisa.fexp2.f %0 : 32b
  // CHECK-NEXT: %3 = pisa.fexp2.ftz.f %0 : 32b{{$}}
  %3 = pisa.fexp2.ftz.f %0 : 32b
  // CHECK-NEXT: %4 = pisa.fexp2.ftz.hfx2 %1 : v2.16b{{$}}
  %4 = pisa.fexp2.ftz.hfx2 %1 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @flog2(
function @flog2(16b, v2.16b, 32b) {
^bb0(%0: 16b, %1: v2.16b, %2: 32b):
  // CHECK:      %3 = pisa.flog2.bf %0 : 16b{{$}}
  %3 = pisa.flog2.bf %0 : 16b
  // CHECK-NEXT: %4 = pisa.flog2.bfx2 %1 : v2.16b{{$}}
  %4 = pisa.flog2.bfx2 %1 : v2.16b
  // CHECK-NEXT: %5 = pisa.flog2.f %2 : 32b{{$}}
  %5 = pisa.flog2.f %2 : 32b
  // CHECK-NEXT: %6 = pisa.flog2.hfx2 %1 : v2.16b{{$}}
  %6 = pisa.flog2.hfx2 %1 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @fmad(
function @fmad(16b, 16b, 16b, 32b, 32b, 32b, v2.16b, v2.16b, v2.16b) {
^bb0(%0: 16b, %1: 16b, %2: 16b, %3: 32b, %4: 32b, %5: 32b, %6: v2.16b, %7: v2.16b, %8: v2.16b):
  // CHECK:      %9 = pisa.fmad.bf %0, %1, %2 : 16b{{$}}
  %9 = pisa.fmad.bf %0, %1, %2 : 16b
  // CHECK-NEXT: %10 = pisa.fmad.dsat.bf %0, %1, %2 : 16b{{$}}
  %10 = pisa.fmad.dsat.bf %0, %1, %2 : 16b
  // CHECK-NEXT: %11 = pisa.fmad.rd.f %3, %4, %5 : 32b{{$}}
  %11 = pisa.fmad.rd.f %3, %4, %5 : 32b
  // CHECK-NEXT: %12 = pisa.fmad.rna.hf %0, %1, %2 : 16b{{$}}
  %12 = pisa.fmad.rna.hf %0, %1, %2 : 16b
  // CHECK-NEXT: %13 = pisa.fmad.ru.ftz.hfx2 %6, %7, %8 : v2.16b{{$}}
  %13 = pisa.fmad.ru.ftz.hfx2 %6, %7, %8 : v2.16b
  // CHECK-NEXT: %14 = pisa.fmad.rz.bf %0, %1, %2 : 16b{{$}}
  %14 = pisa.fmad.rz.bf %0, %1, %2 : 16b
  builtin.return
}

// CHECK-LABEL: function @fmax(
function @fmax(32b, 32b, 64b, 64b, v2.16b, v2.16b, 16b, 16b) {
^bb0(%0: 32b, %1: 32b, %2: 64b, %3: 64b, %4: v2.16b, %5: v2.16b, %6: 16b, %7: 16b):
  // CHECK:      %8 = pisa.fmax.f %0, %1 : 32b{{$}}
  %8 = pisa.fmax.f %0, %1 : 32b
  // CHECK-NEXT: %9 = pisa.fmax.dsat.df %2, %3 : 64b{{$}}
  %9 = pisa.fmax.dsat.df %2, %3 : 64b
  // CHECK-NEXT: %10 = pisa.fmax.ftz.bfx2 %4, %5 : v2.16b{{$}}
  %10 = pisa.fmax.ftz.bfx2 %4, %5 : v2.16b
  // CHECK-NEXT: %11 = pisa.fmax.ftz.dsat.nanp.hf %6, %7 : 16b{{$}}
  %11 = pisa.fmax.ftz.dsat.nanp.hf %6, %7 : 16b
  // CHECK-NEXT: %12 = pisa.fmax.ftz.hf %6, %7 : 16b{{$}}
  %12 = pisa.fmax.ftz.hf %6, %7 : 16b
  // CHECK-NEXT: %13 = pisa.fmax.hf %6, %7 : 16b{{$}}
  %13 = pisa.fmax.hf %6, %7 : 16b
  builtin.return
}

// CHECK-LABEL: function @fmin(
function @fmin(32b, 32b, v2.16b, v2.16b, 16b, 16b) {
^bb0(%0: 32b, %1: 32b, %2: v2.16b, %3: v2.16b, %4: 16b, %5: 16b):
  // CHECK:      %6 = pisa.fmin.f %0, %1 : 32b{{$}}
  %6 = pisa.fmin.f %0, %1 : 32b
  // CHECK-NEXT: %7 = pisa.fmin.ftz.bfx2 %2, %3 : v2.16b{{$}}
  %7 = pisa.fmin.ftz.bfx2 %2, %3 : v2.16b
  // CHECK-NEXT: %8 = pisa.fmin.ftz.dsat.nanp.hf %4, %5 : 16b{{$}}
  %8 = pisa.fmin.ftz.dsat.nanp.hf %4, %5 : 16b
  // CHECK-NEXT: %9 = pisa.fmin.hf %4, %5 : 16b{{$}}
  %9 = pisa.fmin.hf %4, %5 : 16b
  // CHECK-NEXT: %10 = pisa.fmin.nanp.bfx2 %2, %3 : v2.16b{{$}}
  %10 = pisa.fmin.nanp.bfx2 %2, %3 : v2.16b
  // CHECK-NEXT: %11 = pisa.fmin.nanp.hf %4, %5 : 16b{{$}}
  %11 = pisa.fmin.nanp.hf %4, %5 : 16b
  builtin.return
}

// CHECK-LABEL: function @fmul(
function @fmul(16b, 16b, 64b, 64b, v2.16b, v2.16b) {
^bb0(%0: 16b, %1: 16b, %2: 64b, %3: 64b, %4: v2.16b, %5: v2.16b):
  // CHECK:      %6 = pisa.fmul.full.rna.hf %0, %1 : 32b{{$}}
  %6 = pisa.fmul.full.rna.hf %0, %1 : 32b
  // CHECK-NEXT: %7 = pisa.fmul.full.rz.bf %0, %1 : 32b{{$}}
  %7 = pisa.fmul.full.rz.bf %0, %1 : 32b
  // CHECK-NEXT: %8 = pisa.fmul.rd.hf %0, %1 : 16b{{$}}
  %8 = pisa.fmul.rd.hf %0, %1 : 16b
  // CHECK-NEXT: %9 = pisa.fmul.dsat.df %2, %3 : 64b{{$}}
  %9 = pisa.fmul.dsat.df %2, %3 : 64b
  // CHECK-NEXT: %10 = pisa.fmul.hfx2 %4, %5 : v2.16b{{$}}
  %10 = pisa.fmul.hfx2 %4, %5 : v2.16b
  // CHECK-NEXT: %11 = pisa.fmul.ru.bf %0, %1 : 16b{{$}}
  %11 = pisa.fmul.ru.bf %0, %1 : 16b
  builtin.return
}

// CHECK-LABEL: function @fneg(
function @fneg(v2.16b, 32b, 16b) {
^bb0(%0: v2.16b, %1: 32b, %2: 16b):
  // CHECK:      %3 = pisa.fneg.bfx2 %0 : v2.16b{{$}}
  %3 = pisa.fneg.bfx2 %0 : v2.16b
  // CHECK-NEXT: %4 = pisa.fneg.f %1 : 32b{{$}}
  %4 = pisa.fneg.f %1 : 32b
  // CHECK-NEXT: %5 = pisa.fneg.ftz.hf %2 : 16b{{$}}
  %5 = pisa.fneg.ftz.hf %2 : 16b
  // CHECK-NEXT: %6 = pisa.fneg.hf %2 : 16b{{$}}
  %6 = pisa.fneg.hf %2 : 16b
  builtin.return
}

// CHECK-LABEL: function @frc(
function @frc(32b) {
^bb0(%0: 32b):
  // CHECK:      %1 = pisa.frc.f %0 : 32b{{$}}
  %1 = pisa.frc.f %0 : 32b
  // CHECK-NEXT: %2 = pisa.frc.ftz.f %0 : 32b{{$}}
  %2 = pisa.frc.ftz.f %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @frcp(
function @frcp(16b, 32b, v2.16b) {
^bb0(%0: 16b, %1: 32b, %2: v2.16b):
  // CHECK:      %3 = pisa.frcp.bf %0 : 16b{{$}}
  %3 = pisa.frcp.bf %0 : 16b
  // CHECK-NEXT: %4 = pisa.frcp.f %1 : 32b{{$}}
  %4 = pisa.frcp.f %1 : 32b
  // CHECK-NEXT: %5 = pisa.frcp.hf %0 : 16b{{$}}
  %5 = pisa.frcp.hf %0 : 16b
  // CHECK-NEXT: %6 = pisa.frcp.ftz.bf %0 : 16b{{$}}
  %6 = pisa.frcp.ftz.bf %0 : 16b
  // CHECK-NEXT: %7 = pisa.frcp.ftz.f %1 : 32b{{$}}
  %7 = pisa.frcp.ftz.f %1 : 32b
  // CHECK-NEXT: %8 = pisa.frcp.hfx2 %2 : v2.16b{{$}}
  %8 = pisa.frcp.hfx2 %2 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @frsqrt(
function @frsqrt(v2.16b, 64b, 16b, 32b) {
^bb0(%0: v2.16b, %1: 64b, %2: 16b, %3: 32b):
  // CHECK:      %4 = pisa.frsqrt.fast.bfx2 %0 : v2.16b{{$}}
  %4 = pisa.frsqrt.fast.bfx2 %0 : v2.16b
  // CHECK-NEXT: %5 = pisa.frsqrt.fast.df %1 : 64b{{$}}
  %5 = pisa.frsqrt.fast.df %1 : 64b
  // CHECK-NEXT: %6 = pisa.frsqrt.ftz.fast.bf %2 : 16b{{$}}
  %6 = pisa.frsqrt.ftz.fast.bf %2 : 16b
  // CHECK-NEXT: %7 = pisa.frsqrt.ftz.fast.f %3 : 32b{{$}}
  %7 = pisa.frsqrt.ftz.fast.f %3 : 32b
  builtin.return
}

// CHECK-LABEL: function @fsin(
function @fsin(16b, 32b, v2.16b) {
^bb0(%0: 16b, %1: 32b, %2: v2.16b):
  // CHECK:      %3 = pisa.fsin.bf %0 : 16b{{$}}
  %3 = pisa.fsin.bf %0 : 16b
  // CHECK-NEXT: %4 = pisa.fsin.f %1 : 32b{{$}}
  %4 = pisa.fsin.f %1 : 32b
  // CHECK-NEXT: %5 = pisa.fsin.ftz.bf %0 : 16b{{$}}
  %5 = pisa.fsin.ftz.bf %0 : 16b
  // CHECK-NEXT: %6 = pisa.fsin.ftz.hfx2 %2 : v2.16b{{$}}
  %6 = pisa.fsin.ftz.hfx2 %2 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @fsqrt(
function @fsqrt(v2.16b, 64b, 32b) {
^bb0(%0: v2.16b, %1: 64b, %2: 32b):
  // CHECK:      %3 = pisa.fsqrt.fast.bfx2 %0 : v2.16b{{$}}
  %3 = pisa.fsqrt.fast.bfx2 %0 : v2.16b
  // CHECK-NEXT: %4 = pisa.fsqrt.fast.df %1 : 64b{{$}}
  %4 = pisa.fsqrt.fast.df %1 : 64b
  // CHECK-NEXT: %5 = pisa.fsqrt.fast.hfx2 %0 : v2.16b{{$}}
  %5 = pisa.fsqrt.fast.hfx2 %0 : v2.16b
  // CHECK-NEXT: %6 = pisa.fsqrt.ftz.fast.hfx2 %0 : v2.16b{{$}}
  %6 = pisa.fsqrt.ftz.fast.hfx2 %0 : v2.16b
  // CHECK-NEXT: %7 = pisa.fsqrt.rna.df %1 : 64b{{$}}
  %7 = pisa.fsqrt.rna.df %1 : 64b
  // CHECK-NEXT: %8 = pisa.fsqrt.ru.f %2 : 32b{{$}}
  %8 = pisa.fsqrt.ru.f %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @fsub(
function @fsub(v2.16b, v2.16b, 64b, 64b) {
^bb0(%0: v2.16b, %1: v2.16b, %2: 64b, %3: 64b):
  // CHECK:      %4 = pisa.fsub.ftz.bfx2 %0, %1 : v2.16b{{$}}
  %4 = pisa.fsub.ftz.bfx2 %0, %1 : v2.16b
  // CHECK-NEXT: %5 = pisa.fsub.ftz.hfx2 %0, %1 : v2.16b{{$}}
  %5 = pisa.fsub.ftz.hfx2 %0, %1 : v2.16b
  // CHECK-NEXT: %6 = pisa.fsub.df %2, %3 : 64b{{$}}
  %6 = pisa.fsub.df %2, %3 : 64b
  // CHECK-NEXT: %7 = pisa.fsub.rna.df %2, %3 : 64b{{$}}
  %7 = pisa.fsub.rna.df %2, %3 : 64b
  // CHECK-NEXT: %8 = pisa.fsub.rz.bfx2 %0, %1 : v2.16b{{$}}
  %8 = pisa.fsub.rz.bfx2 %0, %1 : v2.16b
  // CHECK-NEXT: %9 = pisa.fsub.rz.ftz.dsat.df %2, %3 : 64b{{$}}
  %9 = pisa.fsub.rz.ftz.dsat.df %2, %3 : 64b
  // CHECK-NEXT: %10 = pisa.fsub.rz.hfx2 %0, %1 : v2.16b{{$}}
  %10 = pisa.fsub.rz.hfx2 %0, %1 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @ftanh(
function @ftanh(16b, v2.16b) {
^bb0(%0: 16b, %1: v2.16b):
  // CHECK:      %2 = pisa.ftanh.bf %0 : 16b{{$}}
  %2 = pisa.ftanh.bf %0 : 16b
  // CHECK-NEXT: %3 = pisa.ftanh.bfx2 %1 : v2.16b{{$}}
  %3 = pisa.ftanh.bfx2 %1 : v2.16b
  // CHECK-NEXT: %4 = pisa.ftanh.ftz.bfx2 %1 : v2.16b{{$}}
  %4 = pisa.ftanh.ftz.bfx2 %1 : v2.16b
  builtin.return
}
