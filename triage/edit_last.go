package triage

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// editVerbLast reports a small edit in a language that puts the verb last: a place, small things, names and values,
// and at the end the verb.
func editVerbLast(words []editWord) bool {
	verb := editVerbOf(words[len(words)-1].tail)
	if verb == vocab.NoEdit || words[len(words)-1].ascii != "" {
		return false
	}
	var s lastSense
	for i, w := range words[:len(words)-1] {
		if w.comma && i > 1 {
			return false
		}
		if w.thing == plainWord && w.ascii != "" && w.tail == "" && vocab.FolderBegin.Begins(words[i+1].tail) &&
			words[i+1].ascii == "" {
			s.files++
			continue
		}
		if w.thing == plainWord && w.ascii != "" && w.tail == "" && i == len(words)-2 && i > 0 &&
			verb == vocab.Delete {
			s.names++
			continue
		}
		if !s.see(w) {
			return false
		}
	}
	return s.fits(verb)
}

// editVerbOf returns what kind of edit a verb form asks for.
func editVerbOf(form string) vocab.EditVerb {
	for ending := range vocab.EditEnding.All() {
		if stem, ok := strings.CutSuffix(form, ending); ok && stem != "" {
			if v := editVerb(stem); v != vocab.NoEdit {
				return v
			}
		}
	}
	return editVerb(form)
}

// lastSense is what the words before the verb of such an edit amount to.
type lastSense struct {
	files, documents, lines int
	object                  bool   // a file is the grammatical object
	extension               string // of the first file
	mixed                   bool   // there are files of different extensions
	named                   bool   // the name of something is edited
	things                  int    // small things that are edited: 오타, import, 포트
	names                   int    // identifiers, quoted strings, English words with a particle
	value                   bool   // something that ends in 로: the new value or place
	blank, folder           bool
	remark                  bool           // 주석
	action                  vocab.EditVerb // a noun of action: 삭제, 주석 처리
}

// see takes one word in; it returns false for a word that no small edit has.
func (s *lastSense) see(w editWord) bool {
	if w.ascii == "" {
		return s.seeWord(w.tail)
	}
	switch w.thing {
	case textFile, docFile:
		s.file(w)
	case figure:
		if vocab.LineUnit.Has(w.tail) {
			s.lines++
			return true
		}
		s.things++
	case identifier, quote:
		s.names++
	default:
		lower := strings.ToLower(w.ascii)
		switch {
		case vocab.LineNoun.Has(lower):
			s.lines++
			return w.tail == ""
		case editWordOf(lower)&vocab.Thing != 0:
			s.things++
		case w.tail == "":
			return false
		default:
			s.names++
		}
	}
	if w.tail == "" {
		return true
	}
	p := w.tail
	for noun := range vocab.PathNoun.All() {
		if rest, ok := strings.CutPrefix(p, noun); ok {
			is, _ := vocab.PathNoun.Value(noun)
			s.folder, p = s.folder || vocab.EditWord(is)&vocab.Folder != 0, rest
			break
		}
	}
	s.value = s.value || vocab.ValueParticle.Has(p)
	return p == "" || vocab.NameParticle.Has(p)
}

func (s *lastSense) file(w editWord) {
	if w.thing == docFile {
		s.documents++
	}
	s.object = s.object || vocab.ObjectParticle.Has(w.tail)
	ext := w.ascii[strings.LastIndexByte(w.ascii, '.')+1:]
	if s.files == 0 {
		s.extension = ext
	}
	s.mixed = s.mixed || ext != s.extension
	s.files++
}

func (s *lastSense) seeWord(w string) bool {
	action := editWordOf(w)&vocab.Action != 0
	bare, _ := vocab.Only.CutSuffix(w)
	if v := editVerbOf(bare); v == vocab.Delete || v == vocab.Move ||
		action && (v == vocab.Change || v == vocab.Fix) {
		s.action = v
		return true
	}
	if is := editWordOf(w); is&(vocab.Filler|vocab.Folder) != 0 {
		s.blank = s.blank || is&vocab.Blank != 0
		s.folder = s.folder || is&vocab.Folder != 0
		s.value = s.value || is&vocab.Into != 0
		return true
	}
	stem := trimParticle(w)
	if vocab.LineUnit.Has(stem) || vocab.LineUnit.Has(w) {
		s.lines++
		return true
	}
	is := editWordOf(stem)
	if is&vocab.Thing == 0 {
		return false
	}
	s.things++
	s.value = s.value || w != stem && vocab.ValueParticle.Ends(w)
	s.named = s.named || vocab.NameNoun.Ends(stem)
	s.remark = s.remark || is&vocab.Remark != 0
	return true
}

// fits decides by the verb.
func (s *lastSense) fits(verb vocab.EditVerb) bool {
	if verb == vocab.Do {
		if verb = s.action; verb == vocab.NoEdit {
			return s.files+s.lines > 0 && s.documents == 0 && s.things > 0 // 주석 처리해줘
		}
	}
	if s.files == 0 && s.lines == 0 {
		return false
	}
	switch verb {
	case vocab.Open:
		return s.files > 0 && s.documents == 0 && s.names+s.things <= 1 && s.action == vocab.NoEdit
	case vocab.Fix:
		return s.documents == 0 && (s.things > 0 || s.value && s.names > 0)
	case vocab.Change:
		if s.files > 1 || s.named {
			return s.value && (s.named || !s.mixed && s.documents == 0)
		}
		return s.documents == 0 && s.value && s.things+s.names > 0 && !s.object
	case vocab.Delete:
		return true
	case vocab.Add:
		return s.documents == 0 && (s.things > 0 && (s.lines > 0 || !s.remark) || s.files > 1)
	case vocab.Move:
		return s.files > 0 && (s.value || s.folder)
	case vocab.Make:
		return s.documents == 0 && (s.blank || s.folder && s.names == 0) && s.things == 0
	}
	return false
}

// trimParticle takes one particle off a noun.
func trimParticle(w string) string {
	for p := range vocab.Particle.All() {
		if stem, ok := strings.CutSuffix(w, p); ok && stem != "" {
			return stem
		}
	}
	return w
}
