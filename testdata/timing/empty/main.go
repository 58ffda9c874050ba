// Command empty does nothing: its run time, from exec to exit, is the unit in
// which timing counts.
package main

func main() {}
