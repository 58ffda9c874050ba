package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
)

func (c *compiler) normalizers() error {
	parts, err := steps(c.file.Normalizer, "normalizers")
	if err != nil {
		return fmt.Errorf("normalizer: %w", err)
	}
	plain := map[string]string{"NFC": opNFC, "NFD": opNFD, "NFKC": opNFKC, "NFKD": opNFKD, "Lowercase": opLower,
		"StripAccents": opAccents}
	for _, raw := range parts {
		var p struct {
			Type     string `json:"type"`
			Clean    *bool  `json:"clean_text"`
			Chinese  *bool  `json:"handle_chinese_chars"`
			Accents  *bool  `json:"strip_accents"`
			Lower    *bool  `json:"lowercase"`
			Charsmap string `json:"precompiled_charsmap"`
			Left     bool   `json:"strip_left"`
			Right    bool   `json:"strip_right"`
			Prepend  string `json:"prepend"`
			Content  string `json:"content"`
			Pattern  struct {
				String *string
				Regex  *string
			} `json:"pattern"`
		}
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("normalizer: %w", err)
		}
		var n normalizer
		switch p.Type {
		case "BertNormalizer":
			on := func(b *bool) bool { return b == nil || *b }
			n = normalizer{Op: opBert, Clean: on(p.Clean), Chinese: on(p.Chinese), Lower: on(p.Lower)}
			// Not said means: as lower case does.
			n.Accents = n.Lower
			if p.Accents != nil {
				n.Accents = *p.Accents
			}
		case "Precompiled":
			if p.Charsmap == "" {
				continue // the identity
			}
			if err := c.decodeCharsmap(p.Charsmap); err != nil {
				return err
			}
			n.Op = opPrecompiled
		case "Strip":
			n = normalizer{Op: opStrip, Left: p.Left, Right: p.Right}
		case "Prepend":
			n = normalizer{Op: opPrepend, To: p.Prepend}
		case "Replace":
			switch {
			case p.Pattern.String != nil && *p.Pattern.String != "":
				n = normalizer{Op: opReplace, From: *p.Pattern.String, To: p.Content}
			case p.Pattern.Regex != nil && *p.Pattern.Regex == " {2,}":
				n = normalizer{Op: opSpaces, To: p.Content}
			case p.Pattern.Regex != nil && *p.Pattern.Regex == `\s+`:
				n = normalizer{Op: opWhite, To: p.Content}
			default:
				return fmt.Errorf("normalizer: Replace with pattern %s is not supported", raw)
			}
		default:
			op, ok := plain[p.Type]
			if !ok {
				return fmt.Errorf("normalizer %q is not supported", p.Type)
			}
			n.Op = op
		}
		c.out.settings.Normalize = append(c.out.settings.Normalize, n)
	}
	return nil
}

func (c *compiler) splitters() error {
	parts, err := steps(c.file.PreTokenizer, "pretokenizers")
	if err != nil {
		return fmt.Errorf("pre_tokenizer: %w", err)
	}
	for _, raw := range parts {
		var p struct {
			Type        string  `json:"type"`
			Replacement *string `json:"replacement"`
			AddPrefix   *bool   `json:"add_prefix_space"`
			Scheme      string  `json:"prepend_scheme"`
			Split       *bool   `json:"split"`
		}
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("pre_tokenizer: %w", err)
		}
		var s splitter
		switch p.Type {
		case "BertPreTokenizer":
			s.Op = opBertWords
		case "WhitespaceSplit":
			s.Op = opWords
		case "Metaspace":
			s = splitter{Op: opMetaspace, Mark: "\u2581", Prepend: p.Scheme, Cut: p.Split == nil || *p.Split}
			if p.Replacement != nil && *p.Replacement != "" {
				s.Mark = *p.Replacement
			}
			if s.Prepend == "" {
				s.Prepend = "always"
				if p.AddPrefix != nil && !*p.AddPrefix {
					s.Prepend = "never"
				}
			}
		default:
			return fmt.Errorf("pre_tokenizer %q is not supported", p.Type)
		}
		c.out.settings.Split = append(c.out.settings.Split, s)
	}
	if len(parts) == 0 {
		return errors.New("no pre_tokenizer")
	}
	return nil
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
		return fmt.Errorf("post_processor: %d parts, want one template for pairs", len(parts))
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
					return fmt.Errorf("post_processor: sequence %q", s.ID)
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

// checkPair requires each text once and ids within the vocabulary.
func (c *compiler) checkPair() error {
	seen := map[string]int{}
	for _, p := range c.out.settings.Pair {
		seen[p.Part]++
		if p.Part == special && (p.ID < 0 || int(p.ID) >= c.out.settings.Size) {
			return fmt.Errorf("post_processor: special token id %d, vocabulary has %d", p.ID, c.out.settings.Size)
		}
		if p.Type < 0 || p.Type > 1 {
			return fmt.Errorf("post_processor: type_id %d, want 0 or 1", p.Type)
		}
	}
	if seen[first] != 1 || seen[second] != 1 {
		return errors.New("post_processor: the template for pairs must hold each text once")
	}
	return nil
}
