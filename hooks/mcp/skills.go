package mcp

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/system"
)

// The Skills extension of the protocol (SEP-2640): skills/list and skills/get return entries
// with frontmatter and a manifest of files; resources/read returns the files.
const (
	extension = "io.modelcontextprotocol/skills"
	scheme    = "skill://"
	entryPage = 50 // entries on a page of skills/list; few, because the server reads all files of each skill
)

const complete = "complete"

// private marks answers that clients must neither share nor keep, because skills are added and removed.
var private = sdk.Cacheable{CacheScope: "private"}

// Entry describes a skill, in the form that the extension prescribes.
type Entry struct {
	URI         string         `json:"uri"` // URI of the SKILL.md
	Frontmatter map[string]any `json:"frontmatter"`
	Resources   []File         `json:"resources"`
}

// File is a file of a skill. Digest (SHA-256) and Size refer to the bytes that resources/read returns.
type File struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

// ListParams are the parameters of skills/list.
type ListParams struct {
	sdk.ParamsBase
	Cursor string `json:"cursor,omitempty"` // NextCursor of the previous page
}

// ListResult is the result of skills/list. Pages may differ in length; the last has no NextCursor.
type ListResult struct {
	sdk.ResultBase
	sdk.Cacheable
	ResultType string  `json:"resultType"` // always "complete"
	Skills     []Entry `json:"skills"`
	NextCursor string  `json:"nextCursor,omitempty"`
}

// GetParams are the parameters of skills/get.
type GetParams struct {
	sdk.ParamsBase
	URI string `json:"uri"`
}

// GetResult is the result of skills/get.
type GetResult struct {
	sdk.ResultBase
	sdk.Cacheable
	ResultType string `json:"resultType"` // always "complete"
	Skill      Entry  `json:"skill"`
}

func (s Source) serveSkills(out *sdk.Server) error {
	err := sdk.AddReceivingCustomMethod(out, "skills/list",
		func(ctx context.Context, _ *sdk.ServerSession, in *ListParams) (r *ListResult, err error) {
			return r, system.Caught(func() error { r, err = s.listEntries(ctx, in); return err })
		})
	if err != nil {
		return err
	}
	err = sdk.AddReceivingCustomMethod(out, "skills/get",
		func(ctx context.Context, _ *sdk.ServerSession, in *GetParams) (r *GetResult, err error) {
			return r, system.Caught(func() error { r, err = s.getEntry(ctx, in); return err })
		})
	if err != nil {
		return err
	}
	out.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "skill", Title: "Files of skills", URITemplate: scheme + "{+path}",
		Description: "A file of a skill, named in the manifest that skills/list and skills/get return.",
	}, func(ctx context.Context, req *sdk.ReadResourceRequest) (r *sdk.ReadResourceResult, err error) {
		return r, system.Caught(func() error { r, err = s.readFile(ctx, req.Params.URI); return err })
	})
	return nil
}

// root returns the URI of a skill's folder: the folders in the skill's ID, followed by the skill's name.
// It returns "" for agents and for skills without files.
func root(d index.Doc) string {
	if d.Path == "" || d.Flags&index.IsAgent != 0 {
		return ""
	}
	name := d.Name[strings.LastIndexByte(d.Name, ':')+1:]
	segments := append(strings.Split(path.Dir(d.ID), "/"), name)
	for i, segment := range segments {
		segments[i] = url.PathEscape(segment)
	}
	return scheme + strings.TrimPrefix(strings.Join(segments, "/"), "./")
}

func (s Source) listEntries(ctx context.Context, in *ListParams) (*ListResult, error) {
	out := &ListResult{Cacheable: private, ResultType: complete, Skills: []Entry{}}
	after := ""
	if in != nil {
		after = in.Cursor
	}
	return out, s.offered(ctx, func(g *gate.Gate, offers []index.Doc) error {
		seen := 0
		for _, d := range offers {
			if place(d) <= after || root(d) == "" {
				continue
			}
			if seen == entryPage {
				return nil
			}
			seen++
			out.NextCursor = place(d)
			if e, err := s.entry(ctx, g, d); err == nil {
				out.Skills = append(out.Skills, e)
			}
		}
		out.NextCursor = ""
		return nil
	})
}

