package oracle

import (
	"errors"
	"strconv"
	"strings"
)

// Spec is a parsed line of the experiments file, as documented in
// harness/README.md. Absent knobs are -1.
type Spec struct {
	// DurMs is the length of a run, AffMs when affinities of place= are lifted.
	DurMs, AffMs                                     int
	Enabled, Tol, Ep, To, Over, Imb, NUMA, ScanDelay int
	Iso, Sync                                        bool
	// Part are the CPUs of a cpuset partition, empty without one.
	Part []int
	At   []Change
	Work []Work
}

// Change sets a knob in the middle of a run; cpuoff and cpuon switch a CPU.
type Change struct {
	Ms    int
	Knob  string
	Value int
}

// Work is one wl= field: a process.
type Work struct {
	Kind                                                                   string
	N, Pct, Per, Work, MB, G, F                                            int
	Place, KeepAt, Keep, Start, Pin, OffAt, OffMs, Touch, Split, Late, Mix int
	// Bind is the LLC, from 1, to which the runner binds all threads at BindAt,
	// for BindMs or for good; the last More threads are created at MoreAt; Part
	// is 1 inside the partition.
	Bind, BindAt, BindMs, More, MoreAt, Part int
}

// Threads is how many threads the process has.
func (w *Work) Threads() int {
	switch w.Kind {
	case "pp":
		return 2 * w.N
	case "hb":
		return 2 * w.G * w.F
	}
	return w.N
}

// ParseSpec reads a line of space-separated key=value fields.
func ParseSpec(line string) (*Spec, error) {
	s := &Spec{DurMs: 2000, AffMs: 300, Enabled: 1, Tol: -1, Ep: -1, To: -1, Over: -1, Imb: -1, NUMA: -1, ScanDelay: 1000}
	knobs := map[string]*int{
		"dur": &s.DurMs, "affat": &s.AffMs, "enabled": &s.Enabled, "tol": &s.Tol, "ep": &s.Ep, "to": &s.To,
		"over": &s.Over, "imb": &s.Imb, "numa": &s.NUMA, "scandelay": &s.ScanDelay,
	}
	for _, field := range strings.Fields(line) {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return nil, errors.New("spec: " + strconv.Quote(field) + " is not key=value")
		}
		var err error
		switch key {
		case "wl":
			var w Work
			if w, err = parseWork(value); err == nil {
				s.Work = append(s.Work, w)
			}
		case "at":
			var c Change
			if c, err = parseChange(value); err == nil {
				s.At = append(s.At, c)
			}
		case "iso", "sync":
			on := value != "0"
			if key == "iso" {
				s.Iso = on
			} else {
				s.Sync = on
			}
		case "part":
			s.Part, err = cpuList(value)
		case "cm", "occ", "xonly", "bg", "seed", "name": // probes, filters and labels
		default:
			p := knobs[key]
			if p == nil {
				return nil, errors.New("spec: unknown field " + strconv.Quote(key) + "; known are dur affat enabled tol ep to over imb numa scandelay iso sync part at cm occ xonly bg wl")
			}
			*p, err = number(value, 1<<31-1)
		}
		if err != nil {
			return nil, errors.New("spec: " + field + ": " + err.Error())
		}
	}
	threads := 0
	for i := range s.Work {
		threads += s.Work[i].Threads()
	}
	switch {
	case len(s.Work) == 0 || len(s.Work) > maxProcs:
		return nil, errors.New("spec: needs 1 to 16 wl= fields")
	case threads > 4*maxThreads:
		return nil, errors.New("spec: more than 1024 threads")
	case s.DurMs < 100 || s.DurMs > 120000:
		return nil, errors.New("spec: dur must be 100 to 120000 ms")
	case len(s.At) > 16:
		return nil, errors.New("spec: more than 16 at= fields")
	}
	return s, nil
}

func number(text string, most int) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > most {
		return 0, errors.New("must be a whole number from 0 to " + strconv.Itoa(most))
	}
	return v, nil
}

func parseChange(text string) (Change, error) {
	part := strings.Split(text, ":")
	if len(part) != 3 {
		return Change{}, errors.New("must be ms:knob:value")
	}
	ms, err := number(part[0], 120000)
	if err != nil {
		return Change{}, err
	}
	v, err := number(part[2], 1<<31-1)
	if _, known := knobPaths[part[1]]; !known && part[1] != "cpuoff" && part[1] != "cpuon" && err == nil {
		err = errors.New("unknown knob " + strconv.Quote(part[1]))
	}
	return Change{ms, part[1], v}, err
}

// parseWork reads "kind,key=value,...".
func parseWork(text string) (Work, error) {
	w := Work{N: 1, Per: 20000, Pct: 50, F: 4, G: 1}
	kind, rest, _ := strings.Cut(text, ",")
	w.Kind = kind
	keys := map[string]*int{
		"n": &w.N, "pct": &w.Pct, "per": &w.Per, "work": &w.Work, "mb": &w.MB, "g": &w.G, "f": &w.F,
		"place": &w.Place, "keep": &w.Keep, "keepat": &w.KeepAt, "start": &w.Start, "pin": &w.Pin, "touch": &w.Touch,
		"offat": &w.OffAt, "off": &w.OffMs, "split": &w.Split, "late": &w.Late, "mix": &w.Mix,
		"bind": &w.Bind, "bindat": &w.BindAt, "bindfor": &w.BindMs, "more": &w.More, "moreat": &w.MoreAt, "part": &w.Part,
	}
	switch kind {
	case "spin", "duty", "pp", "hb", "bar", "mem":
	default:
		return w, errors.New("unknown workload " + strconv.Quote(kind) + "; known are spin duty pp hb bar mem")
	}
	for _, f := range strings.Split(rest, ",") {
		if f == "" {
			continue
		}
		key, value, _ := strings.Cut(f, "=")
		p := keys[key]
		if p == nil {
			return w, errors.New("unknown key " + strconv.Quote(key))
		}
		v, err := number(value, 10_000_000)
		if err != nil {
			return w, errors.New(key + ": " + err.Error())
		}
		*p = v
	}
	switch n := w.Threads(); {
	case n < 1 || n > maxThreads:
		return w, errors.New("must have 1 to 256 threads")
	case w.More > 0 && (kind != "spin" || w.More >= n):
		return w, errors.New("more= must be less than n= of a spin")
	}
	return w, nil
}
