package json

//go:generate go run ./gen

// Record is a type with members. It lists them once, for writing and for
// reading; core/json/gen makes the method from the struct tags.
type Record interface{ Members(c *Coder) }

// Coder writes the members of a value or reads them.
type Coder struct {
	// out and comma are for writing.
	out   []byte
	comma bool
	// in, key and found are for reading: the text, the member that is at its
	// start, and whether a field has taken it.
	in    *scanner
	key   string
	found bool
	err   error
}

// Field is a member; p points to its value.
func (c *Coder) Field(key string, p any) {
	switch {
	case c.err != nil:
	case c.in == nil:
		c.sep()
		c.out = append(AppendString(c.out, key), ':')
		c.write(p)
		c.comma = true
	case !c.found && c.key == key:
		c.err = c.read(p)
		c.found = true // also after members of its own
	}
}

// Omit is a member that is left out when its value is empty.
func (c *Coder) Omit(key string, p any) {
	if c.in != nil || !isEmpty(p) {
		c.Field(key, p)
	}
}

func (c *Coder) sep() {
	if c.comma {
		c.out = append(c.out, ',')
	}
	c.comma = false
}

// Items is a list of records as a value.
type Items struct {
	Len int
	// Nil makes it null.
	Nil bool
	// At is an item, to be written.
	At func(i int) Record
	// Make makes the list empty and Grow adds an item, to be read; without
	// Grow the list cannot be read.
	Make func()
	Grow func() Record
}
