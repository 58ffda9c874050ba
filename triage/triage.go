// Package triage classifies a prompt before anything is searched: text that the host wrote (Machine), a prompt without
// a word (Empty), a typed command or a shell line (Command), a greeting or farewell (Greeting), an answer, thanks or
// go-ahead (Ack), or work (Search).
//
// A wrong Search costs one lookup; a wrong skip loses a skill. So every kind except Search needs proof: a prompt is a
// greeting or an answer only if each of its words is in a closed list of words without content, and a shell line only
// if it starts with a command, contains a word such as a flag or a path, and contains no prose.
//
// The package also prepares the text that is searched (without pasted blocks and polite openings, composite requests
// split into steps), finds the skills that a prompt asks for by name, and recognises questions about a thing.
//
// All functions are pure, take any bytes and run in time linear in the text. Word lists come from
// synonyms/lang/vocab. Offsets and lengths are in bytes.
package triage

import "strings"

// Kind is the kind of a prompt.
type Kind string

const (
	Search   Kind = "search"   // may need a skill
	Greeting Kind = "greeting" // hello or goodbye and nothing else
	Ack      Kind = "ack"      // an answer, thanks, praise, go-ahead or stop and nothing else
	Command  Kind = "command"  // /command, !shell, #memory or a shell line
	Machine  Kind = "machine"  // written by the host, not by a person
	Empty    Kind = "empty"    // no letter and no digit
)

// Prompt is a classified prompt.
type Prompt struct {
	Kind Kind

	// Text is the text to search, trimmed and without pasted blocks. It is valid UTF-8 in NFC without control
	// characters except tab and newline. If Kind is Search, the names of @files and any greeting, answer or thanks
	// that punctuation separates from the request are also removed.
	Text string

	Lang  string   // language of Text: a code of lang.All, "mixed" or "other"
	Steps []string // parts of Text that ask for one thing each, 2 to 6; nil if Text asks for one thing

	Pasted  bool   // pasted blocks were removed from Text
	Head    bool   // Text is the start of a pasted block, because the person wrote little else
	Command string // name of a typed /command, without the slash
}

// Classify classifies a prompt as received from the host.
func Classify(raw string) Prompt {
	text := strings.TrimSpace(clean(raw))
	if kind, ok := machine(text); ok {
		return Prompt{Kind: kind, Text: text, Lang: Lang(text)}
	}
	if text = dropContext(text); text == "" {
		return Prompt{Kind: Machine, Lang: Lang("")}
	}
	own, paste, pasted := splitPaste(text)
	p := classify(own)
	if p.Pasted = pasted; pasted && p.Kind != Command && (p.Kind != Search || pointsOnly(own)) {
		// If the typed text has no content, as in "look at this:" or "thanks", the paste is searched.
		if head := headOf(strings.TrimSpace(paste), pasteHead); wordy(head) {
			p = Prompt{Kind: Search, Text: head, Pasted: true, Head: true}
		}
	}
	p.Lang = Lang(p.Text)
	return p
}

func classify(text string) Prompt {
	if !wordy(text) {
		return Prompt{Kind: Empty, Text: text}
	}
	if name, ok := typedCommand(text); ok {
		return Prompt{Kind: Command, Text: text, Command: name}
	}
	kind, work := talk(text)
	if kind != Search {
		return Prompt{Kind: kind, Text: text}
	}
	if shellLines(text) {
		return Prompt{Kind: Command, Text: text}
	}
	work = withoutFiles(work)
	return Prompt{Kind: Search, Text: work, Steps: split(work)}
}
