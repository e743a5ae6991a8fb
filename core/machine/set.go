package machine

import "math/bits"

// MaxCPUs is the largest number of logical CPUs a machine may have.
const MaxCPUs = 1024

// Set is a set of CPU numbers below MaxCPUs. The zero value is empty; sets
// are values and compare with ==.
type Set [MaxCPUs / 64]uint64

// Add puts cpu into the set.
func (s *Set) Add(cpu int) { s[cpu>>6] |= 1 << (cpu & 63) }

// Remove takes cpu out of the set.
func (s *Set) Remove(cpu int) { s[cpu>>6] &^= 1 << (cpu & 63) }

// Has reports whether cpu is in the set.
func (s *Set) Has(cpu int) bool { return s[cpu>>6]>>(cpu&63)&1 != 0 }

// Len is the number of CPUs in the set.
func (s *Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether no CPU is in the set.
func (s *Set) Empty() bool { return s.Next(0) < 0 }

// Next returns the smallest member >= cpu, or -1.
func (s *Set) Next(cpu int) int {
	if cpu >= MaxCPUs {
		return -1
	}
	i := cpu >> 6
	w := s[i] >> (cpu & 63) << (cpu & 63)
	for {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
		i++
		if i == len(s) {
			return -1
		}
		w = s[i]
	}
}

// NextWrap returns the smallest member >= cpu, else the smallest of all, or
// -1 when the set is empty.
func (s *Set) NextWrap(cpu int) int {
	if c := s.Next(cpu); c >= 0 {
		return c
	}
	return s.Next(0)
}

// First returns the smallest member, or -1.
func (s *Set) First() int { return s.Next(0) }

// Or adds all members of o.
func (s *Set) Or(o *Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// And keeps only members of o.
func (s *Set) And(o *Set) {
	for i := range s {
		s[i] &= o[i]
	}
}

// AndNot removes all members of o.
func (s *Set) AndNot(o *Set) {
	for i := range s {
		s[i] &^= o[i]
	}
}

// SubsetOf reports whether every member is in o.
func (s *Set) SubsetOf(o *Set) bool {
	for i := range s {
		if s[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

// Intersects reports whether the sets share a member.
func (s *Set) Intersects(o *Set) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// Members returns the CPUs in ascending order.
func (s *Set) Members() []int {
	var m []int
	for c := s.First(); c >= 0; c = s.Next(c + 1) {
		m = append(m, c)
	}
	return m
}
