package doctor

import (
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/fetched"
)

func (c *checkup) libraries() {
	const check, fix = "libraries", "skillgate-org library refresh"
	for _, reference := range fetched.Of(c.settings.Libraries) {
		s, err := fetched.ReadStatus(c.dirs.Cache, reference)
		if err != nil {
			s.Error = err.Error()
		}
		switch at := s.Checked.Format(time.DateTime); {
		case s.Error != "" && s.Digest == "":
			c.add(check, statusWarn, fix, "%s: nothing of it is here; asked at %s: %s", reference, at, app.Visible(s.Error))
		case s.Error != "":
			c.add(check, statusWarn, fix, "%s: its skills (%d) stay as they were; asked at %s: %s", reference, s.Skills, at,
				app.Visible(s.Error))
		case s.Checked.IsZero():
			c.add(check, statusWarn, fix, "%s: not fetched yet", reference)
		default:
			c.add(check, statusOK, "", "%s: skills: %d, asked at %s", reference, s.Skills, at)
		}
	}
}
