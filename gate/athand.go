package gate

// atHand reports whether an index term belongs to work on the code at hand: the
// small edits, look-ups and runs that every coding agent does without a skill.
// It takes stems and Korean headwords.
func atHand(term string) bool {
	switch term {
	// what is done
	case "fix", "renam", "remov", "delet", "add", "chang", "replac", "move", "swap", "bump", "revert", "undo", "comment", "uncomment", "print", "log",
		"run", "rerun", "restart", "kill", "instal", "compil", "build", "import", "export", "return", "throw", "catch", "pars", "cast", "inlin", "extract",
		"debug", "rebas", "commit", "push", "pull", "merg", "checkout", "stash", "cherri", "squash", "conflict", "diff", "grep", "curl", "cat", "ls", "cd",
		"reset", "unwrap", "hardcod", "misalign",
		"explain", "mean", "happen", "fail", "crash", "hang", "break", "broken", "work", "typo":
		return true
	// what it is done to
	case "function", "func", "method", "class", "variabl", "var", "const", "constant", "param", "paramet", "argument", "arg", "line", "file", "folder",
		"directori", "path", "modul", "packag", "struct", "enum", "interfac", "type", "field", "properti", "prop", "key", "valu", "string", "int", "bool",
		"null", "nil", "undefin", "array", "slice", "map", "dict", "list", "loop", "condit", "branch", "endpoint", "route", "handler", "hook", "callback",
		"promis", "async", "await", "error", "except", "warn", "stack", "trace", "traceback", "panic", "segfault", "exit", "port", "env", "config", "flag",
		"button", "div", "css", "margin", "pad", "color", "column", "row", "index", "regex", "semicolon", "bracket", "indent", "lint", "linter", "eslint",
		"prettier", "test", "mock", "assert", "script", "makefil", "dockerfil", "gitignor", "readm", "console", "termin", "command", "output", "version", "depend",
		"modal", "checkbox", "dropdown", "tooltip", "navbar", "footer", "spinner", "placehold", "font", "mutex", "pointer", "tupl",
		"boolean", "integ", "getter", "setter", "constructor", "lambda", "regexp", "ternari", "docstr":
		return true
	case "고치다", "바꾸다", "지우다", "빼다", "넣다", "추가", "삭제", "제거", "변경", "수정", "옮기다", "이동", "되돌리다", "돌리다", "실행", "설치", "빌드", "컴파일",
		"재시작", "끄다", "켜다", "찍다", "커밋", "푸시", "풀", "머지", "병합", "리베이스", "스태시", "체크아웃", "충돌", "터지다", "깨지다", "안되다", "초기화", "닫다", "감싸다", "나다", "뜨다", "뭐", "왜", "뜻", "설명", "의미":
		return true
	case "함수", "메서드", "클래스", "변수", "상수", "인자", "매개변수", "파라미터", "줄", "라인", "파일", "폴더", "디렉터리", "경로", "모듈", "패키지", "타입", "필드", "속성", "키", "값",
		"문자열", "배열", "리스트", "루프", "반복문", "조건문", "브랜치", "엔드포인트", "핸들러", "콜백", "에러", "오류", "예외", "경고", "스택", "로그", "포트", "환경변수", "설정", "플래그",
		"버튼", "여백", "색", "색상", "컬럼", "행", "인덱스", "정규식", "세미콜론", "괄호", "들여쓰기", "린트", "테스트", "스크립트", "콘솔", "터미널", "명령어", "출력", "버전", "의존성", "주석", "오타", "이름",
		"변수명", "함수명", "메서드명", "파일명", "테스트코드", "모달", "체크박스", "드롭다운", "툴팁", "스피너", "헤더", "푸터", "글꼴", "패딩", "마진", "로딩", "포인터",
		"생성자", "리턴", "널", "반환", "인스턴스", "싱글톤", "하드코딩", "인터페이스", "구조체",
		"이넘", "라우트", "프로미스", "비동기":
		return true
	}
	return false
}
