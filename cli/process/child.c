/* SPDX-License-Identifier: BSD-3-Clause */
#include "child.h"

#include "folders.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last line that is more than blanks and marks. */
static void read_complaint(FILE *messages, char *line, size_t size)
{
    char next[512];
    snprintf(line, size, "it does not say why");
    rewind(messages);
    while (fgets(next, sizeof next, messages)) {
        next[strcspn(next, "\n")] = '\0';
        const char *text = next + strspn(next, " \t^");
        if (*text)
            snprintf(line, size, "%s", text);
    }
}

int mt_child_run(char *const *argv, char *const *env, FILE *in, FILE *out,
                 FILE *messages, struct mt_error *err)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    char *path = mt_find_tool(argv[0]);
    if (!path)
        return mt_fail(err, MT_ENOTFOUND, "cannot start '%s': %s", argv[0],
                       strerror(ENOENT));
    rewind(in);
    fflush(out);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    if (messages)
        posix_spawn_file_actions_adddup2(&actions, fileno(messages), STDERR_FILENO);
    int failure = posix_spawn(&child, path, &actions, NULL, argv, env ? env : environ);
    posix_spawn_file_actions_destroy(&actions);
    free(path);
    if (failure)
        return mt_fail(err, MT_ENOTFOUND, "cannot start '%s': %s", argv[0],
                       strerror(failure));
    int wait_status;
    while (waitpid(child, &wait_status, 0) < 0)
        if (errno != EINTR)
            return mt_fail(err, MT_EIO, "cannot wait for '%s': %s", argv[0],
                           strerror(errno));
    if (wait_status != 0) {
        char complaint[256] = "it has said why";
        if (messages)
            read_complaint(messages, complaint, sizeof complaint);
        return mt_fail(err, MT_EIO, "'%s' failed: %s", argv[0], complaint);
    }
    return MT_OK;
}
