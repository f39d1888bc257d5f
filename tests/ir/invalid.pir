// RUN: pisac -O0 --emit=ir --verify-diagnostics --split-input-file %s
// Text that reads but breaks an invariant, by its number. Those that no text
// can break are in ir/verify_test.go.

kernel @no_terminator() {
^bb0:
  // expected-error@+2 {{I1: builtin.const: the block does not end in a terminator}}
  // expected-note@+1 {{in @no_terminator, ^bb0: %0 = builtin.const 0x1 : 32b}}
  %0 = builtin.const 1 : 32b
}

// -----

kernel @two_terminators() {
^bb0:
  // expected-error@+2 {{I1: builtin.return: a terminator stands before the end of its block}}
  // expected-note@+1 {{in @two_terminators}}
  builtin.return
  builtin.return
}

// -----

kernel @empty() {
// expected-error@+2 {{I1: ^bb0: the block is empty}}
// expected-note@+1 {{in @empty}}
^bb0:
}

// -----

kernel @entry_pred() {
// expected-error@+2 {{I2: ^bb0: the entry block has predecessors}}
// expected-note@+1 {{in @entry_pred}}
^bb0:
  builtin.br ^bb0
}

// -----

function @entry_args(32b) {
// expected-error@+2 {{I2: ^bb0: argument 0 is 64b, the signature says 32b}}
// expected-note@+1 {{in @entry_args}}
^bb0(%0: 64b):
  builtin.return
}

// -----

function @edges(32b) {
^bb0(%0: 32b):
  // expected-error@+2 {{I3: builtin.br: passes 0 values to a block of 1 arguments}}
  // expected-note@+1 {{in @edges}}
  builtin.br ^bb1
^bb1(%1: 64b):
  // expected-error@+2 {{I3: builtin.br: passes 32b for argument 0, which is 64b}}
  // expected-note@+1 {{in @edges}}
  builtin.br ^bb1(%0)
}

// -----

function @dominance(pred) {
^bb0(%p: pred):
  // expected-error@+2 {{I4: pisa.ineg: operand 0 (src0) is not dominated by its definition}}
  // expected-note@+1 {{in @dominance, ^bb0: %1 = pisa.ineg.32b %2 : 32b}}
  %a = pisa.ineg.32b %b : 32b
  %b = builtin.const 1 : 32b
  builtin.cond_br %p, ^bb1, ^bb2
^bb1:
  %c = builtin.const 1 : 32b
  builtin.br ^bb2
^bb2:
  // expected-error@+2 {{I4: pisa.iadd: operand 1 (src1) is not dominated by its definition}}
  // expected-note@+1 {{in @dominance}}
  %d = pisa.iadd.32b %b, %c : 32b
  builtin.return
}

// -----

function @counts(32b) {
^bb0(%0: 32b):
  // expected-error@+2 {{I6: pisa.iadd: has 1 operands where its row has 2}}
  // expected-note@+1 {{in @counts}}
  %1 = pisa.iadd.32b %0 : 32b
  // expected-error@+2 {{I6: pisa.iadd: has 0 results where its row has 1}}
  // expected-note@+1 {{in @counts}}
  pisa.iadd.32b %0, %0
  // expected-error@+2 {{I6: builtin.br: has 2 successors, not 1}}
  // expected-note@+1 {{in @counts}}
  builtin.br ^bb1, ^bb1
^bb1:
  builtin.return
}

// -----

function @payload() {
^bb0:
  // expected-error@+2 {{I8: builtin.call: the callee is not a device function}}
  // expected-note@+1 {{in @payload}}
  builtin.call @v()
  builtin.return
}
var @v global size 1 align 1

// -----

function @types(32b, 64b) {
^bb0(%0: 32b, %1: 64b):
  // expected-error@+2 {{I9: builtin.call_indirect: operand 0 (callee) is 32b, not 64b}}
  // expected-note@+1 {{in @types}}
  builtin.call_indirect %0()
  // expected-error@+2 {{I9: builtin.cond_br: operand 0 (cond) is 64b, not pred}}
  // expected-note@+1 {{in @types}}
  builtin.cond_br %1, ^bb1, ^bb1
^bb1:
  builtin.return
}

// -----

// expected-error@+2 {{I11: @no_body has no body but is not imported}}
// expected-note@+1 {{in @no_body}}
function @no_body()

// -----

kernel @call() {
^bb0:
  %0 = builtin.const 1 : 32b
  // expected-error@+2 {{I11: builtin.call: argument 0 is 32b where the function takes 64b}}
  // expected-note@+1 {{in @call}}
  builtin.call @f(%0)
  // expected-error@+2 {{I11: builtin.call: passes 0 arguments to a function of 1 parameters}}
  // expected-note@+1 {{in @call}}
  builtin.call @f()
  builtin.return
}
function @f(64b) import

// -----

function @ret(32b) -> 64b {
^bb0(%0: 32b):
  // expected-error@+2 {{I12: builtin.return: returns 32b from a function that returns 64b}}
  // expected-note@+1 {{in @ret}}
  builtin.return %0
}

// -----

// expected-error@+1 {{I13: @a: the alignment is not a power of two}}
var @a global size 1 align 3
// expected-error@+1 {{I13: @b: the initialiser is longer than the variable}}
var @b const size 1 align 1 = { zero 2 }
// expected-error@+1 {{I13: @c: a shared variable is declared outside of a function}}
var @c shared size 1 align 1
kernel @k() {
  // expected-error@+1 {{I13: @d: a global variable is declared in a function}}
  var @d global size 1 align 1
  // expected-error@+1 {{I13: @e: only const and global variables that are not imported have an initialiser}}
  var @e private size 1 align 1 = { zero 1 }
^bb0:
  builtin.return
}
