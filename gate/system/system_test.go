package system

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnPath(t *testing.T) {
	dir, err := os.MkdirTemp("", "") // t.TempDir's own RemoveAll fails under wine 8
	one, two, folder := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "folder")
	noProgram, program := filepath.Join(one, "tool"), filepath.Join(two, "tool"+Program)
	inFolder := filepath.Join(folder, "tool"+Program)
	t.Cleanup(func() {
		for _, path := range []string{noProgram, program, inFolder, one, two, folder, dir} {
			assert.NoError(t, os.Remove(path))
		}
	})
	err = errors.Join(err, os.Mkdir(one, 0o700), os.Mkdir(two, 0o700), os.MkdirAll(inFolder, 0o700),
		os.WriteFile(noProgram, nil, 0o600), os.WriteFile(program, nil, 0o700))
	require.NoError(t, err)
	join := func(folders ...string) (path string) {
		for _, folder := range folders {
			path += folder + string(os.PathListSeparator)
		}
		return path
	}
	// On Windows a program needs an extension, which may be omitted.
	assert.Equal(t, program, OnPath("tool", join(folder, one, two)))
	assert.Empty(t, OnPath("tool", join(folder, one)))
	assert.Equal(t, program, Executable(program))
}
