package listing

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/hostfile"
)

// Limits on reading the hosts' logs.
const (
	maxWalked = 20000     // directory entries visited
	maxLogs   = 40        // newest files read
	maxTail   = 256 << 10 // bytes read at the end of each file
)

// notLogs are names of folders that contain no logs.
var notLogs = []string{"skills", "commands", "agents", "plugins", "extensions", "cache", "node_modules", ".git"}

// logged returns, by skill name, the number of recent session logs of all hosts in which the Skill tool loaded the
// skill or its file was read.
func logged(s hostfile.Session) map[string]int {
	out := map[string]int{}
	for _, path := range newestLogs(s) {
		text := tail(path)
		seen := map[string]bool{}
		for rest := text; ; {
			before, after, ok := bytes.Cut(rest, []byte("/SKILL.md"))
			if !ok {
				break
			}
			if at := bytes.LastIndexByte(before, '/'); at >= 0 {
				seen[string(before[at+1:])] = true
			}
			rest = after
		}
		for rest := text; ; {
			_, after, ok := bytes.Cut(rest, []byte(`"skill":"`))
			if !ok {
				break
			}
			name, after, _ := bytes.Cut(after, []byte(`"`))
			seen[string(name)] = true
			rest = after
		}
		for name := range seen {
			out[name]++
		}
	}
	return out
}

func newestLogs(s hostfile.Session) []string {
	changed := map[string]time.Time{} // by path, because hosts share folders
	walked := 0
	for _, host := range hooks.Hosts {
		_ = filepath.WalkDir(host.Home(s.Dirs.Home, s.Getenv), func(path string, entry fs.DirEntry, err error) error {
			if walked++; walked > maxWalked {
				return fs.SkipAll
			}
			switch {
			case err != nil:
				return nil // the host is not installed, or the entry cannot be read
			case entry.IsDir() && slices.Contains(notLogs, entry.Name()):
				return fs.SkipDir
			case entry.Type().IsRegular() && slices.Contains([]string{".jsonl", ".json"}, filepath.Ext(path)):
				if info, err := entry.Info(); err == nil {
					changed[path] = info.ModTime()
				}
			}
			return nil
		})
	}
	var files []string
	for path := range changed {
		files = append(files, path)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(changed[b].Compare(changed[a]), cmp.Compare(a, b)) })
	return files[:min(len(files), maxLogs)]
}

func tail(path string) []byte {
	f, err := regular.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxTail {
		_, _ = f.Seek(-maxTail, io.SeekEnd)
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxTail))
	return text
}
