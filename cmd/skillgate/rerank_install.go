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
	"syscall"
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
the model on a few plain questions and records checksums. A model of the same name
is replaced. Models lie in ~/.local/state/skillgate/rerank/models, a folder each: to
remove one, remove its folder.

To export a model of the Hugging Face hub with optimum:

  pip install "optimum[onnxruntime]"
  optimum-cli export onnx --task text-classification \
    --model cross-encoder/mmarco-mMiniLMv2-L12-H384-v1 reranker
  optimum-cli onnxruntime quantize --avx512_vnni \
    --onnx_model reranker -o reranker-int8
  skillgate rerank install reranker-int8

On ARM quantize with --arm64, on older processors with --avx2. int8 is three times
as fast as fp32; for Korean prompts take a multilingual model.`,
		Example: `  skillgate rerank install reranker-int8
  skillgate rerank install --name minilm ~/models/ms-marco/onnx/model_int8.onnx`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return e.rerankInstall(cmd.Context(), args[0], name) },
	}
	cmd.Flags().StringVar(&name, "name", "", "install as `NAME` instead of the folder's")
	return cmd
}

func (e *env) rerankInstall(ctx context.Context, src, name string) error {
	d, s, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	program, err := e.rerankHelper()
	if err != nil {
		return err
	}
	staged, err := model.Stage(src, rerankStore(d), name, e.now())
	if err != nil {
		hint := "`skillgate rerank install --help` says how to export a model"
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) {
			hint = "make room in " + rerankStore(d) + ": the model is copied there"
		}
		return &exitError{code: 3, err: err, hint: hint}
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
	fmt.Fprintf(e.stdout, "installed %s: %s tokenizer, %.1f MB, ONNX Runtime %s\n", m.Name, m.Tokenizer, float64(m.Bytes)/(1<<20), p.Runtime)
	fmt.Fprintf(e.stdout, "self-test: %d of %d plain questions right; %s\n", p.Right, p.Asked, perPair(p.MsPerToken))
	if 2*p.Right < p.Asked {
		fmt.Fprintln(e.stdout, "that is poor: is this a reranker, and is the tokenizer its own?")
	}
	if !s.Rerank.Enabled {
		fmt.Fprintln(e.stdout, "measure it with `skillgate rerank bench`; turn it on with rerank.enabled: true")
	}
	return nil
}

// helperHint says how to get the helper.
const helperHint = "`./install.sh --with-rerank` builds it, or: go build -tags onnx ./cmd/skillgate-rerank"

// rerankHelper returns the helper's program.
func (e *env) rerankHelper() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	program, err := rerank.FindHelper(self)
	if err != nil {
		return "", &exitError{code: 3, err: err, hint: helperHint}
	}
	return program, nil
}

// probeLimit is how long the self-test of a model may take.
const probeLimit = 2 * time.Minute

// brokeDown says that the helper ended without a reason of its own.
const brokeDown = "the helper broke down"

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
			return model.Probe{}, fmt.Errorf("self-test of the model: %s: %w", brokeDown, err)
		}
		return model.Probe{}, fmt.Errorf("self-test of the model: %s", text)
	}
	var p model.Probe
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		return p, fmt.Errorf("self-test of the model: %w", err)
	}
	return p, nil
}
