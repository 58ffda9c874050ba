package lint

// crowd is an example of n skills.
func crowd(n int, description string) Example {
	return Example{Crowd: Crowd{n, description}}
}

// and returns an example with one more skill.
func (e Example) and(name, description string) Example {
	return e.with(name+"/SKILL.md", page(name, description))
}

// with returns an example with one more file.
func (e Example) with(path, text string) Example {
	e.Files = append(e.Files[:len(e.Files):len(e.Files)], ExampleFile{Path: path, Text: text})
	return e
}
