package importer

import (
	"errors"
	"strconv"
	"strings"

	"casplay/core/json"
)

// lscpu collects the parts of lscpu's output: CPUs (-e, -p), caches (-C) and
// the summary, as JSON or text, in any order.
type lscpu struct {
	*topology
	size    [4]int64 // of one cache by level
	summary map[string]string
	parts   int
	unnamed int // CPUs without a number
}

// readLscpu reads what lscpu prints.
func (t *topology) readLscpu(text string) error {
	t.tool = "lscpu"
	l := &lscpu{topology: t, summary: map[string]string{}}
	var err error
	if strings.Contains(text, "{") && strings.Contains(text, `"`) {
		err = l.documents(text)
	} else {
		err = l.lines(text)
	}
	if err != nil {
		return err
	}
	if l.parts == 0 {
		return errors.New("line 1: " + shorten(firstLine(text)) + " is neither lscpu (\"lscpu -e -J; lscpu -C -J\"), nor lstopo XML (\"lstopo --of xml\"), nor a synthetic string (\"pack:2 l3:8 core:8 pu:2\")")
	}
	return l.finish()
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// documents reads JSON texts one after another; anything between them, such
// as the prompt of a shell, is skipped.
func (l *lscpu) documents(text string) error {
	// lscpu prints numbers that are not known as -, which is no JSON
	text = strings.ReplaceAll(strings.ReplaceAll(text, ": -,", ": null,"), ": -\n", ": null\n")
	for at := 0; at < len(text); {
		start := strings.IndexByte(text[at:], '{')
		if start < 0 {
			return nil
		}
		start += at
		end := closing(text, start)
		root, _, err := json.Parse([]byte(text[start:end]))
		if err != nil {
			line := strings.Count(text[:start], "\n")
			return errors.New("the JSON that begins in line " + strconv.Itoa(line+1) + ", there in " + err.Error() + ": paste the output of lscpu as a whole")
		}
		if err := l.document(root); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// closing finds the end of the object that begins at start.
func closing(text string, start int) int {
	depth, quoted := 0, false
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

func (l *lscpu) document(root *json.Node) error {
	for i, key := range root.Keys {
		list := root.Items[i]
		if list.Kind != json.List {
			continue
		}
		for _, o := range list.Items {
			switch key {
			case "cpus":
				vals := make([]string, len(o.Items))
				for j, v := range o.Items {
					vals[j] = v.Text
				}
				if err := l.row(o.Keys, vals); err != nil {
					return err
				}
			case "caches":
				l.cache(text(o.Get("name")), text(o.Get("one-size")))
			case "lscpu":
				l.field(o)
			}
		}
	}
	return nil
}

func text(n *json.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// field reads an entry of the summary and those below it.
func (l *lscpu) field(o *json.Node) {
	l.fact(text(o.Get("field")), text(o.Get("data")))
	if c := o.Get("children"); c != nil {
		for _, child := range c.Items {
			l.field(child)
		}
	}
}

func (l *lscpu) fact(key, value string) {
	key = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(key), ":"))
	if l.summary[key] == "" && len(l.summary) < 1000 {
		l.summary[key] = strings.TrimSpace(value)
	}
	if key == "cpu(s)" || key == "architecture" {
		l.parts++
	}
}

// cache notes the size of one cache.
func (l *lscpu) cache(name, size string) {
	l.parts++
	if n, ok := bytesOf(size); ok {
		switch strings.ToLower(name) {
		case "l2", "l2d":
			l.size[2] = n
		case "l3":
			l.size[3] = n
		}
	}
}

// row reads a CPU of -e or -p: columns, of which "l1d:l1i:l2:l3" holds several.
func (l *lscpu) row(names, vals []string) error {
	l.parts++
	c := cpu{n: -1, pkg: -1, node: -1, core: -1, l2: -1, l3: -1}
	online := true
	for i, name := range names {
		if i >= len(vals) {
			break
		}
		v := vals[i]
		switch name = strings.ToLower(name); name {
		case "cpu":
			c.n = number(v)
		case "node":
			c.node = number(v)
		case "socket":
			c.pkg = number(v)
		case "core":
			c.core = number(v)
		case "online":
			online = v != "no" && v != "false" && v != "N"
		case "maxmhz":
			c.mhz, _ = strconv.ParseFloat(v, 64)
		default:
			parts := strings.Split(v, ":")
			for j, cache := range strings.Split(name, ":") {
				if j < len(parts) {
					switch cache {
					case "l2", "l2d":
						c.l2 = number(parts[j])
					case "l3":
						c.l3 = number(parts[j])
					}
				}
			}
		}
	}
	if c.n < 0 {
		l.unnamed++
		return nil
	}
	if !online {
		if len(l.offline) < 4096 {
			l.offline = append(l.offline, c.n)
		}
		return nil
	}
	c.pkg = max(c.pkg, 0)
	return l.add(c)
}

// lines reads the tables that lscpu prints without -J.
func (l *lscpu) lines(text string) error {
	var names []string
	caches := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(strings.TrimSuffix(line, "\r"))
		fields := strings.Fields(line)
		head := strings.TrimSpace(strings.TrimPrefix(line, "#"))
		var err error
		switch {
		case len(fields) == 0:
		case strings.HasPrefix(head, "CPU,"):
			names, caches = strings.Split(head, ","), false
		case line[0] == '#':
		case fields[0] == "CPU" && len(fields) > 1 && fields[1] != "family:" && !strings.HasSuffix(line, ":"):
			names, caches = fields, false
			if strings.Contains(line, ": ") {
				names = nil
				l.line(line)
			}
		case fields[0] == "NAME":
			names, caches = fields, true
		case caches && len(fields) >= 2 && fields[0][0] == 'L':
			l.cache(fields[0], fields[1])
		case names != nil && !caches && number(strings.Split(fields[0], ",")[0]) >= 0:
			if strings.Contains(line, ",") {
				fields = strings.Split(line, ",")
			}
			err = l.row(names, fields)
		default:
			l.line(line)
		}
		if err != nil {
			return errors.New("line " + strconv.Itoa(i+1) + ": " + err.Error())
		}
	}
	return nil
}

// line reads "Key: value" of the summary.
func (l *lscpu) line(line string) {
	if key, value, ok := strings.Cut(line, ":"); ok {
		l.fact(key, value)
	}
}
