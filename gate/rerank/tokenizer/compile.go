package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

type file struct {
	AddedTokens []struct {
		ID      int32  `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         struct {
		Type         string          `json:"type"`
		Vocab        json.RawMessage `json:"vocab"`
		Merges       json.RawMessage `json:"merges"`
		UnkToken     string          `json:"unk_token"`
		UnkID        *int32          `json:"unk_id"`
		Prefix       *string         `json:"continuing_subword_prefix"`
		MaxChars     int             `json:"max_input_chars_per_word"`
		ByteFallback bool            `json:"byte_fallback"`
	} `json:"model"`
	Padding *struct {
		PadID int32 `json:"pad_id"`
	} `json:"padding"`
}

// maxVocabulary is the maximum number of token IDs. The largest vocabularies in use have 256,000.
const maxVocabulary = 4 << 20

const maxKeys = 16 << 20 // total bytes of all tokens; the tokens of XLM-R take about 2 MB

// Compile returns the table for a tokenizer.json. If the file needs something unsupported, the error names it.
func Compile(text []byte) ([]byte, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	c := compiler{file: &f, added: map[string]int32{}}
	for _, a := range f.AddedTokens {
		if !a.Special {
			return nil, fmt.Errorf("tokenizer.json: added token %q is not special; such tokenizers are not supported", a.Content)
		}
		c.added[a.Content] = a.ID
	}
	for _, step := range []func() error{c.model, c.pair, c.pad} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("tokenizer.json: %w", err)
		}
	}
	c.out.Normalize, c.out.Split = f.Normalizer, f.PreTokenizer
	if _, err := newTokenizer(&c.out); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	return c.out.bytes()
}

type compiler struct {
	file  *file
	added map[string]int32
	out   table
	vocab map[string]int32
}

func (c *compiler) model() error {
	m := &c.file.Model
	switch {
	case m.Type == string(wordPiece), m.Type == "" && len(m.Merges) == 0 && m.Prefix != nil:
		return c.wordPiece()
	case m.Type == string(unigram), m.Type == "" && m.UnkID != nil:
		return c.unigram()
	}
	return fmt.Errorf("the type of the model is %q but must be WordPiece or Unigram", m.Type)
}

func (c *compiler) wordPiece() error {
	m := &c.file.Model
	if err := json.Unmarshal(m.Vocab, &c.vocab); err != nil {
		return fmt.Errorf("vocabulary: %w", err)
	}
	s := &c.out.settings
	s.Kind, s.Prefix, s.MaxChars = wordPiece, "##", 100
	if m.Prefix != nil {
		s.Prefix = *m.Prefix
	}
	if m.MaxChars > 0 {
		s.MaxChars = m.MaxChars
	}
	var ok bool
	if s.Unknown, ok = c.id(m.UnkToken); !ok {
		return fmt.Errorf("unk_token %q is not in the vocabulary", m.UnkToken)
	}
	return c.trie()
}

func (c *compiler) unigram() error {
	m := &c.file.Model
	if m.ByteFallback {
		return errors.New("byte_fallback is not supported")
	}
	var raw [][2]json.RawMessage
	if err := json.Unmarshal(m.Vocab, &raw); err != nil {
		return fmt.Errorf("vocabulary: %w", err)
	}
	c.vocab = make(map[string]int32, len(raw))
	lowest := math.Inf(1)
	scores := make([]float64, len(raw))
	for i, r := range raw {
		var text string
		if err := errors.Join(json.Unmarshal(r[0], &text), json.Unmarshal(r[1], &scores[i])); err != nil {
			return fmt.Errorf("vocabulary: entry %d: %w", i, err)
		}
		if _, twice := c.vocab[text]; twice {
			return fmt.Errorf("vocabulary: %q is listed twice", text)
		}
		c.vocab[text] = int32(i)
		lowest = min(lowest, scores[i])
	}
	if m.UnkID == nil || *m.UnkID < 0 || int(*m.UnkID) >= len(scores) {
		return errors.New("unk_id is missing or outside the vocabulary")
	}
	const unkPenalty = 10 // SentencePiece's kUnkPenalty
	s := &c.out.settings
	s.Kind, s.Unknown, s.UnkScore = unigram, *m.UnkID, lowest-unkPenalty
	scores[s.Unknown], c.out.scores = s.UnkScore, scores
	return c.trie()
}

func (c *compiler) trie() error {
	entries := make([]entry, 0, len(c.vocab))
	size, bytes := 0, 0
	note := func(token string, id int32) error {
		if id < 0 || id >= maxVocabulary {
			return fmt.Errorf("vocabulary: id %d of %q must be 0 to %d", id, token, maxVocabulary-1)
		}
		size = max(size, int(id)+1)
		return nil
	}
	for token, id := range c.vocab {
		if err := note(token, id); err != nil {
			return err
		}
		if _, ok := c.added[token]; ok || id == c.out.settings.Unknown || token == "" {
			continue
		}
		entries = append(entries, entry{token, id})
		bytes += len(token)
	}
	for token, id := range c.added {
		if err := note(token, id); err != nil {
			return err
		}
	}
	if len(entries) == 0 || bytes > maxKeys {
		return fmt.Errorf(
			"the vocabulary has %d tokens with %d bytes in total; it must have 1 token or more and %d bytes or fewer",
			len(entries), bytes, maxKeys)
	}
	c.out.Size, c.out.trie = size, newTrie(entries)
	return nil
}

func (c *compiler) id(token string) (int32, bool) {
	if id, ok := c.added[token]; ok {
		return id, true
	}
	id, ok := c.vocab[token]
	return id, ok
}

func (c *compiler) pad() error {
	for _, name := range []string{"[PAD]", "<pad>"} {
		if id, ok := c.id(name); ok {
			c.out.settings.Pad = id
			return nil
		}
	}
	if c.file.Padding != nil && c.file.Padding.PadID >= 0 && int(c.file.Padding.PadID) < c.out.settings.Size {
		c.out.settings.Pad = c.file.Padding.PadID
		return nil
	}
	return errors.New("the vocabulary has no [PAD] or <pad> token")
}

// steps decodes a component of a tokenizer.json. For a sequence it returns the parts in the field key, otherwise the
// component alone.
func steps(raw json.RawMessage, key string) ([]json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, err
	}
	if head.Type != "Sequence" {
		return []json.RawMessage{raw}, nil
	}
	parts := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(parts[key], &list); err != nil {
		return nil, err
	}
	var out []json.RawMessage
	for _, part := range list {
		more, err := steps(part, key)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func (c *compiler) pair() error {
	var p struct {
		Type       string            `json:"type"`
		Processors []json.RawMessage `json:"processors"`
		Pair       []map[string]struct {
			ID   string `json:"id"`
			Type int32  `json:"type_id"`
		} `json:"pair"`
		Special map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
		Sep, Cls [2]json.RawMessage
	}
	parts, err := steps(c.file.PostProcessor, "processors")
	if err != nil {
		return fmt.Errorf("post_processor: %w", err)
	}
	if len(parts) != 1 {
		return fmt.Errorf("post_processor: it has %d parts instead of one template for pairs", len(parts))
	}
	if err := json.Unmarshal(parts[0], &p); err != nil {
		return fmt.Errorf("post_processor: %w", err)
	}
	out := &c.out.settings.Pair
	switch p.Type {
	case "TemplateProcessing":
		for _, item := range p.Pair {
			if s, ok := item["Sequence"]; ok {
				part := map[string]string{"A": first, "B": second}[s.ID]
				if part == "" {
					return fmt.Errorf("post_processor: unknown sequence %q", s.ID)
				}
				*out = append(*out, piece{Part: part, Type: s.Type})
			}
			if s, ok := item["SpecialToken"]; ok {
				ids := p.Special[s.ID].IDs
				if len(ids) == 0 {
					return fmt.Errorf("post_processor: special token %q has no id", s.ID)
				}
				for _, id := range ids {
					*out = append(*out, piece{Part: special, ID: id, Type: s.Type})
				}
			}
		}
	case "BertProcessing", "RobertaProcessing":
		var cls, sep int32
		if err := errors.Join(json.Unmarshal(p.Cls[1], &cls), json.Unmarshal(p.Sep[1], &sep)); err != nil {
			return fmt.Errorf("post_processor: %w", err)
		}
		*out = []piece{{Part: special, ID: cls}, {Part: first}, {Part: special, ID: sep}}
		typ := int32(1)
		if p.Type == "RobertaProcessing" {
			typ = 0
			*out = append(*out, piece{Part: special, ID: sep})
		}
		*out = append(*out, piece{Part: second, Type: typ}, piece{Part: special, ID: sep, Type: typ})
	default:
		return fmt.Errorf("post_processor %q is not supported", p.Type)
	}
	return c.checkPair()
}

func (c *compiler) checkPair() error {
	seen := map[string]int{}
	for _, p := range c.out.settings.Pair {
		seen[p.Part]++
		if p.Part == special && (p.ID < 0 || int(p.ID) >= c.out.settings.Size) {
			return fmt.Errorf("post_processor: a special token has the id %d, but the vocabulary has %d tokens",
				p.ID, c.out.settings.Size)
		}
		if p.Type < 0 || p.Type > 1 {
			return fmt.Errorf("post_processor: type_id is %d but must be 0 or 1", p.Type)
		}
	}
	if seen[first] != 1 || seen[second] != 1 {
		return errors.New("post_processor: the template for pairs must contain each text once")
	}
	return nil
}
