package triage

import "strings"

// editEn reports an English small edit.
func editEn(words []editWord) bool {
	verb, at := "", -1
	for i, w := range words {
		lower := strings.ToLower(w.ascii)
		if w.thing == plainWord && editVerb(lower) {
			verb, at = lower, i
			break
		}
		if !leadingWord(lower) && w.thing < figure {
			return false
		}
	}
	if at < 0 {
		return false
	}
	var s editSense
	for i, w := range words {
		if i == at {
			continue
		}
		s.see(w, i > at)
	}
	return s.fits(verb)
}

// editSense is what the words around the verb of an English edit amount to.
type editSense struct {
	files, documents, figures, lines int
	nouns                            int // small things that are edited: typo, import, port
	marks                            int // those of them that are a few characters: comma, newline
	names                            int // identifiers and quoted strings
	unknown                          int // words of no list
	to                               bool
	before                           int // nouns, names and unknown words before "to"
	after                            int // words after "to" but place
	blank                            bool
	folder                           bool
	fromFile                         bool // the first thing after the verb is a file
	place                            bool // the words since "in" or "on" name the place
}

func (s *editSense) see(w editWord, afterVerb bool) {
	lower := strings.ToLower(w.ascii)
	object := s.names + s.nouns + s.unknown + s.figures
	switch w.thing {
	case textFile, docFile:
		if w.thing == docFile {
			s.documents++
		}
		if afterVerb && s.files == 0 && object == 0 && !s.place {
			s.fromFile = true
		}
		s.files++
		return
	case figure:
		s.figures++
	case identifier, quote:
		s.names++
	default:
		switch {
		case lower == "to" || lower == "into" || lower == "as" || lower == "with":
			s.before, s.to, s.place = object, true, false
			return
		case lower == "in" || lower == "on" || lower == "at" || lower == "from" || lower == "of" || lower == "inside":
			s.place = true
			return
		case lower == "line" || lower == "lines":
			s.lines++
			return
		case lower == "empty" || lower == "blank":
			s.blank = true
			return
		case lower == "folder" || lower == "directory" || lower == "dir":
			s.folder = true
			return
		case leadingWord(lower) || editFiller(lower):
			return
		case editNoun(lower):
			s.nouns++
			if editMark(lower) {
				s.marks++
			}
		default:
			s.unknown++
		}
	}
	if s.to {
		s.after++
	}
}

// fits decides by the verb.
func (s *editSense) fits(verb string) bool {
	place := s.files > 0 || s.lines > 0 && s.figures > 0
	if !place {
		return false
	}
	switch verb {
	case "open", "show", "view", "cat", "print", "display", "goto", "jump", "go", "read", "see", "close", "save":
		return s.documents == 0 && s.nouns+s.names+s.unknown == 0
	case "move", "copy", "mv", "cp":
		return s.to && s.fromFile && s.unknown+s.names <= 1
	case "rename":
		return s.to && s.unknown <= 2 && (s.fromFile || s.before > 0)
	case "delete", "remove", "rm", "drop", "comment", "uncomment":
		return s.unknown == 0 && (s.documents == 0 || s.fromFile)
	case "fix", "correct":
		return s.documents == 0 && s.unknown == 0 && s.nouns > 0
	case "change", "set", "update", "bump", "increase", "decrease", "replace", "raise", "lower", "edit":
		return s.documents == 0 && s.to && s.before > 0 && s.before <= 3 && s.after > 0 && s.after <= 2 && s.unknown <= 1 && !s.fromFile
	case "add", "insert", "append", "put":
		return s.documents == 0 && s.unknown == 0 && (s.lines > 0 && s.nouns > 0 || s.marks > 0 && s.marks == s.nouns || s.blank && s.lines > 0)
	case "create", "make", "touch":
		return s.documents == 0 && s.unknown+s.names+s.nouns == 0 && (s.blank || s.folder || verb == "touch")
	case "revert", "restore", "discard", "undo", "indent", "unindent", "unstage", "stage":
		return s.unknown == 0
	}
	return false
}

func editVerb(w string) bool {
	switch w {
	case "open", "show", "view", "cat", "print", "display", "goto", "jump", "go", "read", "see", "close", "save", "move", "copy", "mv", "cp",
		"rename", "delete", "remove", "rm", "drop", "comment", "uncomment", "fix", "correct", "change", "set", "update", "bump", "increase",
		"decrease", "replace", "raise", "lower", "edit", "add", "insert", "append", "put", "create", "make", "touch", "revert", "restore", "discard",
		"undo", "indent", "unindent", "unstage", "stage":
		return true
	}
	return false
}

// leadingWord reports words that may stand before the verb.
func leadingWord(w string) bool {
	switch w {
	case "please", "pls", "plz", "just", "can", "could", "you", "now", "then", "also", "ok", "in", "on", "line", "lines", "at", "the", "and", "lets",
		"let's", "quickly", "only", "simply", "me", "hey":
		return true
	}
	return false
}

// editFiller reports words that say nothing about the edit.
func editFiller(w string) bool {
	switch w {
	case "a", "an", "this", "that", "there", "it", "its", "is", "be", "by", "before", "after", "above", "below", "between", "around", "near",
		"under", "every", "all", "one", "new", "old", "same", "up", "down", "out", "for", "first", "last", "second", "third", "top", "bottom", "end",
		"start", "beginning", "back", "over", "off", "file", "files", "again", "too", "here", "or", "my", "our", "called", "named", "root", "two",
		"three", "extra", "single":
		return true
	}
	return false
}

// editMark reports things of a few characters, which need no thought to add.
func editMark(w string) bool {
	switch w {
	case "newline", "newlines", "space", "spaces", "tab", "tabs", "semicolon", "semicolons", "comma", "commas", "bracket", "brackets", "brace",
		"braces", "paren", "parens", "parenthesis", "quote", "quotes", "period", "missing", "trailing", "leading", "export", "import":
		return true
	}
	return false
}

// editNoun reports the small things that direct edits are about.
func editNoun(w string) bool {
	switch w {
	case "typo", "typos", "spelling", "misspelling", "grammar-typo", "indent", "indentation", "whitespace", "space", "spaces", "tab", "tabs",
		"newline", "newlines", "semicolon", "semicolons", "comma", "commas", "bracket", "brackets", "brace", "braces", "paren", "parens",
		"parenthesis", "quote", "quotes", "import", "imports", "comment", "comments", "trailing", "leading", "unused", "missing", "duplicate",
		"duplicated", "wrong", "variable", "var", "const", "constant", "function", "method", "param", "parameter", "argument", "arg", "field", "key",
		"value", "values", "flag", "port", "host", "version", "timeout", "title", "name", "color", "colour", "width", "height", "size", "padding",
		"margin", "label", "text", "string", "word", "letter", "todo", "export", "log", "logs", "statement", "statements", "print", "debug", "level",
		"true", "false", "null", "none", "nil", "undefined", "link", "url", "heading", "date", "year", "number", "id", "prop", "class", "classname",
		"type", "default", "limit", "retries", "interval", "delay", "count", "max", "min", "path", "filename", "extension", "syntax", "char",
		"character", "period", "return", "async", "await":
		return true
	}
	return false
}
