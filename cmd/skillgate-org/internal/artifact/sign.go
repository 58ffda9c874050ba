package artifact

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/skillgate/skillgate/gate/regular"
)

// The signature is the annotation PUBLIC-KEY ":" SIGNATURE, both in base64. It is an Ed25519 signature of
//
//	"skillgate library v1\n" and the JSON of artifact type, config, layers and other annotations
//
// and so covers the title and the digest and size of every blob. It does not cover the registry, the repository and
// the tag: mirrors stay valid, and whoever may move a tag can point it to any library signed with the same key,
// including an older one.
const (
	Signature  = "io.github.skillgate.signature"
	signedHead = "skillgate library v1\n"
	keyPrefix  = "ed25519:"
)

// ErrUnsigned says that no trusted key signed the library.
var ErrUnsigned = errors.New("the library is not signed with a key in trust.keys")

// Key is a private key that signs libraries.
type Key struct{ private ed25519.PrivateKey }

// ReadKey reads a private key in the format of `openssl genpkey -algorithm ed25519` (PEM, PKCS #8).
func ReadKey(file string) (*Key, error) {
	text, err := regular.Read(file, 64<<10)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s is not a private key in PEM format", file)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s is not an Ed25519 key (its type is %T)", file, parsed)
	}
	return &Key{private}, nil
}

// Public returns the public key in the form used by trust.keys.
func (k *Key) Public() string {
	return keyPrefix + base64.StdEncoding.EncodeToString(k.private.Public().(ed25519.PublicKey))
}

// Sign adds the signature to a manifest.
func (k *Key) Sign(m *ocispec.Manifest) error {
	text, err := signed(m)
	if err != nil {
		return err
	}
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Signature] = strings.TrimPrefix(k.Public(), keyPrefix) + ":" +
		base64.StdEncoding.EncodeToString(ed25519.Sign(k.private, text))
	return nil
}

func signed(m *ocispec.Manifest) ([]byte, error) {
	others := maps.Clone(m.Annotations)
	delete(others, Signature)
	text, err := json.Marshal(struct {
		Type        string
		Config      ocispec.Descriptor
		Layers      []ocispec.Descriptor
		Annotations map[string]string
	}{m.ArtifactType, m.Config, m.Layers, others})
	return append([]byte(signedHead), text...), err
}

// Signer returns the key that signed a manifest, in the form used by trust.keys, or "" if there is no signature. An
// invalid signature is an error.
func Signer(m *ocispec.Manifest) (string, error) {
	text := m.Annotations[Signature]
	if text == "" {
		return "", nil
	}
	name, mark, _ := strings.Cut(text, ":")
	public, err := base64.StdEncoding.DecodeString(name)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return "", errors.New("the signature contains no valid Ed25519 public key")
	}
	sum, err := base64.StdEncoding.DecodeString(mark)
	if err != nil {
		return "", fmt.Errorf("signature: %w", err)
	}
	over, err := signed(m)
	if err != nil {
		return "", err
	}
	if !ed25519.Verify(public, over, sum) {
		return "", errors.New("invalid signature: the library was changed after it was signed")
	}
	return keyPrefix + name, nil
}
