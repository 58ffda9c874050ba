package source

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/synonyms/internal/table"
	"github.com/skillgate/skillgate/synonyms/terms"
)

const mostHeads = 4

// Compile compiles a dictionary into a table for synonyms.Open. If a word is given twice, the first entry wins; Check
// reports it. Equal dictionaries give equal bytes.
func (d *Dictionary) Compile() []byte {
	b := &table.Builder{Korean: map[string][]uint32{}, Affix: affixes(), English: map[string][]uint32{}}
	nouns := map[string]uint32{} // ids of headwords that are nouns, by their letters
	add := func(id uint32, word string) {
		solid := strings.ReplaceAll(word, " ", "")
		spaced := uint32(0)
		if solid != word {
			spaced = table.SpacedForm
		}
		for _, s := range surfaces(solid) {
			if s.Kind == table.Noun || s.Kind == table.Short {
				if owner, taken := nouns[s.Letters]; taken && owner != id {
					continue
				}
				nouns[s.Letters] = id
			}
			item := id<<8 | spaced | s.Marks | uint32(s.Kind)
			if !slices.Contains(b.Korean[s.Letters], item) {
				b.Korean[s.Letters] = append(b.Korean[s.Letters], item)
			}
		}
	}
	ids := make([]uint32, len(d.Entries))
	asWritten := func(id uint32, word string) {
		if _, taken := b.English[word]; !taken {
			b.English[word] = []uint32{id<<2 | table.Written}
		}
	}
	for i, e := range d.Entries {
		flags := uint32(0)
		if e.Generic {
			flags |= table.Generic
		}
		if strings.Contains(e.Head, " ") {
			flags |= table.Spaced
		}
		if isVerb(e.Head) {
			flags |= table.Verb
		}
		var stems []string
		for _, s := range e.Senses {
			stems = append(stems, stemmed(s))
		}
		ids[i] = b.Head(e.Head, e.Senses, stems, flags)
		if e.Spaceless {
			asWritten(ids[i], e.Head)
		} else {
			add(ids[i], e.Head)
		}
	}
	for i, e := range d.Entries {
		for _, a := range e.Also {
			if e.Spaceless {
				asWritten(ids[i], a)
			} else {
				add(ids[i], a)
			}
		}
	}
	for _, f := range d.Function {
		add(b.Head(f.Word, nil, nil, table.Function), f.Word)
	}
	d.english(b, ids)
	return b.Bytes()
}

func (d *Dictionary) english(b *table.Builder, ids []uint32) {
	add := func(key string, item uint32) {
		if key != "" && !slices.Contains(b.English[key], item) {
			b.English[key] = append(b.English[key], item)
		}
	}
	for _, s := range d.Sets {
		for _, say := range s.Say {
			for _, m := range s.Means {
				add(terms.PhraseKey(say), b.Text(stemmed(m))<<2|table.Means)
			}
		}
		for _, one := range s.Same {
			for _, other := range s.Same {
				if terms.PhraseKey(one) != terms.PhraseKey(other) {
					add(terms.PhraseKey(one), b.Text(stemmed(other))<<2|table.Same)
				}
			}
		}
	}
	heads := map[string][]uint32{}
	put := func(key string, id uint32) {
		if len(heads[key]) < mostHeads && !slices.Contains(heads[key], id) {
			heads[key] = append(heads[key], id)
		}
	}
	for rank := range 3 { // headwords with the word as their first sense come first
		for _, generic := range []bool{false, true} {
			for i, e := range d.Entries {
				if rank < len(e.Senses) && e.Generic == generic && !e.Spaceless {
					put(terms.PhraseKey(e.Senses[rank]), ids[i])
				}
			}
		}
	}
	for _, s := range d.Sets { // English words whose synonyms have headwords
		for _, to := range slices.Concat(s.Means, s.Same) {
			for _, from := range slices.Concat(s.Say, s.Same) {
				if !strings.Contains(from, " ") {
					for _, id := range heads[terms.PhraseKey(to)] {
						put(terms.PhraseKey(from), id)
					}
				}
			}
		}
	}
	for key, all := range heads {
		for _, id := range all {
			add(key, id<<2|table.Korean)
		}
	}
}

func stemmed(phrase string) string {
	var out []string
	for _, t := range terms.Scan(phrase) {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}
