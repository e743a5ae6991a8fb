// Package json reads and writes JSON for the engine. It writes the bytes that
// encoding/json writes for the types that the program has, from the same struct
// tags, without reflection: that, fmt and the rest of encoding/json would take
// 300 KB of the compressed WebAssembly module. Differences: keys of a struct
// match exactly, and the tree of Parse keeps the order of keys and reports
// repeated ones.
package json

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// RawMessage is a value that is JSON already.
type RawMessage []byte

// MarshalJSON returns the value itself.
func (m RawMessage) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return m, nil
}

// UnmarshalJSON keeps a copy of the value as written.
func (m *RawMessage) UnmarshalJSON(data []byte) error {
	*m = append((*m)[:0], data...)
	return nil
}

// Number is a number as written.
type Number string

// String is the number as written.
func (n Number) String() string { return string(n) }

// Float64 is the number's value.
func (n Number) Float64() (float64, error) { return strconv.ParseFloat(string(n), 64) }

// maxDepth bounds the nesting of a text.
const maxDepth = 64

// scanner reads values from a text.
type scanner struct {
	data  []byte
	pos   int
	depth int
}

// fail is an error at the present position.
func (s *scanner) fail(problem string) error {
	line, start := 1, 0
	for i, c := range s.data[:min(s.pos, len(s.data))] {
		if c == '\n' {
			line, start = line+1, i+1
		}
	}
	return errors.New("line " + strconv.Itoa(line) + ", column " + strconv.Itoa(s.pos-start+1) + ": " + problem)
}

// peek skips blanks and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// end checks that nothing but blanks follows.
func (s *scanner) end() error {
	if s.peek(); s.pos < len(s.data) {
		return s.fail("text after the end of the value")
	}
	return nil
}

// unexpected says what was found where something else had to be.
func (s *scanner) unexpected(want string) error {
	if s.pos >= len(s.data) {
		return s.fail("the text ends where " + want + " is needed")
	}
	r, _ := utf8.DecodeRune(s.data[s.pos:])
	return s.fail(strconv.QuoteRuneToASCII(r) + " where " + want + " is needed")
}

// members calls each for every member of the object or list that starts here,
// positioned at the member's value; key is empty in a list.
func (s *scanner) members(each func(key string) error) error {
	object := s.data[s.pos] == '{'
	closing := byte(']')
	if object {
		closing = '}'
	}
	if s.depth++; s.depth > maxDepth {
		return s.fail("nested more than " + strconv.Itoa(maxDepth) + " deep")
	}
	defer func() { s.depth-- }()
	s.pos++
	for first := true; ; first = false {
		c := s.peek()
		if c == closing {
			s.pos++
			return nil
		}
		if !first {
			if c != ',' {
				return s.unexpected(", or " + string(closing))
			}
			s.pos++
			s.peek()
		}
		key := ""
		if object {
			if s.peek() != '"' {
				return s.unexpected("a key")
			}
			var err error
			if key, err = s.str(); err != nil {
				return err
			}
			if s.peek() != ':' {
				return s.unexpected(":")
			}
			s.pos++
		}
		if err := each(key); err != nil {
			return err
		}
	}
}

// skip reads over one value.
func (s *scanner) skip() error {
	switch c := s.peek(); {
	case c == '{' || c == '[':
		return s.members(func(string) error { return s.skip() })
	case c == '"':
		_, err := s.str()
		return err
	}
	_, err := s.scalar()
	return err
}

// scalar reads a number, true, false or null as written.
func (s *scanner) scalar() (string, error) {
	c := s.peek()
	if c == '-' || (c >= '0' && c <= '9') {
		return s.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if rest := s.data[s.pos:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
			s.pos += len(word)
			return word, nil
		}
	}
	return "", s.unexpected("a value")
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

// at reports whether the next byte is one of set, and takes it.
func (s *scanner) take(set string) bool {
	if s.pos < len(s.data) {
		for i := range len(set) {
			if s.data[s.pos] == set[i] {
				s.pos++
				return true
			}
		}
	}
	return false
}

func (s *scanner) number() (string, error) {
	start := s.pos
	s.take("-")
	if !s.take("0") && !s.digits() {
		return "", s.unexpected("a digit")
	}
	if s.take(".") && !s.digits() {
		return "", s.unexpected("a digit")
	}
	if s.take("eE") {
		s.take("+-")
		if !s.digits() {
			return "", s.unexpected("a digit")
		}
	}
	return string(s.data[start:s.pos]), nil
}

// str reads a string. Invalid UTF-8 and lone surrogates become U+FFFD.
func (s *scanner) str() (string, error) {
	s.pos++
	var b []byte
	for {
		if s.pos >= len(s.data) {
			return "", s.fail("a string without end")
		}
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return string(b), nil
		case c < ' ':
			return "", s.fail("a control character in a string")
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			b = utf8.AppendRune(b, r)
		case c < utf8.RuneSelf:
			b = append(b, c)
			s.pos++
		default:
			r, n := utf8.DecodeRune(s.data[s.pos:])
			b = utf8.AppendRune(b, r)
			s.pos += n
		}
	}
}

// escape reads a backslash and what follows.
func (s *scanner) escape() (rune, error) {
	s.pos++
	if s.pos >= len(s.data) {
		return 0, s.fail("a string without end")
	}
	c := s.data[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r := s.hex()
		if r < 0 {
			return 0, s.fail("\\u needs four hexadecimal digits")
		}
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		if before := s.pos; s.pos+1 < len(s.data) && s.data[s.pos] == '\\' && s.data[s.pos+1] == 'u' {
			s.pos += 2
			if full := utf16.DecodeRune(r, s.hex()); full != utf8.RuneError {
				return full, nil
			}
			s.pos = before
		}
		return utf8.RuneError, nil
	}
	s.pos--
	return 0, s.unexpected("an escape character")
}

// hex reads four hexadecimal digits, -1 if there are none.
func (s *scanner) hex() rune {
	if s.pos+4 > len(s.data) {
		return -1
	}
	v, err := strconv.ParseUint(string(s.data[s.pos:s.pos+4]), 16, 32)
	if err != nil {
		return -1
	}
	s.pos += 4
	return rune(v)
}
