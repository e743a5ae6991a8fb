package workload

import (
	"testing"

	"casplay/core/machine"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func testMachine(t testing.TB, text string) *machine.Machine {
	t.Helper()
	s, err := machine.ParseSynthetic(text)
	require.NoError(t, err)
	m, err := s.Build()
	require.NoError(t, err)
	return m
}

// spec is a kind at its defaults with some keys changed.
func spec(t testing.TB, kind string, kv ...any) Spec {
	t.Helper()
	s, ok := Defaults(kind)
	require.True(t, ok)
	for i := 0; i < len(kv); i += 2 {
		key := kv[i].(string)
		require.Contains(t, s.Values, key)
		switch v := kv[i+1].(type) {
		case int:
			s.Values[key] = int64(v)
		default:
			s.Values[key] = v
		}
	}
	return s
}

func compile(t testing.TB, specs ...Spec) Set {
	t.Helper()
	set, err := Compile(specs, testMachine(t, "pack:2 numa:1 l3:1 core:8 pu:1"))
	require.NoError(t, err)
	return set
}

// TestKindTable: the documentation of every key is complete and its default legal.
func TestKindTable(t *testing.T) {
	kinds := map[string]bool{}
	for _, k := range Kinds() {
		assert.False(t, kinds[k.Name], k.Name)
		kinds[k.Name] = true
		assert.NotEmpty(t, k.Doc)
		keys := map[string]bool{"kind": true}
		for _, key := range append(CommonKeys(), k.Keys...) {
			at := k.Name + "." + key.Name
			assert.False(t, keys[key.Name], at)
			keys[key.Name] = true
			assert.NotEmpty(t, key.Doc, at)
			switch key.Type {
			case Int:
				v := float64(key.Default.(int64))
				assert.True(t, v >= key.Min && v <= key.Max && key.Min < key.Max, at)
			case Float:
				v := key.Default.(float64)
				assert.True(t, v >= key.Min && v <= key.Max && key.Min < key.Max, at)
			case String:
				if v := key.Default.(string); len(key.Enum) > 0 {
					assert.Contains(t, key.Enum, v, at)
				}
			case Bool:
				_ = key.Default.(bool)
			}
		}
	}
}

// TestDefaultsCompile: every kind at its defaults makes a sound Set.
func TestDefaultsCompile(t *testing.T) {
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) { sound(t, compile(t, spec(t, k.Name), spec(t, k.Name, "instances", 2))) })
	}
	sound(t, compile(t, spec(t, "hackbench", "mode", "process", "groups", 3, "fds", 4)))
	sound(t, compile(t, spec(t, "mem", "touch", "own", "sweep", "all")))
	for _, class := range []string{"S", "W", "A", "B", "C", "D", "E"} {
		sound(t, compile(t, spec(t, "mg", "class", class, "threads", 112)))
	}
}

// sound checks every index of a Set.
func sound(t *testing.T, set Set) {
	t.Helper()
	for _, p := range set.Procs {
		assert.NotEmpty(t, p.Name)
		for _, th := range p.Threads {
			assert.Less(t, int(th.Prog), len(p.Progs))
			assert.Less(t, th.SliceIndex, th.SliceCount)
			for i, op := range p.Progs[th.Prog] {
				assert.Less(t, int(op.Profile), len(p.Profiles))
				assert.Less(t, int(op.Region), len(p.Regions))
				switch op.Kind {
				case OpBarrier:
					require.Less(t, int(op.A), len(p.Barriers))
					assert.Equal(t, len(p.Threads), p.Barriers[op.A].Parties)
				case OpSend, OpRecv:
					require.Less(t, int(op.A)+int(th.ChannelBase), len(set.Channels))
				case OpLoop:
					assert.True(t, op.B >= 0 && int(op.B) < i)
				case OpCompute:
					assert.Positive(t, op.A)
				}
			}
			last := p.Progs[th.Prog][len(p.Progs[th.Prog])-1]
			assert.True(t, last.Kind == OpExit || last.Kind == OpLoop && last.A < 0)
		}
		for _, pr := range p.Profiles {
			assert.True(t, pr.BytesPerNs > 0 && pr.WriteShare >= 0 && pr.WriteShare+pr.ReuseShare <= 1, pr.Name)
		}
	}
	for _, c := range set.Channels {
		assert.Positive(t, c.Capacity)
	}
}

