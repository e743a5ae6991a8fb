package machine

import (
	"errors"
	"strconv"
	"strings"
)

// ParseSynthetic reads an hwloc synthetic string, as `lstopo --of synthetic`
// prints it ("pack:2 [numa(memory=64GB)] l3:12(size=32MB) core:8 pu:2"), and
// returns a machine with that structure and the default performance
// parameters of DefaultPerf.
//
// Levels: pack (package, socket), die, group, numa (node; also in brackets,
// attached to the level before), l3, l2, core, pu; l1, l1d, l1i, l2i, l3i and
// l4 and upper-case forms are accepted, and what Linux scheduling does not use of them is
// ignored. The L3 is the last-level cache; without one it is the shared L2,
// without that the package. Attributes: size= of caches and memory= of nodes
// (kB, MB, GB are powers of 1024 as in hwloc 1 and 2), indexes= of pu in
// hwloc's three forms (a list, step*count loops, level names), as long as the
// numbers come out adjacent or split (see Numbering).
func ParseSynthetic(text string) (Spec, error) {
	if len(text) > 16<<10 {
		return Spec{}, errors.New("synthetic topology: longer than 16384 bytes")
	}
	levels, err := synthLevels(text)
	if err != nil {
		return Spec{}, errors.New("synthetic topology: " + err.Error())
	}
	s, err := synthSpec(levels)
	if err != nil {
		return Spec{}, errors.New("synthetic topology: " + err.Error())
	}
	if es := s.Validate(); len(es) > 0 {
		return Spec{}, errors.New("synthetic topology: " + Errors(es).Error())
	}
	return s, nil
}

// synthLevel is one level of the string.
type synthLevel struct {
	kind    string // canonical name, "" if ignored
	total   int    // objects of this level in the machine
	size    int64  // size= or memory=, bytes
	indexes string
}

// synthKinds maps the names of levels, in lower case; "" is a level that the scheduler does not use.
var synthKinds = map[string]string{
	"pack": "pack", "package": "pack", "socket": "pack", "numa": "numa", "numanode": "numa", "node": "numa",
	"l3": "l3", "l3cache": "l3", "l2": "l2", "l2cache": "l2", "core": "core", "pu": "pu",
	"machine": "", "die": "", "group": "", "l1": "", "l1cache": "", "l1d": "", "l1dcache": "", "l1i": "", "l1icache": "",
	"l2i": "", "l2icache": "", "l3i": "", "l3icache": "", "l4": "", "l4cache": "", "l5": "", "l5cache": "",
}

// synthLevels splits the string into levels.
func synthLevels(text string) ([]synthLevel, error) {
	var levels []synthLevel
	total := 1
	rest := strings.TrimSpace(text)
	if strings.HasPrefix(rest, "(") { // attributes of the machine
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return nil, errors.New("missing ) after the attributes of the machine")
		}
		rest = strings.TrimSpace(rest[end+1:])
	}
	for rest != "" {
		attached := rest[0] == '['
		var token string
		if attached {
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, errors.New("missing ] after " + quote(rest))
			}
			token, rest = strings.TrimSpace(rest[1:end]), strings.TrimSpace(rest[end+1:])
		} else {
			end := tokenEnd(rest)
			token, rest = rest[:end], strings.TrimSpace(rest[end:])
		}
		l, arity, err := synthToken(token)
		if err != nil {
			return nil, err
		}
		if attached {
			if l.kind != "numa" {
				return nil, errors.New("only a numa node can be in brackets, got " + quote(token))
			}
			if arity != 1 {
				return nil, errors.New("several memories attached to one object are not supported: " + quote(token))
			}
		}
		if total > MaxCPUs/arity {
			return nil, errors.New("more than " + strconv.Itoa(MaxCPUs) + " CPUs at " + quote(token))
		}
		total *= arity
		l.total = total
		for _, o := range levels {
			if o.kind == l.kind && l.kind != "" {
				return nil, errors.New("two levels of " + l.kind)
			}
		}
		if len(levels) > 0 && levels[len(levels)-1].kind == "pu" {
			return nil, errors.New("pu must be the last level")
		}
		if levels = append(levels, l); len(levels) > 32 {
			return nil, errors.New("more than 32 levels")
		}
	}
	if len(levels) == 0 || levels[len(levels)-1].kind != "pu" {
		return nil, errors.New(`must end with the hardware threads of a core, such as "pu:1"`)
	}
	return levels, nil
}

