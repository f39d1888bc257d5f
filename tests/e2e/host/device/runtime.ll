; The packed fused operation, which the host has not: one element at a time.
declare half @host.fma.f16(half, half, half)

define <2 x half> @host.fma.v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %c) {
	%a0 = extractelement <2 x half> %a, i32 0
	%b0 = extractelement <2 x half> %b, i32 0
	%c0 = extractelement <2 x half> %c, i32 0
	%a1 = extractelement <2 x half> %a, i32 1
	%b1 = extractelement <2 x half> %b, i32 1
	%c1 = extractelement <2 x half> %c, i32 1
	%r0 = call half @host.fma.f16(half %a0, half %b0, half %c0)
	%r1 = call half @host.fma.f16(half %a1, half %b1, half %c1)
	%v = insertelement <2 x half> poison, half %r0, i32 0
	%w = insertelement <2 x half> %v, half %r1, i32 1
	ret <2 x half> %w
}
