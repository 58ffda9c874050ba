package register

// Unset returns text without the member key at its top, if that has this value, which is JSON.
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
