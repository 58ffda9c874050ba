// Package mcp serves skills over the Model Context Protocol, for programs that do
// not run Claude Code's hooks.
//
// It has two tools, whose answers are text for a model; for programs the result's _meta has
// the same as values, under Meta:
//
//	skill_lookup  a prompt → the skills that fit it, as the hook would judge them
//	skill_load    a name → the text of its SKILL.md, as the host would give it to the model
//
// Beside them it serves the Skills extension of the protocol: skills/list, skills/get, and
// the files of skills as resources.
//
// Only skills that the host could run are served, and no files but theirs are read: a name is
// looked up in the index and never becomes a path. Calls may come at the same time; each opens
// the index anew, so that a server that runs for days sees what was installed since. Lookups
// and loads are handed to a Log; nothing else is written.
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

// Open opens a gate over the indexes as they are now. The caller closes it.
type Open func(context.Context) (*gate.Gate, error)

// Log keeps what a client is given. Its functions are called before the client has its
// answer, from several goroutines; where one fails, the client gets its error instead.
type Log struct {
	// Looked is told a decision of g, its prompt redacted and whole.
	Looked func(ctx context.Context, g *gate.Gate, d gate.Decision) error
	Loaded func(ctx context.Context, name, path string) error // a skill's text
}

// Source is what a server serves.
type Source struct {
	Open Open
	Log  Log
	// File returns the file on this machine of a skill that a gate offers, and what is to be told
	// about it beside its text; nil: it is where it was indexed. With File, clients are on other
	// machines: they are given the addresses of files, not paths, and each file that is read is logged.
	File func(ctx context.Context, g *gate.Gate, d index.Doc) (file string, about any, err error)
	// Turn waits until a call may do what takes processor time and memory, and returns what ends that; nil: at once.
	// No call has a turn while it waits for Open, Log or File.
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
		return "", nil, fmt.Errorf("%s is a line of a library file and has no file of its own", d.Name)
	}
	if s.File != nil {
		return s.File(ctx, g, d)
	}
	file, err = g.Resolve(d.Path)
	return file, nil, err
}

// Meta is the key in a result's _meta under which the tools put their answer as a value.
const Meta = "skillgate/result"

const (
	maxPrompt      = 1 << 20 // bytes of a prompt, as the hook reads them
	maxText        = 100_000 // bytes of a SKILL.md that skill_load returns
	longestKey     = 4096    // bytes read beyond that, so that a key at the end is seen whole
	maxDescription = 400     // characters of a description
	lookupDefault  = 5
	lookupLimit    = 20
	similarLimit   = 5 // most names suggested for an unknown one
	shownFiles     = 50
)

// New returns a server of the skills of s. version is the program's.
func New(s Source, version string) *sdk.Server {
	capabilities := &sdk.ServerCapabilities{}
	capabilities.AddExtension(extension, nil)
	out := sdk.NewServer(&sdk.Implementation{Name: "skillgate", Title: "Agent skills that fit a prompt", Version: version},
		&sdk.ServerOptions{
			Instructions: "Skills are instructions for one kind of work each. skill_lookup says which fit a request " +
				"and is silent when none does; skill_load returns the text of one.",
			Capabilities: capabilities,
		})
	// Claude Code leaves tools out of the prompt until they are searched for, but not these.
	always := sdk.Meta{"anthropic/alwaysLoad": true}
	readOnly := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
	sdk.AddTool(out, &sdk.Tool{
		Name: "skill_lookup", Title: "Find the skills for a prompt", Annotations: readOnly, Meta: always,
		Description: "Returns the installed skills that fit a user's request, best first. Says so when none does. " +
			"Load one with skill_load before the work it is for.",
	}, guarded(s.Lookup))
	sdk.AddTool(out, &sdk.Tool{
		Name: "skill_load", Title: "Read one skill", Annotations: readOnly,
		Description: "Returns the instructions of the installed skill with exactly this name, filled in with the " +
			"arguments, and where its files are. Follow them.",
	}, guarded(s.Load))
	if err := s.serveSkills(out); err != nil {
		panic(err) // the methods have the names of no others
	}
	return out
}

// Serve answers one client on in and out until in ends or ctx does.
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

// LookupInput is what skill_lookup takes.
type LookupInput struct {
	Prompt string `json:"prompt" jsonschema:"the user's request, as they wrote it"`
	K      int    `json:"k,omitempty" jsonschema:"how many candidates to return, 1 to 20; 5 when left out"`
}

