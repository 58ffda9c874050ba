// Command skillgate-org joins skillgate to what an organisation shares: libraries of skills in a
// registry, pools of skills that it serves, and what became of them on all machines. It is a
// program of its own, since nobody else needs what it links; skillgate starts it in the
// background where the settings name such a library.
//
// Exit status: 0 fine, 1 findings, 3 failed or wrong usage.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	_ "github.com/skillgate/skillgate/cmd/internal/start"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/export"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/library"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/onlog"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/pool"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/serve"
)

func main() {
	log.SetOutput(io.Discard) // libraries return what they log
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, app.New(os.Args[1:])))
}

func run(ctx context.Context, a *app.App) int {
	root := newRoot(a)
	root.SetContext(ctx)
	return a.Run(root)
}

func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:     "skillgate-org",
		Short:   "Shares skills in an organisation, and shows how they are used",
		Version: build.Read().Version,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(library.New(a), export.New(a), pool.New(a), serve.New(a))
	root.AddCommand(onlog.New(a)...)
	return root
}
