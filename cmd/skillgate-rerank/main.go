//go:build onnx

// Command skillgate-rerank hosts ONNX Runtime for skillgate: it keeps one cross-encoder loaded and answers on a
// Unix socket (gate/rerank describes the protocol). skillgate starts it; there is no need to run it by hand.
//
//	skillgate-rerank serve --dir DIR --models DIR [--model NAME] [--library FILE] [--idle 15m]
//	skillgate-rerank probe --model DIR [--library FILE]     runs a model once and prints JSON
//	skillgate-rerank version
//
// It is built with cgo and the build tag onnx, and linked dynamically.
//
// Exit status: 0 success, 3 failure or wrong usage.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	_ "github.com/skillgate/skillgate/cmd/internal/start"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
	"github.com/skillgate/skillgate/gate/rerank/serve"
	"github.com/skillgate/skillgate/gate/system"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	start := time.Now()
	if err := system.Caught(func() error { return command(args, start, stdout, stderr) }); err != nil {
		fmt.Fprintf(stderr, "skillgate-rerank: %v\n", err)
		return 3
	}
	return 0
}

const usage = `skillgate-rerank runs rerank models with ONNX Runtime. skillgate starts it when
needed. ` + "`skillgate rerank --help`" + ` explains how to set up reranking.

  skillgate-rerank serve --dir DIR --models DIR [--model NAME] [--library FILE] [--idle 15m]
  skillgate-rerank probe --model DIR [--library FILE]     runs a model once and prints JSON
  skillgate-rerank version
`

func command(args []string, start time.Time, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return errors.New("give a command: serve, probe or version; `skillgate rerank --help` explains reranking")
	}
	if slices.Contains([]string{"help", "--help", "-h"}, args[0]) {
		fmt.Fprint(stdout, usage)
		return nil
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		dir     = flags.String("dir", "", "create the socket in this `folder`")
		models  = flags.String("models", "", "look for models in this `folder`")
		name    = flags.String("model", "", "run the model with this `name` or in this folder")
		library = flags.String("library", "", "load libonnxruntime from this `file` or folder")
		idle    = flags.Duration("idle", idleTime, "exit after this time without a request")
	)
	if err := flags.Parse(args[1:]); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	bound()
	switch args[0] {
	case "serve":
		if *dir == "" {
			return errors.New("serve needs --dir")
		}
		c := rerank.Config{Place: rerank.Place{Dir: *dir}, Models: *models, Model: *name, Library: *library}
		return listen(c, *idle, start)
	case "probe":
		p, err := probe(*name, *library, start)
		if err != nil {
			return err
		}
		return json.NewEncoder(stdout).Encode(p)
	case "version":
		fmt.Fprintln(stdout, version())
		return nil
	}
	return fmt.Errorf("unknown command %q; the commands are serve, probe and version", args[0])
}

// idleTime is the default of --idle. It keeps the model loaded between the prompts of a session.
const idleTime = 15 * time.Minute

// stuckAfter is the time after which a batch counts as stuck. It exceeds the longest deadline, 4 s.
const stuckAfter = 5 * time.Second

func listen(c rerank.Config, idle time.Duration, start time.Time) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	signal.Ignore(syscall.SIGPIPE)
	err := serve.Run(ctx, serve.Config{
		Place: c.Place, Want: c.Want(), Version: version(), UID: os.Getuid(), Idle: idle, Start: start,
		Load: func() (*serve.Model, error) {
			m, err := model.Load(c.Models, c.Model)
			if err != nil {
				return nil, err
			}
			return load(m, c.Library)
		},
		Stuck: stuckAfter,
		Abort: func() {
			_ = c.Place.ClearSocket() // best effort: the process ends
			os.Exit(3)
		},
		RSS: rss,
	})
	if errors.Is(err, serve.ErrRunning) {
		if st, err := c.Client().Status(time.Second); err == nil && st.Ready {
			c.Place.ClearAttempt() // this start recorded an attempt, but another helper is already running
		}
		return nil
	}
	return err
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
