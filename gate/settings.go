package gate

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/rerank"
)

// Settings are read from skillgate.yaml in the user's config folder, then from .claude/skillgate.yaml in the project,
// then from SKILLGATE_* variables. Later sources take precedence, and the organisation's file (ManagedFile) overrides
// all of them.
type Settings struct {
	ScoreMin float64 `yaml:"score_min" json:"score_min"` // minimum score of a suggested skill; 0 means no limit
	// minimum probability that a skill helps, 0 to 1, calibrated as if half of all prompts needed a skill
	NeedMin float64 `yaml:"need_min" json:"need_min"`
	// NeedMin was learned from the journal
	Learned bool `yaml:"-" json:"-"`
	// learn need_min from the journal (package bar) if no file or variable sets it
	Calibrate bool `yaml:"calibrate" json:"calibrate"`
	// UTF-16 units that a session may receive before suggestions become names only; 0 means no limit
	SessionChars int `yaml:"session_chars" json:"session_chars"`
	TopK         int `yaml:"top_k" json:"top_k"`             // maximum number of skills per suggestion
	AgentsK      int `yaml:"agents_k" json:"agents_k"`       // maximum number of agents per suggestion
	DeadlineMs   int `yaml:"deadline_ms" json:"deadline_ms"` // time limit of the hook; later suggestions are dropped
	// folders of skills that the host does not know, and references to fetched libraries
	Libraries []string        `yaml:"libraries" json:"libraries"`
	Subagents bool            `yaml:"subagents" json:"subagents"` // also suggest skills for the tasks of subagents
	Disabled  bool            `yaml:"disabled" json:"disabled"`   // the hook does nothing and indexes nothing
	Log       Log             `yaml:"log" json:"log"`
	Rerank    rerank.Settings `yaml:"rerank" json:"rerank"`
	Trust     Trust           `yaml:"trust" json:"trust"`
	Enrich    Enrich          `yaml:"enrich" json:"enrich"`
	Export    Export          `yaml:"export" json:"export"`
	Lint      Lint            `yaml:"lint" json:"lint"`
}

// Log selects the form in which the journal keeps prompts: "full" (redacted, at most 4,000 characters), "terms", "hash"
// or "none".
type Log struct {
	Prompts string `yaml:"prompts" json:"prompts"`
}

// Trust excludes skills with a lint risk above MaxRisk; 1 excludes none. If there are Keys ("ed25519:" and a public key
// in base64), it also excludes fetched libraries that none of the keys has signed.
type Trust struct {
	MaxRisk float64  `yaml:"max_risk" json:"max_risk"`
	Keys    []string `yaml:"keys" json:"keys,omitempty"`
}

// Enrich configures expansions: text that a model writes for skills when they are indexed.
type Enrich struct {
	Languages []string `yaml:"languages" json:"languages"`
	Provider  string   `yaml:"provider" json:"provider"`
	Model     string   `yaml:"model" json:"model,omitempty"`
	BaseURL   string   `yaml:"base_url" json:"base_url,omitempty"`
}

// Export selects the form in which `skillgate-org export` may send prompts: "none", "hash", "terms" or "full"
// (redacted). It never sends more than Log keeps.
type Export struct {
	Prompts string `yaml:"prompts" json:"prompts"`
}

// Lint configures `skillgate lint`. If Languages is empty, lint expects triggers in the languages that the skills and
// the log use.
type Lint struct {
	Languages []string          `yaml:"languages" json:"languages,omitempty"`
	Rules     map[string]string `yaml:"rules" json:"rules,omitempty"` // rule ID to off, info, warning or error
}

// projectKeys are the keys that a project's file may set. The file comes with a cloned repository, so it must not set
// paths, logs or programs.
var projectKeys = []string{"score_min", "need_min", "top_k", "agents_k", "disabled", "lint"}

// needMin is the default of need_min. `skillgate-dev train` chose it (testdata/figures/need.txt).
const needMin = 0.55

// Default returns the default settings.
func Default() Settings {
	return Settings{
		NeedMin: needMin, Calibrate: true, SessionChars: 3000, TopK: 5, AgentsK: 1, DeadlineMs: 150, Subagents: true,
		Log:    Log{Prompts: "full"},
		Rerank: rerank.Settings{DeadlineMs: 200, Blend: 0.5, Pairs: 10},
		Trust:  Trust{MaxRisk: 1},
		Enrich: Enrich{Languages: []string{"ko", "en"}, Provider: "claude"},
		Export: Export{Prompts: "none"},
	}
}

