package replica

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sums is the file of a generation with the checksums of the others, as sha256sum writes it.
const sums = "SHA256SUMS"

// writeSums writes the checksums of the files in the folder of a new generation.
func writeSums(gen string) error {
	files, err := os.ReadDir(gen)
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, f := range files {
		sum, err := sumOf(filepath.Join(gen, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s  %s\n", sum, f.Name())
	}
	return os.WriteFile(filepath.Join(gen, sums), []byte(out.String()), 0o600)
}

// checkSums compares the files in the folder of a generation with their checksums. files.json, which only
// who builds the next generation needs, may be absent.
func checkSums(gen string) error {
	said, err := os.Open(filepath.Join(gen, sums))
	if err != nil {
		return err
	}
	defer said.Close()
	lines := bufio.NewScanner(said)
	n := 0
	for ; lines.Scan(); n++ {
		want, name, _ := strings.Cut(lines.Text(), "  ")
		sum, err := sumOf(filepath.Join(gen, filepath.Base(name)))
		if name == "files.json" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if sum != want {
			return fmt.Errorf("%s is not what its checksum says", name)
		}
	}
	if n == 0 && lines.Err() == nil {
		return fmt.Errorf("%s is empty", sums)
	}
	return lines.Err()
}

func sumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
