package ir

// nameTable maps names to T. Names prefix0, prefix1, … that come about in
// order, as the printer writes them, index a slice; all others go to a map, so
// that no memory is bought with a large number.
type nameTable[T any] struct {
	prefix string
	dense  []*T
	named  map[string]*T
}

// maxGap is how far beyond its end the slice is stretched by one name.
const maxGap = 8

func (t *nameTable[T]) reset() {
	t.dense = t.dense[:0]
	if len(t.named) > 0 {
		t.named = nil // clearing would cost what the largest function took
	}
}

func (t *nameTable[T]) get(name []byte) *T {
	if n, ok := t.number(name); ok && n < len(t.dense) && t.dense[n] != nil {
		return t.dense[n]
	}
	return t.named[string(name)]
}

func (t *nameTable[T]) set(name []byte, v *T) {
	if n, ok := t.number(name); ok && n < len(t.dense)+maxGap {
		for n >= len(t.dense) {
			t.dense = append(t.dense, nil)
		}
		t.dense[n] = v
		return
	}
	if t.named == nil {
		t.named = make(map[string]*T)
	}
	t.named[string(name)] = v
}

// number returns the number in a canonical name.
func (t *nameTable[T]) number(name []byte) (int, bool) {
	k := len(t.prefix)
	if len(name) <= k || len(name) > k+9 || string(name[:k]) != t.prefix {
		return 0, false
	}
	if name = name[k:]; name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	n := 0
	for _, c := range name {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
