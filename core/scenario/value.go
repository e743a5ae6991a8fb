package scenario

import (
	"strconv"
	"strings"

	"casplay/core/json"
	"casplay/core/kernel/expr"
	"casplay/core/machine"
	"casplay/core/workload"
)

// parse reads a value written in a link or on a command line. The problem is
// empty when the text is acceptable.
func (f *Field) parse(text string) (v any, problem string) {
	problem = f.Allowed()
	switch {
	case f.milli:
		m, ok := parseMilli(text)
		if ok && float64(m) >= f.Key.Min*1000 && float64(m) <= f.Key.Max*1000 {
			return m, ""
		}
	case f.Key.Type == workload.Bool:
		switch text {
		case "1", "true", "on":
			return true, ""
		case "0", "false", "off":
			return false, ""
		}
	case f.Key.Type == workload.Int:
		i, err := strconv.ParseInt(text, 10, 64)
		if err == nil && float64(i) >= f.Key.Min && float64(i) <= f.Key.Max && f.inEnum(strconv.FormatInt(i, 10)) {
			return i, ""
		}
	case f.Key.Type == workload.Float:
		x, err := strconv.ParseFloat(text, 64)
		if err == nil && x >= f.Key.Min && x <= f.Key.Max { // false for NaN
			return x + 0, "" // + 0 turns -0 into 0
		}
	case f.env != nil:
		return f.parseRule(text)
	default:
		if len(text) <= f.mostBytes() && isPrintable(text) && f.inEnum(text) {
			return text, ""
		}
	}
	return nil, problem
}

// parseRule reads an expression, as people write it or as links carry it, and
// gives it its canonical spaces.
func (f *Field) parseRule(text string) (any, string) {
	plain, ok := fromLinkText(text)
	switch {
	case !ok:
		return nil, "has a ~ that no two hexadecimal digits follow; the link may be cut"
	case strings.TrimSpace(plain) == "":
		return "", ""
	}
	p, err := expr.Compile(plain, f.env)
	if err != nil {
		return nil, "is not a rule: " + err.Error()
	}
	return p.Text, ""
}

