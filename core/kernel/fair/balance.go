package fair

import (
	"casplay/core/kernel"
	"casplay/core/kernel/record"
	"casplay/core/machine"
)

// lbEnv is one pass of the balancer (7.3 struct lb_env).
type lbEnv struct {
	d          *domain
	root       bool
	childIsLLC bool
	// llcTolerance is the imbalance between LLCs that is put up with.
	llcTolerance int64
	dst, src     int32
	idle         idleType
	kind         migration
	imbalance    int64
	fbq          fbqClass

	active, activeLLC                           bool
	somePinned, allPinned, dstPinned, llcPinned bool
	newDst                                      int32
	loop, loopMax                               int32
	sawOverload                                 bool
	moved                                       []int32
	task                                        int32
	// pass is its record, nil without a log.
	pass *record.Balance
}

// excluded holds CPUs whose tasks turned out to be pinned in this pass. It is
// no part of lbEnv: clearing a Set takes longer than many a pass, and few need one.
type excluded struct {
	cpus machine.Set
	any  bool
}

func (e *excluded) add(cpu int32) {
	e.cpus.Add(int(cpu))
	e.any = true
}

func (e *excluded) has(cpu int32) bool { return e.any && e.cpus.Has(int(cpu)) }

// beginPass clears the scratch of a pass: in place, as assigning a literal with
// values makes it elsewhere and copies it.
func (s *Sched) beginPass() *lbEnv {
	env := &s.env
	moved := env.moved[:0]
	*env = lbEnv{}
	env.moved = moved
	if s.excluded.any {
		s.excluded = excluded{}
	}
	return env
}

const (
	nrMigrate         = 32  // sysctl_sched_nr_migrate
	maxPinnedInterval = 512 // ms
)

// balance runs one pass of cpu's k-th domain and returns how many tasks it
// moved; goOn is cleared when higher levels must not be walked (7.3
// sched_balance_rq).
func (s *Sched) balance(cpu int32, k int32, idle idleType, goOn *bool) int {
	r := &s.rqs[cpu]
	d := &s.doms[r.dom0+k]
	env := s.beginPass()
	env.d, env.root, env.dst, env.idle, env.fbq = d, k == r.ndom-1, cpu, idle, fbqAll
	env.llcTolerance = s.llcTolerance(r, k)
	s.charge(cpu, kernel.Balance, int64(d.weight)*s.cfg.Timing.BalanceCPUNs)
	env.childIsLLC = k > 0 && s.doms[r.dom0+k-1].flags&shareLLC != 0 && d.flags&shareLLC == 0
	for {
		if !s.shouldBalance(env) {
			*goOn = false
			s.balancedExit(env, r, k)
			return 0
		}
		g := s.findGroup(env, &s.lbStats)
		if g == nil {
			s.balancedExit(env, r, k)
			return 0
		}
		env.fbq = s.lbStats.fbq
		src := s.findQueue(env, g)
		if src < 0 {
			s.balancedExit(env, r, k)
			return 0
		}
		env.src = src
		if s.Log != nil {
			env.pass = s.recordPass(env, &s.lbStats)
		}
		env.allPinned = true
		moved := 0
		if s.rqs[src].nrRunning > 1 {
			var again bool
			if moved, again = s.pull(env, r, k); again {
				continue
			}
			if env.allPinned && moved == 0 {
				if env.pass != nil {
					env.pass.Pinned = true
				}
				s.doubleInterval(env)
				return 0
			}
		}
		if moved > 0 {
			if env.pass != nil {
				env.pass.Moved = moved
			}
			d.nrBalanceFailed = 0
			d.balanceInterval = d.minInterval
			return moved
		}
		s.failed(env, cpu)
		return 0
	}
}

// pull detaches and attaches from env.src; again asks for a new search
// without that CPU, whose tasks were all pinned.
func (s *Sched) pull(env *lbEnv, r *RQ, k int32) (moved int, again bool) {
	src := &s.rqs[env.src]
	env.loopMax = min(nrMigrate, src.nrRunning)
	for {
		n := s.detachTasks(env)
		s.attachTasks(env)
		moved += n
		if !env.dstPinned || env.imbalance <= 0 {
			break
		}
		s.excluded.add(env.dst)
		env.dst, env.dstPinned, env.loop = env.newDst, false, 0
	}
	if k+1 < r.ndom && env.somePinned && env.imbalance > 0 {
		s.groups[s.doms[r.dom0+k+1].groups[0]].imbalance = true
	}
	if env.allPinned {
		s.excluded.add(env.src)
		for _, gi := range env.d.groups[1:] {
			for _, c := range s.groups[gi].cpus {
				if !s.excluded.has(c) {
					env.loop = 0
					return moved, true
				}
			}
		}
	}
	return moved, false
}

