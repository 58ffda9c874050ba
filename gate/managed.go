package gate

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/dirs"
)

// ManagedFile returns the path of the organisation's settings file: skillgate.yaml in the folder of the host's managed
// settings, which only administrators can write. It returns "" if the host has no such folder.
func ManagedFile(d dirs.Dirs) string {
	if d.Hosts.Policy.Managed == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(d.Hosts.Policy.Managed), "skillgate.yaml")
}

// levels has the values of log.prompts and export.prompts, most private first.
var levels = []string{"none", "hash", "terms", "full"}

// manage applies the organisation's settings file to s, which already has the settings of user, project and
// environment. The file's values take precedence unless those in s are stricter, that is, a higher score_min or
// need_min, or a lower top_k, agents_k, session_chars, deadline, trust.max_risk or prompt level. manage returns the
// organisation's need_min as floor. If the section trust, log or export has an error, its strictest value applies. A
// file that cannot be read disables skillgate, because its prohibitions are unknown.
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
			s.Enrich = Default().Enrich // the user's provider settings must not mix with the organisation's
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
