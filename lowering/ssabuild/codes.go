package ssabuild

import "pisac/ir"

const (
	codeTangled   = "PISA-E080"
	codeUnwritten = "PISA-W012"
)

// Codes lists the diagnostics of this package (`pisac explain`).
var Codes = []ir.CodeDoc{
	{Code: codeTangled, Text: "The function has so many registers that live across so many joining branches that its SSA form would be larger than this compiler takes (docs/limits.md)."},
	{Code: codeUnwritten, Text: "The register or predicate is read at a place that no write of it reaches. The specification leaves the value open; pisac defines it as zero. Modules of version 1.0 leave registers unwritten on purpose, so that they get no warning."},
}
