package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/outcome"
)

// The arms of a trial. In every arm the model gets the client's listing of skills.
const (
	armListing = "listing" // only the listing
	armHints   = "hints"   // the listing and skillgate's hook
	armTold    = "told"    // the listing and the right answer in the system prompt
)

var trialArms = []string{armListing, armHints, armTold}

// trial gives labelled prompts to a real client and counts the skills that its model loads.
type trial struct {
	client, program, model string
	library                string // folder of skill folders
	skills, limit          int    // numbers of skills and of prompts to use; 0 means all
	results                string // JSON Lines file of runs, which a later trial continues
	yes                    bool
	work                   string // folder with a home folder for each arm
}

type trialRun struct {
	Prompt string   `json:"prompt"` // id of the prompt
	Arm    string   `json:"arm"`
	Model  string   `json:"model"`
	Client string   `json:"client"` // version of the client
	Date   string   `json:"date"`
	Right  []string `json:"right"`  // names of the right skills; empty if none is needed
	Loaded []string `json:"loaded"` // names of the skills that the model loaded
	Cost   float64  `json:"cost"`   // in dollars, as reported by the client
}

func newHelpsCommand(a *app.App) *cobra.Command {
	var t trial
	cmd := &cobra.Command{
		Use:   "helps LIBRARY PROMPTS",
		Short: "Count the right and wrong skills that a model loads with and without suggestions",
		Long: `helps gives each prompt of PROMPTS to Claude Code three times, each time in a new session with the
skills of the folder LIBRARY: with the client's listing alone (listing), with skillgate's suggestions (hints), and with
the right answer in the system prompt (told). It counts right and wrong skills for prompts that need one, and
loaded skills for prompts that need none, with 95 % intervals (Wilson).

ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL are the key and the address of the model. Without --yes only the first
prompt is run, to estimate the price. Finished runs are kept in the file of --results and are not repeated. The
only tool in a run is the one that loads a skill.`,
		Example: "  skillgate-dev helps skills dev_ko_library.jsonl --model claude-sonnet-4-5 --skills 180 --yes",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			t.library = args[0]
			set, err := bench.ReadPromptFile(args[1])
			if err != nil {
				return err
			}
			return t.run(cmd.Context(), a, set.Prompts)
		},
	}
	cmd.Flags().StringVar(&t.client, "client", "claude", "run this `PROGRAM` as Claude Code")
	cmd.Flags().StringVar(&t.program, "program", "skillgate", "run this `PROGRAM` as skillgate")
	cmd.Flags().StringVar(&t.model, "model", "", "run Claude Code with this `MODEL`")
	cmd.Flags().StringVar(&t.results, "results", "helps.jsonl", "store finished runs in `FILE`")
	cmd.Flags().IntVar(&t.skills, "skills", 0, "use at most `N` skills, starting with those that prompts need; 0 for all")
	cmd.Flags().IntVar(&t.limit, "prompts", 0, "run the first `N` prompts; 0 for all")
	cmd.Flags().BoolVar(&t.yes, "yes", false, "run all prompts, not only the first")
	_ = cmd.MarkFlagRequired("model") // the flag exists
	return cmd
}

