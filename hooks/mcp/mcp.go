// Package mcp serves skills over the Model Context Protocol, for programs that do not run Claude Code's hooks.
//
// It has two tools, which answer with text for a model. The _meta of a result contains the same
// answer as a value for programs, under the key Meta:
//
//	skill_lookup  returns the skills that fit a prompt, with the hook's decision
//	skill_load    returns the text of a skill as the host would give it to the model
//
// It also serves the Skills extension of the protocol: skills/list, skills/get and the files of
// skills as resources.
//
// Only skills that the host can run are served, and only their files are read: a name is looked up in the index and
// never used as a path. Calls may be concurrent. Each opens the index anew, so that a long-running server sees
// newly installed skills. Lookups and loads are passed to a Log; nothing else is written.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/triage"
)

// Open opens a gate over the current indexes. The caller closes it.
type Open func(context.Context) (*gate.Gate, error)

// Log records the answers to clients. Its functions are called from several goroutines, before the client gets its
// answer. If a function fails, the client gets the error instead.
type Log struct {
	// Looked records a decision of g. Its prompt is redacted but not cut.
	Looked func(ctx context.Context, g *gate.Gate, d gate.Decision) error
	Loaded func(ctx context.Context, name, path string) error // records that a client loaded a skill
}

// Source determines what a server serves.
type Source struct {
	Open Open
	Log  Log
	// File returns the path of a skill's SKILL.md on this machine, and a value for LoadOutput.About. If File is nil,
	// the indexed path is used. If File is set, clients are assumed to be on other machines: they get URIs instead
	// of paths, and every file that is read is logged.
	File func(ctx context.Context, g *gate.Gate, d index.Doc) (file string, about any, err error)
	// Turn waits until a call may use processor time and memory, and returns a function that ends the turn. If Turn
	// is nil, calls do not wait. A call does not keep its turn while it waits for Open, Log or File.
	Turn func(context.Context) (done func(), err error)
}

func (s Source) inTurn(ctx context.Context, work func()) error {
	if s.Turn != nil {
		done, err := s.Turn(ctx)
		if err != nil {
			return err
		}
		defer done()
	}
	work()
	return nil
}

func (s Source) file(ctx context.Context, g *gate.Gate, d index.Doc) (file string, about any, err error) {
	if d.Path == "" {
		return "", nil, fmt.Errorf("%s comes from a library file and has no SKILL.md of its own", d.Name)
	}
	if s.File != nil {
		return s.File(ctx, g, d)
	}
	file, err = g.Resolve(d.Path)
	return file, nil, err
}

// Meta is the key in the _meta of a result under which programs find the answer as a JSON value.
const Meta = "skillgate/result"

const (
	maxPrompt      = 1 << 20 // maximum bytes of a prompt, as in the hook
	maxText        = 100_000 // maximum bytes of a SKILL.md that skill_load returns
	longestKey     = 4096    // bytes read beyond maxText, so that a secret key at that point is complete
	maxDescription = 400     // maximum characters of a description in the answer of skill_lookup
	lookupDefault  = 5
	lookupLimit    = 20
	similarLimit   = 5 // maximum number of names suggested for an unknown name
	shownFiles     = 50
)

// New returns a server for the skills of s. version is the version of the program.
func New(s Source, version string) *sdk.Server {
	capabilities := &sdk.ServerCapabilities{}
	capabilities.AddExtension(extension, nil)
	out := sdk.NewServer(&sdk.Implementation{Name: "skillgate", Title: "Agent skills that fit a prompt", Version: version},
		&sdk.ServerOptions{
			Instructions: "Each skill has instructions for one kind of work. skill_lookup returns the skills that fit a " +
				"request, if any does; skill_load returns the instructions of a skill.",
			Capabilities: capabilities,
		})
	// Without this flag, Claude Code does not show a tool to the model until the model searches for it.
	always := sdk.Meta{"anthropic/alwaysLoad": true}
	readOnly := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	sdk.AddTool(out, &sdk.Tool{
		Name: "skill_lookup", Title: "Find the skills for a prompt", Annotations: readOnly, Meta: always,
		Description: "Returns the installed skills that fit a user's request, best first, or a message that none fits. " +
			"Load a skill with skill_load before you begin the work that it is for.",
	}, guarded(s.Lookup))
	sdk.AddTool(out, &sdk.Tool{
		Name: "skill_load", Title: "Read one skill", Annotations: readOnly,
		Description: "Returns the instructions of the installed skill with exactly this name, with the arguments " +
			"filled in, and the location of its files. Follow the instructions.",
	}, guarded(s.Load))
	if err := s.serveSkills(out); err != nil {
		panic(err) // cannot happen: the names of the methods are unique
	}
	return out
}

