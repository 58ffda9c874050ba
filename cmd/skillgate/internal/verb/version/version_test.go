package version

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/internal/build"
)

func TestVersion(t *testing.T) {
	h := apptest.New(t)
	out, err := h.Run(New(h.App, nil))
	if err != nil || !strings.HasPrefix(out, "skillgate ") || !strings.Contains(out, runtime.Version()) {
		t.Errorf("version = %q, %v", out, err)
	}
	out, err = h.Run(New(h.App, nil), "--json")
	var b build.Info
	if err != nil || json.Unmarshal([]byte(out), &b) != nil || b != build.Read() {
		t.Errorf("version --json = %q, %v, want %+v", out, err, build.Read())
	}
}