func (t *trial) run(ctx context.Context, a *app.App, prompts []bench.Prompt) error {
	if t.limit > 0 {
		prompts = prompts[:min(t.limit, len(prompts))]
	}
	version, err := exec.CommandContext(ctx, t.client, "--version").Output()
	if err != nil {
		return fmt.Errorf("%s --version: %w", t.client, err)
	}
	if t.work, err = os.MkdirTemp("", "skillgate-helps"); err != nil {
		return err
	}
	defer os.RemoveAll(t.work)
	if err := t.prepare(ctx, prompts); err != nil {
		return err
	}
	runs, err := t.read()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(t.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	client, _, _ := strings.Cut(strings.TrimSpace(string(version)), " ")
	all := len(prompts) * len(trialArms)
	for i, p := range prompts {
		for _, arm := range trialArms {
			same := func(r trialRun) bool {
				return r.Prompt == p.ID && r.Arm == arm && r.Model == t.model && r.Client == client
			}
			if slices.ContainsFunc(runs, same) {
				continue
			}
			r, err := t.ask(ctx, p, arm)
			if err != nil {
				return fmt.Errorf("%s, prompt %s: %w", arm, p.ID, err)
			}
			r.Client = client
			if err := json.NewEncoder(out).Encode(r); err != nil {
				return err
			}
			runs = append(runs, r)
		}
		cost := 0.
		for _, r := range runs {
			cost += r.Cost
		}
		a.Note("%d of %d prompts finished; cost so far: $%.4f", i+1, len(prompts), cost)
		if !t.yes && i+1 < len(prompts) {
			a.Note("all %d runs would cost about $%.2f; add --yes to run them", all, cost/float64(len(runs))*float64(all))
			break
		}
	}
	return t.print(a.Stdout, client, runs)
}

func (t *trial) prepare(ctx context.Context, prompts []bench.Prompt) error {
	entries, err := os.ReadDir(t.library)
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, p := range prompts {
		for _, id := range slices.Concat(p.Gold, p.AlsoOK) {
			needed[path.Base(id)] = true
		}
	}
	slices.SortStableFunc(entries, func(x, y os.DirEntry) int {
		return cmp.Compare(btoi(!needed[x.Name()]), btoi(!needed[y.Name()]))
	})
	if t.skills > 0 {
		entries = entries[:min(t.skills, len(entries))]
	}
	for _, arm := range trialArms {
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			to := filepath.Join(t.home(arm), ".claude", "skills", e.Name())
			if err := os.CopyFS(to, os.DirFS(filepath.Join(t.library, e.Name()))); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(filepath.Join(t.home(arm), "work"), 0o700); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"index"}, {"install", "--hook", "--yes"}} {
		cmd := t.command(ctx, armHints, t.program, args...)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s %s: %w: %s", t.program, strings.Join(args, " "), err, text)
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *trial) home(arm string) string { return filepath.Join(t.work, arm) }

func (t *trial) command(ctx context.Context, arm, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(t.home(arm), "work")
	for _, pair := range os.Environ() {
		if key, _, _ := strings.Cut(pair, "="); !strings.HasPrefix(key, "XDG_") && key != "CLAUDE_CONFIG_DIR" {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+t.home(arm), "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	cmd.WaitDelay = time.Second
	return cmd
}

func (t *trial) ask(ctx context.Context, p bench.Prompt, arm string) (trialRun, error) {
	r := trialRun{Prompt: p.ID, Arm: arm, Model: t.model, Date: time.Now().UTC().Format(time.DateOnly),
		Right: []string{}, Loaded: []string{}}
	for _, id := range slices.Concat(p.Gold, p.AlsoOK) {
		r.Right = append(r.Right, path.Base(id))
	}
	args := []string{"-p", p.Query, "--model", t.model, "--output-format", "stream-json", "--verbose", "--max-turns", "2",
		"--allowedTools", "Skill", "--tools", "Skill"}
	if arm == armTold {
		answer := "No skill is needed for the prompt."
		if len(p.Gold) > 0 {
			answer = "The skill for the prompt is " + path.Base(p.Gold[0]) + "."
		}
		args = append(args, "--append-system-prompt", answer)
	}
	var errs bytes.Buffer
	cmd := t.command(ctx, arm, t.client, args...)
	cmd.Stderr = &errs
	text, err := cmd.Output()
	ended, scanErr := r.scan(bytes.NewReader(text))
	if scanErr == nil && !ended { // status 1 alone is not an error: the model wanted more turns
		return r, fmt.Errorf("the client printed no result: %w: %s%s", err, errs.Bytes(), text[max(0, len(text)-500):])
	}
	return r, scanErr
}

// scan reads the loaded skills and the price from the output of the client. ended reports whether the session was
// completed.
func (r *trialRun) scan(out io.Reader) (ended bool, err error) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct {
			Type    string
			Subtype string
			Cost    float64 `json:"total_cost_usd"`
			Message struct {
				Content json.RawMessage
			}
		}
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue
		}
		switch event.Type {
		case "result":
			r.Cost = event.Cost
			if event.Subtype != "success" && event.Subtype != "error_max_turns" {
				return true, errors.New("the client reports " + event.Subtype)
			}
			ended = true
		case "assistant":
			var blocks []struct {
				Type, Name string
				Input      struct{ Skill string }
			}
			_ = json.Unmarshal(event.Message.Content, &blocks) // content may be a string, which has no tool calls
			for _, b := range blocks {
				if name := b.Input.Skill; b.Type == "tool_use" && b.Name == "Skill" && !slices.Contains(r.Loaded, name) {
					r.Loaded = append(r.Loaded, name)
				}
			}
		}
	}
	return ended, lines.Err()
}

func (t *trial) read() ([]trialRun, error) {
	text, err := os.ReadFile(t.results)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var runs []trialRun
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var r trialRun
		if err := json.Unmarshal(line, &r); err != nil && len(line) > 0 {
			return nil, fmt.Errorf("%s:%d: %w", t.results, i+1, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

type trialCount struct{ needed, right, wrong, none, needless int }

func count(runs []trialRun, arm, model, client string) (c trialCount) {
	for _, r := range runs {
		if r.Arm != arm || r.Model != model || r.Client != client {
			continue
		}
		right := slices.ContainsFunc(r.Loaded, func(name string) bool { return slices.Contains(r.Right, name) })
		switch {
		case len(r.Right) == 0:
			c.none++
			c.needless += btoi(len(r.Loaded) > 0)
		default:
			c.needed++
			c.right += btoi(right)
			c.wrong += btoi(!right && len(r.Loaded) > 0)
		}
	}
	return c
}

func (t *trial) print(w io.Writer, client string, runs []trialRun) error {
	fmt.Fprintf(w, "%s, Claude Code %s, %s\n\n", t.model, client, time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintln(w, "| | prompts | right skill | wrong skill | unneeded skill |\n|---|---|---|---|---|")
	for _, arm := range trialArms {
		c := count(runs, arm, t.model, client)
		fmt.Fprintf(w, "| %s | %d + %d | %s | %s | %s |\n", arm, c.needed, c.none,
			share(c.right, c.needed), share(c.wrong, c.needed), share(c.needless, c.none))
	}
	return nil
}

func share(hits, n int) string {
	if n == 0 {
		return "–"
	}
	r := outcome.Wilson(hits, n, float64(n))
	return fmt.Sprintf("%.2f [%.2f, %.2f]", r.Value, r.Low, r.High)
}
