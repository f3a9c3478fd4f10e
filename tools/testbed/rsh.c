/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-testbed-rsh [OPTION...] HOST WORD...: runs the words, joined by blanks, in a
 * shell on another node of the testbed on which it is started. MPI launchers take it
 * for ssh.
 */
#include "holder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_CONNECTION = 255 }; /* ssh's exit status for its own failures */

static int complain(const char *text)
{
    fprintf(stderr, "motley-testbed-rsh: %s\n", text);
    return EXIT_CONNECTION;
}

/* The words, joined by blanks, which the caller frees; NULL: no memory. */
static char *join_words(char *const *words)
{
    char *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    if (!stream)
        return NULL;
    for (int i = 0; words[i]; i++)
        fprintf(stream, "%s%s", i > 0 ? " " : "", words[i]);
    return fclose(stream) == 0 ? line : NULL;
}

int main(int argc, char **argv)
{
    /* ssh's options, which are ignored; those with a colon have an argument. */
    static const char options[] =
        "+1246AaB:b:Cc:D:E:e:F:fGgI:i:J:KkL:l:Mm:NnO:o:p:Q:qR:S:sTtVvW:w:XxYy";
    struct mt_testbed_place own, place;
    struct mt_error err = {0};
    int option;
    while ((option = getopt(argc, argv, options)) != -1)
        if (option == '?')
            return EXIT_CONNECTION;
    if (argc - optind < 2)
        return complain("a host and a command are needed");
    if (!mt_place_own(&own))
        return complain("this is not a node of a testbed; 'motley testbed exec' "
                        "starts programs on one");
    char *line = join_words(argv + optind + 1);
    if (!line)
        return complain("no memory for a command");
    if (mt_place_set(&place, own.testbed, argv[optind], &err) != MT_OK ||
        mt_testbed_join(&place, &err) != MT_OK)
        return complain(err.text);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    return complain("cannot start '/bin/sh'");
}
