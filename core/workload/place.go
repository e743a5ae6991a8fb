package workload

import (
	"errors"
	"strconv"
	"strings"

	"casplay/core/machine"
)

// Place is a parsed "place" key.
type Place struct {
	Kind PlaceKind
	N    int // LLC, node or K
}

// PlaceKind says where threads are bound at first.
type PlaceKind uint8

const (
	PlaceFork       PlaceKind = iota // not bound
	PlacePacked                      // all on LLC 0
	PlaceRoundRobin                  // thread i on LLC i mod n
	PlaceLLC                         // all on LLC N
	PlaceNode                        // all on node N
	PlaceSplit                       // the first N on LLC 0, the rest on LLC 1
)

// ParsePlace reads the value of a "place" key.
func ParsePlace(s string) (Place, error) {
	switch s {
	case "fork", "":
		return Place{Kind: PlaceFork}, nil
	case "packed":
		return Place{Kind: PlacePacked}, nil
	case "round-robin":
		return Place{Kind: PlaceRoundRobin}, nil
	}
	name, number, _ := strings.Cut(s, ":")
	kind := PlaceFork
	switch name {
	case "llc":
		kind = PlaceLLC
	case "node":
		kind = PlaceNode
	case "split":
		kind = PlaceSplit
	}
	n, err := strconv.ParseUint(number, 10, 16)
	if kind == PlaceFork || err != nil || n > MaxThreads {
		return Place{}, errors.New("must be fork, packed, round-robin, llc:N, node:N or split:K")
	}
	return Place{Kind: kind, N: int(n)}, nil
}

// check reports whether the machine has what the place names.
func (p Place) check(m *machine.Machine) error {
	switch {
	case p.Kind == PlaceLLC && p.N >= len(m.LLCs):
		return errors.New("the machine has no LLC " + strconv.Itoa(p.N) + ", only 0 to " + strconv.Itoa(len(m.LLCs)-1))
	case p.Kind == PlaceNode && p.N >= len(m.Nodes):
		return errors.New("the machine has no node " + strconv.Itoa(p.N) + ", only 0 to " + strconv.Itoa(len(m.Nodes)-1))
	case p.Kind == PlaceSplit && len(m.LLCs) < 2:
		return errors.New("split needs a machine with two LLCs")
	}
	return nil
}

// cpus is where thread i is bound; empty means anywhere.
func (p Place) cpus(m *machine.Machine, i int) machine.Set {
	switch p.Kind {
	case PlacePacked:
		return m.LLCs[0].CPUs
	case PlaceRoundRobin:
		return m.LLCs[i%len(m.LLCs)].CPUs
	case PlaceLLC:
		return m.LLCs[p.N].CPUs
	case PlaceNode:
		return m.Nodes[p.N].CPUs
	case PlaceSplit:
		if i < p.N {
			return m.LLCs[0].CPUs
		}
		return m.LLCs[1].CPUs
	}
	return machine.Set{}
}
