//go:build onnx

package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/skillgate/skillgate/gate/rerank/model"
)

func libraries(setting string) []string {
	modules := ""
	if self, err := os.Executable(); err == nil {
		modules = model.Modules(self)
	}
	return model.Libraries(setting, os.Getenv, modules)
}

// apiVersion is the C API version of the binding. Libraries of version 1.24 or newer support it.
const apiVersion = 24

// open loads the first candidate that can be loaded and returns its path. The error gives a reason for each
// candidate.
func open(candidates []string) (string, error) {
	var reasons []string
	for _, file := range candidates {
		err := checkLibrary(file)
		if err == nil {
			ort.SetSharedLibraryPath(file)
			err = ort.InitializeEnvironment(ort.WithLogLevelFatal())
		}
		if err == nil {
			return file, nil
		}
		text := oneLine(err.Error())
		switch {
		case strings.Contains(text, "ORT API base: 2"):
			// The library has been unloaded, so its own version is not known.
			text = fmt.Sprintf("%s: API version %d is missing; install ONNX Runtime 1.%d or newer", file, apiVersion, apiVersion)
		case strings.Contains(text, file+": cannot open shared object") || strings.Contains(text, "no such file"):
			text = file + ": not found"
		default:
			text = strings.TrimPrefix(text, "Platform-specific initialization failed: ")
		}
		reasons = append(reasons, text)
	}
	return "", fmt.Errorf("no usable libonnxruntime (%s)", strings.Join(reasons, "; "))
}

// checkLibrary returns an error if the file clearly cannot be loaded. Loading a truncated file would end the process,
// and for a file built for another processor the loader reports a missing file. Names without a path are not checked.
func checkLibrary(file string) error {
	if !strings.ContainsRune(file, filepath.Separator) {
		return nil
	}
	fi, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: no such file", file)
	case err != nil:
		return err
	case fi.IsDir():
		return fmt.Errorf("%s contains no libonnxruntime for %s/%s", file, runtime.GOOS, runtime.GOARCH)
	case runtime.GOOS != "linux":
		return nil
	}
	f, err := elf.Open(file)
	if err != nil {
		return fmt.Errorf("%s is damaged, truncated or not a shared library: %w", file, err)
	}
	defer f.Close()
	machine := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want, known := machine[runtime.GOARCH]; known && f.Machine != want {
		return fmt.Errorf("%s is built for another processor (%v instead of %v)", file, f.Machine, want)
	}
	for _, p := range f.Progs {
		if end := p.Off + p.Filesz; p.Type == elf.PT_LOAD && (end < p.Off || end > uint64(fi.Size())) {
			return fmt.Errorf("%s is truncated: it has %d bytes but must have %d or more", file, fi.Size(), end)
		}
	}
	return nil
}
