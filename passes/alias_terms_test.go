package passes

import "testing"

// Addresses of more terms than the analysis follows are not known to be equal:
// five indices here, of which two differ.
func TestAddressesOfManyTermsDiffer(t *testing.T) {
	const in = `function @f(64b, 64b, 64b, 64b, 64b, 64b) -> 32b {
^bb0(%p: 64b, %a: 64b, %b: 64b, %c: 64b, %d: 64b, %e: 64b):
  %1 = pisa.iadd.64b %p, %a : 64b
  %2 = pisa.iadd.64b %1, %b : 64b
  %3 = pisa.iadd.64b %2, %c : 64b
  %4 = pisa.ld.global.32b [%3 + %d] : 32b
  %5 = pisa.ld.global.32b [%3 + %e] : 32b
  %6 = pisa.isub.32b %4, %5 : 32b
  builtin.return %6
}
`
	same(t, in, optimize(t, "store-forward", in))
	same(t, in, optimize(t, "vectorize-memory", in))
}
