// Command gen writes the models that tests and timings use.
//
//	go run ./gate/rerank/testmodel/gen tiny DIR          trained on generated pairs; testdata/rerank/tiny
//	go run ./gate/rerank/testmodel/gen minilm DIR        shape of MiniLM-L6, int8, random weights
//	go run ./gate/rerank/testmodel/gen minilm-ext DIR    the same, weights in a file of their own
//	go run ./gate/rerank/testmodel/gen multilingual DIR  shape of multilingual MiniLM-L12, int8
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/rerank/testmodel"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) != 2 {
		fmt.Fprintln(os.Stderr, "gen: want tiny, minilm, minilm-ext or multilingual, and a folder")
		return 3
	}
	if err := write(args[0], args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		return 3
	}
	return 0
}

func write(what, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	shape := testmodel.MiniLM
	switch what {
	case "tiny":
		return testmodel.Tiny(dir)
	case "minilm":
	case "minilm-ext":
		shape.External = true
	case "multilingual":
		shape = testmodel.MultilingualMiniLM
	default:
		return fmt.Errorf("no model %q", what)
	}
	tokenizer := testmodel.BERTTokenizer(testmodel.Words(int(shape.Vocabulary)), true)
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), tokenizer, 0o600); err != nil {
		return err
	}
	return testmodel.Encoder(dir, shape, 5)
}
