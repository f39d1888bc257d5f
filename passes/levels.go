package passes

// Levels calls do for each line of the default pipelines: the lowest -O that
// has the step, the step, and why it stands where it stands.
func Levels(do func(from int, step, reason string)) {
	for _, l := range levels {
		do(l.from, l.step, l.reason)
	}
}
