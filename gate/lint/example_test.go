package lint

import "fmt"

func crowd(n int, description string) (e Example) {
	for i := range n {
		word := "p" + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "x"
		e = e.and("report-"+word, fmt.Sprintf(description, word))
	}
	return e
}

func (e Example) and(name, description string) Example {
	return e.with(name+"/SKILL.md", page(name, description))
}

func (e Example) with(path, text string) Example {
	e.Files = append(e.Files[:len(e.Files):len(e.Files)], ExampleFile{Path: path, Text: text})
	return e
}

func page(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n\n1. Read the input.\n2. Write the result.\n"
}

func file(name, text string) Example {
	return Example{Files: []ExampleFile{{name + "/SKILL.md", text}}}
}

func front(name, description string) Example { return file(name, page(name, description)) }
