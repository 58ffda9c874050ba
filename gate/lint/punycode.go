package lint

import "strings"

// fromPunycode returns a host with its xn-- labels in the letters that people see
// (RFC 3492); a label that is no punycode stays.
func fromPunycode(host string) string {
	labels := strings.Split(host, ".")
	for i, l := range labels {
		if code, ok := strings.CutPrefix(l, "xn--"); ok {
			if plain, ok := decodeLabel(code); ok {
				labels[i] = plain
			}
		}
	}
	return strings.Join(labels, ".")
}

// The parameters of RFC 3492, section 5.
const (
	punyBase, punyMin, punyMax = 36, 1, 26
	punySkew, punyDamp         = 38, 700
	punyBias, punyFirst        = 72, 128
	maxLabelBytes              = 63 // of a label in DNS
)

func decodeLabel(code string) (string, bool) {
	if len(code) > maxLabelBytes {
		return "", false
	}
	var out []rune
	if i := strings.LastIndexByte(code, '-'); i >= 0 {
		out = []rune(code[:i])
		code = code[i+1:]
	}
	n, bias := punyFirst, punyBias
	for i := 0; code != ""; i++ {
		before, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if code == "" {
				return "", false
			}
			digit := punyDigit(code[0])
			code = code[1:]
			if digit < 0 || i > 1<<24 {
				return "", false
			}
			i += digit * weight
			threshold := min(max(k-bias, punyMin), punyMax)
			if digit < threshold {
				break
			}
			weight *= punyBase - threshold
			if weight > 1<<24 {
				return "", false
			}
		}
		bias = adapt(i-before, len(out)+1, before == 0)
		n += i / (len(out) + 1)
		i %= len(out) + 1
		if n > 0x10FFFF {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
	}
	return string(out), true
}

func punyDigit(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return int(c - 'a')
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= '0' && c <= '9':
		return int(c-'0') + 26
	}
	return -1
}

func adapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyMin)*punyMax/2 {
		delta /= punyBase - punyMin
		k += punyBase
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
