package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/meaning"
	"github.com/skillgate/skillgate/gate/tune"
	"github.com/skillgate/skillgate/synonyms"
)

type meaningFlags struct{ cache, write string }

// meaningWords limits the table of package meaning to the most frequent words.
const meaningWords = 15_000

// meaningLearning stops at 400 steps, because the vectors overfit after about 500.
var meaningLearning = tune.Learning{Dim: meaning.Dim, Steps: 400, Batch: 1024, Rate: 3e-3, WeightRate: 2e-2,
	Temperature: 0.12, Drop: 0.3, Seed: 7}

func newMeaningCommand() *cobra.Command {
	var f meaningFlags
	cmd := &cobra.Command{
		Use:   "meaning FOLDER REPOSITORY…",
		Short: "Train the table of word meanings (gate/meaning) on public collections of skills",
		Long: `meaning reads the newest commit of bare Git repositories, each in a folder OWNER+NAME or in its subfolder repo,
finds the skills in them and the requests that their authors wrote for them, and trains the table of package meaning.
It refuses owners and repositories of the test sets in the bench folder FOLDER (owners.sha256) and skills that are
equal or similar to one in a test library. Next to the table it writes corpus.txt.gz, which lists repositories,
commits and owners.`,
		Example: "  skillgate-dev train meaning bench mirror/*/repo --write gate/meaning/table.bin",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return trainMeaning(cmd.Context(), args[0], args[1:], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.cache, "samples", "", "cache the corpus in `FILE` and reuse it if the file exists")
	flags.StringVar(&f.write, "write", "", "write the table to `FILE`")
	return cmd
}

func trainMeaning(ctx context.Context, bench string, repositories []string, f meaningFlags) error {
	all, err := kept(f.cache, func() ([]corpus, error) {
		var c corpus
		err := c.read(ctx, bench, repositories)
		return []corpus{c}, err
	})
	if err != nil {
		return err
	}
	fmt.Println(all[0].Summary)
	t := all[0].texts(meaningWords)
	learning := meaningLearning
	learning.Progress = func(step int, loss float64) {
		if step%20 == 0 {
			fmt.Fprintf(os.Stderr, "%4d %.3f\n", step, loss)
		}
	}
	table, placed := meaning.New(t.Words, tune.LearnMeaning(t, learning))
	fmt.Printf("%d words (table: %d), %d skills, %d requests\n", len(t.Words), placed, len(t.Skills), len(t.Requests))
	if f.write == "" {
		return nil
	}
	var list bytes.Buffer
	w := gzip.NewWriter(&list)
	_, err = w.Write([]byte(all[0].List))
	return errors.Join(err, w.Close(), os.WriteFile(f.write, table.Bytes(), 0o644),
		os.WriteFile(filepath.Join(filepath.Dir(f.write), "corpus.txt.gz"), list.Bytes(), 0o644))
}

// corpus holds the skills of public collections. In Skills, a word is represented by its index in Words.
type corpus struct {
	Words   []string
	Owners  [][3]int32 // for each word the first three owners who use it, numbered from 1; 0 is none
	Skills  []learned
	Summary string
	List    string
}

type learned struct {
	Owner   int32
	Text    []int32
	Request [][]int32
	Kind    []byte // kind of each request
}

// Kinds of requests.
const (
	said     = iota // a quoted phrase, or an item of a list of triggers
	occasion        // an item of "Use when …"
	purpose         // the first sentence of the description
	named           // the skill's name
	listed          // a bullet under "When to use"
	quoted          // a line of the body in quotation marks
	kinds
)

// drawn is the sampling weight of each kind of request.
var drawn = [kinds]float64{said: 3, occasion: 1, purpose: 0.5, named: 0.3, listed: 1.5, quoted: 2}

func (c *corpus) texts(most int) *tune.Texts {
	counts := make([]int, len(c.Words))
	total := 0
	for _, s := range c.Skills {
		for _, w := range s.Text {
			counts[w]++
		}
		for _, r := range s.Request {
			for _, w := range r {
				counts[w]++
			}
		}
	}
	var order []int32
	for w := range c.Words {
		if c.Owners[w][2] != 0 {
			order = append(order, int32(w))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(c.Words[a], c.Words[b]))
	})
	order = order[:min(most, len(order))]
	number := make([]int32, len(c.Words))
	for i := range number {
		number[i] = -1
	}
	t := &tune.Texts{}
	for i, w := range order {
		number[w] = int32(i)
		total += counts[w]
	}
	for _, w := range order {
		t.Words, t.Share = append(t.Words, c.Words[w]), append(t.Share, float64(counts[w])/float64(total))
	}
	convert := func(words []int32) (out []int32) {
		for _, w := range words {
			if number[w] >= 0 {
				out = append(out, number[w])
			}
		}
		return out
	}
	for _, s := range c.Skills {
		text := convert(s.Text)
		if len(text) < 5 {
			continue
		}
		t.Skills = append(t.Skills, text)
		for i, r := range s.Request {
			if words := convert(r); len(words) > 0 {
				t.Requests = append(t.Requests, tune.Asked{Skill: int32(len(t.Skills) - 1), Words: words, Weight: drawn[s.Kind[i]]})
			}
		}
	}
	return t
}

