package importer

import (
	"errors"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// readSysfs reads lines "path:value" of files below /sys/devices/system, as
// "grep -r . /sys/devices/system/cpu/cpu*/{topology,cache} /sys/devices/system/node/node*" prints them.
func (t *topology) readSysfs(text string) error {
	t.tool = "a listing of /sys"
	var table [machine.MaxCPUs]*cpu
	var present machine.Set
	type cache struct {
		level  int
		data   bool
		bytes  int64
		shared machine.Set
	}
	caches := map[[2]int]*cache{}
	var order [][2]int
	for i, line := range strings.Split(text, "\n") {
		path, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		parts := strings.Split(strings.TrimPrefix(path, "/sys/devices/system/"), "/")
		if len(parts) < 3 {
			continue
		}
		bad := func(want string) error {
			return errors.New("line " + strconv.Itoa(i+1) + ": " + shorten(path) + " must be " + want + ", got " + shorten(value))
		}
		if n := number(strings.TrimPrefix(parts[1], "node")); parts[0] == "node" && n >= 0 {
			if parts[2] == "cpumap" || parts[2] == "cpulist" {
				set, ok := setOf(value, parts[2] == "cpulist")
				if !ok {
					return bad("a set of CPUs below " + strconv.Itoa(machine.MaxCPUs))
				}
				for c := set.First(); c >= 0; c = set.Next(c + 1) {
					at(&table, c).node = n
				}
			}
			continue
		}
		n := number(strings.TrimPrefix(parts[1], "cpu"))
		if parts[0] != "cpu" || n < 0 || len(parts) < 4 {
			continue
		}
		if n >= machine.MaxCPUs {
			return errors.New("line " + strconv.Itoa(i+1) + ": CPU " + strconv.Itoa(n) + " is one more than the " + strconv.Itoa(machine.MaxCPUs) + " that can be simulated")
		}
		present.Add(n)
		c := at(&table, n)
		switch parts[3] {
		case "physical_package_id":
			c.pkg = max(number(value), 0)
		case "thread_siblings", "thread_siblings_list", "core_cpus", "core_cpus_list":
			set, ok := setOf(value, strings.HasSuffix(parts[3], "list"))
			if !ok {
				return bad("a set of CPUs")
			}
			c.core = set.First()
		}
		if parts[2] != "cache" || len(parts) < 5 {
			continue
		}
		key := [2]int{n, number(strings.TrimPrefix(parts[3], "index"))}
		k := caches[key]
		if k == nil {
			k = &cache{data: true}
			caches[key] = k
			order = append(order, key)
		}
		switch parts[4] {
		case "level":
			k.level = number(value)
		case "type":
			k.data = value != "Instruction"
		case "size":
			k.bytes, _ = bytesOf(value)
		case "shared_cpu_map", "shared_cpu_list":
			if k.shared, ok = setOf(value, parts[4] == "shared_cpu_list"); !ok {
				return bad("a set of CPUs")
			}
		}
	}
	for _, key := range order {
		switch k, c := caches[key], table[key[0]]; {
		case !k.data:
		case k.level == 1 && c.core < 0: // siblings share it
			c.core = k.shared.First()
		case k.level == 2:
			c.l2, c.l2Bytes = k.shared.First(), k.bytes
		case k.level == 3:
			c.l3, c.l3Bytes = k.shared.First(), k.bytes
		}
	}
	if !strings.Contains(text, "physical_package_id:") {
		t.warn("The listing has no topology/physical_package_id: one package is simulated.")
	}
	for n, c := range table {
		switch {
		case c == nil:
		case !present.Has(n):
			t.offline = append(t.offline, n)
		default:
			if err := t.add(*c); err != nil {
				return err
			}
		}
	}
	return nil
}

// at is the entry of a CPU.
func at(table *[machine.MaxCPUs]*cpu, n int) *cpu {
	if table[n] == nil {
		table[n] = &cpu{n: n, node: -1, core: -1, l2: -1, l3: -1}
	}
	return table[n]
}

// setOf reads a list or a map of CPUs.
func setOf(s string, list bool) (machine.Set, bool) {
	if list {
		return cpuList(s)
	}
	return cpuMask(s)
}

// cpuMask reads words of 32 bits in hexadecimal, the last one first:
// "0000ffff,ffffffff", also "0xf...f" of hwloc for all. Empty words are 0.
func cpuMask(s string) (out machine.Set, ok bool) {
	words := strings.Split(strings.TrimSpace(s), ",")
	for i, w := range words {
		w = strings.TrimPrefix(w, "0x")
		if w == "" {
			continue
		}
		if w == "f...f" {
			for n := (len(words) - 1 - i) * 32; n < machine.MaxCPUs; n++ {
				out.Add(n)
			}
			continue
		}
		v, err := strconv.ParseUint(w, 16, 32)
		if err != nil {
			return out, false
		}
		for b := range 32 {
			if v>>b&1 != 0 {
				n := (len(words)-1-i)*32 + b
				if n >= machine.MaxCPUs {
					return out, false
				}
				out.Add(n)
			}
		}
	}
	return out, true
}
