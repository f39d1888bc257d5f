// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// RUN: pisac -O0 --emit=ir -o %t.pir %s
// RUN: pisac -O0 --emit=ir -o - %t.pir | cmp - %t.pir
// Data movement, conversion and comparison: each op, in several forms.
module version 1.0

// CHECK-LABEL: function @addrcast(
function @addrcast(32b, 64b) {
^bb0(%0: 32b, %1: 64b):
  // CHECK:      %2 = pisa.addrcast.generic.shared %0 : 64b{{$}}
  %2 = pisa.addrcast.generic.shared %0 : 64b
  // CHECK-NEXT: %3 = pisa.addrcast.shared.generic %1 : 32b{{$}}
  %3 = pisa.addrcast.shared.generic %1 : 32b
  // CHECK-NEXT: %4 = pisa.addrcast.generic.private %0 : 64b{{$}}
  %4 = pisa.addrcast.generic.private %0 : 64b
  // CHECK-NEXT: %5 = pisa.addrcast.private.generic %1 : 32b{{$}}
  %5 = pisa.addrcast.private.generic %1 : 32b
  // CHECK-NEXT: %6 = pisa.addrcast.generic.global %1 : 64b{{$}}
  %6 = pisa.addrcast.generic.global %1 : 64b
  // CHECK-NEXT: %7 = pisa.addrcast.global.generic %1 : 64b{{$}}
  %7 = pisa.addrcast.global.generic %1 : 64b
  builtin.return
}

// CHECK-LABEL: function @extract_dynamic(
function @extract_dynamic(v32.32b, 32b, v3.32b, v64.32b) {
^bb0(%0: v32.32b, %1: 32b, %2: v3.32b, %3: v64.32b):
  // CHECK:      %4 = pisa.extract.dynamic.v32.32b %0, %1 : 32b{{$}}
  %4 = pisa.extract.dynamic.v32.32b %0, %1 : 32b
  // CHECK-NEXT: %5 = pisa.extract.dynamic.v3.32b %2, %1 : 32b{{$}}
  %5 = pisa.extract.dynamic.v3.32b %2, %1 : 32b
  // CHECK-NEXT: %6 = pisa.extract.dynamic.v64.32b %3, %1 : 32b{{$}}
  %6 = pisa.extract.dynamic.v64.32b %3, %1 : 32b
  builtin.return
}

// CHECK-LABEL: function @extract(
function @extract(v2.32b, v8.32b, v4.8b, v64.32b, v4.32b, v2.64b) {
^bb0(%0: v2.32b, %1: v8.32b, %2: v4.8b, %3: v64.32b, %4: v4.32b, %5: v2.64b):
  // CHECK:      %6 = pisa.extract.0.32b %0 : 32b{{$}}
  %6 = pisa.extract.0.32b %0 : 32b
  // CHECK-NEXT: %7 = pisa.extract.7.32b %1 : 32b{{$}}
  %7 = pisa.extract.7.32b %1 : 32b
  // CHECK-NEXT: %8 = pisa.extract.1.8b %2 : 8b{{$}}
  %8 = pisa.extract.1.8b %2 : 8b
  // CHECK-NEXT: %9 = pisa.extract.63.32b %3 : 32b{{$}}
  %9 = pisa.extract.63.32b %3 : 32b
  // CHECK-NEXT: %10 = pisa.extract.3.32b %4 : 32b{{$}}
  %10 = pisa.extract.3.32b %4 : 32b
  // CHECK-NEXT: %11 = pisa.extract.0.64b %5 : 64b{{$}}
  %11 = pisa.extract.0.64b %5 : 64b
  builtin.return
}

// CHECK-LABEL: function @f2i(
function @f2i(64b, 16b, 32b) {
^bb0(%0: 64b, %1: 16b, %2: 32b):
  // CHECK:      %3 = pisa.f2i.s16.df %0 : 16b{{$}}
  %3 = pisa.f2i.s16.df %0 : 16b
  // CHECK-NEXT: %4 = pisa.f2i.s32.bf.re %1 : 32b{{$}}
  %4 = pisa.f2i.s32.bf.re %1 : 32b
  // CHECK-NEXT: %5 = pisa.f2i.s32.f.rna %2 : 32b{{$}}
  %5 = pisa.f2i.s32.f.rna %2 : 32b
  // CHECK-NEXT: %6 = pisa.f2i.s64.f.rna %2 : 64b{{$}}
  %6 = pisa.f2i.s64.f.rna %2 : 64b
  // CHECK-NEXT: %7 = pisa.f2i.u32.f.rd %2 : 32b{{$}}
  %7 = pisa.f2i.u32.f.rd %2 : 32b
  // CHECK-NEXT: %8 = pisa.f2i.u64.f.rd %2 : 64b{{$}}
  %8 = pisa.f2i.u64.f.rd %2 : 64b
  builtin.return
}

