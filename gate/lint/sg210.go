package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/synonyms/terms"
)

var bodyElsewhere = &Rule{
	ID:       "SG210",
	Title:    "body does not speak of what the description says",
	Why:      "one of the two was copied from another skill or never filled in: the skill is found for what it cannot do",
	Advice:   "make the two agree: write into the body how that is done, or describe what the body does",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills, flattens and validates PDF forms with checkboxes, signatures, barcodes and embedded fonts. Use when a task names a fillable form.\n---\n"+roomText),
	Good:     file("rooms", "---\nname: rooms\ndescription: Books meeting rooms for a team. Use when the user asks to find a free room with a projector.\n---\n"+roomText),
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || m.BodyTerms < minBodyTerms || m.Claimed < minClaimed || float64(m.InBody) >= metShare*float64(m.Claimed) {
			return
		}
		body := s.BodyText()
		head := body[:min(len(body), 4<<10)]
		if otherScript(s.Capability) || otherScript(head) || pointer.get().MatchString(head) {
			return
		}
		in := map[string]bool{}
		for _, t := range terms.Scan(body) {
			in[t.Text] = true
		}
		telling := m.Telling
		if len(l.Skills) < minLibrary {
			telling = nil // of so few skills each word is in many
			for _, t := range terms.Scan(s.claim()) {
				if !vagueStem(t.Text) && !slices.Contains(telling, t.Text) {
					telling = append(telling, t.Text)
				}
			}
		}
		var missing []string
		met := 0
		for _, t := range telling {
			if base, _, _ := strings.Cut(t, "#"); in[base] {
				met++
			} else {
				missing = append(missing, base)
			}
		}
		if len(missing) >= minMissing && met <= 1 {
			report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("of %d words in the description the body has %d; it says nothing of %s", m.Claimed, m.InBody, quoteList(surfaces(s.Description, missing), 5))})
		}
	},
}

// pointer finds a body that sends the reader to the instructions elsewhere.
var pointer = lazy(`(?i)\b(get|load|fetch|read|follow) (the )?(full|complete|actual|real) (instructions|skill|guide)\b|\bcli-stub\b`)

// surfaces returns stems as text writes them.
func surfaces(text string, stems []string) []string {
	written := map[string]string{}
	for _, t := range terms.Scan(text) {
		if _, ok := written[t.Text]; !ok {
			written[t.Text] = strings.ToLower(text[t.Start:t.End])
		}
	}
	out := make([]string, 0, len(stems))
	for _, stem := range stems {
		out = append(out, cmp.Or(written[stem], stem))
	}
	return out
}

// otherScript reports whether a text is mostly in another script than Latin: its
// words are met by none in English.
func otherScript(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	// A syllable or an ideograph is worth two to three Latin letters.
	return 2*other > latin
}

const (
	minBodyTerms = 200  // a shorter body may only point to a command or to other files
	minClaimed   = 8    // words of the description; of fewer, none may be met by chance
	minMissing   = 4    // telling words that the body lacks
	metShare     = 0.40 // of library-en's 6,979 skills with such bodies 33 share less; with another skill's body 19 of 20 do
)

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
