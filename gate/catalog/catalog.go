// Package catalog finds and reads the skills and agents that a session could use.
//
// A Root is one folder of skills or agents, such as the user's skills or a plugin's. Roots lists the roots in order of
// precedence, Files lists the files of a root without reading them, and Read parses one file leniently: every file that
// the host would load becomes an Entry, with its faults in Problems.
//
// A Policy holds the prohibitions of the settings files. Skills that the model cannot run are indexed but never
// suggested.
package catalog

// Pool identifies the tool with which the host runs an entry.
type Pool string

const (
	Skill   Pool = "skill"   // loaded by the Skill tool or, in a library folder, by reading its file
	Agent   Pool = "agent"   // run by the Agent (Task) tool
	Command Pool = "command" // a file NAME.md in a folder of commands, which the Skill tool loads too
)

// Source is the kind of folder that an entry came from.
type Source string

const (
	Personal Source = "personal" // the user's and the organisation's folders
	Project  Source = "project"  // the host's folder in cwd or one of its parents, up to the repository root
	Plugin   Source = "plugin"   // an installed plugin's skills and agents; Name is "plugin:name"
	Agents   Source = "agents"   // .agents/skills of the user or the project, read by other hosts
	Library  Source = "library"  // a folder that only skillgate reads; its skills are identified by path
	Listed   Source = "listed"   // known only from the list of skills that the host reports
)

// Root is one folder of skills or agents.
type Root struct {
	Path   string // absolute
	Source Source
	Pool   Pool
	Plugin string // "name@marketplace" for Source Plugin
	Prefix string // prefix that the host puts before a name: "name:" for plugins, else ""
	As     string // name that a plugin gives to the one command in this root
	Label  string // start of its entries' IDs, unique among roots: "personal", "plugin/name@market"
	Local  bool   // the root depends on cwd and belongs in the project index
	Within string // links among its entries must not lead out of this folder, such as a repository; "" for no limit

	Reference string // library reference that the root was fetched for; such a root has its own index
	Below     bool   // the root is in a subfolder of cwd (see Roots) and has its own index
}

// File is one SKILL.md or agent file found in a root.
type File struct {
	Root    int    // position in the roots given to Files
	Path    string // absolute
	Folder  string // the skill's folder or the agent's file, relative to the root, slash-separated
	Size    int64
	ModTime int64 // Unix nanoseconds
	Changed int64 // time of the last change of content or metadata, from system.Changed
}

// Boundary is one clause "Do NOT use for X (use Y)" of a description.
type Boundary struct {
	Not string   `json:"not"` // the excluded thing, X
	Use []string `json:"use"` // names of the skills to use instead; may be empty
}

// Problem is a fault in a file that did not stop it from being read.
type Problem struct {
	Line int    `json:"line"` // 1-based; 0 if it concerns the whole file
	Text string `json:"text"`
}

// Entry is one skill, agent or command.
type Entry struct {
	ID     string // Label + "/" + Folder; in a .jsonl library the id of the line
	Name   string // the exact name by which the host runs it
	Pool   Pool
	Source Source
	Plugin string
	Path   string // absolute path of its file; "" for a .jsonl line
	Folder string // name of a skill's folder, or of the file of an agent or command without .md
	Within string // folder that an edited file must be in after links are resolved; "" for the user's own files
	Reach  string // copy of Root.Within; links among its files must not lead out of this folder

	Size    int64
	ModTime int64
	Hash    string // hex SHA-256 of at most MaxFile bytes of the file

	Description string     // frontmatter description or, without one, the first line of the body
	WhenToUse   string     // frontmatter when_to_use
	Capability  string     // Description and WhenToUse without boundary clauses and trigger lists
	Triggers    []string   // quoted phrases, listed triggers and items of "Use when …"
	Boundaries  []Boundary // "Do NOT use for X (use Y)"
	Headings    []string   // Markdown headings of the body, in order
	Body        string     // Markdown after the frontmatter, without control characters

	ModelInvocable bool     // false if the model cannot run it, as with disable-model-invocation: true
	Paths          []string // globs of the files for which the skill is active; nil for all
	Frontmatter    string   // raw text between the --- lines, or ""
	Problems       []Problem
}

// MaxFile is the maximum number of bytes read from a file. A longer file is cut, and its entry gets a Problem.
const MaxFile = 1 << 20 // the largest real skill seen is under 200 KB
