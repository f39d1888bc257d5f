// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// Every op of the builtin dialect, and each way in which a row may be spelled.

// CHECK-LABEL: kernel @k(param %p size 8 align 8, param %n size 4 align 4)
kernel @k(param %p size 8 align 8, param %n size 4 align 4) {
  var @S shared size 64 align 16
^entry:
  // A payload comes before operands; the type of a result behind the colon.
  // CHECK:      %0 = pisa.ld.param.64b %p : 64b
  // CHECK-NEXT: %1 = pisa.addrof.32b @S : 32b
  // CHECK-NEXT: %2 = pisa.sreg.localid.x : 32b
  %p = pisa.ld.param.64b %p : 64b
  %s = pisa.addrof.32b @S : 32b
  %id = pisa.sreg.localid.x : 32b

  // Constants: decimal and negative numbers are read, bits are printed.
  // CHECK-NEXT: %3 = builtin.const 0xff : 8b
  // CHECK-NEXT: %4 = builtin.const 0x3f800000 : 32b
  // CHECK-NEXT: %5 = builtin.const 0xffffffffffffffff : 64b
  // CHECK-NEXT: %6 = builtin.const 0xfffffffffffffffffffffffffffffffe : 128b
  // CHECK-NEXT: %7 = builtin.const 0x100000000000000000 : 128b
  // CHECK-NEXT: %8 = builtin.const 0x1 : pred
  // CHECK-NEXT: %9 = builtin.const 0x7 : v4.32b
  %c8 = builtin.const -1 : 8b
  %one = builtin.const 1065353216 : 32b
  %c64 = builtin.const 18446744073709551615 : 64b
  %c128 = builtin.const -2 : 128b
  %big = builtin.const 0x100000000000000000 : 128b
  %true = builtin.const 1 : pred
  %v = builtin.const 7 : v4.32b

  // Qualifiers in the row's order; a default is not printed.
  // CHECK-NEXT: %10 = pisa.fadd.rz.ftz.dsat.f %4, %4 : 32b
  // CHECK-NEXT: %11 = pisa.fadd.f %4, %4 : 32b
  // CHECK-NEXT: %12 = pisa.bfn.0x0a.32b %2, %2, %2 : 32b
  // CHECK-NEXT: %13 = pisa.extract.3.32b %9 : 32b
  // CHECK-NEXT: %14 = pisa.ucmp.lt.32b %2, %4 : pred
  // CHECK-NEXT: %15, %16 = pisa.uaddc.co.32b %2, %4 : 32b, pred
  %a = pisa.fadd.rz.ftz.dsat.f %one, %one : 32b
  %b = pisa.fadd.re.f %one, %one : 32b
  %c = pisa.bfn.0x0a.32b %id, %id, %id : 32b
  %d = pisa.extract.3.32b %v : 32b
  %e = pisa.ucmp.lt.32b %id, %one : pred
  %f, %g = pisa.uaddc.co.32b %id, %one : 32b, pred

  // An address is in brackets, its offset too.
  // CHECK-NEXT: %17 = pisa.ld.global.v4.32b [%0] : v4.32b
  // CHECK-NEXT: pisa.st.shared.32b [%1 + %2], %10
  // CHECK-NEXT: %18 = pisa.iatom.global.acq_rel.gpu.add.32b [%0], %10 : 32b
  // CHECK-NEXT: pisa.barrier.workgroup
  %h = pisa.ld.global.v4.32b [%p] : v4.32b
  pisa.st.shared.32b [%s + %id], %a
  %i = pisa.iatom.global.acq_rel.gpu.add.32b [%p], %a : 32b
  pisa.barrier.workgroup

  // CHECK-NEXT: %19 = builtin.call @f(%2, %5) : 32b
  // CHECK-NEXT: builtin.call @f(%19, %5){{$}}
  // CHECK-NEXT: %20 = pisa.addrof.64b @f : 64b
  // CHECK-NEXT: %21 = builtin.call_indirect %20(%2, %5) : 32b
  // CHECK-NEXT: builtin.call_indirect %20(){{$}}
  // CHECK-NEXT: %22, %23 = builtin.parallel_copy %5, %8 : 64b, pred
  // CHECK-NEXT: builtin.return{{$}}
  // CHECK-NEXT: }
  %r = builtin.call @f(%id, %c64) : 32b
  builtin.call @f(%r, %c64)
  %fp = pisa.addrof.64b @f : 64b
  %q = builtin.call_indirect %fp(%id, %c64) : 32b
  builtin.call_indirect %fp()
  %x, %y = builtin.parallel_copy %c64, %true : 64b, pred
  builtin.return
}

// CHECK-LABEL: function @f(32b %a, 64b) -> 32b {
// CHECK-NEXT: ^bb0(%0: 32b, %1: 64b):
// CHECK-NEXT:   builtin.return %0
function @f(32b %a, 64b) -> 32b {
^b(%a: 32b, %b: 64b):
  builtin.return %a
}