func (s Source) getEntry(ctx context.Context, in *GetParams) (*GetResult, error) {
	out := &GetResult{Cacheable: private, ResultType: complete}
	return out, s.offered(ctx, func(g *gate.Gate, offers []index.Doc) error {
		for _, d := range offers {
			if in != nil && root(d) != "" && in.URI == root(d)+"/SKILL.md" {
				e, err := s.entry(ctx, g, d)
				if err != nil {
					return invalid("%v", err)
				}
				out.Skill = e
				return nil
			}
		}
		return invalid("no skill has this URI")
	})
}

// entry returns the entry of a skill. It fails if the skill is too large for the extension, or if its
// frontmatter does not contain its name and a description.
func (s Source) entry(ctx context.Context, g *gate.Gate, d index.Doc) (Entry, error) {
	file, _, err := s.file(ctx, g, d)
	if err != nil {
		return Entry{}, err
	}
	f, err := openFolder(file)
	if err != nil {
		return Entry{}, err
	}
	defer f.Close()
	all, err := f.files()
	if err != nil {
		return Entry{}, err
	}
	e := Entry{URI: root(d) + "/SKILL.md", Resources: []File{}}
	for i, name := range all {
		content, _, err := f.read(name)
		if err != nil {
			return Entry{}, err
		}
		uri := e.URI
		if i == 0 {
			if e.Frontmatter, _ = frontmatter(string(content)); e.Frontmatter["name"] != path.Base(root(d)) ||
				e.Frontmatter["description"] == nil {
				return Entry{}, fmt.Errorf("the frontmatter of %s must contain the skill's name and a description", d.Name)
			}
		} else {
			uri = fileURI(root(d), name)
		}
		e.Resources = append(e.Resources, File{uri, fmt.Sprintf("sha256:%x", sha256.Sum256(content)), len(content)})
	}
	return e, nil
}

func fileURI(root, name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return root + "/" + strings.Join(segments, "/")
}

func (s Source) readFile(ctx context.Context, uri string) (*sdk.ReadResourceResult, error) {
	var out *sdk.ReadResourceResult
	err := s.offered(ctx, func(g *gate.Gate, offers []index.Doc) error {
		for _, d := range offers {
			at := root(d)
			if at == "" || !strings.HasPrefix(uri, at+"/") {
				continue
			}
			file, _, err := s.file(ctx, g, d)
			if err != nil {
				return invalid("%v", err)
			}
			f, err := openFolder(file)
			if err != nil {
				return invalid("%v", err)
			}
			defer f.Close()
			name, err := url.PathUnescape(strings.TrimPrefix(uri, at+"/"))
			if err != nil {
				return invalid("%v", err)
			}
			if name == "SKILL.md" {
				name = f.skillFile
			}
			all, err := f.files()
			if err != nil || !slices.Contains(all, name) {
				continue // the file may belong to a skill in a subfolder
			}
			content, isText, err := f.read(name)
			if err != nil {
				return invalid("%v", err)
			}
			c := &sdk.ResourceContents{URI: uri, MIMEType: typeOf(name, isText)}
			if isText {
				c.Text = string(content)
			} else {
				c.Blob = content
			}
			out = &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}
			if s.File != nil {
				return s.Log.Loaded(ctx, d.Name, path.Join(path.Dir(d.Path), name))
			}
			return nil
		}
		return sdk.ResourceNotFoundError(uri)
	})
	return out, err
}

func (s Source) offered(ctx context.Context, use func(*gate.Gate, []index.Doc) error) error {
	g, err := s.Open(ctx)
	if err != nil {
		return err
	}
	defer g.Close()
	all, err := s.offers(ctx, g)
	if err != nil {
		return err
	}
	return use(g, all)
}

func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
