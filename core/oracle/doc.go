// Package oracle judges the simulator against what a real kernel did: it reads
// the recorded experiments of the harness (core/oracle/harness), turns each
// into a scenario and a set-up of the simulator, measures the same figures on
// both sides and gives a verdict for each experiment.
//
// The recordings come from an unmodified Linux 7.3.4 on emulated machines. The
// emulation has no caches, so only decisions are compared: where threads are
// created, how they migrate, when they have gathered, what the cache scan saw.
package oracle
