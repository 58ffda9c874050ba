#!/bin/sh
# Builds skillgate from this checkout, installs it, registers it with Claude Code,
# indexes the skills of this user, checks the result and shows one example.
# Running it again upgrades in place.
#
# Exit status: 0 installed, 1 a requirement is missing (nothing was changed), 3 a
# step failed or wrong usage.
set -eu

source_dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
PREFIX=${PREFIX:-}
dry_run=false
with_rerank=false
with_org=false
form=
work=
missing=0

usage() {
	cat <<'TEXT'
usage: ./install.sh [--prefix DIR] [--with-rerank] [--with-org] [--hook | --no-hook] [--dry-run]

Builds skillgate, installs it to ~/.local/bin, registers it with Claude Code, indexes
your skills, runs `skillgate doctor` and shows one example on your own library.
The script asks once. Without a terminal it uses the default: the plugin, which shows the
suggested skills, or a hook in the settings if Claude Code is too old for the plugin.

  --prefix DIR    install to DIR/bin and DIR/lib/skillgate (also: PREFIX=DIR ./install.sh)
  --with-rerank   also build skillgate-rerank and install the npm package
                  onnxruntime-node below DIR/lib
  --with-org      also build skillgate-org, which shares skills in an organisation
  --hook          register a hook in Claude Code's settings; only the model sees its suggestions
  --no-hook       do not register skillgate with Claude Code
  --dry-run       print the commands without running them
  --help          show this text

The script needs Go and a C compiler. `skillgate uninstall` removes the plugin or the hook;
with --purge it removes the log and the index too.
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
	printf 'install.sh: %s\n' "$*" >&2
	exit 3
}

# lack WHAT COMMAND reports a missing requirement and the command that installs it.
lack() {
	missing=$((missing + 1))
	printf 'missing: %s\n    get it: %s\n' "$1" "$2" >&2
}

# run COMMAND... runs a command, or prints it with --dry-run.
run() {
	if $dry_run; then
		printf 'would run:'
		for word in "$@"; do
			case $word in
			*[!A-Za-z0-9_/.,:=+@%-]* | '') printf " '%s'" "$word" ;;
			*) printf ' %s' "$word" ;;
			esac
		done
		printf '\n'
	else
		"$@"
	fi
}

have() { command -v "$1" >/dev/null 2>&1; }

# replaceable FILE reports whether FILE can be replaced without loss, because it does not exist,
# is empty, or is a program of skillgate.
replaceable() {
	if [ ! -e "$1" ] && [ ! -L "$1" ]; then
		return 0
	fi
	[ -f "$1" ] && { [ ! -s "$1" ] || grep -qa 'github.com/skillgate/skillgate' "$1"; }
}

# packages DEBIAN FEDORA ALPINE ARCH SUSE HOMEBREW prints the command that
# installs a package with this machine's package manager.
packages() {
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo='sudo '
	fi
	if have apt-get; then
		say "${sudo}apt-get install -y $1"
	elif have dnf; then
		say "${sudo}dnf install -y $2"
	elif have yum; then
		say "${sudo}yum install -y $2"
	elif have apk; then
		say "${sudo}apk add $3"
	elif have pacman; then
		say "${sudo}pacman -S --needed $4"
	elif have zypper; then
		say "${sudo}zypper install -y $5"
	elif have brew; then
		say "brew install $6"
	else
		say "install $1 with your package manager"
	fi
}

# get_go prints the command that installs Go version $1.
get_go() {
	if [ "$system" = Darwin ] && have brew; then
		say 'brew install go'
		return
	fi
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) arch=$(uname -m) ;;
	esac
	os=$(printf %s "$system" | tr '[:upper:]' '[:lower:]')
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo='sudo '
	fi
	say "curl -fsSL https://go.dev/dl/go$1.$os-$arch.tar.gz | ${sudo}tar -C /usr/local -xz && export PATH=\$PATH:/usr/local/go/bin"
}

# older_than A B reports whether version A is below version B.
older_than() {
	awk -v a="$1" -v b="$2" 'BEGIN {
		split(a, x, "."); split(b, y, ".")
		for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit !(x[i] + 0 < y[i] + 0)
		exit 1
	}'
}

# compiles FLAGS... reports whether the C compiler can build a program.
compiles() {
	printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' >"$work/c.c"
	# shellcheck disable=SC2086 # CC may hold flags
	$cc "$@" -o "$work/c" "$work/c.c" >"$work/c.log" 2>&1
}

