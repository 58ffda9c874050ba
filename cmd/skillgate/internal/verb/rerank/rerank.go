// Package rerank implements the commands for the optional reranking helper and its model.
package rerank

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/check"
	"github.com/skillgate/skillgate/gate/wording"
)

func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rerank",
		Short: "Manage the optional model that reorders the best candidates",
		Long: `A cross-encoder is a model that reads the prompt together with each of the best candidates
and scores how well they fit. It runs in a helper process, skillgate-rerank, which the hook
starts and which keeps running between prompts. If the helper is absent or hangs, the hook
continues without it after 20 ms; if the helper is slow, after rerank.deadline_ms.
` + "`skillgate log`" + ` shows the reason.

Reranking is off unless skillgate.yaml turns it on. The other settings have these
defaults:

  rerank:
    enabled: true
    model: ""          # name of the model, if several are installed
    library: ""        # libonnxruntime 1.24 or newer, or its folder
    deadline_ms: 200   # longest wait, on top of deadline_ms
    pairs: 10          # number of candidates to reorder
    blend: 0.5         # 0: order of the index, 1: order of the model

Whether it is worthwhile depends on the model and on your skills: ` + "`skillgate bench`" + ` with
--set rerank.enabled=true measures it on labelled prompts. ` + "`skillgate doctor`" + ` shows
what is missing.`,
		Example: `  ./install.sh --with-rerank            # installs the helper and ONNX Runtime
  skillgate rerank install reranker-int8
  skillgate doctor`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newStart(a), newStop(a), newInstall(a))
	return cmd
}

const rerankHint = "`skillgate doctor` shows what is missing"

func newStart(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "start",
		Short: "Start the helper and wait until it is ready",
		Long: `start starts the helper as the hook would, but waits until it is ready and reports
errors. After a failed start the hook waits ten minutes before it tries again; this
command does not. It prints the helper's model, memory and speed. To see them
without starting the helper, run "skillgate doctor".`,
		Example: `  skillgate rerank start`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			d, s, err := a.PlacesAndSettings()
			if err != nil {
				return err
			}
			st, err := a.Helper(d, s).Warm()
			if err != nil {
				return app.Hint(err, rerankHint)
			}
			fmt.Fprintf(a.Stdout, "ready: %s, ONNX Runtime %s (%s)\n", st.Model, st.Runtime, st.Library)
			fmt.Fprintf(a.Stdout, "process %d, up %s, %.0f MB, loaded in %.0f ms\n", st.PID,
				(time.Duration(st.Uptime) * time.Second).String(), float64(st.RSS)/(1<<20), st.LoadMs)
			fmt.Fprintf(a.Stdout, "%s; %s ranked, requests refused: %d\n", check.PerPair(st.MsPerToken),
				wording.Count(st.Ranked, "prompt"), st.Refused)
			return nil
		},
	}
}

func newStop(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Stop the helper",
		Long: `stop ends the helper, which otherwise exits 15 minutes after the last prompt. If
rerank.enabled is set, the next prompt starts it again.`,
		Example: `  skillgate rerank stop`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			d, s, err := a.PlacesAndSettings()
			if err != nil {
				return err
			}
			err = a.Helper(d, s).Config().Client().Stop(10 * time.Second)
			if errors.Is(err, rerank.ErrNoHelper) {
				fmt.Fprintln(a.Stdout, "no helper is running")
				return nil
			}
			if err != nil {
				return app.Hint(err, "")
			}
			fmt.Fprintln(a.Stdout, "stopped the helper")
			return nil
		},
	}
}
