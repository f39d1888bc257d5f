module version 0.1 target 100

var @tab const size 8 align 4 = { bytes 0x01000000, zero 4 }
var @fp const size 8 align 8 = { sym @twice }

kernel @k(param %a size 8 align 8 space global ptr_align 4, param %n size 4 align 4) reqd_work_group_size(64, 1, 1) {
  var @S shared size 1024 align 16
^bb0:
  %0 = pisa.ld.param.64b %a : 64b
  %1 = pisa.ld.param.32b %n : 32b
  %2 = pisa.sreg.localid.x : 32b
  %3 = pisa.zext.64b.32b %2 : 64b
  %4 = pisa.addrof.32b @S : 32b
  %5 = builtin.const 0x0 : 32b
  builtin.br ^bb1(%5, %3)
^bb1(%6: 32b, %7: 64b):  // preds: ^bb0, ^bb2
  %8 = pisa.ucmp.lt.32b %6, %1 : pred
  builtin.cond_br %8, ^bb2, ^bb3(%6)
^bb2:  // preds: ^bb1
  %9 = pisa.ld.global.32b [%0 + %7] : 32b
  %10 = builtin.call @twice(%9) : 32b
  pisa.st.shared.32b [%4], %10
  pisa.barrier.workgroup
  %11 = builtin.const 0x3f800000 : 32b
  %12 = pisa.fadd.rz.f %10, %11 : 32b
  %13 = pisa.iatom.global.acq_rel.gpu.add.32b [%0], %12 : 32b
  %14 = pisa.iadd.32b %6, %13 : 32b
  builtin.br ^bb1(%14, %7)
^bb3(%15: 32b):  // preds: ^bb1
  %16 = pisa.addrof.64b @twice : 64b
  %17 = builtin.call_indirect %16(%15) : 32b
  builtin.return
}

function @twice(32b %x) -> 32b {
^bb0(%0: 32b):
  %1 = pisa.iadd.32b %0, %0 : 32b
  builtin.return %1
}

function @elsewhere(v4.32b, 64b) import
