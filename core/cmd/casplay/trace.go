package main

import (
	"io"
	"math"
	"os"

	"casplay/core/scenario"
	"casplay/core/trace"
)

// records is what run does instead of its report: one run of the first arm
// that was asked for, with its trace or its story.
type records struct {
	file  string
	story bool
}

func (r records) wanted() bool { return r.file != "" || r.story }

func (r records) run(s *scenario.Scenario, arms []string, out io.Writer) error {
	arm := len(s.Arms) - 1
	if len(arms) > 0 {
		arm = s.ArmIndex(arms[0])
	}
	setup, err := s.Setup(arm, s.Run.Seed)
	if err != nil {
		return err
	}
	rec, err := trace.Record(setup, trace.MaxRecords, nil)
	if err != nil {
		return err
	}
	rec.Run.Label, rec.Run.Seed = s.Arms[arm].Label, s.Run.Seed
	if r.file != "" {
		if err := os.WriteFile(r.file, rec.Chrome(), 0o644); err != nil {
			return err
		}
	}
	if r.story {
		_, err = io.WriteString(out, rec.Story(0, math.MaxInt64))
	}
	return err
}
