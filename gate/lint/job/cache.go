package job

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// The result of a whole library is kept under the cache folder as long as no file
// changes that went into it. A key is a hash over the path, size and time of every
// file in the skills' folders, the settings, what the journal says, and this binary.

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
	fmt.Fprintf(h, "lint 3\n%s\n%s\n%s\n", index.AnalyzerVersion, j.Cwd, j.Dirs.Hosts.Name)
	for _, file := range append([]string{
		self, filepath.Join(j.Dirs.Config, "synonyms.yaml"), filepath.Join(j.Dirs.State, enrich.File),
		j.Dirs.Hosts.Policy.User,
	}, files...) {
		stamp(h, file)
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

func stamp(w io.Writer, file string) {
	if info, err := os.Stat(file); err == nil {
		fmt.Fprintf(w, "%s\x00%d\x00%d\n", file, info.Size(), system.Changed(info))
	}
}

func (j *Job) cacheFile(key string) string {
	return filepath.Join(j.Dirs.Cache, "lint", key+".json")
}

func (j *Job) cached(key string) *lint.Result {
	if key == "" {
		return nil
	}
	text, err := regular.Read(j.cacheFile(key), maxKept)
	if err != nil {
		return nil
	}
	res := new(lint.Result)
	if json.Unmarshal(text, res) != nil {
		return nil
	}
	return res
}

// maxKept is the size of the largest file of the cache that is read, in bytes.
const maxKept = 64 << 20

const cacheAge = 14 * 24 * time.Hour

func (j *Job) store(key string, res *lint.Result) {
	if key == "" {
		return
	}
	file := j.cacheFile(key)
	text, err := json.Marshal(res)
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

// changedSkills lists the skills in whose folder git sees a change against a
// revision: committed since, staged, in the working tree, or not yet added.
func (j *Job) changedSkills(ctx context.Context, l *lint.Library) (map[string]bool, error) {
	if strings.HasPrefix(j.Changed, "-") {
		return nil, fmt.Errorf("--changed=%s: want a revision", j.Changed) // git would read an option
	}
	tops := map[string]bool{}
	for _, s := range l.Skills {
		if s.Path != "" {
			tops[filepath.Dir(filepath.Dir(s.Path))] = true
		}
	}
	files := map[string]bool{}
	asked := map[string]bool{}
	for dir := range tops {
		top, err := gitLines(ctx, dir, "rev-parse", "--show-toplevel")
		if err != nil || len(top) == 0 || asked[top[0]] {
			continue // not in a repository: nothing is changed there
		}
		asked[top[0]] = true
		base, err := revision(ctx, top[0], j.Changed)
		if err != nil {
			return nil, err
		}
		changed, err := gitLines(ctx, top[0], "diff", "--name-only", "-z", base, "--")
		if err != nil {
			return nil, err
		}
		added, err := gitLines(ctx, top[0], "ls-files", "--others", "--exclude-standard", "-z")
		if err != nil {
			return nil, err
		}
		for _, f := range append(changed, added...) {
			files[filepath.Join(top[0], f)] = true
		}
	}
	if len(asked) == 0 {
		return nil, ErrNoRepository
	}
	j.Diff = files
	only := map[string]bool{}
	for _, s := range l.Skills {
		if s.Path == "" {
			continue
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(s.Path))
		if err != nil {
			continue
		}
		for f := range files {
			if below(f, dir) {
				only[s.ID] = true
				break
			}
		}
	}
	return only, nil
}

// revision is what git compares with: the one that was asked for, or the tree of no
// files where HEAD is, before the first commit, no revision yet.
func revision(ctx context.Context, top, asked string) (string, error) {
	if asked != ChangedDefault {
		return asked, nil
	}
	if _, err := gitLines(ctx, top, "rev-parse", "--verify", "--quiet", asked); err == nil {
		return asked, nil
	}
	tree, err := gitLines(ctx, top, "hash-object", "-t", "tree", os.DevNull)
	if err != nil || len(tree) == 0 {
		return asked, err
	}
	return tree[0], nil
}

// gitLines runs git in dir and returns what it printed: names that each end in NUL,
// or else one line.
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
