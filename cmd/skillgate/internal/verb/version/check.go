package version

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/client"
)

const (
	npm     = "https://registry.npmjs.org"
	patient = 3 * time.Second // timeout of a request to the registry
)

// text formats a message in the user's language.
type text = func(format string, args ...any) string

// checked is the result of `version check`.
type checked struct {
	Version string `json:"version"` // version of this program
	Newest  string `json:"newest,omitempty"`
	Newer   bool   `json:"newer"`             // Newest is newer than Version
	Unknown string `json:"unknown,omitempty"` // why Newest is missing
}

// check asks npm's registry, or the one in npm's environment variable, for the newest release. The request
// carries no information about this machine.
func check(ctx context.Context, version string, getenv func(string) string, say text) checked {
	c := checked{Version: version}
	registry := cmp.Or(getenv("npm_config_registry"), getenv("NPM_CONFIG_REGISTRY"), npm)
	var err error
	if c.Newest, err = newest(ctx, registry, say); err != nil {
		c.Unknown = err.Error()
		return c
	}
	here, errHere := client.Parse(c.Version)
	there, errThere := client.Parse(c.Newest)
	c.Newer = errHere == nil && errThere == nil && here.Before(there)
	return c
}

func newest(ctx context.Context, registry string, say text) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	address, err := url.Parse(registry)
	if err != nil || address.Hostname() == "" || address.Scheme != "https" && address.Scheme != "http" {
		return "", errors.New(say("the registry's address %q is not valid", registry))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.JoinPath("skillgate", "latest").String(), nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("User-Agent", "skillgate")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", errors.New(say("%s did not respond", req.URL.Host))
	}
	defer res.Body.Close()
	var about struct{ Version string }
	err = json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&about)
	if _, bad := client.Parse(about.Version); res.StatusCode != http.StatusOK || err != nil || bad != nil {
		return "", errors.New(say("the response from %s contains no version (%s)", req.URL.Host, res.Status))
	}
	return about.Version, nil
}

func (c checked) said(say text) string {
	switch {
	case c.Unknown != "":
		return say("Cannot tell whether there is a newer release: %s.", c.Unknown)
	case c.Newer:
		return say("Version %s is available; this is %s. Upgrade it the way you installed it: npm install -g skillgate, "+
			"npx skillgate@latest install, brew upgrade skillgate, or git pull and ./install.sh.", c.Newest, c.Version)
	case strings.HasPrefix(c.Version, "("):
		return say("This binary was built from a checkout; the newest release is %s.", c.Newest)
	}
	return say("This version is %s; the newest release is %s.", c.Version, c.Newest)
}
