package secret

import (
	"strings"
	"testing"
)

// Values are made up; Keys are put together, so that scanners of secrets do not stop at this file.
const (
	pw      = "kV7pQz2LmX"
	machine = "kV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPq" // 32
	hex32   = "4f8a1c7e2b9d6053f8e7a1b4c2d9e6f0"
	b64     = "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu"
)

// found are texts with "‹secret›" in marks: whatever is between them must be gone.
var found = []struct{ name, text string }{
	// names and their values
	{"DB_PASS", "DB_PASS=‹" + pw + "›"},
	{"DB_PASS that is a word", "export DB_PASS=‹sunflower›"},
	{"SMTP_PASS", "SMTP_PASS=‹" + pw + "›\nSMTP_PORT=25"},
	{"dbPass in code", "const dbPass = \"‹" + pw + "›\";"},
	{"smtp.pass", "smtp.pass = ‹" + pw + "›"},
	{"pw with equals sign", "id=ann pw=‹" + pw + "›"},
	{"pw that is a word", "pw=‹sunflower›"},
	{"pw with a colon", "pw: ‹" + pw + "› 로 접속"},
	{"PW in capitals", "ID: ann / PW: ‹" + pw + "›"},
	{"pass with a colon", "user: ann, pass: ‹" + pw + "›"},
	{"passwd", "passwd=‹hunter›"},
	{"net user", "net user ann ‹sunflower› /add"},
	{"net user in capitals, quoted", "NET USER \"ann lee\" \"‹sun flower 9›\" /ADD /domain"},
	{"net user without an option", "run net user ann ‹" + pw + "› and log in"},
	{"a person's PIN", "my pin is ‹4711›, please enter it"},
	{"a PIN code", "the door PIN code is ‹081547›."},
	{"a PIN in Korean", "내 핀번호는 ‹4711› 이야"},
	{"a card's PIN in Korean", "법인 카드의 핀 번호: ‹081547›"},
	{"passcode", "passcode: ‹4711822›"},
	{"pwd", "Pwd=‹" + pw + "9›;"},
	{"SECRET_KEY_BASE", "SECRET_KEY_BASE=‹" + hex32 + hex32 + "›"},
	{"ENCRYPTION_KEY", "ENCRYPTION_KEY=‹" + hex32 + "›"},
	{"API_KEY_2", "API_KEY_2=‹" + machine + "›"},
	{"TOKEN_PROD", "TOKEN_PROD=‹" + machine + "›"},
	{"DB_PASSWORD_STAGING", "DB_PASSWORD_STAGING=‹sunflower›"},
	{"password2", "password2: ‹" + pw + "›"},
	{"AccountKey in a connection string", "DefaultEndpointsProtocol=https;AccountName=forms;AccountKey=‹" + machine +
		"kV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPqRsTuYbNeWaZxCvBn==›"},
	{"SharedAccessKey", "Endpoint=sb://forms.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=‹" + machine + "kV7pQz2Lm=›"},
	{"Password in a connection string", "Server=db;Database=forms;User Id=ann;Password=‹" + pw + "›"},
	{"client secret", "client_secret=‹" + machine + "›"},
	{"clientSecret in JSON", `{"clientSecret":"‹` + machine + `›"}`},
	{"JSON in JSON", `{"body":"{\"password\":\"‹` + pw + `›\"}"}`},
	{"credentials", "credentials: ‹ann/" + pw + "›"},
	{"credential", "credential=‹" + machine + "›"},
	{"signing key", "signing_key: ‹" + machine + "›"},
	{"private key of a wallet", "PRIVATE_KEY=‹0x" + hex32 + hex32 + "›"},
	{"AWS secret key", "aws_secret_access_key = ‹" + machine + "RsTuYbNe›"},
	{"session cookie", "Cookie: session=‹" + machine + "›"},
	{"auth of an .npmrc", "//registry.example.com/:_auth=‹" + machine + "›"},
	{"token of an .npmrc", "//registry.example.com/:_authToken=‹" + machine + "›"},
	{"Go with a type", "var apiToken string = \"‹" + machine + "›\""},
	{"TypeScript with a type", "const apiToken: string = '‹" + machine + "›'"},
	{"walrus", "token := \"‹" + machine + "›\""},
	{"hash rocket", `"apiToken" => "‹` + machine + `›"`},
	{"Makefile", "API_TOKEN ?= ‹" + machine + "›"},
	{"Makefile with more colons", "API_TOKEN :::= \"‹" + machine + "›\""},
	{"PHP", `$apiToken .= "‹` + machine + `›";`},
	{"arguments of a call", `System.setProperty("API_TOKEN", "‹` + machine + `›")`},
	{"backquotes", "password: `‹" + pw + "›`"},
	{"bold", "**password**: ‹" + pw + "›"},
	{"bold with the colon", "- **Password:** ‹" + pw + "›"},
	{"quoted over two lines", "password=\"‹first\nsecond›\""},
	{"quoted with blanks", `NEXTAUTH_SECRET="‹with three blanks inside›"`},
	{"quoted password with blanks", `password: "‹correct horse battery›"`},
	{"name and value apart in JSON", `{"name": "DB_PASSWORD", "value": "‹` + pw + `›"}`},
	{"name and value apart in YAML", "- name: DB_PASSWORD\n  value: ‹" + pw + "›"},
	{"attributes", `<add key="ClearTextPassword" value="‹Sunflower7›" />`},
	{"element", "<password>‹" + pw + "›</password>"},
	{"element that is a word", "<password>‹sunflower›</password>"},
	{"element with a prefix", "<ns:apiToken>‹" + machine + "›</ns:apiToken>"},
	{"element on lines of its own", "<apiToken>\n    ‹" + machine + "›\n</apiToken>"},
	{"next line", "password:\n‹" + pw + "›"},
	{"next line in Korean", "비밀번호:\n‹" + pw + "!›\n알려줘"},
	{"text block of YAML", "password: |\n  ‹" + pw + "›"},
	{"query", "https://example.com/x?access_token=‹" + machine + "›&a=1"},
	{"signed address", "https://x.blob.core.windows.net/a?sv=2024&sig=‹kV7pQz2LmX9rT4wB1cD5eF6gH3%3D›"},

	// sentences
	{"password is", "the password is ‹" + pw + "›"},
	{"password is, quoted", "the password is \"‹hunter22›\"."},
	{"password is, digits", "my password is ‹48219›, please log in"},
	{"password is with a colon", "the admin password is: ‹" + pw + "›"},
	{"password was", "old password was ‹" + pw + "!›"},
	{"passphrase is", "passphrase is ‹" + pw + "›"},
	{"token is", "the api token is ‹" + machine + "›"},
	{"with a user", "log in as user ann password ‹" + pw + "›"},
	{"비밀번호는", "비밀번호는 ‹" + pw + "› 이야"},
	{"비밀번호 …로", "비밀번호 ‹" + pw + "!›로 접속해줘"},
	{"비밀번호 … 로", "비밀번호 ‹" + pw + "› 로 접속해줘"},
	{"비밀번호가", "서버 비밀번호가 ‹48219›인데 안 돼"},
	{"비번", "비번 ‹" + pw + "›"},
	{"비번은", "비번은 ‹qwer1234!›입니다"},
	{"패스워드", "패스워드는 ‹" + pw + "›"},
	{"암호", "암호는 ‹" + pw + "9k›"},
	{"quoted after 비밀번호", "비밀번호는 '‹" + pw + "›' 이야"},
	{"full-width colon", "비밀번호：‹" + pw + "›"},
	{"full-width colon and a blank", "비밀번호： ‹" + pw + "›"},
	{"full-width equals sign", "password＝‹" + pw + "›"},
	{"full-width colon after English", "password：‹" + pw + "›"},
	{"API 키", "API 키: ‹" + machine + "›"},
	{"토큰", "토큰은 ‹" + machine + "›"},
	{"Japanese", "パスワードは ‹" + pw + "› です"},
	{"Chinese", "密码是 ‹" + pw + "›"},
	{"Chinese with a colon", "密码：‹" + pw + "›"},

	// whatever is between a cue and its value
	{"passphrase of words", "the passphrase for the key is \"‹maple otter candle›\""},
	{"name in capitals and a blank", "STORE_AUTH_TOKEN ‹" + machine + "› fails"},
	{"name in capitals and a particle", ".env에 JWT_SECRET을 ‹" + machine + "›로 넣어줘"},
	{"capitals and a particle", "PW 는 ‹" + pw + "› 이고 포트는 3306"},
	{"no figure", "관리자 암호가 ‹MkWqD!HVcapA›로 되어있어"},
	{"changed to", "비밀번호를 기존 ‹tulip9316#›에서 바꾸는 SQL"},
	{"value before its cue", "‹!tulip_923› is the password for the admin account"},
	{"value before its cue in Korean", "‹tulip_92!3› 이게 우리 와이파이 비밀번호야"},
	{"key of a network", "our office wifi key ‹0AfSNkP4fmkm›, make a poster"},
	{"키", "서비스키는 ‹" + machine + "› 이야"},
	{"code of a door", "현관 비밀번호 ‹835405›# 을 안내문에 넣어줘"},
	{"Russian", "пароль ‹" + pw + "›"},
	{"German", "das Kennwort ist ‹" + pw + "›"},
	{"Vietnamese", "mật khẩu là ‹" + pw + "!›"},

	// keys that no word of their own announces
	{"arguments of a client", "new MetricsClient('kx81', '‹" + hex32 + "›')"},
	{"arguments of a login", "sdk.login(\"ann\", \"‹" + machine + "›\")"},
	{"UUID that is a key", "the deploy key ‹7c1e2b9d-6053-4f8e-a7a1-b4c2d9e6f0a3› was revoked"},
	{"key after a copula", "the maps key we pay for is ‹" + hex32 + "›"},
	{"key before its word", "‹" + hex32 + "› is our maps key"},
	{"scheme of a header", "send SSWS ‹" + machine + "› with it"},
	{"seed of one-time codes in Korean", "2단계 시드는 ‹KRSXG5CTMVRXEZLUKQ42› 야"},
	{"key of a network that is named", "the wlan is called Lodge and its key ‹misty-otter-42›"},
	{"code of a lock", "gate code for the yard is ‹5512›"},
	{"recovery code", "recovery codes: ‹k3f9-22mx›"},
	{"password of letters and a figure after a copula", "the pass for the archive is ‹copper41wren›"},
	{"password of a lock that is called a key", "the key to the shed is ‹Rk82!mmT›"},
	{"word of unlocking", "this tablet unlocks with ‹Velvet!Owl52›"},
	{"address with a project's key", "dial https://sepolia.‹infura.io/v3/" + hex32 + "›"},
	{"key in a query of a vendor", "GET /weather?appid=‹" + hex32 + "›"},
	{"command that signs in", "scanner auth ‹7c1e2b9d-6053-4f8e-a7a1-b4c2d9e6f0a3›"},
	{"key that stands free", "we are at the limit with ‹" + machine + "›, wait longer"},
	{"DeepL key", "translate with the auth key ‹7c1e2b9d-6053-4f8e-a7a1-b4c2d9e6f0a3:fx›"},
	{"name of a Java key store", "-storepass ‹sunflower7› and keypass ‹sun7flower›"},
	{"value that begins like a version", "requirepass ‹v4nilla_Bean!›"},
	{"cue in a sentence that breaks off", "비번이 뭐더라... 음 ‹dkssud77@q›이네"},
	{"answer to a question", "The root password there? It's ‹blu3berry_Jam›."},
	{"user without a cue", "I tried eve/‹Gard3n_gate!› and eve with a key"},
	{"Oracle address", "jdbc:oracle:thin:app/‹Lion#Cub›@//db:1521/X"},
	{"call that joins a network", "WiFi.begin(\"Shed\", \"‹barl3y4hens›\");"},
	{"account of a bank", "‹110-482-917264› 로 입금"},
	{"British driving licence", "driving licence ‹JONES710238AB9CD›"},
	{"phrase of words and a dash", "recovery phrase: ‹acid brick canyon dune› – restore it"},
	{"phrase of words", "passphrase of the backup: ‹maple otter candle›"},
	{"phrase of words and a copula", "My seed phrase is ‹acid brick canyon dune ember flute›."},

	// pairs of a user and a password
	{"ID/PW", "ID/PW는 admin/‹2LMFq!cmMTdK› 야"},
	{"접속정보", "서버 접속정보 root / ‹QGCUq!2Zbeh6›"},
	{"계정정보", "계정정보는 hong.gildong / ‹" + pw + "› 입니다"},
	{"login", "login bob/‹eKdNI!ANWere›"},
	{"creds", "use these creds: admin / ‹tulip4421@› for the smoke test"},
	{"a colon with blanks", "credentials for staging -> qa_bot : ‹friday2071›"},
	{"user that is redacted", "계정: [redacted:email] / ‹" + pw + "› 로 접속"},
	{"well-known user", "공유기 페이지 admin/‹Tulip!61x› 로 들어가면 돼"},
	{"sqlplus", "sqlplus scott/‹Tulip!085›"},
	{"net use", `net use z: \\host\share /user:bob ‹RGrtF!xQbjMm›`},
	{"net use, password first", `net use Z: \\host\share ‹sunflower› /user:corp\bob`},

	// commands
	{"mysql -p", "mysql -u root -p‹" + pw + "› forms"},
	{"mysqldump -p in quotes", "mysqldump -uroot -p'‹" + pw + "›' forms > x.sql"},
	{"curl -u", "curl -u ann:‹" + pw + "› https://example.com"},
	{"curl --user, quoted", "curl --user 'ann:‹" + pw + "#9›' https://example.com"},
	{"curl over lines", "curl -X POST \\\n  https://example.com \\\n  -u ann:‹" + pw + "›"},
	{"curl with a key as the user", "curl -u ‹" + machine + "›: https://example.com"},
	{"curl header", "curl -H 'X-Api-Key: ‹" + machine + "›' https://example.com"},
	{"wget", "wget --user=ann --password=‹sunflower› https://example.com"},
	{"sshpass", "sshpass -p ‹" + pw + "› ssh ann@host"},
	{"sshpass without a blank", "sshpass -p‹" + pw + "› ssh host"},
	{"docker login", "docker login -u ann -p ‹" + pw + "› registry.example.com"},
	{"redis-cli", "redis-cli -h db -a ‹" + pw + "› ping"},
	{"mongosh", "mongosh -u admin -p ‹" + pw + "›"},
	{"PGPASSWORD", "PGPASSWORD=‹sunflower› psql -h db"},
	{"long flag", "forms --api-key ‹" + machine + "› --dry-run"},
	{"long flag with equals sign", "forms --token=‹" + machine + "›"},
	{"PowerShell flag", "Connect-Forms -Password ‹" + pw + "›"},
	{".netrc", "machine example.com login ann password ‹sunflower›"},
	{".netrc over lines", "machine example.com\nlogin ann\npassword ‹sunflower›"},
	{"Authorization", "Authorization: Bearer ‹" + machine + "›"},
	{"Authorization Basic", "Authorization: Basic ‹YW5uOnN1bmZsb3dlcg==›"},
	{"Authorization without a scheme", "Authorization: ‹5eb4223e-5008-46e5-be67-c7b8f2732305›"},
	{"free-standing Bearer", "send Bearer ‹" + machine + "› with it"},

	// addresses
	{"address", "postgres://ann:‹" + pw + "›@db.example.com/forms"},
	{"address with a slash", "postgres://ann:‹k/V7p/Qz2›@db.example.com/forms"},
	{"address with #", "postgres://ann:‹kV7#pQz2›@db.example.com:5432/forms"},
	{"address with @", "postgres://ann:‹kV7@pQz2›@db.example.com/forms"},
	{"address with ?", "mysql://ann:‹kV7?pQz2›@db.example.com/forms"},
	{"address with :", "mysql://ann:‹kV7:pQz2›@db/forms"},
	{"address without a user", "redis://:‹sunflower›@cache:6379/0"},
	{"address of this machine", "mongodb://root:‹example›@localhost:27017"},
	{"key as the user", "https://‹" + machine + "›@example.com/r.git"},
	{"Slack webhook", "https://‹hooks.slack.com/services/" + "T02K4M8QZ/B07N3P5RX/kV7pQz2LmX9rT4wB1cD5eF6g›"},
	{"Slack workflow", "‹hooks.slack.com/workflows/" + "T02K4M8QZ/A07N3P5RX/442660231806210747/kV7pQz2LmX9rT4wB1cD5eF6g›"},
	{"Discord webhook", "https://‹discord.com/api/webhooks/" + "1182736450912837465/kV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPqRsTuYbNeWaZxCvBnMkLjHgFdSaPoIuYtReWq›"},
	{"Teams webhook", "https://‹forms.webhook.office.com/webhookb2/" +
		"4f8a1c7e-2b9d-6053-f8e7-a1b4c2d9e6f0@4f8a1c7e-2b9d-6053-f8e7-a1b4c2d9e6f0/IncomingWebhook/" + hex32 +
		"/4f8a1c7e-2b9d-6053-f8e7-a1b4c2d9e6f0›"},
	{"Telegram bot in an address", "https://api.telegram.org/bot‹7283946150:" + "AAHkV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPq›/sendMessage"},

	// keys
	{"key at the end of a sentence", "use ‹glpat-" + "kV7pQz2LmX9rT4wB1cD5›."},
	{"key glued with an underscore", "x_‹ghp_" + machine + "RsTu›"},
	{"key glued to a word", "token‹ghp_" + machine + "RsTu›"},
	{"key behind an escaped line end", `a\n‹ghp_` + machine + `RsTu›`},
	{"key glued to Hangul", "키는‹ghp_" + machine + "RsTu›입니다"},
	{"sk- without a digit", "‹sk-" + "kVpQzLmXrTwBcDeFgHjKnPqRsTuYbNeWaZxCvBnMkLjHgFd›"},
	{"hf_ without a digit", "‹hf_" + "kVpQzLmXrTwBcDeFgHjKnPqRsTuYbNeWaZ›"},
	{"Slack app token", "‹xapp-" + "1-A02K4M8QZ-4829105637-" + hex32 + "›"},
	{"PyPI", "‹pypi-" + "AgEIcHlwaS5vcmc" + machine + machine + "›"},
	{"SendGrid", "‹SG." + "kV7pQz2LmX9rT4wB1cD5eF.gH3jK8nPqRsTuYbNeWaZxCvBnMkLjHgFdSaPoIuYtRe›"},
	{"Groq", "‹gsk_" + machine + "kV7pQz2LmX9rT4wB1cD5›"},
	{"xAI", "‹xai-" + machine + machine + "kV7pQz2LmX9rT4wB›"},
	{"Perplexity", "‹pplx-" + machine + "kV7pQz2LmX9rT4wB›"},
	{"Vault", "‹hvs." + machine + machine + machine + "›"},
	{"DigitalOcean", "‹dop_v1_" + hex32 + hex32 + "›"},
	{"Google client secret", "‹GOCSPX-" + "kV7pQz2LmX9rT4wB1cD5eF6gH3jK›"},
	{"Shopify", "‹shpat_" + hex32 + "›"},
	{"Figma", "‹figd_" + machine + "-kV7pQz2›"},
	{"Databricks", "‹dapi" + hex32 + "›"},
	{"Tailscale", "‹tskey-" + "auth-kV7pQz2LmX9-rT4wB1cD5eF6gH3jK8nPqRsTuYbNe›"},
	{"Stripe webhook secret", "‹whsec_" + machine + "›"},
	{"age", "‹AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE›"},
	{"Terraform Cloud", "‹kV7pQz2LmX9rT4" + ".atlasv1." + machine + machine + "›"},
	{"Entra", "‹kV78Q~" + machine + "›"},
	{"JWT", "‹eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiI3NzQ5MjgzNjEwIn0.kV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPqRsTuYbNe›"},
	{"JWT in an Authorization header", "Authorization: Bearer ‹eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiI3NzQ5MjgzNjEwIn0.kV7pQz2LmX9rT4wB1cD5eF6gH3jK8nPq›"},
	{"secret of a Kubernetes manifest", "data:\n  password: ‹" + "a1Y3cFF6MkxtWDlyVDR3Qg==›"},

	// private keys
	{"without END", "‹-----BEGIN RSA PRIVATE " + "KEY-----\n" + b64 + "\n" + b64 + "\nKLs1Pt8Qu›"},
	{"with headers, without END", "‹-----BEGIN RSA PRIVATE " +
		"KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,4F8A1C7E2B9D6053\n\n" + b64 + "\n" + b64 + "›"},
	{"indented, without END", "key: |\n  ‹-----BEGIN PRIVATE " + "KEY-----\n  " + b64 + "\n  " + b64 + "›"},
	{"quoted mail, without END", "> ‹-----BEGIN PRIVATE " + "KEY-----\n> " + b64 + "\n> " + b64 + "›"},
	{"escaped line ends, without END", `"‹-----BEGIN PRIVATE ` + `KEY-----\n` + b64 + `\n` + b64 + `›"`},
	{"doubly escaped line ends, without END", `"‹-----BEGIN PRIVATE ` + `KEY-----\\n` + b64 + `\\n` + b64 + `›"`},
	{"a second BEGIN inside", "‹-----BEGIN PRIVATE " + "KEY-----\n" + b64 + "\n-----BEGIN PRIVATE " + "KEY-----\n" + b64 + "\n" + b64 + "›"},
	{"string literals, without END", "‹-----BEGIN PRIVATE " + "KEY-----\" +\n  \"" + b64 + "\" +\n  \"" + b64 + "›\""},
	{"PGP", "‹-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\nVersion: GnuPG v2\n\n" + b64 + "\n=8xQN\n-----END PGP PRIVATE " + "KEY BLOCK-----›"},
	{"OpenSSH with END", "‹-----BEGIN OPENSSH PRIVATE " + "KEY-----\r\n" + b64 + "\r\n-----END OPENSSH PRIVATE " + "KEY-----›"},

	// people
	{"resident registration number", "‹900101-1234567›"},
	{"without a hyphen", "‹9001011234568›"},
	{"with a blank", "‹900101 1234568›"},
	{"with an en dash", "‹900101–1234567›"},
	{"with blanks around the hyphen", "‹900101 - 1234567›"},
	{"new number behind its name", "주민번호 ‹9001011234567›"},
	{"new number with a blank behind its name", "주민등록번호: ‹900101 1234567›"},
	{"card", "‹4111111111111111›"},
	{"card with dots", "‹4111.1111.1111.1111›"},
	{"card with double blanks", "‹4111  1111  1111  1111›"},
	{"card with hyphens", "‹5555-5555-5555-4444›"},
	{"American Express", "‹3782 822463 10005›"},
	{"mobile number", "‹010-1234-5678›로 전화해줘"},
	{"mobile number in one", "연락처 ‹01012345678›"},
	{"mobile number with dots", "‹010.1234.5678›"},
	{"mobile number with blanks", "‹010 1234 5678›"},
	{"number of Seoul", "‹02-123-4567›"},
	{"number in brackets", "‹(031) 123-4567›"},
	{"international number", "‹+82 10-1234-5678›"},
	{"international number in one", "call ‹+14155550123›"},
	{"IBAN", "send it to ‹DE89370400440532013000›"},
	{"IBAN in groups", "send it to ‹DE89 3704 0044 0532 0130 00›, please"},
	{"business number", "사업자 ‹220-81-62517› 조회"},
	{"business number in one behind its name", "사업자번호는 ‹2208162517› 입니다"},
	{"Korean driving licence", "‹11-12-123456-12› 로 조회"},
	{"passport behind its name", "여권번호는 ‹M12345678› 입니다"},
	{"new passport behind its name", "passport no. ‹M123A4567›"},
	{"bank account behind its name", "국민은행 ‹123456-04-123456›"},
	{"social security number", "my SSN is ‹536-22-8745›"},
	{"Chinese identity number", "身份证 ‹11010519491231002X›"},
	{"mail address", "‹ann.lee+x@mail.example.co.kr›"},
}

