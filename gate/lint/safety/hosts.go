package safety

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
)

// LookAlikes reports hosts that resemble known hosts, and links whose text shows a different host than their target.
func LookAlikes(s *Skill, report func(Finding)) {
	eachHost(s, func(t *textFile, start, end int, user, host string) {
		why := lookAlike(user, host)
		if raw := t.src.Text[start:end]; why == "" && expr("capitalInside").MatchString(raw) {
			real, _, _ := strings.Cut(registered(strings.ToLower(strings.ReplaceAll(raw, "I", "l"))), ".")
			if strings.Contains(strings.ToLower(s.about()+" "+t.src.Path), real) ||
				s.speaksOf(real, t.src.LineText(t.src.LineAt(start)), 2) {
				why = "has a capital I, which looks like the l of " + real
			}
		}
		if why != "" && !expr("configKey").MatchString(t.src.Text[max(0, start-40):start]) &&
			(t.script || !expr("attackersHost").MatchString(registered(host)) || !strings.HasPrefix(why, "contains ")) &&
			!isWarnedAgainst(s, t.hitAt(start, end)) {
			report(finding(t.src.Span(start, end), "%s %s", host, why))
		}
	})
	for _, t := range s.texts() {
		if t.script || !strings.Contains(t.src.Text, "](http") {
			continue
		}
		for _, m := range expr("addressedLink").FindAllStringSubmatchIndex(t.src.Text, 500) {
			if strings.HasSuffix(t.src.Text[:m[0]], "!") {
				continue // the text of an image
			}
			shows, goes := t.src.Text[m[2]:m[3]], t.src.Text[m[4]:m[5]]
			a, b := registered(strings.ToLower(shows)), registered(strings.ToLower(goes))
			if a != b && known(a) && !known(b) {
				report(finding(t.src.Span(m[0], m[1]), "the link shows %s but leads to %s", shows, goes))
			}
		}
	}
}

func eachHost(s *Skill, f func(t *textFile, start, end int, user, host string)) {
	seen := map[string]bool{}
	for _, t := range s.texts() {
		text := t.src.Text
		for colon := range source.Occurrences(text, "://") {
			at := colon + len("://")
			start, end := hostAt(text, at)
			if start == end || !expr("urlScheme").MatchString(text[max(0, at-len("https://")):at]) {
				continue
			}
			host := strings.ToLower(strings.Trim(text[start:end], ".-"))
			user := strings.ToLower(strings.TrimSuffix(text[at:start], "@"))
			if host != "" && !seen[user+"@"+host] {
				seen[user+"@"+host] = true
				f(t, start, end, user, host)
			}
		}
	}
}

func hostAt(text string, from int) (start, end int) {
	start = from
	if strings.HasPrefix(text[from:], "[") { // an IPv6 address
		if i := strings.IndexByte(text[from:min(len(text), from+48)], ']'); i > 2 &&
			strings.Trim(text[from+1:from+i], "0123456789abcdefABCDEF:.%") == "" {
			return from, from + i + 1
		}
	}
	for end = from; end < len(text); end++ {
		switch c := text[end]; {
		case c == '@':
			start = end + 1 // the part before @ is a user name
		case c <= ' ' || strings.IndexByte("/?#\"'<>()`[]{}|\\,;*$", c) >= 0:
			return start, end
		case c == ':' && !strings.ContainsRune(text[end:min(len(text), end+64)], '@'):
			return start, end
		}
	}
	return start, end
}

func lookAlike(user, host string) string {
	if name, _, _ := strings.Cut(user, ":"); known(registered(name)) {
		return fmt.Sprintf("is the real host; %s before the @ is only a user name", name)
	}
	host, _ = idna.Punycode.ToUnicode(host) // as displayed; names without Punycode stay unchanged
	for _, label := range strings.Split(host, ".") {
		if a, b := scripts(label); b != "" {
			return fmt.Sprintf("mixes %s and %s letters", a, b)
		}
	}
	if folded := strings.ToLower(strings.Map(latinFor, strings.ReplaceAll(host, "。", "."))); folded != host {
		if r := registered(folded); known(r) {
			return "looks like " + r
		}
		return ""
	}
	r := registered(host)
	if known(r) {
		return ""
	}
	if above, below := strings.CutSuffix(host, "."+r); below && expr("ownHost").MatchString(above) &&
		!slices.Contains(wordList("deliveryHosts"), r) {
		return fmt.Sprintf("contains %s but belongs to %s", above, r)
	}
	drawn := drawnAlike.Replace(r)
	for i, k := range wordList("knownHosts") {
		if drawn == knownSkeletons()[i] || mistyped(r, k) {
			return "looks like " + k
		}
		if country, ok := strings.CutPrefix(r, k+"."); ok && len(country) == 2 || strings.HasSuffix(host, "."+r) &&
			len(r) == len(k)+3 && strings.HasPrefix(r, k+".") {
			return "" // the host is in a country's domain, such as google.com.hk
		}
		if strings.HasPrefix(host, k+".") && strings.Count(host, ".") > strings.Count(k, ".") ||
			strings.Contains(host, "."+k+".") {
			return fmt.Sprintf("contains %s but belongs to %s", k, r)
		}
		name, _, _ := strings.Cut(k, ".")
		if len(name) > 5 && strings.HasPrefix(drawn, drawnAlike.Replace(name)+"-") && !strings.HasPrefix(r, name+"-") {
			return "looks like " + k
		}
		if label, _, _ := strings.Cut(r, "."); len(name) > 4 && strings.HasPrefix(label, name+"-") &&
			expr("securityWord").MatchString(label[len(name)+1:]) {
			return fmt.Sprintf("imitates %s", k)
		}
	}
	return ""
}

