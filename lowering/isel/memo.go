package isel

import (
	"slices"

	"pisac/ir"
)

// What was selected already is found in tables by the ID of a value.

// byID has values by the ID of another.
type byID []*ir.Value

func (t byID) get(id uint32) *ir.Value {
	if int(id) < len(t) {
		return t[id]
	}
	return nil
}

func (t *byID) put(id uint32, v *ir.Value) {
	*t = sized(*t, id)
	(*t)[id] = v
}

// sized is t with zeros up to element id, grown by half or more.
func sized[T any](t []T, id uint32) []T {
	if n := int(id) + 1 - len(t); n > 0 {
		t = slices.Grow(t, n)
		t = t[:cap(t)]
	}
	return t
}

// ofBlock is byID of values that are good in one block.
type ofBlock struct {
	byID
	ids []uint32 // that were put
}

func (t *ofBlock) put(id uint32, v *ir.Value) {
	t.byID.put(id, v)
	t.ids = append(t.ids, id)
}

func (t *ofBlock) clear() {
	for _, id := range t.ids {
		t.byID[id] = nil
	}
	t.ids = t.ids[:0]
}

// lists has values by the ID of another and a second key, in lists by ID,
// which are short.
type lists[K comparable] struct {
	head []int32 // by ID: 1 + index into all
	all  []listed[K]
}

type listed[K comparable] struct {
	id   uint32
	next int32
	key  K
	v    *ir.Value
}

func (t *lists[K]) get(id uint32, key K) *ir.Value {
	if int(id) >= len(t.head) {
		return nil
	}
	for i := t.head[id]; i != 0; i = t.all[i-1].next {
		if e := &t.all[i-1]; e.key == key {
			return e.v
		}
	}
	return nil
}

func (t *lists[K]) put(id uint32, key K, v *ir.Value) {
	t.head = sized(t.head, id)
	t.all = append(t.all, listed[K]{id, t.head[id], key, v})
	t.head[id] = int32(len(t.all))
}

func (t *lists[K]) clear() {
	for i := range t.all {
		t.head[t.all[i].id] = 0
	}
	t.all = t.all[:0]
}

// immediates has constants by value and type.
type immediates struct {
	small [2][65]*ir.Value // of 32 and 64 bits
	other map[immKey]*ir.Value
}

func (t *immediates) place(k immKey) **ir.Value {
	if k.v < uint64(len(t.small[0])) {
		switch k.t {
		case ir.B32:
			return &t.small[0][k.v]
		case ir.B64:
			return &t.small[1][k.v]
		}
	}
	return nil
}

func (t *immediates) get(k immKey) *ir.Value {
	if p := t.place(k); p != nil {
		return *p
	}
	return t.other[k]
}

func (t *immediates) put(k immKey, v *ir.Value) {
	if p := t.place(k); p != nil {
		*p = v
		return
	}
	if t.other == nil {
		t.other = map[immKey]*ir.Value{}
	}
	t.other[k] = v
}
