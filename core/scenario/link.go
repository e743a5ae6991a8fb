package scenario

import (
	"sort"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// A link is what follows the # of an address. It has two forms:
//
//	1;<preset>;e=<engine>;<key>=<value>;...;s=<seed>;r=<digest>;c=<checksum>;v=<view>
//	1z<base64url(deflate-raw(canonical JSON))>;e=<engine>;r=<digest>;c=<checksum>;v=<view>
//
// An expression (kernel.what_if.*) goes without spaces, and ~ with two hexadecimal
// digits stands for each character that no link has: ~3E is >, ~3F ?, ~2A *.
//
// 1 is the version of the format. Keys are dotted paths or their short forms,
// "label:key" for one arm, "arms" for the list of labels, in the order of
// Fields. Keys of one letter belong to the link itself: s is run.seed, e the
// engine, r the digest of the result, c the checksum of all before it, v the
// view; others are kept, in the order of the alphabet.
//
// What a link leaves out is defined by the engine that e names: the preset, the
// machine files and the defaults are part of it. The second form has every
// default written out.
//
// A link that names an engine was made by a program and has to have its
// checksum, so that a cut one is noticed: the engine comes first. A link written
// by hand has neither: 1;<preset>;<key>=<value>;... or the same without the 1.

// LinkVersion is the version of the format that FormatLink writes.
const LinkVersion = 1

// Link is what a link says.
type Link struct {
	Scenario *Scenario
	// Engine is the id of the engine that made the link, Digest that of the
	// result it had; empty when the link does not say.
	Engine, Digest string
	// View is what the page has on screen. It means nothing here.
	View string
	// Extra are keys of the link that this version does not know, kept.
	Extra []Setting
	// Repaired is set when the text had been damaged on its way and the
	// checksum proved it whole again.
	Repaired bool
}

// Bounds of the parts of a link; linkChars may appear in one besides letters
// and digits, and the last character is always a letter or digit.
const (
	linkChars = "-_.~;=,:/"
	maxEngine = 40
	maxDigest = 64
	maxView   = 1000
	maxExtra  = 16
	// maxReceived bounds a text that is searched for a link: the longest one,
	// encoded twice, with an address in front.
	maxReceived = 64 << 10
)

// ParseLink reads a link as people receive it: with the address in front,
// wrapped, quoted, in brackets or encoded. When the error (Problems) is not nil
// the Link may still hold the scenario of what could be read, to be shown
// beside the error and never to be run in its place.
func ParseLink(text string, lib Library) (*Link, error) {
	if len(text) > maxReceived {
		return nil, linkProblem(text, "is too long: links have at most 8000 characters; open the scenario as JSON")
	}
	r := receive(text)
	version, rest := splitVersion(r.text)
	switch {
	case len(r.text) > MaxLink:
		return nil, linkProblem(r.text, "is too long: links have at most 8000 characters; open the scenario as JSON")
	case version > LinkVersion:
		return nil, linkProblem(r.text, "is of version "+strconv.Itoa(version)+" of the link format, this engine reads versions up to "+strconv.Itoa(LinkVersion)+"; open it on a page with a newer engine")
	case version > 0 && !r.sealed && !handWritten(rest):
		return readBroken(r, lib)
	}
	for _, c := range r.text {
		if !isLinkChar(c) {
			return nil, linkProblem(string(c), "is a character that no link has; it may be cut or wrapped")
		}
	}
	link, err := readLink(version, rest, lib)
	if link != nil {
		link.Repaired = r.repaired
		if r.sealed {
			link.View = r.view
		}
	}
	return link, err
}

// handWritten reports a readable link that no program made: it names neither
// engine nor result and has no checksum.
func handWritten(rest string) bool {
	for _, mark := range [...]string{";e=", ";r=", checkMark} {
		if strings.Contains(rest, mark) {
			return false
		}
	}
	return !strings.HasPrefix(rest, "z") && rest != "" && rest[len(rest)-1] != ';'
}

// splitVersion takes the version off a link, 0 for one written by hand. What
// remains of the compressed form begins with z.
func splitVersion(text string) (version int, rest string) {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 4 || text[0] == '0' || (digits < len(text) && text[digits] != ';' && text[digits] != 'z') {
		return 0, text
	}
	version, _ = strconv.Atoi(text[:digits])
	return version, strings.TrimPrefix(text[digits:], ";")
}

// readLink reads a whole link behind its version and without its checksum.
func readLink(version int, text string, lib Library) (*Link, error) {
	first, list, _ := strings.Cut(text, ";")
	f := linkFields{name: first}
	var problems Problems
	if list != "" {
		f.settings, problems = splitSettings(list)
	}
	if version > 0 {
		f = upgrade(linkUpgrades, version, f)
	}
	packed, custom := strings.CutPrefix(f.name, "z")
	switch custom = custom && version > 0; {
	case f.name == "":
		return nil, linkProblem(text, "names no preset")
	case !custom && lib.Preset(f.name) == nil:
		return nil, Problems{{Path: "link", Value: quote(f.name), Problem: "is not a known preset", Nearest: machine.NearestKey(f.name, lib.Presets())}}
	}
	link := &Link{}
	settings, bad := link.take(f.settings)
	problems = append(problems, bad...)
	var s *Scenario
	if custom {
		s, bad = unpack(packed, lib)
		for _, c := range settings {
			bad = append(bad, Problem{Path: "link", Value: quote(c.Path + "=" + c.Value), Problem: "cannot stand beside a whole scenario"})
		}
	} else {
		s, bad = readPreset(f.name, settings, lib)
	}
	link.Scenario = s
	if problems = append(problems, bad...); len(problems) > 0 {
		return link, problems
	}
	return link, nil
}

func splitSettings(list string) (out []Setting, problems Problems) {
	for _, part := range strings.Split(list, ";") {
		set, err := ParseSetting(part)
		if err != nil {
			problems = append(problems, Problem{Path: "link", Value: quote(part), Problem: "must be written key=value; the link may be cut"})
			continue
		}
		out = append(out, set)
	}
	return out, problems
}

// take keeps the keys of one letter and returns the others, with s as run.seed.
func (l *Link) take(settings []Setting) (rest []Setting, problems Problems) {
	seen := map[string]bool{}
	for _, set := range settings {
		if len(set.Path) > 1 || !isAlnum(set.Path[0]) {
			rest = append(rest, set)
			continue
		}
		if seen[set.Path] {
			problems = append(problems, Problem{Path: set.Path, Problem: "is set twice"})
			continue
		}
		seen[set.Path] = true
		problem := ""
		switch set.Path {
		case "s":
			rest = append(rest, Setting{"run.seed", set.Value})
		case "e":
			l.Engine, problem = set.Value, checkPart(set.Value, maxEngine)
		case "r":
			l.Digest, problem = set.Value, checkPart(set.Value, maxDigest)
		case "v":
			if checkPart(set.Value, maxView) == "" { // a bad view stops nothing
				l.View = set.Value
			}
		case "c": // of a link whose version was taken off to edit it
		default:
			l.Extra = append(l.Extra, set)
		}
		if problem != "" {
			problems = append(problems, Problem{Path: set.Path, Value: quote(set.Value), Problem: problem})
		}
	}
	sort.Stable(byPath(l.Extra))
	if len(l.Extra) > maxExtra {
		problems = append(problems, Problem{Path: "link", Value: strconv.Itoa(len(l.Extra)) + " unknown keys", Problem: "must have at most " + strconv.Itoa(maxExtra)})
	}
	return rest, problems
}

// byPath orders settings by their paths.
type byPath []Setting

func (l byPath) Len() int           { return len(l) }
func (l byPath) Less(i, j int) bool { return l[i].Path < l[j].Path }
func (l byPath) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

// checkPart says what is wrong with engine, digest or view, or nothing.
func checkPart(text string, most int) string {
	ok := text != "" && len(text) <= most && isAlnum(text[0]) && isAlnum(text[len(text)-1])
	for _, c := range text {
		ok = ok && c != ';' && isLinkChar(c)
	}
	if !ok {
		return "must be 1 to " + strconv.Itoa(most) + " of the characters that links have, a letter or digit first and last"
	}
	return ""
}

// readPreset applies changes to a known preset; with problems it is what could
// be read, or nil.
func readPreset(name string, changes []Setting, lib Library) (*Scenario, Problems) {
	preset, err := Parse(lib.Preset(name), lib)
	if err != nil {
		return nil, err.(Problems)
	}
	return preset.with(changes)
}

func linkProblem(value, problem string) error {
	return Problems{{Path: "link", Value: quote(value), Problem: problem}}
}

func isAlnum(c byte) bool {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
}

func isLinkChar(c rune) bool {
	return c < 128 && (isAlnum(byte(c)) || strings.IndexByte(linkChars, byte(c)) >= 0)
}
