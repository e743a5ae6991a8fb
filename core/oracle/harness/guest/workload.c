// SPDX-License-Identifier: GPL-2.0-only
/* The workloads: what the processes of an experiment do. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "orc.h"

static struct wl W;	/* of this process */
static int P;		/* its slot */
static pthread_t th[MAXT];
static struct {
	int a[2], b[2];
} fds[MAXT];		/* pipes or sockets */
static volatile int bar_cnt, bar_gen;
static char *buffer;
static size_t buffer_size;

static int is(const char *type)
{
	return !strcmp(W.type, type);
}

void burn(int n)
{
	for (volatile int i = 0; i < n; i++)
		;
}

/* Consumes us of CPU time, however long that takes. */
static void cpu_us(long us)
{
	uint64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + us * 1000ull;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end && !sh[P].stop)
		burn(200);
}

static void futex(volatile int *p, int op, int v, const struct timespec *t)
{
	syscall(SYS_futex, p, op | FUTEX_PRIVATE_FLAG, v, t, NULL, 0);
}

static void barrier(int n)
{
	int gen = bar_gen;

	if (__sync_add_and_fetch(&bar_cnt, 1) == n) {
		bar_cnt = 0;
		__sync_add_and_fetch(&bar_gen, 1);
		futex(&bar_gen, FUTEX_WAKE, 1 << 20, NULL);
		return;
	}
	while (bar_gen == gen && !sh[P].stop) {
		struct timespec t = { 0, 200000000 };

		futex(&bar_gen, FUTEX_WAIT, gen, &t);
	}
}

void llc_set(int l, cpu_set_t *s)
{
	int first = l < 0 ? 0 : llc_first[l], last = l < 0 ? ncpu - 1 : llc_last[l];

	CPU_ZERO(s);
	for (int i = first; i <= last; i++)
		CPU_SET(i, s);
}

/* Limits the calling thread to an LLC, -1 to none. */
static void bind_llc(int l)
{
	cpu_set_t s;

	llc_set(l, &s);
	sched_setaffinity(0, sizeof s, &s);
}

/* Binds a thread as split=, pin= or place= say; place= until the runner lifts it. */
static void place(int id)
{
	if (W.split) {
		bind_llc(id < W.split ? 0 : 1);
		if (id >= W.split && W.late)
			sleep_us(W.late * 1000L);
	} else if (W.pin) {
		bind_llc(W.pin - 1);
	} else if (W.place) {
		bind_llc(W.place == 1 ? id % nllc : 0);
		burn(2000);
		while (!sh[P].aff && !sh[P].stop)
			burn(2000);
		bind_llc(-1);
	}
}

static void create(long from, long to);

static void spin(int id)
{
	while (!sh[P].stop) {
		burn(1500);
		if (!id && sh[P].more == 1) {
			sh[P].more = 2;
			create(W.n - W.more, W.n);
		}
		if (sh[P].keep && id >= sh[P].keep)
			while (!sh[P].stop)
				sleep_us(100000);
		if (sh[P].go == 2) {
			sleep_us(W.off_ms * 1000L);
			sh[P].go = 1;
		}
	}
}

static void duty(int pct)
{
	uint64_t next = now_ns(CLOCK_MONOTONIC) + (rnd() % W.per) * 1000ull;

	while (!sh[P].stop) {
		cpu_us((long)W.per * pct / 100);
		next += W.per * 1000ull;
		uint64_t now = now_ns(CLOCK_MONOTONIC);

		if (next > now) {
			struct timespec t = { next / 1000000000ull, next % 1000000000ull };

			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		} else {
			next = now;
		}
	}
}

static void pipe_pair(int id)
{
	int k = id / 2, in = id & 1 ? fds[k].a[0] : fds[k].b[0], to = id & 1 ? fds[k].b[1] : fds[k].a[1];
	char c = 0;

	while (!sh[P].stop) {
		if (id & 1 && read(in, &c, 1) != 1)
			break;
		if (W.work)
			cpu_us(W.work);
		if (write(to, &c, 1) != 1)
			break;
		if (!(id & 1) && read(in, &c, 1) != 1)
			break;
	}
	close(fds[k].a[0]);
	close(fds[k].a[1]);
	close(fds[k].b[0]);
	close(fds[k].b[1]);
}

/* Group k has f senders, then f receivers; receiver r of it reads socket k*f+r. */
static void sockets(int id)
{
	int k = id / (2 * W.f), r = id % (2 * W.f);
	char m[100] = { 0 };

	while (!sh[P].stop) {
		if (r >= W.f) {
			if (read(fds[k * W.f + r - W.f].a[0], m, sizeof m) <= 0)
				break;
			continue;
		}
		for (int j = 0; j < W.f && !sh[P].stop; j++)
			if (write(fds[k * W.f + j].a[1], m, sizeof m) < 0)
				return;
	}
}

/* Writes a word of every page of its part, or of all with touch=1. */
static void sweep(int id)
{
	size_t part = buffer_size / W.n, lo = W.touch ? 0 : part * id, len = W.touch ? buffer_size : part;
	size_t i = (len / W.n) * id & ~4095ul;

	while (!sh[P].stop)
		for (int j = 0; j < 64; j++) {
			buffer[lo + i]++;
			i += 4096;
			if (i >= len)
				i = 0;
		}
}

static void body(int id)
{
	char name[16];

	snprintf(name, sizeof name, "w%d", P);
	prctl(PR_SET_NAME, name);
	place(id);
	if (is("spin") && W.mix && id >= W.split)
		duty(W.mix);
	else if (is("spin"))
		spin(id);
	else if (is("duty"))
		duty(W.pct);
	else if (is("bar"))
		while (!sh[P].stop) {
			cpu_us(W.work + (rnd() % (W.work / 4 + 1)));
			barrier(W.n);
		}
	else if (is("pp"))
		pipe_pair(id);
	else if (is("hb"))
		sockets(id);
	else if (is("mem"))
		sweep(id);
}

static void *thread(void *id)
{
	body((long)id);
	return NULL;
}

int nthreads(const struct wl *w)
{
	if (!strcmp(w->type, "pp"))
		return 2 * w->n;
	if (!strcmp(w->type, "hb"))
		return 2 * w->g * w->f;
	return w->n;
}

/* Makes what the threads share; the main thread touches all memory. */
static void prepare(void)
{
	if (is("pp"))
		for (int i = 0; i < W.n; i++)
			if (pipe(fds[i].a) || pipe(fds[i].b))
				_exit(3);
	if (is("hb"))
		for (int i = 0; i < W.g * W.f; i++)
			if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds[i].a))
				_exit(3);
	if (is("mem")) {
		buffer_size = (size_t)W.mb << 20;
		buffer = mmap(0, buffer_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise(buffer, buffer_size, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < buffer_size; i += 4096)
			buffer[i] = 1;
	}
}

/* Creates threads from ... to - 1, with random pauses. */
static void create(long from, long to)
{
	pthread_attr_t at;

	pthread_attr_init(&at);
	pthread_attr_setstacksize(&at, 65536);
	for (long i = from; i < to; i++) {
		if (pthread_create(&th[i], &at, thread, (void *)i))
			_exit(4);
		if (rnd() & 1)
			burn(rnd() % 20000);
	}
}

void run_process(int slot, const struct wl *w)
{
	W = *w;
	P = slot;
	rs = rs * 31 + slot * 977 + 1;
	rnd();
	if (W.part)
		enter_partition();
	if (W.start)
		sleep_us(W.start * 1000L);
	prepare();
	create(1, nthreads(&W) - W.more);
	body(0);
	_exit(0);
}
