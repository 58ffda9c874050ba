package dirs

// Hosts is where the hosts, which are the programs that run the hook, keep what a session
// reads.
type Hosts struct {
	Name    string   // tells the places of one user and one configuration from others'
	Folders []Folder // of skills and agents, strongest first
	Plugins []string // installed_plugins.json files, with plugins in the form of Claude Code
	Policy  Policy
	Own     []string // names of skills that come with a host
}

// Folder is a folder of a host. It holds a folder "skills" and perhaps one "agents".
type Folder struct {
	Path    string // absolute; where Project is set, relative to each folder of a project
	Label   string // start of the ids of its skills: Enterprise or any other, unique among folders
	Agents  bool   // it holds agents too
	Project bool
	ByPath  bool // Claude Code does not read it: its skills are named with their path
}

// Enterprise is the label of the organisation's folder, whose skills and agents go before
// all others of their names.
const Enterprise = "enterprise"

// Policy is the settings files that say what skills may be used, in the form of Claude Code.
type Policy struct {
	User         string
	Project      []string // relative to each folder of a project, weakest first
	Managed      string   // the organisation's
	ManagedParts string   // folder of further files of the organisation's
}
