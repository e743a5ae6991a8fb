package scenario

import (
	"testing"

	"casplay/core/json"

	"github.com/stretchr/testify/assert"
)

// TestEveryVersionHasItsUpgrade: a hole in a chain would strand old links.
func TestEveryVersionHasItsUpgrade(t *testing.T) {
	assert.Len(t, linkUpgrades, LinkVersion-1)
	assert.Len(t, scenarioUpgrades, Version-1)
	for i, step := range linkUpgrades {
		assert.NotNil(t, step, "links of version %d", i+1)
	}
	for i, step := range scenarioUpgrades {
		assert.NotNil(t, step, "scenarios of version %d", i+1)
	}
}

func TestUpgradeRunsTheStepsFromAVersionOn(t *testing.T) {
	steps := []func(string) string{func(s string) string { return s + "2" }, func(s string) string { return s + "3" }}
	for version, want := range map[int]string{1: "x23", 2: "x3", 3: "x"} {
		assert.Equal(t, want, upgrade(steps, version, "x"))
	}
	n := &json.Node{}
	assert.Same(t, n, upgrade(scenarioUpgrades, Version, n))
}

// TestChecksum has the published check value of CRC-30/CDMA, 04C34ABF.
func TestChecksum(t *testing.T) {
	crc := uint32(0)
	for _, c := range checksum("123456789") {
		for d, digit := range checkDigits {
			if c == digit {
				crc = crc<<5 | uint32(d)
			}
		}
	}
	assert.EqualValues(t, 0x04C34ABF, crc)
}

func TestBase64(t *testing.T) {
	for _, text := range []string{"", "f", "fo", "foo", "foob", "\xff\xfe\xfd\xfc"} {
		back, ok := fromBase64(toBase64([]byte(text)))
		assert.True(t, ok)
		assert.Equal(t, text, string(back))
	}
	assert.Equal(t, "-_8", toBase64([]byte{0xfb, 0xff}))
	for _, bad := range []string{"A", "AB", "AAB", "A=", "A A", "AAAAA"} {
		_, ok := fromBase64(bad)
		assert.False(t, ok, bad)
	}
}
