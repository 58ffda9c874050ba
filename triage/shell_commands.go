package triage

import "strings"

const (
	refOnly  = -1 // no bare words but names of branches
	needVerb = -2 // a bare word must say what to do: "docker image ls"
)

// rule says what arguments a command takes when it is meant as a command.
type rule struct {
	words int                      // bare words allowed
	bare  bool                     // may stand alone
	code  bool                     // the first argument is a flag, path or the like
	subs  func(string) (int, bool) // for a subcommand: words, and whether it is one
}

// commandRule returns the rule of a command, false for words that are none or
// are far more often English.
func commandRule(cmd string) (rule, bool) {
	switch cmd {
	case "ls", "ll", "la", "tree", "du", "history", "ps", "journalctl":
		return rule{words: 1, bare: true}, true
	case "cd", "mkdir", "pushd", "rmdir", "rm", "touch", "which", "whereis", "man", "pkill", "killall", "echo", "printf":
		return rule{words: 1}, true
	case "pwd", "clear", "exit", "logout", "whoami", "hostname", "uptime", "df", "htop", "env", "printenv", "date", "uname", "lsblk", "popd",
		"dmesg", "nproc", "netstat", "ifconfig", "crontab":
		return rule{bare: true}, true
	case "cat", "less", "head", "tail", "chmod", "chown", "stat", "source", "basename", "dirname", "realpath", "readlink", "file", "wc", "diff",
		"patch", "tar", "zip", "unzip", "gzip", "gunzip", "sed", "awk", "jq", "yq", "xargs", "tee", "tr", "uniq", "find", "sort", "cut", "kill",
		"lsof", "ss", "ping", "dig", "nslookup", "bg", "fg", "jobs", "free", "top", "locale", "umask", "id", "cal", "export", "alias", "unset",
		"ulimit", "type", "sync", "mount", "umount", "vim", "vi", "nvim", "nano", "emacs", "code", "subl", "bat":
		return rule{}, true
	case "grep", "egrep", "rg", "ag", "fd":
		return rule{words: 2}, true
	case "curl", "wget", "ssh", "scp", "rsync", "telnet", "nc", "openssl", "http", "ftp", "sftp":
		return rule{code: true}, true
	case "node", "python", "python3", "py", "ruby", "perl", "php", "bash", "sh", "zsh", "fish", "lua", "java", "javac", "gcc", "g++", "clang",
		"rustc", "tsx", "ts-node", "Rscript", "swift", "julia", "ipython", "psql", "mysql", "sqlite3", "redis-cli", "mongosh":
		return rule{code: true, words: 2}, true
	case "pytest", "tsc", "tox", "vitest", "jest":
		return rule{bare: true}, true
	case "mocha", "eslint", "prettier", "black", "mypy", "flake8", "pylint", "isort", "gofmt", "golangci-lint", "phpunit", "rspec", "nox", "rubocop",
		"pyright", "shellcheck", "ctest", "nodemon", "uvicorn", "gunicorn", "webpack", "rollup", "esbuild":
		return rule{code: true, words: 1}, true
	case "ruff", "biome", "pre-commit", "cypress", "turbo", "nx", "lerna", "pm2", "prisma", "alembic", "vite", "drizzle-kit":
		return rule{subs: toolSub}, true
	case "cp", "mv", "ln":
		return rule{code: true, words: 2}, true
	case "dotnet", "flutter", "pod", "bundle", "rails", "composer", "mix", "deno", "expo", "ng", "vue", "hugo", "jekyll":
		return rule{subs: frameworkSub}, true
	case "git":
		return rule{subs: gitSub}, true
	case "gh":
		return rule{subs: ghSub}, true
	case "npm", "pnpm", "bun":
		return rule{subs: nodeSub}, true
	case "yarn":
		return rule{bare: true, subs: nodeSub}, true
	case "pip", "pip3", "uv", "poetry", "conda", "mamba", "pipenv", "pdm":
		return rule{subs: pythonSub}, true
	case "cargo":
		return rule{subs: cargoSub}, true
	case "go":
		return rule{subs: goSub}, true
	case "make":
		return rule{bare: true, subs: buildSub}, true
	case "just", "task", "rake", "cmake", "ninja", "bazel", "mvn", "gradle", "ant", "sbt":
		return rule{subs: buildSub}, true
	case "docker", "podman", "docker-compose", "nerdctl":
		return rule{subs: dockerSub}, true
	case "kubectl", "k", "oc", "helm", "k9s", "minikube", "argocd", "flux":
		return rule{subs: kubeSub}, true
	case "terraform", "tofu", "pulumi", "terragrunt", "ansible-playbook", "vagrant", "packer":
		return rule{subs: infraSub}, true
	case "brew", "apt", "apt-get", "yum", "dnf", "pacman", "snap", "apk", "choco", "winget":
		return rule{subs: packageSub}, true
	case "systemctl", "service", "launchctl", "supervisorctl":
		return rule{subs: serviceSub}, true
	case "aws", "gcloud", "az", "heroku", "vercel", "netlify", "fly", "flyctl", "wrangler", "firebase", "supabase", "railway":
		return rule{subs: cloudSub}, true
	case "nvm", "fnm", "rbenv", "pyenv", "asdf", "rustup", "volta", "mise":
		return rule{subs: versionSub}, true
	case "tmux", "screen":
		return rule{subs: tmuxSub}, true
	}
	return rule{}, false
}

