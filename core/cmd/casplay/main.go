// Command casplay simulates Linux cache-aware scheduling from the command
// line and serves the playground page.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"casplay/core/play"
	"casplay/core/scenario"
	"casplay/core/scenario/table"
)

const usage = `casplay simulates Linux cache-aware scheduling: a model, not a measurement.

usage:
  casplay run <scenario> [options]   simulate all arms and seeds, print a report
  casplay explain <scenario> [options]
                                     say why a process is or is not gathered on one
                                     LLC, which gate would change it and at what
                                     value, and where two arms part
  casplay list                       list the shipped scenarios and machines
  casplay rules                      list versions of the rules and proposals: who, where,
                                     what differs, and what is our choice
  casplay validate <scenario>...     check scenarios, print everything wrong
  casplay link <scenario> [--set path=value]...
                                     print the link that opens a scenario
  casplay unlink <scenario> [--set path=value]...
                                     print a scenario as JSON, defaults written out
  casplay import machine|rtapp <file>
                                     print a scenario with the machine of lscpu, lstopo
                                     or /sys, or with the workload of an rt-app file
  casplay oracle <folder>            compare placement with what a real kernel did
  casplay replay [--json] [--seeds N] [--only prefix] [--shard i/n]
                                     compare every published row with the model
  casplay calibrate [--only fit]    redo the fits from their training rows
  casplay trust                      print the README's tables of hits and misses
  casplay serve [--addr host:port] [--dir folder]
                                     serve the built page

<scenario> is a name from list, a link (1;name;key=value;...), a JSON file
(file.json.label for a point of a table) or - for standard input. casplay <command> -h shows the options of a command.

exit status: 0 success, 1 a published row is missed or a scenario is not
valid, 2 wrong usage or input that cannot be read.
`

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// command is one verb; errUsage from it has been explained already.
type command func(args []string, std stdio) error

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

var (
	errUsage  = errors.New("usage")
	errMissed = errors.New("a published row is missed")
)

func run(args []string, in io.Reader, out, errw io.Writer) int {
	commands := map[string]command{
		"run": cmdRun, "list": cmdList, "rules": cmdRules, "validate": cmdValidate, "link": cmdLink, "unlink": cmdUnlink, "serve": cmdServe, "oracle": cmdOracle, "trust": cmdTrust, "replay": cmdReplay, "calibrate": cmdCalibrate, "explain": cmdExplain, "import": cmdImport,
	}
	if len(args) == 0 {
		fmt.Fprint(errw, usage)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		fmt.Fprint(out, usage)
		return exitOK
	}
	cmd, ok := commands[args[0]]
	if !ok {
		fmt.Fprintf(errw, "casplay: unknown command %q\n\n%s", args[0], usage)
		return exitUsage
	}
	err := cmd(args[1:], stdio{in, out, errw})
	var problems scenario.Problems
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errMissed):
		return exitFailed
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.As(err, &problems):
		fmt.Fprintf(errw, "casplay %s: the scenario has %d problem(s):\n%v\n", args[0], len(problems), problems)
		return exitFailed
	}
	fmt.Fprintf(errw, "casplay %s: %v\n", args[0], err)
	return exitUsage
}

// flags makes the flag set of a command with its synopsis.
func flags(name, synopsis string, std stdio) *flag.FlagSet {
	fs := flag.NewFlagSet("casplay "+name, flag.ContinueOnError)
	fs.SetOutput(std.err)
	fs.Usage = func() {
		fmt.Fprintf(std.err, "usage: casplay %s %s\n", name, synopsis)
		fs.PrintDefaults()
	}
	return fs
}

// parse accepts options before, between and after the other arguments, which
// it returns.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, errUsage
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}

// fail explains wrong usage.
func fail(fs *flag.FlagSet, text string) error {
	fmt.Fprintln(fs.Output(), text)
	fs.Usage()
	return errUsage
}

// settings collects --set path=value.
type settings []scenario.Setting

func (s *settings) String() string { return "" }

func (s *settings) Set(text string) error {
	v, err := scenario.ParseSetting(text)
	if err == nil {
		*s = append(*s, v)
	}
	return err
}

// open reads a scenario by name, link, file or from standard input.
func open(arg string, std stdio, sets settings) (*scenario.Scenario, error) {
	text, err := read(arg, std)
	if err != nil {
		return nil, err
	}
	s, err := play.Open(text)
	if err != nil {
		return nil, err
	}
	if len(sets) == 0 {
		return s, nil
	}
	return s.With(sets)
}

