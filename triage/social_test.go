package triage

import "testing"

func TestConversation(t *testing.T) {
	checkKinds(t, []kindGroup{
		{"Korean greetings", Greeting, []string{
			"안녕하세요 클로드님", "안녕 오늘도 잘 부탁해", "안녕~ 오늘도 잘해보자", "하이 ㅎㅎ", "ㅎㅇ요", "ㅎㅇ 클로드", "헬로우~~",
			"안뇽안뇽", "안녕하세용~", "방가방가", "처음 뵙겠습니다", "오랜만이네 잘 지냈어?", "굿모닝 클로드!",
			"좋은 오후에요~", "잘 잤니?", "나 왔어~", "출근했습니다", "듣고 있어?", "여보세요?", "클로드야 안녕?", "클로드", "하잉",
		}},
		{"Korean farewells", Greeting, []string{
			"잘자", "내일 또 봐", "이만 퇴근합니다 수고하세요", "오늘은 여기까지 하자", "수고했어 내일 보자", "안녕히 계세요",
			"주말 잘 보내", "즐거운 주말 보내세요", "빠이", "ㅂㅂ", "ㅂㅇㅂㅇ", "밥 먹고 올게",
		}},
		{"English greetings and farewells", Greeting, []string{
			"hi claude", "hello!", "helloooo", "hey claude :)", "hey there, how's it going?", "good evening", "gm", "gn", "yo whats up",
			"sup dude", "are you there?", "you up?", "hello? anyone there?", "nice to meet you", "bye", "goodbye!",
			"see you tomorrow", "see ya", "ttyl", "good night", "have a great weekend!", "ok bye", "hi, how are you?",
			"hey, quick question", "hola", "claude?",
		}},
		{"Korean small talk", Greeting, []string{
			"와 눈 온다", "컨디션 어때?", "드디어 금요일이다", "월요일이네 ㅠㅠ",
			"점심 먹고 왔어요", "잘 쉬었어?", "맛점하세요", "이봐요", "야야", "넌 누구야?", "네 이름이 뭐야?", "생일 축하해", "담에 봐요",
			"칼퇴합니다", "안녕하세요오오", "즐거운 연휴 보내세요",
		}},
		{"English small talk", Greeting, []string{
			"tgif", "happy monday", "merry xmas!", "hope you're well", "how was your weekend?", "what's your name?", "are you a bot?",
			"back from lunch", "lovely weather today", "take it easy", "talk to you tomorrow",
		}},
		{"greetings and farewells in other languages", Greeting, []string{
			"おはよう", "こんにちは！", "你好", "晚安", "привет", "مرحبا", "guten Tag", "buenas noches", "Boa tarde!", "au revoir",
			"buongiorno", "nihao",
		}},
		{"answers and thanks in other languages", Ack, []string{
			"はい", "了解です", "ありがとうございます。", "谢谢", "好的，继续", "да, хорошо", "спасибо большое", "vielen Dank", "danke schön",
			"muchas gracias", "merci beaucoup!", "d'accord", "va bene", "por favor", "xie xie",
		}},
		{"Korean yes", Ack, []string{
			"네!", "네~", "네ㅎㅎ", "넵ㅋㅋ", "넵넵", "예 맞습니다", "응응", "응 맞아", "ㅇㅇ", "ㅇㅋ", "ㅇㅋㄷㅋ", "ㅇㅈ", "ㄱㄱ",
			"ㄱㄱㄱ", "ㄱ", "오케이 좋아", "오케 ㄱㄱ", "아 오케이", "그래", "그래 그렇게 해", "그러자", "그럽시다", "맞아요", "물론이죠",
			"당연하지", "콜!", "인정", "동의합니다", "승인할게", "알겠습니다", "알았어 그럼 진행해", "이해했어", "확인했어요 진행해주세요",
			"맞는 방향인 것 같습니다 네", "그게 맞는 듯해요", "완벽한 것 같습니다",
			"아 그렇구나", "어 그래", "그럴 수도 있겠네요", "맞는 것 같은데", "글쎄요", "네에에",
		}},
		{"Korean go-aheads", Ack, []string{
			"진행해", "진행 부탁드려요~", "진행하시죠", "진행시켜", "바로 진행해줘", "그대로 가자", "그걸로 해줘", "이걸로 하자",
			"그렇게 하면 될 것 같아요", "네 그렇게 진행 부탁드립니다", "좋아요 계속해주세요", "좋네요 다음 단계로 넘어가죠", "다음",
			"다음 거 해줘", "다음꺼 ㄱㄱ", "계속 ㄱㄱ", "쭉 진행해", "하던 거 마저 해줘", "하던 작업 계속해줘", "멈춘 데부터 다시",
			"나머지도 진행해줘", "전부 다 해줘", "둘다 진행", "말한 대로 해줘", "계획대로 진행해줘", "알아서 잘 해줘",
			"네가 알아서 결정해줘", "맡길게", "시작하자", "적용해줘", "반영해줘", "응 실행해", "구현 시작해줘", "해줘", "일단 해봐",
			"물어보지 말고 진행해", "네좋아요진행해주세요", "응그렇게해줘", "굿굿진행",
		}},
		{"Korean choices", Ack, []string{
			"1번", "1번이요", "2번이 좋겠어요", "2번 3번 둘 다", "첫 번째 방법으로 진행해줘", "두 번째 옵션으로", "A안으로 가자",
			"B로 해줘", "옵션 A로", "후자로", "전자가 낫겠다", "위에 거로 해줘", "추천하는 걸로 해줘", "둘 중 아무거나", "세번째꺼",
			"3단계로 넘어가자", "그거 말고 두 번째", "option A로",
		}},
		{"Korean thanks and praise", Ack, []string{
			"정말 고마워", "진짜 고맙다 ㅋㅋ", "고맙습니다 덕분에 해결됐어요", "감사", "감사감사", "감사합니당", "감사해요 ㅎㅎ",
			"감사드립니다!", "ㄱㅅ", "ㄳ", "땡큐땡큐", "수고", "고생 많으셨습니다", "도움 많이 됐어요", "완벽합니다!", "너무 좋아요",
			"진짜 최고다", "대박이다", "오 좋은데", "괜찮은 것 같아요", "마음에 들어", "이제 되네", "드디어 됐다", "잘 작동하네요",
			"해결됐습니다 감사해요", "고마워어어", "애쓰셨어요", "많은 도움이 됐어요", "도움이 많이 되었습니다", "끝내준다", "이게 더 낫네", "굿입니다", "굿잡", "나이스", "와 쩐다", "ㅋㅋㅋㅋㅋ", "ㅠㅠ", "넵감사합니다", "오키고마워",
		}},
		{"Korean no and stop", Ack, []string{
			"아니야", "아니요", "아뇨", "아니 그거 말고", "하지 마세요", "그만해", "멈춰", "잠깐만", "잠깐 멈춰봐", "스톱", "취소해줘",
			"그거 취소해줘", "되돌려줘", "방금 한 거 되돌려줘", "원래대로 해줘", "다시 한번 해줘", "처음부터 다시", "필요없어요",
			"안 해도 돼", "상관없어", "나중에 하자", "아직 아니야", "ㄴㄴ", "그건 넘어가자", "그냥 놔둬", "미안 실수",
		}},
		{"English yes", Ack, []string{
			"k", "okkkk", "ok cool", "okie dokie", "alright, let's go", "sure thing", "yes please", "yes do it", "yes, do that",
			"yes that's right", "yes to both", "yepp", "yup that works", "yeah let's do it", "yess!!", "ya", "i agree", "agreed",
			"approved", "that's correct", "exactly!", "exactly what i wanted", "makes sense", "got it", "gotcha", "understood", "ah i see",
			"noted", "fair enough", "of course", "absolutely", "+1", "hmm ok", "hell yeah", "i think so", "i guess so",
			"if you say so", "righto", "cool beans", "allow it", "let me think about it",
		}},
		{"English go-aheads", Ack, []string{
			"go ahead", "go ahead and do it", "go for it", "gogogo", "do it please", "please do", "proceed with the plan",
			"proceed as planned", "proceeed", "continue where we left off", "continue with the rest", "cont", "carry on",
			"keep going please", "move on to the next one", "let's move on to the next step", "next one", "on to the next", "let's do it",
			"run it again", "start now", "let's begin", "start over", "apply the changes", "yes implement it", "ship it", "lgtm ship it",
			"go with your recommendation", "i trust you", "finish the remaining steps", "do everything", "can you continue please",
			"you may proceed", "please resume", "ok, resume where you left off",
			"stop what you are doing", "feel free to continue", "try again please", "one more time", "fire away",
		}},
		{"English choices", Ack, []string{
			"option 1", "option a", "option 2 please", "go with option 3", "the first one", "the second one please",
			"let's go with option B", "i prefer the second one", "2", "1 and 3", "both please", "all of the above", "either works",
			"the latter", "number 2", "#2", "B", "your call", "you decide", "whatever you think is best", "as you suggested",
			"step 2 please", "2 it is",
		}},
		{"English thanks and praise", Ack, []string{
			"thanks!", "thank you so much", "thx a lot", "tysm!!", "thanks a bunch, works perfectly", "much appreciated",
			"i appreciate it", "cheers mate", "thanks claude, you're the best", "thanks for your help", "thanks for fixing it",
			"perfect thanks", "great job", "awesome, thanks!", "niceee", "cool cool", "love it", "wow that's great", "well done",
			"good catch", "looks good, go ahead", "sounds like a plan", "works now", "it works!", "that did it",
			"problem solved", "much better", "lol", "lmao", "hahaha nice", "xD", ":D", "10/10", "that's all good",
		}},
		{"English no and stop", Ack, []string{
			"nope", "nah", "no thanks", "no, not that one", "not yet", "stop it", "hold on", "wait a sec", "cancel that", "forget it",
			"undo it", "roll it back", "don't do that", "please don't", "never mind", "leave it as is", "skip this one", "that's enough",
			"no, the second one", "sorry, my mistake", "revert your last change", "undo those edits", "discard everything", "roll back the changes",
			"that's not what i meant", "that's not right", "just a sec", "give me a minute", "scratch that", "reject all", "forget what i said", "none",
		}},
		{"both languages", Ack, []string{
			"ok 진행해주세요", "ok진행해줘", "lgtm 진행 ㄱㄱ", "thanks 고마워", "네 go ahead", "굿 thanks", "okay 계속해줘",
			"option 2로 진행", "👍 go", "ok 👍",
		}},
	})
}

