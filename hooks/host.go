package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/system"
)

// Host is a program that runs the hook, with everything that is particular to it. A new
// one is a file with its value and an entry in Hosts.
type Host struct {
	Name  string // as --host takes it: "codex"
	Title string // as its users call it: "Codex"

	// PromptEvent is the event that a prompt raises. Where hosts share one, an input is of
	// the host whose Mark, a member that no other host sends, it has, and else of the
	// first of Hosts.
	PromptEvent string
	Mark        string
	Told        bool // the registered command tells it: no input does
	// what Read calls a member that this host calls key, nil where all are alike
	name   func(key string) string
	prompt func(Input) string // the prompt, where the input does not hold it; nil where it does
	// a string, or what becomes the JSON, that adds context to a prompt; nil for none
	reply func(event, context string) any

	Program   string // as its users call it in a shell: "codex", "" for none
	Folder    string // its folder in the home folder and in projects: ".codex"
	Sign      string // folder in the home folder that shows that it is used, "" for Folder
	BeginVar  string // environment variable of its hooks with the folder that a session began in, "" for none
	FolderVar string // environment variable that says where the one in the home folder is instead, "" for none
	Settings  string // file in Folder that registers hooks
	Project   string // where it is in a project, "" for Folder and Settings there too
	Instead   string // file in Folder that registers hooks in Settings' place once it is there, "" for none
	Local     string // file in Folder of a project that overrules Settings and is not shared, "" for none
	Plain     bool   // it ignores the whole of a settings file that is not plain JSON
	StartOnly bool   // it reads a project's settings only in sessions that start in the project's folder

	// PluginVar is the environment variable with the folder of the plugin whose hook runs, where
	// the host asks each registration of the hook once about a prompt; "" where it may ask twice.
	PluginVar string
	// ShortVar is "true" in the hook's environment where the plugin shortens the host's list of skills.
	ShortVar string

	handlers []Handler                    // to register, without the binary and without the tools that one matches
	module   *string                      // code that asks the hook, for a handler that is a Module
	Tools    Tools                        // empty where no handler observes tools
	ByPath   bool                         // its model has no tool that loads every skill: it reads the file that is named
	Inert    string                       // what a person must do before it runs a new registration, "" for nothing
	Trusted  func(home, file string) bool // whether that was done once for the hooks of file; nil where it cannot be seen

	// Where its skills are: in its folder in the home folder, their ids beginning with skills, and in
	// the folder inProject of projects, "" for none. Where places is not nil, it says so instead.
	skills, inProject string
	places            func(home, folder string) dirs.Hosts

	transcripts string   // in Folder of the home folder, "" where replay cannot read them
	Listing     *Listing // what its listing of skills holds, nil where that is not known
}

// Hosts are the hosts that are supported. The first is the one whose input has no mark.
var Hosts = []*Host{&Claude, &Codex, &Gemini, &Qwen, &Droid, &Copilot, &Kiro, &Cline, &Antigravity,
	&OpenCode, &Kilo, &Pi, &Cursor}

// Named returns the host of that name, nil where there is none.
func Named(name string) *Host {
	i := slices.IndexFunc(Hosts, func(h *Host) bool { return h.Name == name })
	if i < 0 {
		return nil
	}
	return Hosts[i]
}

