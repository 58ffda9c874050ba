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
	"github.com/skillgate/skillgate/gate/plural"
)

// estimateText says what an estimate amounts to.
func estimateText(r report) string {
	x := r.Estimate
	text := fmt.Sprintf("%s, about %s tokens in and %s out", plural.Of(x.Requests, "request"), enrich.Thousands(x.In),
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
			fmt.Fprintf(out, "would take expansions for %s from the file; lines for no skill that needs one: %d\n",
				plural.Of(len(r.Skills), "skill"), r.Unused)
			return nil
		}
		fmt.Fprintf(out, "would ask %s about %s: %s\n", enrich.ProviderName(r.Provider, r.Model),
			plural.Of(r.Estimate.Skills, "skill"), estimateText(r))
		return nil
	}
	if r.Run == nil {
		fmt.Fprintln(out, "every skill has its expansion: nothing to ask")
		return nil
	}
	run := r.Run
	fmt.Fprintf(out, "%d of %s enriched with %s in %s", run.Written, plural.Of(run.Skills, "skill"),
		plural.Of(run.Phrases, "phrase"),
		time.Duration(run.Seconds*float64(time.Second)).Round(time.Second))
	if r.Provider != "file" {
		fmt.Fprintf(out, " (%s, %s tokens in, %s out", plural.Of(run.Requests, "request"), enrich.Thousands(run.Usage.In),
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
		fmt.Fprintf(out, "not taken of the answers: %s: %s\n", plural.Of(n, "phrase"), strings.Join(parts, ", "))
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
	fmt.Fprintf(out, "check: %s of %s, each searched with itself held out:\n", plural.Of(r.Requests, "request"),
		plural.Of(r.Skills, "skill"))
	fmt.Fprintf(out, "  its skill first   %5.1f %% with the other phrases, %5.1f %% without expansions\n",
		100*r.With.First, 100*r.Without.First)
	fmt.Fprintf(out, "  among the first 5 %5.1f %%                         %5.1f %%\n", 100*r.With.Five,
		100*r.Without.Five)
	if r.Near > 0 {
		fmt.Fprintf(out, "  %s, %.1f %% led to the neighbour that was meant\n", plural.Of(r.Near, "near miss"),
			100*r.NearRight)
	}
	switch {
	case r.Requests >= 50 && r.With.Five < r.Without.Five:
		fmt.Fprintln(out, "  expansions do not help in this library: `skillgate enrich drop --all` takes them out")
	case len(r.Thieves) > 0:
		fmt.Fprintf(out, "%s %s of other skills:\n", verb, plural.Of(len(r.Thieves), "phrase"))
	}
	for i, t := range r.Thieves {
		if i == 10 {
			fmt.Fprintf(out, "  and %d others (`skillgate enrich show SKILL`)\n", len(r.Thieves)-i)
			break
		}
		fmt.Fprintf(out, "  %s: %q: %s\n", t.Name, t.Text, t.Why)
	}
}
