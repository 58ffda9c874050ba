package source

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
)

// rule is a group of affixes that take the same place. Affixes are
// separated by spaces; a leading compatibility consonant is a final that joins
// the syllable before it (ㄴ in 고친).
type rule struct {
	from  []table.State
	to    table.State
	cost  uint8
	when  table.Condition
	forms string
}

type states = []table.State

// named is everything a particle may follow.
var (
	noun    = states{table.AfterNoun, table.AfterOne, table.AfterLong, table.AfterShort, table.Nominal, table.Grammar}
	longer  = states{table.AfterNoun, table.AfterOne, table.AfterLong, table.Nominal, table.Grammar}
	sure    = states{table.AfterNoun, table.AfterOne, table.Nominal, table.Grammar}
	known   = states{table.AfterNoun}
	base    = states{table.AfterBase}
	vowel   = states{table.AfterVowel}
	inf     = states{table.AfterInf}
	unknown = states{table.AfterShort, table.AfterLong}
)

// grammar lists the particles, suffixes and endings of Korean as they follow
// one another.
var grammar = []rule{
	// Particles.
	{noun, table.Particle, 2, table.IfConsonant, "을 은 이 과 이랑 이라도 이라는 이라고 이라면"},
	{noun, table.Particle, 2, table.IfOpen, "를 는 가 와 랑 라도 라는 라고 라면"},
	{sure, table.Particle, 2, table.IfConsonant, "이나 이나마 이든 이든지 이며 이야말로 이란 아"},
	{sure, table.Particle, 2, table.IfOpen, "나 나마 든 든지 며 야말로 란 야"},
	{unknown, table.Particle, 7, table.IfConsonant, "이나 이든 이든지 이며 이란"},
	{unknown, table.Particle, 9, table.IfOpen, "나 든 든지 며 란"},
	{noun, table.Particle, 2, table.IfConsonant, "으로 으로서 으로써 으로부터 으로는 으로도 으로만"},
	{noun, table.Particle, 2, table.IfOpenOrL, "로 로서 로써 로부터 로는 로도 로만"},
	{noun, table.Particle, 2, table.Always, "에 에서 에게 에게서 께 께서 한테 한테서 더러 보고 " +
		"의 까지 부터 마다 조차 마저 밖에 보다 처럼 같이 만큼 대로 하고 에다 에다가 " +
		"에서의 에의 뿐 치고 커녕 따라 서부터"},
	{longer, table.Particle, 2, table.Always, "도 만"},
	{states{table.AfterShort}, table.Particle, 4, table.Always, "도 만"},
	{states{table.Particle}, table.Particle, 2, table.Always, "도 만 은 는 의 이나 라도 이라도 까지 " +
		"부터 만은 만이 만을 만의 뿐 과 와 이 가 를 을 나마 랑 이랑 하고 처럼 보다 만큼 로 으로 에 에서 에는 에도"},
	{states{table.AfterLone}, table.Particle, 2, table.IfConsonant, "을 은 으로 이랑 이라 이라서 " +
		"이라고 이라는 이란 이나 이라도 이며 이고 이면 입니다"},
	{states{table.AfterLone}, table.Particle, 2, table.IfOpen, "를 는 라 라서 라고 라는 입니다"},
	{states{table.AfterLone}, table.Particle, 2, table.Always, "에 에서 에게 한테 까지 부터 처럼 " +
		"보다 마다 밖에 하고 인데 인지 짜리 별 씩 들 들은 들이 들을"},
	// Suffixes of nouns.
	{states{table.AfterNoun, table.AfterLong, table.AfterShort}, table.AfterNoun, 8, table.Always,
		"들 님 별 용 씨 끼리 측 쯤 째 당 식 형 급 짜리 씩"},
	{known, table.AfterNoun, 8, table.Always, "적 화 성 력 률 율 량 자 사 팀 실 본 안 법 상 내 외 " +
		"간 중 전 후 시 때 분 건 권 층 판 론 학 계 업 점 소 장 품 비 료 물 주 체 군 망 " +
		"창 값 키 선 표 글 툴 봇 도 기 진 단 원 부 과 관 국 청 처 방 쪽 편 감 류 속 " +
		"앞 뒤 옆 밑 위 밖 안쪽 이력 가 지 제 책 명 판 집 터 대 생 인 객 꾼 쟁이 " +
		"러 용도 하나 좀 건 덕분 때문 관련 기반 등 등등 들끼리 만의"},
	{unknown, table.AfterNoun, 8, table.Always, "적"},
	// A noun with a light verb: 배포하다, 배포되다, 배포시키다, 공유받다.
	{noun, table.AfterBase, 2, table.Always, "하 되 시키 당하 받 드리 안하 못하 잘하 해주 해보 " +
		"하여주 시켜주 해드리 같 답 롭 스럽 없 있"},
	{sure, table.AfterBase, 2, table.Always, "나 내 치 이"},
	{unknown, table.AfterBase, 8, table.Always, "나 내 치 이"},
	{noun, table.AfterVowel, 2, table.Always, "하 되 시키 당하 받으 드리 안하 못하 잘하 해주 " +
		"해보 시켜주 해드리 같으 다우 로우 스러우 없으 있으"},
	{sure, table.AfterVowel, 2, table.Always, "나 내 치 이"},
	{unknown, table.AfterVowel, 8, table.Always, "나 내 치 이"},
	{noun, table.AfterInf, 2, table.Always, "해 하여 돼 되어 되 시켜 당해 받아 드려 쳐 안해 " +
		"못해 잘해 없어 있어 같아 스러워 로워 다워"},
	{sure, table.AfterInf, 2, table.Always, "나 내 여 이어"},
	{states{table.Particle, table.Closed, table.Modifier}, table.AfterBase, 3, table.Always, "이"},
	{states{table.Particle, table.Closed}, table.AfterVowel, 3, table.Always, "이"},
	{unknown, table.Closed, 4, table.Always, "입니다 입니까 인데 인지 라서 이라서 이라 라 예요 이에요 에요 이었는데 였는데"},
	{states{table.AfterNoun, table.AfterOne, table.Nominal, table.Grammar, table.Particle}, table.Closed, 3,
		table.Always, "이에요 예요 이예요 에요 이야 야 입니다 입니까 이다 이라서 라서 " +
			"이니까 인데 인지 인가 인가요 이지 이죠 죠 이고요 구요 이고 이면 일까 " +
			"일까요 일때 이거든 요 이요 임 이었는데 였는데 이었어 였어 였던 이었던"},
	{states{table.AfterNoun, table.AfterLong, table.AfterShort}, table.AfterInf, 4, table.Always, "좀해 좀"},

	// Endings on any stem.
	{base, table.Joint, 2, table.Always, "고 게 지 고서 지는 지도 지를 지만 질 진 고는 고도 고만 곤 게끔 게는 게도 도록"},
	{base, table.Modifier, 2, table.Always, "는 던 다는 단 자는 으라는 냐는 는다는 냔"},
	{base, table.Nominal, 2, table.Always, "기 기전 기위해 기위한 기때문"},
	{base, table.Nominal, 2, table.Always, "는지 는가 던지 는거 는것 는데"},
	{base, table.Closed, 2, table.Always, "고요 구요 지만 지요 죠 지마 지말고 지않고 게요 " +
		"는데요 는데도 는데다 는데다가 는지도 는다 는다고 는다면 는구나 는걸 는게 " +
		"는건 느라 느라고 느냐 냐 냐고 네 네요 니 나 나요 나봐 자 자고 자마자 " +
		"자면 다 다가 다고 다면 다니 다니까 다보니 던데 던데요 든 든지 거나 " +
		"거든 거든요 길 긴 기엔 기에 기로 기도 기만 길래 습니다 습니까 " +
		"습니다만 소 더라 더라고 더라고요 더라도 더니 더군 구나 군 군요 " +
		"는군 도록요 려고 되 로 는편 는중 는중에 는중이야 는동안 는대로 는만큼"},
	{base, table.AfterBase, 2, table.Always, "겠 고싶 고있 지않 지못하 지말 게하 게되 게해주 게만들 고계시 기시작하"},
	{base, table.AfterVowel, 2, table.Always, "겠으 고싶으 고있으 지않으 지못하 지마 게하 게되 게해주 게만드 고계시 기시작하"},
	{base, table.AfterInf, 2, table.Always, "겠어 고싶어 고있어 지않아 지못해 지말아 게해 " +
		"게돼 게해줘 게만들어 고계셔 기시작해"},

	// Endings that need a vowel before them.
	{vowel, table.Modifier, 2, table.Always, "ㄴ ㄹ ㄴ다는 려는 라는 ㄹ만한 ㄹ수있는 ㄹ법한 ㄹ"},
	{vowel, table.Nominal, 2, table.Always, "ㅁ ㄴ지 ㄹ지 ㄴ가 ㄹ까 ㄴ거 ㄹ거 ㄴ것 ㄹ것 ㄴ데 ㄴ건 ㄹ건"},
	{vowel, table.Closed, 2, table.Always, "면 면서 면요 면은 며 니 니까 니까요 니깐 러 려 " +
		"려고 려고요 려면 려면은 려는데 려다 려다가 려니 려나 려니까 라 라고 라고요 " +
		"라면 라니 라던데 므로 ㄴ다 ㄴ다고 ㄴ다고요 ㄴ다면 ㄴ다니 ㄴ데요 ㄴ데도 " +
		"ㄴ가요 ㄴ지도 ㄹ지도 ㄹ까요 ㄹ까봐 ㄹ게 ㄹ께 ㄹ게요 ㄹ께요 ㄹ래 " +
		"ㄹ래요 ㄹ거야 ㄹ거예요 ㄹ거에요 ㄹ거임 ㄹ건데 ㄹ겁니다 ㄹ때 " +
		"ㄹ때마다 ㄹ때는 ㄹ수 ㄹ수록 ㄹ듯 ㄹ듯요 ㄹ텐데 ㄹ려고 ㄹ려면 " +
		"ㄹ라고 ㄹ라면 ㄹ뿐 ㄹ만큼 ㄴ채 ㄴ후 ㄴ뒤 ㄴ다음 ㄴ대로 " +
		"ㄴ김에 ㄴ적 ㄹ필요 ㄹ줄 ㄹ예정 ㄴ듯 ㄴ게 ㄹ걸 ㄴ거야 " +
		"ㄴ거지 세요 세여 셔요 세용 십시오 십시요 시오 시죠 " +
		"소서 ㅂ니다 ㅂ니까 ㅂ니다만 ㅂ시다 ㅂ쇼 마 나 되 네 는데 ㅁ으로써 ㅁ으로"},
	{vowel, table.AfterBase, 2, table.Always, "시 ㄹ거같 ㄹ것같 ㄴ거같 ㄴ것같 ㄹ수있 ㄹ수없 려하 ㄹ듯하"},
	{vowel, table.AfterVowel, 2, table.Always, "시 ㄹ거같으 ㄹ것같으 ㄴ거같으 ㄴ것같으 ㄹ수있으 ㄹ수없으 려하 ㄹ듯하"},
	{vowel, table.AfterInf, 2, table.Always, "셔 시어 ㄹ거같아 ㄹ것같아 ㄴ거같아 ㄴ것같아 ㄹ수있어 ㄹ수없어 려해 ㄹ듯해"},

	// 아/어 forms: past tense, connectives, auxiliary verbs.
	{inf, table.AfterBase, 2, table.Always, "ㅆ ㅆ었 주 보 놓 두 버리 내 가 오 있 달라 달 드리 " +
		"나가 대 지 나오 봐주 놔주 놓고있 주시 보시 쌓 치우 줄수있 볼수있 야하 야되 도되"},
	{inf, table.AfterVowel, 2, table.Always, "ㅆ으 주 보 놓으 두 버리 내 가 오 있으 다 드리 " +
		"나가 대 지 나오 봐주 놔주 줄수있으 야하 야되 도되"},
	{inf, table.AfterInf, 2, table.Always, "ㅆ어 줘 주어 봐 보아 놔 놓아 둬 두어 버려 내 가 와 " +
		"있어 달라 드려 나가 대 져 지어 나와 봐줘 놔줘 봐봐 줄수있어 야해 야돼 야되 도돼 도되 주라 줘라"},
	{inf, table.Closed, 1, table.Always, "서 도 야 야지 야죠 야만 야겠다 야겠어 야겠는데 " +
		"야겠네 야할 야하는 야함 야할지 요 라 라고 라는 다 다가 서요 서는 서도 " +
		"서라도 선 달라고 달라는 달래 주삼 주셈 주세용 주실래요 주실 주세여 주세염 야할거 야돼 줌"},
	{inf, table.Closed, 2, table.Always, "ㅆ음 ㅆ슴 ㅆ다 ㅆ어요 ㅆ는데 ㅆ지 ㅆ네"},

	// After connectives, modifiers and nominal forms.
	{states{table.Joint}, table.AfterBase, 2, table.Always, "싶 있 않 말 하 되 못하 만들 계시 나 해주"},
	{states{table.Joint}, table.AfterVowel, 2, table.Always, "싶으 있으 않으 마 하 되 못하 만드 계시 나 해주"},
	{states{table.Joint}, table.AfterInf, 2, table.Always, "싶어 있어 않아 말아 해 돼 되 못해 만들어 계셔 나 해줘"},
	{states{table.Joint}, table.Closed, 2, table.Always, "요 마 말고 말자 파 가 은 는"},
	{states{table.Modifier}, table.Nominal, 3, table.Always, "것 거 건 게 걸 수 때 데 지 줄 적 전 뒤 " +
		"후 채 중 뻔 바 점 김 만큼 대로 동안 경우 상태 이유 방법 곳 분 사람 부분 일 다음 거라 겁니다 거야"},
	{states{table.Nominal, table.Closed}, table.Closed, 2, table.Always, "요 만 도 는 은 고 다 를 을 가 이 에 에서 까지 부터 보다 로 으로"},
	// A particle alone, as after a Latin word that was cut off.
	{states{table.Start}, table.Particle, 20, table.Always, "까지 부터 에서 에게 으로 이라는 라는 " +
		"이라고 라고 처럼 보다 마다 이랑 에는 에도 에서는 에서도 으로는 으로도 " +
		"까지만 한테 이나 이란 이며 입니다 인데 이고 이면 이라면 라면 인지 인가 " +
		"이야 예요 이에요 하고 이라도 라도 이든 밖에 조차 의 를 을 은 는 이 가 와 과 도 만 로 에 용 별"},
	// Prefixes of nouns.
	{states{table.Start}, table.Prefix, 9, table.Always, "재 신 미 비 고 저 총 각 전 본 대 소 무 역 " +
		"반 초 최 부 주 타 매 맨 온 준 다 풀 새 헌 첫 단 양 각종 해당 모든"},
}

// affixes are the forms of the grammar as trie keys.
func affixes() map[string][]uint32 {
	out := map[string][]uint32{}
	for _, r := range grammar {
		for _, form := range strings.Fields(r.forms) {
			key := affixKey(form)
			v := table.Affix{From: table.Set(r.from...), To: r.to, Cost: r.cost, When: r.when}.Pack()
			out[key] = append(out[key], v)
		}
	}
	return out
}

// affixKey is the letters of an affix; a leading lone consonant is a final.
func affixKey(form string) string {
	finals := map[rune]string{'ㄴ': "안", 'ㄹ': "알", 'ㅁ': "암", 'ㅂ': "압", 'ㅆ': "았"}
	first, n := rune(0), 0
	for i, r := range form {
		if i == 0 {
			first = r
		} else if n == 0 {
			n = i
		}
	}
	syllable, ok := finals[first]
	if !ok {
		return string(hangul.Codes(nil, form))
	}
	if n == 0 {
		n = len(form)
	}
	return string([]byte{last(syllable)}) + string(hangul.Codes(nil, form[n:]))
}