// kept stay byte for byte.
var kept = []struct{ name, text string }{
	{"a pin of a chip", "set led pin: GPIO17 and button_pin = GPIO_NUM_4"},
	{"a pin of a chip that is said", "the reset pin is 1024 and my pin is 13, their pin is GPIO17"},
	{"a PIN of a chip in Korean", "LED 핀번호는 GPIO17 이야, 핀번호는 GPIO_NUM_4 로, 핀번호가 1024 인 헤더"},
	{"a postal code", "my pin code is 560001"},
	{"net user in prose", "the net user experience improves / declines; show net user signups 1200 / day; NET user gain +12k last week"},
	{"a guide of .NET", "read the .NET user guide chapter5 /docs"},
	{"net user growth", "net user growth was 5% and net user 2024 numbers rose; net users pay more"},
	{"net user without a password", "net user ann /delete, net user ann * /add, net user guest /active:no"},
	{"net user with a placeholder", "net user ann <password> /add"},
	{"핀 번호 of a form", "핀 번호 4자리 입력칸을 추가해줘"},
	{"words that follow a phrase", "seed phrase: the user types it; phrase: one two three; passphrase is what you should type"},
	{"hashes", "key of the pack whose hash is " + hex32 + hex32 + " and the key of " + hex32 + hex32[:8]},
	{"arguments of other calls", "log.Info('started', '" + hex32 + "')"},
	{"address with a title", "https://example.com/Notes%20on%20Software%20Design2Documents"},
	{"paths", "use src/v2ray and docs/page2 in app/main2"},
	{"versions", "set the password policy to v2.1.0 or v10-beta"},
	{"numbers without a right check digit", "220-81-62518, DE89370400440532013001, 110105194912310021, 000-12-3456"},
	{"a date behind the name of a bank", "은행 점검은 2026-11-26 입니다"},
	{"a login and a path", "the login flow/page2 and account/settings v2"},
	{"a number that counts", "비밀번호 10000번 시도, 토큰 20000개"},
	{"a name of a key", "set the key of user2IdAbc and the token bucket2"},
	{"words in quotes", "the key is \"value of this\" and the login is 'not here yet'"},
	{"a systemd unit", "systemctl restart getty@tty1.service"},
	{"password in a sentence", "add a password field to the login form and validate the token"},
	{"password is, in prose", "the password is required and must be at least 8 characters"},
	{"password is, technical", "the password is base64 encoded, the hash is SHA256"},
	{"password is not", "it says the password is not correct"},
	{"비밀번호 in a sentence", "비밀번호 8자 이상, 영문 숫자 조합으로 검증해줘"},
	{"비밀번호 of a library", "비밀번호는 bcrypt로 암호화해서 저장해줘"},
	{"비밀번호 range", "비밀번호 4~20자로 제한"},
	{"토큰 in a sentence", "토큰 1000개 이하로 줄여줘"},
	{"pass as a word", "12 tests pass: 10 fast, 2 slow. compass: north"},
	{"pass in a comment", "def f():\n    pass\nbypass=on"},
	{"token counts", "max_tokens: 4096, total_tokens=128000"},
	{"key of a map", "for key, value in items: key = value"},
	{"primary key", "primary_key: user_id, foreign_key=order_id"},
	{"keyboard", "key: ctrl+shift+p"},
	{"cache key", "cache_key: user:profile:v2"},
	{"commit", "git revert 3f9c2ab7d1e04f8a1c7e2b9d6053f8e7a1b4c2d9"},
	{"digest", "sha256:4f8a1c7e2b9d6053f8e7a1b4c2d9e6f04f8a1c7e2b9d6053f8e7a1b4c2d9e6f0"},
	{"UUID", "session 5eb4223e-5008-46e5-be67-c7b8f2732305 was closed"},
	{"placeholders", "API_KEY=your-api-key and token: <token> and SECRET=${SECRET}"},
	{"environment", "const token = process.env.API_TOKEN; password = os.environ['PW']"},
	{"types", "password: string; token?: string; apiKey = None"},
	{"call", "password=get_password(user) token = create_token()"},
	{"names with known starts", "the sk-learn-style-estimator-checks module, task-runner-configuration-loader, pat-a-cake"},
	{"hf_hub_download", "from huggingface_hub import hf_hub_download; npm_config_registry_override_default"},
	{"list of names", `["password", "apiKey", "Content-Type"]`},
	{"component", `<input type="password" name="password" value={password} />`},
	{"mysql without a password", "mysql -u root -p forms; ssh -p 2222 host; docker run -p 8080:80 x"},
	{"curl with a port", "curl -u \"$USER:$TOKEN\" http://localhost:8080/a@b"},
	{"address with an at in its path", "https://example.com:8443/users/@ann/x and http://localhost:3000/a@b/c"},
	{"scp", "scp x ann@host:/tmp and git@github.com:org/repo.git"},
	{"image", "icon@2x.png and left-pad@1.3.0"},
	{"Unix time", "at 1732098765432 it broke, 20261122071500123"},
	{"number of a post", "https://x.com/ann/status/2032849534397649025"},
	{"version and ranges", "1.2.3-4, 2024-01-01 12:30:45, 10-20-30, 0-1000000000"},
	{"IP address", "0.0.0.0:8080 and 192.168.100.200"},
	{"certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"},
	{"public key", "publicKey: 4f8a1c7e2b9d6053f8e7a1b4c2d9e6f0"},
	{"path", "see src/auth/token.ts:42 and ./secrets/password.md"},
	{"Authorization in prose", "- **Authorization**: Written permission is needed"},
}

