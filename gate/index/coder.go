package index

import "encoding/binary"

// coder reads values from text or, if writing is true, appends them to it. Numbers are uvarints, or varints if they may
// be negative. Strings and lists come after their lengths. If the text ends early or a list is too long, cut is set and
// the remaining values are zero. Strings share the memory of the text.
type coder struct {
	text    []byte
	writing bool
	cut     bool
}

func codeNumbers[T ~int | ~uint8 | ~uint32 | ~uint64](c *coder, numbers ...*T) {
	for _, n := range numbers {
		if c.writing {
			c.text = binary.AppendUvarint(c.text, uint64(*n))
			continue
		}
		v, w := binary.Uvarint(c.text)
		*n = T(v)
		c.take(w, w > 0)
	}
}

// take removes the next n bytes from the text and returns them. If ok is false or the text is shorter, it sets cut.
func (c *coder) take(n int, ok bool) []byte {
	if c.cut = c.cut || !ok || uint(n) > uint(len(c.text)); c.cut {
		n, c.text = 0, nil
	}
	taken := c.text[:n]
	c.text = c.text[n:]
	return taken
}

// maxList is the maximum length of a list in a state or a document.
const maxList = 1 << 16

// codeList codes a list of at most `most` elements.
func codeList[T any](c *coder, list *[]T, most int, code func(*T)) {
	n := len(*list)
	if codeNumbers(c, &n); !c.writing {
		*list = nil
		c.cut = c.cut || uint(n) > uint(min(most, len(c.text))) // an element takes at least a byte
		if n > 0 && !c.cut {
			*list = make([]T, n)
		}
	}
	for i := 0; i < n && !c.cut; i++ {
		code(&(*list)[i])
	}
}

func (c *coder) signed(numbers ...*int64) {
	for _, n := range numbers {
		zigzag := uint64(*n<<1 ^ *n>>63)
		codeNumbers(c, &zigzag)
		*n = int64(zigzag>>1) ^ -int64(zigzag&1)
	}
}

func (c *coder) strings(texts ...*string) {
	for _, s := range texts {
		n := len(*s)
		if codeNumbers(c, &n); c.writing {
			c.text = append(c.text, *s...)
		} else {
			*s = inPlace(c.take(n, true))
		}
	}
}
