package asm

// slab gives small slices a place in large ones: a module has many small
// functions, and each has many small lists.
type slab[T any] struct {
	free []T
	size int // of the last large slice: each is twice as long as the one before
}

// slabLen is the greatest length of the large slices.
const slabLen = 1 << 10

// keep returns a copy of s; nil if s is empty.
func (b *slab[T]) keep(s []T) []T {
	n := len(s)
	if n == 0 {
		return nil
	}
	if n > len(b.free) {
		b.size = min(max(2*b.size, 16), slabLen)
		b.free = make([]T, max(n, b.size))
	}
	out := b.free[:n:n]
	b.free = b.free[n:]
	copy(out, s)
	return out
}
