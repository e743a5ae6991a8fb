package rtapp

import (
	"errors"
	"strconv"
	"strings"
)

// Op says what a step does.
type Op uint8

const (
	Run       Op = iota // N us of CPU time
	Sleep               // N us
	Timer               // until the next multiple of N us since the task began
	Lock                // mutex Ref
	Unlock              // mutex Ref
	Wait                // for a signal of Ref
	Signal              // wakes one task that waits for Ref
	Broadcast           // wakes all of them
	Barrier             // meets all tasks that name Ref
	Loop                // back to step Back, N times in all, < 0 for ever
)

// Step is one event of a task.
type Step struct {
	Op   Op
	N    int64
	Back int
	Ref  string
}

// Task is one task with its instances.
type Task struct {
	Name      string
	Instances int
	// CPUs are those it may run on; none means all.
	CPUs  []int
	Steps []Step
}

// File is a workload.
type File struct {
	Tasks []Task
	// DurationS is global.duration in s, 0 when the file has none.
	DurationS int64
	// Warnings say what cannot be simulated and was left out or changed.
	Warnings []string
	// Text is the packed file, one printable line.
	Text string
}

// Limits of a file.
const (
	maxInstances = 1024
	maxUs        = 600e6
)

// Parse reads a file. Errors say where it is wrong and what is needed.
func Parse(text string) (*File, error) {
	if len(text) > MaxBytes {
		return nil, errors.New("rt-app file: " + strconv.Itoa(len(text)) + " bytes are more than the " + strconv.Itoa(MaxBytes) + " that are read")
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, errors.New("rt-app file: must be an object with \"tasks\"")
	}
	tasks := root.get("tasks")
	if tasks == nil || tasks.kind != '{' || len(tasks.keys) == 0 {
		return nil, errors.New("rt-app file: has no \"tasks\"; if it is one part of several, merge them first")
	}
	f := &File{}
	global := root.get("global")
	if d := global.get("duration"); d != nil {
		if s, err := strconv.ParseInt(d.text, 10, 32); err == nil && s > 0 {
			f.DurationS = s
		}
	}
	if p := global.get("default_policy"); p != nil && p.text != "SCHED_OTHER" {
		f.warn("default_policy " + p.text + " is simulated as SCHED_OTHER")
	}
	for i, name := range tasks.keys {
		b := builder{file: f, at: "tasks." + name}
		t, err := b.task(name, tasks.items[i])
		if err != nil {
			return nil, err
		}
		if t.Instances > 0 {
			f.Tasks = append(f.Tasks, t)
		}
	}
	if len(f.Tasks) == 0 {
		return nil, errors.New("rt-app file: every task has \"instance\": 0; set it to 1 for those that run from the start")
	}
	f.Text = string((&node{kind: '{', keys: []string{"tasks"}, items: []*node{tasks}}).pack(nil))
	if len(f.Text) > MaxPacked {
		return nil, errors.New("rt-app file: its tasks take " + strconv.Itoa(len(f.Text)) + " bytes without blanks, more than " + strconv.Itoa(MaxPacked))
	}
	return f, nil
}

// warn notes something once.
func (f *File) warn(s string) {
	for _, w := range f.Warnings {
		if w == s {
			return
		}
	}
	if len(f.Warnings) < 100 {
		f.Warnings = append(f.Warnings, s)
	}
}

// builder makes the steps of one task.
type builder struct {
	file *File
	at   string
	name string
	t    Task
	old  [2]int64 // exec and period of the grammar before 1.0
}

func (b *builder) fail(n *node, key, problem string) error {
	return errors.New("rt-app file, line " + strconv.Itoa(n.line) + ": " + b.at + "." + key + " " + problem)
}

// left warns about a key that cannot be simulated.
func (b *builder) left(key, what string) {
	b.file.warn(b.at + ": " + key + " " + what)
}

func (b *builder) integer(n *node, key string, lo, hi int64) (int64, error) {
	v, err := strconv.ParseInt(n.text, 10, 64)
	if n.kind != '0' || err != nil || v < lo || v > hi {
		return 0, b.fail(n, key, "must be a whole number from "+strconv.FormatInt(lo, 10)+" to "+strconv.FormatInt(hi, 10))
	}
	return v, nil
}

func (b *builder) task(name string, n *node) (Task, error) {
	b.t, b.name = Task{Name: name, Instances: 1}, name
	if n.kind != '{' {
		return b.t, b.fail(n, "", "must be an object")
	}
	if d := n.get("delay"); d != nil {
		us, err := b.integer(d, "delay", 0, maxUs)
		if err != nil {
			return b.t, err
		}
		b.add(Step{Op: Sleep, N: us})
	}
	err := b.body(n, true)
	return b.t, err
}

func (b *builder) add(s Step) {
	if s.N != 0 || s.Op > Timer {
		b.t.Steps = append(b.t.Steps, s)
	}
}

// body reads a task or a phase: its properties, then its events in order, all
// inside its loop.
func (b *builder) body(n *node, task bool) error {
	start, count := len(b.t.Steps), int64(1)
	if task {
		count = -1
	}
	for i, key := range n.keys {
		v := n.items[i]
		var err error
		switch {
		case key == "loop":
			count, err = b.integer(v, key, -1, 1e9)
		case key == "instance" && task:
			var c int64
			c, err = b.integer(v, key, 0, maxInstances)
			b.t.Instances = int(c)
		case key == "phases" && task:
			err = b.phases(v)
		case key == "cpus" && task:
			err = b.cpus(v)
		case key == "delay" && task:
		default:
			err = b.event(key, v)
		}
		if err != nil {
			return err
		}
	}
	if exec, period := b.old[0], b.old[1]; exec > 0 {
		b.add(Step{Op: Run, N: exec})
		b.add(Step{Op: Timer, N: period})
		b.old = [2]int64{}
	}
	if count == 0 {
		b.t.Steps = b.t.Steps[:start]
		return nil
	}
	if count == 1 {
		return nil
	}
	for _, s := range b.t.Steps[start:] {
		if s.Op <= Timer {
			b.add(Step{Op: Loop, N: count, Back: start})
			return nil
		}
	}
	b.left("loop", "has no run, sleep or timer: each pass is given 1 us of CPU time")
	b.add(Step{Op: Run, N: 1})
	b.add(Step{Op: Loop, N: count, Back: start})
	return nil
}

