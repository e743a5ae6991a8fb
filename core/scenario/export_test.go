package scenario

// Sealed adds the checksum to the text of a link.
func Sealed(text string) string { return text + checkMark + checksum(text) }
