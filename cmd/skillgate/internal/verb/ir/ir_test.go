package ir

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/ir"
)

const kettle = "---\nname: kettle\ndescription: Boils water for tea. Use when the user says \"hot water\", \"물 " +
	"끓여줘\". Do NOT use for coffee (use mill).\n---\n# Kettle\n\n1. Fill it with `scripts/fill.sh`.\n"

const design = `intent: Boils water for tea.
triggers: {en: [hot water], ko: [물 끓여줘]}
inputs: [water]
outputs: [hot water]
boundaries: [{not: coffee, use: mill}]
references: []
`

// home has a folder of three skills: kettle with SKILL.md alone, mill, and planned with
// intent.yaml alone.
func home(t *testing.T) (h *apptest.Home, dir string) {
	t.Helper()
	h = apptest.New(t)
	dir = filepath.Join(h.Dir, "skills")
	h.Write(t, filepath.Join(dir, "kettle", "SKILL.md"), kettle, 0o600)
	h.Write(t, filepath.Join(dir, "kettle", "scripts", "fill.sh"), "true\n", 0o700)
	h.Write(t, filepath.Join(dir, "mill", "SKILL.md"),
		"---\nname: mill\ndescription: Grinds coffee. Use when the user says \"a strong coffee\".\n---\n# Mill\n", 0o600)
	h.Write(t, filepath.Join(dir, "planned", "intent.yaml"), design, 0o600)
	return h, dir
}

func TestInit(t *testing.T) {
	h, dir := home(t)
	skill := filepath.Join(dir, "kettle")
	out, err := h.Run(New(h.App), "init", skill)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ir.Parse([]byte(out))
	if err != nil || x.Intent != "Boils water for tea." || x.Triggers["en"][0] != "hot water" || x.Triggers["ko"][0] != "물 끓여줘" ||
		x.Boundaries[0].Use != "mill" || x.References[0] != "scripts/fill.sh" {
		t.Errorf("the draft is %+v, %v", x, err)
	}
	if strings.Contains(h.Err.String(), "to do") {
		t.Errorf("a simple skill is told to do more: %q", h.Err.String())
	}
	if _, err := h.Run(New(h.App), "init", "--write", skill); err != nil || h.Read(t, filepath.Join(skill, "intent.yaml")) != out {
		t.Errorf("--write: %v", err)
	}
	if code, message := h.Status(New(h.App), "init", "--write", skill); code != 3 || !strings.Contains(message, "remove it first") {
		t.Errorf("a second --write ends with %d, %q", code, message)
	}
}

// The languages of a draft are those that users write in.
func TestInitAsksForTheUsersLanguages(t *testing.T) {
	h, dir := home(t)
	h.Write(t, filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), "lint: {languages: [en, ja]}\n", 0o600)
	if out, err := h.Run(New(h.App), "init", filepath.Join(dir, "mill")); err != nil || !strings.Contains(out, "ja: []") || strings.Contains(out, "ko:") {
		t.Errorf("with lint.languages en and ja the draft is %q, %v", out, err)
	}
	if !strings.Contains(h.Err.String(), `triggers has none in "ja"`) {
		t.Errorf("it says %q", h.Err.String())
	}
}

func TestCheck(t *testing.T) {
	design := strings.NewReplacer("hot water]", "light the stove]", "물 끓여줘", "난로 켜줘").Replace(design)
	for _, tt := range []struct {
		name, design string
		code         int
		want         string
	}{
		{"a design that nobody else has", design, 0, ""},
		{"another skill's trigger", strings.Replace(design, "light the stove]", "light the stove, a strong coffee]", 1), 1, "finds mill first"},
		{"the same in other words", strings.Replace(design, "light the stove]", "light the stove, strong coffee please]", 1), 1, "finds mill"},
		{"a skill that is not there", strings.Replace(design, "use: mill", "use: samovar", 1), 1, `there is no skill "samovar"`},
		{"a file that is not there", strings.Replace(design, "references: []", "references: [scripts/none.sh]", 1), 1, "does not exist"},
		{"a field that is not known", design + "trigger: x\n", 1, "there is no field trigger"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, dir := home(t)
			h.Write(t, filepath.Join(dir, "planned", "intent.yaml"), tt.design, 0o600)
			code, message := h.Status(New(h.App), "check", "--json", filepath.Join(dir, "planned"))
			var res struct {
				Findings []struct{ Rule, Message string }
			}
			if err := json.Unmarshal(h.Out.Bytes(), &res); err != nil {
				t.Fatalf("%v\n%s", err, h.Out.String())
			}
			if code != tt.code || !strings.Contains(h.Out.String(), strings.ReplaceAll(tt.want, `"`, `\"`)) {
				t.Errorf("check ends with %d (%s) and finds %v, want %d and %q", code, message, res.Findings, tt.code, tt.want)
			}
		})
	}
	h, dir := home(t)
	if code, message := h.Status(New(h.App), "check", filepath.Join(dir, "kettle")); code != 3 || !strings.Contains(message, "ir init --write") {
		t.Errorf("a skill without a design ends with %d, %q", code, message)
	}
	if code, message := h.Status(New(h.App), "check", "nowhere"); code != 3 || !strings.Contains(message, "no such skill") {
		t.Errorf("no skill at all ends with %d, %q", code, message)
	}
}

func TestRenderAndDiff(t *testing.T) {
	h, dir := home(t)
	const want = `Boils water for tea. Use when the user says "hot water". "물 끓여줘" 같은 요청에 사용한다. Do NOT use for coffee (use mill).`
	out, err := h.Run(New(h.App), "render", filepath.Join(dir, "planned"))
	var got struct{ Description string }
	if err := errors.Join(err, yaml.Unmarshal([]byte(out), &got)); err != nil || strings.TrimSpace(got.Description) != want {
		t.Errorf("render prints %q, %v, want the description %q", out, err, want)
	}
	skill := filepath.Join(dir, "kettle")
	h.Write(t, filepath.Join(skill, "intent.yaml"), design, 0o600)
	h.Write(t, filepath.Join(skill, "intent.yaml"), "triggers: {en: [hot water]}\n", 0o600)
	if code, message := h.Status(New(h.App), "render", skill); code != 1 || !strings.Contains(message, "intent is missing") {
		t.Errorf("render without an intent ends with %d, %q", code, message)
	}
	if out, err := h.Run(New(h.App), "schema"); err != nil || !json.Valid([]byte(out)) {
		t.Errorf("schema is not JSON: %v", err)
	}
}
