package passes

// Register adds a row to the registry. It is for tests of what runs passes,
// whose rows fail in ways that no pass should; call it before anything runs.
func Register(p *Pass) {
	registry = append(registry, p)
	byName[p.Name] = p
}
