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

// point makes the server f run w's command; its other members are its user's.
func (d *document) point(f Found, w hooks.Handler) error {
	if err := d.setMember(f, "command", w.Command); err != nil {
		return err
	}
	return d.setMember(f, "args", w.Args)
}

// setMember gives the server f a member of that name and value.
func (d *document) setMember(f Found, name string, value any) error {
	all, i := d.list(f)
	server := all.Value.(*hujson.Object).Members[i].Value
	if v, _, ok := member(server, name); ok {
		return d.replace(span{v.StartOffset, v.EndOffset}, value)
	}
	return d.insert(server, name, value)
}
