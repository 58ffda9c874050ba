//go:build cgo

package start

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
#include "limits.h"

// quiet says whether this is hook or observe, whose input is read to its end then.
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

// refuse ends the program, which needs so many bytes.
static void refuse(const char *what, const char *flag, rlim_t limit, unsigned need) {
	if (quiet())
		_exit(0);
	char text[300];
	int n = snprintf(text, sizeof text, "skillgate: %s is limited to %llu KB; skillgate needs %u KB\n"
		"skillgate: hint: `ulimit %s %u` or more, or `unlimited`\n",
		what, (unsigned long long)limit / 1024, need / 1024, flag, need / 1024);
	if (write(2, text, n) < 0)
		_exit(3);
	_exit(3);
}

static int named(const char *variable, const char *name) {
	return strncmp(variable, name, strlen(name)) == 0;
}

// variables changes the process's variables in place. There is no room for a new one: a
// shell's own gives way.
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
	char *processors = getenv("GOMAXPROCS");
	if (processors && strlen(processors) > PROCESSOR_DIGITS)
		*processors = 0;
}

__attribute__((constructor)) static void before_go(void) {
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
		void *room = mmap(NULL, ADDRESS_SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (room == MAP_FAILED)
			refuse("address space", "-v", limit.rlim_cur, ADDRESS_SPACE);
		munmap(room, ADDRESS_SPACE);
	}
	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < DATA)
		refuse("data", "-d", limit.rlim_cur, DATA);
	variables();
}
*/
import "C"
