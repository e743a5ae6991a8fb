package workload

import (
	"strconv"
	"strings"
)

// script: segments by hand.

func scriptKind() Kind {
	return Kind{"script", "Threads that run segments given by hand, separated by \"/\": run-US, run-US-PCT (up to PCT % more or less), sys-US, sleep-US, period-US, barrier, gather-LINES, units-N, wake and wait (threads 2k and 2k+1 wake each other), repeat-N (from the first segment; 0 or nothing at the end: for ever).", []Key{
		threadsKey(2, "threads; all run the same segments"),
		{Name: "segments", Type: String, Default: "run-1000/sleep-1000", Doc: "the segments, at most 64"},
	}}
}

const maxSegments = 64

func (c *compiler) script(s Spec) error {
	n := int(s.Int("threads"))
	parts := strings.Split(s.String("segments"), "/")
	if len(parts) > maxSegments {
		return c.fail("segments", "must be at most "+strconv.Itoa(maxSegments)+", got "+strconv.Itoa(len(parts)))
	}
	var prog []Op
	talks := false
	takesTime, ended, meets := false, false, false
	for i, part := range parts {
		at := "segment " + strconv.Itoa(i+1) + " (" + strconv.Quote(part) + ") "
		if ended {
			return c.fail("segments", at+"comes after repeat, which must be last")
		}
		word, rest, _ := strings.Cut(part, "-")
		var args []int64
		if rest != "" {
			for _, a := range strings.Split(rest, "-") {
				v, err := strconv.ParseUint(a, 10, 30)
				if err != nil {
					return c.fail("segments", at+"has a number that is not 0 to 1073741823")
				}
				args = append(args, int64(v))
			}
		}
		lo, hi := 1, 1
		switch word {
		case "barrier", "wake", "wait":
			lo, hi = 0, 0
		case "run":
			hi = 2
		}
		if len(args) < lo || len(args) > hi {
			return c.fail("segments", at+"has the wrong number of values")
		}
		if word == "run" || word == "sys" || word == "sleep" || word == "period" {
			if args[0] == 0 {
				return c.fail("segments", at+"must take at least 1 us")
			}
			takesTime = true
		}
		switch word {
		case "run":
			op := compute(args[0] * usec)
			if len(args) == 2 {
				if args[1] > 100 {
					return c.fail("segments", at+"may vary by 100 % at most")
				}
				op.Jitter = int32(args[1] * 10000)
			}
			prog = append(prog, op)
		case "sys":
			prog = append(prog, system(args[0]*usec))
		case "sleep":
			prog = append(prog, simple(OpSleep, args[0]*usec, 0))
		case "period":
			prog = append(prog, simple(OpPeriod, args[0]*usec, 0))
		case "barrier":
			prog, meets = append(prog, simple(OpBarrier, 0, 0)), true
		case "gather":
			prog = append(prog, simple(OpGather, args[0], 1))
		case "units":
			prog = append(prog, units(args[0]))
		case "wake":
			prog, talks = append(prog, simple(OpSend, 1, 1)), true
		case "wait":
			prog, talks = append(prog, simple(OpRecv, 0, 0)), true
		case "repeat":
			prog, ended = append(prog, repeat(0, args[0])), true
		default:
			return c.fail("segments", at+"is not a known segment")
		}
	}
	if !takesTime {
		return c.fail("segments", "must have one that takes time (run, sys, sleep, period)")
	}
	if !ended {
		prog = append(prog, loop(0, -1))
	} else if prog[len(prog)-1].A > 0 {
		prog = append(prog, simple(OpExit, 0, 0))
	}
	if talks && n%2 == 1 {
		return c.fail("threads", "must be even for wake and wait, which join threads 2k and 2k+1, got "+strconv.Itoa(n))
	}
	// The odd thread of a pair has the two channels the other way round.
	odd := append([]Op{}, prog...)
	for i := range odd {
		if k := odd[i].Kind; k == OpSend || k == OpRecv {
			odd[i].A = 1 - odd[i].A
		}
	}
	p, err := c.add(n, prog, odd)
	if err != nil {
		return err
	}
	if meets {
		p.Barriers = []Barrier{{Parties: n}}
	}
	p.Unit = "units"
	p.measureWakeups()
	if !talks {
		return nil
	}
	base := int32(len(c.set.Channels))
	for i := range p.Threads {
		c.set.Channels = append(c.set.Channels, wordChannel(1024))
		p.Threads[i].Prog, p.Threads[i].ChannelBase = int32(i%2), base+int32(i/2*2)
	}
	return nil
}
