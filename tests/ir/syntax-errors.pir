// RUN: pisac -O0 --emit=ir --verify-diagnostics --split-input-file %s
// Mistakes in the text. One run reports them all, and each where it is.

// expected-error@+1 {{expected var, kernel or function}}
nonsense
// expected-error@+1 {{expected an address space}}
var @x moon size 1
// expected-note@+1 {{first defined here}}
kernel @k(param %a size 8) {
// expected-note@+1 {{first defined here}}
^bb0:
  // expected-error@+1 {{no op is called pisa.iad; did you mean pisa.iadd?}}
  %0 = pisa.iad %1, %1 : 32b
  // Uses of what did not parse are not reported.
  // expected-note@+1 {{first defined here}}
  %2 = pisa.ineg.32b %0 : 32b
  // expected-error@+1 {{pisa.iadd needs the qualifier .type: one of}}
  %3 = pisa.iadd %2, %2 : 32b
  // expected-error@+1 {{pisa.ineg does not have the qualifier .32b here}}
  %4 = pisa.ineg.16b.32b %2 : 32b
  // expected-error@+1 {{undefined value %nix}}
  %5 = pisa.ineg.32b %nix : 32b
  // expected-error@+1 {{undefined parameter %b}}
  %6 = pisa.ld.param.64b %b : 64b
  // expected-error@+1 {{undefined symbol @nix}}
  builtin.call @nix()
  // expected-error@+1 {{the constant does not fit its type}}
  %7 = builtin.const 256 : 8b
  // expected-error@+1 {{32c is not the type of a value}}
  %8 = pisa.ineg.32b %2 : 32c
  // expected-error@+1 {{1 results but 2 result types}}
  %9 = pisa.ineg.32b %2 : 32b, 32b
  // expected-error@+1 {{expected an address in brackets}}
  pisa.st.global.32b %2, %2
  // expected-error@+1 {{redefinition of %2}}
  %2 = pisa.ineg.32b %2 : 32b
  // expected-error@+1 {{undefined block ^nix}}
  builtin.br ^nix
// expected-error@+1 {{redefinition of ^bb0}}
^bb0:
  builtin.return
}
// expected-error@+1 {{redefinition of @k}}
kernel @k() {
^bb0:
  builtin.return
}

// -----

kernel @k() {
^bb0:
  // expected-error@+2 {{expected '}' before the end of the file}}
  builtin.return
