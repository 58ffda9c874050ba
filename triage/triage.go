// Package triage says what kind of prompt a text is before anything is
// searched: written by the host (Machine), without a word (Empty), a typed
// command or a line of a shell (Command), a greeting or
// farewell (Greeting), an answer, thanks or go-ahead (Ack), or work (Search).
//
// A wrong Search costs one lookup; a wrong skip loses a skill that was wanted.
// So every kind but Search needs proof: a prompt is a greeting or an answer
// only when each of its words is in a closed list of words without content,
// and a line of a shell only when it begins with a command, holds something that
// no sentence does, and no word that shows a sentence. What no list knows is work.
//
// The package also prepares the text that is searched (pasted blocks and
// polite openings cut off, composite requests split into steps), finds the
// skills a prompt asks for by name, and tells asking from mentioning.
//
// All functions are pure, keep no state, run in time linear in the text, and
// take any bytes. Words of all languages are looked up in the lists of package
// synonyms/lang/vocab, where a process that calls nothing pays nothing. Offsets and
// lengths are bytes.
package triage

import "strings"

// Kind is what a prompt is.
type Kind string

const (
	Search   Kind = "search"   // may need a skill
	Greeting Kind = "greeting" // hello or goodbye and nothing else
	Ack      Kind = "ack"      // an answer, thanks, praise, go-ahead or stop and nothing else
	Command  Kind = "command"  // /command, !shell, #memory, a shell line
	Machine  Kind = "machine"  // written by the host, not by a person
	Empty    Kind = "empty"    // no letter and no digit
)

// Prompt is a classified prompt.
type Prompt struct {
	Kind Kind

	// Text is what to search: valid UTF-8 in NFC without NUL or other control
	// characters but tab and newline, trimmed, without pasted blocks, and, for
	// Search, without the names of @files and the greeting, answer or thanks that
	// punctuation sets apart from the work. For kinds other than Search it is the
	// whole cleaned prompt.
	Text string

	Lang  string   // language of Text: a code of lang.All, "mixed" or "other"
	Steps []string // parts of Text that ask for one thing each, 2 to 6; nil when Text asks for one thing

	Pasted  bool   // pasted blocks were taken out of Text
	Head    bool   // Text holds the head of a pasted block, because little else was there
	Command string // of a typed /command, its name without the slash
}

// Classify reads one prompt as the host hands it over.
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
		// "look at this:" or "thanks" around a paste: the paste is what it is about.
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
