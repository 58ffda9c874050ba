package register

import (
	"github.com/tailscale/hujson"

	"github.com/skillgate/skillgate/hooks"
)

const (
	serverFile = "mcp.json"   // a file with this name registers MCP servers
	servers    = "mcpServers" // its top-level member with the servers
	serverName = "skillgate"
)

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

// point sets the command and arguments of server f to those of w and leaves its other members alone.
func (d *document) point(f Found, w hooks.Handler) error {
	if err := d.setMember(f, "command", w.Command); err != nil {
		return err
	}
	return d.setMember(f, "args", w.Args)
}

func (d *document) setMember(f Found, name string, value any) error {
	all, i := d.list(f)
	server := all.Value.(*hujson.Object).Members[i].Value
	if v, _, ok := member(server, name); ok {
		return d.replace(span{v.StartOffset, v.EndOffset}, value)
	}
	return d.insert(server, name, value)
}
