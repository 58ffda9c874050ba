package register

// Unset returns text without the top-level member key if the member's value is the JSON text value.
func Unset(file string, text []byte, key, value string) ([]byte, error) {
	d, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	v, at, ok := member(d.root, key)
	if !ok || string(d.text[v.StartOffset:v.EndOffset]) != value {
		return text, nil
	}
	err = d.remove(d.root, at)
	return d.bytes(), err
}
