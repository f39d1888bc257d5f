package ir

import "strings"

// Reg is a physical register after allocation: 0 is none, else 1 + the number
// that AMD's encodings of source operands use for it. A value of several
// registers has the first one's.
type Reg uint32

// Physical registers.
const (
	NoReg          Reg = 0
	RegS0          Reg = 1 + 0   // s0…s105
	RegVCC         Reg = 1 + 106 // of two registers in waves of 64
	RegTTMP        Reg = 1 + 108 // ttmp0…ttmp15
	RegPrivateBase Reg = 1 + 237 // the same of scratch memory
	RegM0          Reg = 1 + 124
	RegNull        Reg = 1 + 125 // reads as 0, writes are lost
	RegExec        Reg = 1 + 126 // of two registers in waves of 64
	RegSharedBase  Reg = 1 + 235 // 64 bits: the aperture of local memory in flat addresses
	RegSCC         Reg = 1 + 253
	RegV0          Reg = 1 + 256 // v0…v255
	RegEnd         Reg = RegV0 + 512
)

var regNames = [...]struct {
	reg  Reg
	name string
}{{RegVCC, "vcc"}, {RegVCC + 1, "vcc_hi"}, {RegM0, "m0"}, {RegNull, "null"}, {RegExec, "exec"}, {RegExec + 1, "exec_hi"}, {RegSharedBase, "src_shared_base"}, {RegPrivateBase, "src_private_base"}, {RegSCC, "scc"}}

// SReg and VReg return scalar and vector register n.
func SReg(n int) Reg { return RegS0 + Reg(n) }
func VReg(n int) Reg { return RegV0 + Reg(n) }

// IsV reports a vector register.
func (r Reg) IsV() bool { return r >= RegV0 }

// Index is n of vn or sn.
func (r Reg) Index() int {
	if r.IsV() {
		return int(r - RegV0)
	}
	return int(r - RegS0)
}

// AppendText appends the register's name: "s4", "v0", "vcc".
func (r Reg) AppendText(b []byte) []byte {
	if r.IsV() {
		return appendUint(append(b, 'v'), uint64(r-RegV0))
	}
	for i := range regNames {
		if regNames[i].reg == r {
			return append(b, regNames[i].name...)
		}
	}
	if r >= RegTTMP && r < RegM0 {
		return appendUint(append(b, "ttmp"...), uint64(r-RegTTMP))
	}
	return appendUint(append(b, 's'), uint64(r-RegS0))
}

func (r Reg) String() string { return string(r.AppendText(nil)) }

// ParseReg reads what AppendText writes.
func ParseReg(s string) (Reg, bool) {
	for i := range regNames {
		if regNames[i].name == s {
			return regNames[i].reg, true
		}
	}
	if d, ok := strings.CutPrefix(s, "ttmp"); ok {
		for n := range Reg(16) {
			if d == string(appendUint(nil, uint64(n))) {
				return RegTTMP + n, true
			}
		}
	}
	if len(s) < 2 || len(s) > 4 || s[1] == '0' && len(s) > 2 {
		return NoReg, false
	}
	n := 0
	for _, c := range []byte(s[1:]) {
		if c < '0' || c > '9' {
			return NoReg, false
		}
		n = n*10 + int(c-'0')
	}
	switch {
	case s[0] == 's' && n < 106:
		return SReg(n), true
	case s[0] == 'v' && n < 512:
		return VReg(n), true
	}
	return NoReg, false
}
