package bring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
)

// git is a repository at a revision, read with the git program and its credentials. No file is
// checked out: hooks, filters and submodules of the repository do not run.
type git struct {
	limits   artifact.Limits
	bare     string // repository on this machine
	address  string
	revision string
	folder   string // in the repository, "" for all of it
	commit   string
}

func (b *Bringer) newGit(reference string) (*git, error) {
	rest := strings.TrimPrefix(reference, "git+")
	rest, folder, _ := strings.Cut(rest, "#")
	at := strings.LastIndex(rest, "@")
	if at < strings.LastIndex(rest, "/") { // none, or that of user@host
		return nil, fmt.Errorf("%s: want @ and a branch, a tag or a commit behind the repository", reference)
	}
	g := &git{
		limits: b.Limits, address: rest[:at], revision: rest[at+1:], folder: strings.Trim(folder, "/"),
		bare: filepath.Join(fetched.Folder(b.Workspace.Dirs.Cache, reference), "git"),
	}
	if g.revision == "" || strings.HasPrefix(g.revision, "-") || strings.ContainsAny(g.revision, ":+^~ ") {
		return nil, fmt.Errorf("%s: %q is not a revision", reference, g.revision)
	}
	if g.folder != "" && !filepath.IsLocal(g.folder) {
		return nil, fmt.Errorf("%s: %q is not a folder of a repository", reference, g.folder)
	}
	switch scheme, _, _ := strings.Cut(g.address, "://"); scheme {
	case "https", "ssh", "file":
	default:
		return nil, fmt.Errorf("%s: want git+https, git+ssh or git+file", reference)
	}
	return g, nil
}

func (g *git) signer() string { return "" }

func (g *git) resolve(ctx context.Context) (string, error) {
	if err := disk.Ensure(g.bare, disk.Bare); err != nil {
		return "", err
	}
	if _, err := g.run(ctx, "init", "--quiet", "--bare", g.bare); err != nil {
		return "", err
	}
	_, err := g.run(ctx, "-C", g.bare, "fetch", "--quiet", "--depth=1", "--no-tags", "--", g.address, g.revision)
	if err != nil {
		return "", err
	}
	out, err := g.run(ctx, "-C", g.bare, "rev-parse", "FETCH_HEAD^{commit}")
	g.commit = strings.TrimSpace(string(out))
	return digestOf(g.commit, g.folder), err
}

func (g *git) unpack(ctx context.Context, tree string) error {
	what := g.commit
	if g.folder != "" {
		what += ":" + g.folder
	}
	cmd := g.command(ctx, "-C", g.bare, "archive", "--format=tar", what)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	name := path.Base(g.folder)
	if g.folder == "" {
		name = strings.TrimSuffix(path.Base(g.address), ".git")
	}
	err = artifact.UnpackTar(ctx, out, name, tree, g.limits)
	if err == nil {
		_, err = io.Copy(io.Discard, out)
	} else {
		_ = cmd.Process.Kill()
	}
	if end := cmd.Wait(); end != nil && err == nil {
		err = gitError(end, errs.Bytes())
	}
	return err
}

func (g *git) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := g.command(ctx, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = gitError(err, errs.Bytes())
	}
	return out, err
}

func (g *git) command(ctx context.Context, args ...string) *exec.Cmd {
	safe := []string{
		"-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never",
		"-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60", // bytes per second, seconds
	}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.WaitDelay = time.Second                             // what git has started may hold its output for longer
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0") // nobody is there to answer
	return cmd
}

func gitError(err error, text []byte) error {
	if line := strings.TrimSpace(string(text)); line != "" {
		return errors.New("git: " + line)
	}
	return fmt.Errorf("git: %w", err)
}