check() {
	wanted=$(awk '$1 == "go" { print $2 }' "$source_dir/go.mod")
	if ! have go && [ -x /usr/local/go/bin/go ]; then
		PATH=$PATH:/usr/local/go/bin
		export PATH
	fi
	go_found=
	cc=${CC:-cc}
	if ! have go; then
		lack "Go $wanted or newer" "$(get_go "$wanted")"
	else
		# In the checkout, a Go that downloads toolchains reports the version that it will use.
		found=$(cd "$source_dir" && go env GOVERSION 2>"$work/go.log" | sed 's/^go//; s/ .*//; s/[a-z].*//') || found=
		if [ -z "$found" ] || older_than "$found" "$wanted"; then
			lack "Go $wanted or newer (installed: $(GOTOOLCHAIN=local go version 2>/dev/null))" "$(get_go "$wanted")"
		else
			go_found="Go $found"
		fi
		cc=${CC:-$(go env CC 2>/dev/null)}
	fi
	compiler=$(packages 'gcc libc6-dev' 'gcc glibc-devel glibc-static' 'gcc musl-dev' 'gcc' 'gcc glibc-devel-static' gcc)
	if [ "$system" = Darwin ]; then
		compiler='xcode-select --install'
	fi
	if ! have "${cc%% *}"; then
		lack "a C compiler ($cc)" "$compiler"
	elif ! compiles; then
		lack "C headers and libraries ($cc cannot build a program: $(head -n 1 "$work/c.log"))" "$compiler"
	elif [ "$system" = Linux ] && ! compiles -static; then
		lack "the static C library ($cc -static fails)" "$compiler"
	else
		say "Building with $go_found and ${cc%% *} into $bin (the first build takes a minute or two)"
	fi
	if $with_rerank; then
		if [ ! -f "$source_dir/cmd/skillgate-rerank/main.go" ]; then
			lack 'cmd/skillgate-rerank in this checkout' 'run ./install.sh without --with-rerank, or use a newer checkout'
		fi
		if ! have npm; then
			lack 'npm, which --with-rerank needs to install ONNX Runtime' "$(packages npm npm npm npm npm-default node)"
		fi
	fi
	if [ "$missing" -gt 0 ]; then
		say "Nothing was changed. Install the missing requirements and run ./install.sh again." >&2
		exit 1
	fi
}

# build COMMAND TARGET CGO TAGS LINKER_FLAGS builds cmd/COMMAND as the file TARGET. It
# replaces the old program atomically, so that a prompt always finds a complete one. It copies
# the linker's output with a single write, which gives larger pages in the page cache: the
# program then starts up to a millisecond sooner.
build() {
	vcs=auto
	if have git && ! git -C "$source_dir" rev-parse HEAD >/dev/null 2>&1; then
		vcs=false # no repository, or it belongs to another user
	fi
	replaceable "$2" || fail "$2 is not a program of skillgate; move it away, or choose another --prefix"
	run mkdir -p "$(dirname "$2")"
	(
		cd "$source_dir"
		CGO_ENABLED=$3
		export CGO_ENABLED
		run go build -trimpath -buildvcs="$vcs" -tags "$4" -ldflags "$5" -o "$work/$1" "./cmd/$1"
	) || fail "cmd/$1 cannot be built; see the messages above"
	new=$(dirname "$2")/.$1.new
	if ! $dry_run; then
		new=$(mktemp "$(dirname "$2")/.$1.XXXXXX") || fail "cannot write to $(dirname "$2")"
	fi
	if ! { run dd if="$work/$1" of="$new" bs=67108864 && run chmod 755 "$new"; } 2>"$work/dd.log"; then
		cat "$work/dd.log" >&2
		rm -f "$new"
		fail "cannot write to $(dirname "$2"); see the message above"
	fi
	run mv -f "$new" "$2"
}

# build_skillgate builds the complete program and the small one, which answers prompts
# and runs the complete one for everything else.
build_skillgate() {
	flags='-s -w'
	if [ "$system" = Linux ]; then
		flags='-linkmode external -extldflags "-static" -s -w'
	fi
	prefix=$PREFIX
	if [ -d "$bin" ]; then
		prefix=$(CDPATH="" cd -P -- "$bin/.." && pwd -P) # bin may be a link, and the small program resolves its own path
	fi
	build skillgate "$prefix/lib/skillgate/skillgate" 1 'netgo osusergo sqlite_omit_load_extension nethttpomithttp2' "$flags"
	flags='-s -w'
	case $system/$(go env GOARCH) in
	Linux/amd64 | Linux/arm64) flags="$flags -E skillgate_start" ;; # see cmd/internal/start
	esac
	build skillgate-hook "$skillgate" 0 'netgo osusergo' "$flags"
	if ! $dry_run; then
		"$skillgate" version || fail "$skillgate cannot be run; see the message above"
	fi
}

# build_rerank builds the helper, which is linked dynamically because it loads ONNX
# Runtime, and installs that library where the helper looks for it. It does not run
# the package's install script, which would fetch GPU libraries.
build_rerank() {
	say "Building skillgate-rerank and installing ONNX Runtime below $PREFIX/lib"
	build skillgate-rerank "$bin/skillgate-rerank" 1 onnx '-s -w'
	run npm install --global --prefix "$PREFIX" --ignore-scripts --no-audit --no-fund onnxruntime-node@1.24.3 ||
		fail "npm cannot install onnxruntime-node; see the messages above. Run the same command again, or run ./install.sh without --with-rerank, install libonnxruntime 1.24 or newer yourself and set rerank.library to its path"
	say "Next: \`$skillgate rerank install DIR\` installs a model, \`doctor\` tests it, \`rerank --help\` explains how to enable it."
}

