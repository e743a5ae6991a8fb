package scenario

import (
	"strconv"

	"casplay/core/json"
)

// Both formats keep their old versions readable: a chain of steps, each from
// one version to the next, brings what was read to the present one. A published
// version never loses its step.

// linkFields is a link as it stands: preset or compressed scenario, settings.
type linkFields struct {
	name     string
	settings []Setting
}

// linkUpgrades[i] turns a link of version i+1 into one of version i+2;
// scenarioUpgrades does so for scenarios in JSON.
var (
	linkUpgrades     = []func(linkFields) linkFields{}
	scenarioUpgrades = []func(*json.Node) *json.Node{}
)

// upgrade applies the steps from a version on.
func upgrade[T any](steps []func(T) T, version int, v T) T {
	for _, step := range steps[version-1:] {
		v = step(v)
	}
	return v
}

// upgraded checks the version of a scenario and brings it to the present one.
func (r *reader) upgraded(n *json.Node) *json.Node {
	if n.Kind != json.Object {
		return n
	}
	v := n.Get("v")
	number := 0
	if v != nil && v.Kind == json.Num {
		number, _ = strconv.Atoi(v.Text)
	}
	switch {
	case number > Version:
		r.add("v", v, "is a newer version of the format than this engine reads (up to "+strconv.Itoa(Version)+"); open it with a newer engine")
	case number < 1:
		r.add("v", v, "must be "+strconv.Itoa(Version)+", the version of the format")
	default:
		return upgrade(scenarioUpgrades, number, n)
	}
	return n
}
