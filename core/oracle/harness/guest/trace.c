// SPDX-License-Identifier: GPL-2.0-only
/* What is traced: migrations, creations, and the probes of cache-aware scheduling. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "orc.h"

/*
 * Offsets and registers are those of this one kernel build (BTF and a
 * disassembly); another build needs others.
 */
static const char *probes[] = {
	"p:tcw task_cache_work gcpu=+48(+16(%di)):s32 nra=+24(+16(%di)):u64 fp=+40(+16(%di)):u64 nid=-108(%di):s32 pref=+24(%di):s32",
	"p:tcwend task_cache_work+0x5b2 gcpu=+48(%r14):s32 nr=%ax:s64 nra=+24(%r14):u64 mocc=+56(%sp):u64 cocc=+72(%sp):u64 fp=+40(%r14):u64",
	"p:tcwllc task_cache_work+0x4a7 lcpu=%bp:s32 aocc=%r11:u64 mcpu=+16(%sp):s32",
	"p:cmin can_migrate_llc+0x8e su=%cx:u64 du=%dx:u64 sc=%r12:u64 dc=%di:u64 tu=%r15:u64 tp=%r13:u8 dcpu=%r14:s32",
	"p:cmout can_migrate_llc+0xe8 ret=%di:s32",
	"r:exc exceed_llc_capacity ret=$retval:u8",
	"p:chk __x64_sys_getppid act=@sched_cache_active:s32 pres=@sched_cache_present:s32 smt=@cpu_smt_num_threads:u32 numa=@sched_numa_balancing:s32",
};
static const char *probe_names[] = { "tcw", "tcwend", "tcwllc", "cmin", "cmout", "exc", "chk" };

/* What bg=1 adds: everything that runs besides the workload, and when. */
static const char *background[] = {
	"sched/sched_switch", "sched/sched_waking", "timer/tick_stop",
	"workqueue/workqueue_execute_start", "irq_vectors/local_timer_entry",
	"irq_vectors/call_function_single_entry", "irq_vectors/reschedule_entry", "ipi/ipi_send_cpu",
};

static void enable_probe(unsigned i, int on)
{
	const char *mine = "comm ~ \"w*\"";

	if (i < 3)
		wr(path(TR "events/kprobes/%s/filter", probe_names[i]), mine);
	if (i == 5)
		wr(path(TR "events/kprobes/%s/filter", probe_names[i]), "comm ~ \"w*\" && ret == 1");
	wr(path(TR "events/kprobes/%s/enable", probe_names[i]), on ? "1" : "0");
}

void start_trace(int xonly, int cm, int occ, int bg)
{
	char filter[2048];
	int k;

	wr(TR "tracing_on", "0");
	wr(TR "trace", "");
	k = snprintf(filter, sizeof filter, "comm ~ \"w*\"");
	if (xonly && nllc > 1) { /* only migrations between LLCs */
		k += snprintf(filter + k, sizeof filter - k, " && (");
		for (int i = 0; i < nllc; i++)
			k += snprintf(filter + k, sizeof filter - k,
				      "%s(orig_cpu >= %d && orig_cpu <= %d && (dest_cpu < %d || dest_cpu > %d))",
				      i ? " || " : "", llc_first[i], llc_last[i], llc_first[i], llc_last[i]);
		snprintf(filter + k, sizeof filter - k, ")");
	}
	if (wr(TR "events/sched/sched_migrate_task/filter", filter))
		pr("#err filter %s\n", filter);
	wr(TR "events/sched/sched_migrate_task/enable", "1");
	wr(TR "events/sched/sched_wakeup_new/filter", "comm ~ \"w*\"");
	wr(TR "events/sched/sched_wakeup_new/enable", "1");
	for (unsigned i = 0; i < sizeof probes / sizeof *probes; i++)
		enable_probe(i, i == 2 || i == 5 ? occ : i == 3 || i == 4 ? cm : 1);
	for (unsigned i = 0; i < sizeof background / sizeof *background; i++)
		wr(path(TR "events/%s/enable", background[i]), bg ? "1" : "0");
}

void mark(const char *fmt, ...)
{
	char b[64];
	va_list a;

	va_start(a, fmt);
	vsnprintf(b, sizeof b, fmt, a);
	va_end(a);
	wr(TR "trace_marker", b);
}

void dump_trace(void)
{
	static char buf[65536];
	char b[2048], *p;
	long lost = 0;
	int fd = open(TR "trace", O_RDONLY), r;

	while ((r = read(fd, buf, sizeof buf)) > 0)
		outs(buf, r);
	close(fd);
	for (int c = 0; c < ncpu; c++) {
		rd(path(TR "per_cpu/cpu%d/stats", c), b, sizeof b);
		if ((p = strstr(b, "overrun:")))
			lost += atol(p + 8);
	}
	pr("#done overrun=%ld\n", lost);
	wr(TR "trace", "");
}

/* Sets up the buffer and the probes, once. */
void prepare_trace(void)
{
	wr(TR "buffer_size_kb", "8000");
	wr(TR "trace_clock", "local");
	wr(TR "options/irq-info", "0");
	wr(TR "options/record-cmd", "1");
	for (unsigned i = 0; i < sizeof probes / sizeof *probes; i++)
		if (put(TR "kprobe_events", probes[i], O_APPEND))
			pr("#err kprobe %s: %s\n", probes[i], strerror(errno));
}