// Preset returns the default settings with all valid environment variables applied, but no file.
func Preset(environ []string) Settings {
	s := Default()
	_ = fromEnviron(&s, environ) // Load reports the error
	_ = s.check()
	return s
}

// Limit returns the time limit of a decision: deadline_ms plus, with reranking, rerank.deadline_ms.
func (s Settings) Limit() time.Duration {
	limit := s.DeadlineMs
	if s.Rerank.Enabled {
		limit += s.Rerank.DeadlineMs
	}
	return time.Duration(limit) * time.Millisecond
}

// Load reads the settings for a session in cwd, or "" for no folder. If some settings are invalid, it returns the valid
// ones and a *BadSettings, which names the file, line and key of each error.
func Load(d dirs.Dirs, cwd string, environ []string) (Settings, error) {
	s := Default()
	unset := math.Nextafter(needMin, 1) // marks need_min as unset; no settings file holds this value
	s.NeedMin = unset
	var bad BadSettings
	bad.Own = errors.Join(s.overlayFile(filepath.Join(d.Config, "skillgate.yaml"), "", maxSettings, nil), s.check())
	if cwd != "" {
		top := ProjectDir(cwd, d)
		file := filepath.Join(top, ".claude", "skillgate.yaml")
		bad.Project = s.overlayFile(file, top, maxProjectSettings, projectKeys)
		if err := s.check(); err != nil {
			bad.Project = errors.Join(bad.Project, fmt.Errorf("%s: %w", file, err))
		}
	}
	bad.Own = errors.Join(bad.Own, fromEnviron(&s, environ), s.check())
	var floor float64
	floor, bad.Managed = s.manage(ManagedFile(d))
	if s.NeedMin == unset {
		s.NeedMin = needMin
		if learned, ok := Bar(d); ok && s.Calibrate {
			s.NeedMin, s.Learned = learned.NeedMin, learned.NeedMin >= floor
		}
	}
	s.NeedMin = max(s.NeedMin, floor)
	if bad.Own == nil && bad.Project == nil && bad.Managed == nil {
		return s, nil
	}
	return s, &bad
}

// Bar returns the need_min that calibration learned on this machine for the current need model. ok is false if it has
// learned none, or if the stored value is outside the range of calibration.
func Bar(d dirs.Dirs) (c bar.Change, ok bool) {
	c, ok = bar.Current(d.State, need.Default().ID())
	return c, ok && bar.Within(c.NeedMin, needMin)
}

// BadSettings holds the errors in the settings that Load read. Each field may be nil. The hook logs all errors. Other
// commands fail only if Own is set.
type BadSettings struct {
	Own     error // errors in the user's file and variables
	Project error // errors in the project's file, which comes with a clone
	Managed error // errors in the organisation's file, which the user cannot correct
}

func (e *BadSettings) Error() string { return e.Unwrap().Error() }

// Unwrap returns the errors.
func (e *BadSettings) Unwrap() error { return errors.Join(e.Own, e.Project, e.Managed) }

// Check returns errors for values out of range, like Load.
func (s Settings) Check() error { return s.check() }

// ProjectDir returns the root of the repository that contains cwd, or cwd if no repository contains it.
func ProjectDir(cwd string, d dirs.Dirs) string {
	for dir := filepath.Clean(cwd); ; {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir || dir == d.Home {
			return filepath.Clean(cwd)
		}
		dir = up
	}
}

func (s *Settings) overlayFile(file, within string, max int64, allowed []string) error {
	root, err := readSettings(file, within, max)
	if err != nil || root == nil {
		return err
	}
	return s.overlay(file, root, allowed)
}

// readSettings reads a settings file of at most max bytes. Links must not lead out of the folder within. It returns nil
// if the file is empty or does not exist.
func readSettings(file, within string, max int64) (*yaml.Node, error) {
	path, err := regular.Resolve(within, file)
	var text []byte
	if err == nil {
		text, err = regular.Read(path, max)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("settings: %s: %w", file, err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	if doc.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("settings: %s must be a mapping of keys to values", file)
	}
	return doc.Content[0], nil
}

// overlay applies the keys of root, a mapping from file, to s. allowed lists the permitted keys; nil permits all. An
// invalid key does not affect the others.
func (s *Settings) overlay(file string, root *yaml.Node, allowed []string) error {
	var errs []error
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, err := root.Content[i], error(nil)
		if allowed != nil && !slices.Contains(allowed, key.Value) {
			err = fmt.Errorf("%s cannot be set by a project, only in the user's skillgate.yaml", key.Value)
		} else if err = setKey(reflect.ValueOf(s).Elem(), key, root.Content[i+1]); err != nil {
			err = fmt.Errorf("%s: %s", key.Value, plainYAML(err))
		}
		if err == nil {
			continue
		}
		if len(errs) == maxProblems {
			errs = append(errs, fmt.Errorf("settings: %s:%d: too many errors; further errors are not listed", file, key.Line))
			break
		}
		errs = append(errs, fmt.Errorf("settings: %s:%d: %w", file, key.Line, err))
	}
	return errors.Join(errs...)
}

