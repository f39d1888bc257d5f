package filecheck

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
)

// format is how a numeric value is written in the input.
type format struct {
	verb      byte // 'u', 'd', 'x', 'X'; 0: none given
	precision int
	alternate bool // 0x before the digits
}

// maxPrecision is the largest count a repetition in a regular expression can have.
const maxPrecision = 255

func (f format) String() string {
	if f.verb == 0 {
		return "<none>"
	}
	return "%" + string(f.verb)
}

// wildcard returns the regular expression of all values in the format.
func (f format) wildcard() string {
	sign, prefix, digit, nonzero := "", "", "[0-9]", "[1-9]"
	switch f.verb {
	case 'd':
		sign = "-?"
	case 'x':
		digit, nonzero = "[0-9a-f]", "[1-9a-f]"
	case 'X':
		digit, nonzero = "[0-9A-F]", "[1-9A-F]"
	}
	if f.alternate {
		prefix = "0x"
	}
	if f.precision > 0 {
		return sign + prefix + "(" + nonzero + digit + "*)?" + digit + "{" + strconv.Itoa(f.precision) + "}"
	}
	return sign + prefix + digit + "+"
}

var errOverflow = errors.New("unable to substitute variable or numeric expression: overflow error")

// text writes a value in the format.
func (f format) text(v *big.Int) (string, error) {
	if f.verb != 'd' && v.Sign() < 0 {
		return "", errOverflow
	}
	base, sign := 10, ""
	if f.verb == 'x' || f.verb == 'X' {
		base = 16
	}
	digits := new(big.Int).Abs(v).Text(base)
	if f.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	if v.Sign() < 0 {
		sign = "-"
	}
	if f.alternate {
		sign += "0x"
	}
	return sign + strings.Repeat("0", max(0, f.precision-len(digits))) + digits, nil
}

// value reads what the wildcard of the format matched.
func (f format) value(s string) *big.Int {
	base := 10
	if f.verb == 'x' || f.verb == 'X' {
		base = 16
	}
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if f.alternate {
		s = strings.TrimPrefix(s, "0x")
	}
	v, ok := new(big.Int).SetString(s, base)
	if !ok {
		panic("filecheck: the wildcard of a numeric format matched what is no number: " + s)
	}
	if negative {
		v.Neg(v)
	}
	return v
}

// numericVar is a numeric variable. value is nil while it is undefined.
type numericVar struct {
	name    string
	format  format
	line    int // of the directive that defines it; 0: command line or nowhere yet
	value   *big.Int
	written slice // the text in the input that gave the value
}

// expression is a numeric expression in postfix order, so that evaluating it
// needs no recursion.
type expression struct {
	code   []term
	format format
}

// term is a literal, a variable or a binary function of the two values before it.
type term struct {
	literal  *big.Int
	variable *numericVar
	at       slice // of the variable's name
	apply    binary
}

// maxBits limits products: repeated squaring would outgrow any memory.
const maxBits = 1 << 20

type binary func(a, b *big.Int) *big.Int // nil: no result

var functions = map[string]binary{
	"add": func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) },
	"sub": func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) },
	"mul": func(a, b *big.Int) *big.Int {
		if a.BitLen()+b.BitLen() > maxBits {
			return nil
		}
		return new(big.Int).Mul(a, b)
	},
	"div": func(a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return nil
		}
		return new(big.Int).Quo(a, b)
	},
	"max": func(a, b *big.Int) *big.Int {
		if a.Cmp(b) < 0 {
			return b
		}
		return a
	},
	"min": func(a, b *big.Int) *big.Int {
		if a.Cmp(b) < 0 {
			return a
		}
		return b
	},
}

// undefined is the use of a variable that has no value.
type undefined struct{ at slice }

func (u undefined) Error() string { return "undefined variable: " + u.at.s }

// eval computes the value. It reports every undefined variable.
func (e *expression) eval() (*big.Int, []error) {
	var errs []error
	var stack []*big.Int
	for _, t := range e.code {
		switch {
		case t.literal != nil:
			stack = append(stack, t.literal)
		case t.variable != nil:
			v := t.variable.value
			if v == nil {
				errs = append(errs, undefined{t.at})
				v = new(big.Int)
			}
			stack = append(stack, v)
		default:
			n := len(stack)
			v := t.apply(stack[n-2], stack[n-1])
			if v == nil {
				if len(errs) == 0 {
					errs = append(errs, errOverflow)
				}
				return nil, errs
			}
			stack = append(stack[:n-2], v)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return stack[0], nil
}
