package result

// digest is a 64-bit FNV-1a hash over integers and length-prefixed strings.
// It tells two runs apart; it is no protection against forgery.
type digest uint64

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func (d *digest) byte(b byte) { *d = (*d ^ digest(b)) * fnvPrime }

func (d *digest) int(v int64) {
	for i := 0; i < 64; i += 8 {
		d.byte(byte(uint64(v) >> i))
	}
}

func (d *digest) str(s string) {
	d.int(int64(len(s)))
	for i := range len(s) {
		d.byte(s[i])
	}
}

func (d *digest) bool(b bool) {
	if b {
		d.int(1)
	} else {
		d.int(0)
	}
}

// hex is the hash as 16 lower-case hexadecimal digits.
func (d digest) hex() string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for i := range b {
		b[i] = digits[uint64(d)>>(60-4*i)&15]
	}
	return string(b[:])
}

// DigestRun hashes all that a run produced, its seed and its label. Only
// integers and strings enter, in a fixed order, so that equal runs have equal
// digests on every platform. Metric.Value, a quotient, is left out.
func DigestRun(r *Run) string {
	d := digest(fnvOffset)
	d.int(int64(r.Arm))
	d.str(r.Label)
	d.int(int64(r.Seed))
	d.bool(r.Done)
	d.int(r.SimNs)
	d.int(r.Events)
	d.int(int64(len(r.Metrics)))
	for i := range r.Metrics {
		m := &r.Metrics[i]
		d.str(m.Name)
		d.int(m.Raw)
		d.int(m.Scale)
	}
	d.int(int64(len(r.Series)))
	for i := range r.Series {
		s := &r.Series[i]
		d.str(s.Kind)
		d.int(int64(s.Index))
		d.int(int64(s.Sub))
		d.str(s.Unit)
		d.int(int64(s.Scale))
		d.int(int64(s.Cap))
		d.int(int64(len(s.V)))
		for _, v := range s.V {
			d.int(int64(v))
		}
	}
	d.int(r.SampleNs)
	d.processes(r.Processes)
	d.decisions(r.Decisions)
	d.int(int64(len(r.Log)))
	for i := range r.Log {
		e := &r.Log[i]
		d.int(e.AtNs)
		d.str(e.Rule)
		d.int(int64(e.Process))
		d.str(e.Text)
	}
	d.int(int64(len(r.Warnings)))
	for _, w := range r.Warnings {
		d.str(w)
	}
	return d.hex()
}

func (d *digest) processes(ps []Process) {
	d.int(int64(len(ps)))
	for i := range ps {
		p := &ps[i]
		d.str(p.Name)
		d.int(int64(p.Threads))
		d.int(int64(len(p.Preferred)))
		for _, c := range p.Preferred {
			d.int(c[0])
			d.int(c[1])
		}
		for _, v := range [...]int64{
			p.RSSBytes, p.FootprintPagesMax, p.NumaSweeps, p.PagesMigrated, p.HintFaults,
			p.ScanRuns, p.Scans, p.NrRunningAvg, p.NrRunningAvgMax,
		} {
			d.int(v)
		}
	}
}

func (d *digest) decisions(ds []Decision) {
	d.int(int64(len(ds)))
	for i := range ds {
		c := &ds[i]
		d.str(c.Rule)
		for _, v := range [...]int64{
			int64(c.Process), c.Evaluated, c.Fired, c.FirstNs, c.LastNs, c.AtNs, c.Value, c.Limit,
		} {
			d.int(v)
		}
		d.str(c.Unit)
		d.str(c.Text)
	}
}

// digestRuns hashes the digests of all runs in their order.
func digestRuns(runs []*Run) string {
	d := digest(fnvOffset)
	d.int(int64(len(runs)))
	for _, r := range runs {
		d.str(r.Digest)
	}
	return d.hex()
}