# build_org builds skillgate-org into the folder where skillgate looks for it.
build_org() {
	say "Building skillgate-org into $prefix/lib/skillgate"
	build skillgate-org "$prefix/lib/skillgate/skillgate-org" 0 'netgo osusergo' '-s -w'
	say "Next: cmd/skillgate-org/README.md explains how to share and serve libraries."
}

# first_sentence FILE prints the first sentence of the description in a SKILL.md.
first_sentence() {
	awk '
		NR == 1 { sub(/^\357\273\277/, ""); if ($0 !~ /^---/) exit; next }
		/^---/ { exit }
		/^description:/ { on = 1; sub(/^description:[ \t]*[>|]?[-+]?[ \t]*/, ""); text = $0; next }
		on && /^[ \t]/ { sub(/^[ \t]+/, " "); text = text $0; next }
		on { exit }
		END {
			gsub(/^[ \t"\047]+/, "", text); gsub(/\r/, "", text)
			if (match(text, /(\.|。|!)([ \t]|$)/)) text = substr(text, 1, RSTART - 1)
			sub(/[."\047]+$/, "", text)
			print text
		}' "$1"
}

# example shows the answer to one prompt. The prompt is the first sentence of one of the
# user's skills. A user without skills gets an example with the skills of this checkout.
example() {
	tried=0
	for file in "$claude"/skills/*/SKILL.md "$claude"/plugins/cache/*/*/*/skills/*/SKILL.md "$claude"/plugins/marketplaces/*/plugins/*/skills/*/SKILL.md; do
		[ -f "$file" ] || continue
		[ "$tried" -lt 8 ] || break
		prompt=$(first_sentence "$file")
		[ -n "$prompt" ] || continue
		tried=$((tried + 1))
		if "$skillgate" query "$prompt" >"$work/example" 2>/dev/null && grep -q '^inject' "$work/example"; then
			printf 'One example:\n$ skillgate query "%s"\n' "$prompt"
			head -n 8 "$work/example"
			return
		fi
	done
	if [ "$tried" = 0 ]; then
		say 'You have no skills yet. An example with the skills from the test data:'
		printf '$ skillgate query --library testdata/skills-e2e "Review this pull request for security problems"\n'
		cd "$source_dir"
		"$skillgate" query --library testdata/skills-e2e 'Review this pull request for security problems' || true
	fi
}

set_up() {
	cd "$HOME"
	if [ "$form" = none ]; then
		"$skillgate" index || fail 'the skills cannot be indexed; see the message above'
	else
		# shellcheck disable=SC2086 # no argument if it is empty
		"$skillgate" install $form || fail "skillgate is not registered; see the message above, then run \`$skillgate install\`"
	fi
	if "$skillgate" doctor >"$work/doctor"; then
		say 'skillgate doctor: no problems'
	else
		grep -v '^ok ' "$work/doctor" || true
	fi
	example
}

finish() {
	case :$PATH: in
	*:"$bin":*) ;;
	*) say "$bin is not on your PATH. The hook works without it. To use the commands, run:  export PATH=\"$bin:\$PATH\"" ;;
	esac
	if [ "$form" = none ]; then
		say "skillgate is not registered. Run \`$skillgate install\` to register it."
	else
		say "From now on Claude Code runs skillgate on every prompt. \`skillgate log\` shows its decisions."
	fi
}

main() {
	while [ $# -gt 0 ]; do
		case $1 in
		--prefix)
			[ $# -ge 2 ] || fail '--prefix needs a folder'
			PREFIX=$2
			shift
			;;
		--prefix=*) PREFIX=${1#--prefix=} ;;
		--with-rerank) with_rerank=true ;;
		--with-org) with_org=true ;;
		--hook) form=--hook ;;
		--no-hook) form=none ;;
		--dry-run) dry_run=true ;;
		-h | --help)
			usage
			exit 0
			;;
		*)
			usage >&2
			fail "unknown argument $1"
			;;
		esac
		shift
	done
	[ -n "${HOME:-}" ] || fail 'HOME is not set'
	PREFIX=${PREFIX:-$HOME/.local}
	case $PREFIX in
	/*) ;;
	*) PREFIX=$(pwd)/$PREFIX ;;
	esac
	bin=$PREFIX/bin
	skillgate=$bin/skillgate
	claude=${CLAUDE_CONFIG_DIR:-$HOME/.claude}
	system=$(uname -s)
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 3' HUP INT TERM

	case $system in
	Linux | Darwin) ;;
	*) fail "$system is not supported; use Linux or macOS" ;;
	esac
	check
	build_skillgate
	if $with_rerank; then
		build_rerank
	fi
	if $with_org; then
		build_org
	fi
	if $dry_run; then
		if [ "$form" = none ]; then
			run "$skillgate" index
		else
			# shellcheck disable=SC2086 # no argument if it is empty
			run "$skillgate" install $form
		fi
		run "$skillgate" doctor
		say 'Nothing was changed.'
		return
	fi
	set_up
	finish
}

main "$@"
