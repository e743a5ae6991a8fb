package report

import (
	"strconv"
	"strings"

	"casplay/core/json"
	"casplay/core/result"
)

// JSON is the result as an indented document.
func JSON(r *result.Result) ([]byte, error) {
	b, err := json.MarshalIndent(r, "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// SummaryCSV has a line for each arm and metric. Units are in the names.
func SummaryCSV(r *result.Result) string {
	var b strings.Builder
	b.WriteString("arm,metric,median,min,max,n,ci_low,ci_high,ci_confidence_pct,change_pct,p,significant\n")
	for _, a := range r.Arms {
		for _, m := range a.Metrics {
			cells := []string{a.Label, m.Name, exact(m.Median), exact(m.Min), exact(m.Max), strconv.Itoa(m.N), exact(m.CI.Lo), exact(m.CI.Hi), exact(m.CI.Pct), "", "", ""}
			for _, d := range r.Deltas {
				if d.Arm != a.Label || d.Metric != m.Name {
					continue
				}
				if d.Pct != nil {
					cells[9] = exact(*d.Pct)
				}
				cells[10], cells[11] = exact(d.P), strconv.FormatBool(d.Significant)
			}
			writeCells(&b, cells)
		}
	}
	return b.String()
}

// SeriesCSV has a line for each sample of each run and a column for each
// curve, with its unit: llc_util 0 (%). Time is the end of the sample.
func SeriesCSV(runs []*result.Run) string {
	var b strings.Builder
	type curve struct {
		kind       string
		index, sub int
	}
	var curves []curve
	column := map[curve]int{}
	head := []string{"arm", "seed", "time (s)"}
	for _, r := range runs {
		for i := range r.Series {
			s := &r.Series[i]
			c := curve{s.Kind, s.Index, s.Sub}
			if _, ok := column[c]; !ok {
				column[c] = len(curves)
				curves = append(curves, c)
				name := s.Kind + " " + strconv.Itoa(s.Index)
				if strings.HasPrefix(s.Kind, "proc_") || s.Sub != 0 {
					name += " of " + strconv.Itoa(s.Sub)
				}
				head = append(head, name+" ("+s.Unit+")")
			}
		}
	}
	writeCells(&b, head)
	for _, r := range runs {
		n := 0
		for i := range r.Series {
			n = max(n, len(r.Series[i].V))
		}
		cells := make([]string, len(head))
		for at := range n {
			for i := range cells {
				cells[i] = ""
			}
			cells[0], cells[1] = r.Label, strconv.FormatUint(r.Seed, 10)
			cells[2] = exact(float64(int64(at+1)*r.SampleNs) / 1e9)
			for i := range r.Series {
				s := &r.Series[i]
				if at < len(s.V) {
					cells[3+column[curve{s.Kind, s.Index, s.Sub}]] = exact(float64(s.V[at]) / float64(max(s.Scale, 1)))
				}
			}
			writeCells(&b, cells)
		}
	}
	return b.String()
}

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// writeCells writes one line, quoting where CSV needs it.
func writeCells(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.ContainsAny(c, ",\"\n") {
			c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
		b.WriteString(c)
	}
	b.WriteByte('\n')
}
