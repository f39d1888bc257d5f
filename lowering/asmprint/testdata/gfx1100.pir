module version 1.0
var @table const size 16 align 4 local init bytes "01000000020000000300000004000000"
