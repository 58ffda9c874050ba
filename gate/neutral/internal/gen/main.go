// Command gen compiles the word lists in orders/ into orders.bin. `go generate` in package neutral runs it.
package main

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/neutral"
)

func main() {
	table, err := compile(os.DirFS("orders"))
	if err == nil {
		err = os.WriteFile("orders.bin", table, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// slots is the number of lists in the table. A word's list is determined by the hash of its first three bytes.
const slots = 4096

func slot(a, b, c byte) int { return (int(a)*961 + int(b)*31 + int(c)) % slots }

func compile(folder fs.FS) ([]byte, error) {
	files, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	words := map[string]map[string]bool{} // set of words by notion
	for _, name := range files {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		var lists map[string][]string
		if err := yaml.Unmarshal(text, &lists); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for notion, list := range lists {
			if words[notion] == nil {
				words[notion] = map[string]bool{}
			}
			for _, w := range list {
				words[notion][w] = true
			}
		}
	}
	notions := slices.Sorted(maps.Keys(words))
	if len(notions) > 64 {
		return nil, fmt.Errorf("%d notions exceed the limit of 64", len(notions))
	}

	bits := map[string]uint64{}
	for i, notion := range notions {
		for w := range words[notion] {
			key, err := entry(w)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", notion, err)
			}
			bits[key] |= 1 << i
		}
	}
	lists := make([][]byte, slots)
	for _, key := range slices.Sorted(maps.Keys(bits)) {
		at := slot(key[0], key[1], key[2])
		length := byte(len(key))
		if strings.Contains(key, "\x00") {
			length |= 0x80
		}
		lists[at] = append(lists[at], length)
		lists[at] = append(lists[at], key...)
		lists[at] = binary.LittleEndian.AppendUint64(lists[at], bits[key])
	}
	var out []byte
	offset := 4 * (slots + 1)
	for _, list := range lists {
		out = binary.LittleEndian.AppendUint32(out, uint32(offset))
		offset += len(list)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(offset))
	return append(out, slices.Concat(lists...)...), nil
}

// entry returns word in the form that the table stores. In scripts with blanks between words it ends with a blank,
// unless it is a stem ("ignor*").
func entry(word string) (string, error) {
	for _, r := range word {
		if r >= 0x80 && r < 0x370 || 'A' <= r && r <= 'Z' {
			return "", fmt.Errorf("%q must be lower case and without accents", word)
		}
	}
	head, tail, gapped := strings.Cut(strings.Map(neutral.Fold, word), "..")
	parts := []string{head}
	if gapped {
		parts = append(parts, tail)
	}
	for i, p := range parts {
		p, last := strings.CutSuffix(p, "$")
		open := strings.HasSuffix(p, "*")
		p = strings.TrimSuffix(p, "*")
		if r, n := utf8.DecodeLastRuneInString(p); n > 0 && r < 0x3000 && !open {
			p += " "
		}
		if last {
			p += "\x01"
		}
		if len(p) < 3 {
			return "", fmt.Errorf("%q is too short", word)
		}
		parts[i] = p
	}
	if word = strings.Join(parts, "\x00"); len(word) > 0x7f {
		return "", fmt.Errorf("%q is too long", word)
	}
	return word, nil
}
