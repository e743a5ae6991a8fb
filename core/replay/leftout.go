package replay

import (
	_ "embed"
	"strings"
)

//go:embed leftout.txt
var leftOut string

// LeftOut are the published rows that no scenario is compared with, and why.
type LeftOut struct {
	Rows   []string
	Reason string
}

// AllLeftOut lists them in the order of the file.
func AllLeftOut() (out []LeftOut) {
	for line := range strings.Lines(leftOut) {
		if rows, reason, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			out = append(out, LeftOut{strings.Fields(rows), reason})
		}
	}
	return out
}
