package llvmgen

// arithRows are the lowerings of integer, logic, floating-point, conversion,
// comparison and packed ops.
var arithRows = []lowering{}
