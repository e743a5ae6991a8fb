package workload

import (
	"errors"
	"strconv"

	"casplay/core/machine"
)

const (
	usec = 1000
	msec = 1000000
)

// Compile turns validated workload entries into programs for a machine.
// Errors name the entry ("workload.0.place: ...").
func Compile(specs []Spec, m *machine.Machine) (Set, error) {
	c := &compiler{m: m}
	table := entries()
	for i, s := range specs {
		c.at = "workload." + strconv.Itoa(i)
		e := find(table, s.Kind)
		if e == nil {
			return Set{}, c.fail("kind", "is not a known kind: "+strconv.Quote(s.Kind))
		}
		place, err := ParsePlace(s.String("place"))
		if err == nil {
			err = place.check(m)
		}
		if err != nil {
			return Set{}, c.fail("place", err.Error()+", got "+strconv.Quote(s.String("place")))
		}
		for n := range int(s.Int("instances")) {
			first := len(c.set.Procs)
			if err = e.compile(c, s); err != nil {
				return Set{}, err
			}
			if err = c.common(s, n, place, c.set.Procs[first:]); err != nil {
				return Set{}, err
			}
		}
	}
	return c.set, nil
}

func find(table []entry, kind string) *entry {
	for i := range table {
		if table[i].Name == kind {
			return &table[i]
		}
	}
	return nil
}

func (c *compiler) fail(key, problem string) error {
	return errors.New(c.at + "." + key + ": " + problem)
}

// common applies the common keys to the processes of instance n.
func (c *compiler) common(s Spec, n int, place Place, procs []Proc) error {
	until := s.Int("place_until_ms") * msec
	if until < 0 {
		until = -1
	}
	index := 0 // of the thread within the instance
	for i := range procs {
		p := &procs[i]
		base := s.String("name")
		if base == "" {
			base = s.Kind
		}
		p.Name = base
		if s.Int("instances") > 1 {
			p.Name += "." + strconv.Itoa(n)
		}
		if len(procs) > 1 {
			p.Name += "/" + strconv.Itoa(i)
		}
		p.SpawnGapNs = s.Int("spawn_gap_us") * usec
		p.StartNs = s.Int("start_ms")*msec + int64(n)*s.Int("instance_gap_us")*usec + int64(i)*p.SpawnGapNs
		p.ExitNs = s.Int("exit_ms") * msec
		if p.ExitNs > 0 && p.ExitNs <= p.StartNs {
			return c.fail("exit_ms", "must be later than the start of every instance ("+strconv.FormatInt(p.StartNs/msec, 10)+" ms)")
		}
		p.WarmupNs = s.Int("warmup_ms") * msec
		if mib := s.Int("rss_mib"); mib > 0 {
			p.RSSBytes = mib << 20
		}
		p.Group = int32(s.Int("group"))
		p.CacheOff, p.Tolerance = s.Bool("cas_off"), s.Int("cas_tolerance")
		p.SizeTolerance, p.OveraggrPct = s.Int("cas_size_tolerance"), s.Int("cas_overaggr_pct")
		p.CacheGroups = int32(s.Int("cache_groups"))
		if p.Group > 0 && p.CacheGroups > 1 {
			return c.fail("cache_groups", "cannot split a process that shares the cache group of others: set group to 0")
		}
		p.Background = p.Background || s.Bool("background")
		for t := range p.Threads {
			if place.Kind != PlaceFork { // or where the kind binds it
				p.Threads[t].Allowed = place.cpus(c.m, index)
			}
			p.Threads[t].AllowedUntilNs = until
			index++
		}
	}
	return nil
}

// add enters a process with n equal threads that run prog 0 and own one slice each.
func (c *compiler) add(n int, progs ...[]Op) (*Proc, error) {
	if c.threads+n > MaxThreads {
		return nil, c.fail("threads", "makes more than "+strconv.Itoa(MaxThreads)+" threads in all")
	}
	c.threads += n
	p := Proc{Progs: progs, Threads: make([]Thread, n)}
	for i := range p.Threads {
		p.Threads[i] = Thread{SliceIndex: int32(i), SliceCount: int32(n)}
	}
	c.set.Procs = append(c.set.Procs, p)
	return &c.set.Procs[len(c.set.Procs)-1], nil
}

// compute is an op that touches nothing below L2.
func compute(ns int64) Op { return Op{Kind: OpCompute, Profile: -1, Region: -1, A: ns} }

// loop jumps back to op target, passed count times (< 0: for ever).
func loop(target int, count int64) Op {
	return Op{Kind: OpLoop, Profile: -1, Region: -1, A: count, B: int64(target)}
}

// repeat is loop with 0 meaning for ever, as in scenario keys.
func repeat(target int, count int64) Op {
	if count == 0 {
		count = -1
	}
	return loop(target, count)
}

// simple is an op without memory.
func simple(kind OpKind, a, b int64) Op {
	return Op{Kind: kind, Profile: -1, Region: -1, A: a, B: b}
}
