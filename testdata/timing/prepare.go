package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// prepareCommand makes libraries in a process of its own. On Linux a child's peak
// memory starts at its parent's, so the one that measures must stay small.
const prepareCommand = "prepare"

// make runs prepare in another process.
func (t *timing) make(args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{prepareCommand}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// prepare takes "copy TO FROM..." or "vary NUMBER TO FROM...": it copies libraries
// into TO, or makes NUMBER skills in TO from those of FROM.
func prepare(args []string) error {
	switch {
	case len(args) > 2 && args[0] == "copy":
		for i, from := range args[2:] {
			paths, err := skillFiles(from)
			if err != nil {
				return err
			}
			for _, path := range paths {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				folder := filepath.Base(filepath.Dir(path))
				if i > 0 {
					folder += "-" + strconv.Itoa(i)
				}
				if err := writeSkill(filepath.Join(args[1], folder), text); err != nil {
					return err
				}
			}
		}
		return nil
	case len(args) > 3 && args[0] == "vary":
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return vary(n, args[2], args[3:])
	}
	return fmt.Errorf("unknown arguments %q", args)
}

// skillFiles returns the SKILL.md files one level below dir, in order.
func skillFiles(dir string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "SKILL.md"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: no */SKILL.md", dir)
	}
	return paths, err
}

func writeSkill(dir string, text []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "SKILL.md"), text, 0o600)
}

const (
	replaced = 0.3  // part of the words of a made skill that come from elsewhere
	invented = 0.05 // part of those that no other skill has
	drawn    = 2000 // skills that words are drawn from
)

var (
	word     = regexp.MustCompile(`\pL{5,}`)
	nameLine = regexp.MustCompile(`(?m)^name:.*$`)
)

// vary makes n skills in dir: the skills of the libraries as they are, then copies
// of them in which words are exchanged for words from the running text of other
// skills, which keeps frequent words frequent, or for words that occur once. The
// same arguments give the same skills.
func vary(n int, dir string, libraries []string) error {
	var paths []string
	for _, library := range libraries {
		more, err := skillFiles(library)
		if err != nil {
			return err
		}
		paths = append(paths, more...)
	}
	random := rand.New(rand.NewPCG(uint64(n), uint64(len(paths))))
	var words []string
	for i := 0; i < len(paths); i += len(paths)/drawn + 1 {
		text, err := os.ReadFile(paths[i])
		if err != nil {
			return err
		}
		words = append(words, word.FindAllString(string(text), -1)...)
	}
	if len(words) == 0 {
		return errors.New("the libraries hold no words")
	}
	for i := range n {
		path := paths[i%len(paths)]
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Base(filepath.Dir(path))
		if round := i / len(paths); round > 0 {
			name = fmt.Sprintf("%s-v%d", name, round)
			text = exchange(text, words, random)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			name = fmt.Sprintf("%s-n%d", name, i) // two libraries have it
		}
		text = nameLine.ReplaceAll(text, []byte("name: "+name))
		if err := writeSkill(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// exchange replaces words of a text, but no keys of its frontmatter.
func exchange(text []byte, words []string, random *rand.Rand) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	last := 0
	for _, at := range word.FindAllIndex(text, -1) {
		if at[1] < len(text) && text[at[1]] == ':' || random.Float64() >= replaced {
			continue
		}
		with := words[random.IntN(len(words))]
		if random.Float64() < invented {
			with += string([]rune{'a' + rune(random.IntN(26)), 'a' + rune(random.IntN(26)), 'a' + rune(random.IntN(26)), 'a' + rune(random.IntN(26))})
		}
		out = append(append(out, text[last:at[0]]...), with...)
		last = at[1]
	}
	return append(out, text[last:]...)
}

// general are prompts of everyday work. Others are made from the library itself.
var general = []string{
	"이 회의 녹취록을 회의록으로 정리해줘",
	"우리 서비스 로그에서 오류가 늘어난 원인을 찾아줘",
	"write unit tests for the payment module and run them",
	"review the open pull request for security problems and suggest fixes",
	"엑셀 매출 데이터를 월별로 집계하고 그래프로 그려줘",
	"turn this blog post into a short newsletter for customers",
	"고객 문의에 보낼 사과 메일 초안을 써줘",
	"set up a CI pipeline that builds the container and deploys it to staging",
	"React 컴포넌트가 느린데 렌더링을 최적화해줘",
	"translate the user guide into Korean and keep the markdown as it is",
	"summarise these three papers and compare their methods",
	"make a slide deck for the quarterly review with charts",
}

// fromLibrary returns n prompts: the beginnings of descriptions, words long.
func fromLibrary(dir string, n, words int) ([]string, error) {
	paths, err := skillFiles(dir)
	if err != nil {
		return nil, err
	}
	var prompts []string
	for i := 0; i < len(paths) && len(prompts) < n; i += max(len(paths)/n, 1) {
		text, err := os.ReadFile(paths[i])
		if err != nil {
			return nil, err
		}
		_, after, ok := strings.Cut(string(text), "\ndescription:")
		if !ok {
			continue
		}
		if fields := strings.Fields(strings.Trim(after, " >|-\"'\n")); len(fields) > words {
			prompts = append(prompts, "please "+strings.Join(fields[:words], " "))
		}
	}
	return prompts, nil
}

// pasted returns a prompt of about size bytes: the text of skills of dir.
func pasted(dir string, size int) (string, error) {
	paths, err := skillFiles(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("what do these have in common, and which should I use?\n")
	for i := 0; b.Len() < size; i++ {
		text, err := os.ReadFile(paths[i*7%len(paths)])
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	s := b.String()[:size]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s, nil
}
