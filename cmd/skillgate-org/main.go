// Command skillgate-org shares skills in an organisation: it publishes and fetches libraries, serves pools of skills,
// and collects how skills are used on all machines. It is a separate program because only organisations need its
// dependencies. skillgate starts it in the background if the settings name a library that must be fetched.
//
// Exit status: 0 success, 1 findings, 3 failure or wrong usage.
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
	log.SetOutput(io.Discard) // libraries also return the errors that they log
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
		Short:   "Share skills in an organisation and see how they are used",
		Version: build.Read().Version,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(library.New(a), export.New(a), pool.New(a), serve.New(a))
	root.AddCommand(onlog.New(a)...)
	return root
}
