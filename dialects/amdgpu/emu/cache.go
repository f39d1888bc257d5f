package emu

// Placeholder types are completed with weak memory.

type weakMemory struct{ free []*access }

type cachePath struct{}

func (m *weakMemory) init(*engine)  {}
func (m *weakMemory) flush(*engine) {}

func (eng *engine) pathOf(*group, int) cachePath { return cachePath{} }

func (p *cachePath) load(*engine, uint64, []byte, scope)       {}
func (p *cachePath) store(*engine, uint64, []byte, scope)      {}
func (p *cachePath) atomic(*engine, uint64, []byte, scope)     {}
func (p *cachePath) atomicDone(*engine, uint64, []byte, scope) {}
func (p *cachePath) scalar(*engine, uint64, []byte)            {}

func (w *wave) writeBack(scope) {}
func (g *group) drift()         {}

func runWriteBack(w *wave, in *inst)  {}
func runInvalidate(w *wave, in *inst) {}
