package ir

// FuncKind says what may be done with a function.
type FuncKind uint8

const (
	FuncDevice FuncKind = iota // `.function`: called from PISA code
	FuncKernel                 // `.kernel`: launched by the host
)

// Linkage of a function or variable (PISA 5, linkage).
type Linkage uint8

const (
	LinkLocal Linkage = iota
	LinkExport
	LinkImport
)

// Param is a kernel parameter; it occupies Size bytes of the argument block.
type Param struct {
	Name     string // without %
	Size     uint32 // bytes
	Align    uint32 // bytes; 8 unless declared
	Space    Space  // of the pointer it holds; SpaceNone if not declared
	PtrAlign uint32 // bytes; 0 if not declared
	Loc      Loc
}

// Func is a kernel or function: a list of blocks, the first of which is the
// entry. The entry block's arguments are the parameters of a device function;
// kernel parameters are in Params and read by pisa.ld.param.
type Func struct {
	Name    string // without @
	Kind    FuncKind
	Linkage Linkage
	Ret     Type   // None for void
	Sig     []Type // parameter types of a device function
	Params  []Param
	Vars    []*Var // .shared, .private and .const variables declared inside

	ReqdWorkGroupSize [3]uint32 // 0,0,0 if not declared
	VecTypeHint       string
	ParamNames        []string // names of device function parameters, for printing

	Loc Loc
	mod *Module
	sym Aux

	first, last *Block
	nblocks     int

	nextOp, nextValue, nextBlock uint32

	opSlab      slab[Op]
	valueSlab   slab[Value]
	operandSlab slab[Operand]
	edgeSlab    slab[Edge]
	blockSlab   slab[Block]
	argSlab     slab[*Value]
}

// Module returns the module that holds f.
func (f *Func) Module() *Module { return f.mod }

// Symbol returns the handle that names f in Op.Aux.
func (f *Func) Symbol() Aux { return f.sym }

// IsDecl reports an imported function, which has no body.
func (f *Func) IsDecl() bool { return f.first == nil }

// Entry returns the first block, nil for a declaration.
func (f *Func) Entry() *Block { return f.first }

// FirstBlock returns the first block; iterate with Block.Next.
func (f *Func) FirstBlock() *Block { return f.first }

// LastBlock returns the last block in layout order.
func (f *Func) LastBlock() *Block { return f.last }

// NumBlocks returns the number of blocks.
func (f *Func) NumBlocks() int { return f.nblocks }

// NumOps is an exclusive upper bound of Op.ID, for side tables.
func (f *Func) NumOps() int { return int(f.nextOp) }

// NumValues is an exclusive upper bound of Value.ID, for side tables.
func (f *Func) NumValues() int { return int(f.nextValue) }

// NumBlockIDs is an exclusive upper bound of Block.ID, for side tables.
func (f *Func) NumBlockIDs() int { return int(f.nextBlock) }

// NewBlock appends an empty block.
func (f *Func) NewBlock() *Block { return f.NewBlockBefore(nil) }

// NewBlockBefore inserts an empty block before pos; at the end if pos is nil.
func (f *Func) NewBlockBefore(pos *Block) *Block {
	b := f.blockSlab.one()
	b.fn, b.ID = f, f.nextBlock
	f.nextBlock++
	f.linkBlock(b, pos)
	return b
}

func (f *Func) linkBlock(b, pos *Block) {
	b.next = pos
	if pos != nil {
		b.prev, pos.prev = pos.prev, b
	} else {
		b.prev, f.last = f.last, b
	}
	if b.prev != nil {
		b.prev.next = b
	} else {
		f.first = b
	}
	f.nblocks++
}

func (f *Func) unlinkBlock(b *Block) {
	if b.prev != nil {
		b.prev.next = b.next
	} else {
		f.first = b.next
	}
	if b.next != nil {
		b.next.prev = b.prev
	} else {
		f.last = b.prev
	}
	b.prev, b.next = nil, nil
	f.nblocks--
}
