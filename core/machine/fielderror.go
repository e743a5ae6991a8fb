package machine

import (
	"sort"
	"strings"
)

// FieldError is one thing wrong with a description that somebody wrote: where
// it is, what was found there, and what would be accepted.
type FieldError struct {
	// Path is the dotted path ("perf.node_bw_gbps.v", "llcs.0.cores").
	Path string
	// Value is what was found, in JSON, shortened; empty when something is missing.
	Value string
	// Problem says what is wrong with it and what is allowed.
	Problem string
	// Nearest is the known key closest to an unknown one, or empty.
	Nearest string
}

// Error is the message as one line.
func (e FieldError) Error() string {
	s := e.Path
	if s == "" {
		s = "machine"
	}
	s += ": " + e.Problem
	if e.Value != "" {
		s += ", got " + e.Value
	}
	if e.Nearest != "" {
		s += " (did you mean " + e.Nearest + "?)"
	}
	return s
}

// Errors is a list of field errors as one error.
type Errors []FieldError

// Error joins the messages, one a line.
func (es Errors) Error() string {
	s := ""
	for i, e := range es {
		if i > 0 {
			s += "\n"
		}
		s += e.Error()
	}
	return s
}

// byPath orders errors by their paths.
type byPath Errors

func (es byPath) Len() int           { return len(es) }
func (es byPath) Less(i, j int) bool { return es[i].Path < es[j].Path }
func (es byPath) Swap(i, j int)      { es[i], es[j] = es[j], es[i] }

// sorted puts the errors in the order of their paths.
func (es Errors) sorted() Errors {
	sort.Stable(byPath(es))
	return es
}

// NearestKey returns the first member of known that goes on with a dot after
// key, else the one with the smallest edit distance, or "" when none is close
// (more than a third of the key differs).
func NearestKey(key string, known []string) string {
	if len(key) > 64 {
		return ""
	}
	best, bestD := "", len(key)/3+2
	for _, k := range known {
		if rest, is := strings.CutPrefix(k, key+"."); is && key != "" && rest != "" {
			return k
		}
		if d := editDistance(key, k); d < bestD {
			best, bestD = k, d
		}
	}
	return best
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
