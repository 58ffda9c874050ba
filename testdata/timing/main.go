// Command timing measures skillgate from outside, as the host meets it: a cold
// process for every prompt, from exec to exit, with the page cache warm.
//
//	go run ./testdata/timing --library DIR [--large DIR]... [--skills 80000]
//
// DIR is a folder of skill folders. It builds what install.sh installs and an empty
// Go program, makes homes in a scratch folder, and prints one line a figure with its
// limit. A unit is the median time of the empty program, run in turns with what
// is measured, so that a slow moment of the machine meets both. Peak memory is
// what the kernel reports for the process (ru_maxrss).
//
// Exit status: 0 all figures within their limits, 1 some are not, 3 failed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/skillgate/skillgate/gate/program"
)

func main() { os.Exit(run(os.Args[1:])) }

// list is a flag that may be repeated.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// options are the flags.
type options struct {
	library string
	large   list
	skills  int
	runs    int
	binary  string
	scratch string
	only    string
}

func run(args []string) int {
	if len(args) > 0 && args[0] == prepareCommand {
		if err := prepare(args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "timing: prepare:", err)
			return 3
		}
		return 0
	}
	var o options
	fs := flag.NewFlagSet("timing", flag.ContinueOnError)
	fs.StringVar(&o.library, "library", "", "`folder` of skills to measure on")
	fs.Var(&o.large, "large", "`folder` of skills for the large library; may be repeated")
	fs.IntVar(&o.skills, "skills", 80_000, "`number` of skills to make from --large for the largest library; 0: none")
	fs.IntVar(&o.runs, "runs", 200, "timed runs for a figure")
	fs.StringVar(&o.binary, "skillgate", "", "measure this installed `binary` instead of building one")
	fs.StringVar(&o.scratch, "scratch", "", "work in this `folder` and keep it; it must not exist or be empty")
	fs.StringVar(&o.only, "only", "", "only these parts, of base,plugins,large,largest,load")
	if err := fs.Parse(args); err != nil {
		return 3
	}
	if o.library == "" || fs.NArg() > 0 {
		fs.Usage()
		return 3
	}
	t, err := newTiming(o)
	if err == nil {
		err = t.all()
		t.close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "timing:", err)
		return 3
	}
	if t.table.failed > 0 {
		return 1
	}
	return 0
}

// timing is one run of the program.
type timing struct {
	options
	dir   string // scratch
	empty string // the empty program
	keep  bool
	table table
}

func newTiming(o options) (*timing, error) {
	t := &timing{options: o, table: table{out: os.Stdout}}
	var err error
	if t.library, err = filepath.Abs(o.library); err != nil {
		return nil, err
	}
	if o.scratch == "" {
		if t.dir, err = os.MkdirTemp("", "skillgate-timing-"); err != nil {
			return nil, err
		}
	} else {
		t.keep = true
		if t.dir, err = filepath.Abs(o.scratch); err != nil {
			return nil, err
		}
		if left, err := os.ReadDir(t.dir); err == nil && len(left) > 0 {
			return nil, fmt.Errorf("--scratch %s is not empty", t.dir)
		}
		if err := os.MkdirAll(t.dir, 0o700); err != nil {
			return nil, err
		}
	}
	t.empty = filepath.Join(t.dir, "empty")
	if err := build(t.empty, "./testdata/timing/empty", 0); err != nil {
		return t, err
	}
	if t.binary == "" {
		t.binary = filepath.Join(t.dir, "bin", "skillgate")
		return t, errors.Join(build(t.binary, "./cmd/skillgate-hook", 1), build(program.Complete(t.binary), "./cmd/skillgate", 1))
	}
	t.binary, err = filepath.Abs(t.binary)
	return t, err
}

// build makes a static binary as install.sh does, which copies it, with cgo (1) or without.
func build(out, pkg string, cgo int) error {
	flags := "-s -w"
	if cgo == 1 && runtime.GOOS == "linux" {
		flags = `-linkmode external -extldflags "-static" -s -w`
	}
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "netgo osusergo sqlite_omit_load_extension",
		"-ldflags", flags, "-o", out+".linked", pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED="+strconv.Itoa(cgo))
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, text)
	}
	linked, err := os.ReadFile(out + ".linked")
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(out, linked, 0o755), os.Remove(out+".linked"))
}

func (t *timing) close() {
	if !t.keep {
		_ = os.RemoveAll(t.dir) // a temporary folder
	}
}

// all runs the parts in order of their size.
func (t *timing) all() error {
	t.table.title()
	parts := []struct {
		name string
		run  func() error
	}{{"base", t.base}, {"plugins", t.plugins}, {"load", t.load}, {"large", t.largeLibrary}, {"largest", t.largest}}
	for _, p := range parts {
		if t.only != "" && !strings.Contains(","+t.only+",", ","+p.name+",") {
			continue
		}
		if err := p.run(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}
