//go:build onnx

package main

import (
	"fmt"
	"math"
	"time"

	"github.com/skillgate/skillgate/gate/rerank/model"
	"github.com/skillgate/skillgate/gate/rerank/serve"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

// questions are simple requests, each with the only description that fits. A model that cannot
// match them is useless.
var questions = [][2]string{
	{"review this pull request for bugs", "Reviews pull requests and reports bugs, risks and missing tests."},
	{"make slides for the board meeting", "Builds presentations: decks, slides and speaker notes."},
	{"convert this spreadsheet to CSV", "Reads, writes and converts Excel workbooks and CSV files."},
	{"deploy the service to kubernetes", "Deploys containers to a Kubernetes cluster and checks the rollout."},
	{"translate the manual into Korean", "Translates documents between Korean and English."},
	{"why is this SQL query slow", "Explains and speeds up database queries."},
	{"write unit tests for the parser", "Writes unit tests with fixtures and coverage."},
	{"summarise this research paper", "Summarises scientific papers and lists their claims."},
}

func probe(dir, library string, start time.Time) (model.Probe, error) {
	m, err := model.Load("", dir)
	if err != nil {
		return model.Probe{}, err
	}
	loaded, err := load(m, library)
	if err != nil {
		return model.Probe{}, err
	}
	ready := time.Since(start)
	if err := highestID(loaded); err != nil {
		return model.Probe{}, err
	}
	p, err := ask(loaded)
	p.Runtime, p.Library, p.LoadMs = loaded.Runtime, loaded.Library, float64(ready.Microseconds())/1000
	return p, err
}

// highestID runs the model on the tokenizer's highest id, which fails if the model has no embedding for it.
func highestID(m *serve.Model) error {
	row := m.Tokenizer.Join([]int32{int32(m.Tokenizer.Size() - 1)}, []int32{int32(m.Tokenizer.Size() - 1)})
	_, err := m.Score([]tokenizer.Pair{row})
	return err
}

func ask(m *serve.Model) (p model.Probe, err error) {
	var sum, squares, tokens float64
	var took time.Duration
	for i, q := range questions {
		var rows []tokenizer.Pair
		for _, d := range questions {
			rows = append(rows, m.Tokenizer.Join(m.Tokenizer.Append(nil, q[0]), m.Tokenizer.Append(nil, d[1])))
		}
		rows = serve.Pad(rows, m.Tokenizer.Pad())
		start := time.Now()
		scores, err := m.Score(rows)
		if err == nil {
			err = serve.Finite(scores, len(rows))
		}
		if err != nil {
			return p, err
		}
		if i > 0 { // the first run also allocates buffers
			took += time.Since(start)
			tokens += float64(len(rows) * len(rows[0].IDs))
		}
		best := 0
		for k, s := range scores {
			sum += s
			squares += s * s
			if s > scores[best] {
				best = k
			}
		}
		p.Asked++
		if best == i {
			p.Right++
		}
	}
	n := float64(len(questions) * len(questions))
	p.Scale = math.Sqrt(max(squares/n-sum/n*sum/n, 0))
	p.MsPerToken = took.Seconds() * 1000 / tokens
	if p.Scale == 0 {
		return p, fmt.Errorf("the model gives all pairs the same score")
	}
	return p, nil
}
