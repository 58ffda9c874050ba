// Command empty does nothing: its run time, from exec to exit, is the unit of the program timing.
package main

func main() {}