// Serve answers one client on in and out until in or ctx ends.
func Serve(ctx context.Context, s *sdk.Server, in io.Reader, out io.Writer) error {
	err := s.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func guarded[In any,
	Out interface{ text() string }](tool func(context.Context, In) (Out, error)) sdk.ToolHandlerFor[In, any] {
	return func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		var out Out
		err := system.Caught(func() (err error) { out, err = tool(ctx, in); return err })
		if err != nil {
			return nil, nil, errors.New(secret.Redact(err.Error()))
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: out.text()}}, Meta: sdk.Meta{Meta: out}},
			nil, nil
	}
}

// LookupInput is the input of skill_lookup.
type LookupInput struct {
	Prompt string `json:"prompt" jsonschema:"the user's request, as they wrote it"`
	K      int    `json:"k,omitempty" jsonschema:"number of candidates to return, 1 to 20; default 5"`
}

// LookupOutput is the output of skill_lookup.
type LookupOutput struct {
	Verdict    string      `json:"verdict"`           // inject or force: some skills fit; silent or skip: none does
	Reason     string      `json:"reason,omitempty"`  // why no skill fits
	Need       float64     `json:"need"`              // probability that a skill helps
	Message    string      `json:"message,omitempty"` // for the model, if no skill fits
	Candidates []Candidate `json:"candidates"`        // best first, at most k
}

