package lint

import "testing"

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
		t.Run(tt.name, func(t *testing.T) {
			if got := registered(tt.host); got != tt.want {
				t.Errorf("registered(%q) = %q, want %q", tt.host, got, tt.want)
			}
		})
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
		t.Run(tt.name, func(t *testing.T) {
			if got := lookAlike("", tt.host); got != tt.want {
				t.Errorf("lookAlike(%q) = %q, want %q", tt.host, got, tt.want)
			}
		})
	}
}
