package register

import (
	"github.com/tailscale/hujson"

	"github.com/skillgate/skillgate/hooks"
)

const (
	serverFile = "mcp.json"   // a file of that name registers servers
	servers    = "mcpServers" // the member at its top that holds them
	serverName = "skillgate"
)

// servers returns skillgate's server in a file of servers.
func (d *document) servers() ([]Found, error) {
	all, _, ok := member(d.root, servers)
	if !ok {
		return nil, nil
	}
	named, ok := all.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorf(all, "%s: want an object of servers", servers)
	}
	var found []Found
	for i, m := range named.Members {
		if f, ok := handler(m.Value); ok {
			f.Form.Kind, f.under, f.event = hooks.Server, servers, i
			f.Line, _ = d.position(m.Name.StartOffset)
			found = append(found, f)
		}
	}
	return found, nil
}
