// Package index builds, refreshes and opens the skill index of one set of roots.
//
// bleve's chain analyses texts, scoring is package rank's. A folder under the cache holds immutable generations and
// a pointer:
//
//	CURRENT      name of the newest complete generation, swapped by rename
//	gen-12/
//	  manifest.json   what scoring needs of the whole (type Manifest)
//	  base.lists      postings of the skills at the last full build (file lists.go)
//	  base.docs       one record a document, in the same order (file docs.go)
//	  delta.lists     postings of what changed since; absent when nothing did
//	  delta.docs
//	  files.json      what a refresh compares with; never read by the hook
//	  user.dict       the user's synonyms, compiled; absent when there are none
//	build.lock   held by the one builder; readers never take it
//
// A generation is complete before it gets its name, so a reader opens whatever
// CURRENT names and never waits. The base is hard-linked from one generation to the
// next. The newest two generations are kept.
//
// A term has one posting per document, however many of its fields hold the term:
// the posting's 64-bit frequency packs a small term frequency for each field
// (file field.go). A query term thus costs one dictionary look-up and one pass.
// Field lengths are in the document records.
//
// A reader refuses a generation whose Analyzer or Format is not its own and asks for
// a rebuild: terms of one analyzer mean nothing to another. It trusts the files'
// contents; a refresh compares the postings it builds on with their checksum.
package index

// AnalyzerVersion changes whenever the terms of a text change: with this
// package's analyzer, synonyms/terms, the synonyms table or the extraction of
// triggers and boundaries.
const AnalyzerVersion = "12"