// CHECK-LABEL: function @fext(
function @fext(32b, 16b) {
^bb0(%0: 32b, %1: 16b):
  // CHECK:      %2 = pisa.fext.df.f %0 : 64b{{$}}
  %2 = pisa.fext.df.f %0 : 64b
  // CHECK-NEXT: %3 = pisa.fext.f.bf %1 : 32b{{$}}
  %3 = pisa.fext.f.bf %1 : 32b
  builtin.return
}

// CHECK-LABEL: function @frnd(
function @frnd(64b, 32b, 16b) {
^bb0(%0: 64b, %1: 32b, %2: 16b):
  // CHECK:      %3 = pisa.frnd.rd.df %0 : 64b{{$}}
  %3 = pisa.frnd.rd.df %0 : 64b
  // CHECK-NEXT: %4 = pisa.frnd.rd.f %1 : 32b{{$}}
  %4 = pisa.frnd.rd.f %1 : 32b
  // CHECK-NEXT: %5 = pisa.frnd.re.bf %2 : 16b{{$}}
  %5 = pisa.frnd.re.bf %2 : 16b
  // CHECK-NEXT: %6 = pisa.frnd.rna.df %0 : 64b{{$}}
  %6 = pisa.frnd.rna.df %0 : 64b
  // CHECK-NEXT: %7 = pisa.frnd.rna.f %1 : 32b{{$}}
  %7 = pisa.frnd.rna.f %1 : 32b
  // CHECK-NEXT: %8 = pisa.frnd.rz.bf %2 : 16b{{$}}
  %8 = pisa.frnd.rz.bf %2 : 16b
  // CHECK-NEXT: %9 = pisa.frnd.rz.hf %2 : 16b{{$}}
  %9 = pisa.frnd.rz.hf %2 : 16b
  builtin.return
}

// CHECK-LABEL: function @ftrunc(
function @ftrunc(64b, 32b) {
^bb0(%0: 64b, %1: 32b):
  // CHECK:      %2 = pisa.ftrunc.bf.df %0 : 16b{{$}}
  %2 = pisa.ftrunc.bf.df %0 : 16b
  // CHECK-NEXT: %3 = pisa.ftrunc.f.df.rz %0 : 32b{{$}}
  %3 = pisa.ftrunc.f.df.rz %0 : 32b
  // CHECK-NEXT: %4 = pisa.ftrunc.hf.f.rz %1 : 16b{{$}}
  %4 = pisa.ftrunc.hf.f.rz %1 : 16b
  // CHECK-NEXT: %5 = pisa.ftrunc.bf.f.rz %1 : 16b{{$}}
  %5 = pisa.ftrunc.bf.f.rz %1 : 16b
  // CHECK-NEXT: %6 = pisa.ftrunc.f.df.ftz.dsat %0 : 32b{{$}}
  %6 = pisa.ftrunc.f.df.ftz.dsat %0 : 32b
  // CHECK-NEXT: %7 = pisa.ftrunc.hf.df %0 : 16b{{$}}
  %7 = pisa.ftrunc.hf.df %0 : 16b
  builtin.return
}

