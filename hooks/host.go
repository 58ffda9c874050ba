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

// Host describes a program that runs the hook. To add a host, define it in a file of its own and list it in Hosts.
type Host struct {
	Name  string // argument of --host, such as "codex"
	Title string // name in messages, such as "Codex"

	// PromptEvent is the name of the event for a prompt. If several hosts use the same name, Mark is a member of the
	// input that only this host sends. An input without the Mark of any host is attributed to the first of Hosts.
	PromptEvent string
	Mark        string
	Told        bool // identified by --host in the registered command, because its input does not identify it
	// name returns the name that Read uses for the input member key; nil if the host uses the same names.
	name func(key string) string
	// reply returns the answer that adds context to a prompt: a string, a value to encode as JSON, or nil for none.
	reply func(event, context string) any

	Program   string // shell command, such as "codex"; "" if the host has none
	Folder    string // folder in the home folder and in projects, such as ".codex"
	Sign      string // folder in the home folder that exists if the host is used; "" means Folder
	BeginVar  string // environment variable with the folder in which the session began, or ""
	FolderVar string // environment variable with the folder to use instead of Folder in the home folder, or ""
	Settings  string // file in Folder in which hooks are registered
	Project   string // path of the settings file in a project; "" means Settings in Folder
	Instead   string // file in Folder that the host reads instead of Settings if it exists, or ""
	Local     string // unshared file in a project's Folder that overrides Settings, or ""
	Plain     bool   // the host ignores a settings file that is not plain JSON
	StartOnly bool   // the host reads a project's settings only in sessions that start in its folder

	// PluginVar is the environment variable with the folder of the plugin whose hook runs. It distinguishes the plugin
	// from a hook in the settings. It is "" for hosts that may run the same registration twice for one prompt.
	PluginVar string
	// ShortVar is an environment variable that is "true" if the plugin shortens the host's list of skills.
	ShortVar string

	handlers []Handler                    // handlers to register; Handlers adds the binary and the matchers
	module   *string                      // code of a handler of kind Module
	Tools    Tools                        // empty if no handler observes tools
	ByPath   bool                         // the model reads skills as files, because no tool of the host loads every skill
	Inert    string                       // instruction to follow before the host runs a new registration, or ""
	Trusted  func(home, file string) bool // reports whether the user has followed the instruction in Inert; nil if unknown

	// skills is the prefix of the IDs of skills in Folder. inProject is the folder in a project that contains "skills",
	// or "". If places is not nil, it is used instead of both.
	skills, inProject string
	places            func(home, folder string) dirs.Hosts

	transcripts string   // folder of transcripts in Folder in the home folder; "" if replay cannot read them
	Listing     *Listing // how the host lists skills; nil if unknown
}

// Hosts are the supported hosts.
var Hosts = []*Host{&Claude, &Codex, &Gemini, &Qwen, &Droid, &Copilot, &Cline, &OpenCode, &Kilo, &Pi}

// Named returns the host with that name, or nil.
func Named(name string) *Host {
	i := slices.IndexFunc(Hosts, func(h *Host) bool { return h.Name == name })
	if i < 0 {
		return nil
	}
	return Hosts[i]
}

// Names returns the names of all hosts: "claude, codex, … or pi".
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

// Handler is a registration of skillgate with a host.
type Handler struct {
	Event   string
	Matcher string   // expression for the names of tools, or ""
	Command string   // absolute path of the binary
	Args    []string // arguments; the first is "hook" or "observe"
	Timeout int      // in the host's unit; 0 means the host's default
	Async   bool     // the host does not wait for the command
	Shell   bool     // the command is one string for a shell, for hosts without args
	Lenient bool     // the shell command always succeeds, for hosts that block a prompt if the program is missing
	Name    string   // name that the host shows
	Kind    Kind
	Code    string // JavaScript code if Kind is Module
}

// Kind is the kind of file that registers a handler.
type Kind int

const (
	JSON   Kind = iota // a settings file that lists groups of handlers for each event
	Script             // a shell script that runs the handler
	Module             // a JavaScript module that runs the handler
)

const hostFlag = "--host"

// Begin is the argument with which observe is called at the beginning of a session. The host waits for this call.
const Begin = "begin"

// ToldBy returns the host named in the arguments of a hook's command, or nil.
func ToldBy(args []string) *Host {
	if i := slices.Index(args, hostFlag); i >= 0 && i+1 < len(args) {
		return Named(args[i+1])
	}
	return nil
}

// Same reports whether both handlers run the same command with the same arguments. The host runs such handlers once,
// whatever files they are in.
func (h Handler) Same(o Handler) bool {
	return h.Event == o.Event && h.Command == o.Command && slices.Equal(h.Args, o.Args) && h.Shell == o.Shell
}

// hookTimeout is the time in seconds after which the host stops waiting. It is far above the 10 ms of a healthy hook,
// and short enough not to look like a hang.
const hookTimeout = 5

// InputLimit is the time for which a hook waits for its input. It is shorter than hookTimeout.
const InputLimit = (hookTimeout - 1) * time.Second

// Tools holds the names of the tools with which a host uses skills and agents.
type Tools struct {
	Skill  string   // tool that loads a skill
	Agents []string // names of the tool that runs an agent, in all versions of the host
	Read   string   // tool that reads a file; the model loads library skills with it
	Served string   // prefix of the names of MCP tools; "" if their use is not observed
}

// served is the suffix of the host's name for skillgate's MCP tool that loads a skill. The part before it contains the
// name that the user gave the server.
const served = "__skill_load"

// Loads reports whether tool is the name of skillgate's MCP tool that loads a skill.
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

// The events before and after the use of a tool. Their matchers match the names of tools.
const (
	beforeTool = "PreToolUse"
	afterTool  = "PostToolUse"
)

// Handlers returns the handlers to register for a binary, the hook first. libraries reports whether library folders are
// configured.
func (h *Host) Handlers(binary string, libraries bool) []Handler {
	all := slices.Clone(h.handlers)
	for i := range all {
		all[i].Command = binary
		if h.module != nil {
			all[i].Code = askModule + *h.module
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

// SettingsFile is a settings file, which need not exist.
type SettingsFile struct {
	Scope string // "user", "project", "local" or "managed"
	Path  string
}

// Home returns the folder in the variable FolderVar or, if that is not set, Folder in home (for .config/NAME, in
// XDG_CONFIG_HOME). It returns "" if neither is known.
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

// Present reports whether the host seems to be installed: its program is on PATH or its folder exists.
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

// Files returns the user's settings file, followed by those in the folder project.
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

// NoListing returns a clause that says why there are no figures for a host without Listing.
func (h *Host) NoListing() string {
	return h.Title + "'s list of skills has not been measured, and the figures for Claude Code do not apply to it"
}

// Places returns the folders and files in which the hosts keep skills, plugins and policies.
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
			if !slices.Contains(all.Folders, f) { // several hosts may share a folder
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

// ownPlaces returns the .agents folders, which all hosts read, and one host's own folders: folder and, in each project,
// the subfolder project unless it is "". The labels of the host's own folders end in name.
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
