package register

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// maxFile is the size of a settings file that is read; hosts' own are kilobytes.
const maxFile = 4 << 20

// backupMark separates a settings file's name from its backup's time.
const backupMark = ".skillgate-backup-"

// File is a settings file as it was read.
type File struct {
	Path   string // as given
	Target string // what Path points to, where it is a symbolic link
	Text   []byte
	Exists bool
	Inert  bool // a script of skillgate's that may not be run; Write mends that
}

// ReadFile reads a settings file; one that does not exist has no text.
func ReadFile(path string) (File, error) {
	f := File{Path: path}
	var err error
	if f.Target, err = disk.Target(path); err != nil {
		return f, fmt.Errorf("read settings: %s: %w", path, regular.Reason(err))
	}
	in, err := regular.Open(f.Target)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read settings: %s: %w", path, regular.Reason(err))
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return f, fmt.Errorf("read settings: %s: %w", path, regular.Reason(err))
	}
	if info.Size() > maxFile {
		return f, fmt.Errorf("read settings: %s: %d bytes, limit %d", path, info.Size(), maxFile)
	}
	f.Exists = true
	if f.Text, err = io.ReadAll(io.LimitReader(in, maxFile)); err != nil {
		return f, fmt.Errorf("read settings: %s: %w", path, regular.Reason(err))
	}
	f.Inert = info.Mode()&0o100 == 0 && isScript(f.Text) && len(inProgram(path, f.Text)) > 0
	return f, nil
}

// Write puts text into the file in one step: a reader sees the old text or the
// new, never a part. It keeps the file's mode, lets a script be run, creates missing folders with mode
// 0700 (not those that a link names). It fails, with nothing written, when the file is no longer as it was read.
func (f File) Write(text []byte) error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if f.Target == f.Path { // a link to a folder that is not there is a mistake to report
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
	}
	if err := disk.Write(f.Path, text, disk.Options{Sync: true, Run: isScript(text)}); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}

// Remove deletes the file, when it is still as it was read.
func (f File) Remove() error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := disk.RemoveText(f.Path, f.Text); err != nil {
		return fmt.Errorf("remove settings: %w", err)
	}
	return nil
}

func (f File) unchanged() error {
	now, err := ReadFile(f.Path)
	if err != nil {
		return err
	}
	if now.Exists != f.Exists || now.Target != f.Target || !bytes.Equal(now.Text, f.Text) {
		return fmt.Errorf("write settings: %s: changed by another program meanwhile", f.Path)
	}
	return nil
}

// Backup writes the text as it was read beside the file, readable by its owner
// only, and returns the new file's name; "" when there is nothing to keep.
func (f File) Backup(now time.Time) (string, error) {
	if !f.Exists {
		return "", nil
	}
	base := f.Target + backupMark + now.UTC().Format("20060102T150405Z")
	for n, name := 1, base; ; n++ {
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && n < 100 {
			name = fmt.Sprintf("%s-%d", base, n)
			continue
		}
		if err != nil {
			return "", fmt.Errorf("back up settings: %w", err)
		}
		_, err = out.Write(f.Text)
		if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
			return "", fmt.Errorf("back up settings: %w", err)
		}
		return name, nil
	}
}

// Former returns the texts of the file's backups and their names, newest first.
func (f File) Former() (names []string, texts [][]byte, err error) {
	names = f.backups()
	for _, name := range names {
		b, err := ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		texts = append(texts, b.Text)
	}
	return names, texts, nil
}

// backups returns the names of the file's backups, newest first.
func (f File) backups() []string {
	entries, err := os.ReadDir(filepath.Dir(f.Target))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(f.Target)+backupMark) && e.Type().IsRegular() {
			names = append(names, filepath.Join(filepath.Dir(f.Target), e.Name()))
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names
}

// RemoveBackup removes a file that Backup has written.
func RemoveBackup(name string) error {
	if !strings.Contains(filepath.Base(name), backupMark) {
		return fmt.Errorf("remove %s: not a backup of skillgate's", name)
	}
	text, err := regular.Read(name, maxFile)
	if err != nil {
		return err
	}
	return disk.RemoveText(name, text)
}
