package ir

// slab hands out values of T carved from chunks, so that a function of n ops
// costs O(log n) heap allocations. Values are never freed one by one: they
// live as long as their function.
type slab[T any] struct {
	cur  []T
	next int // size of the next chunk
}

const (
	slabFirst = 8 // small: a module may have very many tiny functions
	slabMax   = 8192
)

// grow makes room for n contiguous values.
func (s *slab[T]) grow(n int) {
	size := max(s.next, slabFirst)
	s.next = min(size*2, slabMax)
	s.cur = make([]T, 0, max(size, n))
}

// take returns n zeroed contiguous values whose addresses never change.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if cap(s.cur)-len(s.cur) < n {
		if n > slabMax/4 {
			return make([]T, n) // or the rest of the chunk would be wasted
		}
		s.grow(n)
	}
	i := len(s.cur)
	s.cur = s.cur[:i+n]
	return s.cur[i : i+n : i+n]
}

// one returns one zeroed value.
func (s *slab[T]) one() *T {
	if len(s.cur) == cap(s.cur) {
		s.grow(1)
	}
	i := len(s.cur)
	s.cur = s.cur[:i+1]
	return &s.cur[i]
}
