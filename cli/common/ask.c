/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

bool mt_ask(const char *format, ...)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char answer[16];
    va_list arguments;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    fputs("motley: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("? [y/N] ", stderr);
    /* Other than a read, a signal ends this. */
    return poll(&input, 1, -1) == 1 && fgets(answer, sizeof answer, stdin) &&
           (answer[0] == 'y' || answer[0] == 'Y');
}
