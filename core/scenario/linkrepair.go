package scenario

import (
	"strconv"
	"strings"

	"casplay/core/machine"
)

// received is a text in which a link was looked for.
type received struct {
	// text is the link up to its checksum; without one, all that is left.
	text, view string
	// sealed is set when the checksum is there and right, repaired when the
	// text is not as it was written.
	sealed, repaired bool
}

// checkLen is the length of a checksum in characters.
const checkLen = 6

const checkMark = ";c="

// checkDigits are the digits of a checksum, five bits each.
const checkDigits = "abcdefghijklmnopqrstuvwxyz234567"

// checksum is the CRC-30 of CDMA2000 (polynomial 2030B9C7, all ones at the
// start and inverted at the end) in six digits, highest bits first. A change of
// up to 30 neighbouring bits never goes unnoticed, any other once in 2^30.
func checksum(text string) string {
	crc := uint32(1<<30 - 1)
	for i := range len(text) {
		crc ^= uint32(text[i]) << 22
		for range 8 {
			carry := crc >> 29 & 1
			crc = crc<<1&(1<<30-1) ^ carry*0x2030B9C7
		}
	}
	crc ^= 1<<30 - 1
	var out [checkLen]byte
	for i := range out {
		out[i] = checkDigits[crc>>(25-5*i)&31]
	}
	return string(out[:])
}

// receive finds the link in a text. Mail and pages damage links in known ways;
// each repair is tried, and the checksum tells which one was right. Without a
// right checksum only blanks, brackets and punctuation around the link go.
func receive(text string) received {
	raw := fragment(text)
	joined := joinedLines(raw)
	plain, soft, printable := unwrapped(raw), unwrapped(joined), unwrapped(hexDecoded(joined, '=', "0123456789ABCDEF"))
	for _, try := range [...]string{plain, soft, printable, inAlphabet(plain), inAlphabet(soft), inAlphabet(printable)} {
		if r, ok := unseal(try); ok {
			r.repaired = r.repaired || text[strings.IndexByte(text, '#')+1:] != try
			return r
		}
	}
	plain, _, _ = strings.Cut(plain, ">")
	end := len(plain)
	for end > 0 && strings.IndexByte(".,)]:!?'\"*", plain[end-1]) >= 0 {
		end--
	}
	return received{text: plain[:end]}
}

// unseal splits a link at its first checksum, if that is right. What follows
// is the view; anything else there came from elsewhere.
func unseal(text string) (received, bool) {
	i := strings.Index(text, checkMark)
	if i < 0 {
		return received{}, false
	}
	rest := text[i+len(checkMark):]
	r := received{text: text[:i], sealed: true}
	if len(rest) < checkLen || rest[:checkLen] != checksum(r.text) {
		return received{}, false
	}
	rest = rest[checkLen:]
	view, ok := strings.CutPrefix(rest, ";v=")
	if !ok {
		r.repaired = rest != ""
		return r, true
	}
	end := 0
	for end < len(view) && view[end] != ';' && isLinkChar(rune(view[end])) {
		end++
	}
	for end > 0 && !isAlnum(view[end-1]) {
		end--
	}
	if checkPart(view[:end], maxView) == "" {
		r.view = view[:end]
	}
	r.repaired = end < len(view)
	return r, true
}

// fragment undoes encodings and returns what follows the #, or all. An address
// may hold more than one #; a version is best.
func fragment(text string) string {
	for range 3 { // programs encode what is encoded already
		before := text
		text = percentDecoded(entityDecoded(text))
		if text == before {
			break
		}
	}
	for i := range len(text) {
		if text[i] == '#' {
			if version, _ := splitVersion(text[i+1:]); version > 0 {
				return text[i+1:]
			}
		}
	}
	_, after, found := strings.Cut(text, "#")
	if found {
		text = after
	}
	return strings.TrimLeft(text, "# \t\r\n<(['\"")
}

// percentDecoded turns %3D into =.
func percentDecoded(text string) string { return hexDecoded(text, '%', "0123456789abcdefABCDEF") }

