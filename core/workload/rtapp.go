package workload

import (
	"strconv"

	"casplay/core/machine"
	"casplay/core/workload/rtapp"
)

// rtapp: the workload files of rt-app.

func rtappKind() Kind {
	return Kind{"rtapp", "The tasks of an rt-app file as threads of one process: run, sleep, timer, lock, unlock, wait, signal, broad, sync, suspend, resume and barrier events in phases and loops. What cannot be simulated (priorities, policies, fork, I/O) is left out; \"casplay import rtapp\" lists it.", []Key{
		{Name: "file", Type: String, Default: `{"tasks":{"thread0":{"run":1000,"sleep":1000}}}`, Max: rtapp.MaxPacked, Doc: "the file itself, on one line"},
	}}
}

// rtappNames numbers the resources of a file.
type rtappNames struct {
	mutex, cond, barrier []string
	parties              []int
}

// index finds a name, entering it if it is new.
func index(names *[]string, name string) int {
	for i, n := range *names {
		if n == name {
			return i
		}
	}
	*names = append(*names, name)
	return len(*names) - 1
}

func (c *compiler) rtapp(s Spec) error {
	f, err := rtapp.Parse(s.String("file"))
	if err != nil {
		return c.fail("file", err.Error())
	}
	n := 0
	var r rtappNames
	for _, t := range f.Tasks {
		n += t.Instances
		r.collect(&t)
	}
	if len(r.mutex)+len(r.cond) > 256 {
		return c.fail("file", "names "+strconv.Itoa(len(r.mutex)+len(r.cond))+" mutexes and conditions; at most 256 are simulated")
	}
	p, err := c.add(n)
	if err != nil {
		return err
	}
	base := int32(len(c.set.Channels))
	for range r.mutex {
		// a mutex is a pipe with room for one message: who locks it writes, who unlocks it reads
		c.set.Channels = append(c.set.Channels, wordChannel(1))
	}
	for range r.cond {
		ch := wordChannel(min(n, 1024))
		ch.Signal = true
		c.set.Channels = append(c.set.Channels, ch)
	}
	for _, parties := range r.parties {
		p.Barriers = append(p.Barriers, Barrier{Parties: parties})
	}
	at := 0
	for i, t := range f.Tasks {
		p.Progs = append(p.Progs, r.program(&t))
		var allowed machine.Set
		for _, cpu := range t.CPUs {
			if cpu >= len(c.m.CPUs) {
				return c.fail("file", "tasks."+t.Name+".cpus: the machine has no CPU "+strconv.Itoa(cpu)+", only 0 to "+strconv.Itoa(len(c.m.CPUs)-1))
			}
			allowed.Add(cpu)
		}
		for range t.Instances {
			th := &p.Threads[at]
			th.Prog, th.ChannelBase, th.Allowed, th.BindsItself = int32(i), base, allowed, len(t.CPUs) > 0
			at++
		}
	}
	p.measureWakeups()
	return nil
}

// collect enters the resources that a task names.
func (r *rtappNames) collect(t *rtapp.Task) {
	var met []string
	for _, s := range t.Steps {
		switch s.Op {
		case rtapp.Lock, rtapp.Unlock:
			index(&r.mutex, s.Ref)
		case rtapp.Wait, rtapp.Signal, rtapp.Broadcast:
			index(&r.cond, s.Ref)
		case rtapp.Barrier:
			before := len(met)
			if index(&met, s.Ref); len(met) == before {
				continue
			}
			i := index(&r.barrier, s.Ref)
			if i == len(r.parties) {
				r.parties = append(r.parties, 0)
			}
			r.parties[i] += t.Instances
		}
	}
}

// program turns the steps of a task into ops, one for one.
func (r *rtappNames) program(t *rtapp.Task) (prog []Op) {
	mutex := func(name string) int64 { return int64(index(&r.mutex, name)) }
	cond := func(name string) int64 { return int64(len(r.mutex) + index(&r.cond, name)) }
	for _, s := range t.Steps {
		var op Op
		switch s.Op {
		case rtapp.Run:
			op = compute(s.N * usec)
		case rtapp.Sleep:
			op = simple(OpSleep, s.N*usec, 0)
		case rtapp.Timer:
			op = simple(OpPeriod, s.N*usec, 0)
		case rtapp.Lock:
			op = simple(OpSend, mutex(s.Ref), 0)
		case rtapp.Unlock:
			op = simple(OpRecv, mutex(s.Ref), 0)
		case rtapp.Wait:
			op = simple(OpRecv, cond(s.Ref), 0)
		case rtapp.Signal:
			op = simple(OpSend, cond(s.Ref), 0)
		case rtapp.Broadcast:
			op = simple(OpSend, cond(s.Ref), Broadcast)
		case rtapp.Barrier:
			op = simple(OpBarrier, int64(index(&r.barrier, s.Ref)), 0)
		case rtapp.Loop:
			op = loop(s.Back, s.N)
		}
		prog = append(prog, op)
	}
	return append(prog, simple(OpExit, 0, 0))
}
