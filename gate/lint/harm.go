package lint

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
)

var sg505 = &Rule{ID: "SG505", Severity: Info, Risk: 0.6, Check: func(s *Skill, report Report) {
	seen := map[int]bool{}
	say := func(src *Source, start, end int, what, text string) {
		at := src.Span(start, end)
		if src == s.Src && seen[at.Line] {
			return
		}
		seen[at.Line] = src == s.Src || seen[at.Line]
		report.at(at, "%s: %q", what, printableShort(text))
	}
	scanLines(s, sending, 5, onlyPublic, func(h hit) { say(h.t.src, h.start, h.end, h.p.what, h.text()) })
	scanProse(s, asking, 5, quotesAttack, func(h hit) {
		if !h.t.script {
			say(s.Src, h.start, h.end, h.p.what, h.text())
		}
	})
	for _, t := range s.texts() {
		eachCode(&t, func(from, to int) {
			if start, end, ok := readThenSent(&t, from, to); ok &&
				!s.labelled(&t, t.src.lineAt(start), start-1-strings.LastIndexByte(t.src.Text[:start], '\n')) {
				say(t.src, start, end, "reads what is secret, and sends data away a few lines further", t.src.Text[start:end])
			}
		})
	}
}}

// onlyPublic skips what is shown as an attack and what sends a public key.
func onlyPublic(s *Skill, h hit) bool {
	return spokenOf(s, h) || strings.Contains(h.text(), ".pub") || strings.HasPrefix(h.line[h.to:], ".pub") ||
		onlyMadeUp(h.line)
}

// Files that hold keys, and what precedes their names.
const (
	home           = `(?:[\w.~$%{}:/\\()-]*[/\\])?`
	credentialFile = home + `(?:\.ssh(?:[/\\](?:id_\w+|\*|identity\b)|["'\s)/]|$)|\.aws(?:[/\\](?:credentials` +
		`|config)\b|["'\s)/]|$)|\.netrc\b|\.npmrc\b|\.pypirc\b|\.kube[/\\]config\b|\.docker[/\\]config\.json` +
		`|\.config[/\\](?:gcloud|gh[/\\]hosts)|\.gnupg\b|\.git-credentials\b|\.claude[/\\]\.credentials|\.bash_history\b` +
		`|\.zsh_history\b)`
	secretFile  = `(?:` + credentialFile + `|` + home + `\.env\b(?:\.(?:local|production|prod))?|/etc/(?:passwd|shadow)\b)`
	environment = `(?:env|printenv|export -p)\b`
	reader      = `(?:cat|base64|gzip|tar|zip|openssl|head|tail|xxd|od|gpg|strings|less|<)`
)

