package lint

import (
	"fmt"
)

var encodedPayload = &Rule{
	ID:       "SG510",
	Title:    "encoded text that is decoded and run",
	Why:      "nobody can read what it does before it does it",
	Advice:   "write the command in plain text",
	See:      "https://attack.mitre.org/techniques/T1027/",
	Since:    v1,
	Group:    GroupSafety,
	Severity: Error,
	Risk:     0.6,
	Bad:      file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\n```sh\necho ZmlsbCAtLWFsbCBmb3Jtcw== | base64 -d | sh\n```\n"),
	Good:     file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\n```sh\nbase64 -d form.b64 > form.pdf\n```\n"),
	Check: func(s *Skill, report Report) {
		scanLines(s, decoding, 5, warns, func(src *Source, start, end int, p pattern) {
			report(Problem{At: src.Span(start, end), Text: fmt.Sprintf("%s: %q", p.what, printableShort(src.Text[start:end]))})
		})
	},
}

var decoding = []pattern{
	{[]string{"base64", "xxd -r"}, lazy(`\b(base64\s+(-d|-D|--decode)|xxd\s+-r)\b[^|\n]*\|\s*(sudo\s+)?((ba|z)?sh|python3?|node|perl)\b`), "decodes and runs"},
	{[]string{"b64decode", "fromhex"}, lazy(`\b(exec|eval)\s*\(\s*(base64\.)?(b64decode|bytes\.fromhex|codecs\.decode)\b`), "decodes and runs"},
	{[]string{"atob("}, lazy(`\beval\s*\(\s*atob\s*\(`), "decodes and runs"},
	{[]string{"-enc", "-e "}, lazy(`(?i)\bpowershell(\.exe)?\b[^\n]*\s-e(nc(odedcommand)?)?\s+[A-Za-z0-9+/=]{40,}`), "runs an encoded command"},
}