func TestFound(t *testing.T) {
	for _, tt := range found {
		t.Run(tt.name, func(t *testing.T) {
			before, rest, _ := strings.Cut(tt.text, "‹")
			inside, behind, ok := strings.Cut(rest, "›")
			if !ok {
				t.Fatalf("%q has no marks", tt.text)
			}
			text := before + inside + behind
			got := Redact(text)
			for i := 0; i+8 <= len(inside); i++ {
				if strings.Contains(got, inside[i:i+8]) && !strings.Contains(before+behind, inside[i:i+8]) {
					t.Errorf("Redact(%q) = %q, which holds %q", text, got, inside[i:i+8])
					break
				}
			}
			if len(inside) < 8 && strings.Contains(got, inside) || got == text {
				t.Errorf("Redact(%q) = %q, want %q gone", text, got, inside)
			}
			if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, behind) {
				t.Errorf("Redact(%q) = %q, want %q and %q to stay", text, got, before, behind)
			}
			if again := Redact(got); again != got {
				t.Errorf("Redact(%q) = %q, want it unchanged", got, again)
			}
		})
	}
}

func TestKept(t *testing.T) {
	for _, tt := range kept {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.text); got != tt.text {
				t.Errorf("Redact(%q) = %q, want it unchanged", tt.text, got)
			}
		})
	}
}
