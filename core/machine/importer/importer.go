// Package importer turns what tools print about a machine into a machine
// description: lscpu, lstopo (XML or a synthetic string) and a listing of
// /sys/devices/system. Only structure, cache sizes and memory are known from
// them; every other parameter is a guess of machine.DefaultPerf.
package importer

import (
	"errors"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// MaxBytes is the longest text that is read.
const MaxBytes = 8 << 20

// Result is an imported machine.
type Result struct {
	// Spec is valid: it can be built.
	Spec machine.Spec
	// Warnings say what was dropped, simplified or guessed.
	Warnings []string
}

// Import recognises the format of a text and reads it. Errors say where the
// text is wrong and what to paste instead.
func Import(text string) (Result, error) {
	if len(text) > MaxBytes {
		return Result{}, errors.New("the text has " + strconv.Itoa(len(text)) + " bytes, more than the " + strconv.Itoa(MaxBytes) + " that are read")
	}
	text = strings.TrimPrefix(text, "\uFEFF")
	trimmed := strings.TrimSpace(text)
	t := &topology{}
	var err error
	switch {
	case trimmed == "":
		return Result{}, errors.New("there is no text: paste the output of \"lscpu -e -J; lscpu -C -J\" or of \"lstopo --of xml\"")
	case trimmed[0] == '<':
		err = t.readXML(text)
	case strings.HasPrefix(trimmed, "/sys/devices/system/"):
		err = t.readSysfs(trimmed)
	case isSynthetic(trimmed):
		s, err := machine.ParseSynthetic(trimmed)
		return Result{Spec: s, Warnings: []string{guessed}}, err
	default:
		err = t.readLscpu(text)
	}
	if err != nil {
		return Result{}, err
	}
	return t.fit()
}

const guessed = "Latencies, bandwidths and idle states are guesses for a server of this shape: no tool reports them. Measure them and change \"perf\" before you trust runtimes."

// isSynthetic tells an lstopo synthetic string, one line that ends in pu:N.
func isSynthetic(s string) bool {
	if strings.ContainsAny(s, "\n{") {
		return false
	}
	return strings.Contains(strings.ToLower(s), "pu:")
}

// bytesOf reads a size such as 32K, 1.5M, "128 MiB" or 1073741824.
func bytesOf(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	i := len(s) - len(strings.TrimLeft(s, "0123456789."))
	v, err := strconv.ParseFloat(s[:i], 64)
	if err != nil || v < 0 || v > 1<<50 {
		return 0, false
	}
	switch strings.ToUpper(strings.TrimSpace(s[i:])) {
	case "", "B":
	case "K", "KB", "KIB":
		v *= 1 << 10
	case "M", "MB", "MIB":
		v *= 1 << 20
	case "G", "GB", "GIB":
		v *= 1 << 30
	default:
		return 0, false
	}
	return int64(v), v < 1<<50
}

// number reads an index, -1 when there is none.
func number(s string) int {
	if n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31); err == nil {
		return int(n)
	}
	return -1
}

// cpuList reads "0-5,48-53".
func cpuList(s string) (out machine.Set, ok bool) {
	for _, part := range strings.Split(strings.TrimSpace(s), ",") {
		a, b, span := strings.Cut(part, "-")
		lo := number(a)
		hi := lo
		if span {
			hi = number(b)
		}
		if lo < 0 || hi < lo || hi >= machine.MaxCPUs {
			return out, false
		}
		for n := lo; n <= hi; n++ {
			out.Add(n)
		}
	}
	return out, true
}

// listed writes CPU numbers for a message, the first few of many.
func listed(cpus []int) string {
	s := ""
	for i, n := range cpus {
		if i == 8 {
			return s + " and " + strconv.Itoa(len(cpus)-i) + " more"
		}
		if i > 0 {
			s += ", "
		}
		s += strconv.Itoa(n)
	}
	return s
}

// shorten quotes what was found, for an error.
func shorten(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "..."
	}
	return strconv.Quote(s)
}
