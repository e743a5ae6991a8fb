/* SPDX-License-Identifier: GPL-2.0-only */
/* What the runner (orc.c) and the workloads (workload.c) share. */
#ifndef ORC_H
#define ORC_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

#define MAXT 256	/* threads of a process */
#define MAXP 16		/* processes of an experiment */

/* One wl= field; README.md explains the keys. */
struct wl {
	char type[16];
	int n, pct, per, work, mb, g, f;
	int place, keep_at, keep, start, pin, off_at, off_ms, touch, split, late, mix;
	int bind, bind_at, bind_ms, more, more_at, part;
};

/* How the runner talks to a running process: one in shared memory for each. */
struct shared {
	volatile int stop;	/* end now */
	volatile int keep;	/* threads from this one on sleep */
	volatile int go;	/* 2: all sleep once */
	volatile int aff;	/* affinities are lifted */
	volatile int bound;	/* 1: the runner has bound the process, 2: and freed it */
	volatile int more;	/* create the last threads now */
};

/* One at= field. */
struct change {
	int ms, done;
	char knob[16], value[16];
};

/* A line of /exp. */
struct experiment {
	struct wl w[MAXP];
	int np;
	struct change at[16];
	int nat;
	int dur, seed, xonly, cm, occ, bg, affat, sync;
	char ep[16], part[32];
};

#define SYNC (MAXP - 1)	/* slot of the threads of sync=1 */

#define TR "/sys/kernel/tracing/"
#define LB "/sys/kernel/debug/sched/llc_balancing/"

extern struct shared *sh;
extern int ncpu, nllc, llc_first[64], llc_last[64];

/* Pauses and phases: a function of the seed, so that each boot can be named.
 * The oracle package draws the same numbers. */
extern unsigned rs;
unsigned rnd(void);

uint64_t now_ns(clockid_t c);
void sleep_us(long us);
void burn(int n);
/* The CPUs of LLC l, -1: all. */
void llc_set(int l, cpu_set_t *s);

/* files.c */
extern int out;			/* where results go */
int put(const char *file, const char *text, int flags);
int wr(const char *file, const char *text);
char *rd(const char *file, char *b, int n);
void outs(const char *s, int n);
void pr(const char *fmt, ...);
const char *path(const char *fmt, ...);

/* machine.c */
extern char numa0[32];		/* numa_balancing after boot */
void find_llcs(void);
/* Switches a CPU on or off, and all of them on. */
int set_online(int cpu, int on);
void all_online(void);
/* Makes a cpuset partition of these CPUs; enter_partition moves the caller there. */
void make_partition(const char *cpus);
void enter_partition(void);
void drop_partition(void);
void show_machine(void);

/* trace.c */
void prepare_trace(void);
void start_trace(int xonly, int cm, int occ, int bg);
void mark(const char *fmt, ...);
void dump_trace(void);

/* experiment.c, orc.c */
void parse(char *line, struct experiment *x);
void knob(const char *k, const char *v);

/* workload.c */
int nthreads(const struct wl *w);
/* Becomes process slot; does not return. */
void run_process(int slot, const struct wl *w);

#endif
