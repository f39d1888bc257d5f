/* The device: work-groups one after another, every work-item a context of its
   own that runs until it meets an operation of its wave or a barrier. */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

extern void (*const kernels[])(void);

enum { READY, BALLOT, PERMUTE, BARRIER, DONE };
enum { STACK = 256 << 10, MAX_ITEMS = 1024, MAX_PARAMS = 24 };

struct item {
	ucontext_t ctx;
	u32 id[3];
	int state;
	u64 pc, depth;     /* of the operation it waits at */
	u32 from, data, none; /* of what reads another lane; none if that is not there */
	u64 result;
};

static struct item items[MAX_ITEMS], *self;
static ucontext_t scheduler;
static int count; /* work-items of this work-group */
static u32 group[3];
static u8 *stacks, *dynamic_shared;
static u64 dynamic_size;
static u8 *block; /* arguments */
static void *params[MAX_PARAMS];
static void (*kernel)(void);

static struct {
	u32 block_count[3];
	u16 group_size[3], remainder[3];
	u8 unused[16];
	u64 global_offset[3];
	u16 grid_dims;
	u8 unused2[6];
	u64 printf_buffer;
} implicit; /* hidden arguments of code object version 5 */

extern u8 __start_pisa_shared[] __attribute__((weak)), __stop_pisa_shared[] __attribute__((weak));

static u64 wait_at(int state, u64 pc, u64 frame) {
	struct item *me = self;
	me->state = state;
	me->pc = pc;
	me->depth = (u64)(stacks + (size_t)(me - items + 1) * STACK) - frame;
	swapcontext(&me->ctx, &scheduler);
	return me->result;
}
#define WAIT(state) wait_at(state, (u64)__builtin_return_address(0), (u64)__builtin_frame_address(0))
#define HOST(name) __asm__("host.amdgcn." name)

u32 workitem_x(void) HOST("workitem.id.x");
u32 workitem_y(void) HOST("workitem.id.y");
u32 workitem_z(void) HOST("workitem.id.z");
u32 workgroup_x(void) HOST("workgroup.id.x");
u32 workgroup_y(void) HOST("workgroup.id.y");
u32 workgroup_z(void) HOST("workgroup.id.z");
u32 workitem_x(void) { return self->id[0]; }
u32 workitem_y(void) { return self->id[1]; }
u32 workitem_z(void) { return self->id[2]; }
u32 workgroup_x(void) { return group[0]; }
u32 workgroup_y(void) { return group[1]; }
u32 workgroup_z(void) { return group[2]; }

void *kernarg(void) HOST("kernarg.segment.ptr");
void *implicitarg(void) HOST("implicitarg.ptr");
void *kernarg(void) { return block; }
void *implicitarg(void) { return &implicit; }

static u32 lane(void) { return (u32)(self - items) % WAVE; }

u32 mbcnt_lo(u32 mask, u32 base) HOST("mbcnt.lo");
u32 mbcnt_hi(u32 mask, u32 base) HOST("mbcnt.hi");
u32 mbcnt_lo(u32 mask, u32 base) {
	u32 l = lane();
	return base + (u32)__builtin_popcount(l < 32 ? mask & ((1u << l) - 1) : mask);
}
u32 mbcnt_hi(u32 mask, u32 base) {
	u32 l = lane();
	return base + (u32)(l < 32 ? 0 : __builtin_popcount(mask & ((1u << (l - 32)) - 1)));
}

/* llvmgen asks only for the lanes that are here: ballot(true). */
u32 ballot32(u8 p) HOST("ballot.i32");
u64 ballot64(u8 p) HOST("ballot.i64");
u32 ballot32(u8 p) { return (u32)WAIT(BALLOT); }
u64 ballot64(u8 p) { return WAIT(BALLOT); }

static u32 read_lane(u32 from, u32 data, u32 none, u64 pc, u64 frame) {
	self->from = from % WAVE;
	self->data = data;
	self->none = none;
	return (u32)wait_at(PERMUTE, pc, frame);
}
#define READ_LANE(from, data, none) \
	read_lane(from, data, none, (u64)__builtin_return_address(0), (u64)__builtin_frame_address(0))

u32 bpermute(u32 address, u32 data) HOST("ds.bpermute");
u32 bpermute(u32 address, u32 data) { return READ_LANE(address / 4, data, 0); }

/* Of a lane that is not there anything may be read. */
u32 readlane(u32 data, u32 from) HOST("readlane.i32");
u32 readlane(u32 data, u32 from) { return READ_LANE(from, data, 0xdeadbeef); }

