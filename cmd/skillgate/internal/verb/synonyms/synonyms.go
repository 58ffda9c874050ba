// Package synonyms implements the commands that show and extend the dictionary.
package synonyms

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
)

func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "synonyms",
		Short: "Show and extend the Korean/English dictionary",
		Long: `The dictionary maps Korean words to the English words of skill descriptions, and
English phrases to the words that descriptions use for them. Your own words are
in synonyms.yaml in skillgate's config folder and override the built-in ones:

  korean:
    결재판: {en: [approval board], also: [결재 판]}
  spaceless: # words of languages that put no spaces between words
    稟議: {en: [approval request]}
  english:
    - {means: [code review], say: [eyeball my branch]}
    - {same: [kubernetes, kay eights]}`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newAdd(a), newExplain(a))
	return cmd
}

type added struct {
	File     string   `json:"file"`
	Word     string   `json:"word"`
	Senses   []string `json:"senses"`
	Replaces []string `json:"replaces,omitempty"` // senses of the built-in entry that the new one replaces
}

func newAdd(a *app.App) *cobra.Command {
	var generic bool
	var also []string
	cmd := &cobra.Command{
		Use:   "add WORD SENSE...",
		Short: "Add a Korean word with its English senses to your synonyms.yaml",
		Long: `add writes one entry to synonyms.yaml and keeps everything else in the file,
including comments. If the file already contains the word, the new senses come first.
Enter a noun without a particle or a verb ending in -다, and senses of one to three
English words in base form.`,
		Example: `  skillgate synonyms add 결재판 "approval board"
  skillgate synonyms add 갈아엎다 rewrite refactor --also 싹갈다`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			entry := source.Entry{Head: args[0], Senses: args[1:], Also: also, Generic: generic}
			result, err := addSynonym(d, entry)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s: %s = %s\n", result.File, result.Word, strings.Join(result.Senses, ", "))
			if len(result.Replaces) > 0 {
				fmt.Fprintf(a.Stdout, "your entry replaces the built-in senses: %s\n", strings.Join(result.Replaces, ", "))
			}
			_, err = fmt.Fprintln(a.Stdout, "run `skillgate index` to use the new entry now")
			return err
		},
	}
	cmd.Flags().BoolVar(&generic, "generic", false, "mark the word as too general to identify a skill")
	cmd.Flags().StringSliceVar(&also, "also", nil, "also add this `SPELLING` or synonym of the word; may be repeated")
	return cmd
}

func addSynonym(d dirs.Dirs, entry source.Entry) (added, error) {
	file := workspace.DictFile(d)
	text, err := workspace.ReadDictText(file)
	if err != nil {
		return added{}, err
	}
	out, err := source.Add(source.File{Name: file, Data: text}, entry)
	if bad := (*source.BadEntry)(nil); errors.As(err, &bad) {
		return added{}, app.Hint(err,
			"enter a noun (without a particle) or a verb (ending in -다), then 1 to 3 English words or phrases in base form")
	}
	if err != nil {
		return added{}, app.Hint(err, "correct the file first, then check it with `skillgate doctor`")
	}
	dict, err := workspace.CheckDict(file, out)
	if err != nil {
		return added{}, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return added{}, fmt.Errorf("synonyms: %w", err)
	}
	if err := disk.Write(file, out, disk.Options{Sync: true}); err != nil {
		return added{}, fmt.Errorf("synonyms: %w", err)
	}
	head := strings.Join(strings.Fields(entry.Head), " ")
	result := added{File: file, Word: head, Senses: entry.Senses, Replaces: synonyms.Default().Senses(head)}
	for _, e := range dict.Entries {
		if e.Head == head {
			result.Senses = e.Senses
		}
	}
	return result, nil
}
