// Package rtapp reads the workload files of rt-app: tasks of run, sleep,
// timer and synchronisation events in phases and loops. It accepts the relaxed
// JSON that those files are written in: comments, commas at the end, keys that
// appear again, and events without a value.
package rtapp

import (
	"errors"
	"strconv"
	"strings"
)

// MaxBytes is the largest file that is read, MaxPacked what it may take packed.
const (
	MaxBytes  = 256 << 10
	MaxPacked = 32 << 10
)

const (
	maxDepth = 16
	maxNodes = 16384
)

// node is a value: text for a scalar, items for a list or an object.
type node struct {
	kind  byte // '"', '0' (number or word), '[', '{', or 0 for no value
	text  string
	keys  []string
	items []*node
	line  int
}

type reader struct {
	text         string
	pos          int
	depth, nodes int
}

func (r *reader) line() int { return 1 + strings.Count(r.text[:min(r.pos, len(r.text))], "\n") }

func (r *reader) fail(problem string) error {
	return errors.New("rt-app file, line " + strconv.Itoa(r.line()) + ": " + problem)
}

// peek skips blanks and comments and returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	for r.pos < len(r.text) {
		rest := r.text[r.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.pos++
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				r.pos = len(r.text)
				return 0
			}
			r.pos += end + 2
		case strings.HasPrefix(rest, "//"), c == '#':
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			r.pos += end
		default:
			return c
		}
	}
	return 0
}

// parse reads one value and nothing after it.
func parse(text string) (*node, error) {
	r := &reader{text: text}
	n, err := r.value()
	if err == nil && r.peek() != 0 {
		err = r.fail("text after the end")
	}
	return n, err
}

func (r *reader) value() (*node, error) {
	if r.nodes++; r.nodes > maxNodes {
		return nil, r.fail("more than " + strconv.Itoa(maxNodes) + " values")
	}
	c := r.peek()
	n := &node{kind: c, line: r.line()}
	var err error
	switch c {
	case 0:
		return nil, r.fail("the file ends where a value is needed")
	case '"':
		n.text, err = r.str()
		return n, err
	case '{', '[':
		return n, r.members(n)
	}
	from := r.pos
	for r.pos < len(r.text) && strings.IndexByte(" \t\r\n,]}:/", r.text[r.pos]) < 0 {
		r.pos++
	}
	if n.text, n.kind = r.text[from:r.pos], '0'; n.text == "" {
		return nil, r.fail(strconv.QuoteRuneToASCII(rune(c)) + " where a value is needed")
	}
	return n, nil
}

func (r *reader) str() (string, error) {
	end := strings.IndexAny(r.text[r.pos+1:], "\"\\\n")
	if end < 0 || r.text[r.pos+1+end] != '"' {
		return "", r.fail("a text must end on its line and have no \\")
	}
	s := r.text[r.pos+1 : r.pos+1+end]
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return "", r.fail("names must be of ASCII letters, digits and signs")
		}
	}
	r.pos += end + 2
	return s, nil
}

// members reads a list or an object.
func (r *reader) members(n *node) error {
	closing := n.kind + 2 // ] and } in ASCII
	if r.depth++; r.depth > maxDepth {
		return r.fail("nested more than " + strconv.Itoa(maxDepth) + " deep")
	}
	defer func() { r.depth-- }()
	r.pos++
	for {
		switch c := r.peek(); {
		case c == closing:
			r.pos++
			return nil
		case c == ',':
			r.pos++
			continue
		case c == 0:
			return r.fail("the file ends before " + string(closing))
		}
		if n.kind == '{' {
			if r.peek() != '"' {
				return r.fail("a key in quotes is needed")
			}
			key, err := r.str()
			if err != nil {
				return err
			}
			n.keys = append(n.keys, key)
			if r.peek() != ':' { // an event without value, such as "suspend"
				n.items = append(n.items, &node{line: r.line()})
				continue
			}
			r.pos++
		}
		v, err := r.value()
		if err != nil {
			return err
		}
		n.items = append(n.items, v)
	}
}

// get returns the first member of that name.
func (n *node) get(key string) *node {
	if n != nil {
		for i, k := range n.keys {
			if k == key {
				return n.items[i]
			}
		}
	}
	return nil
}

// pack writes the value without blanks and comments.
func (n *node) pack(b []byte) []byte {
	switch n.kind {
	case '"':
		return append(append(append(b, '"'), n.text...), '"')
	case '{', '[':
		b = append(b, n.kind)
		for i, v := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			if n.kind == '{' {
				b = append(append(append(b, '"'), n.keys[i]...), '"')
				if v.kind != 0 {
					b = append(b, ':')
				}
			}
			b = v.pack(b)
		}
		return append(b, n.kind+2)
	}
	return append(b, n.text...)
}
