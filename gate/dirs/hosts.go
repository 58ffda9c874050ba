package dirs

// Hosts locates the files that sessions of the hosts read. A host is a program that runs the hook.
type Hosts struct {
	Name    string   // identifies the user and configuration that the locations below belong to
	Folders []Folder // folders of skills and agents, highest precedence first
	Plugins []string // installed_plugins.json files in the form of Claude Code
	Policy  Policy
	Own     []string // names of skills that are built into a host
}

// Folder is a folder of a host. It contains a folder "skills" and may contain "agents" and "commands".
type Folder struct {
	Path    string // absolute or, for a project, relative to cwd and its parents
	Label   string // start of the IDs of its skills; unique among folders
	Agents  bool   // the folder also has agents and commands
	Project bool
	ByPath  bool // Claude Code does not read the folder, so its skills are suggested with their paths
}

// Enterprise is the label of the organisation's folder, which takes precedence over all others.
const Enterprise = "enterprise"

// Policy locates the settings files, in the format of Claude Code, that determine which skills may be used.
type Policy struct {
	User         string
	Project      []string // paths relative to the folder in which a session began, lowest precedence first
	Managed      string   // the organisation's settings file
	ManagedParts string   // folder with the organisation's further settings files
}
