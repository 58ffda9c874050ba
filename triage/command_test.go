package triage

import "testing"

func TestShellLines(t *testing.T) {
	checkKinds(t, []kindGroup{
		{"commands", Command, []string{
			"git log --oneline -5", "git diff HEAD~1 --stat", "git checkout -b feat/login", "git checkout main", "git pull origin develop",
			"git push -u origin feat/x", "git commit -m \"fix: typo\"", "git add . && git commit -m \"wip\" && git push",
			"git rebase -i HEAD~3", "git fetch --all", "git branch -a", "npm run dev",
			"npm run test -- --watch", "pnpm add react react-dom", "bun run dev", "npx tsc --noEmit",
			"npx prettier --write .", "pip install -r requirements.txt", "python main.py --port 8000",
			"python -m pytest tests/", "python3 manage.py migrate", "uv run pytest",
			"go vet ./... && go test ./...", "cargo run -- --help", "docker ps",
			"docker ps -a", "docker compose up -d", "docker build -t app:latest .",
			"kubectl get pods -n kube-system", "kubectl logs -f deploy/api",
			"kubectl apply -f k8s/", "helm list -A", "terraform apply -auto-approve", "ls -la", "ls | grep foo",
			"ls -al | wc -l", "cd ..", "cd src && ls", "cat package.json", "cat foo.txt | grep bar", "tail -f /var/log/syslog",
			"head -20 data.csv", "rm -rf node_modules", "rm -rf dist && npm run build", "mkdir -p src/components", "touch src/index.ts",
			"cp .env.example .env", "mv a.txt b.txt", "chmod +x deploy.sh", "find . -name \"*.go\"", "find src -type f | wc -l",
			"grep -rn TODO src/", "rg \"foo\" src", "curl http://localhost:3000/health", "curl -X POST localhost:8080/api -d '{\"a\":1}'",
			"ps aux | grep node", "kill -9 1234", "lsof -i :3000", "node -v", "node index.js", "echo $PATH",
			"bash install.sh", "ssh user@host",
			"sudo apt-get update",
			"gh pr view 12", "gh run watch", "aws s3 ls", "vim src/app.ts", "eslint . --fix",
			"pytest -k login -x", "jest --coverage", "ruff check .", "tsc --noEmit", "df -h", "du -sh *", "tree -L 2",
			"env | sort", "history | tail -20", "diff a.txt b.txt", "git diff main..dev", "git show abc1234", "git log -p src/app.ts",
			"git reset --hard origin/main", "git clean -fd", "docker-compose down -v", "psql -U postgres -c \"select 1\"",
			"sqlite3 db.sqlite .tables", "tar -xzf foo.tar.gz", "npm run build 2>&1 | tail -20", "npm run build > out.log",
		}},
		{"commands of words alone", Search, []string{
			"git status", "git commit", "npm test", "make", "cargo test", "kubectl get pods", "docker compose restart", "history",
		}},
		{"requests that begin like a command", Search, []string{
			"npm test hangs on my laptop and I cannot see why", "npm audit report please", "make a deck", "make slides", "make it faster",
			"make landing page", "make release notes", "git history cleanup", "git branch strategy", "git workflow for our team",
			"git commit message conventions", "git merge conflict resolution", "git rebase tutorial", "docker image size optimization",
			"docker compose file for postgres and redis", "docker security audit", "kubectl cheat sheet", "kubernetes audit",
			"helm chart review", "terraform module for vpc", "terraform security review", "python script to parse logs",
			"python data analysis", "node api server", "node memory leak", "go concurrency review", "go code review", "cargo culting",
			"find bugs", "find security issues in src", "find the root cause", "find competitors", "sort the list", "cut the fluff",
			"head of engineering", "cat pictures", "touch up the design", "open a pr", "open issues", "ssh hardening",
			"curl to python conversion", "which file handles login", "which database should we use", "time series forecasting",
			"watch competitor prices", "top 10 competitors", "type check errors", "echo bot for slack", "export report to pdf",
			"export data as csv", "convert data.csv to json", "aws cost report", "aws architecture diagram", "gcloud cost review",
			"brew coffee", "date picker component", "history of the project", "code review", "code .ts files into python",
			"screen recording", "test the login flow", "vite migration", "prisma schema design", "pytest fixtures cleanup",
			"jest to vitest migration", "playwright tests", "psql query optimization", "sql tuning", "man I need a logo",
			"kill the background music", "env setup docs", "watch the build and fix failures", "patch notes", "diff review",
			"tree view component", "file upload api", "zip code lookup", "link building", "task breakdown", "just review this",
			"just write tests", "make docs", "make tests for utils.ts", "run a security audit", "run marketing campaign",
			"run tests and fix failures", "execute the plan in docs/plan.md", "yarn workspace setup", "gh pr create 해줘",
			"git commit 해줘", "flux image generation", "kind reminder email", "heroku to fly migration", "fly to seoul", "service design",
			"port the app to rust", "ping the team on slack", "supabase auth", "firebase auth setup", "vercel deploy",
			"make a plan\nmake a deck", "```go\nfunc main() {}\n```\n이 코드 리뷰해줘", "git status\nwhy is it dirty",
		}},
	})
}

func TestWorkOnFilesIsSearched(t *testing.T) {
	checkKinds(t, []kindGroup{
		{"edits of a named place", Search, []string{
			"rename foo to bar in utils.go", "src/app.ts 12번째 줄 오타 고쳐", "open package.json", "config.yaml 삭제해줘",
		}},
		{"work that names a file", Search, []string{
			"review src/app.ts for security holes", "data.xlsx 피벗 테이블 만들어줘", "NOTES.md 열어서 튜토리얼로 고쳐 써줘",
			"rename later, plan the split of utils.go now", "fix all bugs in src/app.ts", "fix performance in app.ts",
			"update README.md to Korean", "update the docs in docs/ to reflect the new API", "add tests to utils.go",
			"add authentication to server.js", "remove vulnerabilities from package.json",
			"move our jenkins pipeline to github actions in .github/workflows", "convert src/app.js to typescript",
			"replace jQuery with vanilla js in app.js", "open report.pdf and summarize it", "open data.xlsx", "read paper.pdf",
			"show me a chart of data.csv", "create a Dockerfile", "create docs/adr/001.md for the cache decision",
			"make slides.pptx from notes.md", "set up eslint in package.json", "refactor src/app.ts", "document src/api.ts",
			"translate README.md", "README.md 번역해줘", "README.md 한국어로 바꿔줘", "app.ts 리팩토링해줘", "app.ts 성능 개선해줘",
			"report.docx 맞춤법 고쳐줘", "report.docx 셋째 줄 오타 고쳐줘", "src/auth.ts 보안 점검해줘", "utils.py 테스트 추가해줘",
			"main.go 버그 고쳐줘", "app.js를 typescript로 바꿔줘", "data.csv를 엑셀로 바꿔줘", "data.csv 그래프로 보여줘",
			"Dockerfile 최적화해줘", "Dockerfile 만들어줘", "openapi.yaml 만들어줘", "CHANGELOG.md 업데이트해줘",
			"3번째 줄부터 표로 만들어줘", "config.yaml 설명해줘", "src/ 폴더 구조 정리해줘", "src/app.ts 주석 달아줘",
			"notes.md를 슬라이드로 바꿔줘", "notes.md를 pdf로 바꿔줘", "script.sh를 python으로 바꿔줘", "legacy.js를 ts로 변경해줘",
			"log.txt에서 에러 찾아줘", "change app.js to typescript", "rename src/ to follow clean architecture",
		}},
	})
}