const (
	maxSettings        = 64 << 10 // bytes; more than any user writes
	maxProjectSettings = 16 << 10 // bytes; all lint rules together need 2 KB
	maxProblems        = 10       // maximum number of errors listed per file
)

func setKey(to reflect.Value, key, value *yaml.Node) error {
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	for i := range to.NumField() {
		if to.Type().Field(i).Tag.Get("yaml") != key.Value {
			continue
		}
		switch field := to.Field(i); {
		case value.Tag == "!!null":
			return nil
		case field.Kind() == reflect.Struct && value.Kind == yaml.MappingNode:
			return setKeys(field, value)
		case field.Kind() == reflect.Map && value.Kind == yaml.MappingNode:
			return setMap(field, value)
		default:
			next := reflect.New(field.Type())
			if err := value.Decode(next.Interface()); err != nil {
				return err
			}
			field.Set(next.Elem())
			return nil
		}
	}
	return fmt.Errorf("unknown setting %s", key.Value)
}

func setKeys(to reflect.Value, mapping *yaml.Node) error {
	var wrong []string
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		err := setKey(to, mapping.Content[i], mapping.Content[i+1])
		switch {
		case err == nil:
		case len(wrong) < maxProblems:
			wrong = append(wrong, plainYAML(err))
		case len(wrong) == maxProblems:
			wrong = append(wrong, "there are further errors")
		}
	}
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// setMap adds the entries of mapping to the string map to. The YAML decoder would compare each key with every other,
// which is slow for hostile files.
func setMap(to reflect.Value, mapping *yaml.Node) error {
	next := map[string]string{}
	maps.Copy(next, to.Interface().(map[string]string))
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		var value string
		if err := mapping.Content[i+1].Decode(&value); err != nil {
			return err
		}
		next[mapping.Content[i].Value] = value
	}
	to.Set(reflect.ValueOf(next))
	return nil
}

// plainYAML returns the decoder's messages without line numbers, which are wrong because they count from the start of a
// key.
func plainYAML(err error) string {
	parts := strings.Split(catalog.YAMLFault(err, "setting"), "; ")
	for i, e := range parts {
		if before, after, ok := strings.Cut(e, ": "); ok && strings.HasPrefix(before, "line ") {
			parts[i] = after
		}
	}
	return strings.Join(parts, "; ")
}