// linkText writes an expression with the characters that links have: without
// spaces, and ~ with two hexadecimal digits for each other character.
func linkText(text string) string {
	var b []byte
	for _, c := range []byte(text) {
		switch {
		case c == ' ':
		case c != '~' && c != ';' && isLinkChar(rune(c)):
			b = append(b, c)
		default:
			b = append(b, '~', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return string(b)
}

const hexDigits = "0123456789ABCDEF"

// fromLinkText undoes linkText; text without a ~ is as it was.
func fromLinkText(text string) (string, bool) {
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '~' {
			b = append(b, text[i])
			continue
		}
		if i+2 >= len(text) {
			return "", false
		}
		hi, lo := hexValue(text[i+1]), hexValue(text[i+2])
		if hi < 0 || lo < 0 {
			return "", false
		}
		b = append(b, byte(hi<<4|lo))
		i += 2
	}
	return string(b), true
}

// hexValue is that of a hexadecimal digit, -1 for another character.
func hexValue(c byte) int {
	if c >= 'a' {
		c -= 'a' - 'A'
	}
	return strings.IndexByte(hexDigits, c)
}

// maxValue is the longest text value of a setting.
const maxValue = 200

// mostBytes is the longest text that the setting takes.
func (f *Field) mostBytes() int {
	if f.Key.Max > 0 {
		return int(f.Key.Max)
	}
	return maxValue
}

func (f *Field) inEnum(text string) bool {
	for _, e := range f.Key.Enum {
		if e == text {
			return true
		}
	}
	return len(f.Key.Enum) == 0
}

// Allowed says in words which values a setting takes.
func (f *Field) Allowed() string {
	if len(f.Key.Enum) > 0 {
		return "must be " + orList(f.Key.Enum)
	}
	lo, hi := strconv.FormatFloat(f.Key.Min, 'f', -1, 64), strconv.FormatFloat(f.Key.Max, 'f', -1, 64)
	unit := f.Key.Unit
	if unit != "" {
		unit = " " + unit
	}
	if f.env != nil {
		return "must be an expression over " + f.env.Names() + ", or empty"
	}
	switch f.Key.Type {
	case workload.Bool:
		return "must be true or false"
	case workload.Int:
		return "must be a whole number from " + lo + " to " + hi + unit
	case workload.Float:
		return "must be a number from " + lo + " to " + hi + unit
	}
	return "must be a printable text of at most " + strconv.Itoa(f.mostBytes()) + " bytes"
}

func orList(words []string) string {
	switch n := len(words); n {
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

// Format writes a value as parse reads it: booleans as 0 and 1.
func (f *Field) Format(v any) string {
	switch x := v.(type) {
	case bool:
		if x {
			return "1"
		}
		return "0"
	case int64:
		if f.milli {
			return formatMilli(x)
		}
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case string:
		return x
	case MachineRef:
		return x.Name
	}
	return ""
}

// sameValue reports whether two values of one setting are equal.
func sameValue(a, b any) bool {
	x, isMachine := a.(MachineRef)
	if !isMachine {
		return a == b
	}
	y := b.(MachineRef)
	return x.Name == y.Name && (x.Name != "" || string(x.json()) == string(y.json()))
}

// parseMilli reads a decimal with at most three places into thousandths.
func parseMilli(text string) (int64, bool) {
	whole, frac, dot := strings.Cut(text, ".")
	if (dot && frac == "") || len(frac) > 3 || len(whole) == 0 || len(whole) > 9 {
		return 0, false
	}
	for _, c := range whole + frac {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	m, err := strconv.ParseInt(whole+(frac + "000")[:3], 10, 64)
	return m, err == nil
}

func formatMilli(m int64) string {
	s := strconv.FormatInt(m/1000, 10)
	if frac := m % 1000; frac != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(1000+frac, 10)[1:], "0")
	}
	return s
}

// parseMachine reads a machine written as a name or as a synthetic string.
func parseMachine(text string, lib Library) (MachineRef, *Problem) {
	if len(text) > maxValue || !isPrintable(text) {
		return MachineRef{}, &Problem{Path: MachinePath, Value: quote(text), Problem: "must be a machine name or an lstopo synthetic string of at most " + strconv.Itoa(maxValue) + " bytes"}
	}
	if data := lib.Machine(text); data != nil {
		spec, errs := machine.ParseSpec(data)
		if len(errs) > 0 {
			return MachineRef{}, &Problem{Path: MachinePath, Value: quote(text), Problem: "names a machine file with an error: " + errs[0].Error()}
		}
		return MachineRef{Name: text, Spec: spec}, nil
	}
	if strings.Contains(text, ":") {
		spec, err := machine.ParseSynthetic(text)
		if err != nil {
			return MachineRef{}, &Problem{Path: MachinePath, Value: quote(text), Problem: "is not a synthetic machine: " + err.Error()}
		}
		return MachineRef{Spec: spec}, nil
	}
	return MachineRef{}, &Problem{
		Path: MachinePath, Value: quote(text), Problem: "is not a known machine",
		Nearest: machine.NearestKey(text, lib.Machines()),
	}
}

// quote is a text for a message: shortened, in quotes, control characters escaped.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.QuoteToASCII(s)
}

// shown is a JSON value for a message, shortened; empty when absent.
func shown(n *json.Node) string {
	if n == nil {
		return ""
	}
	return shorten(string(n.Append(nil)))
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

// isPrintable reports whether every character is visible or a space: no
// controls, no direction marks, no invalid UTF-8.
func isPrintable(s string) bool {
	for _, r := range s {
		if r == '\uFFFD' || !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}

// isName reports whether s can name a scenario or an arm: lower-case letters,
// digits and dashes, at most most characters, no dash first or last.
func isName(s string, most int) bool {
	if s == "" || len(s) > most || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
