package triage

import "strings"

// craft is a kind of work that usually has a skill of its own. Two clauses that
// name different crafts are two steps.
type craft uint8

const (
	noCraft   craft = iota
	lightWork       // work of no kind: make, show, 만들다
	analyse
	audit
	benchmark
	build
	capture
	commit
	compare
	convert
	debug
	deliver // hand the result over: post, upload, mail
	deploy
	design
	document
	download
	explain
	implement
	migrate
	optimise
	plan
	plot
	present
	refactor
	research
	review
	schedule
	summarise
	test
	track
	train
	transcribe
	translate
	write
)

// standsAlone reports the crafts whose name alone is a request: 요약하고
// 번역해줘 is two, 고치고 정리해줘 is one.
func (c craft) standsAlone() bool {
	switch c {
	case audit, commit, deploy, document, implement, migrate, plan, present, refactor, research, review, summarise, test, train, transcribe, translate, write:
		return true
	}
	return false
}

// craftEn returns the craft of an English verb in base form.
func craftEn(v string) craft {
	switch v {
	case "analyze", "analyse", "evaluate", "estimate", "forecast", "simulate", "score", "model", "explain", "interpret", "segment", "classify",
		"cluster":
		return analyse
	case "audit", "scan", "lint", "harden", "pentest", "validate", "verify":
		return audit
	case "benchmark", "profile", "backtest", "measure":
		return benchmark
	case "build", "scaffold", "generate", "produce", "render", "assemble", "compile", "bundle", "create", "spin":
		return build
	case "capture", "record", "screenshot", "pull", "extract", "scrape", "crawl", "collect", "gather", "fetch", "mine":
		return capture
	case "commit", "push", "merge", "tag", "rebase", "squash", "cherry-pick":
		return commit
	case "compare", "diff", "reconcile":
		return compare
	case "convert", "resize", "shrink", "compress", "transform", "reformat", "burn", "export", "crop", "trim", "split":
		return convert
	case "fix", "reproduce", "debug", "diagnose", "investigate", "troubleshoot", "patch", "repair":
		return debug
	case "post", "upload", "mail", "email", "send", "share", "publish", "announce", "submit", "file", "notify", "sync", "import", "put":
		return deliver
	case "deploy", "release", "launch", "ship", "roll", "install", "provision", "configure", "promote":
		return deploy
	case "design", "sketch", "wireframe", "mock", "prototype", "redesign", "draw", "architect":
		return design
	case "document", "annotate":
		return document
	case "download", "clone":
		return download
	case "implement", "code", "wire", "integrate":
		return implement
	case "migrate", "port", "upgrade":
		return migrate
	case "optimize", "optimise", "tune", "speed":
		return optimise
	case "plan", "scope", "prioritize", "prioritise", "brainstorm", "decompose", "triage":
		return plan
	case "plot", "chart", "graph", "visualize", "visualise", "map":
		return plot
	case "present":
		return present
	case "refactor", "simplify", "modernize", "deduplicate":
		return refactor
	case "research", "search", "survey", "prove":
		return research
	case "review", "critique", "proofread", "edit", "polish":
		return review
	case "schedule", "book", "remind":
		return schedule
	case "summarize", "summarise", "condense", "distill", "recap":
		return summarise
	case "test", "load-test", "smoke-test", "mutation-test":
		return test
	case "monitor", "track", "watch", "alert":
		return track
	case "train", "fine-tune", "finetune", "distil", "label":
		return train
	case "transcribe", "dub", "subtitle", "caption":
		return transcribe
	case "translate", "localize", "localise":
		return translate
	case "write", "draft", "rewrite", "compose":
		return write
	case "make", "do", "show", "tell", "give", "let", "check", "find", "get", "add", "answer", "report", "run", "open", "keep", "set", "list",
		"name", "come", "prepare", "update", "use", "try", "start", "turn", "take", "highlight", "flag", "mark", "sort", "clean", "remove", "delete",
		"move", "save", "store", "read", "load", "look", "ask", "guard", "append", "mention", "include", "explore", "figure", "pick", "choose",
		"decide", "rank", "group", "bucket", "hand":
		return lightWork
	}
	return noCraft
}

// craftKo returns the craft that a Korean word names by the noun it holds.
func craftKo(w string) craft {
	for i := 0; i < len(w); {
		if w[i] < 0xE0 {
			i++
			continue
		}
		// Every noun below starts a word or follows another noun in it.
		for n := 12; n >= 6; n -= 3 {
			if i+n <= len(w) {
				if c := craftNoun(w[i : i+n]); c != noCraft {
					return c
				}
			}
		}
		i += 3
	}
	if strings.HasPrefix(w, "보내") || strings.HasPrefix(w, "올려") || strings.HasPrefix(w, "올리") {
		return deliver
	}
	return noCraft
}

func craftNoun(w string) craft {
	switch w {
	case "분석", "평가", "예측", "진단", "검정":
		return analyse
	case "감사", "점검", "스캔", "검증", "검사":
		return audit
	case "벤치마크", "백테스트", "측정", "프로파일":
		return benchmark
	case "생성", "빌드", "렌더링", "제작":
		return build
	case "수집", "크롤링", "스크랩", "추출", "긁어":
		return capture
	case "커밋", "푸시", "머지":
		return commit
	case "비교", "대조":
		return compare
	case "변환", "압축", "리사이즈":
		return convert
	case "디버깅", "디버그", "고치", "고쳐", "수정":
		return debug
	case "공유", "발송", "게시", "전송", "업로드", "공지", "등록":
		return deliver
	case "배포", "디플로이", "릴리즈", "설치":
		return deploy
	case "설계", "디자인", "목업", "와이어":
		return design
	case "문서화":
		return document
	case "내려받", "다운로드":
		return download
	case "구현", "개발", "코딩", "연동":
		return implement
	case "이관", "마이그레", "이전하":
		return migrate
	case "최적화", "튜닝":
		return optimise
	case "기획", "계획", "로드맵":
		return plan
	case "시각화", "차트", "그래프", "대시보드":
		return plot
	case "발표자료", "슬라이드":
		return present
	case "리팩토링", "리팩터링":
		return refactor
	case "조사", "리서치", "검색":
		return research
	case "리뷰", "검토", "교정", "첨삭", "비평":
		return review
	case "예약", "스케줄":
		return schedule
	case "요약":
		return summarise
	case "테스트":
		return test
	case "모니터링", "추적":
		return track
	case "학습", "파인튜닝", "튜토리얼":
		return train
	case "받아적", "전사", "자막", "더빙":
		return transcribe
	case "번역", "현지화":
		return translate
	case "작성", "초안", "집필", "써줘", "써주":
		return write
	}
	return noCraft
}