func frameworkSub(s string) (int, bool) {
	switch s {
	case "build", "test", "run", "restore", "publish", "clean", "format", "install", "update", "s", "server", "c", "console", "compile", "doctor",
		"analyze", "fmt", "serve", "start", "lint":
		return 0, true
	case "exec", "task", "add", "new", "pub", "g", "generate", "require", "ef", "create":
		return 2, true
	}
	return 0, codeLike(s) || strings.HasPrefix(s, "db:") || strings.HasPrefix(s, "deps.")
}

func toolSub(s string) (int, bool) {
	switch s {
	case "run", "build", "dev", "serve", "preview", "migrate", "generate", "studio", "db", "upgrade", "downgrade", "revision", "start", "stop",
		"restart", "list", "logs", "affected", "graph", "bootstrap", "init", "push", "pull", "check", "format", "open", "install", "lint":
		return 1, true
	}
	return 0, codeLike(s)
}

func gitSub(s string) (int, bool) {
	switch s {
	case "status", "st", "diff", "log", "lg", "show", "push", "pull", "fetch", "checkout", "co", "switch", "merge", "rebase", "branch",
		"cherry-pick", "reset", "tag", "describe", "blame", "reflog", "shortlog", "rev-parse", "ls-files", "ls-remote", "commit", "add", "rm", "mv",
		"clean", "restore", "revert", "init", "clone", "gc", "fsck", "apply", "am", "config", "difftool", "mergetool", "whatchanged", "cat-file",
		"check-ignore":
		return refOnly, true
	case "stash", "worktree", "remote", "submodule", "bisect", "lfs", "notes", "flow":
		return 1, true
	}
	return 0, false
}

func ghSub(s string) (int, bool) {
	switch s {
	case "pr", "issue", "run", "repo", "release", "auth", "workflow", "api", "gist", "browse", "status":
		return 1, true
	}
	return 0, false
}

func nodeSub(s string) (int, bool) {
	switch s {
	case "install", "i", "add", "remove", "rm", "uninstall", "un", "dlx", "link", "view", "why", "create":
		return 3, true
	case "run", "run-script", "exec", "x", "config", "cache", "workspace", "init", "global":
		return 1, true
	case "ci", "test", "t", "start", "build", "dev", "lint", "format", "audit", "outdated", "update", "upgrade", "up", "publish", "pack", "ls",
		"list", "login", "logout", "whoami", "version", "prune", "dedupe", "fund", "root", "bin", "typecheck", "preview", "serve", "watch", "clean",
		"deploy", "storybook", "doctor", "rebuild", "e2e", "coverage", "generate", "migrate", "seed", "check":
		return 0, true
	}
	return 0, false
}

func pythonSub(s string) (int, bool) {
	switch s {
	case "install", "add", "remove", "uninstall", "show", "download":
		return 3, true
	case "run", "env", "cache", "config", "create", "tool", "python", "pip", "venv", "activate":
		return 2, true
	case "list", "freeze", "check", "sync", "lock", "update", "upgrade", "build", "publish", "init", "shell", "info", "deactivate", "export":
		return 0, true
	}
	return 0, false
}

func cargoSub(s string) (int, bool) {
	switch s {
	case "add", "remove", "install", "uninstall", "new", "search":
		return 2, true
	case "build", "b", "run", "r", "test", "t", "check", "c", "clippy", "fmt", "doc", "clean", "update", "bench", "publish", "tree", "init", "fix",
		"audit", "nextest", "expand", "watch", "fetch", "vendor", "metadata", "outdated", "deny":
		return 0, true
	}
	return 0, false
}

