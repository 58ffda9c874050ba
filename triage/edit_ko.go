package triage

import "strings"

// editKo reports a Korean small edit: a place, small things, names and values,
// and at the end the verb.
func editKo(words []editWord) bool {
	verb, ok := editVerbKo(words[len(words)-1].hangul)
	if !ok || words[len(words)-1].ascii != "" {
		return false
	}
	var s editSenseKo
	for i, w := range words[:len(words)-1] {
		if w.comma && i > 1 {
			return false
		}
		if w.thing == plainWord && w.ascii != "" && w.hangul == "" && hasAnyPrefix(words[i+1].hangul, "폴더", "디렉") && words[i+1].ascii == "" {
			s.files++
			continue
		}
		if w.thing == plainWord && w.ascii != "" && w.hangul == "" && i == len(words)-2 && i > 0 && verb == deleteVerb {
			s.names++
			continue
		}
		if !s.see(w) {
			return false
		}
	}
	return s.fits(verb)
}

type verbKo uint8

const (
	fixVerb    verbKo = iota + 1 // 고쳐, 수정해
	changeVerb                   // 바꿔, 변경해
	deleteVerb                   // 지워, 빼
	addVerb                      // 추가해, 넣어
	openVerb                     // 열어, 보여
	moveVerb                     // 옮겨, 복사해
	makeVerb                     // 만들어
	doVerb                       // 해, 처리해: after 주석, 이동, 삭제
)

// editVerbKo returns what kind of edit a verb form asks for.
func editVerbKo(form string) (verbKo, bool) {
	for _, ending := range [...]string{"주시겠어요", "주십시오", "줄래요", "주세요", "봐주세요", "줄래", "봐줘", "줘요", "놔줘", "봐라", "달라", "줘",
		"봐", "라", "놔", "둬", "요"} {
		if stem, ok := strings.CutSuffix(form, ending); ok && stem != "" {
			if v := editStem(stem); v != 0 {
				return v, true
			}
		}
	}
	v := editStem(form)
	return v, v != 0
}

func editStem(s string) verbKo {
	switch s {
	case "고쳐", "수정해", "고치자", "수정", "수정하자", "정정해", "맞춰":
		return fixVerb
	case "바꿔", "변경해", "바꾸자", "변경", "교체해", "치환해", "설정해", "올려", "내려", "늘려", "줄여":
		return changeVerb
	case "지워", "삭제해", "빼", "제거해", "삭제", "제거", "지우자", "빼자", "없애", "날려", "지워버려":
		return deleteVerb
	case "추가해", "넣어", "추가", "달아", "붙여", "넣자", "삽입해":
		return addVerb
	case "열어", "보여", "열기", "열자", "출력해", "띄워", "닫아", "저장해", "펼쳐":
		return openVerb
	case "옮겨", "이동해", "이동시켜", "이동", "복사해", "옮기자", "복사":
		return moveVerb
	case "만들어", "생성해", "만들자", "생성", "파":
		return makeVerb
	case "해", "하자", "처리해", "처리", "풀어":
		return doVerb
	}
	return 0
}

// editSenseKo is what the words before the verb of a Korean edit amount to.
type editSenseKo struct {
	files, documents, lines int
	object                  bool   // a file is the grammatical object
	extension               string // of the first file
	mixed                   bool   // there are files of different extensions
	named                   bool   // the name of something is edited
	things                  int    // small things that are edited: 오타, import, 포트
	names                   int    // identifiers, quoted strings, English words with a particle
	value                   bool   // something that ends in 로: the new value or place
	blank, folder           bool
	remark                  bool   // 주석
	action                  verbKo // a noun of action: 삭제, 주석 처리
}

// see takes one word in; it returns false for a word that no small edit has.
func (s *editSenseKo) see(w editWord) bool {
	if w.ascii == "" {
		return s.seeHangul(w.hangul)
	}
	switch w.thing {
	case textFile, docFile:
		s.file(w)
	case figure:
		if lineUnit(w.hangul) {
			s.lines++
			return true
		}
		s.things++
	case identifier, quote:
		s.names++
	default:
		lower := strings.ToLower(w.ascii)
		switch {
		case lower == "line":
			s.lines++
			return w.hangul == ""
		case editNoun(lower):
			s.things++
		case w.hangul == "":
			return false
		default:
			s.names++
		}
	}
	if w.hangul == "" {
		return true
	}
	p := w.hangul
	if rest, ok := strings.CutPrefix(p, "폴더"); ok {
		s.folder, p = true, rest
	} else if rest, ok := strings.CutPrefix(p, "파일"); ok {
		p = rest
	}
	s.value = s.value || p == "로" || p == "으로"
	return p == "" || placeParticle(p)
}

func (s *editSenseKo) file(w editWord) {
	if w.thing == docFile {
		s.documents++
	}
	s.object = s.object || w.hangul == "를" || w.hangul == "을"
	ext := w.ascii[strings.LastIndexByte(w.ascii, '.')+1:]
	if s.files == 0 {
		s.extension = ext
	}
	s.mixed = s.mixed || ext != s.extension
	s.files++
}

