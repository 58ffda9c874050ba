package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/skillgate/skillgate/gate/system"
)

// bitmaps are sets of numbers in every kind of container.
func bitmaps() map[string]*roaring.Bitmap {
	random := rand.New(rand.NewPCG(1, 2))
	some := func(n int, below uint32) *roaring.Bitmap {
		b := roaring.New()
		for range n {
			b.Add(random.Uint32N(below))
		}
		return b
	}
	sets := map[string]*roaring.Bitmap{
		"none": roaring.New(), "one": roaring.BitmapOf(0), "the last": roaring.BitmapOf(1<<32 - 1),
		"a list": some(100, 1<<16), "the longest list": roaring.New(), "bits": some(20_000, 1<<16), "lists": some(900, 1<<20),
		"lists and bits": some(9_000, 1<<17), "a run": roaring.New(), "all of a container": roaring.New(),
		"runs in many containers": roaring.New(), "runs and lists": some(50, 3<<16),
	}
	for i := range uint32(maxList) {
		sets["the longest list"].Add(3 * i)
	}
	sets["a run"].AddRange(70_000, 70_900)
	sets["all of a container"].AddRange(1<<16, 2<<16)
	sets["runs in many containers"].AddRange(100, 300_000)
	sets["runs and lists"].AddRange(1<<16, 1<<16+500)
	for name, b := range sets {
		runs := b.Clone()
		runs.RunOptimize()
		sets[name+", where runs are shorter"] = runs
	}
	return sets
}

func readBitmap(text []byte, most int) (docs []uint32, err error) {
	err = system.Caught(func() error {
		b, err := newBitmap(text)
		if err != nil {
			return err
		}
		docs = make([]uint32, min(b.count(), most))
		docs = docs[:b.read(docs)]
		return nil
	})
	return docs, err
}

func TestBitmapsAreReadAsRoaringReadsThem(t *testing.T) {
	for name, set := range bitmaps() {
		text, err := set.ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		got, err := readBitmap(text, 1<<20)
		if want := set.ToArray(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d numbers, %v; want %d", name, len(got), err, len(want))
		}
		if _, err := readBitmap(text[:len(text)-1], 1<<20); err == nil {
			t.Errorf("%s: read without its last byte", name)
		}
	}
	if _, err := readBitmap([]byte("not a bitmap at all"), 1); err == nil {
		t.Error("other bytes are read as a bitmap")
	}
}

func FuzzBitmap(f *testing.F) {
	for _, set := range bitmaps() {
		text, err := set.ToBytes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readBitmap(text, 1<<20)
		var want roaring.Bitmap
		if _, refused := want.FromBuffer(text); refused != nil || want.Validate() != nil || want.GetCardinality() > 1<<20 {
			return // roaring may not be asked about what it does not understand
		}
		all := want.ToArray()
		if len(got) > len(all) || err != nil || !slices.Equal(got, all[:len(got)]) { // a head may say too few of a run
			t.Errorf("%d numbers, %v; roaring reads %d", len(got), err, len(all))
		}
	})
}
