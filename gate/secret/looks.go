package secret

import "strings"

type look struct {
	v               string
	digits, letters int
	figures, signs  int // numbers of digit runs and of bytes of class strange
	joints, changes int // numbers of "-", "_" and ".", and of changes between lower and upper case
	small, capital  bool
	inner           bool // a capital occurs after the first byte
	others          int  // number of bytes that occur in no key
	slashes         int
}

func lookOf(v string) look {
	l := look{v: v}
	for i := range len(v) {
		c := v[i]
		switch class := classes[c]; {
		case class&figure != 0:
			l.digits++
			if i == 0 || !digit(v[i-1]) {
				l.figures++
			}
		case lower(c):
			l.letters++
			l.small = true
			if i > 0 && upper(v[i-1]) {
				l.changes++
			}
		case upper(c):
			l.letters++
			l.capital, l.inner = true, l.inner || i > 0
			if i > 0 && lower(v[i-1]) {
				l.changes++
			}
		default:
			switch c {
			case '-', '_', '.':
				l.joints++
			case '/':
				l.slashes++
			case '+', '=', '~', '%':
			default:
				l.others++
			}
			if class&strange != 0 && (i > 0 || c != '@' && c != '#') && (i < len(v)-1 || c != '@') {
				l.signs++
			}
		}
	}
	return l
}

func hasDigit(v string) bool { return lookOf(v).digits > 0 }

// irregular reports whether v mixes digits with letters, or has lower-case letters and a capital after the first byte.
func irregular(v string) bool {
	l := lookOf(v)
	return l.digits > 0 && (l.small || l.inner) || l.small && l.inner
}

func mixed(v string) bool {
	l := lookOf(v)
	return l.digits > 0 && l.small && l.capital
}

// scrambled reports whether lower and upper case alternate more often than in any name.
func (l look) scrambled() bool { return len(l.v) >= 8 && l.changes*5 >= len(l.v)*2 }

func scrambled(v string) bool { return lookOf(v).scrambled() }

func plain(v string) bool {
	for i := range len(v) {
		if c := v[i]; !lower(c) && !upper(c) && c != '.' && c != '_' && c != '/' && c < 0x80 {
			return false
		}
	}
	return true
}

// random reports whether the value looks generated: it has at least 16 bytes, all of which may occur in a key, and is
// irregular and varied.
func (l look) random() bool {
	v := l.v
	if len(v) < 16 || l.digits == 0 || !l.small && !l.inner || l.others > 0 || l.joints > 4 {
		return false
	}
	if l.slashes > len(v)/16 || l.slashes > 0 && strings.Contains(v, ".") {
		return false
	}
	var seen [4]uint64
	different := 0
	for i := range len(v) {
		if c := v[i]; seen[c>>6]&(1<<(c&63)) == 0 {
			seen[c>>6] |= 1 << (c & 63)
			different++
		}
	}
	return different >= 9
}

func random(v string) bool { return lookOf(v).random() }

// odd reports whether the value is unlike a word: it has digits and letters, only digits, or punctuation that is common
// in passwords and rare in prose.
func (l look) odd() bool {
	v := l.v
	switch {
	case len(v) < 4, v[0] == '@':
		return false
	case l.letters == 0:
		return l.digits == len(v) || l.digits > 0 && l.signs > 1 && l.unbroken()
	case l.digits > 0:
		return l.unbroken()
	}
	return l.signs > 0 && strings.IndexByte("!?*~", v[0]) < 0 && l.unbroken() &&
		strings.ContainsAny(strings.TrimRight(v, "!?*~"), "!@#$%^&*+=")
}

func (l look) unbroken() bool {
	return l.others == 0 && l.slashes == 0 || !strings.ContainsAny(l.v, "/(<{[")
}

func odd(v string) bool { return lookOf(v).odd() && !dull(v) }

// onlySecret reports whether the value can only be a password or key: in addition to letters it has three runs of
// digits, two runs and both cases, one run and punctuation of class strange, or one of these two and scrambled case.
func (l look) onlySecret() bool {
	n := len(l.v)
	return n >= 6 && l.letters > 1 && (l.signs > 0 && l.figures > 0 || (l.signs > 0 || l.figures > 0) && l.scrambled() ||
		!strings.ContainsAny(l.v, "-_") && (l.figures > 1 && l.small && l.capital && n >= 8 || l.figures > 2 && n >= 12))
}