// fromEnviron applies environment variables such as SKILLGATE_SCORE_MIN. A variable is named after a scalar setting, in
// upper case and with "_" for the dot (SKILLGATE_LOG_PROMPTS).
func fromEnviron(s *Settings, environ []string) error {
	var errs []error
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		key, ok := strings.CutPrefix(name, "SKILLGATE_")
		if !ok || value == "" || key != strings.ToUpper(key) {
			continue
		}
		field, key := setting(reflect.ValueOf(s).Elem(), strings.ToLower(key), "_")
		if !field.IsValid() {
			continue
		}
		if err := assign(field, key, value); err != nil {
			errs = append(errs, fmt.Errorf("settings: %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// Set sets a scalar setting by its dotted key, as `replay --set score_min=7` does. It also sets libraries, which are
// separated like the folders in PATH.
func (s *Settings) Set(key, value string) error {
	field, _ := setting(reflect.ValueOf(s).Elem(), key, ".")
	if !field.IsValid() {
		return fmt.Errorf("unknown setting %q", key)
	}
	return assign(field, key, value)
}

// setting returns the scalar setting with the given key, or the setting libraries, together with its dotted name. sep
// separates the parts of key. If there is no such setting, field is the zero Value.
func setting(in reflect.Value, key, sep string) (field reflect.Value, dotted string) {
	for i := range in.NumField() {
		field, tag := in.Field(i), in.Type().Field(i).Tag.Get("yaml")
		switch rest, below := strings.CutPrefix(key, tag+sep); {
		case below && field.Kind() == reflect.Struct:
			field, dotted = setting(field, rest, sep)
			return field, tag + "." + dotted
		case key != tag || tag == "-" || field.Kind() == reflect.Struct || field.Kind() == reflect.Map:
		case field.Kind() != reflect.Slice || tag == "libraries":
			return field, tag
		}
	}
	return reflect.Value{}, ""
}

func assign(field reflect.Value, key, value string) error {
	wrong := func(want string) error { return fmt.Errorf("%s: %q is not %s", key, value, want) }
	switch field.Kind() {
	case reflect.Float64:
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return wrong("a number")
		}
		field.SetFloat(v)
	case reflect.Int:
		v, err := strconv.Atoi(value)
		if err != nil {
			return wrong("a whole number")
		}
		field.SetInt(int64(v))
	case reflect.Bool:
		v, err := strconv.ParseBool(value)
		if err != nil {
			return wrong("true or false")
		}
		field.SetBool(v)
	case reflect.Slice:
		if strings.Contains(value, "://") {
			return fmt.Errorf("%s: %s contains a URL, but colons separate the items; set the list in skillgate.yaml", key, value)
		}
		field.Set(reflect.ValueOf(filepath.SplitList(value)))
	default:
		field.SetString(value)
	}
	return nil
}

func (s *Settings) check() error {
	var errs []error
	def := Default()
	number := func(key string, p *float64, def, hi float64) {
		if math.IsNaN(*p) || *p < 0 || *p > hi {
			errs = append(errs, fmt.Errorf("settings: %s is %v but must be 0 to %v", key, *p, hi))
			*p = def
		}
	}
	whole := func(key string, p *int, def, lo, hi int) {
		if *p < lo || *p > hi {
			errs = append(errs, fmt.Errorf("settings: %s is %d but must be %d to %d", key, *p, lo, hi))
			*p = def
		}
	}
	number("score_min", &s.ScoreMin, def.ScoreMin, 1e6)
	number("need_min", &s.NeedMin, def.NeedMin, 1)
	number("rerank.blend", &s.Rerank.Blend, def.Rerank.Blend, 1)
	number("trust.max_risk", &s.Trust.MaxRisk, def.Trust.MaxRisk, 1)
	whole("session_chars", &s.SessionChars, def.SessionChars, 0, 1e6)
	whole("top_k", &s.TopK, def.TopK, 0, 50)
	whole("agents_k", &s.AgentsK, def.AgentsK, 0, 20)
	whole("deadline_ms", &s.DeadlineMs, def.DeadlineMs, 1, 4000)
	whole("rerank.deadline_ms", &s.Rerank.DeadlineMs, def.Rerank.DeadlineMs, 1, 4000)
	whole("rerank.pairs", &s.Rerank.Pairs, def.Rerank.Pairs, 2, 50)
	s.Libraries = slices.DeleteFunc(slices.Clone(s.Libraries), func(l string) bool {
		err := fetched.Check(l)
		if err != nil {
			errs = append(errs, fmt.Errorf("settings: libraries: %w", err))
		}
		return err != nil
	})
	for _, key := range s.Trust.Keys { // an invalid key is kept, because without any key no signature is required
		text, ok := strings.CutPrefix(key, "ed25519:")
		if raw, err := base64.StdEncoding.DecodeString(text); !ok || err != nil || len(raw) != 32 {
			errs = append(errs, fmt.Errorf("settings: trust.keys: %q must be \"ed25519:\" followed by 32 bytes in base64", key))
		}
	}
	if !slices.Contains(levels, s.Log.Prompts) {
		errs = append(errs, fmt.Errorf("settings: log.prompts is %q but must be full, terms, hash or none", s.Log.Prompts))
		s.Log.Prompts = "hash" // the stricter value, because a typo must not leak prompts
	}
	if !slices.Contains(levels, s.Export.Prompts) {
		errs = append(errs, fmt.Errorf("settings: export.prompts is %q but must be full, terms, hash or none",
			s.Export.Prompts))
		s.Export.Prompts = "none"
	}
	return errors.Join(errs...)
}

// Variables returns the names of the environment variables in the order of the settings: SKILLGATE_TOP_K,
// SKILLGATE_LOG_PROMPTS and so on.
func Variables() []string { return variables(reflect.TypeFor[Settings](), "SKILLGATE_") }

func variables(t reflect.Type, head string) []string {
	var names []string
	for field := range t.Fields() {
		key := field.Tag.Get("yaml")
		name := head + strings.ToUpper(key)
		switch kind := field.Type.Kind(); {
		case key == "-" || key == "":
		case kind == reflect.Struct:
			names = append(names, variables(field.Type, name+"_")...)
		case kind == reflect.Map, kind == reflect.Slice && key != "libraries": // only files can set these
		default:
			names = append(names, name)
		}
	}
	return names
}
