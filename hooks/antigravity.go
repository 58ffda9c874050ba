package hooks

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/regular"
)

// Antigravity is the Antigravity CLI, agy, according to its documentation (antigravity.google/docs/hooks, autumn 2026).
// Its event precedes every call of the model, including calls after the results of tools, when the prompt has already
// been answered. The prompt is in the transcript.
var Antigravity = Host{
	Name:        "antigravity",
	Title:       "Antigravity CLI",
	PromptEvent: "PreInvocation",
	Told:        true,
	name:        antigravityName,
	prompt:      antigravityPrompt,
	reply:       antigravityReply,

	Program:  "agy",
	Folder:   ".gemini",
	Sign:     ".gemini/antigravity-cli",
	Settings: "config/hooks.json",
	Project:  ".agents/hooks.json",

	handlers: []Handler{{
		Event: "PreInvocation", Args: []string{"hook"}, Timeout: hookTimeout, Shell: true,
		Form: Form{Kind: Flat, Under: "skillgate"},
	}},
	places: antigravityPlaces,
	ByPath: true,
}

func antigravityName(key string) string {
	switch key {
	case "conversationId":
		return "session_id"
	case "workspacePaths":
		return firstCwd
	case "transcriptPath":
		return "transcript_path"
	}
	return key
}

func antigravityReply(_, context string) any {
	type step struct {
		Message string `json:"ephemeralMessage"`
	}
	return struct {
		Steps []step `json:"injectSteps"`
	}{[]step{{context}}}
}

func antigravityPlaces(home, folder string) dirs.Hosts {
	return ownPlaces(home, filepath.Join(folder, "antigravity-cli"), "antigravity", "")
}

// antigravityPrompt returns the user's last message from the end of the transcript. It returns "" if the transcript
// cannot be read or does not end with the user's message.
func antigravityPrompt(in Input) string {
	file, err := regular.Open(in.TranscriptPath)
	if err != nil {
		return ""
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		_, _ = file.Seek(max(0, info.Size()-maxInput), io.SeekStart) // if that fails, the beginning is read
	}
	text, _ := io.ReadAll(io.LimitReader(file, maxInput)) // the text before an error is used
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var last struct{ Type, Content, Text string }
	if json.Unmarshal(lines[len(lines)-1], &last) != nil || last.Type != "USER_INPUT" {
		return ""
	}
	prompt := last.Content + last.Text
	if _, after, ok := strings.Cut(prompt, "<USER_REQUEST>"); ok {
		prompt, _, _ = strings.Cut(after, "</USER_REQUEST>")
	}
	return strings.TrimSpace(prompt)
}