func (c *corpus) read(ctx context.Context, bench string, repositories []string) error {
	r := reader{c: c, analyzer: index.NewAnalyzer(synonyms.Default()), refused: map[string]bool{},
		tests: map[uint64]bool{}, seen: map[uint64]bool{}, number: map[string]int32{}, owners: map[string]int32{}}
	if err := r.refuse(bench); err != nil {
		return err
	}
	var list strings.Builder
	for _, dir := range repositories {
		before, kept := r.skills, len(c.Skills)
		commit, err := r.repository(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		fmt.Fprintf(&list, "repository %s %s\n", repositoryName(dir), commit)
		fmt.Fprintf(os.Stderr, "%s: %d skills, %d kept\n", repositoryName(dir), r.skills-before, len(c.Skills)-kept)
	}
	owners := make([]string, 0, len(r.owners))
	for o := range r.owners {
		owners = append(owners, o)
	}
	slices.Sort(owners)
	for _, o := range owners {
		fmt.Fprintf(&list, "owner %s\n", o)
	}
	c.List = list.String()
	c.Summary = fmt.Sprintf("skills read: %d; left out: %d from excluded owners, %d from test libraries, %d copies; "+
		"kept: %d from %d owners", r.skills, r.byOwner, r.inTest, r.copies, len(c.Skills), len(r.owners))
	return nil
}

type reader struct {
	c        *corpus
	analyzer *index.Analyzer
	refused  map[string]bool  // SHA-256 of the excluded owners and repositories
	tests    map[uint64]bool  // shingles of test libraries
	seen     map[uint64]bool  // shingles of the skills that were kept
	number   map[string]int32 // index of a word in corpus.Words
	owners   map[string]int32 // number of an owner, from 1

	skills, byOwner, inTest, copies int
}

// refuse reads the owners and libraries of a bench folder, which must not be used for training.
func (r *reader) refuse(bench string) error {
	text, err := os.ReadFile(filepath.Join(bench, "owners.sha256"))
	if err != nil {
		return err
	}
	for _, line := range strings.Fields(string(text)) {
		r.refused[line] = true
	}
	return filepath.WalkDir(bench, func(file string, d fs.DirEntry, err error) error {
		name := filepath.Base(file)
		if err != nil || d.IsDir() || !strings.HasPrefix(name, "library") && !strings.HasPrefix(name, "siblings") ||
			!strings.HasSuffix(name, ".jsonl.gz") {
			return err
		}
		entries, err := libraryfile.Read(file)
		for i := range entries {
			for _, h := range shingles(&entries[i]) {
				r.tests[h] = true
			}
		}
		return err
	})
}

// shingles returns hashes of a quarter of the four-word sequences in the text of a skill.
func shingles(e *catalog.Entry) []uint64 {
	words := strings.Fields(strings.ToLower(e.Description + " " + clip.Bytes(e.Body, 4000)))
	var out []uint64
	for i := 0; i+4 <= len(words); i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+4] {
			h.Write([]byte(w))
			h.Write([]byte{' '})
		}
		if sum := h.Sum64(); sum>>13%4 == 0 {
			out = append(out, sum)
		}
	}
	return out
}

