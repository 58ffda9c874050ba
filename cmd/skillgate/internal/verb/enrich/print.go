package enrich

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/enrich/roundtrip"
)

// estimateText says what an estimate amounts to.
func estimateText(r report) string {
	x := r.Estimate
	text := fmt.Sprintf("%d requests, about %s tokens in and %s out", x.Requests, enrich.Thousands(x.In),
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
		if r.Provider == "file" {
			fmt.Fprintf(out, "would take expansions for %d skills from the file; %d of its lines are for no skill that needs "+
				"one\n", len(r.Skills), r.Unused)
			return nil
		}
		fmt.Fprintf(out, "would ask %s about %d skills: %s\n", enrich.ProviderName(r.Provider, r.Model), r.Estimate.Skills,
			estimateText(r))
		return nil
	}
	if r.Run == nil {
		fmt.Fprintln(out, "every skill has its expansion: nothing to ask")
		return nil
	}
	run := r.Run
	fmt.Fprintf(out, "%d of %d skills enriched with %d phrases in %s", run.Written, run.Skills, run.Phrases,
		time.Duration(run.Seconds*float64(time.Second)).Round(time.Second))
	if r.Provider != "file" {
		fmt.Fprintf(out, " (%d requests, %s tokens in, %s out", run.Requests, enrich.Thousands(run.Usage.In),
			enrich.Thousands(run.Usage.Out))
		if run.Usage.Cost > 0 {
			fmt.Fprintf(out, ", $%.2f", run.Usage.Cost)
		}
		fmt.Fprint(out, ")")
	}
	fmt.Fprintln(out)
	if n := run.Dropped.Total(); n > 0 {
		var parts []string
		for _, why := range slices.Sorted(maps.Keys(run.Dropped)) {
			parts = append(parts, fmt.Sprintf("%s %d", why, run.Dropped[why]))
		}
		fmt.Fprintf(out, "%d phrases of the answers were not taken: %s\n", n, strings.Join(parts, ", "))
	}
	for i, f := range run.Failed {
		if i == 10 {
			fmt.Fprintf(out, "  and %d others\n", len(run.Failed)-i)
			break
		}
		fmt.Fprintf(out, "  no expansion: %s: %s\n", f.ID, f.Why)
	}
	if r.Check != nil {
		printCheck(a, *r.Check, "dropped")
	}
	return nil
}

// printCheck prints a round trip; verb says what happened to the thieves.
func printCheck(a *app.App, r roundtrip.Report, verb string) {
	out := a.Stdout
	if r.Requests == 0 {
		fmt.Fprintln(out, "no requests to check")
		return
	}
	fmt.Fprintf(out, "check: %d requests of %d skills, each searched with itself held out:\n", r.Requests, r.Skills)
	fmt.Fprintf(out, "  its skill first   %5.1f %% with the other phrases, %5.1f %% without expansions\n",
		100*r.With.First, 100*r.Without.First)
	fmt.Fprintf(out, "  among the first 5 %5.1f %%                         %5.1f %%\n", 100*r.With.Five,
		100*r.Without.Five)
	if r.Near > 0 {
		fmt.Fprintf(out, "  %d near misses, %.1f %% led to the neighbour they are meant for\n", r.Near, 100*r.NearRight)
	}
	switch {
	case r.Requests >= 50 && r.With.Five < r.Without.Five:
		fmt.Fprintln(out, "  expansions do not help in this library: `skillgate enrich drop --all` takes them out")
	case len(r.Thieves) > 0:
		fmt.Fprintf(out, "%s %d phrases that belong to other skills:\n", verb, len(r.Thieves))
	}
	for i, t := range r.Thieves {
		if i == 10 {
			fmt.Fprintf(out, "  and %d others (`skillgate enrich show SKILL`)\n", len(r.Thieves)-i)
			break
		}
		fmt.Fprintf(out, "  %s: %q: %s\n", t.Name, t.Text, t.Why)
	}
}
