package lint

import "fmt"

var bodyElsewhere = &Rule{
	ID:       "SG210",
	Title:    "body speaks of something else than the description",
	Why:      "one of the two was copied from another skill: it is found for what it cannot do",
	Advice:   "make the two agree",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms with check boxes, signatures and bar codes. Use when a task names a fillable form.\n---\n"+roomText),
	Good:     file("rooms", "---\nname: rooms\ndescription: Books meeting rooms for a team. Use when the user asks to find a free room with a projector.\n---\n"+roomText),
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil || hasHangul(s.Capability) || korean(s.BodyText()[:min(len(s.BodyText()), 4<<10)]) || m.BodyTerms < minBodyTerms || m.Claimed < minClaimed {
			return
		}
		if float64(m.InBody) < metShare*float64(m.Claimed) {
			report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("of %d words in the description %d stand in the body", m.Claimed, m.InBody)})
		}
	},
}

const (
	minBodyTerms = 200  // a shorter body may only point to a command or to other files
	minClaimed   = 6    // words of the description; of fewer, none may be met by chance
	metShare     = 0.15 // of library-ko's descriptions the tenth that shares least with its body has .45
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