// nearCopy is the minimum share of known shingles at which a skill counts as a copy.
const nearCopy = 0.5

func among(all []uint64, set map[uint64]bool) bool {
	n := 0
	for _, h := range all {
		if set[h] {
			n++
		}
	}
	return len(all) > 0 && float64(n) >= nearCopy*float64(len(all))
}

// repositoryName returns OWNER/NAME for a folder OWNER+NAME or OWNER+NAME/repo.
func repositoryName(dir string) string {
	name := filepath.Base(filepath.Clean(dir))
	if name == "repo" {
		name = filepath.Base(filepath.Dir(filepath.Clean(dir)))
	}
	return strings.Replace(name, "+", "/", 1)
}

func (r *reader) isRefused(name string) bool {
	sum := sha256.Sum256([]byte(strings.ToLower(name)))
	return r.refused[hex.EncodeToString(sum[:])]
}

// owner returns the owner of a skill in a repository. Collections keep skills of other owners in folders named
// OWNER--NAME--SKILL, OWNER@NAME or OWNER/SKILL. It reports false if the owner or repository is refused.
func (r *reader) owner(repository, file string) (string, bool) {
	owner, name, _ := strings.Cut(repository, "/")
	if r.isRefused(owner) || r.isRefused(repository) {
		return "", false
	}
	var parts []string
	for _, folder := range strings.Split(path.Dir(file), "/") {
		parts = append(parts, strings.Split(strings.ReplaceAll(folder, "--", "@"), "@")...)
	}
	for i, p := range parts {
		if r.isRefused(p) || i+1 < len(parts) && r.isRefused(p+"/"+parts[i+1]) {
			return "", false
		}
	}
	folder := strings.Split(path.Dir(file), "/")
	for _, f := range folder {
		for _, mark := range []string{"--", "@"} {
			if before, _, ok := strings.Cut(f, mark); ok && before != "" {
				return strings.ToLower(before), true
			}
		}
	}
	if name == "skills" && len(folder) > 2 { // skills/OWNER/SKILL
		return strings.ToLower(folder[1]), true
	}
	return strings.ToLower(owner), true
}

func (r *reader) repository(ctx context.Context, dir string) (string, error) {
	git := func(args ...string) *exec.Cmd {
		return exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	}
	commit, err := git("rev-parse", "HEAD").Output()
	if err != nil {
		return "", err
	}
	tree, err := git("ls-tree", "-r", "-z", "HEAD").Output()
	if err != nil {
		return "", err
	}
	var files, objects []string
	for _, line := range strings.Split(string(tree), "\x00") {
		info, file, ok := strings.Cut(line, "\t")
		if ok && strings.EqualFold(path.Base(file), "SKILL.md") {
			files, objects = append(files, file), append(objects, strings.Fields(info)[2])
		}
	}
	cat := git("cat-file", "--batch")
	cat.Stdin = strings.NewReader(strings.Join(objects, "\n") + "\n")
	out, err := cat.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cat.Start(); err != nil {
		return "", err
	}
	in := bufio.NewReader(out)
	name := repositoryName(dir)
	for _, file := range files {
		head, err := in.ReadString('\n')
		if err != nil {
			return "", err
		}
		var id, kind string
		var size int
		if _, err := fmt.Sscan(head, &id, &kind, &size); err != nil || kind != "blob" {
			continue // the object is missing in the snapshot
		}
		text := make([]byte, size+1)
		if _, err := io.ReadFull(in, text); err != nil {
			return "", err
		}
		if size < 200_000 {
			r.skill(name, file, bytes.TrimSuffix(text, []byte("\n")))
		}
	}
	return strings.TrimSpace(string(commit)), cat.Wait()
}