func (s *editSenseKo) seeHangul(w string) bool {
	if v, _ := editVerbKo(strings.TrimSuffix(w, "만")); v == deleteVerb || v == moveVerb || v == changeVerb && w == "변경" || v == fixVerb && w == "수정" {
		s.action = v
		return true
	}
	switch w {
	case "좀", "그냥", "바로", "다시", "한번", "만", "이제", "그럼", "그", "이", "저", "거기", "여기", "하나", "한", "두", "세", "개", "개만", "맨",
		"제일", "위에", "아래에", "밑에", "앞에", "뒤에", "위", "아래", "밑", "앞", "뒤", "끝에", "끝", "처음", "처음에", "안에", "안", "있는",
		"나온", "쓴", "쓰인", "전부", "모두", "다", "같은", "기존", "불필요한", "안쓰는", "쓰는", "필요없는", "잘못된", "틀린", "빠진", "중복된",
		"방금", "번째", "사이에", "직전에", "직후에", "루트에", "루트", "폴더의", "파일의", "파일에", "파일에서", "파일", "파일을", "파일로",
		"파일도", "파일만", "이름의", "이름으로", "라는", "이라는":
		s.value = s.value || w == "이름으로"
		return true
	case "빈", "새", "새로운", "비어있는":
		s.blank = s.blank || w == "빈" || w == "비어있는"
		return true
	case "폴더", "폴더를", "폴더에", "폴더로", "폴더도", "폴더에서", "폴더안에", "디렉터리", "디렉토리", "디렉터리를", "디렉토리를", "디렉터리로",
		"디렉토리로", "디렉터리에", "디렉토리에":
		s.folder = true
		s.value = s.value || strings.HasSuffix(w, "로")
		return true
	case "첫째줄", "첫줄", "마지막줄", "첫", "마지막", "첫번째":
		return true
	}
	stem := trimParticle(w)
	if lineUnit(stem) || lineUnit(w) {
		s.lines++
		return true
	}
	switch stem {
	case "오타", "오탈자", "들여쓰기", "인덴트", "주석", "임포트", "세미콜론", "쉼표", "콤마", "괄호", "따옴표", "공백", "빈줄", "포트", "포트번호",
		"버전", "이름", "변수", "변수명", "변수이름", "함수", "함수명", "함수이름", "파일명", "파일이름", "폴더명", "폴더이름", "값", "상수",
		"상수값", "타임아웃", "제목", "색", "색상", "글자", "문자열", "로그", "로그레벨", "콘솔로그", "출력문", "단어", "줄바꿈", "개행", "내용",
		"띄어쓰기", "마침표", "링크", "키", "필드", "필드명", "플래그", "클래스명", "상수명", "확장자", "기본값", "설정값", "브라켓", "따옴표만",
		"디버그", "프린트문":
		s.things++
		s.value = s.value || w != stem && strings.HasSuffix(w, "로")
		s.named = s.named || strings.HasSuffix(stem, "이름") || strings.HasSuffix(stem, "명")
		s.remark = s.remark || stem == "주석"
		return true
	}
	return false
}

// fits decides by the verb.
func (s *editSenseKo) fits(verb verbKo) bool {
	if verb == doVerb {
		if verb = s.action; verb == 0 {
			return s.files+s.lines > 0 && s.documents == 0 && s.things > 0 // 주석 처리해줘
		}
	}
	if s.files == 0 && s.lines == 0 {
		return false
	}
	switch verb {
	case openVerb:
		return s.files > 0 && s.documents == 0 && s.names+s.things <= 1 && s.action == 0
	case fixVerb:
		return s.documents == 0 && (s.things > 0 || s.value && s.names > 0)
	case changeVerb:
		if s.files > 1 || s.named {
			return s.value && (s.named || !s.mixed && s.documents == 0)
		}
		return s.documents == 0 && s.value && s.things+s.names > 0 && !s.object
	case deleteVerb:
		return true
	case addVerb:
		return s.documents == 0 && (s.things > 0 && (s.lines > 0 || !s.remark) || s.files > 1)
	case moveVerb:
		return s.files > 0 && (s.value || s.folder)
	case makeVerb:
		return s.documents == 0 && (s.blank || s.folder && s.names == 0) && s.things == 0
	}
	return false
}

// lineUnit reports what follows the number of a line: 12번째, 12줄, 12행.
func lineUnit(w string) bool {
	switch w {
	case "번째", "번째줄", "번째줄에", "번째줄에서", "번", "번줄", "줄", "줄에", "줄에서", "줄을", "줄만", "줄의", "행", "행에", "행을", "행의",
		"라인", "라인에", "라인에서", "라인을", "라인만", "번라인", "번째라인", "번째행", "줄까지", "줄부터", "번째줄의", "째줄", "줄짜리":
		return true
	}
	return false
}

// trimParticle takes one particle off a noun.
func trimParticle(w string) string {
	for _, p := range [...]string{"에서는", "에서", "으로", "이랑", "까지", "부터", "에는", "만", "은", "는", "이", "가", "을", "를", "에", "로",
		"도", "의", "랑", "와", "과"} {
		if stem, ok := strings.CutSuffix(w, p); ok && stem != "" {
			return stem
		}
	}
	return w
}

// placeParticle reports what may follow a name or path.
func placeParticle(p string) bool {
	switch p {
	case "에서", "에서는", "에", "의", "를", "을", "로", "으로", "은", "는", "이", "가", "랑", "이랑", "와", "과", "만", "도", "까지", "부터",
		"안에", "안에서", "에만", "라고", "이라고", "라는", "이라는", "에는", "밑에", "아래에", "위에", "뒤에", "앞에", "하고", "번":
		return true
	}
	return false
}