// hexDecoded replaces the mark and two of the digits by their byte.
func hexDecoded(text string, mark byte, digits string) string {
	if strings.IndexByte(text, mark) < 0 {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == mark && i+2 < len(text) && strings.IndexByte(digits, text[i+1]) >= 0 && strings.IndexByte(digits, text[i+2]) >= 0 {
			v, _ := strconv.ParseUint(text[i+1:i+3], 16, 8)
			b = append(b, byte(v))
			i += 2
			continue
		}
		b = append(b, text[i])
	}
	return string(b)
}

// entityDecoded turns &gt; and &#61; into > and =.
func entityDecoded(text string) string {
	var b []byte
	for {
		before, after, found := strings.Cut(text, "&")
		b = append(b, before...)
		if !found {
			return string(b)
		}
		text = after
		name, _, ended := strings.Cut(after[:min(7, len(after))], ";")
		c := 0
		switch {
		case !ended:
		case name == "amp":
			c = '&'
		case name == "lt":
			c = '<'
		case name == "gt":
			c = '>'
		case name == "quot":
			c = '"'
		case strings.HasPrefix(name, "#x"), strings.HasPrefix(name, "#X"):
			v, _ := strconv.ParseUint(name[2:], 16, 7)
			c = int(v)
		case strings.HasPrefix(name, "#"):
			v, _ := strconv.ParseUint(name[1:], 10, 7)
			c = int(v)
		}
		if c == 0 {
			b = append(b, '&')
			continue
		}
		b, text = append(b, byte(c)), after[len(name)+1:]
	}
}

// unwrapped takes out blanks, line breaks and the marks of quoted lines.
func unwrapped(text string) string {
	b := make([]byte, 0, len(text))
	lineStart := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n' || c == '\r':
			lineStart = true
		case c == ' ' || c == '\t':
		case lineStart && (c == '>' || c == '|'):
		default:
			lineStart = false
			b = append(b, c)
		}
	}
	return string(b)
}

// joinedLines undoes the soft breaks of quoted-printable, = at the end of a line.
func joinedLines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "=\n", "")
}

// inAlphabet leaves out what no link has: invisible marks, other spaces.
func inAlphabet(text string) string {
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		if isLinkChar(rune(text[i])) {
			b = append(b, text[i])
		}
	}
	return string(b)
}

// readBroken reports a link whose checksum is missing or wrong, with what can
// still be read of it.
func readBroken(r received, lib Library) (*Link, error) {
	_, text := splitVersion(r.text)
	what := "is cut: the checksum at its end is missing"
	if body, check, found := strings.Cut(text, checkMark); found {
		text = body
		if len(check) >= checkLen {
			what = "was changed on its way or by hand: its checksum does not match"
		}
	} else if i := strings.LastIndexByte(text, ';'); i >= 0 {
		text = text[:i] // what follows may be half a value
	}
	var link *Link
	read := ""
	if packed, custom := strings.CutPrefix(text, "z"); custom {
		packed, _, _ = strings.Cut(packed, ";")
		if s, problems := unpack(packed, lib); len(problems) == 0 {
			link = &Link{Scenario: s}
		}
		read = peekPacked(packed)
	} else {
		name, list, _ := strings.Cut(text, ";")
		list = strings.TrimRight(list, ";")
		if name == "" || lib.Preset(name) == nil {
			p := Problem{Path: "link", Value: quote(r.text), Problem: what + "; copy the whole link again"}
			p.Nearest = machine.NearestKey(name, lib.Presets())
			return nil, Problems{p}
		}
		read = name
		l := &Link{}
		var settings []Setting
		if list != "" {
			settings, _ = splitSettings(list)
		}
		settings, _ = l.take(settings)
		if s, _ := readPreset(name, settings, lib); s != nil {
			link = &Link{Scenario: s}
			if changes, err := s.Changes(); err == nil {
				for _, c := range changes {
					read += ", " + c.Path + "=" + c.Value
				}
			}
		}
	}
	if read == "" {
		read = "nothing"
	}
	return link, Problems{{Path: "link", Value: quote(r.text), Problem: what + "; could be read: " + read +
		"; copy the whole link again, or take the version (1;) off its start if you wrote or changed it yourself"}}
}
