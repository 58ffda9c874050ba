package job

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// The result of a whole library is cached until one of its input files changes. The key is a hash of the path, size
// and modification time of every file in the skills' folders, the settings, journal usage and this binary. The states
// of other files that rules accessed are stored with the result.

func (j *Job) cacheKey(ctx context.Context, roots []catalog.Root, files []string,
	usage map[string]lint.Usage) (string, error) {
	if j.NoCache || j.Fixes || j.Changed != "" {
		return "", nil
	}
	h := sha256.New()
	self, err := os.Executable()
	if err != nil {
		return "", nil
	}
	fmt.Fprintf(h, "lint 4\n%s\n%s\n%s\n", index.AnalyzerVersion, j.Cwd, j.Dirs.Hosts.Name)
	for _, file := range append([]string{
		self, filepath.Join(j.Dirs.Config, "synonyms.yaml"), filepath.Join(j.Dirs.State, enrich.File),
		j.Dirs.Hosts.Policy.User,
	}, files...) {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(h, "%s\x00%d\x00%d\n", file, info.Size(), system.Changed(info))
		}
	}
	if err := json.NewEncoder(h).Encode([]any{j.Settings.Lint, j.Options.Severity, j.Options.Rules, roots,
		usage}); err != nil {
		return "", err
	}
	found, errs := catalog.Files(ctx, roots, nil)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	fmt.Fprintln(h, errs)
	for _, f := range found {
		fmt.Fprintf(h, "%s\x00%d\x00%d\x00%d\n", f.Path, f.Size, f.Changed, lint.Beside(f.Path))
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

func (j *Job) cacheFile(key string) string { return filepath.Join(j.Dirs.Cache, "lint", key+".json") }

func (j *Job) cached(key string) *lint.Result {
	if key == "" {
		return nil
	}
	text, err := regular.Read(j.cacheFile(key), maxKept)
	var was kept
	if err != nil || json.Unmarshal(text, &was) != nil || !was.Outside.Fresh() {
		return nil
	}
	return was.Result
}

type kept struct {
	Result  *lint.Result
	Outside lint.Outside
}

// maxKept is the maximum size in bytes of a cache file. Larger ones are not read.
const maxKept = 64 << 20

const cacheAge = 14 * 24 * time.Hour

func (j *Job) store(key string, res *lint.Result, l *lint.Library) {
	if key == "" {
		return
	}
	file := j.cacheFile(key)
	text, err := json.Marshal(kept{res, l.Outside()})
	if err != nil || disk.Keep(file, disk.Results, text, disk.Options{}) != nil {
		return
	}
	folder, err := disk.Open(filepath.Dir(file), disk.Results)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.Entries()
	for _, e := range entries {
		if info, err := e.Info(); err == nil && j.Now().Sub(info.ModTime()) > cacheAge {
			_ = folder.Remove(e.Name())
		}
	}
}

type change struct {
	lines   map[string][][2]int // changed line ranges by file path; nil means the whole file
	removed map[string]bool     // paths of deleted files
}

func (j *Job) changedSkills(ctx context.Context, l *lint.Library) (map[string]bool, *change, error) {
	if strings.HasPrefix(j.Changed, "-") {
		return nil, nil, fmt.Errorf("--changed=%s: not a git revision", j.Changed) // git would take it for an option
	}
	tops := map[string]bool{}
	for _, s := range l.Skills {
		if s.Path != "" {
			tops[filepath.Dir(filepath.Dir(s.Path))] = true
		}
	}
	c := &change{map[string][][2]int{}, map[string]bool{}}
	asked := map[string]bool{}
	for dir := range tops {
		top, err := gitLines(ctx, dir, "rev-parse", "--show-toplevel")
		if err != nil || len(top) == 0 || asked[top[0]] {
			continue // dir is not in a repository
		}
		asked[top[0]] = true
		base, err := revision(ctx, top[0], j.Changed)
		if err != nil {
			return nil, nil, err
		}
		diff, err := gitLines(ctx, top[0], "diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames",
			"--src-prefix=", "--dst-prefix=", base, "--")
		if err != nil {
			return nil, nil, err
		}
		c.read(top[0], strings.Join(diff, ""))
		added, err := gitLines(ctx, top[0], "ls-files", "--others", "--exclude-standard", "-z")
		if err != nil {
			return nil, nil, err
		}
		for _, f := range added {
			c.lines[filepath.Join(top[0], f)] = nil
		}
	}
	if len(asked) == 0 {
		return nil, nil, ErrNoRepository
	}
	only := map[string]bool{}
	for _, s := range l.Skills {
		dir, err := filepath.EvalSymlinks(filepath.Dir(s.Path))
		if s.Path == "" || err != nil {
			continue
		}
		for f := range c.lines {
			only[s.ID] = only[s.ID] || lint.Below(f, dir)
		}
		for f := range c.removed {
			only[s.ID] = only[s.ID] || lint.Below(f, dir) || strings.Contains(s.Src.Text, spokenOf(f))
		}
	}
	for _, part := range l.Parts() {
		if file, err := filepath.EvalSymlinks(part.Path); err == nil {
			_, only[part.ID] = c.lines[file]
		}
	}
	maps.DeleteFunc(only, func(_ string, changed bool) bool { return !changed })
	return only, c, nil
}

func spokenOf(file string) string {
	if name := filepath.Base(file); name != "SKILL.md" {
		return name
	}
	return filepath.Base(filepath.Dir(file))
}

func (c *change) read(top, diff string) {
	old, file := "", ""
	name := func(s string) string {
		s = strings.TrimRight(s, "\t")
		if plain, err := strconv.Unquote(s); err == nil {
			s = plain
		}
		return filepath.Join(top, s)
	}
	head := false // before the first @@ of a file; later lines may look like headers
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			head, file = true, ""
		case head && strings.HasPrefix(line, "--- "):
			old = name(line[len("--- "):])
		case head && line == "+++ /dev/null":
			c.removed[old] = true
		case head && strings.HasPrefix(line, "+++ "):
			file = name(line[len("+++ "):])
			c.lines[file] = [][2]int{}
		case head && strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ"):
			if _, after, ok := strings.Cut(strings.TrimSuffix(line, " differ"), " and "); ok && after != "/dev/null" {
				c.lines[name(after)] = nil
			}
		case strings.HasPrefix(line, "@@ ") && file != "":
			head = false
			_, after, _ := strings.Cut(line, " +")
			at, _, _ := strings.Cut(after, " ")
			first, count, several := strings.Cut(at, ",")
			from, _ := strconv.Atoi(first)
			n := 1
			if several {
				n, _ = strconv.Atoi(count)
			}
			c.lines[file] = append(c.lines[file], [2]int{from, from + n - 1})
		}
	}
}

func (c *change) touched(f *lint.Finding, file string, frontEnd int) bool {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return true // the file is missing
	}
	for gone := range c.removed {
		if strings.Contains(f.Text, spokenOf(gone)) {
			return true
		}
	}
	lines, changed := c.lines[real]
	from, to := f.Line, f.Line
	if f.Line <= frontEnd {
		from, to = 1, frontEnd
	}
	return changed && (lines == nil || f.Line == 0 ||
		slices.ContainsFunc(lines, func(r [2]int) bool { return r[0] <= to && from <= r[1] }))
}

// revision returns asked, or the empty tree if asked is HEAD and there is no commit yet.
func revision(ctx context.Context, top, asked string) (string, error) {
	if asked != ChangedDefault {
		return asked, nil
	}
	if _, err := gitLines(ctx, top, "rev-parse", "--verify", "--quiet", asked); err == nil {
		return asked, nil
	}
	tree, err := gitLines(ctx, top, "hash-object", "-t", "tree", os.DevNull)
	return strings.Join(tree, ""), err
}

func gitLines(ctx context.Context, dir string, args ...string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("git: %w", err)
	}
	if !bytes.Contains(out, []byte{0}) {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}