func (o LookupOutput) text() string {
	var out strings.Builder
	var others []string
	for _, c := range o.Candidates {
		if !c.Fits {
			others = append(others, c.Name)
			continue
		}
		fmt.Fprintf(&out, "- %s", c.Name)
		if c.Pool != string(catalog.Skill) {
			fmt.Fprintf(&out, " (%s)", c.Pool)
		}
		if c.Step > 0 {
			fmt.Fprintf(&out, " (step %d)", c.Step)
		}
		fmt.Fprintf(&out, ": %s\n", c.Description)
	}
	if o.Message != "" {
		fmt.Fprintln(&out, o.Message)
	}
	if len(others) > 0 {
		fmt.Fprintf(&out, "Other candidates, which fit less well: %s\n", strings.Join(others, ", "))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Candidate is a skill that matches a prompt.
type Candidate struct {
	Name        string   `json:"name"` // name to pass to skill_load
	Pool        string   `json:"pool"` // skill or agent
	Fits        bool     `json:"fits"` // good enough to be suggested to a model
	Score       float64  `json:"score"`
	Step        int      `json:"step,omitempty"` // step of the request that the skill serves, from 1; 0 if there is none
	Matched     []string `json:"matched"`        // words of the prompt that the skill matches
	Description string   `json:"description,omitempty"`
}

// LoadInput is the input of skill_load.
type LoadInput struct {
	Name      string `json:"name" jsonschema:"exact name of a skill or agent, as returned by skill_lookup"`
	Arguments string `json:"arguments,omitempty" jsonschema:"arguments of the skill, as typed after /name"`
}

// LoadOutput is the output of skill_load.
type LoadOutput struct {
	Name      string   `json:"name"`
	Path      string   `json:"path"`            // path or URI of the SKILL.md
	About     any      `json:"about,omitempty"` // provenance of a skill from a registry
	Files     []string `json:"files"`           // other files of the skill
	Note      string   `json:"note,omitempty"`
	Text      string   `json:"text"`      // the body, with arguments filled in
	Truncated bool     `json:"truncated"` // the file is longer than text
}

func (o LoadOutput) text() string {
	var out strings.Builder
	head := "Base directory for this skill: "
	if strings.HasPrefix(o.Path, scheme) {
		head = "This skill's files are resources below "
	}
	fmt.Fprintf(&out, "%s%s\n\n%s\n", head, o.base(), strings.Trim(o.Text, "\n"))
	if o.Truncated {
		fmt.Fprintf(&out, "\nThe text above is only the beginning; the rest is in %s.\n", o.Path)
	}
	if len(o.Files) > 0 {
		shown := o.Files[:min(len(o.Files), shownFiles)]
		fmt.Fprintf(&out, "\nOther files of the skill: %s", strings.Join(shown, ", "))
		if n := len(o.Files) - len(shown); n > 0 {
			fmt.Fprintf(&out, " and %d more", n)
		}
		out.WriteString("\n")
	}
	if o.Note != "" {
		fmt.Fprintf(&out, "\n%s\n", o.Note)
	}
	return out.String()
}

func (o LoadOutput) base() string {
	if strings.HasPrefix(o.Path, scheme) {
		return strings.TrimSuffix(o.Path, "/SKILL.md")
	}
	return filepath.Dir(o.Path)
}

// Lookup implements the tool skill_lookup.
func (s Source) Lookup(ctx context.Context, in LookupInput) (LookupOutput, error) {
	switch {
	case len(in.Prompt) > maxPrompt:
		return LookupOutput{}, fmt.Errorf("the prompt has %d bytes (limit %d)", len(in.Prompt), maxPrompt)
	case in.K < 0 || in.K > lookupLimit:
		return LookupOutput{}, fmt.Errorf("k is %d but must be 1 to %d", in.K, lookupLimit)
	case in.K == 0:
		in.K = lookupDefault
	}
	g, err := s.Open(ctx)
	if err != nil {
		return LookupOutput{}, err
	}
	defer g.Close()
	var text string
	var d gate.Decision
	err = s.inTurn(ctx, func() {
		text = secret.Redact(in.Prompt)
		d = g.Decide(ctx, gate.Request{Prompt: triage.Classify(text), K: in.K})
	})
	if err != nil {
		return LookupOutput{}, err
	}
	logged := d
	logged.Prompt, logged.Notes = text, slices.Concat(d.Notes, g.Notes)
	if err := s.Log.Looked(ctx, g, logged); err != nil {
		return LookupOutput{}, err
	}
	out := LookupOutput{Verdict: string(d.Verdict), Reason: string(d.Reason), Need: d.Need, Candidates: []Candidate{}}
	if d.Verdict == gate.Error {
		return out, errors.New(strings.Join(append([]string{"the search for skills failed"}, d.Notes...), ": "))
	}
	for _, c := range d.Candidates {
		if len(out.Candidates) == in.K {
			break
		}
		if !neutral.Survives(c.Name, neutral.MaxName) {
			continue
		}
		out.Candidates = append(out.Candidates, Candidate{
			Name: c.Name, Pool: c.Pool, Fits: c.Injected, Score: c.Score, Step: c.Step, Matched: words(c.Matched),
			Description: shown(c.Description),
		})
	}
	if !slices.ContainsFunc(out.Candidates, func(c Candidate) bool { return c.Fits }) {
		out.Message = nothing(d.Reason)
	}
	return out, nil
}

func nothing(why gate.Reason) string {
	switch why {
	case gate.Greeting, gate.Ack, gate.Command, gate.Machine, gate.Empty:
		return fmt.Sprintf("No skill fits: a prompt of this kind needs no skill (%s).", why)
	case gate.NoCandidates:
		return "No skill fits: none shares a word with the prompt."
	case gate.BelowNeedMin:
		return "No skill fits: the prompt does not look as if it needs one."
	case gate.BelowScoreMin, gate.ByChance:
		return "No skill fits: the candidates share too little with the prompt."
	case gate.PlainQuestion:
		return "No skill fits: the prompt asks what something is, and no candidate is certain enough."
	}
	return "No skill fits."
}

func shown(description string) string {
	return neutral.Text(secret.Redact(description), maxDescription)
}

func words(matched []gate.Match) []string {
	out := []string{}
	for _, m := range matched {
		if m.Score > 0 && !slices.Contains(out, m.Term) {
			out = append(out, m.Term)
		}
	}
	return out
}

// Load implements the tool skill_load.
func (s Source) Load(ctx context.Context, in LoadInput) (LoadOutput, error) {
	g, err := s.Open(ctx)
	if err != nil {
		return LoadOutput{}, err
	}
	defer g.Close()
	offers, err := s.offers(ctx, g)
	if err != nil {
		return LoadOutput{}, err
	}
	i := slices.IndexFunc(offers, func(d index.Doc) bool { return d.Name == in.Name })
	if i < 0 {
		if similar := similarNames(in.Name, offers); len(similar) > 0 {
			return LoadOutput{}, fmt.Errorf("no skill is named %q; similar names: %s", in.Name, strings.Join(similar, ", "))
		}
		return LoadOutput{}, fmt.Errorf("no skill is named %q; use skill_lookup to find skills that fit a prompt", in.Name)
	}
	d := offers[i] // a copy, so that offers can be freed while the call waits for s.File
	file, about, err := s.file(ctx, g, d)
	if err != nil {
		return LoadOutput{}, err
	}
	f, err := openFolder(file)
	if err != nil {
		return LoadOutput{}, err
	}
	defer f.Close()
	text, truncated, err := read(file)
	if err != nil {
		return LoadOutput{}, err
	}
	out := LoadOutput{Name: in.Name, Path: d.Path, About: about, Truncated: truncated, Files: []string{}}
	if s.File != nil {
		out.Path = root(d) + "/SKILL.md"
	}
	fields, body := frontmatter(text)
	body = strings.ReplaceAll(body, "${CLAUDE_SKILL_DIR}", out.base())
	out.Text = fill(body, in.Arguments, argumentNames(fields))
	if d.Flags&index.IsAgent == 0 {
		out.Files, out.Note = beside(f)
	}
	return out, s.Log.Loaded(ctx, in.Name, d.Path)
}

// offers returns the skills and agents that the host can run here. It leaves out those whose name cannot be
// shown to a model unchanged.
func (s Source) offers(ctx context.Context, g *gate.Gate) (out []index.Doc, err error) {
	turn := s.inTurn(ctx, func() {
		out, err = g.Offers()
		out = slices.DeleteFunc(out, func(d index.Doc) bool { return !neutral.Survives(d.Name, neutral.MaxName) })
	})
	return out, errors.Join(turn, err)
}

func similarNames(name string, offers []index.Doc) []string {
	name = strings.ToLower(strings.TrimSpace(name))
	var out []string
	for _, d := range offers {
		other := strings.ToLower(d.Name)
		if name != "" && len(out) < similarLimit && (strings.Contains(other, name) || strings.Contains(name, other)) {
			out = append(out, d.Name)
		}
	}
	return out
}

// read returns the beginning of a regular file as valid UTF-8 without secret keys. Other possible secrets
// stay, because instructions are useless without their examples.
func read(path string) (text string, truncated bool, err error) {
	b, err := regular.Head(path, maxText+longestKey)
	if err != nil {
		return "", false, err
	}
	text = secret.Keys(strings.ToValidUTF8(string(b), "\uFFFD")) // before cutting: half a key is not recognised
	return clip.Bytes(text, maxText), len(b) > maxText, nil
}

// place returns the sort key of a skill in lists. It does not depend on other skills, so it can serve as a cursor.
func place(d index.Doc) string { return d.Name + "\n" + d.ID }
