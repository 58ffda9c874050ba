package replica

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// sums is the name of the file with the checksums of the other files of a generation, in the format of sha256sum.
const sums = "SHA256SUMS"

// sumsOf returns the lines of SHA256SUMS for the files in the folder gen.
func sumsOf(gen string) (lines []string, err error) {
	files, err := os.ReadDir(gen)
	for _, f := range files {
		if !f.Type().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file", f.Name())
		}
		if f.Name() == sums {
			continue
		}
		sum, err := regular.SHA256(filepath.Join(gen, f.Name()))
		if err != nil {
			return nil, err
		}
		lines = append(lines, sum+"  "+f.Name()+"\n")
	}
	return lines, err
}

func writeSums(gen string) error {
	lines, err := sumsOf(gen)
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(gen, sums), []byte(strings.Join(lines, "")), disk.Options{})
}

// checkSums compares the files in the folder gen with its checksums. The file named "states" may be missing, because
// only the build of the next generation needs it. A wrong checksum is not reported as a system error, so that damaged
// returns true and the generation is replaced.
func checkSums(gen string) error {
	is, err := sumsOf(gen)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(gen, sums))
	if err != nil {
		return err
	}
	want := slices.Collect(strings.Lines(string(text)))
	isStates := func(line string) bool { return strings.HasSuffix(line, "  states\n") }
	if !slices.ContainsFunc(is, isStates) {
		want = slices.DeleteFunc(want, isStates)
	}
	if !slices.Equal(is, want) {
		return fmt.Errorf("the files do not match the checksums in %s", sums)
	}
	return nil
}

// checkIdentity compares the checksums in the folder gen with the database's checksums of the pool's generation.
func (p pool) checkIdentity(gen string) error {
	text, err := os.ReadFile(filepath.Join(gen, sums))
	if err != nil || p.Sums == nil {
		return err
	}
	if digest := md5.Sum(text); hex.EncodeToString(digest[:]) != *p.Sums {
		return errors.New("the files differ from the generation in the database, which may have been restored from a backup")
	}
	return nil
}
