package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func messages(t *testing.T) (said, written map[string]string) {
	t.Helper()
	said, written = map[string]string{}, map[string]string{}
	set := token.NewFileSet()
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if text, ok := literal(e); ok {
					written[text] = path
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			doctor := strings.Contains(path, "/doctor/") && name == "add"
			says := slices.Contains([]string{"T", "Say", "say", "Textf"}, name)
			// commands need no translation
			hint := slices.Index([]string{"Fail", "Hint"}, name)
			if strings.Contains(path, "skillgate-") { // programs for administrators and developers are English
				hint = -1
			}
			for i, arg := range call.Args {
				if text, ok := literal(arg); ok && i == hint && !commandAlone.MatchString(text) {
					said[text] = path
				}
				if text, ok := literal(arg); ok && (says && i == 0 || name == "T" || name == "Say" || doctor && i == 3) && i < 4 {
					said[text] = path
				}
			}
			return true
		})
		return nil
	}
	err := filepath.WalkDir("..", walk)
	// Commands print messages of these packages.
	for _, dir := range []string{"advise", "bar", "experiment", "replay", "journal/store"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join("../../gate", dir), walk))
	}
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(said), 200)
	return said, written
}

var commandAlone = regexp.MustCompile(`^(--[a-z-]+ [^ ]+( --[a-z]+ [^ ]+)?)$`)

func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, ok := literal(e.X)
		right, also := literal(e.Y)
		return left + right, ok && also
	}
	return "", false
}

var value = regexp.MustCompile(`%[-+0-9.]*(\[(\d+)\])?([a-z%])`)

func placeholders(format string) map[string]string {
	found := map[string]string{}
	next := 1
	for _, m := range value.FindAllStringSubmatch(format, -1) {
		if m[3] == "%" {
			continue
		}
		if m[2] != "" {
			next, _ = strconv.Atoi(m[2])
		}
		found[strconv.Itoa(next)] = m[3]
		next++
	}
	return found
}

func taken(format string) []any {
	var out []any
	for _, m := range value.FindAllStringSubmatch(format, -1) {
		switch m[3] {
		case "%":
		case "d":
			out = append(out, 3)
		case "f", "g":
			out = append(out, 1.5)
		default:
			out = append(out, "x")
		}
	}
	return out
}

func TestKoreanCatalogue(t *testing.T) {
	text, err := os.ReadFile("../internal/app/ko.yaml")
	require.NoError(t, err)
	var catalogue map[string]string
	require.NoError(t, yaml.Unmarshal(text, &catalogue))
	said, written := messages(t)
	for message, path := range said {
		if _, ok := catalogue[message]; !ok && strings.ContainsFunc(value.ReplaceAllString(message, ""), unicode.IsLetter) {
			t.Errorf("%s says %q, which the catalogue lacks", path, message)
		}
	}
	for message, korean := range catalogue {
		if _, ok := written[message]; !ok && !strings.HasPrefix(message, "to every subagent") && message != "yes" &&
			message != "no" { // values of hooks.Listing and outcome.State
			t.Errorf("the catalogue has %q, which nothing says", message)
		}
		en, ko := placeholders(message), placeholders(korean)
		assert.Equal(t, fmt.Sprint(ko), fmt.Sprint(en), "%q has the values %v, %q has %v", message, en, korean, ko)
		for _, format := range []string{message, korean} {
			if len(placeholders(message)) == 0 {
				break // not a format
			}
			assert.NotContains(t, fmt.Sprintf(format, taken(message)...), "%!", format)
		}
		if strings.HasSuffix(message, "\n") != strings.HasSuffix(korean, "\n") {
			t.Errorf("%q and %q end differently", message, korean)
		}
		if value.ReplaceAllString(message, "") != "ms" && message != "Claude Code %s" && message != "%s in %s\n" &&
			!strings.ContainsFunc(korean, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
			t.Errorf("%q is not Korean", korean)
		}
	}
}

func TestLocale(t *testing.T) {
	tests := []struct {
		name   string
		env    []string // LC_ALL, LC_MESSAGES, LANG
		args   string
		korean bool
	}{
		{"nothing", []string{"", "", ""}, "log", false},
		{"LANG", []string{"", "", "ko_KR.UTF-8"}, "log", true},
		{"the language alone", []string{"", "", "ko"}, "log", true},
		{"without a country", []string{"", "", "ko.UTF-8"}, "log", true},
		{"another language that begins so", []string{"", "", "kok_IN"}, "log", false},
		{"LC_MESSAGES before LANG", []string{"", "en_US.UTF-8", "ko_KR.UTF-8"}, "log", false},
		{"LC_ALL before all", []string{"ko_KR.UTF-8", "en_US.UTF-8", "C"}, "log", true},
		{"LC_ALL is C", []string{"C", "ko_KR.UTF-8", "ko_KR.UTF-8"}, "log", false},
		{"for a program", []string{"ko_KR.UTF-8", "", ""}, "log --json", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			h.Args = strings.Fields(tt.args)
			env := map[string]string{"HOME": h.Dir, "LC_ALL": tt.env[0], "LC_MESSAGES": tt.env[1], "LANG": tt.env[2]}
			h.Getenv = func(name string) string { return env[name] }
			code := h.App.Run(newRoot(h.App))
			if korean := strings.Contains(h.Err.String(), "기록이 비어 있습니다"); code != 0 || korean != tt.korean {
				t.Errorf("skillgate %s with %q = %d, prints %q, want Korean: %v", tt.args, tt.env, code, h.Err.String(), tt.korean)
			}
		})
	}
}
