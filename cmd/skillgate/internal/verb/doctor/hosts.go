package doctor

import (
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/register"
)

// otherHosts looks at the registrations in the files of hosts other than Claude Code, and
// says what is not known of them.
func (c *checkup) otherHosts() {
	for _, host := range hooks.Hosts[1:] {
		for _, file := range c.Session(c.dirs).Files(host) {
			f, err := register.ReadFile(file.Path)
			if err != nil || !f.Exists {
				continue
			}
			found, err := register.Find(file.Path, f.Text)
			if err != nil {
				c.add(host.Name, statusWarn, "correct the file", "%v", err)
				continue
			}
			for _, h := range found {
				if h.Event != host.PromptEvent {
					continue
				}
				c.add(host.Name, statusOK, "", "%s:%d runs %s for %s", file.Path, h.Line, h.Command, host.Title)
				if host.Inert != "" {
					c.add(host.Name, statusOK, "", "whether it is at work cannot be seen here: %s", host.Inert)
				}
				if host.NoListing != "" {
					c.add(host.Name, statusOK, "", "%s", host.NoListing)
				}
			}
		}
	}
}
