package lang

import "github.com/skillgate/skillgate/synonyms/lang/script"

// English describes the English language, except for its words.
var English = Language{Code: "en", Name: "English", Script: script.Latin, ScriptName: "Latin", Cased: true,
	Usage: englishUsage, Says: "Use when the user says %s.",
	Not: "Do NOT use for %s.", NotUse: "Do NOT use for %s (use %s)."}

// triggerLabel matches the text after the first word of a list of triggers.
const triggerLabel = `( (on|with|when|phrases?|words?|keywords?))?( \([^)]*\))?`

const englishUsage = `(?i)\b(` +
	`(should|must|can|to) be (used|invoked|activated|triggered|called|applied|run|loaded)\b|` +
	`(us(e|ed|eful|ing)|invoked?|activat(e|es|ed)|trigger(s|ed)?|call(ed)?|apply|applies|load(s|ed)?|run(s)?|ideal` +
	`|perfect|great|suitable|preferred|recommended|best|helpful|needed|required|employ|consult` +
	`|reach for|applicable|relevant|intended|designed|built|works?)` +
	`( (this|it|them|the)( (skill|agent|tool|workflow|guide))?| skill` +
	`| proactively| automatically| immediately| only| also| best| [a-z-]+ skill)* ?(,|—|:` +
	`|-)? ?\(?(when|whenever|if|for|to|on|before|after|during|by|as|in|with|while|at|upon|once|any time|anytime` +
	`|every time)\b|` +
	`when(ever)? (the |a |an )?(user|users|you|working|asked|someone|developers?|engineers?|teams?|claude|agents?` +
	`|model|task|project|code|need(ing|ed)?|creating|building|writing|reviewing|designing|implementing|analyzing` +
	`|debugging|[a-z]+ing)\b|` +
	`(if|once|after|before) (the |a )?(user|users|you)\b|` +
	`skill is for|(after|before) (any|every|each|all) [a-z]+|use [^.;]{1,120} (when|whenever|if)\b|` +
	`(asks?|asked|wants?|needs?|says?|mentions?|requests?|requesting|asking) (to|for|about|how|whether)\b|` +
	`triggers?` + triggerLabel + `\s*[:：]|(?-i:T)riggers?` + triggerLabel + `\s+[-–—]\s|` +
	`trigger(s|ed)? (on|with|by|when)\b|keywords?\s*[:：]|use cases?\s*[:：]|` +
	`for [^.;,]{1,80}, use\b|for (users|teams|developers|people|anyone|engineers) (who|that|building|working|needing)\b)`
