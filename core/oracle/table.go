package oracle

import (
	"strconv"
	"strings"
)

// Text is the report as a table: one line for each experiment, and under a
// miss the checks that fail, with the kernel's figure, the model's and the
// range that passes.
func (r *Report) Text() string {
	var b strings.Builder
	for i := range r.Rows {
		row := &r.Rows[i]
		verdict := "pass"
		if !row.Pass {
			verdict = "MISS"
		}
		b.WriteString(pad(row.Experiment, 24) + verdict + "\n")
		for _, c := range row.Checks {
			if c.Pass {
				continue
			}
			b.WriteString("    " + pad(c.Name, 28) + "kernel " + pad(figure(c.Kernel), 10) + "model " + pad(figure(c.Model), 10))
			if c.Low != nil {
				b.WriteString("[" + figure(c.Low) + ", " + figure(c.High) + "]")
			}
			b.WriteString("\n")
		}
		if !row.Pass && row.Why != "" {
			b.WriteString("    known: " + row.Why + "\n")
		}
	}
	b.WriteString(itoa(r.Passed) + " of " + itoa(r.Total) + " experiments pass\n")
	return b.String()
}

func figure(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(n-len(s), 1))
}