// Names lists the names of all hosts: "claude, codex, … or gemini".
func Names() string {
	var names []string
	for _, h := range Hosts {
		names = append(names, h.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func hostOf(event string, marked *Host) *Host {
	for _, h := range Hosts {
		if event != "" && event == h.PromptEvent && event != Hosts[0].PromptEvent {
			return h
		}
	}
	if marked != nil {
		return marked
	}
	return Hosts[0]
}

func markedBy(key string) *Host {
	for _, h := range Hosts {
		if h.Mark != "" && key == h.Mark {
			return h
		}
	}
	return nil
}

// Handler is one registration of skillgate.
type Handler struct {
	Event   string
	Matcher string   // "" for none
	Command string   // absolute path of the binary
	Args    []string // "hook" or "observe", first
	Timeout int      // in the host's unit, 0 for the host's default
	Async   bool     // the host does not wait for it
	Shell   bool     // shell form: one string, for hosts that have no args
	Lenient bool     // shell form that ends with success, for hosts that block a prompt whose hook is gone
	Name    string   // shown by the host
	Form    Form
}

// Form is how a file says that a host is to run a handler.
type Form struct {
	Kind  Kind
	Under string // member at the top that holds the events, "" for hooks
	Ms    bool   // the member with the timeout is called timeout_ms
	New   string // what a file holds besides where install makes it, "" for nothing
}

// Kind is the kind of value under an event's name.
type Kind int

const (
	Groups Kind = iota // a list of groups, which have a list of handlers each
	Flat               // a list of handlers
	Script             // nothing: the file is a shell script that runs the handler
	Module             // nothing: the file is a JavaScript module that runs the handler; its code is New
	Server             // a server's command, not an event's
)

const hostFlag = "--host"

// Begin follows observe where a session begins: the host waits for that.
const Begin = "begin"

// ToldBy returns the host that the arguments of a hook's command tell, nil where they tell none.
func ToldBy(args []string) *Host {
	if i := slices.Index(args, hostFlag); i >= 0 && i+1 < len(args) {
		return Named(args[i+1])
	}
	return nil
}

// Same reports whether both run the same command with the same arguments; the
// host runs such handlers once, whatever file they are in.
func (h Handler) Same(o Handler) bool {
	return h.Event == o.Event && h.Command == o.Command && slices.Equal(h.Args, o.Args) && h.Shell == o.Shell
}

// hookTimeout is when the host stops waiting, in seconds: far above the 10 ms of a
// healthy hook, well below what a person would take for a hang.
const hookTimeout = 5

// InputLimit is how long a hook waits for its input: less than the host waits for the hook.
const InputLimit = (hookTimeout - 1) * time.Second

// Tools are the names of the tools by which a host uses skills and agents.
type Tools struct {
	Skill  string   // loads a skill
	Agents []string // run an agent; versions call it differently
	Read   string   // reads a file, which is how a library's skill is loaded
	Served string   // begins the names of servers' tools, of which skillgate's loads a skill, "" where none is seen
}

// served ends the name of the tool by which skillgate's server loads a skill; before it stands
// what its user calls the server.
const served = "__skill_load"

// Loads reports whether a tool is the one by which skillgate's server loads a skill.
func (t Tools) Loads(tool string) bool {
	return t.Served != "" && strings.HasPrefix(tool, t.Served) && strings.HasSuffix(tool, served)
}

func (t Tools) matcher(libraries bool) string {
	names := append([]string{t.Skill}, t.Agents...)
	if libraries {
		names = append(names, t.Read)
	}
	if t.Served == "" {
		return strings.Join(names, "|")
	}
	return "^(" + strings.Join(append(names, t.Served+".+"+served), "|") + ")$"
}

// beforeTool and afterTool are the events around the use of a tool; their matchers name
// tools.
const (
	beforeTool = "PreToolUse"
	afterTool  = "PostToolUse"
)

// Handlers returns what to register with the given binary, the hook first. libraries says
// that library folders are configured.
func (h *Host) Handlers(binary string, libraries bool) []Handler {
	all := slices.Clone(h.handlers)
	for i := range all {
		all[i].Command = binary
		if h.module != nil {
			all[i].Form.New = askModule + *h.module
		}
		if h.Told {
			all[i].Args = append(slices.Clone(all[i].Args), hostFlag, h.Name)
		}
		switch all[i].Event {
		case beforeTool:
			all[i].Matcher = strings.Join(h.Tools.Agents, "|")
		case afterTool:
			all[i].Matcher = h.Tools.matcher(libraries)
		}
	}
	return all
}

// ForLibraries reports whether a matcher of Handlers is the one for library folders.
func (h *Host) ForLibraries(matcher string) bool {
	return h.Tools.Read != "" && slices.Contains(strings.Split(strings.Trim(matcher, "^()$"), "|"), h.Tools.Read)
}

// SettingsFile is where a settings file is. It need not exist.
type SettingsFile struct {
	Scope string // user, project, local or managed
	Path  string
}

// Home returns the host's folder in the home folder, "" where home is.
func (h *Host) Home(home string, getenv func(string) string) string {
	if h.FolderVar != "" {
		if dir := getenv(h.FolderVar); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
	}
	if home == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(h.Folder, ".config/"); ok {
		if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, rest)
		}
	}
	return filepath.Join(home, h.Folder)
}

// Present reports whether the host seems to be installed: its program is on PATH or its folder is there.
func (h *Host) Present(home string, getenv func(string) string) bool {
	folder := h.Home(home, getenv)
	if h.Sign != "" {
		folder = filepath.Join(home, h.Sign)
	}
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return true
	}
	return h.Program != "" && system.OnPath(h.Program, getenv("PATH")) != ""
}