u32 move(u32 old, u32 data, u32 control, u32 rows, u32 banks, u8 bound) HOST("update.dpp.i32");
u32 move(u32 old, u32 data, u32 control, u32 rows, u32 banks, u8 bound) {
	u32 l = lane(), row = l & ~15u, at = l & 15, n = control & 15;
	if (rows != 15 || banks != 15 || bound) abort();
	if (control < 0x100) at = (at & 12) | (control >> 2 * (at & 3) & 3);
	else if (control > 0x120 && control < 0x130) at = (at - n) & 15;
	else if (control == 0x140) at = 15 - at;
	else if (control == 0x141) at = (at & 8) | (7 - (at & 7));
	else if (control >= 0x150 && control < 0x160) at = n;
	else if (control >= 0x160 && control < 0x170 && WAVE == 32) at ^= n;
	else abort();
	return READ_LANE(row | at, data, old);
}

void s_waitcnt(u32 count) HOST("s.waitcnt");
void s_waitcnt(u32 count) {}

void barrier(void) HOST("s.barrier");
void barrier(void) { WAIT(BARRIER); }

u8 is_shared(u8 *p) HOST("is.shared");
u8 is_private(u8 *p) HOST("is.private");
u8 is_shared(u8 *p) {
	return p >= __start_pisa_shared && p < __stop_pisa_shared || p >= dynamic_shared && p < dynamic_shared + dynamic_size;
}
u8 is_private(u8 *p) { return p >= stacks && p < stacks + (size_t)MAX_ITEMS * STACK; }

/* LLVM would replace a fused operation on half by one on float, which rounds
   twice: round the exact sum to odd in double, then to half. */
_Float16 fma16(_Float16 a, _Float16 b, _Float16 c) __asm__("host.fma.f16");
_Float16 fma16(_Float16 a, _Float16 b, _Float16 c) {
	double p = (double)a * (double)b, s = p + (double)c;
	double t = s - p, e = (p - (s - t)) + ((double)c - t);
	union { double d; u64 i; } v = {s};
	if (e != 0 && e == e && !(v.i & 1)) v.i += (e > 0) == (s > 0) ? 1 : -1;
	return (_Float16)v.d;
}

static void enter(void) {
	void **p = params;
	((void (*)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
	           void *, void *, void *, void *, void *, void *, void *, void *))kernel)(
		p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15],
		p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23]);
	self->state = DONE;
	setcontext(&scheduler);
}

/* wave lets those lanes of a wave go on that wait at one operation: the deepest
   in calls, then the first in the code. That is where lanes meet again after
   they parted. */
static int wave(struct item *w, int lanes) {
	struct item *at = 0;
	for (int i = 0; i < lanes; i++)
		if (w[i].state == BALLOT || w[i].state == PERMUTE)
			if (!at || w[i].depth > at->depth || w[i].depth == at->depth && w[i].pc < at->pc) at = &w[i];
	if (!at) return 0;
	u64 here = 0, pc = at->pc, depth = at->depth;
	int state = at->state;
	for (int i = 0; i < lanes; i++)
		if (w[i].state == state && w[i].pc == pc && w[i].depth == depth) here |= (u64)1 << i;
	for (int i = 0; i < lanes; i++) {
		if (!(here >> i & 1)) continue;
		u32 from = w[i].from;
		w[i].result = state == BALLOT ? here : here >> from & 1 ? w[from].data : w[i].none;
	}
	for (int i = 0; i < lanes; i++)
		if (here >> i & 1) w[i].state = READY;
	return 1;
}

/* work runs one work-group; 0 is success. */
static int work(void) {
	for (int i = 0; i < count; i++) {
		struct item *it = &items[i];
		getcontext(&it->ctx);
		it->ctx.uc_stack.ss_sp = stacks + (size_t)i * STACK;
		it->ctx.uc_stack.ss_size = STACK;
		it->ctx.uc_link = 0;
		it->state = READY;
		makecontext(&it->ctx, enter, 0);
	}
	for (;;) {
		int waiting = 0, done = 0, moved = 0;
		for (int i = 0; i < count; i++) {
			self = &items[i];
			if (self->state == READY) swapcontext(&scheduler, &self->ctx);
		}
		for (int i = 0; i < count; i += WAVE) moved |= wave(&items[i], count - i < WAVE ? count - i : WAVE);
		if (moved) continue;
		for (int i = 0; i < count; i++) {
			waiting += items[i].state == BARRIER;
			done += items[i].state == DONE;
		}
		if (done == count) return 0;
		if (waiting + done != count) return 1;
		for (int i = 0; i < count; i++)
			if (items[i].state == BARRIER) items[i].state = READY;
	}
}

