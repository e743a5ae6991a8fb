package workload

import (
	"testing"

	"casplay/core/memory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Pipes and sockets hold what the kernel's limits allow, and wake writers when
// a page, or three quarters of the buffer, is free again.
func TestChannels(t *testing.T) {
	for _, c := range []struct {
		transport      string
		bytes          int64
		capacity, free int
	}{
		{"pipe", 1, 65536, 4096}, {"pipe", 100, 655, 40}, {"pipe", 4096, 16, 1}, {"pipe", 65536, 1, 0},
		{"socket", 100, 277, 207}, {"socket", 65536, 3, 2},
	} {
		ch := channelOf(c.transport, c.bytes)
		assert.Equal(t, c.capacity, ch.Capacity, "%+v", c)
		assert.Equal(t, c.free, ch.WakeFree, "%+v", c)
		assert.True(t, ch.Sync)
	}
}

// The units of hackbench are the messages of the command line it stands for.
func TestHackbenchUnits(t *testing.T) {
	for _, mode := range []string{"threads", "process"} {
		set := compile(t, spec(t, "hackbench", "groups", 3, "fds", 4, "loops", 7, "mode", mode))
		var full int64
		for _, p := range set.Procs {
			full += p.FullUnits
			assert.Equal(t, "messages", p.Unit)
		}
		assert.EqualValues(t, 3*4*4*7, full, mode)
	}
}

// STREAM counts what STREAM counts, and moves what the kernel has to move.
func TestStreamTraffic(t *testing.T) {
	for kernel, want := range map[string]struct{ counted, moved float64 }{"copy": {16, 16}, "scale": {16, 24}, "add": {24, 32}, "triad": {24, 32}} {
		p := compile(t, spec(t, "stream", "kernel", kernel, "threads", 4, "array_mib", 64)).Procs[0]
		elements := float64(64 << 20 / 8 / 4)
		var sweep, count Op
		for _, op := range p.Progs[0] {
			switch op.Kind {
			case OpCompute:
				sweep = op
			case OpUnits:
				count = op
			}
		}
		assert.InEpsilon(t, want.counted, float64(count.A)/elements, 1e-6, kernel)
		assert.InEpsilon(t, want.moved, p.Profiles[0].BytesPerNs*float64(sweep.A)/elements, 1e-6, kernel)
	}
}

// A server answers the thread that asked: every Reply is a channel that its
// owner, and nobody else, reads.
func TestAnswersFindTheirWay(t *testing.T) {
	for _, s := range []Spec{
		spec(t, "schbench", "messengers", 2, "workers", 3),
		spec(t, "valkey", "servers", 2, "client_threads", 3),
		spec(t, "valkey", "servers", 2, "client_threads", 3, "rps", 1000),
	} {
		set := compile(t, s)
		readers := map[int32]int{}
		replies := map[int32]bool{}
		for _, p := range set.Procs {
			for _, th := range p.Threads {
				seen := map[int32]bool{}
				for _, op := range p.Progs[th.Prog] {
					if op.Kind == OpRecv && !seen[int32(op.A)] {
						seen[int32(op.A)] = true
						readers[th.ChannelBase+int32(op.A)]++
					}
				}
				replies[th.Reply] = true
			}
		}
		for ch := range replies {
			assert.Equal(t, 1, readers[ch], "%s channel %d", s.Kind, ch)
		}
		for ch := range set.Channels {
			assert.Equal(t, 1, readers[int32(ch)], "%s channel %d", s.Kind, ch)
		}
	}
}

func TestScript(t *testing.T) {
	p := compile(t, spec(t, "script", "segments", "run-100-20/sys-5/sleep-30/barrier/gather-9/units-2/repeat-4")).Procs[0]
	assert.Equal(t, []OpKind{OpCompute, OpCompute, OpSleep, OpBarrier, OpGather, OpUnits, OpLoop, OpExit}, kinds(p.Progs[0]))
	assert.EqualValues(t, 100*usec, p.Progs[0][0].A)
	assert.EqualValues(t, 200_000, p.Progs[0][0].Jitter)
	assert.True(t, p.Progs[0][1].System)
	set := compile(t, spec(t, "script", "threads", 4, "segments", "run-10/wake/wait"))
	p = set.Procs[0]
	assert.Len(t, set.Channels, 4)
	for i, th := range p.Threads {
		partner := p.Threads[i^1]
		assert.Equal(t, th.ChannelBase+int32(p.Progs[th.Prog][1].A), partner.ChannelBase+int32(p.Progs[partner.Prog][2].A), "what %d sends its partner reads", i)
	}
	m := testMachine(t, "pack:1 l3:1 core:8 pu:1")
	for segments, want := range map[string]string{
		"dance-3":               "segment 1 (\"dance-3\") is not a known segment",
		"run":                   "has the wrong number of values",
		"run-0":                 "must take at least 1 us",
		"run-5-101":             "may vary by 100 % at most",
		"run-x":                 "has a number that is not 0 to 1073741823",
		"run-99999999999":       "has a number that is not",
		"barrier":               "must have one that takes time",
		"repeat-0/run-1":        "comes after repeat",
		"run-1/wake/wait":       "must be even",
		"run-1/barrier-2":       "has the wrong number of values",
		longScript(maxSegments): "must be at most 64, got 65",
	} {
		_, err := Compile([]Spec{spec(t, "script", "threads", 3, "segments", segments)}, m)
		assert.ErrorContains(t, err, want, segments)
	}
}

func longScript(n int) string {
	s := "run-1"
	for range n {
		s += "/run-1"
	}
	return s
}

func kinds(prog []Op) []OpKind {
	var out []OpKind
	for _, op := range prog {
		out = append(out, op.Kind)
	}
	return out
}

// FuzzScript: whatever the text, there is a sound program or an error.
func FuzzScript(f *testing.F) {
	for _, s := range []string{"run-1000/sleep-1000", "run-1/wake/wait", "sys-1/units-3/repeat-2", "///", "run--1", "run-1-"} {
		f.Add(s, 4)
	}
	m := testMachine(f, "pack:1 l3:1 core:8 pu:1")
	f.Fuzz(func(t *testing.T, segments string, threads int) {
		if threads < 1 || threads > 64 {
			return
		}
		s, _ := Defaults("script")
		s.Values["segments"], s.Values["threads"] = segments, int64(threads)
		if set, err := Compile([]Spec{s}, m); err == nil {
			sound(t, set)
		}
	})
}

func TestSharedProfile(t *testing.T) {
	p := compile(t, spec(t, "shared", "write_pct", 100)).Procs[0]
	require.Equal(t, memory.SharedRW, p.Profiles[0].Reuse)
	assert.InDelta(t, 0.5, p.Profiles[0].WriteShare, 1e-9, "every access reads its line and every one writes it back")
	_, err := Compile([]Spec{spec(t, "valkey", "clients", 3, "client_threads", 4)}, testMachine(t, "pack:1 l3:1 core:8 pu:1"))
	assert.ErrorContains(t, err, "workload.0.client_threads: must be at most clients (3)")
}