// tokenEnd finds the end of a level: the first space outside parentheses, or a bracket.
func tokenEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth <= 0 && i > 0 && (c == ' ' || c == '\t' || c == '\n' || c == '['):
			return i
		}
	}
	return len(s)
}

// synthToken reads one "type:count(attributes)".
func synthToken(token string) (synthLevel, int, error) {
	var l synthLevel
	head, attrs, hasAttrs := strings.Cut(token, "(")
	name, number, hasNumber := strings.Cut(head, ":")
	kind, ok := synthKinds[strings.ToLower(strings.TrimRight(name, "0123456789"))]
	if !ok {
		kind, ok = synthKinds[strings.ToLower(name)]
	}
	if !ok {
		return l, 0, errors.New("unknown level " + quote(token) + `, expected "type:count" with a type such as pack, numa, l3, l2, core, pu`)
	}
	l.kind = kind
	arity := 1
	if hasNumber {
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil || n < 1 || n > MaxCPUs {
			return l, 0, errors.New("the count in " + quote(token) + " must be between 1 and " + strconv.Itoa(MaxCPUs))
		}
		arity = int(n)
	} else if kind != "numa" {
		return l, 0, errors.New("missing count in " + quote(token))
	}
	if !hasAttrs {
		return l, arity, nil
	}
	attrs, tail, closed := strings.Cut(attrs, ")")
	if !closed || tail != "" {
		return l, 0, errors.New("missing ) at the end of " + quote(token))
	}
	for _, a := range strings.Fields(attrs) {
		key, v, _ := strings.Cut(a, "=")
		switch key {
		case "size", "memory", "memorysidecachesize":
			n, err := synthBytes(v)
			if err != nil {
				return l, 0, errors.New(err.Error() + " in " + quote(token))
			}
			if key != "memorysidecachesize" {
				l.size = n
			}
		case "indexes":
			l.indexes = v
		default:
			return l, 0, errors.New("unknown attribute " + quote(a) + " in " + quote(token))
		}
	}
	return l, arity, nil
}

// synthBytes reads a size; units are powers of 1024.
func synthBytes(s string) (int64, error) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.ParseUint(s[:digits], 10, 52)
	shift, ok := map[string]uint{"": 0, "kb": 10, "kib": 10, "mb": 20, "mib": 20, "gb": 30, "gib": 30, "tb": 40, "tib": 40}[strings.ToLower(s[digits:])]
	if err != nil || !ok || n > 1<<52>>shift {
		return 0, errors.New("bad size " + quote(s) + " (a number with kB, MB, GB or TB)")
	}
	return int64(n << shift), nil
}

// synthSpec turns the levels into a machine.
func synthSpec(levels []synthLevel) (Spec, error) {
	at := func(kind string) (synthLevel, bool) {
		for _, l := range levels {
			if l.kind == kind {
				return l, true
			}
		}
		return synthLevel{total: 1}, false
	}
	pack, _ := at("pack")
	pu, _ := at("pu")
	core, hasCore := at("core")
	if !hasCore {
		core.total = pu.total
	}
	l2, hasL2 := at("l2")
	llc, hasL3 := at("l3")
	size := llc.size
	why := "synthetic string"
	switch {
	case hasL3:
	case hasL2 && l2.total < core.total:
		llc, size = l2, l2.size
	default:
		llc = synthLevel{total: pack.total}
	}
	llc.total = max(llc.total, pack.total)
	node, hasNode := at("numa")
	if !hasNode {
		node.total = 1
	}
	if node.total > llc.total {
		return Spec{}, errors.New("an LLC spans NUMA nodes; Linux treats the part in each node as an LLC, so put l3 below numa")
	}
	if llc.total > core.total || l2.total > pu.total {
		return Spec{}, errors.New("a core has several last-level caches")
	}
	cluster := 1
	if hasL2 && hasL3 && l2.total < core.total {
		if l2.total < llc.total {
			return Spec{}, errors.New("an L2 is shared by several L3")
		}
		cluster = core.total / l2.total
	}
	sizeParam := Param{V: float64(size) / (1 << 20), Source: FromSpec, Why: why}
	if size == 0 {
		sizeParam = guess(32, "the synthetic string names no size")
	}
	s := Spec{
		V: 1, Name: "synthetic", Title: "synthetic topology", Source: "hwloc synthetic string", Packages: pack.total, Nodes: node.total,
		Numbering: Adjacent, ReclaimDistance: 30, NodeMemGiB: 256,
		LLCs: []LLCGroup{{Count: llc.total / pack.total, Cores: core.total / llc.total, ClusterCores: cluster, SMT: pu.total / core.total, SizeMiB: sizeParam}},
	}
	if node.size > 0 {
		s.NodeMemGiB = float64(node.size) / (1 << 30)
	}
	s.Perf = DefaultPerf(&s)
	if hasL2 && l2.size > 0 && hasL3 {
		s.Perf.L2MiB = Param{V: float64(l2.size) / (1 << 20), Source: FromSpec, Why: why}
	}
	if pu.indexes != "" {
		order, err := synthIndexes(pu.indexes, levels)
		if err != nil {
			return Spec{}, err
		}
		if s.Numbering, err = numberingOf(order, core.total, s.LLCs[0].SMT); err != nil {
			return Spec{}, err
		}
	}
	return s, nil
}

