package lint

import (
	"strings"
	"testing"
)

// findingOf returns the only finding of a rule about the skill of that folder.
func findingOf(t *testing.T, e Example, rule, folder string) (Finding, bool) {
	t.Helper()
	for _, f := range Run(library(t, e), Options{Rules: map[string]bool{rule: true}}).Findings {
		if strings.HasSuffix(f.Skill, folder) {
			return f, true
		}
	}
	return Finding{}, false
}

func TestMissingNeighbourIsASkill(t *testing.T) {
	body := "\n# pdf\n\n```sh\npdftk in.pdf cat\n```\n\nRun `qpdf --check in.pdf` and `pip install pikepdf`.\n"
	for _, tt := range []struct {
		name, use string
		hint      string // "" where nothing is reported
	}{
		{"a skill under a longer name", "(use merge-files)", "perhaps anthropic-merge-files was meant"},
		{"a slip of the pen", "(use pdf-mergr)", "perhaps pdf-merge was meant"},
		{"the beginning of several names", "(use team)", "perhaps team-eng was meant"},
		{"nothing like it", "(use quantum-solver)", sg305.Text().Advice},
		{"a rule", "(use token-budget rule)", ""},
		{"a document", "(use sandbox-design PRD)", ""},
		{"a server", "(use ide-browser MCP)", ""},
		{"a group", "(use office-* directly)", ""},
		{"a program that is run", "(use pdftk)", ""},
		{"a program in code marks", "(use qpdf)", ""},
		{"a package that is installed", "(use pikepdf)", ""},
		{"a program, directly", "(use ghostscript directly)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Do NOT use for joining files "+tt.use+".\n---"+body).
				and("anthropic-merge-files", "Joins files.").and("writing", "Writes.").and("pdf-merge", "Joins PDF files.").
				and("team-eng", "One.").and("team-legal", "Two.").and("team-press", "Three.").and("team-sales", "Four.")
			got, found := findingOf(t, e, "SG305", "pdf")
			if found != (tt.hint != "") || got.Hint != tt.hint {
				t.Errorf("boundary %q: reported %v with hint %q, want %q", tt.use, found, got.Hint, tt.hint)
			}
		})
	}
}

// A text without a word to speak of is not quoted as an empty string or list.
func TestFindingsWithoutWords(t *testing.T) {
	for _, tt := range []struct{ name, rule, description, want string }{
		{"a description of the wrong kind", "SG206", "[{}]", "the description holds no word"},
		{"a description of marks", "SG206", `"..."`, "the description holds no word"},
		{"a description of vague words", "SG206", "Helps with tasks.", `no word of "Helps with tasks." tells this skill from another`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := file("d", "---\nname: d\ndescription: "+tt.description+"\n---\n").and("pdf", "Fills PDF forms. Use when the user says \"양식 채워줘\".")
			e.Files = append(e.Files, crowd(100, "Cooks dish %s.").Files...) // a word is telling where few skills have it
			if got, _ := findingOf(t, e, tt.rule, "d"); got.Text != tt.want {
				t.Errorf("%s of the description %s says %q, want %q", tt.rule, tt.description, got.Text, tt.want)
			}
		})
	}
}

func TestTemplateIsNoCopy(t *testing.T) {
	page := func(name string) string {
		return "---\nname: " + strings.ToLower(name) + "-rooms\ndescription: Books meeting rooms in " + name +
			" for a team. Use when the user asks to find a free room with a projector.\n---\n" + roomText + "\nSign in to " +
			name + " first.\n"
	}
	for _, tt := range []struct {
		name  string
		e     Example
		first string
		want  bool
	}{
		{"a copy in another folder", file("rooms", page("Zoho")).with("rooms-2/SKILL.md", page("Zoho")), "rooms-2", true},
		{"one text for two services", file("zoho-rooms", page("Zoho")).with("robin-rooms/SKILL.md", page("Robin")), "robin-rooms", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, found := findingOf(t, tt.e, "SG401", tt.first); found != tt.want {
				t.Errorf("SG401 of %s: reported %v (%s), want %v", tt.first, found, got.Text, tt.want)
			}
		})
	}
}

const roomText = `# Meeting rooms

## Find
1. Read the calendar of every room in the building and list the free hours of the day.
2. Prefer rooms with a projector, a whiteboard and enough chairs for everybody who was invited.
3. Ask for the floor when several rooms are free, and for the length of the meeting.

## Book
1. Write the booking into the calendar with the names of all guests and the title of the meeting.
2. Send an invitation with the room, the floor and the hour to each guest, and a reminder an hour before.
3. Cancel a booking when nobody has come after fifteen minutes, and tell the owner about it.

## Equipment
1. List the projectors, screens, microphones and cameras of each room with their cables and adapters.
2. Report what is broken to the caretaker, with the room, the floor and a picture, and ask when it will be repaired.
3. Offer another room with the same equipment for every booking of the coming days until it works again.

## Guests
1. Print a badge for each guest with the name, the company and the host, and lay it out at the reception desk.
2. Tell the reception the hour of arrival, the licence plate for the garage and the number of people in the party.
3. Order coffee, tea, water and lunch for long meetings, with vegetarian dishes for those who asked for them.
4. Walk the guests to the lift after the meeting and collect the badges, the keys and the borrowed adapters.

## Cleaning
1. Ask the cleaners to open the windows, wipe the tables and the whiteboard, and empty the bins after each long meeting.
2. Put back the chairs in rows of four, count them, and fetch missing ones from the store on the ground floor.
3. Close the blinds, switch off the lights and lock the door when the last booking of the evening is over.

## Rules
1. Nobody books more than two rooms for the same hour, and no room for longer than a whole morning or afternoon.
2. Interviews and meetings with guests come before weekly team meetings when all rooms on a floor are taken.
3. A room that was booked every week is free again after the owner has been away from the company for a month.

## Report
1. Count the hours that each room was used in a month, and by which team.
2. Name the rooms that stay empty and the hours in which no room is free.
`
