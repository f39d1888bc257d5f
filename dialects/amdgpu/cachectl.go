package amdgpu

// cacheRows is cache control.
var cacheRows = []Row{

	// Cache control (AMDGPUUsage, memory model).
	{Code: BufferWbl2, Name: "buffer_wbl2", Only: "gfx9", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: BufferInv, Name: "buffer_inv", Only: "gfx942", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: BufferGl0Inv, Name: "buffer_gl0_inv", Only: "gfx11", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: BufferGl1Inv, Name: "buffer_gl1_inv", Only: "gfx11", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: BufferWbinvl1Vol, Name: "buffer_wbinvl1_vol", Only: "gfx90a", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: BufferInvl2, Name: "buffer_invl2", Only: "gfx90a", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: GlobalInv, Name: "global_inv", Only: "gfx12", Family: MUBUF, Sig: "=", Flags: Control},
	{Code: GlobalWb, Name: "global_wb", Only: "gfx12", Family: MUBUF, Sig: "=", Flags: Control},
}