// LookupOutput is what skill_lookup returns.
type LookupOutput struct {
	Verdict    string      `json:"verdict" jsonschema:"inject or force: some skills fit; silent or skip: none does; error"`
	Reason     string      `json:"reason,omitempty" jsonschema:"why none fits"`
	Need       float64     `json:"need" jsonschema:"how likely a skill helps, 0 to 1"`
	Message    string      `json:"message,omitempty" jsonschema:"what was not found"`
	Candidates []Candidate `json:"candidates" jsonschema:"best first, at most k"`
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
		fmt.Fprintf(&out, "Further from it: %s\n", strings.Join(others, ", "))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Candidate is one skill that shares something with a prompt.
type Candidate struct {
	Name        string   `json:"name" jsonschema:"what skill_load takes"`
	Pool        string   `json:"pool" jsonschema:"skill or agent"`
	Fits        bool     `json:"fits" jsonschema:"good enough to be named to a model"`
	Score       float64  `json:"score"`
	Step        int      `json:"step,omitempty" jsonschema:"which step of a request in several steps it is for, from 1"`
	Matched     []string `json:"matched" jsonschema:"words of the prompt that it matches"`
	Description string   `json:"description,omitempty"`
}

// LoadInput is what skill_load takes.
type LoadInput struct {
	Name      string `json:"name" jsonschema:"exact name of a skill or agent, such as skill_lookup returns"`
	Arguments string `json:"arguments,omitempty" jsonschema:"what $ARGUMENTS and the like stand for, as typed after /name"`
}

// LoadOutput is what skill_load returns.
type LoadOutput struct {
	Name      string   `json:"name"`
	Path      string   `json:"path"`            // of the file, or its address
	About     any      `json:"about,omitempty"` // its provenance, from a registry
	Files     []string `json:"files"`           // beside it
	Note      string   `json:"note,omitempty"`
	Text      string   `json:"text"`      // after the frontmatter, with arguments filled in
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
		fmt.Fprintf(&out, "\nThis is the beginning; the rest is in %s.\n", o.Path)
	}
	if len(o.Files) > 0 {
		shown := o.Files[:min(len(o.Files), shownFiles)]
		fmt.Fprintf(&out, "\nFiles beside it: %s", strings.Join(shown, ", "))
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

// Lookup is the tool skill_lookup.
func (s Source) Lookup(ctx context.Context, in LookupInput) (LookupOutput, error) {
	switch {
	case len(in.Prompt) > maxPrompt:
		return LookupOutput{}, fmt.Errorf("prompt is %d bytes, limit %d", len(in.Prompt), maxPrompt)
	case in.K < 0 || in.K > lookupLimit:
		return LookupOutput{}, fmt.Errorf("k is %d, want 1 to %d", in.K, lookupLimit)
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
		return out, errors.New(strings.Join(append([]string{"the prompt could not be searched"}, d.Notes...), ": "))
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
		return fmt.Sprintf("No skill fits: the prompt asks for nothing that a skill does (%s).", why)
	case gate.NoCandidates:
		return "No skill fits: none shares a word with the prompt."
	case gate.BelowNeedMin:
		return "No skill fits: the prompt does not look as if it needs one."
	case gate.BelowScoreMin, gate.ByChance:
		return "No skill fits: the candidates share too little with the prompt."
	case gate.PlainQuestion:
		return "No skill fits: the prompt asks what something is, and none is sure enough for that."
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

// Load is the tool skill_load.
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
		return LoadOutput{}, fmt.Errorf("no skill is named %q; skill_lookup finds those that fit a prompt", in.Name)
	}
	d := offers[i] // all the others are not kept while the call waits
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

// offers lists what the host can run here, without what has a name that cannot be shown
// to a model as it is.
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

// read returns the beginning of a regular file as valid UTF-8, without keys. The rest
// that may be secret stays, since instructions are of no use with their examples gone.
func read(path string) (text string, truncated bool, err error) {
	b, err := regular.Head(path, maxText+longestKey)
	if err != nil {
		return "", false, err
	}
	text = secret.Keys(strings.ToValidUTF8(string(b), "\uFFFD")) // before it is cut: half a key is not known for one
	return clip.Bytes(text, maxText), len(b) > maxText, nil
}

// place is where a skill is in the list. It stays when others come and go, and
// is in the order of names, then IDs.
func place(d index.Doc) string { return d.Name + "\n" + d.ID }
