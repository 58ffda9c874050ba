package main

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/creack/pty"

	"github.com/skillgate/skillgate/gate/wording"
)

const columns = 60 // width of the terminal in characters, as in style.css

type scene struct {
	About   string // caption
	Command string
	Output  template.HTML
}

var play = []scene{
	{About: "The hook answers Claude Code before the model reads the prompt.",
		Command: `cat prompt.json; skillgate hook <prompt.json`},
	{About: "A Korean prompt finds a skill that is described in English.",
		Command: `skillgate query "이 회의 녹취록을 회의록으로 정리해줘"`},
	{About: "A thank-you needs no skill.", Command: `skillgate query "ㅇㅋ 고마워!"`},
	{About: "The log shows what was decided and why.", Command: "skillgate log"},
}

// prompts holds the files that the commands read. The hook gets thanks.json before the recording, to fill the log.
var prompts = map[string]string{
	"thanks.json": `{"hook_event_name":"UserPromptSubmit","session_id":"1","prompt":"ㅇㅋ 고마워!"}`,
	"prompt.json": `{"hook_event_name":"UserPromptSubmit","session_id":"1","prompt":"review this PR for security issues"}`,
}

// record runs the commands of play on a terminal with skillgate built from repo. The home folder is
// temporary and has the skills of testdata/skills-e2e.
func record(ctx context.Context, repo string) (_ []scene, err error) {
	home, err := os.MkdirTemp("", "ann")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	bin, work := filepath.Join(home, ".local", "bin"), filepath.Join(home, "work")
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(bin, "skillgate"), "./cmd/skillgate")
	build.Dir = repo
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build skillgate: %w\n%s", err, out)
	}
	err = errors.Join(os.Mkdir(work, 0o700),
		os.CopyFS(filepath.Join(home, ".claude", "skills"), os.DirFS(filepath.Join(repo, "testdata", "skills-e2e"))))
	for name, text := range prompts {
		err = errors.Join(err, os.WriteFile(filepath.Join(work, name), []byte(text+"\n"), 0o600))
	}
	if err != nil {
		return nil, err
	}
	shell := func(command string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Dir = work
		cmd.Env = []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "TZ=UTC", "TERM=xterm-256color",
			"SKILLGATE_DEADLINE_MS=4000"} // the machine may be busy
		return cmd
	}
	if out, err := shell("skillgate index && skillgate hook <thanks.json").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("skillgate index: %w\n%s", err, out)
	}
	scenes := append([]scene(nil), play...)
	for i := range scenes {
		shown, err := onTerminal(shell(scenes[i].Command))
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", scenes[i].Command, err, shown)
		}
		shown = strings.TrimRight(strings.ReplaceAll(shown, home, "/home/ann"), "\n")
		scenes[i].Output = paint(shown)
	}
	return scenes, nil
}

func onTerminal(cmd *exec.Cmd) (string, error) {
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: columns})
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil && !errors.Is(err, syscall.EIO) { // EIO is the end of a terminal's output
		return "", err
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n"), cmd.Wait()
}

var (
	sequence = regexp.MustCompile("\x1b\\[([0-9;?]*)([A-Za-z])|\r")
	wideRun  = regexp.MustCompile(`[\p{Hangul}\p{Han}]+`)
)

// paint turns terminal output into HTML. Colours become classes, and runs of wide letters get the width that
// they have on a terminal, whatever the font.
func paint(text string) template.HTML {
	var b strings.Builder
	open := false
	plain := func(s string) {
		s = template.HTMLEscapeString(s)
		b.WriteString(wideRun.ReplaceAllStringFunc(s, func(run string) string {
			return fmt.Sprintf(`<i style="width:%dch">%s</i>`, wording.Width(run), run)
		}))
	}
	at := 0
	for _, m := range sequence.FindAllStringSubmatchIndex(text, -1) {
		plain(text[at:m[0]])
		at = m[1]
		if m[4] < 0 || text[m[4]:m[5]] != "m" {
			continue // the sequence belongs to a progress bar that has been erased
		}
		if open {
			b.WriteString("</span>")
			open = false
		}
		if code := text[m[2]:m[3]]; code != "" && code != "0" {
			fmt.Fprintf(&b, `<span class="c%s">`, strings.ReplaceAll(code, ";", " c"))
			open = true
		}
	}
	plain(text[at:])
	if open {
		b.WriteString("</span>")
	}
	return template.HTML(b.String()) //nolint:gosec // all text is escaped above
}
