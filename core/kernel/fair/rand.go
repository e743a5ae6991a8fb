package fair

// Rand is a small seeded generator (PCG XSH RR 64/32, O'Neill 2014), one for
// each purpose so that a new consumer does not shift the draws of others.
type Rand struct{ state, inc uint64 }

// NewRand makes the generator of one purpose (stream) of a seed.
func NewRand(seed, stream uint64) Rand {
	r := Rand{inc: stream<<1 | 1}
	r.Uint32()
	r.state += seed*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	r.Uint32()
	return r
}

// Uint32 draws 32 random bits.
func (r *Rand) Uint32() uint32 {
	old := r.state
	r.state = old*6364136223846793005 + r.inc
	x := uint32((old>>18 ^ old) >> 27)
	rot := uint32(old >> 59)
	return x>>rot | x<<(-rot&31)
}

// Below draws from 0..n-1; n must be positive and below 2^63.
func (r *Rand) Below(n uint64) uint64 {
	x := uint64(r.Uint32())<<32 | uint64(r.Uint32())
	return x % n
}
