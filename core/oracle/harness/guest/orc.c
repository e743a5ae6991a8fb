// SPDX-License-Identifier: GPL-2.0-only
/*
 * The experiment runner. It reads /exp, an experiment to a line of key=value
 * fields (README.md), and writes to /dev/vport0p1: lines that begin with # for
 * what it read back, and the kernel's trace of each experiment.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orc.h"

struct shared *sh;
int ncpu, nllc, llc_first[64], llc_last[64];
unsigned rs;

char numa0[32];

unsigned rnd(void)
{
	rs = rs * 1103515245u + 12345u;
	return (rs >> 8) & 0xffffff;
}

uint64_t now_ns(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

void sleep_us(long us)
{
	struct timespec t = { us / 1000000, (us % 1000000) * 1000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

void knob(const char *k, const char *v)
{
	static const struct {
		const char *key, *file;
	} files[] = {
		{ "enabled", LB "enabled" },
		{ "tol", LB "aggr_tolerance" },
		{ "ep", LB "epoch_period" },
		{ "to", LB "epoch_affinity_timeout" },
		{ "over", LB "overaggr_pct" },
		{ "imb", LB "imb_pct" },
		{ "numa", "/proc/sys/kernel/numa_balancing" },
		{ "scandelay", "/sys/kernel/debug/sched/numa_balancing/scan_delay_ms" },
	};

	if ((!strcmp(k, "cpuoff") || !strcmp(k, "cpuon")) && set_online(atoi(v), k[4] == 'n'))
		pr("#err %s=%s: %s\n", k, v, strerror(errno));
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		if (!strcmp(k, files[i].key) && wr(files[i].file, v))
			pr("#err knob %s=%s: %s\n", k, v, strerror(errno));
}

static void defaults(void)
{
	char b[32];

	knob("enabled", "1");
	knob("tol", "1");
	knob("ep", "2");
	knob("to", "5");
	knob("over", "50");
	knob("imb", "20");
	if (strcmp(rd("/proc/sys/kernel/numa_balancing", b, sizeof b), numa0))
		knob("numa", numa0);
	knob("scandelay", "1000");
	all_online();
	drop_partition();
}

static void show_knobs(void)
{
	static const char *files[][2] = {
		{ "enabled", LB "enabled" }, { "tol", LB "aggr_tolerance" }, { "ep", LB "epoch_period" },
		{ "to", LB "epoch_affinity_timeout" }, { "over", LB "overaggr_pct" }, { "imb", LB "imb_pct" },
		{ "numa", "/proc/sys/kernel/numa_balancing" },
	};
	char b[32];

	pr("#knobs");
	for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
		pr(" %s=%s", files[i][0], rd(files[i][1], b, sizeof b));
	pr("\n");
}

static void *sync_thread(void *cpu)
{
	cpu_set_t s;

	CPU_ZERO(&s);
	CPU_SET((long)cpu, &s);
	sched_setaffinity(0, sizeof s, &s);
	while (!sh[SYNC].stop)
		burn(1500);
	return NULL;
}

/* Sets ep, with sync=1 while a thread is busy on every CPU, so that the epochs
 * of all CPUs are current when the period changes. */
static void set_period(const struct experiment *x)
{
	pthread_t t;
	pid_t p;

	if (!x->ep[0])
		return;
	if (!x->sync) {
		knob("ep", x->ep);
		return;
	}
	sh[SYNC].stop = 0;
	p = fork();
	if (!p) {
		for (long i = 1; i < ncpu; i++)
			pthread_create(&t, NULL, sync_thread, (void *)i);
		sync_thread(0);
		_exit(0);
	}
	sleep_us(150000);
	knob("ep", x->ep);
	sleep_us(60000);
	sh[SYNC].stop = 1;
	kill(p, SIGKILL);
	waitpid(p, NULL, 0);
}

/* Share of idle time over all CPUs while sleeping us. */
static double idle_over(long us)
{
	unsigned long long v[2][8] = { { 0 } };
	double total = 0;
	char b[4096];

	for (int k = 0; k < 2; k++) {
		rd("/proc/stat", b, sizeof b);
		sscanf(b, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[k][0], &v[k][1], &v[k][2], &v[k][3],
		       &v[k][4], &v[k][5], &v[k][6], &v[k][7]);
		if (!k)
			sleep_us(us);
	}
	for (int i = 0; i < 8; i++)
		total += v[1][i] - v[0][i];
	return total > 0 ? (v[1][3] - v[0][3]) / total : 1;
}

/* Is a point of the timeline reached? Else it may be the next to wake for. */
static int due(long elapsed, long ms, long *next)
{
	if (elapsed >= ms * 1000L)
		return 1;
	if (ms * 1000L < *next)
		*next = ms * 1000L;
	return 0;
}

static void lift_affinities(struct experiment *x)
{
	int any = 0;

	for (int i = 0; i < x->np; i++)
		if (x->w[i].place)
			any = sh[i].aff = 1;
	if (any)
		mark("AFFRESET");
}

/* Binds all threads of a process to LLC l, -1: to no LLC. */
static void bind_process(pid_t pid, int want, int l)
{
	cpu_set_t s;
	int n = 0;

	llc_set(l, &s);
	for (int tid = pid; tid < pid + 400 && n < want; tid++)
		if (!access(path("/proc/%d/task/%d", pid, tid), R_OK)) {
			sched_setaffinity(tid, sizeof s, &s);
			n++;
		}
}

