package secret

import (
	"strings"
	"testing"
)

func TestSaid(t *testing.T) {
	const password, key = "Vx7!qLm29", "zk29f8Qm4LpX7tRw"
	for _, text := range []string{
		"the password for the box is %p", "my password's %p, try it", "use %p as the password", "set the password to %p",
		"password changed to %p yesterday", "creds: bob / %p", "credentials are bob:%p", "sign in as bob with %p",
		"our api key (%k) expired", "token -> %k", "use the token %k to call it", "api key %k does not work",
		"pw는 %p 야", "%p 가 비밀번호야", "bob / %p 로 로그인해줘", "비밀번호 -> %p", "비밀번호(%p)로 접속", "API 키는 %k 이야", "시크릿키 %k 로 설정해줘",
		"口令是 %p", "把密码改成 %p", "%p 是密码", "数据库密码用 %p",
		"パスワードを %p に変更して", "暗証番号は%pです", "%p がパスワードです", "パスワードが%pで通らない",
		"la contraseña es %p", "usa la clave %p para entrar", "usuario bob y contraseña %p",
		"ALTER USER bob WITH PASSWORD '%p'", "IDENTIFIED BY '%p'", "requirepass %p", "htpasswd -b f bob %p",
	} {
		text = strings.NewReplacer("%p", password, "%k", key).Replace(text)
		if got := Redact(text); strings.Contains(got, password[4:]) || strings.Contains(got, key[8:]) || !strings.Contains(got, "[redacted:secret]") {
			t.Errorf("Redact(%q) = %q, want the secret gone and nothing else", text, got)
		}
	}
	for _, text := range []string{
		"the password check in auth2.go fails on line 12", "use OAuth2Client for the token",
		"token count 4096 of gpt-4o-2024-05-13", "hash the password with sha256 or argon2id",
		"commit 3f2a9c1 changes the login", "비밀번호 정책은 8자 이상, 1회 변경", "log in to server2 at 10.0.0.12:8080", "the key is user_id2", "password reset for v1.2.3",
		"Vx7!qLm29 is a part number.\nThe password is elsewhere", "la clave está en el archivo config2.yaml",
	} {
		if got := Redact(text); got != text {
			t.Errorf("Redact(%q) = %q, want it as it is", text, got)
		}
	}
}
