package interp

import (
	"encoding/binary"
	"fmt"
)

// Address map. Global, constant and generic addresses are one 64-bit value;
// bits 63:60 tell the shared and private apertures from it. A shared generic
// address holds its work-group in bits 59:32, a private one its work-item, so
// that a pointer used by somebody else is seen.
const (
	tagShift   = 60
	tagGlobal  = 0
	tagShared  = 1
	tagPrivate = 2
	ownerShift = 32
	ownerMask  = 1<<28 - 1

	globalBase = 0x1000_0000_0000 // first data address
	codeBase   = 0x0f00_0000_0000 // function i is at codeBase + 16 i
	codeStep   = 16

	null32 = 0xffff_ffff // null of shared and private (PISA 4.1)
)

// Most bytes that a run takes: of variables in global and constant memory, of
// the shared memory of a work-group, of the private memory of a function.
const (
	maxGlobal  = 1 << 33
	maxShared  = 1 << 24
	maxPrivate = 1 << 26
)

// Shadow bytes of shared and private memory. Bit 0: part of an object.
const (
	shNone   = 0
	shUninit = 1
	shInit   = 3
)

// objectAt says which of objs holds or is next to offset off.
func objectAt(objs []object, off uint64) string {
	for i := range objs {
		o := &objs[i]
		switch {
		case off >= o.off && off < o.off+o.size:
			return fmt.Sprintf("%d bytes into %s (%d bytes)", off-o.off, o.name, o.size)
		case off >= o.off+o.size && off < o.off+o.size+redzone+16:
			return fmt.Sprintf("%d bytes past the end of %s (%d bytes)", off-o.off-o.size, o.name, o.size)
		case off < o.off && o.off-off <= redzone:
			return fmt.Sprintf("%d bytes before %s (%d bytes)", o.off-off, o.name, o.size)
		}
	}
	return "in no object"
}

// loadWord reads the low n bytes (1, 2, 4, 8 or 3) of p.
func loadWord(p []byte, n int) uint64 {
	switch n {
	case 1:
		return uint64(p[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(p))
	case 4:
		return uint64(binary.LittleEndian.Uint32(p))
	case 8:
		return binary.LittleEndian.Uint64(p)
	}
	v := uint64(0)
	for i := range n {
		v |= uint64(p[i]) << (8 * i)
	}
	return v
}

func storeWord(p []byte, n int, v uint64) {
	switch n {
	case 1:
		p[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(p, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(p, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(p, v)
	default:
		for i := range n {
			p[i] = byte(v >> (8 * i))
		}
	}
}

// allInit reports that every byte of a shadow is initialised; bounded that
// every one belongs to an object.
func allInit(sh []byte) bool {
	switch len(sh) {
	case 4:
		return binary.LittleEndian.Uint32(sh) == 0x03030303
	case 8:
		return binary.LittleEndian.Uint64(sh) == 0x0303030303030303
	}
	for _, b := range sh {
		if b != shInit {
			return false
		}
	}
	return true
}

func bounded(sh []byte) bool {
	switch len(sh) {
	case 4:
		return binary.LittleEndian.Uint32(sh)&0x01010101 == 0x01010101
	case 8:
		return binary.LittleEndian.Uint64(sh)&0x0101010101010101 == 0x0101010101010101
	}
	for _, b := range sh {
		if b == shNone {
			return false
		}
	}
	return true
}

func setInit(sh []byte) {
	switch len(sh) {
	case 4:
		binary.LittleEndian.PutUint32(sh, 0x03030303)
	case 8:
		binary.LittleEndian.PutUint64(sh, 0x0303030303030303)
	default:
		for i := range sh {
			sh[i] = shInit
		}
	}
}
