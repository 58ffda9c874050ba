// Command places prints for the linker where a program contains the tables of package lent. Run it at the top of the
// repository:
//
//	go run ./synonyms/lent/places PROGRAM
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/skillgate/skillgate/synonyms/lent"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./synonyms/lent/places PROGRAM")
	}
	var tables [][]byte
	for _, file := range append([]string{os.Args[1]}, lent.Files...) {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		tables = append(tables, text)
	}
	places, err := lent.Places(tables[0], tables[1:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(places)
}
