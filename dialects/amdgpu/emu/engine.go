package emu

import (
	"encoding/binary"
	"fmt"

	"pisac/dialects/amdgpu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/ir"
)

// engine is one run.
type engine struct {
	launch    *Launch
	mode      *target.Mode
	prog      *program
	mem       *host.Memory
	globalLen uint64 // bytes of variables so far
	host.Range
	kernarg  uint64 // addresses
	packet   uint64
	ldsBytes uint64
	scratch  uint64
	vgprs    int
	sgprs    int
	fpMode   uint8
	maxSteps uint64
	hazards  *hazardWaits

	rng        rng
	seeded     bool
	steps      uint64
	waves      uint64
	version    uint64 // changes with every access to memory
	counts     [amdgpu.NumFamilies]uint64
	freeGroups []*group
	fault      *fault
	weak       weakMemory

	over [64]byte // scratch
	wide [64]byte
}

// rng is splitmix64.
type rng struct{ state uint64 }

func (r *rng) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

func (eng *engine) gfx9() bool  { return eng.mode.Generation == target.GFX9 }
func (eng *engine) gfx12() bool { return eng.mode.Generation == target.GFX12 }

// Run executes a kernel of m as mode's chip does. Errors go to ds; the result
// is nil if there was one. Buffers of l change in place.
func Run(m *ir.Module, mode target.Mode, l *Launch, ds *ir.Diags) *Stats {
	eng := &engine{launch: l, mode: &mode, mem: host.NewMemory(globalBase), maxSteps: l.MaxSteps, fpMode: l.FPMode, seeded: l.Seed != 0 || l.Memory == Weak}
	if eng.maxSteps == 0 {
		eng.maxSteps = DefaultMaxSteps
	}
	if eng.fpMode == 0 {
		eng.fpMode = DefaultFPMode
	}
	eng.rng.state = l.Seed
	if bad := eng.prepare(m); bad != nil {
		ds.Add(bad.diag())
		return nil
	}
	eng.execute()
	if eng.fault != nil {
		ds.Add(eng.fault.diag())
		return nil
	}
	eng.weak.flush(eng)
	return eng.stats()
}

func (eng *engine) stats() *Stats {
	st := &Stats{Kernel: eng.prog.fn.Name, WorkGroups: eng.Groups, Waves: eng.waves, Instructions: eng.steps,
		Classes: map[string]uint64{}, VGPRs: eng.vgprs, SGPRs: eng.sgprs}
	for f, n := range eng.counts {
		if n > 0 {
			st.Classes[familyNames[f]] += n
		}
	}
	return st
}

var familyNames = [amdgpu.NumFamilies]string{amdgpu.Pseudo: "symaddr", amdgpu.SOP1: "salu", amdgpu.SOP2: "salu", amdgpu.SOPC: "salu",
	amdgpu.SOPK: "salu", amdgpu.SOPP: "control", amdgpu.SMEM: "smem", amdgpu.VOP1: "valu", amdgpu.VOP2: "valu", amdgpu.VOP3: "valu",
	amdgpu.VOP3P: "valu", amdgpu.VOPC: "valu", amdgpu.DS: "lds", amdgpu.Flat: "flat", amdgpu.Global: "global", amdgpu.Scratch: "scratch",
	amdgpu.MUBUF: "cache"}

// prepare maps memory, decodes the kernel and lays out its arguments.
func (eng *engine) prepare(m *ir.Module) *fault {
	k, none := host.FindKernel(m, eng.launch.Kernel)
	switch {
	case none != nil:
		return badLaunch(none.Loc, "%s", none.Text)
	case k.FirstBlock() == nil:
		return badLaunch(k.Loc, "kernel @%s has no body", k.Name)
	}
	l := eng.launch
	if eng.Range, none = host.NewRange(k, l.Global, l.Local, l.Dims, host.Limits{Group: uint64(eng.mode.MaxGroup), Global: 1<<32 - 1, Device: eng.mode.Target.Name}); none != nil {
		return badLaunch(none.Loc, "%s", none.Text)
	}
	for _, vars := range [...][]*ir.Var{m.Vars, k.Vars} {
		for _, v := range vars {
			switch {
			case v.Linkage == ir.LinkImport:
				return badLaunch(v.Loc, "variable @%s is imported but no module defines it", v.Name)
			case v.Space != ir.SpaceGlobal && v.Space != ir.SpaceConst:
			case !eng.fits(v):
				return badLaunch(v.Loc, "variable @%s does not fit", v.Name)
			default:
				eng.mem.AddVar(v)
			}
		}
	}
	address := func(a ir.Aux) (uint64, bool) {
		s := m.Symbol(a)
		if o := eng.mem.Vars[s.Var]; s.Var != nil && o != nil {
			return o.Base, true
		}
		return codeBase, s.Func != nil
	}
	var bad *fault
	if eng.prog, bad = decode(m, k, eng.mode, address); bad != nil {
		return bad
	}
	_, eng.ldsBytes = amdgpu.LDSLayout(k)
	if bad := eng.arguments(k); bad != nil {
		return bad
	}
	eng.mem.Initialise(address)
	if eng.scratch = eng.launch.ScratchBytes; eng.scratch == 0 {
		eng.scratch = eng.prog.scratchNeed()
	}
	if eng.ldsBytes > uint64(eng.mode.LDSBytes) || eng.scratch > uint64(eng.mode.PrivateBytes) {
		return badLaunch(k.Loc, "@%s takes %d bytes of shared and %d bytes of private memory; %s has %d and %d", k.Name, eng.ldsBytes, eng.scratch, eng.mode.Target.Name, eng.mode.LDSBytes, eng.mode.PrivateBytes)
	}
	eng.registers()
	if !eng.launch.NoHazards {
		eng.hazards = hazardsOf(eng.mode.Target)
	}
	eng.weak.init(eng)
	return nil
}

