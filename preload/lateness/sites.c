/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites in the program: the object and its address immediately, while the MPI
 * runs, and the source line, by addr2line, at the end.
 */
#include "counts.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* An address relative to the object, which people and addr2line can find, and which is
   the same on ranks that loaded the program at different addresses. */
struct site_name {
    char object[64];   /* file name of the program or library, without folders */
    char function[64]; /* "": not known */
    uint64_t address;  /* of the call, in the object */
    char path[256];    /* of the object; "": it is a copy that will be deleted before
                          the lookup */
};

/* The copies are called PROGRAM_PID_RANK.so. */
static void cut_copy_number(char *object)
{
    for (int part = 0; part < 2; part++) {
        char *underscore = strrchr(object, '_');
        if (underscore)
            *underscore = 0;
    }
}

/* The program has no name in the map, and may have been started by a relative path. */
static void find_path(struct site_name *name, const char *in_map)
{
    if (*in_map)
        snprintf(name->path, sizeof name->path, "%s", in_map);
    else if (readlink("/proc/self/exe", name->path, sizeof name->path - 1) < 0)
        *name->path = 0;
}

/* `caller` is the address that the call returns to; its line is that of the call's last
   byte. In the simulator each rank has a copy of the program with a name of its own,
   which is taken back to the program's. */
static struct site_name site_name_of(const void *caller, bool simulated)
{
    struct site_name name = {.object = "unknown"};
    const char *call = (const char *)caller - 1;
    Dl_info info;
    void *found = NULL;
    if (!dladdr1(call, &info, &found, RTLD_DL_LINKMAP))
        return name;
    const struct link_map *map = found;
    if (!simulated)
        find_path(&name, map->l_name);
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(name.object, sizeof name.object, "%s", slash ? slash + 1 : info.dli_fname);
    if (simulated)
        cut_copy_number(name.object);
    if (info.dli_sname)
        snprintf(name.function, sizeof name.function, "%s", info.dli_sname);
    name.address = (uint64_t)((uintptr_t)call - map->l_addr);
    return name;
}

struct site *caller_site(struct counts *counts, const void *caller, bool simulated)
{
    for (int i = 0; i < counts->sites; i++)
        if (counts->site[i].caller == caller)
            return &counts->site[i];
    struct site_name name = site_name_of(caller, simulated);
    struct site *site = counts_site(counts, name.object, name.function, name.address);
    if (site && site->object[0]) {
        site->caller = caller;
        memcpy(site->path, name.path, sizeof site->path);
    }
    return site;
}

enum { LONGEST_WAIT = 10, TEXT = 1 << 16 };

/* Start the program with its output going to `output`. Its environment is empty, so
   that it does not load this process's preloaded libraries. 0 or an errno. */
static int start(pid_t *child, char *const arguments[], int output)
{
    char *environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                                  O_WRONLY, 0);
    if (!failed)
        failed =
            posix_spawnp(child, arguments[0], &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* Read everything until the end or until time is up. */
static void read_all(int input, char *text)
{
    const time_t end = time(NULL) + LONGEST_WAIT;
    struct pollfd ready = {.fd = input, .events = POLLIN};
    size_t length = 0;
    while (length < TEXT - 1 && time(NULL) < end) {
        const int found = poll(&ready, 1, 1000);
        if (found == 0 || (found < 0 && errno == EINTR))
            continue;
        const ssize_t bytes = read(input, text + length, TEXT - 1 - length);
        if (bytes <= 0)
            break;
        length += (size_t)bytes;
    }
    text[length] = 0;
}

/* Read the output of the program; false: it cannot be started. */
static bool run(char *const arguments[], char *text)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const bool started = start(&child, arguments, ends[1]) == 0;
    close(ends[1]);
    if (started) {
        read_all(ends[0], text);
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    return started;
}

/* FOLDER/FILE:LINE (...); not known: ??:0 */
static void take_line(struct site *site, char *line)
{
    line[strcspn(line, " ")] = 0;
    const char *slash = strrchr(line, '/');
    const char *name = slash ? slash + 1 : line;
    const char *colon = strrchr(name, ':');
    if (colon && strchr("123456789", colon[1]) && colon[1] &&
        strncmp(name, "??", 2) != 0)
        snprintf(site->line, sizeof site->line, "%s", name);
}

/* Find the lines of the first site and of all later ones in the same object. */
static void find_in_object(struct site *site, int sites)
{
    char addresses[MAX_SITES + 1][20];
    char program[] = "addr2line", option[] = "-e";
    char *arguments[MAX_SITES + 5] = {program, option, site->path};
    int n = 3;
    for (int i = 0; i < sites; i++) {
        if (strcmp(site[i].path, site->path) != 0)
            continue;
        snprintf(addresses[i], sizeof addresses[i], "0x%" PRIx64, site[i].address);
        arguments[n++] = addresses[i];
    }
    char *text = malloc(TEXT), *rest = NULL;
    if (text && run(arguments, text)) {
        char *line = strtok_r(text, "\n", &rest);
        for (int i = 0; i < sites && line; i++)
            if (strcmp(site[i].path, site->path) == 0) {
                take_line(&site[i], line);
                line = strtok_r(NULL, "\n", &rest);
            }
    }
    free(text);
}

/* Whether no site before this one is in the same object. */
static bool is_first(const struct counts *counts, int i)
{
    for (int j = 0; j < i; j++)
        if (strcmp(counts->site[j].path, counts->site[i].path) == 0)
            return false;
    return *counts->site[i].path;
}

static bool same_line(const struct site *a, const struct site *b)
{
    return *a->line && a->call == b->call && strcmp(a->line, b->line) == 0 &&
           strcmp(a->object, b->object) == 0;
}

void lines_find(struct counts *counts)
{
    for (int i = 0; i < counts->sites; i++)
        if (is_first(counts, i))
            find_in_object(&counts->site[i], counts->sites - i);
    if (!counts->all_calls)
        return;
    for (int i = 0; i < counts->sites; i++)
        for (int j = counts->sites - 1; j > i; j--)
            if (same_line(&counts->site[i], &counts->site[j]))
                counts_join(counts, i, j);
}