func (b *builder) phases(n *node) error {
	if n.kind != '{' {
		return b.fail(n, "phases", "must be an object of phases")
	}
	outer := b.at
	for i, name := range n.keys {
		b.at = outer + "." + name
		if n.items[i].kind != '{' {
			return b.fail(n.items[i], "", "must be an object of events")
		}
		if err := b.body(n.items[i], false); err != nil {
			return err
		}
	}
	b.at = outer
	return nil
}

func (b *builder) cpus(n *node) error {
	if n.kind != '[' || len(n.items) == 0 {
		return b.fail(n, "cpus", "must be a list of CPU numbers")
	}
	for _, v := range n.items {
		c, err := b.integer(v, "cpus", 0, 1023)
		if err != nil {
			return err
		}
		b.t.CPUs = append(b.t.CPUs, int(c))
	}
	return nil
}

// text is the name that an event refers to: a text or the member ref.
func (b *builder) text(n *node, key, member, def string) (string, error) {
	if n.kind == '{' {
		n = n.get(member)
	}
	switch {
	case n == nil || n.kind == 0:
		if def != "" {
			return def, nil
		}
	case n.kind == '"' && n.text != "":
		return n.text, nil
	}
	if n == nil {
		n = &node{}
	}
	return "", b.fail(n, key, "must name a resource, as a text or as \""+member+"\"")
}

// events of rt-app by prefix: "run1" is a second run.
var events = [...]string{"runtime", "run", "sleep", "timer", "unlock", "lock", "wait", "signal", "broad", "sync", "sig_and_wait", "suspend", "resume", "barrier"}

// event adds the steps of one event.
func (b *builder) event(key string, n *node) error {
	kind := ""
	for _, e := range events {
		if strings.HasPrefix(key, e) && strings.Trim(key[len(e):], "0123456789_") == "" {
			kind = e
			break
		}
	}
	switch kind {
	case "runtime", "run", "sleep":
		us, err := b.integer(n, key, 0, maxUs)
		op := Run
		if kind == "sleep" {
			op = Sleep
		}
		if kind == "runtime" {
			b.left(key, "is wall-clock time there and CPU time here")
		}
		b.add(Step{Op: op, N: us})
		return err
	case "timer":
		p := n.get("period")
		if p == nil {
			return b.fail(n, key, "must have a period in us")
		}
		us, err := b.integer(p, key+".period", 1, maxUs)
		b.add(Step{Op: Timer, N: us})
		return err
	case "lock", "unlock", "signal", "broad", "resume", "barrier":
		ref, err := b.text(n, key, "ref", "")
		b.add(Step{Op: map[string]Op{"lock": Lock, "unlock": Unlock, "signal": Signal, "broad": Broadcast, "resume": Broadcast, "barrier": Barrier}[kind], Ref: ref})
		return err
	case "suspend":
		ref, err := b.text(n, key, "ref", b.name)
		b.add(Step{Op: Wait, Ref: ref})
		return err
	case "wait", "sync", "sig_and_wait":
		ref, err := b.text(n, key, "ref", "")
		if err != nil {
			return err
		}
		mutex, err := b.text(n, key, "mutex", "")
		if err != nil {
			return err
		}
		if kind != "wait" {
			b.add(Step{Op: Broadcast, Ref: ref})
		}
		b.add(Step{Op: Unlock, Ref: mutex})
		b.add(Step{Op: Wait, Ref: ref})
		b.add(Step{Op: Lock, Ref: mutex})
		return nil
	}
	return b.property(key, n)
}

// property reads what is no event that can be simulated.
func (b *builder) property(key string, n *node) (err error) {
	switch {
	case key == "exec":
		b.old[0], err = b.integer(n, key, 1, maxUs)
	case key == "period":
		b.old[1], err = b.integer(n, key, 0, maxUs)
	case key == "deadline":
	case key == "priority":
		b.left(key, "is left out: all tasks have nice 0")
	case key == "policy":
		if n.text != "SCHED_OTHER" {
			b.left(key+" "+n.text, "is simulated as SCHED_OTHER")
		}
	case key == "cpus":
		b.left(key, "of a phase is left out: write it at the task to bind the task for its whole life")
	case strings.HasPrefix(key, "fork"):
		b.left(key+" "+n.text, "is left out: give that task \"instance\" to have it from the start")
	case strings.HasPrefix(key, "yield"), strings.HasPrefix(key, "mem"), strings.HasPrefix(key, "iorun"):
		b.left(key, "is left out: write a run of the CPU time that it takes")
	case key == "lock_order" || key == "resources":
		b.left(key, "of the old grammar is left out: write lock, run and unlock events")
	case key == "taskgroup", key == "nodes_membind", key == "numa_nodes_membind", strings.HasPrefix(key, "util_"), strings.HasPrefix(key, "dl-"), key == "delay", key == "instance":
		b.left(key, "is left out: it is not simulated")
	default:
		return b.fail(n, key, "is not an event or property of rt-app; events are run, sleep, timer, lock, unlock, wait, signal, broad, sync, suspend, resume, barrier")
	}
	return err
}
