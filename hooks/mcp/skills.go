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

// The Skills extension of the protocol (SEP-2640): skills/list and skills/get give entries
// with the frontmatter and a manifest of files, resources/read gives the files.
const (
	extension = "io.modelcontextprotocol/skills"
	scheme    = "skill://"
	entryPage = 50 // entries of a page of skills/list: each reads a skill's files
)

const complete = "complete"

// private says that an answer is for its client alone, and not for later: skills come and go.
var private = sdk.Cacheable{CacheScope: "private"}

// Entry is a skill as the extension describes it.
type Entry struct {
	URI         string         `json:"uri"` // of its SKILL.md
	Frontmatter map[string]any `json:"frontmatter"`
	Resources   []File         `json:"resources"`
}

// File is a file of a skill with the SHA-256 and size of the bytes that resources/read gives.
type File struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

// ListParams are the parameters of skills/list.
type ListParams struct {
	sdk.ParamsBase
	Cursor string `json:"cursor,omitempty"` // NextCursor of the page before
}

// ListResult is the result of skills/list. A page may have fewer entries than another, and
// the last has no NextCursor.
type ListResult struct {
	sdk.ResultBase
	sdk.Cacheable
	ResultType string  `json:"resultType"` // complete
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
	ResultType string `json:"resultType"` // complete
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

// root is the address of a skill's folder, "" for what is not a skill with files: the path to
// it in the index, and its name.
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
		return invalid("no skill has this address")
	})
}

// entry makes the entry of a skill. It fails where the skill is not what the extension may
// serve: without name and description, by another name, or too large.
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
				return Entry{}, fmt.Errorf("%s has not the name and the description in its frontmatter", d.Name)
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
				continue // perhaps of a skill in the folder of another
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
