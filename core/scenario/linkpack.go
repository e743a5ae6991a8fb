package scenario

import (
	"strings"

	"casplay/core/scenario/flate"
)

// base64URL are the digits of RFC 4648, section 5; links go without padding.
const base64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func toBase64(data []byte) string {
	b := make([]byte, 0, (len(data)*8+5)/6)
	hold, n := uint32(0), 0
	for _, c := range data {
		hold, n = hold<<8|uint32(c), n+8
		for n >= 6 {
			n -= 6
			b = append(b, base64URL[hold>>n&63])
		}
	}
	if n > 0 {
		b = append(b, base64URL[hold<<(6-n)&63])
	}
	return string(b)
}

// fromBase64 reads as far as it can.
func fromBase64(text string) (data []byte, ok bool) {
	hold, n := uint32(0), 0
	for i := range len(text) {
		d := strings.IndexByte(base64URL, text[i])
		if d < 0 {
			return data, false
		}
		hold, n = hold<<6|uint32(d), n+6
		if n >= 8 {
			n -= 8
			data = append(data, byte(hold>>n))
		}
	}
	return data, n < 6 && hold&(1<<n-1) == 0
}

// pack is a whole scenario in compressed form.
func (s *Scenario) pack() string { return toBase64(flate.Deflate(s.terse())) }

// unpack reads the compressed form. It is short (MaxLink), and no more than
// MaxBytes are expanded.
func unpack(text string, lib Library) (*Scenario, Problems) {
	data, ok := fromBase64(text)
	if !ok {
		return nil, Problems{{Path: "link", Value: quote(text), Problem: "holds a compressed scenario that is not written in base64url"}}
	}
	plain, err := flate.Inflate(data, MaxBytes)
	if err != nil {
		return nil, Problems{{Path: "link", Value: quote(text), Problem: "holds a compressed scenario that cannot be read: " + err.Error()}}
	}
	s, err := Parse(plain, lib)
	if err != nil {
		return nil, err.(Problems)
	}
	return s, nil
}

// peekPacked is what the beginning of a compressed scenario says of itself.
func peekPacked(text string) string {
	data, _ := fromBase64(text)
	plain, _ := flate.Inflate(data, MaxBytes)
	var out []string
	for _, key := range [...]string{"name", "title"} {
		_, rest, found := strings.Cut(string(plain), `"`+key+`":"`)
		if value, _, ended := strings.Cut(rest, `"`); found && ended && value != "" {
			out = append(out, key+" "+quote(value))
		}
	}
	return strings.Join(out, ", ")
}
