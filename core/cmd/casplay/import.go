package main

import (
	"fmt"
	"io"
	"os"

	"casplay/core/machine/importer"
	"casplay/core/play"
)

// cmdImport prints a machine or a workload of the user's own as JSON; warnings
// go to standard error.
func cmdImport(args []string, std stdio) error {
	fs := flags("import", "machine|rtapp <file or -> [--in <scenario>] [--part]", std)
	in := fs.String("in", "", "put it into this `scenario` instead of a small one")
	part := fs.Bool("part", false, `print only the machine, or the entry of "workload", instead of a whole scenario`)
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) != 2 {
		return fail(fs, "import needs machine or rtapp, and a file (- for standard input)")
	}
	read := play.OwnMachine
	switch rest[0] {
	case "machine":
	case "rtapp":
		read = play.OwnRtapp
	default:
		return fail(fs, "import knows machine and rtapp, not "+rest[0])
	}
	src := std.in
	if rest[1] != "-" {
		f, err := os.Open(rest[1])
		if err != nil {
			return err
		}
		defer f.Close()
		src = f
	}
	data, err := io.ReadAll(io.LimitReader(src, importer.MaxBytes+1))
	if err != nil {
		return err
	}
	base := *in
	if base != "" {
		s, err := open(base, std, nil)
		if err != nil {
			return err
		}
		base = string(s.Canonical())
	}
	o, err := read(string(data), base)
	if err != nil {
		return err
	}
	fmt.Fprintln(std.err, o.Summary)
	for _, w := range o.Warnings {
		fmt.Fprintln(std.err, "warning: "+w)
	}
	if *part {
		fmt.Fprintln(std.out, o.Part)
		return nil
	}
	s, err := play.Open(o.Scenario)
	if err != nil {
		return err
	}
	_, err = std.out.Write(s.Indented())
	return err
}
