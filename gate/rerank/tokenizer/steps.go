package tokenizer

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func normalizers(raw json.RawMessage) (out []func(string) string, err error) {
	parts, err := steps(raw, "normalizers")
	if err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	for _, part := range parts {
		next, err := normalizer(part)
		if err != nil {
			return nil, fmt.Errorf("normalizer: %w", err)
		}
		out = append(out, next)
	}
	return out, nil
}

func normalizer(raw json.RawMessage) (func(string) string, error) {
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
		return nil, err
	}
	switch p.Type {
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Lowercase":
		return lower, nil
	case "StripAccents":
		return stripMarks, nil
	case "BertNormalizer":
		on := func(b *bool) bool { return b == nil || *b }
		n := bertNormalizer{clean: on(p.Clean), chinese: on(p.Chinese), lower: on(p.Lower), accents: on(p.Lower)}
		if p.Accents != nil {
			n.accents = *p.Accents
		}
		return n.normalize, nil
	case "Precompiled":
		b, err := base64.StdEncoding.DecodeString(p.Charsmap)
		if err != nil {
			return nil, fmt.Errorf("precompiled charsmap: %w", err)
		}
		if len(b) == 0 {
			return func(text string) string { return text }, nil
		}
		return charsmap(b).replace, checkCharsmap(b)
	case "Strip":
		return func(text string) string {
			if p.Left {
				text = strings.TrimLeftFunc(text, unicode.IsSpace)
			}
			if p.Right {
				text = strings.TrimRightFunc(text, unicode.IsSpace)
			}
			return text
		}, nil
	case "Prepend":
		return func(text string) string { return p.Prepend + text }, nil
	case "Replace":
		switch from, regex := p.Pattern.String, p.Pattern.Regex; {
		case from != nil && *from != "":
			return func(text string) string { return strings.ReplaceAll(text, *from, p.Content) }, nil
		case regex != nil && *regex == " {2,}":
			return func(text string) string {
				return replaceRuns(text, p.Content, 2, func(r rune) bool { return r == ' ' })
			}, nil
		case regex != nil && *regex == `\s+`:
			return func(text string) string { return replaceRuns(text, p.Content, 1, unicode.IsSpace) }, nil
		}
		return nil, fmt.Errorf("type Replace with pattern %s is not supported", raw)
	}
	return nil, fmt.Errorf("%q is not supported", p.Type)
}

// A splitter appends the words of text to out. head reports whether text is the start of the input.
type splitter func(out []string, text string, head bool) []string

func splitters(raw json.RawMessage) (out []splitter, err error) {
	parts, err := steps(raw, "pretokenizers")
	if err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
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
			return nil, fmt.Errorf("pre_tokenizer: %w", err)
		}
		switch p.Type {
		case "BertPreTokenizer":
			out = append(out, func(out []string, text string, _ bool) []string { return bertWords(out, text) })
		case "WhitespaceSplit":
			out = append(out, func(out []string, text string, _ bool) []string { return append(out, strings.Fields(text)...) })
		case "Metaspace":
			m := metaspace{mark: "\u2581", prepend: p.Scheme, cut: p.Split == nil || *p.Split}
			if p.Replacement != nil && *p.Replacement != "" {
				m.mark = *p.Replacement
			}
			if m.prepend == "" {
				m.prepend = "always"
				if p.AddPrefix != nil && !*p.AddPrefix {
					m.prepend = "never"
				}
			}
			out = append(out, m.split)
		default:
			return nil, fmt.Errorf("pre_tokenizer: %q is not supported", p.Type)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("pre_tokenizer is missing")
	}
	return out, nil
}

// metaspace replaces blanks by a mark at the start of the following word, as SentencePiece does.
type metaspace struct {
	mark    string
	prepend string // when to put a mark before a text without one: always, first (only at the start of the input) or never
	cut     bool   // split words before each mark
}

func (m metaspace) split(out []string, text string, head bool) []string {
	if text == "" {
		return out
	}
	text = strings.ReplaceAll(text, " ", m.mark)
	if !strings.HasPrefix(text, m.mark) && (m.prepend == "always" || m.prepend == "first" && head) {
		text = m.mark + text
	}
	for m.cut {
		_, width := utf8.DecodeRuneInString(text)
		next := strings.Index(text[width:], m.mark)
		if next < 0 {
			break
		}
		out = append(out, text[:width+next])
		text = text[width+next:]
	}
	return append(out, text)
}

// bertWords appends the words of text to out. White space separates words. Each punctuation mark is a word.
func bertWords(out []string, text string) []string {
	start := -1
	for i, r := range text {
		space, punct := unicode.IsSpace(r), isPunct(r)
		if (space || punct) && start >= 0 {
			out = append(out, text[start:i])
			start = -1
		}
		switch {
		case punct:
			out = append(out, text[i:i+utf8.RuneLen(r)])
		case !space && start < 0:
			start = i
		}
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return out
}

// isPunct reports whether BERT treats r as punctuation: Unicode punctuation and all ASCII symbols.
func isPunct(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
}
