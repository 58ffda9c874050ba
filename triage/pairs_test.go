package triage

import "testing"

// What is no work alone, and the same with a piece of work beside it. A list that grows by a
// word that carries work fails here.
func TestPairsWithAndWithoutWork(t *testing.T) {
	pairs := []struct {
		alone string
		kind  Kind
		work  string
	}{
		{"hi", Greeting, "hi, resize the banner for mobile"},
		{"hello there", Greeting, "hello there, which ports does the proxy open"},
		{"good morning!", Greeting, "good morning! prepare the slides for the board"},
		{"good evening everyone", Greeting, "good evening everyone, translate the menu"},
		{"hey hey", Greeting, "hey hey look up the train to Busan"},
		{"bye", Greeting, "before I say bye, archive the project"},
		{"see you tomorrow", Greeting, "remind me tomorrow to file the taxes"},
		{"안녕", Greeting, "안녕, 회의록 정리해줘"},
		{"안녕하세요!", Greeting, "안녕하세요! 배너 크기를 모바일에 맞춰 주세요"},
		{"좋은 아침입니다", Greeting, "좋은 아침입니다 이사회 발표 자료 만들어 주세요"},
		{"반가워요", Greeting, "반가워요 메뉴판을 영어로 번역해줘요"},
		{"잘 자", Greeting, "잘 자라는 인사 카드를 디자인해줘"},
		{"こんにちは", Greeting, "こんにちは、議事録をまとめてください"},
		{"おはようございます", Greeting, "おはようございます、メニューを翻訳してください"},
		{"thanks", Ack, "thanks, now write the release notes"},
		{"thank you so much!", Ack, "thank you so much! next, chart the sales by region"},
		{"perfect", Ack, "make the login screen pixel perfect"},
		{"great job", Ack, "write a great job advertisement for a nurse"},
		{"ok", Ack, "ok, deploy the staging cluster with terraform"},
		{"okay go ahead", Ack, "okay go ahead and benchmark the parser"},
		{"yes please", Ack, "yes please convert the recording to text"},
		{"no", Ack, "no, use the quarterly figures of the other sheet"},
		{"stop", Ack, "stop the container that leaks memory"},
		{"never mind", Ack, "never mind the logo, vectorise the sketch instead"},
		{"looks good", Ack, "check whether the invoice looks good in print"},
		{"sounds good, continue", Ack, "continue the migration with the billing tables"},
		{"got it", Ack, "got it, then audit the permissions of the bucket"},
		{"lol", Ack, "explain what lol means in the game's chat log"},
		{"sure", Ack, "sure, draft the contract for the freelancer"},
		{"nope", Ack, "nope, it must export to parquet"},
		{"고마워", Ack, "고마워, 이제 릴리스 노트 써줘"},
		{"감사합니다!", Ack, "감사합니다! 지역별 매출 그래프도 그려 주세요"},
		{"네", Ack, "네, 계약서 초안 작성해 주세요"},
		{"응 그렇게 해", Ack, "응 그렇게 하고 클러스터 비용을 분석해줘"},
		{"ㅇㅇ", Ack, "ㅇㅇ 그럼 녹음 파일을 텍스트로 바꿔줘"},
		{"ㅇㅋ ㄱㄱ", Ack, "ㅇㅋ 스테이징 배포 스크립트 작성 ㄱㄱ"},
		{"좋아요", Ack, "좋아요 수가 많은 게시물을 표로 뽑아줘"},
		{"아니", Ack, "아니 파케이 형식으로 내보내야 해"},
		{"그만", Ack, "메모리가 새는 컨테이너를 그만 재시작하게 고쳐줘"},
		{"완벽해", Ack, "완벽한 자기소개서를 써줘"},
		{"ㅋㅋㅋ", Ack, "ㅋㅋㅋ 그 짤을 벡터로 바꿔줘"},
		{"수고했어", Ack, "수고했어 이번엔 버킷 권한을 감사해줘"},
		{"ありがとう", Ack, "ありがとう、次は売上のグラフを描いて"},
		{"はい", Ack, "はい、契約書の下書きを作ってください"},
		{"お願いします", Ack, "録音の文字起こしをお願いします"},
		{"/compact", Command, "compact the database files of the archive"},
		{"/model opus", Command, "compare the model opus with the model sonnet in a table"},
		{"!ls -la", Command, "ls prints too much, write a tool that groups files by age"},
		{"git push upstream v2", Command, "write a hook that refuses git push to main"},
		{"npm run build", Command, "speed up npm run build by caching the assets"},
		{"cd src && make", Command, "rewrite the make rules of src for cross compilation"},
		{"docker ps", Command, "docker ps shows a restart loop, diagnose the container"},
		{"cat package.json", Command, "turn package.json into a software bill of materials"},
	}
	for _, p := range pairs {
		t.Run(p.alone, func(t *testing.T) {
			if got := Classify(p.alone); got.Kind != p.kind {
				t.Errorf("Classify(%q).Kind = %s, want %s", p.alone, got.Kind, p.kind)
			}
			got := Classify(p.work)
			if got.Kind != Search || got.Text == "" {
				t.Errorf("Classify(%q) = %s %q, want it searched", p.work, got.Kind, got.Text)
			}
		})
	}
}

// The greeting, the thanks or the answer before the work is not searched.
func TestOpeningsAreCutOff(t *testing.T) {
	for _, tt := range []struct{ prompt, want string }{
		{"hi, resize the banner for mobile", "resize the banner for mobile"},
		{"thanks! now write the release notes", "now write the release notes"},
		{"good morning, prepare the slides for the board", "prepare the slides for the board"},
		{"안녕, 회의록 정리해줘", "회의록 정리해줘"},
		{"고마워! 이제 릴리스 노트 써줘", "이제 릴리스 노트 써줘"},
		{"네, 계약서 초안 작성해 주세요", "계약서 초안 작성해 주세요"},
		{"resize the banner for mobile, thanks", "resize the banner for mobile"},
		{"resize the banner for mobile", "resize the banner for mobile"},
	} {
		if got := Classify(tt.prompt); got.Kind != Search || got.Text != tt.want {
			t.Errorf("Classify(%q) = %s %q, want %q", tt.prompt, got.Kind, got.Text, tt.want)
		}
	}
}