var sending = []pattern{
	{[]string{"curl", "wget", "http"}, lazy(`(?i)\b(?:curl|wget|https?|xh)\s[^\n|;]*(?:[@<]|-T\s*` +
		`|--upload-file[ =]|--post-file[ =]|--body-file[ =])["']?` + secretFile), "sends a secret file"},
	{[]string{"curl", "wget", "http"}, lazy("(?i)\\b(?:curl|wget|https?|xh)\\s[^\\n|;]*(?:\\$\\(|`)\\s*" + reader +
		`[^\n)` + "`" + `]*` + secretFile), "sends a secret file"},
	{[]string{"curl", "wget"}, lazy("(?i)\\b(?:curl|wget|Invoke-\\w+|irm|iwr)\\s[^\\n]*(?:\\$\\(|`)\\s*" + environment),
		"sends the environment"},
	{[]string{"curl", "wget"}, lazy(`\b(?:curl|wget)\s[^\n|;]*\$\{?AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)\b`),
		"sends a secret key"},
	{[]string{"env", "cat ", "tar ", "base64", "zip"}, lazy(`(?i)(?:^|[\s;&|(` + "`" + `"'])(?:` + environment + `|` +
		reader + `\s[^|\n;]*` + secretFile + `)[^|\n;]*\|(?:[^|\n;]*\|){0,4}\s*(?:sudo\s+)?(?:curl|wget|nc|ncat` +
		`|netcat|socat|telnet|ssh|mail|sendmail|openssl s_client)\s+[^\s"'` + "`" + `,]`),
		"sends the environment or a secret file"},
	{[]string{"nc ", "ncat", "netcat"}, lazy(`(?i)\b(?:nc|ncat|netcat)\s[^\n|;&]*<\s*["']?` + secretFile),
		"sends a secret file"},
	{[]string{"dig ", "nslookup", "host ", "ping ", "drill", "resolve-dnsname"}, lazy(
		"(?i)(?:^|[;&|(`]|\\bdo|\\bthen)\\s*(?:sudo\\s+)?(?:dig|nslookup|host|ping|drill|getent " +
			"hosts|resolve-dnsname)\\s[^\\n|;]*\\$\\([^\\n]*(?:\\bcat\\b|\\benv\\b|printenv" +
			"|base64|\\bxxd\\b|\\bod\\b|\\.ssh|\\.aws|\\.env\\b|/etc/)"), "sends data in the names it asks DNS for"},
	{[]string{"git "}, lazy(`\bgit\s+add\s+(?:-f|--force)\s[^\n;&|]*` + secretFile),
		"adds a secret file to a repository that ignores it"},
	{[]string{"s3 cp", "gsutil", "rclone", "gist create"}, lazy(`(?i)\b(?:aws\s+s3\s+cp|gsutil\s+cp|rclone\s+copy` +
		`|gh\s+gist\s+create)\s[^\n|;]*` + secretFile), "sends a secret file"},
	{[]string{"get-content", "gc ", "env:", "[environment]"}, lazy(`(?i)\b(?:Invoke-RestMethod|Invoke-WebRequest` +
		`|irm|iwr|UploadString|UploadData|UploadFile)\b[^\n]*(?:(?:Get-Content|gc|cat|type` +
		`|ReadAllText)\b[^\n]*` + secretFile + `|(?:Get-ChildItem|gci|dir|ls)\s+env:|GetEnvironmentVariables)`),
		"sends the environment or a secret file"},
	{[]string{"requests.", "urlopen", "fetch(", "axios", "httpx"}, lazy(
		`(?i)\b(?:(?:requests|httpx|session)\.(?:post|put|get)|urlopen|fetch` +
			`|axios(?:\.post)?)\s*\([^\n]*(?:dict\(os\.environ\)|os\.environ\.(?:copy|items)\(\)` +
			`|json\.dumps\([^\n]*os\.environ\b[^.\[]|JSON\.stringify\(\s*process\.env\s*\)|` + credentialFile + `)`),
		"sends the environment or a secret file"},
}

// asking is what a text asks the model to do.
var asking = []pattern{
	{[]string{".ssh", ".aws", ".env", ".netrc", ".gnupg", ".git-credentials", ".npmrc", ".credentials"}, lazy(
		`(?i)\b(?:read|open|collect|copy|take|get|find|load|cat|extract|locate)\b[^.\n]{0,60}[\s` + "`" + `"']` +
			secretFile + `[^\n]{0,100}\b(?:and|then)\b[^.\n]{0,40}\b(?:send|post|upload|include|append|attach` +
			`|submit|transmit|email|forward)\b[^.\n]{0,60}(?:https?://|webhook|endpoint|server|request\b|\bto\b)`),
		"asks for a secret file to be sent"},
	{[]string{"send all", "send any", "send every", "send the user", "post all", "upload all", "upload any",
		"upload the user", "forward all", "transmit all", "exfiltrate", "email all", "leak"}, lazy(
		`(?i)\b(?:send|post|upload|forward|transmit|exfiltrate|email|leak) (?:all|any|every` +
			`|the user['’]s)(?: of)?(?: the| their| your)? (?:\w+ ){0,2}(?:api keys?|credentials|secrets` +
			`|passwords|environment variables|env vars|ssh keys?|private keys?)\b[^.\n]{0,60}\bto\b`),
		"asks for secrets to be sent"},
}