// registers finds the highest ones used.
func (eng *engine) registers() {
	for i := range eng.prog.insts {
		in := &eng.prog.insts[i]
		for _, list := range [...][]uint16{in.reads, in.writes} {
			for _, r := range list {
				if r >= regV0 {
					eng.vgprs = max(eng.vgprs, int(r-regV0)+1)
				} else if r < regVCC {
					eng.sgprs = max(eng.sgprs, int(r)+1)
				}
			}
		}
	}
	for _, l := range eng.prog.live {
		if l.reg >= regV0 {
			eng.vgprs = max(eng.vgprs, int(l.reg-regV0)+1)
		}
	}
}

// arguments maps buffers and lays out the argument segment and the dispatch
// packet (AMDGPUUsage, code object 5; HSA specification 2.6, kernel dispatch
// packet).
func (eng *engine) arguments(k *ir.Func) *fault {
	l := eng.launch
	if len(l.Args) != len(k.Params) {
		return badLaunch(k.Loc, "kernel @%s takes %d arguments, %d are given", k.Name, len(k.Params), len(l.Args))
	}
	var seg []byte
	for i := range k.Params {
		p, a := &k.Params[i], &l.Args[i]
		align := uint64(max(p.Align, 1))
		off := (uint64(len(seg)) + align - 1) &^ (align - 1)
		seg = append(seg, make([]byte, off+uint64(p.Size)-uint64(len(seg)))...)
		field := seg[off:]
		switch {
		case a.Kind == host.ArgBuffer && p.Size == 8:
			binary.LittleEndian.PutUint64(field, eng.mem.Add(a.Data, 256, fmt.Sprintf("argument %d", i)).Base)
		case a.Kind == host.ArgShared && p.Size == 4:
			align := uint64(max(p.PtrAlign, 16))
			at := (eng.ldsBytes + align - 1) &^ (align - 1)
			eng.ldsBytes = at + min(a.Size, 1<<32)
			binary.LittleEndian.PutUint32(field, uint32(at))
		case a.Kind == host.ArgScalar && len(a.Data) == len(field):
			copy(field, a.Data)
		default:
			return badLaunch(p.Loc, "argument %d does not fit parameter %%%s of %d bytes", i, p.Name, p.Size)
		}
	}
	seg = eng.hidden(seg)
	s := eng.mem.Add(seg, 64, "the argument segment")
	s.Readonly = true
	eng.kernarg = s.Base
	packet := make([]byte, 64)
	binary.LittleEndian.PutUint16(packet[2:], uint16(eng.Dims))
	for i := range 3 {
		binary.LittleEndian.PutUint16(packet[4+2*i:], uint16(eng.Local[i]))
		binary.LittleEndian.PutUint32(packet[12+4*i:], uint32(eng.Global[i]))
	}
	binary.LittleEndian.PutUint64(packet[40:], eng.kernarg)
	p := eng.mem.Add(packet, 64, "the dispatch packet")
	p.Readonly = true
	eng.packet = p.Base
	return nil
}

// hidden is the implicit arguments of code object 5 that are not zero, by their
// places behind the explicit ones (AMDGPUUsage, code object V5 metadata). Block
// counts leave out partial groups.
func (eng *engine) hidden(seg []byte) []byte {
	const bytes = 256
	base := (uint64(len(seg)) + 7) &^ 7
	seg = append(seg, make([]byte, base+bytes-uint64(len(seg)))...)
	put16 := func(off int, v uint64) { binary.LittleEndian.PutUint16(seg[base+uint64(off):], uint16(v)) }
	put32 := func(off int, v uint64) { binary.LittleEndian.PutUint32(seg[base+uint64(off):], uint32(v)) }
	for i := range 3 {
		put32(4*i, eng.Global[i]/eng.Local[i])    // hidden_block_count
		put16(12+2*i, eng.Local[i])               // hidden_group_size
		put16(18+2*i, eng.Global[i]%eng.Local[i]) // hidden_remainder
		binary.LittleEndian.PutUint64(seg[base+40+8*uint64(i):], eng.launch.Offset[i])
	}
	put16(64, uint64(eng.Dims)) // hidden_grid_dims
	put32(120, eng.ldsBytes)    // hidden_dynamic_lds_size
	put32(192, privateBase>>32) // hidden_private_base
	put32(196, sharedBase>>32)  // hidden_shared_base
	return seg
}

// Work-groups in progress: at first, and at most; rounds of turns that one gets
// before the next, and rounds after which another is started beside groups
// that do not end: they may wait for it.
const (
	maxResident    = 64
	roundsPerGroup = 32
	patience       = 64
)

// execute runs all work-groups.
func (eng *engine) execute() {
	var active []*group
	next, most, waited := uint64(0), 1, 0
	if eng.seeded {
		most += 1 + int(eng.rng.next()%4)
	}
	for eng.fault == nil {
		for len(active) < most && next < eng.Groups {
			active = append(active, eng.start(next))
			next++
		}
		if len(active) == 0 {
			return
		}
		i := waited % len(active)
		rounds := roundsPerGroup
		if eng.seeded {
			i, rounds = int(eng.rng.next()%uint64(len(active))), 1+int(eng.rng.next()%8)
		}
		g := active[i]
		if g.run(rounds) {
			active = append(active[:i], active[i+1:]...)
			eng.freeGroups = append(eng.freeGroups, g)
			waited = 0
			continue
		}
		if waited++; waited%patience == 0 && most < maxResident {
			most++
		}
	}
}
