package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

func newRerankInstallCommand(e *env) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "install DIR|FILE",
		Short: "Install a cross-encoder for reranking",
		Long: `install takes a folder with model.onnx and tokenizer.json, or one .onnx file with
tokenizer.json beside or above it: BERT models (MiniLM) and XLM-R models
(bge-reranker-v2-m3, multilingual MiniLM), in fp32 or int8, with their weights
inside or beside the file. It copies the model, converts the tokenizer once, runs
the model on a few plain questions and records checksums.

To export a model of the Hugging Face hub with optimum:

  pip install "optimum[onnxruntime]"
  optimum-cli export onnx --task text-classification \
    --model cross-encoder/mmarco-mMiniLMv2-L12-H384-v1 reranker
  optimum-cli onnxruntime quantize --avx512_vnni \
    --onnx_model reranker -o reranker-int8
  skillgate rerank install reranker-int8

On ARM quantize with --arm64, on older processors with --avx2. int8 is three times
as fast as fp32; for Korean prompts take a multilingual model.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.rerankInstall(cmd.Context(), args[0], name) },
	}
	cmd.Flags().StringVar(&name, "name", "", "install as `NAME` instead of the folder's")
	return cmd
}

func (e *env) rerankInstall(ctx context.Context, src, name string) error {
	d, err := e.places()
	if err != nil {
		return err
	}
	s, err := e.settings(d)
	if err != nil {
		return err
	}
	program, err := e.rerankHelper()
	if err != nil {
		return err
	}
	staged, err := model.Stage(src, rerankStore(d), name, e.now())
	if err != nil {
		return &exitError{code: 3, err: err, hint: "`skillgate rerank install --help` says how to export a model"}
	}
	p, err := e.rerankProbe(ctx, program, staged.Dir, s.Rerank.Library)
	if err != nil {
		staged.Discard()
		return &exitError{code: 3, err: err, hint: rerankHint}
	}
	m, err := staged.Commit(p)
	if err != nil {
		return err
	}
	// A helper that runs holds the model that was there before.
	if err := e.rerankConfig(d, s).Client().Stop(10 * time.Second); err != nil && !errors.Is(err, rerank.ErrNoHelper) {
		return err
	}
	const pair = 128
	fmt.Fprintf(e.stdout, "installed %s: %s tokenizer, %.0f MB, ONNX Runtime %s\n", m.Name, m.Tokenizer, float64(m.Bytes)/(1<<20), p.Runtime)
	fmt.Fprintf(e.stdout, "self-test: %d of %d plain questions right; a pair of %d tokens takes %.1f ms\n", p.Right, p.Asked, pair, pair*p.MsPerToken)
	if 2*p.Right < p.Asked {
		fmt.Fprintln(e.stdout, "that is poor: is this a reranker, and is the tokenizer its own?")
	}
	if !s.Rerank.Enabled {
		fmt.Fprintln(e.stdout, "measure it with `skillgate rerank bench`; turn it on with rerank.enabled: true")
	}
	return nil
}

// rerankHelper returns the helper's program.
func (e *env) rerankHelper() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	program, err := rerank.FindHelper(self)
	if err != nil {
		return "", &exitError{code: 3, err: err, hint: "`./install.sh --with-rerank` builds it, or: go build -tags onnx ./cmd/skillgate-rerank"}
	}
	return program, nil
}

// probeLimit is how long the self-test of a model may take.
const probeLimit = 2 * time.Minute

// rerankProbe lets the helper run the model in dir once.
func (e *env) rerankProbe(ctx context.Context, program, dir, library string) (model.Probe, error) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "probe", "--model", dir, "--library", library)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		// ONNX Runtime may have said something before.
		_, text, found := strings.Cut(errs.String(), "skillgate-rerank: ")
		text = strings.TrimSpace(text)
		if ctx.Err() != nil {
			return model.Probe{}, fmt.Errorf("self-test of the model: not done after %v", probeLimit)
		}
		if !found || strings.Contains(text, "\n") {
			return model.Probe{}, fmt.Errorf("self-test of the model: the helper broke down: %w", err)
		}
		return model.Probe{}, fmt.Errorf("self-test of the model: %s", text)
	}
	var p model.Probe
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		return p, fmt.Errorf("self-test of the model: %w", err)
	}
	return p, nil
}

func newRerankCheckCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check helper, library and model, with checksums and a run of the model",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return e.rerankCheck(cmd.Context()) },
	}
}

// rerankCheck prints one line for each part, and stops at the first that is missing.
func (e *env) rerankCheck(ctx context.Context) error {
	d, err := e.places()
	if err != nil {
		return err
	}
	s, err := e.settings(d)
	if err != nil {
		return err
	}
	failed := func(part string, err error, hint string) error {
		fmt.Fprintf(e.stdout, "✗ %s: %v\n", part, err)
		if hint != "" {
			fmt.Fprintf(e.stdout, "  %s\n", hint)
		}
		return &exitError{code: 1}
	}
	program, err := e.rerankHelper()
	if err != nil {
		return failed("helper", err, "build it: ./install.sh --with-rerank")
	}
	fmt.Fprintf(e.stdout, "✓ helper: %s\n", program)
	m, err := model.Load(rerankStore(d), s.Rerank.Model)
	if err != nil {
		return failed("model", err, "install one: skillgate rerank install DIR")
	}
	if err := m.Verify(); err != nil {
		return failed("model", err, "install it again: skillgate rerank install DIR")
	}
	fmt.Fprintf(e.stdout, "✓ model: %s (%s, %.0f MB, checksums right)\n", m.Name, m.Tokenizer, float64(m.Bytes)/(1<<20))
	p, err := e.rerankProbe(ctx, program, m.Dir, s.Rerank.Library)
	if err != nil {
		return failed("run", err, "searched for the library: "+strings.Join(model.Libraries(s.Rerank.Library, e.getenv, d.Home, model.Modules(program)), ", "))
	}
	const pair = 128
	fmt.Fprintf(e.stdout, "✓ run: ONNX Runtime %s, %d of %d plain questions right, loaded in %.0f ms, %.1f ms for a pair of %d tokens\n",
		p.Runtime, p.Right, p.Asked, p.LoadMs, pair*p.MsPerToken, pair)
	if !s.Rerank.Enabled {
		fmt.Fprintln(e.stdout, "· off: rerank.enabled is not set")
	}
	return nil
}
