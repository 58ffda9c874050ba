//go:build cgo

package start

// What Go's runtime does before the first line of Go, it does without mercy: where there
// is no address space to reserve, and where no thread can be started, it ends with status
// 2, for which the host blocks the prompt; with millions of processors in GOMAXPROCS it
// fills the memory. This runs before it.

/*
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Measured for Go 1.26 on amd64, with room for other versions.
enum {
	address_space = 2048, // MB: start-up fails at some limits up to 1,500
	data = 256,           // MB: likewise up to 100
	processors = 1024,   // more than these are a mistake
};

// quiet says whether this is hook or observe, whose input is read to its end then: a host
// takes a pipe that is closed early for a failure.
static int quiet(void) {
	char line[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 1;
	ssize_t n = read(fd, line, sizeof line - 1);
	close(fd);
	if (n <= 0)
		return 1;
	line[n] = 0;
	size_t first = strlen(line) + 1;
	if (first >= (size_t)n || strcmp(line + first, "hook") && strcmp(line + first, "observe"))
		return 0;
	struct pollfd in = {.fd = 0, .events = POLLIN};
	for (int i = 0; i < 100000 && poll(&in, 1, 100) > 0 && read(0, line, sizeof line) > 0; i++)
		;
	return 1;
}

static void refuse(const char *what, const char *flag, rlim_t limit, int need) {
	if (quiet())
		_exit(0);
	char text[300];
	int n = snprintf(text, sizeof text, "skillgate: %s is limited to %llu KB; skillgate needs %d KB\n"
		"skillgate: hint: `ulimit %s %d` or more, or `unlimited`\n",
		what, (unsigned long long)limit / 1024, need * 1024, flag, need * 1024);
	if (write(2, text, n) < 0)
		_exit(3);
	_exit(3);
}

static int named(const char *variable, const char *name) {
	return strncmp(variable, name, strlen(name)) == 0;
}

// variables changes the process's variables in place, where the runtime reads them: no
// more processors than there can be, and an end by SIGABRT, not by status 2, for what it
// does not survive. There is no room for a new variable: a shell's own gives way.
static void variables(void) {
	static char crash[] = "GOTRACEBACK=crash";
	char **place = NULL;
	for (char **v = environ; *v; v++) {
		if (named(*v, "GOTRACEBACK=")) {
			place = v;
			break;
		}
		if (named(*v, "_=") || !place && (named(*v, "OLDPWD=") || named(*v, "SHLVL=")))
			place = v;
	}
	if (place)
		*place = crash;
	char *processors_wanted = getenv("GOMAXPROCS");
	if (processors_wanted && strtol(processors_wanted, NULL, 10) > processors)
		*processors_wanted = 0; // no number at all: as many as there are
}

__attribute__((constructor)) static void before_go(void) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
		size_t size = (size_t)address_space << 20;
		void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (room == MAP_FAILED)
			refuse("address space", "-v", limit.rlim_cur, address_space);
		munmap(room, size);
	}
	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < (rlim_t)data << 20)
		refuse("data", "-d", limit.rlim_cur, data);
	variables();
}
*/
import "C"