func TestPlace(t *testing.T) {
	m := testMachine(t, "pack:2 numa:1 l3:2 core:2 pu:1")
	for _, c := range []struct {
		place string
		want  [][]int
	}{
		{"fork", [][]int{nil, nil, nil}},
		{"packed", [][]int{{0, 1}, {0, 1}, {0, 1}}},
		{"round-robin", [][]int{{0, 1}, {2, 3}, {4, 5}}},
		{"llc:3", [][]int{{6, 7}, {6, 7}, {6, 7}}},
		{"node:1", [][]int{{4, 5, 6, 7}, {4, 5, 6, 7}, {4, 5, 6, 7}}},
		{"split:1", [][]int{{0, 1}, {2, 3}, {2, 3}}},
	} {
		set, err := Compile([]Spec{spec(t, "spin", "threads", 3, "place", c.place)}, m)
		require.NoError(t, err)
		for i, th := range set.Procs[0].Threads {
			assert.Equal(t, c.want[i], th.Allowed.Members(), c.place)
			assert.Equal(t, int64(-1), th.AllowedUntilNs)
		}
	}
	set := compile(t, spec(t, "spin", "place", "packed", "place_until_ms", 300))
	assert.Equal(t, int64(300e6), set.Procs[0].Threads[0].AllowedUntilNs)
}

func TestErrors(t *testing.T) {
	m := testMachine(t, "pack:1 l3:1 core:8 pu:1")
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{spec(t, "spin", "place", "llc:1"), "workload.0.place: the machine has no LLC 1, only 0 to 0"},
		{spec(t, "spin", "place", "node:9"), "workload.0.place: the machine has no node 9, only 0 to 0"},
		{spec(t, "spin", "place", "split:1"), "workload.0.place: split needs a machine with two LLCs"},
		{spec(t, "spin", "place", "everywhere"), `workload.0.place: must be fork, packed, round-robin, llc:N, node:N or split:K, got "everywhere"`},
		{spec(t, "spin", "place", "llc:-1"), "workload.0.place: must be"},
		{spec(t, "spin", "last_threads", 5), "workload.0.last_threads: must be at most threads (4)"},
		{spec(t, "spin", "threads", 8000, "instances", 2), "workload.0.threads: makes more than 8192 threads in all"},
		{spec(t, "hackbench", "groups", 256, "fds", 64, "mode", "process"), "workload.0.threads: makes more than 8192 threads in all"},
		{spec(t, "spin", "start_ms", 5, "exit_ms", 5), "workload.0.exit_ms: must be later than the start of every instance (5 ms)"},
		{spec(t, "mem", "pages_per_fault", 2), "workload.0.pages_per_fault: must be 1 (4 KiB pages) or 512 (2 MiB pages), got 2"},
		{spec(t, "mg", "class", "D"), ""},
		{spec(t, "mg", "class", "E"), "workload.0.class: needs 210 GiB, the machine has 64"},
	} {
		m.Nodes[0].MemBytes = 64 << 30
		_, err := Compile([]Spec{c.spec}, m)
		if c.want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, c.want)
	}
	_, err := Compile([]Spec{{Kind: "teapot"}}, m)
	assert.ErrorContains(t, err, `workload.0.kind: is not a known kind: "teapot"`)
}

func TestSpin(t *testing.T) {
	set := compile(t, spec(t, "spin", "threads", 7, "last_threads", 5, "late_ms", 500, "last_busy_pct", 5))
	p := set.Procs[0]
	require.Len(t, p.Threads, 7)
	assert.Equal(t, []Op{compute(forever), loop(0, -1)}, p.Progs[p.Threads[1].Prog])
	assert.Equal(t, []Op{simple(OpSleep, 500*msec, 0), compute(1 * msec), simple(OpPeriod, 20*msec, 0), loop(1, -1)}, p.Progs[p.Threads[2].Prog])
}

func TestDuty(t *testing.T) {
	p := compile(t, spec(t, "duty", "threads", 100, "busy_pct", 25)).Procs[0]
	assert.Equal(t, []Op{compute(5 * msec), simple(OpPeriod, 20*msec, 0), loop(0, -1)}, p.Progs[0])
	buckets := [10]int{}
	for _, th := range p.Threads {
		require.True(t, th.PhaseNs >= 0 && th.PhaseNs < 20*msec)
		buckets[th.PhaseNs/(2*msec)]++
	}
	for _, n := range buckets {
		assert.InDelta(t, 10, n, 2)
	}
}

func TestImbalance(t *testing.T) {
	for _, c := range []struct{ work, pct, lo, hi int64 }{{3000, 25, 3000, 3750}, {1000, 0, 1000, 1000}, {1000, 400, 1000, 5000}} {
		mean, jitter := imbalanced(c.work, c.pct)
		assert.InDelta(t, c.lo, mean-mean*int64(jitter)/1000000, 1)
		assert.InDelta(t, c.hi, mean+mean*int64(jitter)/1000000, 1)
	}
}

