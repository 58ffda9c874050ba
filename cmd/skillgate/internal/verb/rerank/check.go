package rerank

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/rerank/check"
)

func newCheck(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check helper, model, library and socket, with checksums and a run of the model",
		Long: `check looks at what reranking needs, in this order: the helper's program, the
installed model and its checksums, ONNX Runtime and a run of the model on a few
plain questions, and the socket on which the helper answers. Each line that
does not start with a tick is followed by what to do.
` + "`skillgate doctor`" + ` checks the same where reranking is on.

Exit status: 0 all is well, 1 something is missing or slow, 3 the check failed.`,
		Example: `  skillgate rerank check
  ONNXRUNTIME_LIB=/opt/onnxruntime/lib skillgate rerank check`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, s, err := a.PlacesAndSettings()
			if err != nil {
				return err
			}
			good := true
			for _, f := range check.Run(cmd.Context(), a.Helper(d, s), build.Read().Version) {
				mark := "✓"
				if f.Fix != "" {
					mark, good = "✗", false
				}
				fmt.Fprintf(a.Stdout, "%s %s\n", mark, f.Text)
				if f.Fix != "" {
					fmt.Fprintf(a.Stdout, "  %s\n", f.Fix)
				}
			}
			if !s.Rerank.Enabled {
				fmt.Fprintln(a.Stdout, "· off: rerank.enabled is not set")
			}
			if !good {
				return app.ErrFindings
			}
			return nil
		},
	}
}
