// RUN: pisac -O0 --emit=ir -o - %s | FileCheck %s
// Blocks keep their order, whatever branches mention them first; values and
// blocks are numbered in that order; predecessors are a comment.

// CHECK-LABEL: kernel @loop
// CHECK-NEXT: ^bb0:
// CHECK-NEXT:   %0 = builtin.const 0x0 : 32b
// CHECK-NEXT:   %1 = builtin.const 0xa : 32b
// CHECK-NEXT:   builtin.br ^bb1(%0, %1)
// CHECK-NEXT: ^bb1(%2: 32b, %3: 32b): // preds: ^bb0, ^bb3
// CHECK-NEXT:   %4 = pisa.ucmp.lt.32b %2, %3 : pred
// CHECK-NEXT:   builtin.cond_br %4, ^bb3(%2), ^bb2
// CHECK-NEXT: ^bb2: // preds: ^bb1
// CHECK-NEXT:   builtin.return
// CHECK-NEXT: ^bb3(%5: 32b): // preds: ^bb1
// CHECK-NEXT:   %6 = pisa.iadd.32b %5, %3 : 32b
// CHECK-NEXT:   builtin.br ^bb1(%6, %3)
// CHECK-NEXT: }
kernel @loop() {
^entry:
  %zero = builtin.const 0 : 32b
  %ten = builtin.const 10 : 32b
  builtin.br ^head(%zero, %ten)
^head(%i: 32b, %n: 32b):
  %more = pisa.ucmp.lt.32b %i, %n : pred
  builtin.cond_br %more, ^body(%i), ^done
^done:
  builtin.return
^body(%j: 32b):
  %next = pisa.iadd.32b %j, %n : 32b
  builtin.br ^head(%next, %n)
}

// Both edges of a branch may lead to one block, with other values.
// CHECK-LABEL: function @same
// CHECK:         builtin.cond_br %1, ^bb1(%0), ^bb1(%2)
// CHECK-NEXT:  ^bb1(%3: 32b): // preds: ^bb0{{$}}
function @same(32b, pred) -> 32b {
^entry(%a: 32b, %p: pred):
  %b = pisa.ineg.32b %a : 32b
  builtin.cond_br %p, ^join(%a), ^join(%b)
^join(%r: 32b):
  builtin.return %r
}

// A block that nothing leads to stays; there a use may precede its definition.
// CHECK-LABEL: kernel @unreachable
// CHECK:       ^bb1: // preds: ^bb2
// CHECK-NEXT:    %0 = pisa.iadd.32b %1, %1 : 32b
// CHECK:       ^bb2: // preds: ^bb1
// CHECK-NEXT:    %1 = pisa.iadd.32b %0, %0 : 32b
kernel @unreachable() {
^entry:
  builtin.return
^x:
  %a = pisa.iadd.32b %b, %b : 32b
  builtin.br ^y
^y:
  %b = pisa.iadd.32b %a, %a : 32b
  builtin.br ^x
}

// Irreducible: two entries into a cycle.
// CHECK-LABEL: function @irreducible
// CHECK:       ^bb1: // preds: ^bb0, ^bb2
// CHECK:       ^bb2: // preds: ^bb0, ^bb1
function @irreducible(pred) {
^entry(%p: pred):
  builtin.cond_br %p, ^a, ^b
^a:
  builtin.br ^b
^b:
  builtin.cond_br %p, ^a, ^end
^end:
  builtin.unreachable
}
