// Package report writes results for people and for other programs: the mail
// text, CSV and JSON.
package report

import (
	"strconv"
	"strings"

	"casplay/core/result"
	"casplay/core/scenario"
)

// Columns is the width of the mail text; only a link may be longer.
const Columns = 72

// Input is what a report is made of.
type Input struct {
	Scenario *scenario.Scenario
	Result   *result.Result
	// Link opens the scenario; empty when it has none.
	Link string
}

// Text is the report for a mail: ASCII, at most 72 columns but for the link,
// no tabs, no blanks at the end of a line.
func Text(in Input) string {
	w := &mail{}
	w.head(in.Scenario, "Simulated: a model, not a measurement.")
	w.tables(in.Result)
	w.published(in.Result)
	w.why(in.Result)
	w.warnings(in.Result)
	w.line("")
	if in.Link != "" {
		w.b.WriteString("replay: " + ascii(in.Link) + "\n")
	} else {
		w.line("replay: a scenario of its own; ask for the JSON file")
	}
	w.line("digest: " + in.Result.Digest + "  engine: " + ascii(in.Result.Engine))
	return w.b.String()
}

// mail collects the lines of a text.
type mail struct{ b strings.Builder }

// line writes one line, cut to the width.
func (w *mail) line(s string) {
	s = ascii(s)
	if len(s) > Columns {
		s = s[:Columns-1] + "~"
	}
	w.b.WriteString(strings.TrimRight(s, " ") + "\n")
}

// wrap writes words after a heading, continued below the heading's end.
func (w *mail) wrap(head, text string) {
	indent := strings.Repeat(" ", len(head))
	line := head
	empty := true
	for word := range strings.FieldsSeq(ascii(text)) {
		for len(indent)+len(word) > Columns { // a word longer than a line
			if !empty {
				w.line(line)
			}
			cut := Columns - len(indent)
			w.line(indentOr(head, indent, empty && line == head) + word[:cut])
			word, line, empty = word[cut:], indent, true
		}
		switch {
		case empty:
			line += word
		case len(line)+1+len(word) > Columns:
			w.line(line)
			line = indent + word
		default:
			line += " " + word
		}
		empty = false
	}
	w.line(line)
}

func indentOr(head, indent string, first bool) string {
	if first {
		return head
	}
	return indent
}

// Describe is the mail text of a scenario alone, for who has not run it; link
// opens it.
func Describe(s *scenario.Scenario, link string) string {
	w := &mail{}
	w.head(s, "A scenario; nothing was run for this text.")
	for _, part := range [...][2]string{{"purpose:  ", s.Purpose}, {"notice:   ", s.Notice}} {
		if part[1] != "" {
			w.wrap(part[0], part[1])
		}
	}
	w.line("")
	w.b.WriteString("open: " + ascii(link) + "\n")
	return w.b.String()
}

// head writes title, status and everything that defines the scenario.
func (w *mail) head(s *scenario.Scenario, status string) {
	title := s.Title
	if title == "" {
		title = s.Name
	}
	w.wrap("", title)
	w.line(status)
	w.line("")
	w.wrap("machine:  ", machineLine(s))
	w.wrap("kernel:   ", kernelLine(s))
	for _, e := range workloadLines(s) {
		w.wrap("workload: ", e)
	}
	for i, a := range s.Arms {
		text := a.Label
		if i == 0 {
			text += " (reference)"
		}
		if sets := overrideText(s, a.Set); sets != "" {
			text += ": " + sets
		}
		w.wrap("arm:      ", text)
	}
	seeds := s.Seeds()
	w.wrap("runs:     ", strconv.Itoa(len(seeds))+" of each arm, seeds "+strconv.FormatUint(seeds[0], 10)+" to "+strconv.FormatUint(seeds[len(seeds)-1], 10))
	if changes, err := s.Changes(); err == nil && len(changes) > 0 {
		var parts []string
		for _, c := range changes {
			parts = append(parts, c.Path+"="+c.Value)
		}
		w.wrap("changed:  ", strings.Join(parts, " ")+" (against preset "+s.Name+")")
	}
	if s.Source != "" {
		w.wrap("source:   ", s.Source)
	}
}

func (w *mail) warnings(r *result.Result) {
	var all []string
	all = append(all, r.Warnings...)
	for _, a := range r.Arms {
		for _, t := range a.Warnings {
			all = append(all, a.Label+": "+t)
		}
	}
	if len(all) == 0 {
		return
	}
	w.line("")
	for _, t := range all {
		w.wrap("warning: ", t)
	}
}

// ascii replaces what a plain mail should not hold.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r == '×':
			b.WriteByte('x')
		case r == '–' || r == '—' || r == '−':
			b.WriteByte('-')
		case r == '’' || r == '‘':
			b.WriteByte('\'')
		case r == '“' || r == '”':
			b.WriteByte('"')
		case r == 'µ' || r == 'μ':
			b.WriteByte('u')
		case r == '≤':
			b.WriteString("<=")
		case r == '≥':
			b.WriteString(">=")
		case r == '\t' || r == '\u00a0':
			b.WriteByte(' ')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
