package fair

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/kernel/cas"
)

// What alb_break_llc protects: a CPU of another LLC whose runnable tasks all
// prefer it; alone unconditionally, several while the policy says N (7.3
// alb_break_llc).
func TestAlbBreakLLC(t *testing.T) {
	for _, c := range []struct {
		name           string
		tasks          int
		strangers      int
		srcPct, dstPct int64
		src, dst       int32
		off            bool
		want           bool
	}{
		{"alone", 1, 0, 100, 0, 8, 0, false, true},
		{"alone, CAS off", 1, 0, 100, 0, 8, 0, true, false},
		{"alone, same LLC", 1, 0, 100, 0, 8, 9, false, false},
		{"two, policy N", 2, 0, 30, 0, 8, 0, false, true},
		{"two, policy Y: the LLC is over its limit", 2, 0, 100, 10, 8, 0, false, false},
		{"with a stranger", 1, 1, 30, 0, 8, 0, false, false},
		{"only a stranger", 0, 1, 30, 0, 8, 0, false, false},
	} {
		s := newRig(t, twoLLCs, nil)
		g := s.process()
		for range c.tasks {
			s.prefer(g, c.src, s.add(c.src, g))
		}
		for range c.strangers {
			s.add(c.src, -1)
		}
		s.publish(1, c.srcPct)
		s.publish(0, c.dstPct)
		s.CAS.Config.Active = !c.off
		env := lbEnv{d: s.dom(0, levelPKG), src: c.src, dst: c.dst, kind: migrateTask}
		assert.Equal(t, c.want, s.protectsLLC(&env), c.name)
	}
}

// The stopper of a migrate_llc_task pass takes only a task whose preferred LLC
// is the destination; the plain one takes the least recently run (7.3
// active_load_balance_llc_cpu_stop, active_load_balance_cpu_stop).
func TestStopperOfLLCAffinity(t *testing.T) {
	for _, llc := range []bool{true, false} {
		s := newRig(t, twoLLCs, nil)
		g, h := s.process(), s.process()
		stays := s.add(8, h)
		goes := s.add(8, g)
		s.prefer(h, 8, stays)
		s.prefer(g, 0, goes)
		r := &s.rqs[8]
		r.list = []int32{goes, stays} // the tail is the one that prefers to stay
		r.activeBalance, r.activeLLC, r.pushCPU = true, llc, 0
		s.stop()
		want := stays
		if llc {
			want = goes
		}
		assert.Equal(t, int32(0), s.tasks[want].CPU, "llc %v", llc)
		require.Len(t, s.moves(), 1)
	}
	// Nobody prefers the destination: the stopper goes without.
	s := newRig(t, twoLLCs, nil)
	h := s.process()
	s.prefer(h, 8, s.add(8, h))
	r := &s.rqs[8]
	r.activeBalance, r.activeLLC, r.pushCPU = true, true, 0
	s.stop()
	assert.Empty(t, s.moves())
	assert.False(t, r.activeBalance)
	assert.Equal(t, int32(1), r.runnable)
}

// A lone running thread is pulled to its preferred LLC: the pass tags the
// other LLC, cannot detach and starts the stopper at once (cas.md section 12).
func TestLoneThreadIsPulledHome(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	g := s.process()
	home, away := s.add(1, g), s.add(8, g)
	s.prefer(g, 1, home, away)
	s.publish(0, 10)
	s.publish(1, 10)
	assert.Zero(t, s.pass(0, levelPKG, isIdle))
	b := s.last()
	assert.Equal(t, "llc_balance", b.Class)
	assert.Equal(t, "migrate_llc_task", b.Kind)
	assert.True(t, b.Stopper)
	require.True(t, s.stop())
	assert.Equal(t, int32(0), s.tasks[away].CPU)
}

// The tag needs a verdict Y, not G, and fewer failures than cache_nice_tries + 1
// (7.3 llc_balance).
func TestLLCTag(t *testing.T) {
	for _, c := range []struct {
		name           string
		srcPct, dstPct int64
		failed         int64
		want           bool
	}{
		{"room at home", 10, 10, 0, true},
		{"home full, source nearly empty: N", 10, 80, 0, false},
		{"both full: G", 80, 80, 0, false},
		{"home full, source as full: G", 76, 76, 0, false},
		{"home at its limit, source higher: Y", 74, 75, 0, true},
		{"one failure", 10, 10, 1, true},
		{"two failures", 10, 10, 2, false},
	} {
		s := newRig(t, twoLLCs, nil)
		g := s.process()
		s.prefer(g, 0, s.add(8, g))
		s.publish(0, c.dstPct)
		s.publish(1, c.srcPct)
		d := s.dom(0, levelPKG)
		d.nrBalanceFailed = c.failed
		env := lbEnv{d: d, dst: 0, idle: isIdle}
		st := groupStats{nrPrefDst: 1}
		assert.Equal(t, c.want, s.tagLLC(&env, &s.groups[d.groups[1]], &st), c.name)
		st.nrPrefDst = 0
		assert.False(t, s.tagLLC(&env, &s.groups[d.groups[1]], &st), "nobody prefers it")
	}
	// Before anything was published the policy is unrestricted: no tag.
	s := newRig(t, twoLLCs, nil)
	assert.Equal(t, cas.Unrestricted, s.canMigrateLLC(8, 0, 0, true))
}

// Within one pass the local LLC is judged with fresh numbers and the others
// with those of an earlier pass; newly-idle passes publish nothing (cas.md
// section 10; 7.3 record_sg_llc_stats).
func TestPublishedValuesAreStaleWithinAPass(t *testing.T) {
	s := newRig(t, twoLLCs, nil)
	for cpu := range int32(16) {
		s.rqs[cpu].avg.UtilAvg = 100
	}
	s.publish(0, 0)
	s.publish(1, 0)
	var judged []int64
	see := func() { judged = append(judged, s.llcs[0].util, s.llcs[1].util) }
	env := lbEnv{d: s.dom(0, levelPKG), dst: 0, idle: isIdle, childIsLLC: true}
	var st groupStats
	s.gather(&env, &s.groups[env.d.groups[0]], true, &st)
	see() // when the remote group is about to be judged
	s.gather(&env, &s.groups[env.d.groups[1]], false, &st)
	see()
	assert.Equal(t, []int64{800, 0, 800, 800}, judged)

	for cpu := range int32(16) {
		s.rqs[cpu].avg.UtilAvg = 200
	}
	s.pass(0, levelPKG, newlyIdle)
	assert.EqualValues(t, 800, s.llcs[0].util)
	s.pass(0, levelMC, isIdle)
	assert.EqualValues(t, 800, s.llcs[0].util, "only the level above LLCs publishes")
	s.pass(3, levelPKG, isIdle)
	assert.EqualValues(t, 800, s.llcs[0].util, "and only the designated CPU gets there")
	s.pass(0, levelPKG, isIdle)
	assert.EqualValues(t, 1600, s.llcs[0].util)
	assert.EqualValues(t, 1600, s.llcs[1].util)
	assert.EqualValues(t, 8192, s.llcs[1].capacity)
}
