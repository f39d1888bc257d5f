package asm

import "hash/maphash"

// internTable numbers strings from 1 in the order of their first mention. The
// strings are pieces of the source text, so that nothing is copied; a slot
// holds the hash, so that a search touches one string and growing none.
type internTable struct {
	seed  maphash.Seed
	slots []internSlot // a power of two, at most three quarters full
	texts []string
}

type internSlot struct {
	hash uint32
	id   uint32 // 0: free
}

const internMinSlots = 64

func newInternTable() internTable {
	return internTable{seed: maphash.MakeSeed(), slots: make([]internSlot, internMinSlots), texts: make([]string, 1)}
}

// id returns the number of text, and whether it is new.
func (t *internTable) id(text string) (id uint32, fresh bool) {
	h := uint32(maphash.String(t.seed, text))
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for ; t.slots[i].id != 0; i = (i + 1) & mask {
		if s := t.slots[i]; s.hash == h && t.texts[s.id] == text {
			return s.id, false
		}
	}
	id = uint32(len(t.texts))
	t.texts = append(t.texts, text)
	t.slots[i] = internSlot{h, id}
	if 4*len(t.texts) > 3*len(t.slots) {
		t.grow()
	}
	return id, true
}

func (t *internTable) grow() {
	old := t.slots
	t.slots = make([]internSlot, 4*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}
