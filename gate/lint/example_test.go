package lint

import "fmt"

// crowd is an example of n skills whose descriptions differ in one word.
func crowd(n int, description string) (e Example) {
	for i := range n {
		word := "p" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "x"
		e = e.and("report-"+word, fmt.Sprintf(description, word))
	}
	return e
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

// page is a SKILL.md with a name, a description and a short body.
func page(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n\n1. Read the input.\n2. Write the result.\n"
}

// file is an example of one SKILL.md in the folder name.
func file(name, text string) Example {
	return Example{Files: []ExampleFile{{name + "/SKILL.md", text}}}
}

// front is an example of one page.
func front(name, description string) Example { return file(name, page(name, description)) }