func goSub(s string) (int, bool) {
	switch s {
	case "mod", "tool", "work", "env", "doc", "help":
		return 1, true
	case "build", "run", "test", "vet", "fmt", "get", "install", "generate", "list", "clean", "version", "fix":
		return 0, true
	}
	return 0, false
}

func buildSub(s string) (int, bool) {
	switch s {
	case "clean", "build", "test", "all", "install", "run", "lint", "fmt", "format", "dev", "up", "down", "start", "stop", "restart", "deploy",
		"check", "vet", "bench", "dist", "package", "compile", "verify", "deps", "generate", "proto", "migrate", "seed", "logs", "coverage", "cover",
		"uninstall", "release", "bootstrap", "assemble", "query", "watch", "serve", "init", "e2e", "integration", "unit", "push", "ci", "tidy",
		"typecheck", "default", "list", "reset", "shell", "debug":
		return 0, true
	}
	return 0, codeLike(s)
}

func dockerSub(s string) (int, bool) {
	switch s {
	case "compose":
		return 2, true
	case "ps", "images", "build", "pull", "push", "info", "version", "login", "logout", "up", "down", "events":
		return 1, true
	case "run", "exec", "logs", "stop", "start", "restart", "rm", "rmi", "inspect", "stats", "top", "kill", "attach", "cp", "tag", "save", "load":
		return 2, true
	case "network", "volume", "system", "container", "image", "buildx", "context", "swarm", "service", "stack":
		return needVerb, true
	}
	return 0, false
}

func kubeSub(s string) (int, bool) {
	switch s {
	case "get", "describe", "delete", "edit", "logs", "exec", "scale", "rollout", "config", "cordon", "drain", "uncordon", "top", "label",
		"annotate", "expose", "explain", "cp", "port-forward", "patch", "create", "wait", "auth":
		return 2, true
	case "apply", "install", "upgrade", "uninstall", "list", "ls", "template", "lint", "rollback", "status", "history", "repo", "dependency",
		"package", "pull", "push", "show", "test", "version", "cluster-info", "api-resources", "start", "stop", "app", "sync", "diff", "env",
		"addons", "reconcile":
		return 1, true
	}
	return 0, false
}

func infraSub(s string) (int, bool) {
	switch s {
	case "plan", "apply", "init", "destroy", "validate", "fmt", "output", "refresh", "up", "preview", "show", "version", "halt", "ssh", "reload":
		return 0, true
	case "state", "workspace", "import", "taint", "untaint", "stack", "config", "providers":
		return 1, true
	}
	return 0, codeLike(s)
}

func packageSub(s string) (int, bool) {
	switch s {
	case "install", "uninstall", "remove", "upgrade", "search", "info", "reinstall", "tap", "services", "show", "purge", "add", "del", "cask":
		return 3, true
	case "update", "list", "ls", "doctor", "cleanup", "autoremove", "outdated", "clean":
		return 0, true
	}
	return 0, len(s) > 1 && s[0] == '-'
}

func serviceSub(s string) (int, bool) {
	switch s {
	case "start", "stop", "restart", "status", "enable", "disable", "reload", "daemon-reload", "list", "is-active", "mask", "load", "unload", "cat":
		return 1, true
	}
	return 0, codeLike(s)
}

func cloudSub(s string) (int, bool) {
	switch s {
	case "s3", "ec2", "ecs", "eks", "lambda", "iam", "sts", "logs", "rds", "cloudformation", "ssm", "ecr", "dynamodb", "sqs", "sns", "route53",
		"secretsmanager", "auth", "config", "compute", "container", "projects", "run", "builds", "storage", "account", "group", "vm", "aks",
		"functions", "app", "apps", "db":
		return needVerb, true
	case "login", "configure", "sso", "dev", "logout", "whoami", "link", "env", "init", "ls", "ps", "scale", "status", "open", "up", "down", "tail",
		"start", "stop", "pull", "push", "serve", "emulators:start":
		return 1, true
	}
	return 0, false
}

func versionSub(s string) (int, bool) {
	switch s {
	case "use", "install", "ls", "list", "current", "alias", "global", "local", "default", "update", "show", "which", "shell", "uninstall",
		"ls-remote", "toolchain", "target", "component", "plugin":
		return 2, true
	}
	return 0, false
}

func tmuxSub(s string) (int, bool) {
	switch s {
	case "ls", "new", "attach", "a", "kill-session", "new-session", "list-sessions", "detach", "kill-server":
		return 1, true
	}
	return 0, len(s) > 1 && s[0] == '-'
}
