// Package catalog finds and reads the skills and agents that a session could use.
//
// A Root is one folder of them: the user's skills, a project's, a plugin's, an
// agents folder or a library folder. Roots lists them in order of precedence,
// Files lists a root's files with size and modification time and reads none of
// them, and Read parses one file leniently: a file that the host would load is
// always an Entry, with what went wrong in its Problems.
//
// A Policy holds what the settings files forbid: skills that the model cannot
// run are indexed but never offered.
package catalog

// Pool says by which tool the host runs an entry.
type Pool string

const (
	Skill   Pool = "skill"   // loaded by the Skill tool, or by reading its file in a library folder
	Agent   Pool = "agent"   // run by the Agent (Task) tool
	Command Pool = "command" // a file NAME.md in a folder of commands, which the Skill tool loads as it does skills
)

// Source says what kind of folder an entry came from.
type Source string

const (
	Personal Source = "personal" // the user's and the organisation's folders
	Project  Source = "project"  // the host's folder of cwd, and so on up to the repository root
	Plugin   Source = "plugin"   // an installed plugin's skills and agents; Name is "plugin:name"
	Agents   Source = "agents"   // .agents/skills of the user or the project: read by other hosts
	Library  Source = "library"  // a folder only skillgate knows: named with its path
	Listed   Source = "listed"   // the host's listing has it, and no folder that is known
)

// Root is one folder of skills or agents.
type Root struct {
	Path   string // absolute folder that holds the entries
	Source Source
	Pool   Pool
	Plugin string // "name@marketplace" for Source Plugin
	Prefix string // what the host puts before a name, "name:" for plugins, else ""
	As     string // of one command's file: its name, where the plugin gives it one
	Label  string // start of its entries' IDs, unique among roots: "personal", "plugin/name@market"
	Local  bool   // depends on cwd (a project's): goes to the project index
	Within string // folder that no link of its entries may lead out of: a project's repository; "" for none

	Reference string // entry of the libraries setting that it was fetched for; it has an index of its own
	Below     bool   // in a subfolder of cwd, see Roots; it has an index of its own
}

// File is one SKILL.md or agent file as a directory scan sees it.
type File struct {
	Root    int    // position in the slice of roots given to Files
	Path    string // absolute path of the file
	Folder  string // path of its folder (skills) or file (agents) relative to the root, slash-separated
	Size    int64
	ModTime int64 // Unix nanoseconds
	Changed int64 // see system.Changed
}

// Boundary is one clause "Do NOT use for X (use Y)" of a description.
type Boundary struct {
	Not string   `json:"not"` // X, as written
	Use []string `json:"use"` // names of the skills to use instead; may be empty
}

// Problem is something wrong with a file that did not stop it from being read.
type Problem struct {
	Line int    `json:"line"` // 1-based; 0 when it concerns the whole file
	Text string `json:"text"`
}

// Entry is one skill, agent or command.
type Entry struct {
	ID     string // Label + "/" + Folder; for a library file (jsonl) the id of the line
	Name   string // what the host calls it: exact and invocable
	Pool   Pool
	Source Source
	Plugin string
	Path   string // absolute path of its file; "" for a jsonl line
	Folder string // last element of its folder
	Within string // the folder in which its file may be changed, links followed; "": anywhere, it is the user's own
	Reach  string // folder that no link of its files may lead out of when they are read: Root.Within

	Size    int64
	ModTime int64
	Hash    string // hex SHA-256 of the file's bytes (at most MaxFile of them)

	Description string     // frontmatter description, or the first body line where there is none
	WhenToUse   string     // frontmatter when_to_use
	Capability  string     // Description and WhenToUse without boundary clauses and trigger lists
	Triggers    []string   // quoted phrases, "Korean triggers:", items of "Use when …"
	Boundaries  []Boundary // "Do NOT use for X (use Y)"
	Headings    []string   // Markdown headings of the body, in order
	Body        string     // Markdown after the frontmatter, NUL and control characters replaced

	ModelInvocable bool     // false with disable-model-invocation: true
	Paths          []string // frontmatter paths: globs that make the skill conditional
	Frontmatter    string   // raw text between the --- lines, "" when there is none
	Problems       []Problem
}

// MaxFile is how many bytes of a file are read; the rest is left out and reported.
const MaxFile = 1 << 20 // the largest real skill seen is under 200 KB
