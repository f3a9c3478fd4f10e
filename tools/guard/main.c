/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-guard FOLDER - waits until the motley that started it has gone, which ends its
 * standard input; then ends the programs of that motley, and removes the folder of its
 * session. A motley that ends by itself does both, and kills its guard.
 */
#include "cli/process/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Close descriptors that motley's own parent left open. */
static void close_files(void)
{
    DIR *files = opendir("/proc/self/fd");
    for (struct dirent *entry; files && (entry = readdir(files));) {
        const int file = (int)strtol(entry->d_name, NULL, 10);
        if (file > STDERR_FILENO && file != dirfd(files))
            close(file);
    }
    if (files)
        closedir(files);
}

int main(int argc, char **argv)
{
    char byte;
    if (argc != 2)
        return EXIT_FAILURE;
    /* It must survive signals that ask all processes to end, as from a scheduler. */
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    close_files();
    while (read(STDIN_FILENO, &byte, 1) != 0)
        if (errno != EINTR)
            return EXIT_FAILURE;
    return mt_session_clean(argv[1], NULL) == MT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
