package emu

import "pisac/dialects/amdgpu/target"

type hazardRow struct{}
type hazardInfo struct{}
type hazardState struct{}

func (h *hazardState) reset() {}

func hazardsOf(*target.Target) []hazardRow { return nil }
func hazardInfoOf(*inst) hazardInfo        { return hazardInfo{} }

func (w *wave) checkHazards(*inst) bool { return true }