// TestPipePairs: what one side of a pair sends, the other receives.
func TestPipePairs(t *testing.T) {
	set := compile(t, spec(t, "pipe", "pairs", 3), spec(t, "pipe", "pairs", 2))
	assert.Len(t, set.Channels, 10)
	users := map[int]int{}
	for _, p := range set.Procs {
		for i, th := range p.Threads {
			assert.Equal(t, int32(i%2), th.Prog)
			for _, op := range p.Progs[th.Prog] {
				if op.Kind == OpSend {
					users[int(op.A)+int(th.ChannelBase)] += 1
				}
				if op.Kind == OpRecv {
					users[int(op.A)+int(th.ChannelBase)] += 10
				}
			}
		}
	}
	for ch := range 10 {
		assert.Equal(t, 11, users[ch])
	}
}

// TestHackbench: every receiver has a channel of its own, written by all senders of its group.
func TestHackbench(t *testing.T) {
	for _, mode := range []string{"threads", "process"} {
		set := compile(t, spec(t, "hackbench", "groups", 2, "fds", 3, "mode", mode), spec(t, "hackbench", "groups", 1, "fds", 3, "mode", mode))
		require.Len(t, set.Channels, 9)
		writers, readers := make([]int, 9), make([]int, 9)
		for _, p := range set.Procs {
			for _, th := range p.Threads {
				for _, op := range p.Progs[th.Prog] {
					switch op.Kind {
					case OpSend:
						writers[int(op.A)+int(th.ChannelBase)]++
					case OpRecv:
						readers[int(op.A)+int(th.ChannelBase)]++
					}
				}
			}
		}
		for ch := range 9 {
			assert.Equal(t, 3, writers[ch], mode)
			assert.Equal(t, 1, readers[ch], mode)
		}
	}
}

func TestInstancesAndNames(t *testing.T) {
	set := compile(t, spec(t, "spin", "instances", 3, "start_ms", 10, "name", "w"), spec(t, "spin"))
	assert.Equal(t, []string{"w.0", "w.1", "w.2", "spin"}, []string{set.Procs[0].Name, set.Procs[1].Name, set.Procs[2].Name, set.Procs[3].Name})
	assert.Equal(t, int64(12e6), set.Procs[2].StartNs)
}

// TestMGNumbers: the derived numbers agree with what is published about NAS MG.
func TestMGNumbers(t *testing.T) {
	gib := func(exp int) float64 {
		b := mgBytes(exp)
		return float64(b[mgU]+b[mgV]+b[mgR]) / (1 << 30)
	}
	assert.InDelta(t, 26.4, gib(10), 0.1, "resident set of class D, GiB")
	assert.InDelta(t, 3.3, gib(9), 0.05, "resident set of class C, GiB")
	for _, class := range []string{"C", "D"} {
		exp, cycles := mgGrid(class)
		p := compile(t, spec(t, "mg", "class", class, "threads", 64)).Procs[0]
		bytes, flops, ops := 0.0, 0.0, 0
		timed, swept := false, map[int16]bool{}
		for i, op := range p.Progs[0] {
			timed = timed || op.Kind == OpMark
			if !timed || op.Kind != OpCompute {
				continue
			}
			times := 1.0
			if p.Progs[0][i-1].Kind != OpMark { // all but the first residual are in the loop
				times = float64(cycles)
				ops++
				swept[op.Region] = true
			}
			pr := p.Profiles[op.Profile]
			bytes += times * 64 * float64(op.A) * pr.BytesPerNs
			if pr.Name != "coarse levels" {
				flops += times * 64 * float64(op.A) * mgFlopsPerCycle * 3
			}
		}
		points := float64(int64(1) << (3 * exp))
		assert.InDelta(t, 58, flops/points/float64(cycles), 2.5, "flops a point and V-cycle, as NPB counts them")
		assert.InDelta(t, 187, bytes/points/float64(cycles), 8, "bytes a point and V-cycle")
		assert.LessOrEqual(t, ops, 20, "ops a V-cycle")
		assert.True(t, swept[mgU] && swept[mgV] && swept[mgR], "a V-cycle passes over all memory")
	}
}

func FuzzParsePlace(f *testing.F) {
	f.Add("llc:3")
	f.Add("split:99999999999999999999")
	m := testMachine(f, "pack:2 l3:1 core:2 pu:1")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePlace(s)
		if err == nil && p.check(m) == nil {
			set := p.cpus(m, 5)
			assert.True(t, set.Empty() || set.Len() <= 4)
		}
	})
}