// CHECK-LABEL: function @ftrunc2(
function @ftrunc2(32b, 32b) {
^bb0(%0: 32b, %1: 32b):
  // CHECK:      %2 = pisa.ftrunc2.bfx2.ftz %0, %1 : v2.16b{{$}}
  %2 = pisa.ftrunc2.bfx2.ftz %0, %1 : v2.16b
  // CHECK-NEXT: %3 = pisa.ftrunc2.bfx2.ftz.dsat %0, %1 : v2.16b{{$}}
  %3 = pisa.ftrunc2.bfx2.ftz.dsat %0, %1 : v2.16b
  // CHECK-NEXT: %4 = pisa.ftrunc2.bfx2.rna %0, %1 : v2.16b{{$}}
  %4 = pisa.ftrunc2.bfx2.rna %0, %1 : v2.16b
  // CHECK-NEXT: %5 = pisa.ftrunc2.bfx2.ru %0, %1 : v2.16b{{$}}
  %5 = pisa.ftrunc2.bfx2.ru %0, %1 : v2.16b
  // CHECK-NEXT: %6 = pisa.ftrunc2.hfx2 %0, %1 : v2.16b{{$}}
  %6 = pisa.ftrunc2.hfx2 %0, %1 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @i2f(
function @i2f(32b, 16b, 64b) {
^bb0(%0: 32b, %1: 16b, %2: 64b):
  // CHECK:      %3 = pisa.i2f.f.u32 %0 : 32b{{$}}
  %3 = pisa.i2f.f.u32 %0 : 32b
  // CHECK-NEXT: %4 = pisa.i2f.bf.u32 %0 : 16b{{$}}
  %4 = pisa.i2f.bf.u32 %0 : 16b
  // CHECK-NEXT: %5 = pisa.i2f.f.s16 %1 : 32b{{$}}
  %5 = pisa.i2f.f.s16 %1 : 32b
  // CHECK-NEXT: %6 = pisa.i2f.f.u32.rna %0 : 32b{{$}}
  %6 = pisa.i2f.f.u32.rna %0 : 32b
  // CHECK-NEXT: %7 = pisa.i2f.hf.s64 %2 : 16b{{$}}
  %7 = pisa.i2f.hf.s64 %2 : 16b
  // CHECK-NEXT: %8 = pisa.i2f.hf.u64 %2 : 16b{{$}}
  %8 = pisa.i2f.hf.u64 %2 : 16b
  builtin.return
}

// CHECK-LABEL: function @insert_dynamic(
function @insert_dynamic(v4.32b, 32b, 32b, v32.32b, v3.32b, v64.32b) {
^bb0(%0: v4.32b, %1: 32b, %2: 32b, %3: v32.32b, %4: v3.32b, %5: v64.32b):
  // CHECK:      %6 = pisa.insert.dynamic.v4.32b %0, %1, %2 : v4.32b{{$}}
  %6 = pisa.insert.dynamic.v4.32b %0, %1, %2 : v4.32b
  // CHECK-NEXT: %7 = pisa.insert.dynamic.v32.32b %3, %1, %2 : v32.32b{{$}}
  %7 = pisa.insert.dynamic.v32.32b %3, %1, %2 : v32.32b
  // CHECK-NEXT: %8 = pisa.insert.dynamic.v3.32b %4, %1, %2 : v3.32b{{$}}
  %8 = pisa.insert.dynamic.v3.32b %4, %1, %2 : v3.32b
  // CHECK-NEXT: %9 = pisa.insert.dynamic.v64.32b %5, %1, %2 : v64.32b{{$}}
  %9 = pisa.insert.dynamic.v64.32b %5, %1, %2 : v64.32b
  builtin.return
}

// CHECK-LABEL: function @insert(
function @insert(v2.32b, 32b, v32.32b, v64.32b) {
^bb0(%0: v2.32b, %1: 32b, %2: v32.32b, %3: v64.32b):
  // CHECK:      %4 = pisa.insert.0.32b %0, %1 : v2.32b{{$}}
  %4 = pisa.insert.0.32b %0, %1 : v2.32b
  // CHECK-NEXT: %5 = pisa.insert.9.32b %2, %1 : v32.32b{{$}}
  %5 = pisa.insert.9.32b %2, %1 : v32.32b
  // CHECK-NEXT: %6 = pisa.insert.22.32b %2, %1 : v32.32b{{$}}
  %6 = pisa.insert.22.32b %2, %1 : v32.32b
  // CHECK-NEXT: %7 = pisa.insert.34.32b %3, %1 : v64.32b{{$}}
  %7 = pisa.insert.34.32b %3, %1 : v64.32b
  // CHECK-NEXT: %8 = pisa.insert.46.32b %3, %1 : v64.32b{{$}}
  %8 = pisa.insert.46.32b %3, %1 : v64.32b
  // CHECK-NEXT: %9 = pisa.insert.59.32b %3, %1 : v64.32b{{$}}
  %9 = pisa.insert.59.32b %3, %1 : v64.32b
  builtin.return
}

// CHECK-LABEL: function @isaddr(
function @isaddr(64b) {
^bb0(%0: 64b):
  // CHECK:      %1 = pisa.isaddr.private %0 : 32b{{$}}
  %1 = pisa.isaddr.private %0 : 32b
  // CHECK-NEXT: %2 = pisa.isaddr.shared %0 : 32b{{$}}
  %2 = pisa.isaddr.shared %0 : 32b
  // CHECK-NEXT: %3 = pisa.isaddr.global %0 : 32b{{$}}
  %3 = pisa.isaddr.global %0 : 32b
  builtin.return
}

// CHECK-LABEL: function @pf2i(
function @pf2i(v2.16b) {
^bb0(%0: v2.16b):
  // CHECK:      %1 = pisa.pf2i.s16x2.bfx2 %0 : v2.16b{{$}}
  %1 = pisa.pf2i.s16x2.bfx2 %0 : v2.16b
  // CHECK-NEXT: %2 = pisa.pf2i.s16x2.bfx2.rd %0 : v2.16b{{$}}
  %2 = pisa.pf2i.s16x2.bfx2.rd %0 : v2.16b
  // CHECK-NEXT: %3 = pisa.pf2i.s16x2.bfx2.ru %0 : v2.16b{{$}}
  %3 = pisa.pf2i.s16x2.bfx2.ru %0 : v2.16b
  // CHECK-NEXT: %4 = pisa.pf2i.s16x2.hfx2 %0 : v2.16b{{$}}
  %4 = pisa.pf2i.s16x2.hfx2 %0 : v2.16b
  // CHECK-NEXT: %5 = pisa.pf2i.s16x2.hfx2.rd %0 : v2.16b{{$}}
  %5 = pisa.pf2i.s16x2.hfx2.rd %0 : v2.16b
  // CHECK-NEXT: %6 = pisa.pf2i.s16x2.hfx2.re %0 : v2.16b{{$}}
  %6 = pisa.pf2i.s16x2.hfx2.re %0 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @sext(
function @sext(8b, 32b) {
^bb0(%0: 8b, %1: 32b):
  // CHECK:      %2 = pisa.sext.32b.8b %0 : 32b{{$}}
  %2 = pisa.sext.32b.8b %0 : 32b
  // CHECK-NEXT: %3 = pisa.sext.64b.32b %1 : 64b{{$}}
  %3 = pisa.sext.64b.32b %1 : 64b
  builtin.return
}

// CHECK-LABEL: function @trunc(
function @trunc(32b, 64b) {
^bb0(%0: 32b, %1: 64b):
  // CHECK:      %2 = pisa.trunc.16b.32b %0 : 16b{{$}}
  %2 = pisa.trunc.16b.32b %0 : 16b
  // CHECK-NEXT: %3 = pisa.trunc.8b.32b %0 : 8b{{$}}
  %3 = pisa.trunc.8b.32b %0 : 8b
  // CHECK-NEXT: %4 = pisa.trunc.32b.64b %1 : 32b{{$}}
  %4 = pisa.trunc.32b.64b %1 : 32b
  // CHECK-NEXT: %5 = pisa.trunc.8b.64b %1 : 8b{{$}}
  %5 = pisa.trunc.8b.64b %1 : 8b
  builtin.return
}

// CHECK-LABEL: function @zext(
function @zext(32b, 16b, 8b) {
^bb0(%0: 32b, %1: 16b, %2: 8b):
  // CHECK:      %3 = pisa.zext.64b.32b %0 : 64b{{$}}
  %3 = pisa.zext.64b.32b %0 : 64b
  // CHECK-NEXT: %4 = pisa.zext.64b.16b %1 : 64b{{$}}
  %4 = pisa.zext.64b.16b %1 : 64b
  // CHECK-NEXT: %5 = pisa.zext.64b.8b %2 : 64b{{$}}
  %5 = pisa.zext.64b.8b %2 : 64b
  // CHECK-NEXT: %6 = pisa.zext.32b.8b %2 : 32b{{$}}
  %6 = pisa.zext.32b.8b %2 : 32b
  builtin.return
}

// CHECK-LABEL: function @bitcast(
function @bitcast(128b) {
^bb0(%0: 128b):
  // CHECK:      %1 = pisa.bitcast %0 : v4.32b{{$}}
  %1 = pisa.bitcast %0 : v4.32b
  builtin.return
}

// CHECK-LABEL: function @scmp(
function @scmp(64b, 64b, 32b, 32b, 16b, 16b) {
^bb0(%0: 64b, %1: 64b, %2: 32b, %3: 32b, %4: 16b, %5: 16b):
  // CHECK:      %6 = pisa.scmp.eq.64b %0, %1 : 32b{{$}}
  %6 = pisa.scmp.eq.64b %0, %1 : 32b
  // CHECK-NEXT: %7 = pisa.scmp.ge.32b %2, %3 : 32b{{$}}
  %7 = pisa.scmp.ge.32b %2, %3 : 32b
  // CHECK-NEXT: %8 = pisa.scmp.gt.64b %0, %1 : 32b{{$}}
  %8 = pisa.scmp.gt.64b %0, %1 : 32b
  // CHECK-NEXT: %9 = pisa.scmp.le.32b %2, %3 : 32b{{$}}
  %9 = pisa.scmp.le.32b %2, %3 : 32b
  // CHECK-NEXT: %10 = pisa.scmp.lt.32b %2, %3 : pred{{$}}
  %10 = pisa.scmp.lt.32b %2, %3 : pred
  // CHECK-NEXT: %11 = pisa.scmp.ne.16b %4, %5 : pred{{$}}
  %11 = pisa.scmp.ne.16b %4, %5 : pred
  builtin.return
}

// CHECK-LABEL: function @ucmp(
function @ucmp(32b, 32b, 64b, 64b, v2.16b, v2.16b) {
^bb0(%0: 32b, %1: 32b, %2: 64b, %3: 64b, %4: v2.16b, %5: v2.16b):
  // CHECK:      %6 = pisa.ucmp.eq.32b %0, %1 : pred{{$}}
  %6 = pisa.ucmp.eq.32b %0, %1 : pred
  // CHECK-NEXT: %7 = pisa.ucmp.ge.32b %0, %1 : pred{{$}}
  %7 = pisa.ucmp.ge.32b %0, %1 : pred
  // CHECK-NEXT: %8 = pisa.ucmp.ne.32b %0, %1 : pred{{$}}
  %8 = pisa.ucmp.ne.32b %0, %1 : pred
  // CHECK-NEXT: %9 = pisa.ucmp.ge.64b %2, %3 : pred{{$}}
  %9 = pisa.ucmp.ge.64b %2, %3 : pred
  // CHECK-NEXT: %10 = pisa.ucmp.gt.16bx2 %4, %5 : v2.16b{{$}}
  %10 = pisa.ucmp.gt.16bx2 %4, %5 : v2.16b
  // CHECK-NEXT: %11 = pisa.ucmp.lt.16bx2 %4, %5 : v2.16b{{$}}
  %11 = pisa.ucmp.lt.16bx2 %4, %5 : v2.16b
  builtin.return
}

// CHECK-LABEL: function @fcmp(
function @fcmp(64b, 64b, v2.16b, v2.16b, 16b, 16b, 32b, 32b) {
^bb0(%0: 64b, %1: 64b, %2: v2.16b, %3: v2.16b, %4: 16b, %5: 16b, %6: 32b, %7: 32b):
  // CHECK:      %8 = pisa.fcmp.eq.df %0, %1 : pred{{$}}
  %8 = pisa.fcmp.eq.df %0, %1 : pred
  // CHECK-NEXT: %9 = pisa.fcmp.eq.ftz.df %0, %1 : 32b{{$}}
  %9 = pisa.fcmp.eq.ftz.df %0, %1 : 32b
  // CHECK-NEXT: %10 = pisa.fcmp.eq.hfx2 %2, %3 : v2.16b{{$}}
  %10 = pisa.fcmp.eq.hfx2 %2, %3 : v2.16b
  // CHECK-NEXT: %11 = pisa.fcmp.gt.bf %4, %5 : pred{{$}}
  %11 = pisa.fcmp.gt.bf %4, %5 : pred
  // CHECK-NEXT: %12 = pisa.fcmp.le.f %6, %7 : 32b{{$}}
  %12 = pisa.fcmp.le.f %6, %7 : 32b
  // CHECK-NEXT: %13 = pisa.fcmp.ne.bf %4, %5 : pred{{$}}
  %13 = pisa.fcmp.ne.bf %4, %5 : pred
  builtin.return
}

// CHECK-LABEL: function @sel(
function @sel(32b, 32b, pred, 64b, 64b, 16b, 16b) {
^bb0(%0: 32b, %1: 32b, %2: pred, %3: 64b, %4: 64b, %5: 16b, %6: 16b):
  // CHECK:      %7 = pisa.sel.32b %0, %1, %2 : 32b{{$}}
  %7 = pisa.sel.32b %0, %1, %2 : 32b
  // CHECK-NEXT: %8 = pisa.sel.64b %3, %4, %2 : 64b{{$}}
  %8 = pisa.sel.64b %3, %4, %2 : 64b
  // CHECK-NEXT: %9 = pisa.sel.16b %5, %6, %2 : 16b{{$}}
  %9 = pisa.sel.16b %5, %6, %2 : 16b
  builtin.return
}
