package safety

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRegistered(t *testing.T) {
	tests := []struct{ name, host, want string }{
		{"a domain", "github.com", "github.com"},
		{"a host below it", "www.docs.github.com", "github.com"},
		{"a country's second level", "mail.example.co.kr", "example.co.kr"},
		{"a second level that no rule of thumb knows", "shop.example.ltd.uk", "example.ltd.uk"},
		{"a country without one", "blog.example.de", "example.de"},
		{"below a company's suffix", "raw.githubusercontent.com", "githubusercontent.com"},
		{"below a company's deep suffix", "bucket.s3.eu-west-1.amazonaws.com", "amazonaws.com"},
		{"a suffix alone", "co.kr", "co.kr"},
		{"one label", "localhost", "localhost"},
		{"a suffix that nobody runs", "ci.example.internal", "example.internal"},
		{"Hangul", "www.한국.kr", "한국.kr"},
		{"an address of numbers", "192.0.2.1", "2.1"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, registered(tt.host), tt.name)
	}
}

func TestLookAlikeInPunycode(t *testing.T) {
	tests := []struct {
		name, host, want string
	}{
		{"an accent on a known host", "xn--gthub-n4a.com", "looks like github.com"},
		{"letters of two scripts", "xn--pple-43d.com", "mixes Cyrillic and Latin letters"},
		{"an honest Korean host", "xn--3e0b707e.kr", ""},
		{"no punycode", "xn--.com", ""},
		{"punycode that is cut", "xn--3e0b70.kr", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, lookAlike("", tt.host), tt.name)
	}
}

func TestHosts(t *testing.T) {
	for _, tt := range []struct{ user, host, want string }{
		{"", "github.com", ""}, {"", "api.github.com", ""}, {"", "example.com", ""}, {"", "한국.kr", ""}, {"", "google.com.hk", ""},
		{"", "gіthub.com", "mixes"}, {"", "githbu.com", "looks like github.com"}, {"", "gitthub.com", "looks like github.com"},
		{"", "g1thub.com", "looks like github.com"}, {"", "rnicrosoft.com", "looks like microsoft.com"}, {"", "github.com.evil.example", "contains github.com"},
		{"", "githubb.com", "looks like github.com"}, {"", "gitxhub.com", "looks like github.com"}, {"", "gthub.com", "looks like github.com"},
		{"", "github.co", "looks like github.com"}, {"", "npmjs.prg", "looks like npmjs.org"}, {"", "github.io", ""}, {"", "apple.co", ""},
		{"", "apples.com", ""}, {"", "claudes.com", ""}, {"", "claude.xom", "looks like claude.com"},
		{"", "paypal-login.com", "imitates paypal.com"}, {"github.com", "evil.example", "only a user name"},
	} {
		if got := lookAlike(tt.user, tt.host); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("lookAlike(%q, %s) = %q, want %q", tt.user, tt.host, got, tt.want)
		}
	}
	for text, want := range map[string]string{
		"https://example.com/a": "example.com", "https://ann@example.com:8080": "example.com", "https://[::1]:80/": "[::1]", "https://": "", "https://a.b)": "a.b",
	} {
		start, end := hostAt(text, len("https://"))
		assert.Equal(t, want, text[start:end], text)
	}
}
