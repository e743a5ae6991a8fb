#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""analyze.py RESULTS EXPERIMENTS RAW...: raw traces of the guest -> RESULTS/NAME.json

Runs of other definitions of an experiment than the present one are left out,
and so are runs after a change of epoch_period in the same boot, which leaves
the epochs of the CPUs apart. README.md explains the fields.
"""
import collections
import json
import os
import re
import statistics
import sys

EVENT = re.compile(r'^\s*(.+)-(\d+)\s+\[(\d+)\]\s+(?:[^\s\d]\S*\s+)?(\d+\.\d+): (\w+): (.*)$')
PAIR = re.compile(r'(\w+)=(\S+)')
DOMAIN = re.compile(r'\d+ name=(\S*) imbalance_pct=(\d*) min_interval=(\d*) max_interval=(\d*) busy_factor=(\d*) cache_nice_tries=(\d*)')
DOMAIN_KEYS = ('imbalance_pct', 'min_interval', 'max_interval', 'busy_factor', 'cache_nice_tries')
SAMPLE_MS = 20.0


def pairs(text):
    return dict(PAIR.findall(text))


def load(path):
    """Yields (header, experiment) for each experiment of a raw file."""
    head = {'llcs': [], 'nodes': [], 'domains': []}
    cur = None
    for line in open(path, errors='replace'):
        line = line.rstrip('\n')
        if not line.startswith('#'):
            m = EVENT.match(line) if cur is not None else None
            if m:
                cur['events'].append((float(m[4]) * 1000, int(m[2]), int(m[3]), m[5], m[6]))
            continue
        m = re.match(r'#(\w+) ?(.*)$', line)
        if not m:
            continue
        key, value = m.groups()
        if key == 'llc':
            _, cpus, size = value.split()
            first, _, last = cpus.partition('-')
            head['llcs'].append({'cpus': cpus, 'first': int(first), 'last': int(last or first), 'size': size})
        elif key == 'node':
            head['nodes'].append(value.split()[1])
        elif key == 'domain':
            d = DOMAIN.match(value)
            if d:
                head['domains'].append({'name': d[1], **{k: int(v or 0) for k, v in zip(DOMAIN_KEYS, d.groups()[1:])}})
        elif key == 'boot':
            head['kernel'] = value.replace('kernel=', '')[:60]
        elif key == 'exp':
            cur = {'spec': value, 'procs': [], 'events': [], 'errors': []}
        elif key == 'idle' and cur:
            cur['idle'] = float(value)
        elif key == 'knobs' and cur:
            cur['knobs'] = {k: int(v) for k, v in PAIR.findall(value) if v.lstrip('-').isdigit()}
        elif key == 'proc' and cur:
            cur['procs'].append(value)
        elif key == 'err' and cur:
            cur['errors'].append(value)
        elif key == 'done' and cur:
            cur['overrun'] = int(value.split('=')[1])
            yield head, cur
            cur = None
        else:
            head[key] = value.strip()


class Process:
    """What the trace says of one process."""

    def __init__(self):
        self.threads, self.where, self.first, self.history = [], {}, {}, []
        self.cross, self.intra, self.moves = 0, 0, []
        self.preferred, self.average, self.seen = [], [], []
        self.runs, self.scans, self.visited = 0, 0, 0
        self.footprint, self.exceeds, self.nodes, self.occupancy = [], 0, [], []


def changed(series, at, value):
    if not series or series[-1][1] != value:
        series.append([at, value])


def read_trace(head, exp, count, t0):
    """Follows the events of an experiment; returns the processes and the verdicts of can_migrate_llc."""
    llc_of = {c: i for i, l in enumerate(head['llcs']) for c in range(l['first'], l['last'] + 1)}
    procs = [Process() for _ in range(count)]
    of_pid, occupancy, inputs, verdicts = {}, {}, set(), collections.Counter()
    for t, pid, cpu, event, args in exp['events']:
        at, a = t - t0, pairs(args)
        if event == 'sched_wakeup_new':
            m = re.match(r'w(\d+)$', a['comm'])
            if m:
                p, k = procs[int(m[1])], int(a['pid'])
                of_pid[k] = p
                p.threads.append(k)
                p.first[k] = int(a['target_cpu'])
                p.where[k] = llc_of[p.first[k]]
                p.history.append((at, dict(p.where)))
        elif event == 'sched_migrate_task':
            k = int(a['pid'])
            if k not in of_pid:
                continue
            p, src, dst = of_pid[k], llc_of[int(a['orig_cpu'])], llc_of[int(a['dest_cpu'])]
            if src == dst:
                p.intra += 1
                continue
            p.cross += 1
            p.where[k] = dst
            p.history.append((at, dict(p.where)))
            p.moves.append([round(at, 1), p.threads.index(k), src, dst])
        elif event in ('tcw', 'tcwend') and pid in of_pid:
            p, home, average = of_pid[pid], int(a['gcpu']), int(a['nra'])
            changed(p.preferred, round(at, 1), home)
            if event == 'tcw':
                p.runs += 1
                if int(a['fp']):
                    changed(p.footprint, round(at), int(a['fp']))
                changed(p.average, round(at, 1), average)
                if int(a['nid']) >= 0:
                    p.nodes.append((pid, int(a['nid'])))
                continue
            p.scans += 1
            changed(p.seen, round(at, 1), int(a['nr']))
            if pid in occupancy:
                if len(p.occupancy) < 60:
                    p.occupancy.append([round(at, 1), occupancy[pid], home, int(a['nr']), average])
                p.visited += len(occupancy.pop(pid))
        elif event == 'tcwllc':
            occupancy.setdefault(pid, []).append([llc_of[int(a['lcpu'])], int(a['aocc']), int(a['mcpu'])])
        elif event == 'cmin':
            inputs.add(cpu)
        elif event == 'cmout' and cpu in inputs:
            inputs.discard(cpu)
            verdicts[('forbid', 'llc', 'unrestricted')[int(a['ret'])]] += 1
        elif event == 'exc' and pid in of_pid:
            of_pid[pid].exceeds += 1
    return procs, verdicts


def split(where, llcs, only=None):
    out = [0] * llcs
    for thread, llc in where.items():
        if only is None or thread in only:
            out[llc] += 1
    return out


def figures(p, llcs, work, marks, end, proc_line, spec):
    """The figures of one process."""
    n = len(p.threads)
    if not n:
        return {'threads': 0}
    keep = int((re.findall(r'keep=(\d+)', work) or [0])[0])
    kept = set(p.threads[:keep]) if keep else None
    started = next(at for at, where in p.history if len(where) == n)
    ref = started
    for at, m in marks:
        if (m == 'AFFRESET' and 'place=' in work or m == 'KNOB enabled=1' or m == 'KEEP' and keep
                or m == 'FREE' and 'bindfor=' in work or m.startswith('KNOB cpu')
                or m.startswith('KNOB tol=') and m != 'KNOB tol=1'):
            ref = max(ref, at)
    first = stable = None
    tail = max(end - 500, ref)
    time_on = [0.0] * llcs
    for i, (at, where) in enumerate(p.history):
        until = p.history[i + 1][0] if i + 1 < len(p.history) else end
        s = split(where, llcs, kept)
        inside = min(until, end) - max(at, tail)
        if inside > 0:
            for l, k in enumerate(s):
                time_on[l] += k * inside
        if len(where) < n or until <= ref:
            continue
        if max(s) >= 0.9 * sum(s):
            first = max(at, ref) if first is None else first
            stable = max(at, ref) if stable is None else stable
        else:
            stable = None
    series, j, where = [], 0, {}
    for step in range(int(end / SAMPLE_MS) + 1):
        while j < len(p.history) and p.history[j][0] <= step * SAMPLE_MS:
            where = p.history[j][1]
            j += 1
        changed(series, round(step * SAMPLE_MS), split(where, llcs, kept))
    total = sum(time_on) or 1
    final = split(p.history[-1][1], llcs, kept)
    counted = re.search(r'migrations=(\d+)', proc_line)
    since = lambda t: None if t is None else round(t - ref, 1)
    out = {
        'threads': n,
        'init_cpus': [p.first[k] for k in p.threads] if n <= 16 else None,
        'init_split': split(next(where for _, where in p.history if len(where) == n), llcs),
        't_all_started_ms': round(started, 1), 'ref_ms': round(ref, 1),
        't_first90_ms': since(first), 't_stable90_ms': since(stable),
        'final_split': final, 'final_top_frac': round(max(final) / sum(final), 3),
        'top_frac_last500ms': round(max(time_on) / total, 3),
        'llc_share_last500ms': [round(x / total, 3) for x in time_on],
        'cross_llc_migrations': p.cross,
        'intra_llc_migrations': None if spec.get('xonly') == '1' else p.intra,
        'nr_migrations_sched': int(counted[1]) if counted else None,
        'cross_llc_first60': p.moves[:60], 'series_20ms': series[:160],
        'tcw_runs': p.runs, 'tcw_scans': p.scans,
        'pref_cpu_changes': len(p.preferred),
        'pref_cpu_final': p.preferred[-1][1] if p.preferred else None,
        'nr_running_avg_final': p.average[-1][1] if p.average else None,
        'nr_running_avg_max': max((x[1] for x in p.average), default=None),
        'pref_cpu': p.preferred[:40], 'nr_running_avg': p.average[:40], 'nr_running_seen': p.seen[:40],
    }
    if p.footprint:
        out['footprint_pages'] = p.footprint[:40] + (p.footprint[-1:] if len(p.footprint) > 40 else [])
    if spec.get('occ') == '1':
        out['exceed_llc_capacity_true'] = p.exceeds
        out['llcs_per_scan'] = round(p.visited / p.scans, 2) if p.scans else None
        out['scan_occ_first60'] = p.occupancy
    if p.nodes:
        out['numa_preferred_last'] = list(dict(p.nodes).values())
    return out


def run_of(head, exp):
    """The facts of one run, None if its trace is not whole."""
    fields = PAIR.findall(exp['spec'])
    spec, work = dict(fields), [v for k, v in fields if k == 'wl']
    mark_at = [(t, args) for t, _, _, event, args in exp['events'] if event == 'tracing_mark_write']
    t0 = next((t for t, m in mark_at if m.startswith('START')), None)
    t1 = next((t for t, m in mark_at if m.startswith('END')), None)
    if t0 is None or t1 is None:
        return None
    marks = [[round(t - t0, 1), m] for t, m in mark_at if m.split()[0] not in ('START', 'END')]
    keys = next((pairs(args) for _, _, _, event, args in exp['events'] if event == 'chk'), {})
    procs, verdicts = read_trace(head, exp, len(work), t0)
    run = {'seed': int(spec['seed']), 'boot_s': round(t0 / 1000, 1), 'idle_before': exp.get('idle'),
           'cas_active': keys.get('act') == '1', 'overrun': exp['overrun'], 'marks': marks}
    if verdicts:
        run['can_migrate_llc'] = dict(verdicts)
    if exp['errors']:
        run['errors'] = exp['errors']
    lines = exp['procs'] + [''] * len(work)
    run['procs'] = [figures(p, len(head['llcs']), work[i], marks, t1 - t0, lines[i], spec) for i, p in enumerate(procs)]
    return run


def summary(runs):
    """Medians and lists over the runs, for people."""
    median = lambda v: round(statistics.median(v), 1) if v else None
    out = []
    for column in zip(*(r['procs'] for r in runs)):
        q = [p for p in column if p['threads']]
        if q:
            out.append({
                'threads': q[0]['threads'], 'runs': len(q),
                'stable90_runs': sum(p['t_stable90_ms'] is not None for p in q),
                't_stable90_ms_median': median([p['t_stable90_ms'] for p in q if p['t_stable90_ms'] is not None]),
                'final_splits': [p['final_split'] for p in q],
                'top_frac_last500ms_mean': round(statistics.mean(p['top_frac_last500ms'] for p in q), 3),
                'cross_llc_migrations': [p['cross_llc_migrations'] for p in q],
            })
    return {'runs': len(runs), 'procs': out}


def definition(text):
    return sorted(text.split())


def main():
    results, experiments, raws = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(results, exist_ok=True)
    present = {}
    for line in open(experiments):
        if line.strip() and not line.startswith('#'):
            _, name, *rest = line.split()
            present[name] = definition(' '.join(rest))
    found = {}
    for path in sorted(raws):
        skewed = False
        for head, exp in load(path):
            name = pairs(exp['spec'])['name']
            body = re.sub(r'\b(name|seed)=\S+ ?', '', exp['spec']).strip()
            usable = not skewed and definition(body) == present.get(name)
            skewed |= exp['knobs'].get('ep', 2) != 2
            run = run_of(head, exp) if usable else None
            if run is None:
                continue
            entry = found.setdefault(name, {
                'experiment': name, 'spec': re.sub(r'\s+', ' ', body),
                'kernel': head.get('kernel'), 'hz': 250, 'qemu': head.get('qemu'), 'icount_shift': int(head.get('shift', 2)),
                'topology': {'name': head.get('topology'), 'smp': head.get('smp'),
                             'llcs': [{'cpus': l['cpus'], 'size': l['size']} for l in head['llcs']],
                             'nodes': head['nodes'], 'smt_siblings_cpu0': head.get('smt0'),
                             'cpu0_domains': head['domains'], 'clocksource': head.get('clocksource')},
                'knobs': exp['knobs'], 'by_seed': {}})
            entry['by_seed'][run['seed']] = run
    for name, entry in found.items():
        runs = [run for _, run in sorted(entry.pop('by_seed').items())]
        entry['summary'] = summary(runs)
        text = json.dumps(entry, indent=1)[:-2] + ',\n "runs": [\n'
        text += ',\n'.join('  ' + json.dumps(run, separators=(',', ':')) for run in runs) + '\n ]\n}\n'
        with open(os.path.join(results, name + '.json'), 'w') as f:
            f.write(text)
    print('%d experiments written to %s' % (len(found), results))


if __name__ == '__main__':
    main()
