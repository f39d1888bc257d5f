package target

// HazardKind is a pair of instructions, producer and consumer, that the
// hardware does not keep apart by itself.
type HazardKind uint8

const (
	// VALUSGPRToVMEM: a VALU instruction writes a scalar register or vcc, a
	// vector memory instruction reads it.
	VALUSGPRToVMEM HazardKind = iota
	// VALUSGPRToLane: … v_readlane or v_writelane has it as lane number.
	VALUSGPRToLane
	// VALUVCCToDivFmas: a VALU instruction writes vcc, v_div_fmas reads it.
	VALUVCCToDivFmas
	// VALUExecToDPP: a VALU instruction writes exec, a DPP instruction follows.
	VALUExecToDPP
	// WriteToDPP: a vector register is written, a DPP instruction reads it.
	WriteToDPP
	// StoreDataToVALU: a vector store of more than 64 bits, a VALU instruction
	// overwrites the data.
	StoreDataToVALU
	// SetregToSetreg: s_setreg writes a hardware register, another s_setreg or
	// s_getreg of the same one follows.
	SetregToSetreg
	// TransToVALU: a transcendental instruction's result is read by a VALU
	// instruction that is none.
	TransToVALU
	// HalfToVALU: the result that goes to the upper half of a register by
	// op_sel is read by a VALU instruction.
	HalfToVALU
	// VALUSGPRToVALU: a VALU instruction writes a scalar register or vcc, a
	// VALU instruction reads it.
	VALUSGPRToVALU
	// VALUToReadlane: a VALU instruction writes the vector register that
	// v_readlane or v_readfirstlane reads.
	VALUToReadlane
	// VALUExecToLane: a VALU instruction writes exec, v_readlane,
	// v_readfirstlane or v_writelane follows.
	VALUExecToLane
	// DotToOther: the result of a dot product is read, but for an accumulator
	// of the same instruction, or overwritten by another vector instruction.
	DotToOther
	// ReplayClause: adjacent memory instructions may be issued again after a
	// page fault (XNACK); none may write what one of them reads, and a store
	// may not follow a load. Wait is 1: any other instruction between.
	ReplayClause
	// TransUse: a transcendental instruction's result is read by a VALU
	// instruction with less than Wait VALU and less than Trans transcendental
	// ones between; dealt with by waiting for va_vdst.
	TransUse
	// SALUAfterVALURead: a VALU instruction reads a pair of scalar registers, a
	// SALU instruction writes it, an instruction reads it. Wait is in SALU
	// instructions between; dealt with by waiting for sa_sdst.
	SALUAfterVALURead
	NumHazards
)

// Hazard is a row: Wait independent instructions, or as many wait states of
// s_nop, must stand between producer and consumer.
type Hazard struct {
	Kind   HazardKind
	Wait   int
	Trans  int
	Source string
}

const (
	cdnaTable = "CDNA3 ISA 4.5, table of required software-inserted wait states; "
	llvm      = "LLVM GCNHazardRecognizer, "
)

// gfx9Hazards are those of gfx90a and gfx942.
var gfx9Hazards = []Hazard{
	{Kind: VALUSGPRToVMEM, Wait: 5, Source: cdnaTable + llvm + "checkVMEMHazards"},
	{Kind: VALUSGPRToLane, Wait: 4, Source: cdnaTable + llvm + "checkRWLaneHazards"},
	{Kind: VALUVCCToDivFmas, Wait: 4, Source: cdnaTable + llvm + "checkDivFMasHazards"},
	{Kind: VALUExecToDPP, Wait: 5, Source: cdnaTable + llvm + "checkDPPHazards"},
	{Kind: WriteToDPP, Wait: 2, Source: cdnaTable + llvm + "checkDPPHazards"},
	{Kind: SetregToSetreg, Wait: 2, Source: cdnaTable + llvm + "checkSetRegHazards"},
	{Kind: DotToOther, Wait: 3, Source: llvm + "checkMAIVALUHazards"},
	{Kind: ReplayClause, Wait: 1, Source: llvm + "checkSoftClauseHazards"},
}

// hazardRows by chip.
var hazardRows = map[string][]Hazard{
	"gfx90a": append([]Hazard{
		{Kind: StoreDataToVALU, Wait: 1, Source: cdnaTable + llvm + "checkVALUHazardsHelper"},
	}, gfx9Hazards...),
	"gfx942": append([]Hazard{
		{Kind: StoreDataToVALU, Wait: 2, Source: cdnaTable + llvm + "checkVALUHazardsHelper"},
		{Kind: TransToVALU, Wait: 1, Source: cdnaTable + llvm + "checkVALUHazards"},
		{Kind: HalfToVALU, Wait: 1, Source: cdnaTable + llvm + "checkVALUHazards"},
		{Kind: VALUSGPRToVALU, Wait: 2, Source: cdnaTable + llvm + "checkVALUHazards"},
		{Kind: VALUToReadlane, Wait: 1, Source: cdnaTable + llvm + "checkVALUHazards"},
		{Kind: VALUExecToLane, Wait: 4, Source: cdnaTable + llvm + "checkVALUHazards"},
	}, gfx9Hazards...),
	// Those of waves of 64 (partial forwarding, mask writes) cannot occur: the
	// chip runs waves of 32 here.
	"gfx1100": {
		{Kind: TransUse, Wait: 6, Trans: 2, Source: llvm + "fixVALUTransUseHazard"},
	},
	"gfx1201": {
		{Kind: SALUAfterVALURead, Wait: 11, Source: llvm + "fixVALUReadSGPRHazard"},
	},
}

// Hazards returns the rows of t.
func (t *Target) Hazards() []Hazard { return hazardRows[t.Name] }

// Operands of s_waitcnt_depctr (s_wait_alu), which wait for one counter.
const (
	DepctrVaVdst = 0x0fff // results in vector registers
	DepctrSaSdst = 0xfffe // results of SALU instructions
)