func registered(host string) string {
	suffix, official := publicsuffix.PublicSuffix(host)
	for !official && strings.Contains(suffix, ".") {
		_, parent, _ := strings.Cut(suffix, ".")
		suffix, official = publicsuffix.PublicSuffix(parent)
	}
	name, ok := strings.CutSuffix(host, "."+suffix)
	if !ok {
		return host
	}
	return name[strings.LastIndexByte(name, '.')+1:] + "." + suffix
}

func known(host string) bool { return slices.Contains(wordList("knownHosts"), host) }

// mistyped reports whether host differs from known by two swapped letters, a doubled letter or a missing letter. known
// must have at least six letters, or seven if host lacks one. If known is a coined name, any one letter may differ. A
// different ending such as .con counts only if known is coined or the ending does not exist.
func mistyped(host, known string) bool {
	a, tldA, _ := strings.Cut(host, ".")
	b, tldB, _ := strings.Cut(known, ".")
	coined := slices.Contains(wordList("coinedHosts"), known)
	if a == b {
		suffix, official := publicsuffix.PublicSuffix(tldA)
		return tldA != tldB && wording.OneLetter(tldA, tldB) && (coined || !official && suffix == tldA)
	}
	if tldA != tldB || len(b) < 6 && !coined || !wording.OneLetter(a, b) {
		return false
	}
	from := wording.SamePrefix(a, b)
	switch len(a) - len(b) {
	case 0:
		return coined || from+1 < len(a) && a[from] == b[from+1] && a[from+1] == b[from]
	case 1:
		return coined || from > 0 && a[from] == a[from-1]
	}
	return coined || len(b) > 6
}

func scripts(label string) (first, second string) {
	for _, r := range label {
		for _, name := range []string{"Latin", "Cyrillic", "Greek", "Armenian"} {
			switch {
			case !unicode.Is(unicode.Scripts[name], r) || name == first:
			case first == "":
				first = name
			default:
				return first, name
			}
		}
	}
	return first, ""
}

// converted returns a function that converts the words of a list on its first call.
func converted[T any](list string, convert func(word string) T) func() []T {
	return sync.OnceValue(func() (out []T) {
		for _, w := range wordList(list) {
			out = append(out, convert(w))
		}
		return out
	})
}

var (
	drawnAlike     = strings.NewReplacer("rn", "m", "vv", "w", "0", "o", "1", "l", "i", "l", "5", "s")
	knownSkeletons = converted("knownHosts", drawnAlike.Replace)
	documentation  = converted("ordinaryNetworks", netip.MustParsePrefix)
)

// Addresses reports public IP addresses used in place of a host name.
func Addresses(s *Skill, report func(Finding)) {
	seen := map[string]bool{}
	add := func(src *source.File, start, end int, host string) {
		addr, ok := address(host)
		if !ok || ordinary(addr) || seen[addr.String()] {
			return
		}
		seen[addr.String()] = true
		what := fmt.Sprintf("%s is a public IP address", host)
		if host != addr.String() && "["+addr.String()+"]" != host {
			what = fmt.Sprintf("%s is %s, a public IP address", host, addr)
		}
		report(Finding{At: src.Span(start, end), Text: what, Usual: true})
	}
	eachHost(s, func(t *textFile, start, end int, _, host string) {
		line := t.src.LineText(t.src.LineAt(start))
		if !expr("syntaxOfAddress").MatchString(line) && !expr("testName").MatchString(t.src.Path) {
			add(t.src, start, end, host)
		}
	})
	scanLines(s, "SG509", isWarnedAgainst, func(h hit) {
		if m := expr("addressArgument").FindStringIndex(h.text()); m != nil {
			add(h.t.src, h.start+m[0], h.start+m[1], h.text()[m[0]:m[1]])
		}
	})
}

func address(host string) (netip.Addr, bool) {
	if m := expr("wildcardDNS").FindStringSubmatch(host); m != nil {
		host = strings.ReplaceAll(m[1], "-", ".")
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return a.Unmap(), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 || len(parts) == 1 && len(host) < 8 {
		return netip.Addr{}, false
	}
	var v uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || strings.Contains(p, "_") || i < len(parts)-1 && n > 255 {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			v = v<<(8*(5-len(parts))) | n
		} else {
			v = v<<8 | n
		}
	}
	if len(parts) == 1 || strings.Contains(host, "0x") || expr("leadingZero").MatchString(host) {
		return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}), true
	}
	return netip.Addr{}, false
}

func ordinary(a netip.Addr) bool {
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() ||
		a.Is6() && a.As16()[0]>>5 != 1 || // outside 2000::/3, the public network
		slices.ContainsFunc(documentation(), func(p netip.Prefix) bool { return p.Contains(a) })
}
