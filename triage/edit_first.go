package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// editVerbFirst reports a small edit in a language that puts the verb before its object.
func editVerbFirst(words []editWord) bool {
	verb, at := vocab.NoEdit, -1
	for i, w := range words {
		lower := strings.ToLower(w.ascii)
		if v := editVerb(lower); w.thing == plainWord && v != vocab.NoEdit {
			verb, at = v, i
			break
		}
		if editWordOf(lower)&vocab.Before == 0 && w.thing < figure {
			return false
		}
	}
	if at < 0 {
		return false
	}
	var s firstSense
	for i, w := range words {
		if i == at {
			continue
		}
		s.see(w, i > at)
	}
	return s.fits(verb)
}

// firstSense is what the words around the verb of such an edit amount to.
type firstSense struct {
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

func (s *firstSense) see(w editWord, afterVerb bool) {
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
		is := editWordOf(lower)
		switch {
		case is&vocab.Into != 0:
			s.before, s.to, s.place = object, true, false
			return
		case is&vocab.Place != 0:
			s.place = true
			return
		case is&vocab.Line != 0:
			s.lines++
			return
		case is&vocab.Blank != 0:
			s.blank = true
			return
		case is&vocab.Folder != 0:
			s.folder = true
			return
		case is&(vocab.Before|vocab.Filler) != 0:
			return
		case is&vocab.Thing != 0:
			s.nouns++
			if is&vocab.Mark != 0 {
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
func (s *firstSense) fits(verb vocab.EditVerb) bool {
	place := s.files > 0 || s.lines > 0 && s.figures > 0
	if !place {
		return false
	}
	switch verb {
	case vocab.Open:
		return s.documents == 0 && s.nouns+s.names+s.unknown == 0
	case vocab.Move:
		return s.to && s.fromFile && s.unknown+s.names <= 1
	case vocab.Rename:
		return s.to && s.unknown <= 2 && (s.fromFile || s.before > 0)
	case vocab.Delete:
		return s.unknown == 0 && (s.documents == 0 || s.fromFile)
	case vocab.Fix:
		return s.documents == 0 && s.unknown == 0 && s.nouns > 0
	case vocab.Change:
		return s.documents == 0 && s.to && s.before > 0 && s.before <= 3 && s.after > 0 && s.after <= 2 && s.unknown <= 1 &&
			!s.fromFile
	case vocab.Add:
		return s.documents == 0 && s.unknown == 0 &&
			(s.lines > 0 && s.nouns > 0 || s.marks > 0 && s.marks == s.nouns || s.blank && s.lines > 0)
	case vocab.Make, vocab.Touch:
		return s.documents == 0 && s.unknown+s.names+s.nouns == 0 && (s.blank || s.folder || verb == vocab.Touch)
	case vocab.Restore:
		return s.unknown == 0
	}
	return false
}

// editVerb returns what a verb or the stem of one does.
func editVerb(w string) vocab.EditVerb {
	verb, _ := vocab.EditVerbs.Value(w)
	return vocab.EditVerb(verb)
}

// editWordOf returns what else a word is to an edit.
func editWordOf(w string) vocab.EditWord {
	is, _ := vocab.EditWords.Value(w)
	return vocab.EditWord(is)
}
