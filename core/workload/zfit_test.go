package workload

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"

)

func TestZFit(t *testing.T) {
	if os.Getenv("ZFIT") == "" {
		t.Skip()
	}
	s := loadXeon(t)
	r := rand.New(rand.NewSource(7))
	type P struct{ fill, kf, node, kd, mlp, fl, ov, cl, kc, link, kl, jit float64 }
	eval := func(p P, print bool) float64 {
		s.Perf.LLCFillGBps.V, s.Perf.QueueKFill.V = p.fill, p.kf
		s.Perf.NodeGBps.V, s.Perf.QueueKDRAM.V = p.node, p.kd
		s.Perf.CoreMLPLines.V = p.mlp
		s.Perf.ClusterGBps.V, s.Perf.QueueKCluster.V = p.cl, p.kc
		s.Perf.LinkGBps.V, s.Perf.QueueKLink.V = p.link, p.kl
		m, err := s.Build()
		if err != nil {
			return 1e9
		}
		sum := 0.0
		for _, c := range mgCases() {
			if f := os.Getenv("ZROWS"); f != "" && !print && !strings.Contains(f, c.id) {
				continue
			}
			got := runCase(t, m, c, spec(t, "mg", "flops_per_cycle", p.fl, "overlap", p.ov))
			e := math.Log(got / c.want)
			if print {
				fmt.Printf("%-11s %6.2f %6.2f %+5.1f%%\n", c.id, got, c.want, 100*(got/c.want-1))
			}
			sum += e * e
		}
		return sum
	}
	best := P{260, .3, 330, .15, 26, 3, .6, 45, .2, 150, .2, 0}
	be := eval(best, false)
	n := 500
	for i := range n {
		q := best
		sc := 0.3
		if i > n/2 {
			sc = 0.08
		}
		j := func(v float64) float64 { if r.Intn(3) > 0 { return v }; return v * math.Exp(sc*r.NormFloat64()) }
		q.fill, q.kf, q.mlp, q.fl = j(q.fill), j(q.kf), j(q.mlp), j(q.fl)
		q.node = 330
		q.fl = math.Min(q.fl, 8)
		q.kf = math.Min(q.kf, 2)
		if e := eval(q, false); e < be {
			best, be = q, e
		}
	}
	fmt.Printf("%+v err %.4f\n", best, be)
	eval(best, true)
}
