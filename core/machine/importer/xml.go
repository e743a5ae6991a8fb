package importer

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of elements.
const maxDepth = 64

// xmlReader reads the XML that hwloc writes: elements, attributes and text.
// Entities other than the five of XML and character numbers are errors, so
// nothing can grow.
type xmlReader struct {
	text  string
	pos   int
	open  []string
	start func(name string, attrs []attr) error
	end   func(name string)
	chars func(text string) error
}

type attr struct{ key, value string }

// get returns an attribute, "" if there is none.
func get(attrs []attr, key string) string {
	for _, a := range attrs {
		if a.key == key {
			return a.value
		}
	}
	return ""
}

func (x *xmlReader) fail(problem string) error {
	line := strings.Count(x.text[:min(x.pos, len(x.text))], "\n") + 1
	return errors.New("XML line " + strconv.Itoa(line) + ": " + problem)
}

// read reads the whole text.
func (x *xmlReader) read() error {
	for {
		next := strings.IndexByte(x.text[x.pos:], '<')
		if next < 0 {
			if len(x.open) > 0 {
				return x.fail("the text ends inside <" + x.open[len(x.open)-1] + ">: paste the whole file")
			}
			return nil
		}
		if len(x.open) > 0 {
			if err := x.chars(x.text[x.pos : x.pos+next]); err != nil {
				return x.fail(err.Error())
			}
		}
		x.pos += next
		if err := x.markup(); err != nil {
			return err
		}
	}
}

// markup reads what begins with <.
func (x *xmlReader) markup() error {
	rest := x.text[x.pos:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return x.skip("-->")
	case strings.HasPrefix(rest, "<?"):
		return x.skip("?>")
	case strings.HasPrefix(rest, "<!"):
		end := strings.IndexByte(rest, '>')
		if b := strings.IndexByte(rest, '['); b >= 0 && b < end {
			return x.fail("declarations inside <! ... [ are not read; remove them")
		}
		return x.skip(">")
	case strings.HasPrefix(rest, "</"):
		name := x.name(2)
		if n := len(x.open); n == 0 || x.open[n-1] != name {
			return x.fail("</" + shorten(name) + "> closes an element that is not open")
		}
		x.open = x.open[:len(x.open)-1]
		x.end(name)
		return x.skip(">")
	}
	return x.element()
}

func (x *xmlReader) skip(to string) error {
	end := strings.Index(x.text[x.pos:], to)
	if end < 0 {
		return x.fail("no " + to + " follows")
	}
	x.pos += end + len(to)
	return nil
}

// name reads a name that begins after skip bytes.
func (x *xmlReader) name(skip int) string {
	x.pos += skip
	from := x.pos
	for x.pos < len(x.text) && !strings.ContainsRune(" \t\r\n=/><\"'", rune(x.text[x.pos])) {
		x.pos++
	}
	return x.text[from:x.pos]
}

func (x *xmlReader) blanks() {
	for x.pos < len(x.text) && strings.IndexByte(" \t\r\n", x.text[x.pos]) >= 0 {
		x.pos++
	}
}

// element reads a start tag.
func (x *xmlReader) element() error {
	name := x.name(1)
	if name == "" {
		return x.fail("< without the name of an element")
	}
	var attrs []attr
	for {
		x.blanks()
		rest := x.text[x.pos:]
		closed := strings.HasPrefix(rest, "/>")
		if closed || strings.HasPrefix(rest, ">") {
			if err := x.start(name, attrs); err != nil {
				return x.fail("<" + name + ">: " + err.Error())
			}
			if closed {
				x.pos += 2
				x.end(name)
				return nil
			}
			x.pos++
			if x.open = append(x.open, name); len(x.open) > maxDepth {
				return x.fail("elements nested more than " + strconv.Itoa(maxDepth) + " deep")
			}
			return nil
		}
		key := x.name(0)
		if key == "" || !strings.HasPrefix(x.text[x.pos:], "=") || len(attrs) == 64 {
			return x.fail("<" + shorten(name) + ">: an attribute key=\"value\" or > is needed")
		}
		x.pos++
		if x.pos >= len(x.text) || (x.text[x.pos] != '"' && x.text[x.pos] != '\'') {
			return x.fail("<" + shorten(name) + ">: the value of " + shorten(key) + " must be quoted")
		}
		quote := x.text[x.pos]
		end := strings.IndexByte(x.text[x.pos+1:], quote)
		if end < 0 {
			return x.fail("<" + shorten(name) + ">: the value of " + shorten(key) + " has no end")
		}
		value, ok := unescape(x.text[x.pos+1 : x.pos+1+end])
		if !ok {
			return x.fail("<" + shorten(name) + ">: " + shorten(key) + " has an entity that is not known")
		}
		attrs = append(attrs, attr{key, value})
		x.pos += end + 2
	}
}

// unescape replaces entities.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '&') < 0 {
		return s, true
	}
	var b []byte
	for {
		amp := strings.IndexByte(s, '&')
		if amp < 0 {
			return string(append(b, s...)), true
		}
		b = append(b, s[:amp]...)
		end := strings.IndexByte(s[amp:], ';')
		if end < 0 || end > 10 {
			return "", false
		}
		switch name := s[amp+1 : amp+end]; name {
		case "amp":
			b = append(b, '&')
		case "lt":
			b = append(b, '<')
		case "gt":
			b = append(b, '>')
		case "quot":
			b = append(b, '"')
		case "apos":
			b = append(b, '\'')
		default:
			digits, ok := strings.CutPrefix(name, "#")
			base := 10
			if hex, x := strings.CutPrefix(digits, "x"); x {
				digits, base = hex, 16
			}
			v, err := strconv.ParseUint(digits, base, 21)
			if !ok || err != nil {
				return "", false
			}
			b = utf8.AppendRune(b, rune(v))
		}
		s = s[amp+end+1:]
	}
}
