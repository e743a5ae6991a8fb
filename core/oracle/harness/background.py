#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""background.py RAW...: what runs besides the workload, and how late interrupts are

Reads raw traces of experiments with bg=1. These are the measurements behind
the timing of the emulation in the oracle package.
"""
import collections
import re
import statistics
import sys

from analyze import load, pairs

SWITCH = re.compile(r'prev_comm=(.*) prev_pid=(\d+).* next_comm=(.*) next_pid=(\d+)')


def spread(values):
    v = sorted(values)
    return 'n %d, mean %.0f, median %.0f, 90 %% %.0f us' % (len(v), statistics.mean(v), statistics.median(v), v[len(v) * 9 // 10])


def show(exp):
    print(pairs(exp['spec'])['name'], 'seed', pairs(exp['spec'])['seed'])
    t0 = next((t for t, _, _, e, a in exp['events'] if e == 'tracing_mark_write' and a.startswith('START')), 0)
    running, runs, cpus, times = {}, collections.defaultdict(list), collections.defaultdict(collections.Counter), collections.defaultdict(list)
    woken, waits, works = {}, [], collections.Counter()
    sent, late, ticks = {}, collections.defaultdict(list), []
    for t, pid, cpu, event, args in exp['events']:
        if event == 'sched_switch':
            prev, _, cur, cur_pid = SWITCH.search(args).groups()
            if cpu in running:
                runs[running[cpu][0]].append((t - running[cpu][1]) * 1000)
            running[cpu] = (cur, t)
            if not re.match(r'swapper|w\d', cur):
                cpus[cur][cpu] += 1
                times[cur].append(t - t0)
            if cur_pid in woken:
                waits.append((t - woken.pop(cur_pid)) * 1000)
        elif event == 'sched_waking' and 'comm=kworker/' in args and re.match(r'w\d', running.get(cpu, ('',))[0]):
            woken[pairs(args)['pid']] = t
        elif event == 'workqueue_execute_start':
            works[re.search(r'function (\S+)', args)[1]] += 1
        elif event == 'ipi_send_cpu':
            kind = 'call' if 'generic' in args else 'reschedule'
            sent.setdefault((int(pairs(args)['cpu']), kind), t)
        elif event in ('call_function_single_entry', 'reschedule_entry'):
            kind = 'call' if 'call' in event else 'reschedule'
            if (cpu, kind) in sent:
                late[kind].append((t - sent.pop((cpu, kind))) * 1000)
        elif event == 'local_timer_entry':
            ticks.append(t)
    for name, n in sorted(((n, sum(c.values())) for n, c in cpus.items()), key=lambda x: -x[1])[:12]:
        at = times[name]
        gaps = [b - a for a, b in zip(at, at[1:])]
        print('  %-16s %4d times, every %s ms, %.0f us each, on CPUs %s' % (
            name, n, '%.0f' % statistics.median(gaps) if gaps else '-', statistics.mean(runs[name] or [0]), dict(cpus[name].most_common(4))))
    print('  work:', dict(works.most_common(6)))
    if waits:
        print('  from waking a worker of a busy CPU to its run:', spread(waits))
    for kind, v in late.items():
        print('  %s interrupt:' % kind, spread(v))
    groups, near = [], []
    for t in sorted(ticks):
        if near and t - near[-1] > 1.2:
            groups.append(near)
            near = []
        near.append(t)
    gaps = [(g[-1] - g[0]) * 1000 / (len(g) - 1) for g in groups if len(g) > 2]
    if gaps:
        print('  ticks of two CPUs: %.0f us apart' % statistics.mean(gaps))


for path in sys.argv[1:]:
    for _, experiment in load(path):
        show(experiment)
