package lint

import (
	"fmt"
	"strings"
	"unicode"
)

var lookAlikeHost = &Rule{
	ID:       "SG508",
	Title:    "link to a look-alike host",
	Why:      "a host with letters of two scripts, or one letter away from a well-known one, is made to be mistaken for it",
	Advice:   "write the real host, or take the link out",
	See:      "https://www.unicode.org/reports/tr39/",
	Since:    v1,
	Group:    GroupSafety,
	Severity: Error,
	Risk:     0.4,
	Bad:      file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\nGet it from https://gіthub.com/ann/forms.\n"),
	Good:     file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\nGet it from https://github.com/ann/forms or https://한국.kr/양식.\n"),
	Check: func(s *Skill, report Report) {
		eachHost(s, func(src *Source, start, end int, host string) {
			if why := lookAlike(host); why != "" {
				report(Problem{At: src.Span(start, end), Text: fmt.Sprintf("%s %s", host, why)})
			}
		})
	},
}

// eachHost calls f for the host of each URL, each host once.
func eachHost(s *Skill, f func(src *Source, start, end int, host string)) {
	seen := map[string]bool{}
	for _, t := range s.texts() {
		text := t.src.Text
		for at := 0; ; {
			i := strings.Index(text[at:], "://")
			if i < 0 {
				break
			}
			at += i + len("://")
			start, end := hostAt(text, at)
			if start == end || !urlScheme(text[:at-len("://")]) {
				continue
			}
			host := strings.ToLower(strings.Trim(text[start:end], ".-"))
			if host == "" || seen[host] {
				continue
			}
			seen[host] = true
			f(t.src, start, end, host)
			at = end
		}
	}
}

// urlScheme reports whether text ends in the scheme of an address on the network.
func urlScheme(text string) bool {
	text = text[max(0, len(text)-5):]
	for _, scheme := range []string{"https", "http", "ftp", "ssh", "git", "wss", "ws"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[len(text)-len(scheme):], scheme) {
			return true
		}
	}
	return false
}

// hostAt returns where the host of the address stands whose scheme ends at from.
func hostAt(text string, from int) (start, end int) {
	start = from
	for end = from; end < len(text); end++ {
		switch c := text[end]; {
		case c == '@':
			start = end + 1 // what stood before is a user's name
		case c <= ' ' || strings.IndexByte("/?#\"'<>()`[]{}|\\,;*$", c) >= 0:
			return start, end
		case c == ':' && !strings.ContainsRune(text[end:min(len(text), end+64)], '@'):
			return start, end
		}
	}
	return start, end
}

// lookAlike says why a host is made to be mistaken for another one, "" when it is not.
func lookAlike(host string) string {
	for _, label := range strings.Split(host, ".") {
		if a, b := scripts(label); b != "" {
			return fmt.Sprintf("mixes %s and %s letters", a, b)
		}
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return ""
	}
	registered := strings.Join(labels[len(labels)-2:], ".")
	for _, known := range knownHosts {
		if registered == known || !looksLike(registered, known) {
			continue
		}
		return "looks like " + known
	}
	return ""
}

// scripts returns the first two scripts of a label, "" for the second where there
// is one only. Korean and Japanese labels may hold Latin letters.
func scripts(label string) (first, second string) {
	for _, r := range label {
		name := ""
		switch {
		case unicode.Is(unicode.Latin, r):
			name = "Latin"
		case unicode.Is(unicode.Cyrillic, r):
			name = "Cyrillic"
		case unicode.Is(unicode.Greek, r):
			name = "Greek"
		case unicode.Is(unicode.Armenian, r):
			name = "Armenian"
		default:
			continue
		}
		if first == "" {
			first = name
		} else if first != name {
			return first, name
		}
	}
	return first, ""
}

// knownHosts are hosts that skills download from or send to.
var knownHosts = []string{
	"github.com", "gitlab.com", "bitbucket.org", "githubusercontent.com", "npmjs.com", "npmjs.org", "pypi.org", "anthropic.com", "claude.com", "openai.com",
	"google.com", "googleapis.com", "microsoft.com", "apple.com", "amazon.com", "amazonaws.com", "huggingface.co", "docker.com", "slack.com", "notion.so",
	"naver.com", "kakao.com", "daum.net", "coupang.com", "paypal.com", "stripe.com", "cloudflare.com",
}

// looksLike reports whether a host differs from a known one only in characters
// that are drawn alike.
func looksLike(host, known string) bool { return skeleton(host) == skeleton(known) }

var drawnAlike = strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l", "i", "l", "5", "s")

func skeleton(host string) string { return drawnAlike.Replace(host) }
