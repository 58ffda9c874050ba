// Package index builds, refreshes and opens the skill index of one set of roots.
//
// bleve's analysis chain splits texts into terms; package rank scores them. An index is a folder of immutable
// generations and a pointer to the newest:
//
//	CURRENT      name of the newest complete generation, swapped by rename
//	gen-12/
//	  manifest.json   counts and totals for scoring (type Manifest)
//	  base.lists      postings of the skills at the last full build (file lists.go)
//	  base.docs       one record per document, in the same order (file docs.go)
//	  delta.lists     postings of later changes; absent if there are none
//	  delta.docs
//	  states          state of each skill at the last build, for a refresh; not read by the hook
//	  user.dict       the user's synonyms, compiled; absent if there are none
//	build.lock   locked during a build; readers do not use it
//
// A generation is complete before it gets its name, so a reader can open the one that CURRENT names without waiting.
// The base is hard-linked from one generation to the next. The newest two generations are kept.
//
// A term has one posting per document, however many of its fields hold the term: the posting's 64-bit frequency packs a
// small term frequency for each field (file field.go). A query term thus costs one dictionary look-up and one pass.
// Field lengths are in the document records.
//
// A reader rejects a generation with another Analyzer or Format, which must then be rebuilt. It trusts the contents
// of the files. A refresh first compares the old postings with their checksum.
package index

// AnalyzerVersion must change whenever the terms of a text change: after a change of this package's analyzer,
// synonyms/terms, the synonyms table, or the extraction of triggers and boundaries.
const AnalyzerVersion = "13"
