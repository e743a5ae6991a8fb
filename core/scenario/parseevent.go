package scenario

import (
	"strconv"

	"casplay/core/json"
	"casplay/core/machine"
)

func (r *reader) events(s *Scenario, n *json.Node) {
	for i, e := range r.list("events", n, MaxEvents) {
		if path := "events." + strconv.Itoa(i); r.object(path, e, "at_ms", "arm", "set", "sleep", "threads", "for_ms", "offline") {
			s.Events = append(s.Events, r.event(s, path, e))
		}
	}
}

func (r *reader) event(s *Scenario, path string, e *json.Node) Event {
	if e.Get("at_ms") == nil {
		r.add(path+".at_ms", nil, "is missing: the time of the event in ms")
	}
	ev := Event{AtMs: r.integer(path+".at_ms", e.Get("at_ms"), 0, MaxMs)}
	if a := e.Get("arm"); a != nil {
		ev.Arm = r.name(path+".arm", a, maxLabel)
	}
	kinds := 0
	for k := range eventKinds {
		if e.Get(k.String()) != nil {
			ev.Kind = k
			kinds++
		}
	}
	if kinds != 1 {
		r.add(path, e, "must have either set, sleep or offline")
	}
	if ev.Kind != EventSleep && (e.Get("threads") != nil || e.Get("for_ms") != nil) {
		r.add(path, e, "has threads or for_ms without sleep")
	}
	what := e.Get(ev.Kind.String())
	switch at := path + "." + ev.Kind.String(); ev.Kind {
	case EventSet:
		ev.Set = r.overrides(s, at, what, allowedLive)
	case EventSleep:
		ev.Sleep = r.text(at, what)
		ev.Threads = int(r.integer(path+".threads", e.Get("threads"), 0, MaxThreads))
		ev.ForMs = r.integer(path+".for_ms", e.Get("for_ms"), 0, MaxMs)
	case EventOffline:
		ev.CPU = int(r.integer(at, what, 0, machine.MaxCPUs-1))
	}
	return ev
}