// Transcripts returns the folder of the host's transcripts.
func (h *Host) Transcripts(home string, getenv func(string) string) string {
	return filepath.Join(h.Home(home, getenv), h.transcripts)
}

// Files returns the settings files that belong to the user or to the project, the
// user's first. project is the folder that the host reads a project's files in.
func (h *Host) Files(home, project string, getenv func(string) string) []SettingsFile {
	user := h.Home(home, getenv)
	files := []SettingsFile{{"user", filepath.Join(user, h.Settings)}}
	own := filepath.Join(project, h.Folder)
	if own == user {
		return files
	}
	shared := filepath.Join(own, h.Settings)
	if h.Project != "" {
		shared = filepath.Join(project, h.Project)
	}
	files = append(files, SettingsFile{"project", shared})
	if h.Local != "" {
		files = append(files, SettingsFile{"local", filepath.Join(own, h.Local)})
	}
	return files
}

// NoListing says, in a sentence, that the listing of a host without Listing is not known.
func (h *Host) NoListing() string {
	return "how " + h.Title + " lists skills has not been measured: what holds for Claude Code does not hold for it"
}

// Places returns where all hosts together keep what a session reads, for package dirs.
func Places(home string, getenv func(string) string) dirs.Hosts {
	var all dirs.Hosts
	for _, h := range Hosts {
		var one dirs.Hosts
		if folder := h.Home(home, getenv); h.places != nil {
			one = h.places(home, folder)
		} else {
			one = ownPlaces(home, folder, h.skills, h.inProject)
		}
		for _, f := range one.Folders {
			if !slices.Contains(all.Folders, f) { // hosts share folders
				all.Folders = append(all.Folders, f)
			}
		}
		all.Plugins = append(all.Plugins, one.Plugins...)
		if h.Listing != nil {
			all.Own = append(all.Own, h.Listing.names()...)
		}
		if one.Policy.User != "" {
			all.Name, all.Policy = one.Name, one.Policy
		}
	}
	return all
}

// ownPlaces are the folders that hosts have agreed on and, with skills of their own, folder and,
// unless it is "", one in projects. name begins the ids of their skills.
func ownPlaces(home, folder, name, project string) dirs.Hosts {
	h := dirs.Hosts{Folders: []dirs.Folder{
		{Path: filepath.Join(home, ".agents"), Label: "agents", ByPath: true},
		{Path: ".agents", Label: "project-dot-agents", Project: true, ByPath: true},
		{Path: folder, Label: name, ByPath: true},
	}}
	if project != "" {
		h.Folders = append(h.Folders, dirs.Folder{Path: project, Label: "project-dot-" + name, Project: true, ByPath: true})
	}
	return h
}
