package register

// Unset returns text without its top-level member key if the JSON text of the member is value.
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
