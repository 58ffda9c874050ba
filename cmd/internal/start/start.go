// Package start guards what happens before the first line of Go runs: a program that
// imports it does not end with status 2, for which the host blocks the prompt, where Go's
// runtime cannot start. It is C, and does nothing in a build without cgo or outside Linux.
package start
