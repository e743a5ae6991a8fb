package json

import "strconv"

// Kind says what a Node is.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Num
	String
	List
	Object
)

// Node is one value as written, with the order of its keys. The methods work
// on nil, which stands for an absent value.
type Node struct {
	Kind Kind
	// Text is a string's content, or a number, true, false or null as written.
	Text string
	// Keys and Items are the members of an object; a list has only Items.
	Keys  []string
	Items []*Node
}

// Repeated is a key that appears twice in an object, with its path.
type Repeated string

// maxKeys bounds the keys of one object of a tree.
const maxKeys = 256

// Parse reads one value. Of keys that appear twice the first counts; the
// others are listed.
func Parse(data []byte) (*Node, []Repeated, error) {
	t := treeReader{scanner: scanner{data: data}}
	n, err := t.node("")
	if err == nil {
		err = t.end()
	}
	if err != nil {
		return nil, nil, err
	}
	return n, t.repeated, nil
}

type treeReader struct {
	scanner
	repeated []Repeated
}

func (t *treeReader) node(path string) (*Node, error) {
	n := &Node{}
	switch t.peek() {
	case '{':
		n.Kind = Object
		return n, t.members(func(key string) error {
			child, err := t.node(Join(path, key))
			switch {
			case err != nil:
				return err
			case n.Get(key) != nil:
				t.repeated = append(t.repeated, Repeated(Join(path, key)))
				return nil
			case len(n.Keys) == maxKeys:
				return t.fail("an object with more than " + strconv.Itoa(maxKeys) + " keys")
			}
			n.Keys, n.Items = append(n.Keys, key), append(n.Items, child)
			return nil
		})
	case '[':
		n.Kind = List
		return n, t.members(func(string) error {
			child, err := t.node(Join(path, strconv.Itoa(len(n.Items))))
			n.Items = append(n.Items, child)
			return err
		})
	case '"':
		text, err := t.str()
		n.Kind, n.Text = String, text
		return n, err
	}
	text, err := t.scalar()
	n.Text = text
	switch text {
	case "null":
	case "true", "false":
		n.Kind = Bool
	default:
		n.Kind = Num
	}
	return n, err
}

// Get returns a member of an object, nil when absent or no object.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i, k := range n.Keys {
		if k == key {
			return n.Items[i]
		}
	}
	return nil
}

// Append writes the value without blanks.
func (n *Node) Append(b []byte) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	switch n.Kind {
	case String:
		return AppendString(b, n.Text)
	case List:
		b = append(b, '[')
		for i, c := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = c.Append(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, c := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(AppendString(b, n.Keys[i]), ':')
			b = c.Append(b)
		}
		return append(b, '}')
	}
	return append(b, n.Text...)
}

// Any is the value as map[string]any, []any, string, Number, bool or nil.
func (n *Node) Any() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Num:
		return Number(n.Text)
	case String:
		return n.Text
	case List:
		l := make([]any, len(n.Items))
		for i, c := range n.Items {
			l[i] = c.Any()
		}
		return l
	case Object:
		m := make(map[string]any, len(n.Items))
		for i, c := range n.Items {
			m[n.Keys[i]] = c.Any()
		}
		return m
	}
	return nil
}

// Join adds a key to a dotted path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