// read returns the text behind an argument: the file's, that of a point of a
// table ("file.json.label"), or the argument itself.
func read(arg string, std stdio) (string, error) {
	var src io.Reader
	if file, label, point := strings.Cut(arg, ".json."); point {
		text, err := read(file+".json", std)
		if err != nil {
			return "", err
		}
		t, problem := table.Open([]byte(text))
		switch {
		case t == nil:
			return "", fmt.Errorf("%s.json is no table of scenarios", file)
		case problem != "":
			return "", fmt.Errorf("%s.json: %s", file, problem)
		case t.Point(label) == nil:
			return "", fmt.Errorf("%s.json has no point %q; it has %s", file, label, strings.Join(t.Labels(), ", "))
		}
		return string(t.Point(label)), nil
	}
	switch {
	case arg == "-":
		src = std.in
	case strings.HasSuffix(arg, ".json"):
		f, err := os.Open(arg)
		if err != nil {
			return "", err
		}
		defer f.Close()
		src = f
	default:
		return arg, nil
	}
	data, err := io.ReadAll(io.LimitReader(src, scenario.MaxBytes+1))
	return string(data), err
}

func cmdList(args []string, std stdio) error {
	fs := flags("list", "", std)
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fail(fs, "list takes no arguments")
	}
	fmt.Fprintln(std.out, "scenarios:")
	for _, p := range play.Presets() {
		fmt.Fprintf(std.out, "  %-24s %s\n", p.Name, p.Title)
	}
	fmt.Fprintln(std.out, "machines:")
	for _, name := range play.Library().Machines() {
		fmt.Fprintf(std.out, "  %s\n", name)
	}
	return nil
}

func cmdValidate(args []string, std stdio) error {
	fs := flags("validate", "<scenario>...", std)
	rest, err := parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return fail(fs, "validate needs a scenario")
	}
	var all scenario.Problems
	for _, arg := range points(rest, std) {
		_, err := open(arg, std, nil)
		var problems scenario.Problems
		switch {
		case errors.As(err, &problems):
			for _, p := range problems {
				p.Path = arg + ": " + p.Path
				all = append(all, p)
			}
		case err != nil:
			return err
		default:
			fmt.Fprintf(std.out, "%s: ok\n", arg)
		}
	}
	if len(all) > 0 {
		return all
	}
	return nil
}

// points replaces the file of a table by its points.
func points(args []string, std stdio) (out []string) {
	for _, arg := range args {
		if strings.HasSuffix(arg, ".json") {
			if text, err := read(arg, std); err == nil {
				if t, problem := table.Open([]byte(text)); t != nil && problem == "" {
					for _, label := range t.Labels() {
						out = append(out, arg+"."+label)
					}
					continue
				}
			}
		}
		out = append(out, arg)
	}
	return out
}

func cmdLink(args []string, std stdio) error {
	l, err := one("link", args, std)
	if err != nil {
		return err
	}
	if l.Engine == "" {
		l.Engine = play.Engine
	}
	text, err := scenario.FormatLink(l)
	if err != nil {
		return err
	}
	fmt.Fprintln(std.out, "#"+text)
	if size := scenario.MeasureLink(text); size.Verdict > scenario.LinkMail {
		fmt.Fprintf(std.err, "%d characters: %s\n", size.Chars, size.Advice)
	}
	return nil
}

func cmdUnlink(args []string, std stdio) error {
	l, err := one("unlink", args, std)
	if err != nil {
		return err
	}
	if l.Repaired {
		fmt.Fprintln(std.err, "the link was damaged on its way and has been repaired")
	}
	for _, part := range []scenario.Setting{{Path: "engine", Value: l.Engine}, {Path: "result", Value: l.Digest}, {Path: "view", Value: l.View}} {
		if part.Value != "" {
			fmt.Fprintf(std.err, "%s: %s\n", part.Path, part.Value)
		}
	}
	for _, x := range l.Extra {
		fmt.Fprintf(std.err, "unknown key, kept: %s=%s\n", x.Path, x.Value)
	}
	_, err = std.out.Write(l.Scenario.Indented())
	return err
}

// one reads the single scenario or link of a command that takes only --set.
func one(name string, args []string, std stdio) (*scenario.Link, error) {
	fs := flags(name, "<scenario> [--set path=value]...", std)
	var sets settings
	fs.Var(&sets, "set", "change a setting, `path=value`; may be repeated")
	rest, err := parse(fs, args)
	if err != nil {
		return nil, err
	}
	if len(rest) != 1 {
		return nil, fail(fs, name+" needs one scenario")
	}
	text, err := read(rest[0], std)
	if err != nil {
		return nil, err
	}
	l, err := play.OpenLink(text)
	if err != nil || len(sets) == 0 {
		return l, err
	}
	if l.Scenario, err = l.Scenario.With(sets); err != nil {
		return nil, err
	}
	l.Digest = "" // that of another scenario's result
	return l, nil
}
