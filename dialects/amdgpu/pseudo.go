package amdgpu

// pseudoRows have no encoding of their own.
var pseudoRows = []Row{

	// Registers.
	{Code: PLivein, Name: "p_livein", Family: Pseudo, Sig: "X ="},
	{Code: PUndef, Name: "p_undef", Family: Pseudo, Sig: "X ="},
	{Code: PBuild, Name: "p_build", Family: Pseudo, Sig: "X = X*"},
	{Code: PExtract, Name: "p_extract", Family: Pseudo, Sig: "X = X"},
	{Code: PCopy, Name: "p_copy", Family: Pseudo, Sig: "X = X"},
	{Code: PExec, Name: "p_exec", Family: Pseudo, Sig: "m ="},
	{Code: PAperture, Name: "p_aperture", Family: Pseudo, Sig: "s2 ="},
	{Code: PSymaddr, Name: "p_symaddr", Family: Pseudo, Sig: "s2 c ="},
	{Code: PSkip, Name: "p_skip", Family: Pseudo, Sig: "=", Flags: Control},
	// After register allocation, at the entry: a name for what is in a register
	// at each use of it. No code, no definition.
	{Code: PReg, Name: "p_reg", Family: Pseudo, Sig: "X ="},

	// Terminators before layout.
	{Code: TJump, Name: "t_jump", Family: Pseudo, Sig: "=", Flags: Branches},
	{Code: TCond, Name: "t_cond", Family: Pseudo, Sig: "= c", Flags: Branches},
	{Code: TDiverge, Name: "t_diverge", Family: Pseudo, Sig: "= M", Flags: Branches},
	{Code: TFall, Name: "t_fall", Family: Pseudo, Sig: "=", Flags: Branches},
	{Code: TLoop, Name: "t_loop", Family: Pseudo, Sig: "=", Flags: Branches},
	{Code: TRet, Name: "t_ret", Family: Pseudo, Sig: "=", Flags: Branches},
}
