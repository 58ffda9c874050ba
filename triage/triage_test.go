package triage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestContextBeforeThePromptIsDropped(t *testing.T) {
	p := Classify("<ide_selection>lines 3 to 9 of main.go</ide_selection>\n<system-reminder>be brief</system-reminder>\n분기 보고서 초안 작성해줘")
	require.Equal(t, Search, p.Kind)
	assert.Equal(t, "분기 보고서 초안 작성해줘", p.Text)
}

func TestPastedBlocks(t *testing.T) {
	const block = "<pasted_content id=\"1\">\nQuarterly numbers\nrevenue 10\n</pasted_content id=\"1\">"
	long := strings.Repeat("payments service restarted twice. ", 200)
	tests := []struct {
		name, prompt, text string
		kind               Kind
		head               bool
	}{
		{"request around a block", "이 표 그래프로 그려줘\n" + block, "이 표 그래프로 그려줘", Search, false},
		{"request on both sides", "compare this\n" + block + "\nwith last year's plan", "compare this\nwith last year's plan", Search, false},
		{"only a block", block, "Quarterly numbers\nrevenue 10", Search, true},
		{"thanks around a block", "고마워!\n" + block, "Quarterly numbers\nrevenue 10", Search, true},
		{"block without end, pointed at", "이거 좀 봐줘\n<pasted_content id=\"2\">\nminutes of monday", "minutes of monday", Search, true},
		{"escaped tag inside", "<pasted_content id=\"3\">\na <\\pasted_content id=\"3\"> b\n</pasted_content id=\"3\">\n표로 정리해줘", "표로 정리해줘", Search, false},
		{"other id does not close", "<pasted_content id=\"4\">x\n</pasted_content id=\"9\">\ny</pasted_content id=\"4\"> " +
			"make a summary slide", "make a summary slide", Search, false},
		{"two blocks", block + "\n리스크 분석해줘\n" + strings.ReplaceAll(block, "\"1\"", "\"2\""), "리스크 분석해줘", Search, false},
		{"command with a block", "/deploy staging\n" + block, "/deploy staging", Command, false},
		{"empty block", "<pasted_content id=\"5\">\n</pasted_content id=\"5\">\n넵 알겠어요", "넵 알겠어요", Ack, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Classify(tt.prompt)
			if got.Kind != tt.kind || got.Text != tt.text || got.Head != tt.head || !got.Pasted {
				t.Errorf("Classify(%q) = %s %q head=%v pasted=%v, want %s %q head=%v pasted=true",
					tt.prompt, got.Kind, got.Text, got.Head, got.Pasted, tt.kind, tt.text, tt.head)
			}
		})
	}
	got := Classify("<pasted_content id=\"1\">" + long + "</pasted_content id=\"1\">")
	if len(got.Text) > pasteHead || len(got.Text) < pasteHead/2 || !strings.HasSuffix(got.Text, ".") &&
		!strings.HasSuffix(got.Text, "e") && strings.HasSuffix(got.Text, " ") {
		t.Errorf("head of a long block is %d bytes, want at most %d and a whole word at the end", len(got.Text), pasteHead)
	}
}

func TestTypedCommands(t *testing.T) {
	tests := []struct {
		prompt, command string
		kind            Kind
	}{
		{"/compact", "compact", Command},
		{"/deploy staging --now", "deploy", Command},
		{"/my-plugin:write-spec billing", "my-plugin:write-spec", Command},
		{"/회의록 지난주", "회의록", Command},
		{"/home/ann/notes.txt 읽고 회의록으로 만들어줘", "", Search},
		{"/tmp 정리하는 스크립트 짜줘", "", Search},
		{"// TODO: retry on 429, write this properly", "", Search},
		{"/ what does a lone slash mean in nginx locations", "", Search},
		{"!git stash list", "", Command},
		{"! ls -la", "", Command},
		{"!!! 급해요 장애 보고서 써줘", "", Search},
		{"# always answer in Korean", "", Command},
		{"#remember we use tabs", "", Command},
		{"#412 이슈 재현 테스트 작성해줘", "", Search},
		{"#design 채널에 공지 올려줘", "", Search},
		{"# Goal\nwrite a migration guide for v3", "", Search},
	}
	for _, tt := range tests {
		if got := Classify(tt.prompt); got.Kind != tt.kind || got.Command != tt.command {
			t.Errorf("Classify(%q) = %s command %q, want %s %q", tt.prompt, got.Kind, got.Command, tt.kind, tt.command)
		}
	}
}

func TestLongTextIsKept(t *testing.T) {
	p := longPrompt(1_000_000)
	if got := Classify(p); got.Kind != Search || got.Text != strings.TrimSpace(strings.ToValidUTF8(p, " ")) || got.Steps != nil {
		t.Errorf("Classify of a long prompt = %s, %d bytes, %d steps, want search, %d bytes, no steps", got.Kind,
			len(got.Text), len(got.Steps), len(strings.TrimSpace(p)))
	}
}