// numberingOf recognises the order of PU numbers: order[i] is the number of
// the i-th hardware thread, thread by thread within core by core.
func numberingOf(order []int, cores, smt int) (Numbering, error) {
	adjacent, split := true, true
	for i, n := range order {
		adjacent = adjacent && n == i
		split = split && n == i/smt+i%smt*cores
	}
	switch {
	case adjacent:
		return Adjacent, nil
	case split:
		return Split, nil
	}
	return "", errors.New("these pu indexes are neither adjacent (siblings 0 and 1) nor split (all first threads, then all second ones)")
}

// synthIndexes expands an indexes attribute of the pu level.
func synthIndexes(text string, levels []synthLevel) ([]int, error) {
	total := levels[len(levels)-1].total
	order := make([]int, total)
	if strings.Trim(text, "0123456789,") == "" {
		parts := strings.Split(text, ",")
		if len(parts) != total {
			return nil, errors.New(strconv.Itoa(len(parts)) + " pu indexes for " + strconv.Itoa(total) + " hardware threads")
		}
		for i, p := range parts {
			n, err := strconv.Atoi(p)
			if err != nil {
				return nil, errors.New("bad pu index " + quote(p))
			}
			order[i] = n
		}
		return order, nil
	}
	loops, err := synthLoops(strings.Split(text, ":"), levels)
	if err != nil {
		return nil, err
	}
	width, minStep := 1, total
	for _, l := range loops {
		if width *= l.count; width > total {
			return nil, errors.New("the loops of pu indexes " + quote(text) + " are wider than the machine")
		}
		minStep = min(minStep, l.step)
	}
	if width != total {
		if total%width != 0 || minStep != total/width {
			return nil, errors.New("the loops of pu indexes " + quote(text) + " do not cover the machine")
		}
		loops = append(loops, synthLoop{1, total / width})
	}
	mul := 1
	for _, l := range loops {
		for i := range order {
			order[i] += i / l.step % l.count * mul
		}
		mul *= l.count
	}
	return order, nil
}

// synthLoop is one interleaving loop over the hardware threads.
type synthLoop struct{ step, count int }

// synthLoops reads "step*count" loops or level names.
func synthLoops(parts []string, levels []synthLevel) ([]synthLoop, error) {
	if len(parts) > 16 {
		return nil, errors.New("more than 16 loops of pu indexes")
	}
	total := levels[len(levels)-1].total
	loops := make([]synthLoop, len(parts))
	widths := make([]int, len(parts)) // objects of a named level
	for i, p := range parts {
		if a, b, ok := strings.Cut(p, "*"); ok {
			step, err1 := strconv.ParseUint(a, 10, 16)
			n, err2 := strconv.ParseUint(b, 10, 16)
			if err1 != nil || err2 != nil || step < 1 || n < 1 || step > MaxCPUs || n > MaxCPUs {
				return nil, errors.New("bad loop " + quote(p) + " of pu indexes (step*count)")
			}
			loops[i] = synthLoop{int(step), int(n)}
			continue
		}
		kind := synthKinds[strings.ToLower(p)]
		for _, l := range levels {
			if kind != "" && l.kind == kind {
				widths[i] = l.total
			}
		}
		if widths[i] == 0 {
			return nil, errors.New("pu indexes name a level " + quote(p) + " that is not in the string")
		}
	}
	for i, w := range widths {
		if w == 0 {
			continue
		}
		parent := 1
		for _, o := range widths {
			if o < w && o > parent {
				parent = o
			}
		}
		loops[i] = synthLoop{total / w, w / parent}
	}
	return loops, nil
}
