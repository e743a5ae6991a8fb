// SPDX-License-Identifier: GPL-2.0-only
/* What the guest reads back about its machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "orc.h"

#define CGROUP "/sys/fs/cgroup/"
#define PART CGROUP "part"
#define DOM "/sys/kernel/debug/sched/domains/cpu0/domain%d/%s"

void find_llcs(void)
{
	char b[256];

	ncpu = sysconf(_SC_NPROCESSORS_ONLN);
	for (int c = 0; c < ncpu; c++) {
		rd(path("/sys/devices/system/cpu/cpu%d/cache/index3/shared_cpu_list", c), b, sizeof b);
		int first = atoi(b), last = first, k;
		char *dash = strchr(b, '-');

		if (dash)
			last = atoi(dash + 1);
		for (k = 0; k < nllc && llc_first[k] != first; k++)
			;
		if (k == nllc) {
			llc_first[k] = first;
			llc_last[k] = last;
			nllc++;
		}
	}
}

int set_online(int cpu, int on)
{
	return wr(path("/sys/devices/system/cpu/cpu%d/online", cpu), on ? "1" : "0");
}

void all_online(void)
{
	char b[256];

	for (int c = 1; c < ncpu; c++)
		if (!strcmp(rd(path("/sys/devices/system/cpu/cpu%d/online", c), b, sizeof b), "0"))
			set_online(c, 1);
}

void make_partition(const char *cpus)
{
	char b[256];

	mkdir(PART, 0755);
	wr(CGROUP "cgroup.subtree_control", "+cpuset");
	wr(PART "/cpuset.cpus", cpus);
	wr(PART "/cpuset.cpus.partition", "root");
	pr("#partition %s %s\n", rd(PART "/cpuset.cpus.effective", b, sizeof b), rd(PART "/cpuset.cpus.partition", b + 128, 128));
}

void enter_partition(void)
{
	wr(PART "/cgroup.procs", "0");
}

void drop_partition(void)
{
	if (!access(PART, F_OK) && rmdir(PART))
		pr("#err partition: %s\n", strerror(errno));
}

static void show_domain(int i)
{
	static const char *fields[] = { "imbalance_pct", "min_interval", "max_interval", "busy_factor", "cache_nice_tries" };
	char b[512];

	rd(path(DOM, i, "name"), b, sizeof b);
	if (!b[0])
		return;
	pr("#domain %d name=%s", i, b);
	for (unsigned k = 0; k < sizeof fields / sizeof *fields; k++)
		pr(" %s=%s", fields[k], rd(path(DOM, i, fields[k]), b, sizeof b));
	pr("\n");
}

void show_machine(void)
{
	char b[4096];

	pr("#boot kernel=%s\n", rd("/proc/version", b, sizeof b));
	pr("#cmdline %s\n", rd("/proc/cmdline", b, sizeof b));
	pr("#clocksource %s\n", rd("/sys/devices/system/clocksource/clocksource0/current_clocksource", b, sizeof b));
	pr("#ncpu %d\n#numa0 %s\n", ncpu, numa0);
	for (int i = 0; i < nllc; i++) {
		rd(path("/sys/devices/system/cpu/cpu%d/cache/index3/size", llc_first[i]), b, sizeof b);
		pr("#llc %d %d-%d %s\n", i, llc_first[i], llc_last[i], b);
	}
	for (int i = 0; i < 8; i++) {
		const char *f = path("/sys/devices/system/node/node%d/cpulist", i);

		if (access(f, R_OK))
			break;
		pr("#node %d %s\n", i, rd(f, b, sizeof b));
	}
	pr("#smt0 %s\n", rd("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", b, sizeof b));
	for (int i = 0; i < 5; i++)
		show_domain(i);
}
