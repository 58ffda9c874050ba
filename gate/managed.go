package gate

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/dirs"
)

// ManagedFile returns the organisation's settings file: skillgate.yaml in the folder of the host's
// managed settings, which only administrators can write. It returns "" if the host has no such folder.
func ManagedFile(d dirs.Dirs) string {
	if d.Hosts.Policy.Managed == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(d.Hosts.Policy.Managed), "skillgate.yaml")
}

// levels has the values of log.prompts and export.prompts, starting with the most private.
var levels = []string{"none", "hash", "terms", "full"}

// manage applies the organisation's file to s, which has the settings of user, project and environment. Values in file
// win, except that limits may be stricter in s: score_min and need_min can only be
// higher, and top_k, agents_k, session_chars, the deadlines, trust.max_risk and the levels of
// prompts only lower. floor is the lowest need_min allowed. If trust, log or export has a mistake,
// its strictest value applies. A file that cannot be read at all disables skillgate,
// since its prohibitions are unknown.
func (s *Settings) manage(file string) (floor float64, err error) {
	if file == "" {
		return 0, nil
	}
	own := *s
	s.NeedMin = 0
	found, err := readSettings(file, "", maxSettings)
	if err != nil {
		err = errors.Join(err, fmt.Errorf("settings: skillgate is disabled because %s cannot be read", file))
	} else if found != nil {
		if enrich := section(found, "enrich"); enrich != nil && section(enrich.Content[1], "provider") != nil {
			s.Enrich = Default().Enrich // the user's address does not belong to the organisation's provider
		}
		err = errors.Join(s.overlay(file, found, nil), s.check())
		for key, strictest := range map[string]func(){
			"trust":  func() { s.Trust.MaxRisk = 0 },
			"log":    func() { s.Log.Prompts = "none" },
			"export": func() { s.Export.Prompts = "none" },
		} {
			part, probe := section(found, key), own
			if part != nil && errors.Join(probe.overlay(file, part, nil), probe.check()) != nil {
				strictest()
			}
		}
	}
	s.Disabled = s.Disabled || found == nil && err != nil
	floor, s.NeedMin = s.NeedMin, own.NeedMin
	s.ScoreMin = max(s.ScoreMin, own.ScoreMin)
	s.TopK, s.AgentsK = min(s.TopK, own.TopK), min(s.AgentsK, own.AgentsK)
	s.DeadlineMs, s.Rerank.DeadlineMs = min(s.DeadlineMs, own.DeadlineMs), min(s.Rerank.DeadlineMs, own.Rerank.DeadlineMs)
	s.Trust.MaxRisk = min(s.Trust.MaxRisk, own.Trust.MaxRisk)
	if own.SessionChars > 0 && (s.SessionChars == 0 || own.SessionChars < s.SessionChars) {
		s.SessionChars = own.SessionChars
	}
	s.Log.Prompts = lesser(s.Log.Prompts, own.Log.Prompts)
	s.Export.Prompts = lesser(s.Export.Prompts, own.Export.Prompts)
	return floor, err
}

func section(root *yaml.Node, key string) *yaml.Node {
	if root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			return &yaml.Node{Kind: yaml.MappingNode, Content: root.Content[i : i+2]}
		}
	}
	return nil
}

func lesser(a, b string) string {
	return levels[min(slices.Index(levels, a), slices.Index(levels, b))]
}