// eachCode calls f for the parts of a text that run: each fence of SKILL.md, or a
// whole script.
func eachCode(t *textFile, f func(from, to int)) {
	if t.script {
		f(0, len(t.src.Text))
		return
	}
	from := -1
	eachLine(t.src.Text, 0, func(l bodyLine) bool {
		switch {
		case l.code && from < 0:
			from = l.start
		case !l.code && from >= 0:
			f(from, l.start)
			from = -1
		}
		return true
	})
	if from >= 0 {
		f(from, len(t.src.Text))
	}
}

// literalAt returns what stands between the quotation marks around byte at of text, or the
// line where there are none.
func literalAt(text string, at int) string {
	from := strings.LastIndexAny(text[:at], "\"'`\n") + 1
	literal := text[from:]
	if end := strings.IndexAny(text[at:], "\"'`\n"); end >= 0 {
		literal = text[from : at+end]
	}
	return literal
}

// readThenSent finds code that reads what is secret and then sends something.
func readThenSent(t *textFile, from, to int) (start, end int, ok bool) {
	low := t.low[from:to]
	if !hasAny(low, secretWords) || !hasAny(low, uploadWords) || !readsSecret.mayMatch(low) {
		return 0, 0, false
	}
	text := t.src.Text[from:to]
	for _, m := range readsSecret.get().FindAllStringIndex(text, 10) {
		lineEnd := strings.IndexByte(text[m[1]:], '\n')
		line := text[strings.LastIndexByte(text[:m[0]], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		trimmed := strings.TrimSpace(line)
		if lineEnd < 0 || strings.Contains(line, ".pub") || strings.HasPrefix(trimmed, "#") ||
			strings.HasPrefix(trimmed, "//") || exists.get().MatchString(line) ||
			expressionText.get().MatchString(literalAt(text, m[1])) {
			continue
		}
		rest := text[m[1]+lineEnd:]
		if wholeEnvironment.get().MatchString(text[m[0]:m[1]]) && !sentLater(text, rest) {
			continue // a child's environment, or another one's data
		}
		if !t.script {
			rest = firstLines(rest, 8)
		}
		if u := uploads.get().FindStringIndex(rest); u != nil &&
			!onlyMadeUp(firstLines(rest[u[0]:], 1)) {
			return from + m[0], from + m[1], true
		}
	}
	return 0, 0, false
}

// sentLater reports whether the environment that a script reads is in a statement of rest
// that sends.
func sentLater(script, rest string) bool {
	var f flow
	for _, one := range statements(rest) {
		if !uploads.get().MatchString(one) {
			continue
		}
		if f == nil {
			f = flowFrom(script, wholeEnvironment)
		}
		if f.in(one) {
			return true
		}
	}
	return false
}

func firstLines(text string, n int) string {
	for i := range text {
		if text[i] == '\n' {
			if n--; n < 0 {
				return text[:i]
			}
		}
	}
	return text
}

var (
	secretWords = []string{".ssh", ".aws", ".gnupg", ".git-credentials", ".credentials", "/etc/shadow", "environ",
		"process.env", "login data", "printenv", "env >"}
	uploadWords = []string{"curl", "wget", "post", "urlopen", "fetch(", "nc ", "sendall", "smtplib", "upload", "socket"}
	readsSecret = lazy(`(?im)(?:\b(?:tar|zip|cp|cat|base64|gzip|rsync)\s[^\n|;]*|\b(?:open|read_text|readFileSync` +
		`|readFile|Path|expanduser|Get-Content|join)\s*\(?[^\n]*)` + keyFiles +
		`|` + environmentRead + `|(?-i:(?:^|[\s;&|(` + "`" + `])(?:env|printenv)\s*>\s*[\w./~$"'-])`)
	wholeEnvironment = lazy(`(?i)` + environmentRead)
	uploads          = lazy(`(?i)\b(?:curl|wget)\s[^\n]*(?:-d\b|-F\b|-T\b|--data|--form|--upload-file|--post|\$\{?\w+)` +
		`|\b(?:requests|httpx|session|client)\.(?:post|put)\(|urlopen\([^\n]*,|\bfetch\([^\n]*` +
		`|\.request\([^\n]*["']POST|axios\.post\(|\bnc\s+\S+\s+\d+|\.sendall\(|smtplib\.SMTP|Invoke-(?:RestMethod` +
		`|WebRequest)[^\n]*-Method\s+Post`)
	expressionText = lazy(`\(\?:|\\s[*+]|\[\^`) // a regular expression that looks for it
	exists         = lazy(`(?i)\bexists\b|\bisfile\b|\bstat\b|-i\s+\S*\.ssh`)
)

// environmentRead is code that takes every variable of the environment.
const environmentRead = `dict\(os\.environ\)|os\.environ\.(?:copy|items)\(\)|JSON\.stringify\(\s*process\.env\s*\)` +
	`|Object\.entries\(process\.env\)`

// keyFiles are the files whose text no program but its owner needs.
const keyFiles = `(?:\.ssh(?:[/\\](?:id_\w+|\*)|["' \t)]|$)|\.aws(?:[/\\]credentials|["' \t)]|$)|\.gnupg\b` +
	`|\.git-credentials\b|\.claude[/\\]\.credentials|/etc/shadow\b|Login Data)`

var sg506 = &Rule{ID: "SG506", Severity: Info, Risk: 0.4, Check: func(s *Skill, report Report) {
	scanLines(s, destroying, 5, selective, func(h hit) {
		p := Problem{At: h.t.src.Span(h.start, h.end), Text: fmt.Sprintf("%s: %q", h.p.what, printableShort(h.text()))}
		if h.p.what == overwritesDisk && strings.Contains(h.text(), ".i") {
			p.Risk = 0.1 // an image written to a stick is what dd is for
		}
		report(p)
	})
}}

const (
	overwritesDisk = "overwrites a disk"
	erasesCopies   = "erases a disk or its copies" // what ransomware does, and hunters of it write about
)

// selective skips what is shown as a thing not to do and what picks files by name.
func selective(s *Skill, h hit) bool {
	return spokenOf(s, h) || picksNames.get().MatchString(h.text())
}

var picksNames = lazy(`-i?(?:name|path|regex)\s+["']?[^\s"']*[A-Za-z]|-(?:empty|mtime|mmin|newer|size|user)\b`)

// everything is what a command must not delete: the home folder, the root, a system
// folder, the folder it stands in.
const (
	everything = `(?:/|~|~/|\$HOME/?|\$\{HOME\}/?|/\*|~/\*|\$HOME/\*|\.\.?/?\*?|\.\[!\.\]\*|/(?:etc|usr|bin|lib|var|home` +
		`|boot|opt|root|Users)/?\*?)`
	commandEnd = `(?:\s|$|[;&|)` + "`" + `"'\\])`
	winHome    = `["']?(?:[A-Za-z]:[\\/]?\*?|%USERPROFILE%|%SystemDrive%\\?|\$env:(?:USERPROFILE|SystemDrive|HOME)\\?` +
		`|\$HOME|~)["']?`
)

var destroying = []pattern{
	{[]string{"rm "}, lazy(`\brm\s+(?:-\S+\s+)*(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\s+(?:-\S+\s+)*["']?` +
		everything + `["']?` + commandEnd), "deletes a whole tree"},
	{[]string{"'rm'", `"rm"`}, lazy(`["']rm["'],\s*["']-\w*[rR]\w*["'],\s*(?:os\.path\.expanduser\(\s*["']~/?["']` +
		`|["'](?:/|~|~/)["']|str\(Path\.home\(\))`), "deletes a whole tree"},
	{[]string{"cd ", "mv "}, lazy(`\bcd\s+(?:~|/|\$HOME)/?\s*(?:&&|;)\s*(?:sudo\s+)?rm\s+-\w*[rR]\w*\s+\.?\*` +
		`|\bmv\s+(?:~|/|\$HOME)(?:/\S*)?\s+/dev/null`), "deletes a whole tree"},
	{[]string{"find "}, lazy(`\bfind\s+["']?(?:/|~/?|\$\{?HOME\}?/?)["']?\s[^\n|;]*(?:-delete\b` +
		`|-exec\s+(?:sudo\s+)?(?:rm|shred)\b)|\bfind\s+(?:/|~/?|\$\{?HOME\}?/?)\s[^\n;]*\|\s*xargs\s[^\n]*\b(?:rm|shred)\b`),
		"deletes a whole tree"},
	{[]string{"mkfs", "dd ", "/dev/sd", "/dev/nvme", "/dev/disk", "wipefs", "/dev/hd", "/dev/vd"}, lazy(
		`\bmkfs(?:\.[a-z0-9]+)?\s+(?:-\S+\s+)*/dev/|\bdd\s+[^\n|;]*\bof=/dev/r?(?:sd|nvme|disk|hd|vd)` +
			`|[^-=]>\s*/dev/(?:sd[a-z]|nvme|vd[a-z])|\bwipefs\s+(?:-\S+\s+)*/dev/`), overwritesDisk},
	{[]string{":(){", ":() {"}, lazy(`:\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:`), "a fork bomb"},
	{[]string{"chmod", "chown"}, lazy(`\bchmod\s+-R\s+[0-7]{3,4}\s+(?:/|~|\$HOME)` + commandEnd),
		"changes the permissions of every file"},
	{[]string{"drop database", "drop schema"},
		lazy(`(?i)\bDROP\s+(?:DATABASE|SCHEMA)\s+(?:IF EXISTS\s+)?(?:prod|production)\b`), "drops a production database"},
	{[]string{"rmtree"}, lazy(`\brmtree\(\s*(?:os\.path\.expanduser\(\s*)?(?:["'](?:/|~|~/)["']` +
		`|(?:pathlib\.)?Path\.home\(\)\s*\)|os\.environ\[["']HOME["']\]\s*\))`), "deletes a whole tree"},
	{[]string{"rmsync", "rimraf", "fs.rm(", "rmdirsync"}, lazy(`\b(?:rmSync|rmdirSync|rimraf(?:Sync)?|fs\.rm` +
		`|rm)\s*\(\s*(?:["'](?:/|~|~/)["']|(?:require\(["']os["']\)|os)\.homedir\(\)\s*,)`), "deletes a whole tree"},
	{[]string{"remove-item", "rd /s", "rmdir /s", "del /", "ri -"}, lazy(
		`(?i)\b(?:Remove-Item|ri)\b[^\n|;]*-Recurse[^\n|;]*\s` + winHome + commandEnd + `|\b(?:Remove-Item|ri)\s+` +
			winHome + `\s[^\n|;]*-Recurse|\b(?:rd|rmdir)\s+(?:/\w\s+)*/s\s+(?:/\w\s+)*` + winHome + commandEnd +
			`|\bdel\s+(?:/\w\s+)*/s\s+(?:/\w\s+)*` + winHome + commandEnd), "deletes a whole tree"},
	{[]string{"format ", "clear-disk", "vssadmin", "wbadmin", "bcdedit", "cipher /w"}, lazy(
		`(?i)\bformat(?:\.com)?\s+[a-z]:(?:\s+/|\s*$)|\bClear-Disk\b[^\n]*-RemoveData` +
			`|\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin\s+delete\s+(?:catalog|systemstatebackup)`), erasesCopies},
	{[]string{"shred "}, lazy(`\bshred\s+[^\n|;]*(?:~|\$HOME)/\.(?:ssh|aws|gnupg)`), "destroys keys"},
}

var sg507 = &Rule{ID: "SG507", Severity: Warning, Risk: 0.2, Check: func(s *Skill, report Report) {
	scanLines(s, piping, 5, runsNothing, func(h hit) {
		report(Problem{At: h.t.src.Span(h.start, h.end),
			Text: fmt.Sprintf("%s: %q", h.p.what, printableShort(strings.TrimSpace(h.text()))), Risk: networkRisk(h)})
	})
	for i := range s.texts() {
		t := &s.texts()[i]
		if start, end, ok := runsLater(t, downloads); ok && !decoders.get().MatchString(t.src.Text) {
			report(Problem{At: t.src.Span(start, end),
				Text: "runs what the file downloads: " + strings.TrimSpace(t.src.Text[start:end]), Risk: 0.4})
		}
	}
}}

// runsNothing skips what is shown as a thing not to do, what comes from the same
// machine, and a file that is saved and not run.
func runsNothing(s *Skill, h hit) bool {
	if localHost.get().MatchString(h.text()) || onlyMadeUp(h.line) || spokenOf(s, h) {
		return true
	}
	if h.p.what != savesAndRuns {
		return false
	}
	m := savedFile.get().FindStringSubmatch(h.line[h.from:])
	if m == nil {
		return true
	}
	run := regexp.QuoteMeta(strings.Trim(m[1], `"'`))
	again, err := regexp.Compile(`(?:&&|;)\s*(?:sudo\s+)?(?:(?:ba|z)?sh|python3?|node|perl|source` +
		`|\.)?\s*(?:-\w+\s+)*["']?(?:\./)?` + run + `["']?(?:\s|$|[;&)` + "`" + `"'])`)
	return err != nil || !again.MatchString(h.line[h.from:])
}

// networkRisk is higher than an installer's that a tool's own site serves over TLS
// where nobody answers for what is run.
func networkRisk(h hit) float64 {
	switch {
	case h.p.what == handsOver && madeUpAddress.get().MatchString(h.line):
		return 0 // as courses on penetration tests show it
	case h.p.what == handsOver:
		return 0.7
	case h.p.what == fromPaste || h.p.what == lockedArchive:
		return 0.6
	case pasteSite.get().MatchString(h.line):
		return 0.5
	}
	for at := range occurrences(h.line, "://") {
		start, end := hostAt(h.line, at+len("://"))
		if addr, err := netip.ParseAddr(strings.Trim(h.line[start:end], "[]")); err == nil && !ordinary(addr) {
			return 0.6
		}
		if strings.HasSuffix(strings.ToLower(h.line[:at]), "http") {
			return 0.4
		}
	}
	return 0
}

var (
	localHost = lazy(`https?://(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)`)
	pasteSite = lazy(`(?i)\b(?:pastebin\.com|paste\.ee|hastebin\.com|termbin\.com|transfer\.sh|rentry\.co` +
		`|ghostbin\.\w+|0x0\.st|bit\.ly|tinyurl\.com|is\.gd|t\.ly|ngrok[a-z-]*\.\w+|glot\.io|webhook\.site|dpaste\.\w+)/`)
	madeUpAddress = lazy(`(?i)your|<|\$|attacker|lhost|/dev/tcp/(?:10|127|192\.168|172)\.|\s(?:10|192\.168)\.\d` +
		`|[0-9]\.x\b`)
	savedFile = lazy(`\s-(?:[a-zA-Z]*[oO]|-output|-output-document)[ =]?\s*(["']?[\w./~$-]+["']?)`)
)

// downloads are the calls that give a script text from the network.
var downloads = lazy(`(?i)\b(?:requests\.get|urlopen|httpx\.get|axios\.get)\(|\bawait fetch\(`)

const (
	savesAndRuns  = "saves a download and runs it at once"
	handsOver     = "hands a shell to another machine"
	fromPaste     = "sends the user to a page that anybody can write for a command"
	lockedArchive = "asks for a program from an archive that a password keeps from scanners"
	fromNetwork   = `\b(?:curl|wget)\s[^\n;|]*(?:https?://|\$|[a-z0-9-]+\.[a-z]{2,}/)[^\n;]*?`
	lastArgument  = `(?:\s+-(?:\s[^\n|]*)?)?\s*(?:$|[)"'` + "`" + `;&#])`
)

var piping = []pattern{
	{[]string{"curl", "wget"}, lazy(fromNetwork + `\|\s*` + shell), "pipes a download into a shell"},
	{[]string{"curl", "wget"}, lazy(fromNetwork + `\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|php)` + lastArgument),
		"pipes a download into an interpreter"},
	{[]string{"<(curl", "<(wget", "<( curl"},
		lazy(`(?:\b(?:(?:ba|z)?sh|source)|(?:^|\s)\.)\s+(?:-\w+\s+)*<\(\s*(?:curl|wget)\b`), "runs a download"},
	{[]string{"$(curl", "$(wget", "`curl", "`wget"},
		lazy("\\b(?:eval|(?:ba|z)?sh\\s+-\\w*c|(?:ba|z)?sh\\s*<<<|python3?\\s+-c|node\\s+-e|source)" +
			"\\s*[\"']?(?:\\$\\(|`)\\s*(?:curl|wget)\\b"), "runs a download"},
	{[]string{"iex", "invoke-expression"}, lazy(`(?i)\b(?:iwr|irm|curl|wget|invoke-webrequest` +
		`|invoke-restmethod)\s+[^\n|]*\|\s*(?:iex|invoke-expression)\b|downloadstring\([^\n]*\|\s*(?:iex` +
		`|invoke-expression)\b|\b(?:iex` +
		`|invoke-expression)\b[\s(&.'"$]*(?:new-object\s+(?:system\.)?net\.webclient|irm\s|iwr\s|invoke-webrequest\s` +
		`|invoke-restmethod\s)`), "runs a download"},
	{[]string{"curl", "wget"}, lazy(`\b(?:curl|wget)\b[^\n|;]*?\s-(?:[a-zA-Z]*[oO]|-output` +
		`|-output-document)[ =]?\s*["']?[\w./~$-]+["']?[^\n|]*(?:&&|;)\s*[^\n]+`), savesAndRuns},
	{[]string{"exec(", "eval(", "function("}, lazy(`\b(?:exec|eval)\s*\([^\n]*(?:\brequests\.get|\burlopen` +
		`|\bhttpx\.get|\.urlopen)\s*\(|\b(?:eval|Function)\s*\(\s*(?:\(?\s*await\b[^\n]*\bfetch\(|[^\n]*axios\.get\()`),
		"runs a download"},
	{[]string{"/dev/tcp/", "nc ", "ncat ", "mkfifo"}, lazy(`\bsh\s+-i\b[^\n]*/dev/tcp/|/dev/tcp/\S+[^\n]*0>&1` +
		`|\b(?:nc|ncat|netcat)\s[^\n|;]*-\w*[ec]\w*\s+["']?(?:/bin/|cmd)|\bmkfifo\s[^\n]*\|\s*(?:nc|ncat|openssl)\b`),
		handsOver},
	{[]string{"dup2", "/bin/sh", "/bin/bash"},
		lazy(`\bos\.dup2\(\s*\w+\.fileno\(\)|\.connect\(\([^\n]*(?:/bin/(?:ba)?sh|dup2)`), handsOver},
	{[]string{"dig ", "nslookup", "host -t"},
		lazy(`\b(?:dig|nslookup|host)\s[^\n]*\|\s*` + shell + `\s*(?:$|["'` + "`" + `;)])`), "runs what DNS answers"},
	{[]string{"glot.io", "rentry.co", "pastebin.com", "paste.ee", "hastebin", "ghostbin", "0x0.st", "dpaste."}, lazy(
		`(?i)https?://(?:\w+\.)?(?:glot\.io|rentry\.co|pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.\w+|0x0\.st` +
			`|dpaste\.\w+)/[^\n]*\b(?:execute|run|paste|terminal|powershell)\b|\b(?:execute|run` +
			`|terminal)\b[^.\n]{0,80}https?://(?:\w+\.)?(?:glot\.io|rentry\.co|pastebin\.com|paste\.ee|hastebin\.com)/`),
		fromPaste},
	{[]string{"extract", "archive password", "unzip"}, lazy(`(?i)\bextract[\s*]{1,4}(?:it |the \w+ )?(?:using` +
		`|with)\s+(?:the )?pass(?:word)?\b|\.(?:zip|rar|7z)\b[^\n]{0,30}\bextract (?:using|with)\b` +
		`|\barchive password\W+\w|\bunzip\s+-P\s*\S+\s[^\n]*(?:&&|;)\s*\S*\./`), lockedArchive},
	{[]string{"mshta", "regsvr32", "certutil"}, lazy(`(?i)\bmshta(?:\.exe)?\s+["']?https?://` +
		`|\bregsvr32\b[^\n]*/i:https?://|\bcertutil\b[^\n]*-urlcache[^\n]*https?://[^\n]*(?:&|;)`), "runs a download"},
}