static u64 get(void) {
	u64 v;
	if (fread(&v, 8, 1, stdin) != 1) exit(0);
	return v;
}

static void *low(size_t n) {
	void *p = mmap(0, n ? n : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) abort();
	return p;
}

static void bytes(void *p, u64 n) {
	if (n && fread(p, n, 1, stdin) != 1) abort();
}

struct buffer { u64 size; int shared; u8 *data; };

static int launch(u64 *global, u64 *local, u64 *offset, u64 dims) {
	u32 groups[3];
	for (int d = 0; d < 3; d++) {
		implicit.block_count[d] = (u32)(global[d] / local[d]);
		implicit.group_size[d] = (u16)local[d];
		implicit.remainder[d] = (u16)(global[d] % local[d]);
		implicit.global_offset[d] = offset[d];
		groups[d] = implicit.block_count[d] + (implicit.remainder[d] != 0);
	}
	implicit.grid_dims = (u16)dims;
	implicit.printf_buffer = (u64)low(4096);
	for (group[2] = 0; group[2] < groups[2]; group[2]++)
		for (group[1] = 0; group[1] < groups[1]; group[1]++)
			for (group[0] = 0; group[0] < groups[0]; group[0]++) {
				u64 size[3];
				for (int d = 0; d < 3; d++) size[d] = group[d] < implicit.block_count[d] ? local[d] : implicit.remainder[d];
				count = 0;
				for (u32 z = 0; z < size[2]; z++)
					for (u32 y = 0; y < size[1]; y++)
						for (u32 x = 0; x < size[0]; x++) {
							u32 id[3] = {x, y, z};
							if (count == MAX_ITEMS) abort();
							memcpy(items[count++].id, id, sizeof id);
						}
				/* Shared memory begins with anything. */
				memset(__start_pisa_shared, 0xa5, (size_t)(__stop_pisa_shared - __start_pisa_shared));
				memset(dynamic_shared, 0x5a, dynamic_size);
				if (work()) return 1;
			}
	return 0;
}

int main(void) {
	stacks = low((size_t)MAX_ITEMS * STACK);
	for (;;) {
		u64 k = get(), dims = get(), global[3], local[3], offset[3];
		for (int d = 0; d < 3; d++) global[d] = get();
		for (int d = 0; d < 3; d++) local[d] = get();
		for (int d = 0; d < 3; d++) offset[d] = get();
		u64 size = get(), nparams = get(), nbuffers = get();
		if (nparams > MAX_PARAMS || nbuffers > 64) abort();
		block = low(size);
		bytes(block, size);
		for (u64 i = 0; i < nparams; i++) params[i] = block + get();
		struct buffer buffers[64];
		dynamic_size = 0;
		dynamic_shared = low(1 << 20);
		for (u64 i = 0; i < nbuffers; i++) {
			struct buffer *b = &buffers[i];
			u64 at = get();
			b->shared = (int)get();
			b->size = get();
			if (b->shared) {
				b->data = dynamic_shared + dynamic_size;
				dynamic_size += (b->size + 255) / 256 * 256;
				u32 address = (u32)(u64)b->data;
				memcpy(block + at, &address, 4);
			} else {
				b->data = low(b->size + 256);
				memcpy(block + at, &b->data, 8);
			}
			bytes(b->data, b->size);
		}
		kernel = kernels[k];
		fflush(stdout);
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			u64 status = (u64)launch(global, local, offset, dims);
			fwrite(&status, 8, 1, stdout);
			for (u64 i = 0; !status && i < nbuffers; i++) fwrite(buffers[i].data, 1, buffers[i].size, stdout);
			fflush(stdout);
			_exit(0);
		}
		int how;
		if (waitpid(child, &how, 0) < 0 || !WIFEXITED(how)) {
			u64 status = 2;
			fwrite(&status, 8, 1, stdout);
		}
		fflush(stdout);
		for (u64 i = 0; i < nbuffers; i++) if (!buffers[i].shared) munmap(buffers[i].data, buffers[i].size + 256);
		munmap(block, size ? size : 1);
		munmap(dynamic_shared, 1 << 20);
	}
}
