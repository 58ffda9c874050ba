package listing

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
	"github.com/skillgate/skillgate/hooks/transcript"
)

// session holds the facts about a host's sessions in one folder that determine its skill list.
type session struct {
	host  *hooks.Listing
	files []hostfile.File
	model string // from the environment, the settings or the last session in this folder; "" if unknown
	long  transcript.Listed
	uses  map[string]float64
}

func look(host *hooks.Host, s hostfile.Session, now time.Time) session {
	l := session{host: host.Listing, files: s.Read(), uses: Uses(host, s, now)}
	// An error means that there is no session yet.
	l.long, _ = transcript.LastListed(filepath.Join(host.Transcripts(s.Dirs.Home, s.Getenv), transcript.Folder(s.Cwd)))
	l.model = l.long.Model
	for _, f := range l.files {
		if f.Values.Model != "" {
			l.model = f.Values.Model
		}
	}
	if m := s.Getenv(l.host.ModelVar); m != "" {
		l.model = m
	}
	return l
}

// limits returns the bounds of the list. Values in o override those of the settings, the environment and the model.
func (l session) limits(s hostfile.Session, o Options) Limits {
	m := l.host.Model(o.Model)
	if o.Window == 0 {
		o.Window = m.Window
	}
	fraction, fixed := l.host.Fraction, s.Getenv(l.host.BudgetVar)
	out := Limits{MaxDesc: l.host.MaxDesc, CharsPerToken: m.CharsPerToken, Budget: o.Budget}
	for _, f := range l.files {
		if f.Values.BudgetFraction > 0 && f.Values.BudgetFraction <= 1 {
			fraction = f.Values.BudgetFraction
		}
		if f.Values.MaxDescChars > 0 {
			out.MaxDesc = f.Values.MaxDescChars
		}
		if v, ok := f.Values.Env[l.host.BudgetVar]; ok {
			fixed = v
		}
	}
	if out.Budget == 0 {
		out.Budget = max(1, int(float64(o.Window)*float64(m.CharsPerToken)*fraction))
		if n, err := strconv.Atoi(fixed); err == nil && n > 0 {
			out.Budget = n
		}
	}
	return out
}

// skills returns entries in the host's order, followed by the host's own skills.
func (l session) skills(entries []catalog.Entry) []Skill {
	var out []Skill
	for _, e := range entries {
		s := Skill{Name: e.Name, Text: e.Description, Source: string(e.Source), Uses: l.uses[e.Name]}
		if e.WhenToUse != "" {
			s.Text += " - " + e.WhenToUse
		}
		if e.Source == catalog.Plugin {
			s.Source += " " + e.Plugin
		} else { // the setting skillOverrides does not apply to plugins
			s.NameOnly = l.nameOnly(e.Name)
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Skill) int { return place(a.Source) - place(b.Source) })
	return append(out, l.own(entries)...)
}

// place returns the sort key of a source. The host lists the user's skills first, then the project's, then plugins'.
func place(source string) int {
	switch catalog.Source(strings.Fields(source)[0]) {
	case catalog.Plugin:
		return 2
	case catalog.Project:
		return 1
	}
	return 0
}

// own returns the host's own skills: the skills and commands that its last session in this folder listed and that are
// not installed. If there was no session, it returns the skills of the measured version.
func (l session) own(entries []catalog.Entry) []Skill {
	var out []Skill
	if len(l.long.Skills) > 0 {
		installed := map[string]bool{}
		for _, e := range entries {
			installed[e.Name] = true
		}
		for _, s := range l.long.Skills {
			if !installed[s.Name] {
				out = append(out, Skill{Name: s.Name, Text: s.Text, Kept: !competes(s.Name), Uses: l.uses[s.Name]})
			}
		}
		return out
	}
	for _, o := range l.host.Own {
		text := strings.Repeat("\n", o.Breaks) + strings.Repeat("x", o.Chars-o.Breaks)
		out = append(out, Skill{Name: o.Name, Text: text, Kept: !competes(o.Name), Uses: l.uses[o.Name]})
	}
	return out
}

// competes reports whether one of the host's own skills is a command. The host may drop the description of a command,
// as it may drop those of the user's skills.
func competes(name string) bool {
	return slices.Contains([]string{"init", "review", "security-review"}, name)
}

func (l session) nameOnly(name string) bool {
	for _, f := range slices.Backward(l.files) {
		if mode, ok := f.Values.Overrides[name]; ok {
			return mode == "name-only"
		}
	}
	return false
}

// maxUses limits the size of the host's usage file, in bytes.
const maxUses = 16 << 20

// Uses returns the weighted use count of each skill, as the host computes it: the count is halved every seven days
// since the last use, down to a tenth. The Listing of host must not be nil.
func Uses(host *hooks.Host, s hostfile.Session, now time.Time) map[string]float64 {
	folder := s.Dirs.Home
	if host.FolderVar != "" && s.Getenv(host.FolderVar) != "" {
		folder = host.Home(folder, s.Getenv)
	}
	var file struct {
		SkillUsage map[string]struct {
			Count int   `json:"usageCount"`
			Last  int64 `json:"lastUsedAt"` // milliseconds since 1970
		} `json:"skillUsage"`
	}
	text, err := regular.Read(filepath.Join(folder, host.Listing.Uses), maxUses)
	if err != nil || json.Unmarshal(text, &file) != nil {
		return nil // the host has not counted any use yet
	}
	out := map[string]float64{}
	for name, u := range file.SkillUsage {
		days := now.Sub(time.UnixMilli(u.Last)).Hours() / 24
		out[name] = float64(u.Count) * max(math.Pow(.5, days/7), .1)
	}
	return out
}
