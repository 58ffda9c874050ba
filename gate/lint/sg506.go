package lint

import (
	"fmt"
)

var destructive = &Rule{
	ID:       "SG506",
	Title:    "command that destroys",
	Why:      "run once in the wrong folder it deletes what cannot be brought back",
	Advice:   "name exactly what is deleted, and have the user confirm it",
	See:      "https://attack.mitre.org/techniques/T1485/",
	Since:    v1,
	Group:    GroupSafety,
	Severity: Warning,
	Risk:     0.3,
	Bad:      file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\n```sh\nrm -rf ~/\n```\n"),
	Good:     file("pdf", page("pdf", "Fills PDF forms. Use when a task names a .pdf file.")+"\n```sh\nrm -rf ./build/forms\n```\n"),
	Check: func(s *Skill, report Report) {
		scanLines(s, destroying, 5, warns, func(src *Source, start, end int, p pattern) {
			report(Problem{At: src.Span(start, end), Text: fmt.Sprintf("%s: %q", p.what, printableShort(src.Text[start:end]))})
		})
	},
}

var destroying = []pattern{
	{[]string{"rm -"}, lazy(`\brm\s+-(?:[a-zA-Z]*r[a-zA-Z]*f|[a-zA-Z]*f[a-zA-Z]*r)[a-zA-Z]*\s+(?:--no-preserve-root\s+)?["']?(?:/|~|~/|\$HOME/?|\$\{HOME\}/?|/\*|~/\*|\.\.?/?\*?|/(?:etc|usr|bin|lib|var|home|boot|opt|root)/?\*?)["']?(?:\s|$|;|&|\|)`), "deletes a whole tree"},
	{[]string{"mkfs", "dd if=", "/dev/sd", "/dev/nvme", "/dev/disk"}, lazy(`\bmkfs(\.[a-z0-9]+)?\s+(-[^\s]+\s+)*/dev/|\bdd\s+if=\S+\s+of=/dev/(sd|nvme|disk|hd)|>\s*/dev/(sd|nvme)`), "overwrites a disk"},
	{[]string{":(){"}, lazy(`:\(\)\{\s*:\|:&\s*\};:`), "a fork bomb"},
	{[]string{"chmod"}, lazy(`\bchmod\s+-R\s+0?777\s+(/|~|\$HOME)(\s|$)`), "opens every file to everybody"},
	{[]string{"drop database", "drop schema"}, lazy(`(?i)\bDROP\s+(DATABASE|SCHEMA)\s+(prod|production)\b`), "drops a production database"},
	{[]string{"shutil.rmtree"}, lazy(`shutil\.rmtree\(\s*(os\.path\.expanduser\(\s*)?["'](/|~|~/)["']`), "deletes a whole tree"},
}
