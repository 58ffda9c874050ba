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

// maxFile limits the size of a settings file, in bytes.
const maxFile = 4 << 20

// backupMark separates the name of a settings file from the time of its backup.
const backupMark = ".skillgate-backup-"

// File is the state of a settings file when ReadFile read it.
type File struct {
	Path   string // path as given to ReadFile
	Target string // Path with symbolic links resolved
	Text   []byte
	Exists bool
	Inert  bool // the file is skillgate's script but not executable; Write makes it executable
}

// ReadFile reads a settings file. If the file does not exist, ReadFile returns a File without text and no error.
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
		return f, fmt.Errorf("read settings: %s has %d bytes (limit %d)", path, info.Size(), maxFile)
	}
	f.Exists = true
	if f.Text, err = io.ReadAll(io.LimitReader(in, maxFile)); err != nil {
		return f, fmt.Errorf("read settings: %s: %w", path, regular.Reason(err))
	}
	f.Inert = info.Mode()&0o100 == 0 && isScript(f.Text) && len(inProgram(path, f.Text)) > 0
	return f, nil
}

// Write replaces the text of the file atomically. It keeps the file's mode, makes a script executable and creates
// missing folders with mode 0700, but not at the target of a symbolic link. If the file has changed since ReadFile,
// Write returns an error and writes nothing.
func (f File) Write(text []byte) error {
	if err := f.unchanged(); err != nil {
		return err
	}
	if f.Target == f.Path { // a dangling link is an error, not a folder to create
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
	}
	if err := disk.Write(f.Path, text, disk.Options{Sync: true, Run: isScript(text)}); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}

// Remove deletes the file. If it has changed since ReadFile, Remove returns an error.
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
		return fmt.Errorf("write settings: %s: another program has changed the file; run the command again", f.Path)
	}
	return nil
}

// Backup writes the text to a new file next to the settings file, with mode 0600, and returns its name. If the
// settings file does not exist, Backup returns "".
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

// Former returns the names and texts of the file's backups, newest first.
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

// RemoveBackup removes a file that Backup wrote.
func RemoveBackup(name string) error {
	if !strings.Contains(filepath.Base(name), backupMark) {
		return fmt.Errorf("remove %s: the file is not one of skillgate's backups", name)
	}
	text, err := regular.Read(name, maxFile)
	if err != nil {
		return err
	}
	return disk.RemoveText(name, text)
}
