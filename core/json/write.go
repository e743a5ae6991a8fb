package json

import (
	"errors"
	"math"
	"sort"
	"strconv"
	"unicode/utf8"
)

// marshaler is a type that writes itself.
type marshaler interface{ MarshalJSON() ([]byte, error) }

// Marshal writes a value: a Record, Items, a scalar or a pointer to one, a
// slice of scalars, or what Node.Any gives. It fails on NaN, infinities and all
// other types.
func Marshal(v any) ([]byte, error) {
	c := Coder{}
	c.write(v)
	return c.out, c.err
}

// MarshalIndent writes a value for people to read.
func MarshalIndent(v any, indent string) ([]byte, error) {
	b, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	return Indent(b, indent), nil
}

// write appends a value.
func (c *Coder) write(v any) {
	switch x := v.(type) {
	case nil:
		c.out = append(c.out, "null"...)
	case Record:
		c.object(x)
	case Items:
		if x.Nil {
			c.write(nil)
		} else {
			c.items(x.Len, func(i int) { c.object(x.At(i)) })
		}
	case marshaler:
		b, err := x.MarshalJSON()
		c.out = append(c.out, b...)
		c.fail(err)
	case *bool:
		c.out = strconv.AppendBool(c.out, *x)
	case bool:
		c.out = strconv.AppendBool(c.out, x)
	case *string:
		c.out = AppendString(c.out, *x)
	case string:
		c.out = AppendString(c.out, x)
	case Number:
		c.out = append(c.out, x...)
	case *float64:
		c.float(*x)
	case float64:
		c.float(x)
	case **float64:
		if *x == nil {
			c.write(nil)
		} else {
			c.float(**x)
		}
	case *uint64:
		c.out = strconv.AppendUint(c.out, *x, 10)
	case *map[string]any:
		c.write(*x)
	case map[string]any:
		c.object(dictionary(x))
	default:
		if i, ok := integer(v); ok {
			c.out = strconv.AppendInt(c.out, i, 10)
		} else {
			c.list(v)
		}
	}
}

// integer is the value of a signed integer or of what points to one.
func integer(v any) (int64, bool) {
	switch x := v.(type) {
	case *int:
		return int64(*x), true
	case int:
		return int64(x), true
	case *int32:
		return int64(*x), true
	case *int64:
		return *x, true
	case int64:
		return x, true
	}
	return 0, false
}

func (c *Coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *Coder) float(f float64) {
	var err error
	c.out, err = appendFloat(c.out, f)
	c.fail(err)
}

func (c *Coder) object(o Record) {
	c.out = append(c.out, '{')
	c.comma = false
	o.Members(c)
	c.out = append(c.out, '}')
}

// dictionary is a map as an object with keys in order.
type dictionary map[string]any

// Members lists the keys.
func (d dictionary) Members(c *Coder) {
	if d == nil {
		c.fail(errors.New("cannot write a nil map as JSON"))
	}
	keys := make([]string, 0, len(d))
	for k := range d {
		keys = append(keys, k)
	}
	sort.Stable(sort.StringSlice(keys))
	for _, k := range keys {
		c.Field(k, d[k])
	}
}

// items writes a list.
func (c *Coder) items(n int, item func(i int)) {
	c.out = append(c.out, '[')
	for i := range n {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		item(i)
	}
	c.out = append(c.out, ']')
}

// list writes a slice of scalars or of slices of them, null when it is nil.
func (c *Coder) list(v any) {
	var isNil bool
	var n int
	var item func(i int)
	switch x := v.(type) {
	case *[]string:
		isNil, n, item = *x == nil, len(*x), func(i int) { c.write((*x)[i]) }
	case *[]int:
		c.list(*x)
		return
	case []int:
		isNil, n, item = x == nil, len(x), func(i int) { c.write(x[i]) }
	case *[][]int:
		c.list(*x)
		return
	case [][]int:
		isNil, n, item = x == nil, len(x), func(i int) { c.write(x[i]) }
	case *[][][]int:
		isNil, n, item = *x == nil, len(*x), func(i int) { c.write((*x)[i]) }
	case *[]int32:
		isNil, n, item = *x == nil, len(*x), func(i int) { c.out = strconv.AppendInt(c.out, int64((*x)[i]), 10) }
	case *[]uint64:
		isNil, n, item = *x == nil, len(*x), func(i int) { c.write(&(*x)[i]) }
	case *[][2]int64:
		isNil, n, item = *x == nil, len(*x), func(i int) {
			pair := &(*x)[i]
			c.items(2, func(k int) { c.write(pair[k]) })
		}
	case []any:
		isNil, n, item = x == nil, len(x), func(i int) { c.write(x[i]) }
	default:
		c.fail(errors.New("cannot write a value of this type as JSON"))
		return
	}
	if isNil {
		c.write(nil)
		return
	}
	c.items(n, item)
}

// isEmpty reports whether Omit leaves a member out.
func isEmpty(p any) bool {
	switch x := p.(type) {
	case nil:
		return true
	case Items:
		return x.Len == 0
	case *bool:
		return !*x
	case *string:
		return *x == ""
	case *float64:
		return *x == 0
	case **float64:
		return *x == nil
	case *uint64:
		return *x == 0
	case *[]string:
		return len(*x) == 0
	case *[][]int:
		return len(*x) == 0
	}
	i, ok := integer(p)
	return ok && i == 0
}

// appendFloat writes the shortest decimal that reads back to f, with an
// exponent only for very small and very large values, as JavaScript does.
func appendFloat(b []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return b, errors.New("cannot write " + strconv.FormatFloat(f, 'g', -1, 64) + " as JSON")
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, 64)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1] // e-09 to e-9
		b = b[:n-1]
	}
	return b, nil
}

// AppendString writes a string. Characters that would be special inside HTML
// or a script are escaped.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == '\b':
			b = append(b, '\\', 'b')
		case r == '\f':
			b = append(b, '\\', 'f')
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029':
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// Indent spreads valid JSON over lines.
func Indent(data []byte, indent string) []byte {
	var b []byte
	depth := 0
	line := func() {
		b = append(b, '\n')
		for range depth {
			b = append(b, indent...)
		}
	}
	inString := false
	for i := 0; i < len(data); i++ {
		c := data[i]
		if inString {
			b = append(b, c)
			if c == '\\' {
				i++
				b = append(b, data[i])
			}
			inString = c != '"'
			continue
		}
		switch c {
		case ' ', '\t', '\n', '\r':
		case '{', '[':
			b = append(b, c)
			depth++
			next := i + 1
			for next < len(data) && (data[next] == ' ' || data[next] == '\t' || data[next] == '\n' || data[next] == '\r') {
				next++
			}
			if next < len(data) && (data[next] == '}' || data[next] == ']') {
				depth--
				b = append(b, data[next])
				i = next
				continue
			}
			line()
		case '}', ']':
			depth--
			line()
			b = append(b, c)
		case ',':
			b = append(b, c)
			line()
		case ':':
			b = append(b, ':', ' ')
		default:
			inString = c == '"'
			b = append(b, c)
		}
	}
	return b
}