static void timeline(struct experiment *x, const pid_t *pid, uint64_t t0)
{
	int lifted = 0;

	for (;;) {
		long el = (now_ns(CLOCK_MONOTONIC) - t0) / 1000, next = x->dur * 1000L;

		if (!lifted && due(el, x->affat, &next)) {
			lift_affinities(x);
			lifted = 1;
		}
		for (int i = 0; i < x->nat; i++) {
			struct change *c = &x->at[i];

			if (!c->done && due(el, c->ms, &next)) {
				knob(c->knob, c->value);
				mark("KNOB %s=%s", c->knob, c->value);
				c->done = 1;
			}
		}
		for (int i = 0; i < x->np; i++) {
			struct wl *w = &x->w[i];

			if (w->keep && !sh[i].keep && due(el, w->keep_at, &next)) {
				sh[i].keep = w->keep;
				mark("KEEP");
			}
			if (w->off_at && !sh[i].go && due(el, w->off_at, &next)) {
				sh[i].go = 2;
				mark("OFF");
			}
			if (w->more && !sh[i].more && due(el, w->more_at, &next)) {
				sh[i].more = 1;
				mark("MORE");
			}
			if (w->bind && !sh[i].bound && due(el, w->bind_at, &next)) {
				bind_process(pid[i], nthreads(w), w->bind - 1);
				sh[i].bound = 1;
				mark("BIND");
			}
			if (w->bind_ms && sh[i].bound == 1 && due(el, w->bind_at + w->bind_ms, &next)) {
				bind_process(pid[i], nthreads(w), -1);
				sh[i].bound = 2;
				mark("FREE");
			}
		}
		if (el >= x->dur * 1000L)
			return;
		if (next > el)
			sleep_us(next - el);
	}
}

/* Migrations that the scheduler counted for a process. */
static void show_process(int i, pid_t pid, int want)
{
	char b[4096], *p;
	long migrations = 0;
	int n = 0;

	for (int tid = pid; tid < pid + 400 && n < want; tid++) {
		const char *f = path("/proc/%d/task/%d/sched", pid, tid);

		if (access(f, R_OK))
			continue;
		rd(f, b, sizeof b);
		p = strstr(b, "se.nr_migrations");
		if (p && (p = strchr(p, ':')))
			migrations += atol(p + 1);
		n++;
	}
	pr("#proc %d pid=%d nthr=%d want=%d migrations=%ld\n", i, pid, n, want, migrations);
}

static void run(char *line)
{
	struct experiment x;
	pid_t pid[MAXP];
	char full[2048];
	double idle;
	uint64_t t0;

	snprintf(full, sizeof full, "%s", line);
	defaults();
	parse(line, &x);
	set_period(&x);
	rs = x.seed * 2654435761u + 17;
	for (int i = 0; i < 8; i++)
		rnd();
	memset(sh, 0, sizeof *sh * MAXP);
	if (x.part[0])
		make_partition(x.part);
	start_trace(x.xonly, x.cm, x.occ, x.bg);
	idle = idle_over(200000 + (rnd() % 60000));
	pr("#exp %s\n", full);
	show_knobs();
	pr("#idle %.4f\n", idle);
	wr(TR "tracing_on", "1");
	syscall(SYS_getppid); /* the probe chk reads the static keys here */
	mark("START");
	t0 = now_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < x.np; i++) {
		char name[16];

		snprintf(name, sizeof name, "w%d", i);
		prctl(PR_SET_NAME, name);
		pid[i] = fork();
		if (!pid[i])
			run_process(i, &x.w[i]);
		prctl(PR_SET_NAME, "orc");
		if (rnd() & 1)
			sleep_us(rnd() % 3000);
	}
	timeline(&x, pid, t0);
	mark("END");
	wr(TR "tracing_on", "0");
	for (int i = 0; i < x.np; i++)
		show_process(i, pid[i], nthreads(&x.w[i]));
	for (int i = 0; i < x.np; i++)
		sh[i].stop = 1;
	sleep_us(20000);
	for (int i = 0; i < x.np; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	dump_trace();
}

int main(int argc, char **argv)
{
	int fd = open("/dev/vport0p1", O_WRONLY);
	char *line = malloc(4096);
	FILE *e;

	if (fd >= 0)
		out = fd;
	prctl(PR_SET_NAME, "orc");
	sh = mmap(0, sizeof *sh * MAXP, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	find_llcs();
	rd("/proc/sys/kernel/numa_balancing", numa0, sizeof numa0);
	show_machine();
	prepare_trace();
	/* until the kernel threads of the boot are done: twice a second of 99.7 % idle */
	for (int good = 0, i = 0; good < 2 && i < 60; i++)
		good = idle_over(1000000) >= 0.997 ? good + 1 : 0;
	e = fopen(argc > 1 ? argv[1] : "/exp", "r");
	if (!e) {
		pr("#err no experiments\n");
		return 1;
	}
	while (fgets(line, 4096, e)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		printf("orc: %s", line);
		fflush(stdout);
		run(line);
	}
	pr("#end\n");
	return 0;
}