func TestWorkIsNoConversation(t *testing.T) {
	checkKinds(t, []kindGroup{
		{"judgements as part of a request", Search, []string{
			"좋은 회사 이름 추천", "괜찮은 맛집", "맞는 색 조합 골라줘", "완벽한 자기소개서", "완벽한 것 하나 추천", "나은 점 보고서로", "최고의 카피", "시도별 인구 통계",
		}},
		{"remarks that may want something", Search, []string{
			"오늘 날씨 좋아?", "내일 추워?", "오늘 비 와?", "배고파", "심심해", "아 피곤해", "일하기 싫다", "i'm bored", "i'm hungry", "이거 이름이 뭐야?", "날씨",
			"what's the weather", "롤백", "rollback", "재시작해", "저장해", "speed it up", "다음은 뭐야?",
		}},
		{"words that small talk is made of", Search, []string{
			"생일 카드", "명절 인사 문자 써줘", "필요한 거 조사해줘", "원하는 것 목록으로", "말한 거 요약해줘", "어이없는 버그 분석해줘", "야구 일정",
			"노션", "노트 정리", "아마존 가격 조사", "happy birthday card", "happy friday email", "peace treaty", "word", "deal", "pause the campaign",
			"revert the deployment", "discard the draft", "reject the proposal", "allow list", "nice weather app", "danke email", "none of the tests run",
		}},
		{"one word may be a whole request", Search, []string{
			"코드 리뷰", "리뷰", "번역", "테스트", "로고", "대시보드", "회의록", "pdf", "audit", "translate", "dashboard", "css", "rss",
			"gpt", "prefect", "nps",
		}},
		{"verbs of work with nothing else", Search, []string{
			"배포해", "커밋해줘", "요약해줘", "확인해줘", "번역 부탁드려요", "검토 부탁드립니다", "정리 ㄱㄱ", "배포 ㄱㄱ", "commit",
			"push it", "merge it", "review it", "deploy it", "fix this", "explain that", "plan it please",
		}},
		{"audit is spelled like thanks", Search, []string{
			"보안 감사", "감사 진행해줘", "감사해줘", "감사 부탁드립니다", "내부 감사 진행 부탁드립니다", "감사 보고서",
		}},
		{"words that contain list words", Search, []string{
			"비용", "안내문", "안과 예약", "쪽지", "중개", "이사 준비", "예시 만들어줘", "다이어그램", "보장", "보고 부탁해",
			"하이라이트 영상", "하이쿠 써줘", "응답 속도 개선", "콜 센터 스크립트", "go module", "stop loss", "second brain", "next auth",
			"deal memo", "in word please", "better copy please", "todo.md",
		}},
		{"conversation that carries work", Search, []string{
			"1번 이슈 처리해줘", "첫번째 거 번역해줘", "둘 다 번역해줘", "나머지 테스트도 작성해줘", "좋아 배포해", "고마워 번역도 해줘",
			"오케이 커밋하고 푸시해줘", "great, now write tests", "sure - summarize it", "ok commit and push", "yes, deploy to staging",
			"thank you note for my boss", "good resume please", "my resume", "a resume", "good morning newsletter",
			"i want an ai bot", "get me better copy", "it is not working",
			"왜 안 돼?", "why?", "what should i do next",
		}},
		{"other scripts", Search, []string{
			"お疲れ様です、資料を作ってください", "请帮我写一份报告", "сделай отчёт", "ありがとうカード", "おはようメッセージを作って", "好看的海报",
			"你好，帮我写报告", "привет, сделай презентацию", "早报", "旅行の計画を立てて", "por favor traduce esto", "de acuerdo, escribe el informe",
		}},
	})
}

func TestOpeningBeforeWorkNeverSwallowsIt(t *testing.T) {
	openings := []string{"안녕하세요 클로드", "네 좋아요", "ㅇㅋ", "고마워요", "수고했어 ㅋㅋ", "2번으로 갈게요", "그대로 부탁해", "hi claude", "ok",
		"thanks", "looks good to me", "yes go ahead", "no, option 2", "lol"}
	joints := []string{" ", ", ", ". ", "! ", "~ ", "\n", " - ", " 그리고 ", " then "}
	works := []string{"세금계산서 양식 만들어줘", "로그인 화면 접근성 점검해줘", "draft an onboarding checklist", "migrate the cron jobs to airflow"}
	for _, o := range openings {
		for _, j := range joints {
			for _, w := range works {
				p := o + j + w
				if got := Classify(p); got.Kind != Search || len(got.Text) < len(w) || got.Text[len(got.Text)-len(w):] != w {
					t.Errorf("Classify(%q) = %s %q, want search and a text that ends in %q", p, got.Kind, got.Text, w)
				}
			}
		}
	}
}
