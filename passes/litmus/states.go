package litmus

// stateSet is a set of final states with counts: words of equal length in one
// slice, found through an open hash table.
type stateSet struct {
	width  int
	words  []uint64
	counts []uint64
	table  []int32 // index + 1
}

func (s *stateSet) reset(width int) {
	s.width = width
	s.words, s.counts = s.words[:0], s.counts[:0]
	if s.table == nil {
		s.table = make([]int32, 64)
	}
	clear(s.table)
}

func (s *stateSet) len() int { return len(s.counts) }

func (s *stateSet) at(i int) []uint64 { return s.words[i*s.width : (i+1)*s.width] }

func hashWords(w []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range w {
		h ^= v
		h *= 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// find returns the index of a state, -1 if it is not there, and its place in
// the table.
func (s *stateSet) find(w []uint64) (int, int) {
	m := len(s.table) - 1
	k := int(hashWords(w)) & m
	for ; s.table[k] != 0; k = (k + 1) & m {
		i := int(s.table[k]) - 1
		if equalWords(s.at(i), w) {
			return i, k
		}
	}
	return -1, k
}

func equalWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// add counts n more executions that end in state w and returns its index.
func (s *stateSet) add(w []uint64, n uint64) (index int, isNew bool) {
	i, k := s.find(w)
	if i >= 0 {
		s.counts[i] += n
		return i, false
	}
	i = len(s.counts)
	s.words = append(s.words, w...)
	s.counts = append(s.counts, n)
	s.table[k] = int32(i + 1)
	if 2*len(s.counts) > len(s.table) {
		s.table = make([]int32, 2*len(s.table))
		for j := range s.counts {
			_, k := s.find(s.at(j))
			s.table[k] = int32(j + 1)
		}
	}
	return i, true
}
