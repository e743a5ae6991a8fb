package json

import (
	"errors"
	"strconv"
)

// unmarshaler is a type that reads itself.
type unmarshaler interface{ UnmarshalJSON([]byte) error }

var errUnreadable = errors.New("cannot read a value of this type from JSON")

// Unmarshal reads a text into what v points to: a Record, Items, or the types
// that members may have. Keys that an object does not have are skipped, null
// leaves a value as it is.
func Unmarshal(data []byte, v any) error {
	c := Coder{in: &scanner{data: data}}
	if err := c.read(v); err != nil {
		return err
	}
	return c.in.end()
}

// read reads the next value.
func (c *Coder) read(p any) error {
	s := c.in
	first := s.peek()
	if u, ok := p.(unmarshaler); ok {
		start := s.pos
		if err := s.skip(); err != nil {
			return err
		}
		return u.UnmarshalJSON(s.data[start:s.pos])
	}
	if first == 'n' {
		_, err := s.scalar()
		return err
	}
	switch x := p.(type) {
	case Record:
		return c.readObject(x)
	case Items:
		if x.Grow == nil {
			return errUnreadable
		}
		if x.Make != nil {
			x.Make()
		}
		return c.readItems(func() error { return c.readObject(x.Grow()) })
	case *string:
		if first != '"' {
			return s.unexpected("a string")
		}
		text, err := s.str()
		*x = text
		return err
	case *[]string:
		*x = []string{}
		return c.readItems(func() error {
			*x = append(*x, "")
			return c.read(&(*x)[len(*x)-1])
		})
	case *[]int32:
		*x = []int32{}
		return c.readItems(func() error {
			*x = append(*x, 0)
			return c.scalar(&(*x)[len(*x)-1])
		})
	case *[][2]int64:
		*x = [][2]int64{}
		return c.readItems(func() error {
			*x = append(*x, [2]int64{})
			pair, i := &(*x)[len(*x)-1], 0
			return c.readItems(func() error {
				if i++; i > len(pair) {
					return s.skip()
				}
				return c.scalar(&pair[i-1])
			})
		})
	}
	return c.scalar(p)
}

func (c *Coder) readObject(o Record) error {
	if c.in.peek() != '{' {
		return c.in.unexpected("an object")
	}
	return c.in.members(func(key string) error {
		c.key, c.found = key, false
		o.Members(c)
		if !c.found && c.err == nil {
			c.err = c.in.skip()
		}
		return c.err
	})
}

// readItems reads a list.
func (c *Coder) readItems(item func() error) error {
	if c.in.peek() != '[' {
		return c.in.unexpected("a list")
	}
	return c.in.members(func(string) error { return item() })
}

// scalar reads a number, true or false.
func (c *Coder) scalar(p any) error {
	s := c.in
	s.peek()
	at := s.pos
	text, err := s.scalar()
	if err != nil {
		return err
	}
	want := "a whole number in range"
	switch x := p.(type) {
	case *bool:
		if want = "true or false"; text == "true" || text == "false" {
			*x = text == "true"
			return nil
		}
	case *float64:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			*x = f
			return nil
		}
		want = "a number"
	case *uint64:
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			*x = u
			return nil
		}
	case *int:
		if i, err := strconv.Atoi(text); err == nil {
			*x = i
			return nil
		}
	case *int32:
		if i, err := strconv.ParseInt(text, 10, 32); err == nil {
			*x = int32(i)
			return nil
		}
	case *int64:
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			*x = i
			return nil
		}
	default:
		return errUnreadable
	}
	s.pos = at
	return s.fail(text + " where " + want + " is needed")
}
