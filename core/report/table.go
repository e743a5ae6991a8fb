package report

import (
	"strconv"
	"strings"

	"casplay/core/result"
)

// Widths of the comparison: name, value of the reference, value and change of
// two candidates, 72 in all.
const (
	nameWidth  = 20
	valueWidth = 10
	// A candidate is " 123456.78 ( +65.4%)~".
	candidateWidth = 21
	perBlock       = 2
	maxRows        = 40
)

// tables writes the comparison in the shape of an mmtests table, two
// candidates beside the reference at a time.
func (w *mail) tables(r *result.Result) {
	if len(r.Arms) == 0 {
		return
	}
	for first := 1; first == 1 || first < len(r.Arms); first += perBlock {
		last := min(first+perBlock, len(r.Arms))
		w.block(r, r.Arms[first:last])
	}
	n := 0
	for _, a := range r.Arms {
		n = max(n, len(a.Seeds))
	}
	w.line("")
	w.line("Medians of " + count(n, "run") + "; in brackets the change of the median.")
	if len(r.Arms) > 1 {
		w.line("~ not significant: Mann-Whitney, two-sided p >= 0.05. A rank test, since")
		w.line("  seeds give skewed or bimodal samples; exact up to 50 runs.")
	}
	if ms := r.Arms[0].Metrics; len(ms) > 0 && ms[0].N > 1 {
		what := "min to max is"
		if narrow(r, ms[0].Name) {
			what = "ci is"
		}
		w.line(what + " the order-statistic interval of the median (" + strconv.FormatFloat(ms[0].CI.Pct, 'f', 1, 64) + " %)")
	}
}

// many reports whether any arm has several values of a metric.
func many(r *result.Result, metric string) bool {
	for _, a := range r.Arms {
		if s, ok := a.Metrics.Get(metric); ok && s.N > 1 {
			return true
		}
	}
	return false
}

// narrow reports whether the seeds give an interval inside minimum and maximum.
func narrow(r *result.Result, metric string) bool {
	for _, a := range r.Arms {
		if s, ok := a.Metrics.Get(metric); ok && (s.CI.Lo > s.Min || s.CI.Hi < s.Max) {
			return true
		}
	}
	return false
}

func (w *mail) block(r *result.Result, candidates []result.Arm) {
	ref := r.Arms[0]
	w.line("")
	head := right(ref.Label, nameWidth+valueWidth)
	for _, a := range candidates {
		head += right(a.Label+" ", candidateWidth)
	}
	w.line(head)
	for i, name := range rowNames(r) {
		if i == maxRows {
			w.line("... more metrics in the CSV")
			break
		}
		if result.Compared(name) && many(r, name) {
			w.row(r, candidates, name, "min", func(s result.Summary) float64 { return s.Min })
			w.row(r, candidates, name, "median", func(s result.Summary) float64 { return s.Median })
			w.row(r, candidates, name, "max", func(s result.Summary) float64 { return s.Max })
			if narrow(r, name) {
				w.row(r, candidates, name, "ci low", func(s result.Summary) float64 { return s.CI.Lo })
				w.row(r, candidates, name, "ci high", func(s result.Summary) float64 { return s.CI.Hi })
			}
			continue
		}
		w.row(r, candidates, name, "", func(s result.Summary) float64 { return s.Median })
	}
}

// rowNames lists the metrics of all arms, in the order they first appear.
func rowNames(r *result.Result) []string {
	var names []string
	seen := map[string]bool{}
	for _, a := range r.Arms {
		for _, m := range a.Metrics {
			if !seen[m.Name] {
				seen[m.Name] = true
				names = append(names, m.Name)
			}
		}
	}
	return names
}

func (w *mail) row(r *result.Result, candidates []result.Arm, name, stat string, pick func(result.Summary) float64) {
	label := name
	if stat != "" {
		label = name + " " + stat
	}
	if len(label) > nameWidth {
		label = label[:nameWidth-1] + "."
	}
	base, ok := r.Arms[0].Metrics.Get(name)
	line := left(label, nameWidth)
	if ok {
		line += right(number(pick(base)), valueWidth)
	} else {
		line += right("-", valueWidth)
	}
	for _, a := range candidates {
		s, has := a.Metrics.Get(name)
		if !has {
			line += right("-", candidateWidth-11) + strings.Repeat(" ", 11)
			continue
		}
		line += right(number(pick(s)), valueWidth) + " (" + right(change(pick(base), pick(s), ok), 7) + ")"
		if tilde(r, a.Label, name) && (stat == "" || stat == "median") {
			line += "~"
		} else {
			line += " "
		}
	}
	w.line(line)
}

// tilde marks a difference that the seeds do not support.
func tilde(r *result.Result, arm, metric string) bool {
	for _, d := range r.Deltas {
		if d.Arm == arm && d.Metric == metric {
			return !d.Significant
		}
	}
	return false
}

// change is the change in %, signed.
func change(from, to float64, ok bool) string {
	if !ok || (from == 0 && to != 0) {
		return "-"
	}
	if from == to {
		return "0.0%"
	}
	pct := (to/from - 1) * 100
	if pct >= 99999 {
		return ">1000x"
	}
	digits := 1
	if pct >= 1000 || pct <= -1000 {
		digits = 0
	}
	return signed(pct, digits) + "%"
}

func signed(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if v >= 0 {
		s = "+" + s
	}
	return s
}

// number is a value in at most nine characters.
func number(v float64) string {
	a := v
	if a < 0 {
		a = -a
	}
	switch {
	case v == float64(int64(v)) && a < 1e9:
		return strconv.FormatInt(int64(v), 10)
	case a >= 1e9:
		return strconv.FormatFloat(v, 'e', 2, 64)
	case a >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.01:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

func right(s string, width int) string {
	if len(s) >= width {
		return s
	}
	return strings.Repeat(" ", width-len(s)) + s
}

func left(s string, width int) string {
	if len(s) >= width {
		return s
	}
	return s + strings.Repeat(" ", width-len(s))
}