func (r *reader) skill(repository, file string, text []byte) {
	r.skills++
	owner, ok := r.owner(repository, file)
	if !ok {
		r.byOwner++
		return
	}
	folder := path.Base(path.Dir(file))
	if at := strings.LastIndex(folder, "--"); at >= 0 {
		folder = folder[at+2:]
	}
	root := catalog.Root{Pool: catalog.Skill, Source: catalog.Personal}
	e := catalog.Parse(root, catalog.File{Path: "/" + file, Folder: folder}, text)
	all := shingles(&e)
	switch {
	case len(all) < 5 || e.Frontmatter == "":
		r.copies++
		return
	case among(all, r.tests):
		r.inTest++
		return
	case among(all, r.seen):
		r.copies++
		return
	}
	for _, h := range all {
		r.seen[h] = true
	}
	if r.owners[owner] == 0 {
		r.owners[owner] = int32(len(r.owners) + 1)
	}
	s := learned{Owner: r.owners[owner]}
	s.Text = r.words(s.Owner, index.Purpose(&e))
	ask := func(kind byte, text string) {
		if words := r.words(s.Owner, clip.Bytes(text, 400)); len(words) > 0 && len(words) <= 80 {
			s.Request, s.Kind = append(s.Request, words), append(s.Kind, kind)
		}
	}
	quotedPhrase := map[string]bool{}
	for _, p := range catalog.Said(e.Description, e.WhenToUse) {
		quotedPhrase[p] = true
	}
	for _, t := range e.Triggers[:min(len(e.Triggers), 24)] {
		if quotedPhrase[t] {
			ask(said, t)
		} else {
			ask(occasion, t)
		}
	}
	first, _, _ := strings.Cut(e.Capability, ". ")
	ask(purpose, first)
	ask(named, e.Name)
	under := false
	n := 0
	for line := range strings.Lines(clip.Bytes(e.Body, 30_000)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			under = whenHeading.MatchString(line) && !notHeading.MatchString(line)
			continue
		}
		if n == 24 {
			break
		}
		if m := bullet.FindStringSubmatch(line); under && m != nil {
			ask(listed, strings.Trim(m[1], "*\"“”` "))
			n++
		} else if m := userLine.FindStringSubmatch(line); m != nil {
			ask(quoted, m[1])
			n++
		}
	}
	r.c.Skills = append(r.c.Skills, s)
}

var (
	whenHeading = regexp.MustCompile(`(?i)when to|use case|trigger|example (request|prompt|quer)|usage example|` +
		`언제|사용 시|트리거|いつ|使用場面|トリガー|何时|使用场景|触发|适用`)
	notHeading = regexp.MustCompile(`(?i)\bnot\b|don't|never|不|말아|않`)
	bullet     = regexp.MustCompile(`^[-*•]\s+(.{6,300})$`)
	userLine   = regexp.MustCompile(`^(?:[-*•>\d.]+\s*)?(?:\*\*)?` +
		`(?:(?:User|Human|You|사용자|用户|ユーザー)\S{0,8}\s*[:：]\s*)?(?:\*\*)?` +
		`\s*["“「]([^"”」]{8,200})["”」]\.?$`)
)

func (r *reader) words(owner int32, text string) []int32 {
	var out []int32
	for _, w := range r.analyzer.Senses(r.analyzer.Tokens(text)) {
		n, ok := r.number[w]
		if !ok {
			n = int32(len(r.c.Words))
			r.number[w] = n
			r.c.Words, r.c.Owners = append(r.c.Words, w), append(r.c.Owners, [3]int32{})
		}
		for i, o := range r.c.Owners[n] {
			if o == owner {
				break
			}
			if o == 0 {
				r.c.Owners[n][i] = owner
				break
			}
		}
		out = append(out, n)
	}
	return out
}
