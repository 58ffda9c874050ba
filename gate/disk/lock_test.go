package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system"
)

func TestLock(t *testing.T) {
	tests := []struct {
		name         string
		first, other Sharing
		want         error
	}{
		{"two that share", Shared, Shared, nil},
		{"an exclusive one beside a shared one", Shared, Exclusive, ErrBusy},
		{"a shared one beside an exclusive one", Exclusive, Shared, ErrBusy},
		{"two exclusive ones", Exclusive, Exclusive, ErrBusy},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			a, errA := os.Open(dir)
			b, errB := os.Open(dir)
			require.NoError(t, errors.Join(errA, errB, Lock(t.Context(), system.FileOf(a), tt.first, 0)))
			defer b.Close()
			for _, wait := range []time.Duration{0, 2 * time.Millisecond} {
				if err := Lock(t.Context(), system.FileOf(b), tt.other, wait); err != tt.want {
					t.Errorf("Lock for %v: %v, want %v", wait, err, tt.want)
				}
			}
			a.Close()
			assert.NoError(t, Lock(t.Context(), system.FileOf(b), tt.other, 0))
		})
	}
}

func TestOpenLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	first, err := OpenLock(t.Context(), file, 0)
	require.NoError(t, err)
	_, err = OpenLock(t.Context(), file, 0)
	assert.ErrorIs(t, err, ErrBusy)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = OpenLock(ctx, file, Forever)
	assert.ErrorIs(t, err, context.Canceled)
	go first.Close()
	second, err := OpenLock(t.Context(), file, Forever)
	require.NoError(t, err)
	second.Close()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(file, link))
	_, err = OpenLock(t.Context(), link, 0)
	assert.Error(t, err, "Open follows a link")
}
