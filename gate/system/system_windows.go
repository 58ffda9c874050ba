package system

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Flags for opening a file: with NoFollow, OpenFile does not follow a symbolic link. The others have no effect here.
const (
	NoFollow = windows.O_FILE_FLAG_OPEN_REPARSE_POINT
	NonBlock = 0
	NoCTTY   = 0
)

// Home is the environment variable with the user's home folder that hosts read; a shell may set HOME to another folder.
// Program is the extension of executable files. Modes says whether files have modes, and FolderSync whether folders can
// be synced.
const (
	Home       = "USERPROFILE"
	Program    = ".exe"
	Modes      = false
	FolderSync = false
)

// File is an open file.
type File windows.Handle

// OpenFile is like os.OpenFile, but other processes can rename and remove the open file.
func OpenFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := Open(path, flag, mode)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(f), path), nil
}

// Open is like OpenFile but returns a File. Its errors do not name path.
func Open(path string, flag int, _ fs.FileMode) (File, error) {
	access := uint32(windows.GENERIC_READ)
	switch flag & (os.O_WRONLY | os.O_RDWR) {
	case os.O_WRONLY:
		access = windows.GENERIC_WRITE
	case os.O_RDWR:
		access |= windows.GENERIC_WRITE
	}
	if flag&os.O_APPEND != 0 { // every write goes to the end
		access = access&^windows.GENERIC_WRITE | windows.FILE_APPEND_DATA | windows.FILE_READ_ATTRIBUTES | windows.SYNCHRONIZE
	}
	how := uint32(windows.OPEN_EXISTING)
	if flag&os.O_CREATE != 0 {
		how = windows.OPEN_ALWAYS
	}
	attributes := uint32(windows.FILE_ATTRIBUTE_NORMAL)
	if flag&NoFollow != 0 {
		attributes |= windows.FILE_FLAG_OPEN_REPARSE_POINT
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	h, err := windows.CreateFile(name, access, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE,
		nil, how, attributes, 0)
	if err != nil {
		return 0, err
	}
	f := File(h)
	if flag&NoFollow != 0 {
		if info, err := f.info(); err != nil || info.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
			f.Close()
			return 0, errors.Join(err, errors.New("the path is a link, and links are not followed"))
		}
	}
	return f, nil
}

// FileOf returns the open file of f. Closing f closes it.
func FileOf(f *os.File) File { return File(f.Fd()) }

// Write writes once. It may write less than all of b.
func (f File) Write(b []byte) (int, error) { return windows.Write(windows.Handle(f), b) }

// Close closes the file and unlocks it.
func (f File) Close() error { return windows.CloseHandle(windows.Handle(f)) }

// Named reports whether f is still the file at path. It fails if f is not a regular file or has another hard link.
func (f File) Named(path string) (bool, error) {
	open, err := f.info()
	if err != nil {
		return false, err
	}
	if open.FileAttributes&windows.FILE_ATTRIBUTE_DIRECTORY != 0 {
		return false, errNotRegular
	}
	if open.NumberOfLinks > 1 {
		return false, ErrLinked
	}
	other, err := Open(path, os.O_RDONLY|NoFollow, 0)
	if err != nil {
		return false, nil
	}
	defer other.Close()
	named, err := other.info()
	return err == nil && named.VolumeSerialNumber == open.VolumeSerialNumber &&
		named.FileIndexHigh == open.FileIndexHigh && named.FileIndexLow == open.FileIndexLow, nil
}

func (f File) info() (windows.ByHandleFileInformation, error) {
	var info windows.ByHandleFileInformation
	err := windows.GetFileInformationByHandle(windows.Handle(f), &info)
	return info, err
}

// Executable returns the path of the program file, whose extension may be left out, or "" if there is none.
func Executable(file string) string {
	for _, ending := range []string{"", ".exe", ".cmd", ".bat"} {
		if kind := strings.ToLower(filepath.Ext(file + ending)); kind != ".exe" && kind != ".cmd" && kind != ".bat" {
			continue
		}
		if info, err := os.Stat(file + ending); err == nil && info.Mode().IsRegular() {
			return file + ending
		}
	}
	return ""
}

// Sync flushes a file to its disk. Folders cannot be synced here.
func Sync(path string) error {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return err
	}
	f, err := OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// TryLock locks an open file, exclusively if alone is set and shared otherwise, and reports whether it succeeded.
// Closing the file unlocks it. Locked bytes can be neither read nor written here, so the lock is on a byte far after
// the file's end.
func TryLock(f File, alone bool) (bool, error) {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return false, nil
	}
	return err == nil, err
}

// Map reads the first size bytes of a file into memory. It does not map the file, because a mapped file could not be
// replaced here.
func Map(f *os.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: err}
	}
	return data, nil
}

// Unmap releases the result of Map.
func Unmap([]byte) error { return nil }

// ID returns false: the identity of a file is unknown here.
func ID(fs.FileInfo) (FileID, bool) { return FileID{}, false }

// Links returns the number of hard links of the file f, or 1 if f is nil.
func Links(f *os.File, _ fs.FileInfo) int {
	if f == nil {
		return 1
	}
	info, err := FileOf(f).info()
	if err != nil {
		return 1
	}
	return int(info.NumberOfLinks)
}

// OwnerOf returns false: the owner of a file is unknown here.
func OwnerOf(fs.FileInfo) (Owner, bool) { return Owner{}, false }

// FailWrites does nothing, because writes send no signal here.
func FailWrites(bool) {}

func noCore() {}

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// Drain discards the data waiting in a pipe, up to about limit bytes, and reports whether more may come. It does not
// wait. It does not read from a terminal, because other processes read from it too.
func Drain(f File, limit int) (open bool) {
	var buf [16 << 10]byte
	for limit > 0 {
		var there uint32
		if ok, _, _ := peekNamedPipe.Call(uintptr(f), 0, 0, 0, uintptr(unsafe.Pointer(&there)), 0); ok == 0 {
			return false // not a pipe, or the other end is closed
		}
		if there == 0 {
			return true
		}
		n, err := windows.Read(windows.Handle(f), buf[:])
		if err != nil || n == 0 {
			return false
		}
		limit -= n
	}
	return true
}

// LowerPriority lets other processes run first, if the system permits it.
func LowerPriority() {
	_ = windows.SetPriorityClass(windows.CurrentProcess(), windows.BELOW_NORMAL_PRIORITY_CLASS)
}

// detached returns attributes that start a process without this one's console.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// Grouped returns nil: EndGroup does not end children here.
func Grouped() *syscall.SysProcAttr { return nil }

// EndGroup ends a process that was started with Grouped.
func EndGroup(p *os.Process) error { return p.Kill() }

// Exec runs another program and exits with its status. It returns only if the program cannot be run.
func Exec(file string, args, env []string) error {
	p, err := os.StartProcess(file, args, &os.ProcAttr{Env: env, Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	ended, err := p.Wait()
	if err != nil {
		return err
	}
	os.Exit(ended.ExitCode())
	return nil
}

// Unwritable reports whether err means that the user has no write permission or that the disk is write-protected or
// full.
func Unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, windows.ERROR_DISK_FULL) ||
		errors.Is(err, windows.ERROR_WRITE_PROTECT)
}

// NoLocks returns false: every file system supports locks here.
func NoLocks(error) bool { return false }
