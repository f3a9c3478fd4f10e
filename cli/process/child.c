/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tools to their end, with files instead of pipes. */
#include "child.h"

#include "folders.h"
#include "memory.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last line with more than blanks and punctuation. */
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

int mt_child_ask(FILE **output, char *const *argv, char *const *env,
                 struct mt_error *err)
{
    FILE *nothing = tmpfile(), *messages = tmpfile(), *answer = tmpfile();
    int status =
        nothing && messages && answer
            ? mt_child_run(argv, env, nothing, answer, messages, err)
            : mt_fail(err, MT_EIO, "cannot make temporary files for %s", argv[0]);
    if (nothing)
        fclose(nothing);
    if (messages)
        fclose(messages);
    if (answer && status != MT_OK)
        fclose(answer);
    if (status != MT_OK)
        return status;
    rewind(answer);
    *output = answer;
    return MT_OK;
}

char **mt_environment_without(const char *prefix)
{
    char **env = NULL;
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, prefix, strlen(prefix)) != 0)
            mt_words_add(&env, "%s", *variable);
    return env;
}