// failed ends a pass of cpu that found an imbalance and moved nothing: it
// counts the failure and may start the stopper on the source.
func (s *Sched) failed(env *lbEnv, cpu int32) {
	d := env.d
	if env.pass != nil {
		env.pass.LLCPinned = env.llcPinned
	}
	if env.idle != newlyIdle && !env.llcPinned && env.kind != migrateMisfit {
		d.nrBalanceFailed++
	}
	if s.needActive(env) {
		src := &s.rqs[env.src]
		if src.Curr >= 0 {
			if t := &s.tasks[src.Curr]; !t.Allowed.Has(int(cpu)) {
				if env.pass != nil {
					env.pass.Pinned = true
				}
				s.doublePinned(env)
				return
			}
		}
		if !src.activeBalance && src.Curr >= 0 && src.currQueued {
			src.activeBalance, src.activeLLC, src.pushCPU = true, env.kind == migrateLLCTask && s.cfg.Features.ActiveIntent, cpu
			if env.pass != nil {
				env.pass.Stopper = true
			}
			s.emit(Action{Kind: RunStopper, CPU: env.src, At: s.Now + s.cfg.Timing.StopperNs})
		}
	}
	d.balanceInterval = d.minInterval
}

// balancedExit is the end of a pass that found nothing to do.
func (s *Sched) balancedExit(env *lbEnv, r *RQ, k int32) {
	if k+1 < r.ndom && !env.allPinned {
		s.groups[s.doms[r.dom0+k+1].groups[0]].imbalance = false
	}
	s.doubleInterval(env)
}

func (s *Sched) doubleInterval(env *lbEnv) {
	env.d.nrBalanceFailed = 0
	s.doublePinned(env)
}

// doublePinned lengthens the interval of a pass that ended balanced or met
// only pinned tasks.
func (s *Sched) doublePinned(env *lbEnv) {
	d := env.d
	if env.idle == newlyIdle {
		return
	}
	if env.allPinned && d.balanceInterval < maxPinnedInterval || d.balanceInterval < d.maxInterval {
		d.balanceInterval *= 2
	}
}

// needActive decides whether a running task must be pushed (7.3 need_active_balance).
func (s *Sched) needActive(env *lbEnv) bool {
	asym := s.asymActive(env)
	if asym && s.cfg.Features.AsymFirst {
		return true
	}
	if s.protectsLLC(env) {
		if env.pass != nil {
			env.pass.Protected = true
		}
		return false
	}
	if asym || env.kind == migrateTask && env.d.nrBalanceFailed > env.d.cacheNiceTries+2 {
		return true
	}
	return env.kind == migrateLLCTask || env.kind == migrateMisfit
}

// shouldBalance picks the one CPU of the local group that balances for it
// (7.3 should_we_balance).
func (s *Sched) shouldBalance(env *lbEnv) bool {
	if s.excluded.has(env.dst) {
		return false
	}
	if env.idle == newlyIdle {
		r := &s.rqs[env.dst]
		return r.nrRunning == 0 && r.pendingWake == 0
	}
	g := &s.groups[env.d.groups[0]]
	idleSMT := int32(-1)
	for _, c := range g.mask {
		if !s.rqs[c].Idle() || s.excluded.has(c) {
			continue
		}
		if s.m.SMT > 1 && env.d.flags&shareCapacity == 0 && !s.coreIdle(c) {
			if idleSMT < 0 {
				idleSMT = c
			}
			continue
		}
		return c == env.dst
	}
	if idleSMT >= 0 {
		return idleSMT == env.dst
	}
	return g.mask[0] == env.dst
}

// coreIdle reports whether all siblings of cpu, but not cpu itself, idle (7.3 is_core_idle).
func (s *Sched) coreIdle(cpu int32) bool {
	for _, c := range s.siblings[cpu] {
		if !s.rqs[c].Idle() {
			return false
		}
	}
	return true
}

// findQueue picks the CPU of a group to take from, -1 for none (7.3
// sched_balance_find_src_rq).
func (s *Sched) findQueue(env *lbEnv, g *group) int32 {
	best := int32(-1)
	var top int64
	for _, c := range g.cpus {
		if s.excluded.has(c) {
			continue
		}
		r := &s.rqs[c]
		if fbqOf(int64(r.nrRunning), int64(r.nrNuma), int64(r.nrNumaOK)) > env.fbq {
			continue
		}
		nr := int64(r.runnable)
		if nr == 0 {
			continue
		}
		if nr == 1 && (s.asym(env.d, c, env.dst) || s.asymDomain(env.d) && !capacityGreater(s.caps[env.dst], s.caps[c])) {
			continue
		}
		var v int64
		switch env.kind {
		case migrateLoad:
			v = r.avg.LoadAvg
			if nr == 1 && v > env.imbalance {
				continue
			}
		case migrateUtil:
			if nr <= 1 {
				continue
			}
			v = max(r.util(), min(r.avg.RunnableAvg, Capacity))
		case migrateTask:
			v = nr
		case migrateLLCTask:
			v = int64(r.llcCounts[s.llcOf[env.dst]])
		case migrateMisfit:
			v = r.misfit
		}
		if v > top {
			best, top = c, v
		}
	}
	return best
}
