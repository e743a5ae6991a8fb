// SPDX-License-Identifier: GPL-2.0-only
/* Reading and writing the small files of the kernel, and the output. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "orc.h"

int out = 1;

int put(const char *file, const char *text, int flags)
{
	int fd = open(file, O_WRONLY | flags), r;

	if (fd < 0)
		return -1;
	r = write(fd, text, strlen(text));
	close(fd);
	return r < 0 ? -1 : 0;
}

int wr(const char *file, const char *text)
{
	return put(file, text, O_TRUNC);
}

/* Reads a file without its last newline; empty when there is none. */
char *rd(const char *file, char *b, int n)
{
	int fd = open(file, O_RDONLY), k = 0, r;

	b[0] = 0;
	if (fd < 0)
		return b;
	while (k < n - 1 && (r = read(fd, b + k, n - 1 - k)) > 0)
		k += r;
	close(fd);
	b[k] = 0;
	while (k && (b[k - 1] == '\n' || b[k - 1] == ' '))
		b[--k] = 0;
	return b;
}

void outs(const char *s, int n)
{
	while (n > 0) {
		int r = write(out, s, n);

		if (r <= 0)
			break;
		s += r;
		n -= r;
	}
}

void pr(const char *fmt, ...)
{
	char b[4096];
	va_list a;

	va_start(a, fmt);
	int n = vsnprintf(b, sizeof b, fmt, a);
	va_end(a);
	outs(b, n);
}

const char *path(const char *fmt, ...)
{
	static char b[256];
	va_list a;

	va_start(a, fmt);
	vsnprintf(b, sizeof b, fmt, a);
	va_end(a);
	return b;
}

