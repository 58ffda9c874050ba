package rerank

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/check"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

func newInstall(a *app.App) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "install DIR|FILE",
		Short: "Install a cross-encoder for reranking",
		Long: `install takes a folder with model.onnx and tokenizer.json, or one .onnx file
with tokenizer.json beside or above it: BERT models (MiniLM) and XLM-R models
(bge-reranker-v2-m3, multilingual MiniLM), in fp32 or int8, with their weights
inside or beside the file. It copies the model, converts the tokenizer once,
runs the model on a few simple questions and records checksums. A model of the
same name is replaced. Each model has a folder in
~/.local/state/skillgate/rerank/models: to remove a model, remove its folder.

To export a model from the Hugging Face hub with optimum:

  pip install "optimum[onnxruntime]"
  optimum-cli export onnx --task text-classification \
    --model cross-encoder/mmarco-mMiniLMv2-L12-H384-v1 reranker
  optimum-cli onnxruntime quantize --avx512_vnni \
    --onnx_model reranker -o reranker-int8
  skillgate rerank install reranker-int8

On ARM quantize with --arm64, on older processors with --avx2. int8 is three
times as fast as fp32; for Korean prompts use a multilingual model.`,
		Example: `  skillgate rerank install reranker-int8
  skillgate rerank install --name minilm ~/models/ms-marco/onnx/model_int8.onnx`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return install(cmd.Context(), a, args[0], name) },
	}
	cmd.Flags().StringVar(&name, "name", "", "install under `NAME` instead of the folder's name")
	return cmd
}

func install(ctx context.Context, a *app.App, src, name string) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	program, err := rerank.Program()
	if err != nil {
		return app.Hint(err, check.HelperHint)
	}
	staged, err := model.Stage(src, rerank.Store(d), name, a.Now())
	if err != nil {
		return app.Hint(err, "`skillgate rerank install --help` explains how to export a model")
	}
	p, err := check.Probe(ctx, program, staged.Dir, s.Rerank.Library)
	if err != nil {
		staged.Discard()
		return app.Hint(err, rerankHint)
	}
	m, err := staged.Commit(p)
	if err != nil {
		return err
	}
	// A running helper still has the old model.
	if err := a.Helper(d, s).Config().Client().Stop(10 * time.Second); err != nil && !errors.Is(err, rerank.ErrNoHelper) {
		return err
	}
	fmt.Fprintf(a.Stdout, "installed %s: %s tokenizer, %.1f MB, ONNX Runtime %s\n", m.Name, m.Tokenizer,
		float64(m.Bytes)/(1<<20), p.Runtime)
	fmt.Fprintf(a.Stdout, "self-test: %d of %d answers correct; %s\n", p.Right, p.Asked, check.PerPair(p.MsPerToken))
	if 2*p.Right < p.Asked {
		fmt.Fprintln(a.Stdout, "this result is poor: check that the model is a reranker and that the tokenizer belongs to it")
	}
	if !s.Rerank.Enabled {
		fmt.Fprintln(a.Stdout,
			"measure the model with `skillgate bench --set rerank.enabled=true`; to use it, set rerank.enabled to true")
	}
	return nil
}
