// No header, names, unreachable blocks, forward references, all on odd lines.
function @f(32b %x) -> 128b export { ^in(%x: 32b):
  %lo , %hi = builtin.parallel_copy %x,
      %x : 32b, 32b
  builtin.br ^c
^"a b": builtin.unreachable
^late(%z: 128b): builtin.return %z
^c: %y = builtin.const -1 : 64b
  %w = builtin.const 0x1234567890abcdef1234567890abcdef : 128b
  %v = builtin.const 7 : v4.8b
  builtin.br ^late(%w) }
