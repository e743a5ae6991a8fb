package cas

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"casplay/core/kernel"
	"casplay/core/kernel/expr"
	"casplay/core/kernel/why"
)

// merged is what the Doc of a rule gives as that of 7.3.
func merged(t *testing.T, name string) string {
	for _, r := range WhatIfRules {
		if r.Name == name {
			_, text, ok := strings.Cut(r.Doc, "; 7.3: ")
			require.True(t, ok, name)
			return text
		}
	}
	require.Fail(t, "no rule "+name)
	return ""
}

func gateSystem(c Config) *System {
	s := &System{DomainOf: []int32{0}, LLCOf: []int32{0}, NodeOf: []int32{0}, Book: why.NewBook(1), CPUs: make([]CPUEpoch, 1)}
	s.LLCs = []LLC{{CPUs: 8, Bytes: 32 << 20}}
	s.Configure(c)
	return s
}

// TestGatesAsExpressions: the documented expressions of 7.3 and of the
// fail-closed proposal decide like the built-in rules, and note the same numbers.
func TestGatesAsExpressions(t *testing.T) {
	const closed = "footprint_bytes > 0 ? footprint_bytes > llc_bytes*scale : rss_bytes > llc_bytes*scale"
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		c := Config{Tolerance: []uint32{0, 1, 2, 50, 99, 100, 1 << 31}[r.IntN(7)], NumaBalancing: r.IntN(2) == 0, Policy: Policy{SMT: 1 + r.Int64N(2)}}
		w := c
		w.WhatIf = kernel.WhatIf{InvalidLLCNr: merged(t, "invalid_llc_nr"), ExceedLLCCapacity: merged(t, "exceed_llc_capacity")}
		if r.IntN(2) == 0 {
			c.FailClosed, w.WhatIf.ExceedLLCCapacity = true, closed
		}
		built, whatIf := gateSystem(c), gateSystem(w)
		g := Group{Threads: r.IntN(4), NrRunningAvg: r.Int64N(20), RSSBytes: r.Int64N(64 << 20)}
		if r.IntN(2) == 0 {
			g.Footprint = r.Int64N(20 << 10)
		}
		require.Equal(t, built.TooManyThreads(&g, 0, 1), whatIf.TooManyThreads(&g, 0, 1), "%+v %+v", c, g)
		require.Equal(t, built.TooLarge(&g, 0, 1), whatIf.TooLarge(&g, 0, 1), "%+v %+v", c, g)
		if c.FailClosed {
			a, b := built.Book.Counter(0, why.ExceedLLCCapacity), whatIf.Book.Counter(0, why.ExceedLLCCapacity)
			require.Equal(t, a.Value, b.Value, "%+v %+v", c, g)
			require.Equal(t, min(a.Limit, Unlimited), b.Limit, "%+v %+v", c, g)
		}
	}
}

// TestPolicyAsExpressions: so do those of the policy.
func TestPolicyAsExpressions(t *testing.T) {
	s := gateSystem(Config{Policy: Policy{SMT: 1}})
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		p := Policy{OveraggrPct: r.Int64N(100), ImbPct: r.Int64N(100), SMT: 1 + r.Int64N(2)}
		s.Configure(Config{Policy: p, WhatIf: kernel.WhatIf{FitsLLCCapacity: merged(t, "fits_llc_capacity"), CanMigrateLLC: merged(t, "can_migrate_llc")}})
		a, b, c, d, u, to := r.Int64N(9000), r.Int64N(9000), r.Int64N(9000), r.Int64N(9000), r.Int64N(1024), r.IntN(2) == 0
		require.Equal(t, p.CanMigrate(a, b, c, d, u, to), s.Config.Policy.CanMigrate(a, b, c, d, u, to), "%+v %d %d %d %d %d %v", p, a, b, c, d, u, to)
	}
}

func TestWhatIfRules(t *testing.T) {
	var w kernel.WhatIf
	for i := range WhatIfRules {
		r := &WhatIfRules[i]
		assert.NoError(t, CheckWhatIf(&w))
		*r.Of(&w) = merged(t, r.Name)
		assert.NoError(t, CheckWhatIf(&w), r.Name)
		for _, v := range r.Env.Vars {
			assert.NotEmpty(t, v.Doc, v.Name)
		}
		p, err := expr.Compile(merged(t, r.Name), r.Env)
		require.NoError(t, err)
		assert.Equal(t, strings.ReplaceAll(p.Text, " ", ""), strings.ReplaceAll(merged(t, r.Name), " ", ""))
	}
	w.PreferredLLC = "best >"
	assert.EqualError(t, CheckWhatIf(&w), "at character 7: the expression ends where a value is missing")
}

func TestGatesDoNotAllocate(t *testing.T) {
	s := gateSystem(Config{Tolerance: 1, Policy: Policy{SMT: 2}, WhatIf: kernel.WhatIf{InvalidLLCNr: merged(t, "invalid_llc_nr"), CanMigrateLLC: merged(t, "can_migrate_llc")}})
	g := Group{Threads: 2}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s.TooManyThreads(&g, 0, 1)
		s.Config.Policy.CanMigrate(1, 2, 3, 4, 5, true)
	}))
}

// TestHitRateAsExpression: the idea of a hit rate, whose built-in form is a
// feature, as an expression.
func TestHitRateAsExpression(t *testing.T) {
	s := gateSystem(Config{Tolerance: 1, Policy: Policy{SMT: 1}, WhatIf: kernel.WhatIf{ExceedLLCCapacity: "hit_rate >= 0 && hit_rate < 500"}})
	require.True(t, s.whatIf.hits)
	s.Groups = []Group{{Threads: 2}}
	hit := int64(0)
	s.Traffic = func(int32) (int64, int64) { return hit, 100 - hit }
	assert.False(t, s.TooLarge(&s.Groups[0], 0, 1), "unknown")
	for _, c := range []struct {
		hit  int64
		want bool
	}{{10, true}, {100, true}, {100, true}, {100, false}} {
		hit = c.hit
		s.sampleHitRate(0, Running{0})
		assert.Equal(t, c.want, s.TooLarge(&s.Groups[0], 0, 1), "%+v: %d", c, s.Groups[0].hits.avg)
	}
	s.Configure(Config{Policy: Policy{SMT: 1}})
	assert.False(t, s.whatIf.hits)
}
