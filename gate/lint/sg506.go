package lint

import (
	"fmt"
	"strings"
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
	Risk:     0.4,
	Bad:      long("pdf", "Fills PDF forms. Use when a task names a .pdf file.", "\n```sh\nrm -rf ~/\n```\n"),
	Good:     long("pdf", "Fills PDF forms. Use when a task names a .pdf file.", "\n```sh\nrm -rf ./build/forms\n```\nNever run `rm -rf ~/`.\n"),
	Check: func(s *Skill, report Report) {
		scanLines(s, destroying, 5, selective, func(h hit) {
			p := Problem{At: h.t.src.Span(h.start, h.end), Text: fmt.Sprintf("%s: %q", h.p.what, printableShort(h.text()))}
			if h.p.what == overwritesDisk && strings.Contains(h.text(), ".i") {
				p.Risk = 0.1 // an image written to a stick is what dd is for
			}
			report(p)
		})
	},
}

const (
	overwritesDisk = "overwrites a disk"
	erasesCopies   = "erases a disk or its copies" // what ransomware does, and hunters of it write about
)

// selective skips what is shown as a thing not to do and what picks files by name.
func selective(s *Skill, h hit) bool {
	return spokenOf(s, h) || picksNames.get().MatchString(h.text()) || h.p.what == erasesCopies && s.onSecurity()
}

var picksNames = lazy(`-i?(?:name|path|regex)\s+["']?[^\s"']*[A-Za-z]|-(?:empty|mtime|mmin|newer|size|user)\b`)

// everything is what a command must not delete: the home folder, the root, a system
// folder, the folder it stands in.
const (
	everything = `(?:/|~|~/|\$HOME/?|\$\{HOME\}/?|/\*|~/\*|\$HOME/\*|\.\.?/?\*?|\.\[!\.\]\*|/(?:etc|usr|bin|lib|var|home|boot|opt|root|Users)/?\*?)`
	commandEnd = `(?:\s|$|[;&|)` + "`" + `"'\\])`
	winHome    = `["']?(?:[A-Za-z]:[\\/]?\*?|%USERPROFILE%|%SystemDrive%\\?|\$env:(?:USERPROFILE|SystemDrive|HOME)\\?|\$HOME|~)["']?`
)

var destroying = []pattern{
	{[]string{"rm "}, lazy(`\brm\s+(?:-\S+\s+)*(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\s+(?:-\S+\s+)*["']?` + everything + `["']?` + commandEnd), "deletes a whole tree"},
	{[]string{"'rm'", `"rm"`}, lazy(`["']rm["'],\s*["']-\w*[rR]\w*["'],\s*(?:os\.path\.expanduser\(\s*["']~/?["']|["'](?:/|~|~/)["']|str\(Path\.home\(\))`), "deletes a whole tree"},
	{[]string{"cd ", "mv "}, lazy(`\bcd\s+(?:~|/|\$HOME)/?\s*(?:&&|;)\s*(?:sudo\s+)?rm\s+-\w*[rR]\w*\s+\.?\*|\bmv\s+(?:~|/|\$HOME)(?:/\S*)?\s+/dev/null`), "deletes a whole tree"},
	{[]string{"find "}, lazy(`\bfind\s+["']?(?:/|~/?|\$\{?HOME\}?/?)["']?\s[^\n|;]*(?:-delete\b|-exec\s+(?:sudo\s+)?(?:rm|shred)\b)|\bfind\s+(?:/|~/?|\$\{?HOME\}?/?)\s[^\n;]*\|\s*xargs\s[^\n]*\b(?:rm|shred)\b`), "deletes a whole tree"},
	{[]string{"mkfs", "dd ", "/dev/sd", "/dev/nvme", "/dev/disk", "wipefs", "/dev/hd", "/dev/vd"}, lazy(`\bmkfs(?:\.[a-z0-9]+)?\s+(?:-\S+\s+)*/dev/|\bdd\s+[^\n|;]*\bof=/dev/r?(?:sd|nvme|disk|hd|vd)|[^-=]>\s*/dev/(?:sd[a-z]|nvme|vd[a-z])|\bwipefs\s+(?:-\S+\s+)*/dev/`), overwritesDisk},
	{[]string{":(){", ":() {"}, lazy(`:\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:`), "a fork bomb"},
	{[]string{"chmod", "chown"}, lazy(`\bchmod\s+-R\s+[0-7]{3,4}\s+(?:/|~|\$HOME)` + commandEnd), "changes the permissions of every file"},
	{[]string{"drop database", "drop schema"}, lazy(`(?i)\bDROP\s+(?:DATABASE|SCHEMA)\s+(?:IF EXISTS\s+)?(?:prod|production)\b`), "drops a production database"},
	{[]string{"rmtree"}, lazy(`\brmtree\(\s*(?:os\.path\.expanduser\(\s*)?(?:["'](?:/|~|~/)["']|(?:pathlib\.)?Path\.home\(\)\s*\)|os\.environ\[["']HOME["']\]\s*\))`), "deletes a whole tree"},
	{[]string{"rmsync", "rimraf", "fs.rm(", "rmdirsync"}, lazy(`\b(?:rmSync|rmdirSync|rimraf(?:Sync)?|fs\.rm|rm)\s*\(\s*(?:["'](?:/|~|~/)["']|(?:require\(["']os["']\)|os)\.homedir\(\)\s*,)`), "deletes a whole tree"},
	{[]string{"remove-item", "rd /s", "rmdir /s", "del /", "ri -"}, lazy(`(?i)\b(?:Remove-Item|ri)\b[^\n|;]*-Recurse[^\n|;]*\s` + winHome + commandEnd + `|\b(?:Remove-Item|ri)\s+` + winHome + `\s[^\n|;]*-Recurse|\b(?:rd|rmdir)\s+(?:/\w\s+)*/s\s+(?:/\w\s+)*` + winHome + commandEnd + `|\bdel\s+(?:/\w\s+)*/s\s+(?:/\w\s+)*` + winHome + commandEnd), "deletes a whole tree"},
	{[]string{"format ", "clear-disk", "vssadmin", "wbadmin", "bcdedit", "cipher /w"}, lazy(`(?i)\bformat(?:\.com)?\s+[a-z]:(?:\s+/|\s*$)|\bClear-Disk\b[^\n]*-RemoveData|\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin\s+delete\s+(?:catalog|systemstatebackup)`), erasesCopies},
	{[]string{"shred "}, lazy(`\bshred\s+[^\n|;]*(?:~|\$HOME)/\.(?:ssh|aws|gnupg)`), "destroys keys"},
}
