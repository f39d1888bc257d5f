package emu

// newAccess returns an access to be filled.
func (eng *engine) newAccess() *access {
	if n := len(eng.weak.free); n > 0 {
		a := eng.weak.free[n-1]
		eng.weak.free = eng.weak.free[:n-1]
		return a
	}
	return new(access)
}

func (eng *engine) freeAccess(a *access) { eng.weak.free = append(eng.weak.free, a) }
