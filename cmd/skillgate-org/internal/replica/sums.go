package replica

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// sums is the file of a generation with the checksums of the others, as sha256sum writes it.
const sums = "SHA256SUMS"

func writeSums(gen string) error {
	files, err := os.ReadDir(gen)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, f := range files {
		sum, err := regular.SHA256(filepath.Join(gen, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s  %s\n", sum, f.Name())
	}
	return disk.Write(filepath.Join(gen, sums), []byte(out.String()), disk.Options{})
}

// checkSums compares the files in the folder of a generation with their checksums, all of which must be
// listed. files.json, which only who builds the next generation needs, may be absent. What is wrong with
// the list is never an error of the system, which would leave the generation as it is.
func checkSums(gen string) error {
	files, err := os.ReadDir(gen)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			return fmt.Errorf("%s is not a regular file", f.Name())
		}
	}
	text, err := os.ReadFile(filepath.Join(gen, sums))
	if err != nil {
		return err
	}
	want, err := readSums(string(text))
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Name() == sums {
			continue
		}
		listed, ok := want[f.Name()]
		if !ok {
			return fmt.Errorf("%s does not list %s", sums, f.Name())
		}
		sum, err := regular.SHA256(filepath.Join(gen, f.Name()))
		if err != nil {
			return err
		}
		if sum != listed {
			return fmt.Errorf("%s is not what its checksum says", f.Name())
		}
		delete(want, f.Name())
	}
	delete(want, "files.json")
	for name := range want {
		return fmt.Errorf("%s lists %s, which is not there", sums, name)
	}
	return nil
}

// checkIdentity compares the checksums in the folder gen with those that the database has of the pool's generation.
func (p pool) checkIdentity(gen string) error {
	text, err := os.ReadFile(filepath.Join(gen, sums))
	if err != nil || p.Sums == nil {
		return err
	}
	if digest := md5.Sum(text); hex.EncodeToString(digest[:]) != *p.Sums {
		return errors.New("it is not the one in the database, which may have been restored from a backup")
	}
	return nil
}

func readSums(text string) (map[string]string, error) {
	of := map[string]string{}
	for line := range strings.Lines(text) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		raw, err := hex.DecodeString(sum)
		if err != nil || len(raw) != sha256.Size || !plain(name) || of[name] != "" {
			return nil, fmt.Errorf("%s has a line that is not a checksum and a file: %.100q", sums, line)
		}
		of[name] = sum
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("%s is empty", sums)
	}
	return of, nil
}

func plain(name string) bool {
	return filepath.IsLocal(name) && name != "." && !strings.ContainsAny(name, "/\\\x00") && len(name) < 256
}
