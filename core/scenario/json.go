package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// node is one JSON value as written, with the order of its keys.
type node struct {
	kind  nodeKind
	text  string // of a string or number
	keys  []string
	items []*node // of an object or list
}

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeBool
	nodeNumber
	nodeString
	nodeList
	nodeObject
)

const (
	maxDepth = 16
	maxItems = 20000 // values in one text
	maxKeys  = 256   // of one object
)

// readJSON reads one JSON value. Keys that appear twice are reported in dup.
func readJSON(data []byte) (root *node, dup Problems, err error) {
	r := treeReader{dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	root, err = r.value("", 0)
	if err == nil {
		if _, e := r.dec.Token(); e != io.EOF {
			err = errors.New("has text after the end of the JSON object")
		}
	}
	if err != nil {
		line, col := position(data, r.dec.InputOffset())
		return nil, nil, errors.New("line " + strconv.Itoa(line) + ", column " + strconv.Itoa(col) + ": " + err.Error())
	}
	return root, r.dup, nil
}

type treeReader struct {
	dec   *json.Decoder
	count int
	dup   Problems
}

func (r *treeReader) value(path string, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errors.New("is nested more than " + strconv.Itoa(maxDepth) + " deep")
	}
	if r.count++; r.count > maxItems {
		return nil, errors.New("has more than " + strconv.Itoa(maxItems) + " values")
	}
	tok, err := r.dec.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch t := tok.(type) {
	case bool:
		return &node{kind: nodeBool, text: strconv.FormatBool(t)}, nil
	case json.Number:
		return &node{kind: nodeNumber, text: t.String()}, nil
	case string:
		return &node{kind: nodeString, text: t}, nil
	case json.Delim:
		if t == '{' {
			return r.object(path, depth)
		}
		return r.list(path, depth)
	}
	return &node{kind: nodeNull, text: "null"}, nil
}

func (r *treeReader) object(path string, depth int) (*node, error) {
	n := &node{kind: nodeObject}
	for r.dec.More() {
		tok, err := r.dec.Token()
		if err != nil {
			return nil, err
		}
		if len(n.keys) == maxKeys {
			return nil, errors.New("has an object with more than " + strconv.Itoa(maxKeys) + " keys")
		}
		key := tok.(string)
		child, err := r.value(join(path, key), depth+1)
		if err != nil {
			return nil, err
		}
		if n.get(key) != nil {
			r.dup = append(r.dup, Problem{Path: join(path, shorten(key)), Problem: "appears twice"})
			continue
		}
		n.keys = append(n.keys, key)
		n.items = append(n.items, child)
	}
	_, err := r.dec.Token()
	return n, err
}

func (r *treeReader) list(path string, depth int) (*node, error) {
	n := &node{kind: nodeList}
	for r.dec.More() {
		child, err := r.value(join(path, strconv.Itoa(len(n.items))), depth+1)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, child)
	}
	_, err := r.dec.Token()
	return n, err
}

// get returns a member of an object, nil when absent or no object.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

// appendJSON writes the value back without spaces.
func (n *node) appendJSON(b []byte) []byte {
	switch n.kind {
	case nodeString:
		return appendString(b, n.text)
	case nodeList:
		b = append(b, '[')
		for i, c := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = c.appendJSON(b)
		}
		return append(b, ']')
	case nodeObject:
		b = append(b, '{')
		for i, c := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, n.keys[i]), ':')
			b = c.appendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, n.text...)
}

// shown is the value for a message, shortened.
func (n *node) shown() string {
	if n == nil {
		return ""
	}
	return shorten(string(n.appendJSON(nil)))
}

func shorten(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "..."
	}
	if !isPrintable(s) {
		return strconv.QuoteToASCII(s)
	}
	return s
}

// appendString writes a JSON string.
func appendString(b []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return append(b, `""`...)
	}
	return append(b, q...)
}

// position turns an offset into line and column, both from 1.
func position(data []byte, offset int64) (line, col int) {
	before := data[:min(int(offset), len(data))]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, len(before) - bytes.LastIndexByte(before, '\n')
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
