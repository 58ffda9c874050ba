package enrich

import (
	"fmt"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/wording"
)

func estimateText(r report) string {
	x := r.Estimate
	text := fmt.Sprintf("%s, about %s tokens in and %s out", wording.Count(x.Requests, "request"), enrich.Thousands(x.In),
		enrich.Thousands(x.Out))
	if r.USD != nil {
		text += fmt.Sprintf(", about $%.2f at list price (nothing extra with a subscription)", *r.USD)
	}
	return text
}

func printReport(a *app.App, r report, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(r)
	}
	out := a.Stdout
	if r.DryRun {
		fmt.Fprintf(out, "would ask %s about %s: %s\n", enrich.ProviderName(r.Provider, r.Model),
			wording.Count(r.Estimate.Skills, "skill"), estimateText(r))
		return nil
	}
	if r.Run == nil {
		fmt.Fprintln(out, "every skill has its expansion: nothing to ask")
		return nil
	}
	run := r.Run
	fmt.Fprintf(out, "%d of %s enriched with %s in %s", run.Written, wording.Count(run.Skills, "skill"),
		wording.Count(run.Phrases, "phrase"),
		time.Duration(run.Seconds*float64(time.Second)).Round(time.Second))
	fmt.Fprintf(out, " (%s, %s tokens in, %s out", wording.Count(run.Requests, "request"), enrich.Thousands(run.Usage.In),
		enrich.Thousands(run.Usage.Out))
	if run.Usage.Cost > 0 {
		fmt.Fprintf(out, ", $%.2f", run.Usage.Cost)
	}
	fmt.Fprintln(out, ")")
	if n := run.Dropped.Total(); n > 0 {
		fmt.Fprintf(out, "not taken of the answers: %s (--json says why)\n", wording.Count(n, "phrase"))
	}
	for i, f := range run.Failed {
		if i == 10 {
			fmt.Fprintf(out, "  and %d others\n", len(run.Failed)-i)
			break
		}
		fmt.Fprintf(out, "  no expansion: %s: %s\n", f.ID, f.Why)
	}
	return nil
}