// likely reports whether the value is more likely a password than a word with a digit: it has letters and either
// punctuation of class strange or several digits.
func (l look) likely() bool {
	return len(l.v) >= 6 && (l.letters > 1 && (l.signs > 0 && (l.digits > 0 || l.small && l.capital) || l.digits > 2 ||
		l.digits > 1 && (l.figures > 1 || l.small && l.capital)) || l.scrambled())
}

// grouped reports whether the value is a product key: three or more equally long groups of capitals and digits.
func (l look) grouped() bool {
	first := strings.IndexByte(l.v, '-')
	if first < 4 || first > 6 || l.small || l.digits < 3 || l.letters < 3 || len(l.v) < 3*first+2 ||
		(len(l.v)+1)%(first+1) != 0 {
		return false
	}
	for i := first; i < len(l.v); i += first + 1 {
		if l.v[i] != '-' {
			return false
		}
	}
	return l.joints == len(l.v)/(first+1)
}

func (l look) mixed() bool { return len(l.v) >= 8 && l.small && l.capital && l.digits > 0 }

func (l look) uuid() bool {
	v := l.v
	return len(v) >= 36 && (len(v) == 36 || !alnum(v[36])) && v[8] == '-' && v[13] == '-' && v[18] == '-' &&
		v[23] == '-' && random(v[:36])
}

// machineMade reports whether the value was surely generated: it is a UUID, or a random value that contains no
// separator and is not a hash.
func (l look) machineMade() bool {
	return l.uuid() || len(l.v) >= 24 && l.random() && !strings.ContainsAny(l.v, "-_./%") &&
		(len(l.v) != 40 && len(l.v) != 64 || strings.Trim(l.v, "0123456789abcdef") != "")
}

// dull reports whether v is a technical word or a placeholder for a secret.
func dull(v string) bool { return isTechnical(v) || notSecret(v) }

func isTechnical(v string) bool {
	if v == "" {
		return false
	}
	if v[0]|0x20 == 'v' && len(v) > 1 && digit(v[1]) {
		return strings.Trim(v[1:min(len(v), 6)], "0123456789.-_") == ""
	}
	if strings.IndexByte("abcdefhijmoprsux", v[0]|0x20) < 0 && v[0]|0x20 != 'v' {
		return false
	}
	for p := range strings.SplitSeq(words.of[technical], "|") {
		if beginsSmall(v, p) {
			return true
		}
	}
	return false
}

// placeholder reports whether v is a name such as API_TOKEN in place of a secret.
func placeholder(v string) bool {
	joined := false
	for i := range len(v) {
		if !upper(v[i]) && v[i] != '_' {
			return false
		}
		joined = joined || v[i] == '_'
	}
	return joined
}

// notSecret reports whether v is a type, a literal, a reference, a mask or a placeholder.
func notSecret(v string) bool {
	if v == "" {
		return true
	}
	switch v[0] {
	case '$':
		return !strings.HasPrefix(v, "$2") && !strings.HasPrefix(v, "$argon")
	case '{', '<', '/':
		return true
	case '[':
		return strings.HasPrefix(v, opening) || plain(strings.TrimRight(v[1:], "].,;"))
	case '%':
		return strings.HasPrefix(v, "%(") || len(v) > 2 && v[len(v)-1] == '%'
	case '~', '.':
		if strings.HasPrefix(strings.TrimLeft(v, "~."), "/") {
			return true
		}
	}
	if strings.IndexByte("*\xe2xX.-_", v[0]) >= 0 && strings.Trim(v, "*•xX.…-_") == "" ||
		len(v) > 4 && (beginsSmall(v, "your") || beginsSmall(v, "my-") || beginsSmall(v, "my_")) && lookOf(v).digits == 0 ||
		strings.HasPrefix(v, "AAAAC3Nz") || strings.HasPrefix(v, "AAAAB3Nz") || strings.HasPrefix(v, "AAAAE2Vj") ||
		strings.Contains(v, "EXAMPLE") || strings.Contains(v, "xxxxxx") || strings.Contains(v, "XXXXXX") ||
		strings.HasPrefix(v, "process.env") || strings.HasPrefix(v, "os.environ") ||
		strings.HasPrefix(v, "os.getenv") {
		return true
	}
	head := strings.TrimRight(v, "0123456789")
	if len(head) < len(v) && len(v) < 16 && strings.HasPrefix("123456789", v[len(head):]) {
		return among(head, sample)
	}
	return len(v) <= len("self.password")+2 && !digit(v[len(v)-1]) && among(strings.TrimRight(v, "?|!"), nothing)
}
