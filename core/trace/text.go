package trace

import (
	"strconv"
	"strings"

	"casplay/core/kernel/record"
	"casplay/core/kernel/why"
)

func num(v int64) string { return strconv.FormatInt(v, 10) }

// ms prints ns as ms with three decimals.
func ms(ns int64) string { return thousandths(ns / 1000) }

// thousandths prints v/1000 with three decimals.
func thousandths(v int64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	frac := num(v % 1000)
	return sign + num(v/1000) + "." + "000"[len(frac):] + frac
}

func pad(s string, width int) string {
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}

// count prints "1 task", "2 tasks".
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return num(n) + " " + what + "s"
}

func llcName(l int32) string {
	if l < 0 {
		return "no LLC"
	}
	return "LLC " + num(int64(l))
}

func (r *Recording) cpu(c int32) string {
	return "CPU " + num(int64(c)) + " (LLC " + num(int64(r.llc(c))) + ")"
}

// pass names a balance pass: "CPU 0, newly idle PKG pass".
func pass(p *record.Pass) string {
	return "CPU " + num(int64(p.CPU)) + ", " + p.Idle + " " + p.Level + " pass"
}

func (r *Recording) wakeup(w *record.Wakeup) (Topic, string, string) {
	text := r.task(w.Task) + " is woken on " + r.cpu(w.CPU)
	switch {
	case w.Delayed:
		text += ": it was still queued there (delayed dequeue)"
	default:
		text += ", last on " + num(int64(w.Prev)) + ", by code on " + num(int64(w.Waker))
		if w.Sync {
			text += " (sync)"
		}
	}
	return Wakeups, text, ""
}

func (r *Recording) migration(m *record.Migration) (Topic, string, string) {
	topic := Moves
	if r.llc(m.From) == r.llc(m.To) {
		topic = Steps
	}
	if int(m.Task) >= r.Threads {
		topic = Steps
	}
	by := ""
	switch m.Cause {
	case record.ByWakeup:
		by = "wakeup"
	case record.ByBalance:
		by = m.Pass.Kind + ", " + m.Pass.Idle + " " + m.Pass.Level + " pass"
	case record.ByStopper:
		by = "stopper (generic active balance)"
	case record.ByLLCStopper:
		by = "stopper for LLC affinity"
	case record.ByNuma:
		by = "NUMA balancing"
	case record.ByAffinity:
		by = "affinity"
	}
	return topic, r.task(m.Task) + ": " + r.cpu(m.From) + " -> " + r.cpu(m.To) + ", " + by, ""
}

func (r *Recording) balance(b *record.Balance) (Topic, string, string) {
	head := pass(&b.Pass) + ": busiest " + b.Class
	numbers := " (" + num(b.BusiestRunning) + " running, " + num(b.BusiestIdle) + " idle; here " + num(b.LocalRunning) + " and " + num(b.LocalIdle) + ")"
	what := ": " + b.Kind + " " + num(b.Imbalance) + " from CPU " + num(int64(b.Src))
	if b.Moved > 0 {
		return Passes, head + numbers + what + ": " + count(int64(b.Moved), "task") + " detached", ""
	}
	failed := b.Failed
	if b.Idle != "newly idle" && !b.LLCPinned {
		failed++
	}
	end := ""
	switch {
	case b.Pinned:
		end = "pinned"
	case b.Protected:
		end = "protected (alb_break_llc)"
	case b.LLCPinned:
		end = "kept by LLC affinity"
	case b.SrcRunning == 1:
		end = "it runs a single task"
	default:
		end = "nothing may move"
	}
	text := head + numbers + what + ": " + end + ", failure count " + num(failed)
	if b.Stopper {
		text += " -> stopper"
	}
	return Passes, text, "pass " + b.Level + b.Idle + num(int64(b.CPU)) + b.Class + b.Kind + end + strconv.FormatBool(b.Stopper)
}

func (r *Recording) policy(p *record.Policy) (Topic, string, string) {
	who := pass(&p.Pass) + ": "
	if p.Task >= 0 {
		who += r.task(p.Task) + ", "
	}
	// The comparison that decided: of the destination on the way in, of the
	// source on the way out.
	name, util, limit := "d'", p.DstUtil, p.DstLimit
	other, otherUtil := "s'", p.SrcUtil
	if !p.ToPref {
		name, util, limit, other, otherUtil = other, p.SrcUtil, p.SrcLimit, name, p.DstUtil
	}
	sign := " < "
	if util >= limit {
		sign = " >= "
	}
	text := who + llcName(p.Src) + " -> " + num(int64(p.Dst)) + ": " + other + " = " + num(otherUtil) + ", " + name + " = " + num(util) + sign + num(limit) + ": " + p.Hint
	if p.Task < 0 {
		text += " (" + count(p.Prefer, "queued task") + " prefer " + llcName(p.Dst) + ")"
		if p.Prefer == 1 {
			text = strings.Replace(text, "task prefer ", "task prefers ", 1)
		}
	}
	return Policies, text, "policy " + p.Level + p.Idle + num(int64(p.CPU)) + num(int64(p.Src)) + num(int64(p.Dst)) + num(int64(p.Task)) + p.Hint
}

func (r *Recording) verdict(v *record.Verdict) (Topic, string, string) {
	text := v.Rule.Explain(v.Value, v.Limit, v.Fired)
	if v.Rule == why.InvalidLLCNr && v.Fired {
		// Here it is known which of the two reasons it was.
		text = strings.TrimSuffix(text, " (or one thread only)")
		if v.Value <= v.Limit {
			text = "one thread only"
		}
	}
	return Gates, r.process(v.Process) + ": " + text, ""
}

func (r *Recording) scan(s *record.Scan) (Topic, string, string) {
	text := r.process(s.Process) + ": scan: occupancy"
	for l, occ := range s.Occupancy {
		if l > 0 {
			text += " /"
		}
		if occ < 0 {
			text += " not read"
			continue
		}
		text += " " + num(occ)
	}
	return Scans, text + ", " + num(s.Running) + " running, average " + num(s.Average), "scan " + num(int64(s.Process)) + num(s.Average)
}

func (r *Recording) kick(k *record.Kick) (Topic, string, string) {
	text := "tick on " + num(int64(k.From)) + " (nr_running " + num(int64(k.Running)) + ", nr_busy_cpus " + num(int64(k.BusyCPUs)) + ") kicks CPU " + num(int64(k.CPU))
	kind := ": blocked load only"
	if k.Balance {
		kind = ": idle balance"
	}
	return Kicks, text + kind, "kick " + num(int64(k.CPU)) + kind
}
