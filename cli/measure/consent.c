/* SPDX-License-Identifier: BSD-3-Clause */
#include "consent.h"

#include "cli/common/format.h"

#include <poll.h>
#include <stdio.h>
#include <unistd.h>

bool mt_consent_ask(double seconds, int left)
{
    char text[MT_QUANTITY_TEXT], answer[16];
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    fprintf(stderr, "motley: all runs take about %s; go on with the %d left? [y/N] ",
            mt_format_seconds(text, seconds), left);
    /* Other than a read, a signal ends this. */
    return poll(&input, 1, -1) == 1 && fgets(answer, sizeof answer, stdin) &&
           (answer[0] == 'y' || answer[0] == 'Y');
}
