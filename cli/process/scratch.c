/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The session of this motley: its folder and lock, its guard, the folders in it and
 * those of runs; and the cleanup of sessions whose motley has gone.
 */
#include "scratch.h"

#include "clock.h"
#include "folders.h"
#include "memory.h"
#include "orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SESSION "motley-session-"
/* A mark in the folder of a session that a process is ending. */
#define ENDING "ending"
/* Likewise: names the session's machine, as others may see the folder. */
#define HOST "host"
/* Folders of runs; their session's folder has a link of the same name to each. */
#define RUN_FOLDER "motley-run-"

/* The time for another process to end a session. */
static const double longest_end = 20;

/* This motley's only session, while `users` is above 0. */
static struct {
    char *folder; /* owned */
    int lock;     /* on the folder; free when motley has gone */
    pid_t guard;  /* 0: none */
    int alive;    /* whose other end the guard holds: it closes when motley goes */
    int users;    /* folders that were made and not removed */
    int made;     /* folders made so far */
} session;

/* Resolve links, so that a session has a unique name, which identifies runs. The caller
   frees it. */
static char *base_folder(void)
{
    const char *given = getenv("TMPDIR"), *base = given && *given ? given : "/tmp";
    char *real = realpath(base, NULL);
    return real ? real : mt_strdup(base);
}

/* Open the folder of a session, if it is this user's; -1 and errno: it is not. */
static int open_session(const char *path)
{
    struct stat info;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 || (fstat(folder, &info) == 0 && info.st_uid == geteuid()))
        return folder;
    close(folder);
    errno = EPERM;
    return -1;
}

/* Open and lock the folder of a session. -1: failure; errno EWOULDBLOCK: another
   process holds the lock. */
static int lock_session(const char *path)
{
    const int lock = open_session(path);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    const int reason = errno;
    close(lock);
    errno = reason;
    return -1;
}

static void mark_ending(const char *path)
{
    const int folder = open_session(path);
    if (folder < 0)
        return;
    const int file =
        openat(folder, ENDING, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0)
        close(file);
    close(folder);
}

/* Whether the folder is locked because a guard, or another motley, is ending its
   programs. */
static bool is_ending(const char *path)
{
    char mark[PATH_MAX + sizeof ENDING];
    snprintf(mark, sizeof mark, "%s/" ENDING, path);
    return access(mark, F_OK) == 0;
}

/* Wait for the lock of a session whose motley has gone or is going, while another
   process may be ending it. MT_OK without a lock (-1): nothing is left to do. */
static int take_over(int *lock, const char *path, struct mt_error *err)
{
    static const struct timespec pause = {.tv_nsec = 20L * 1000 * 1000};
    const double until = mt_clock() + longest_end;
    while ((*lock = lock_session(path)) < 0 && errno == EWOULDBLOCK) {
        if (mt_clock() > until)
            return mt_fail(err, MT_EBUSY,
                           "a program of a killed motley does not end: another process "
                           "has locked '%s'",
                           path);
        nanosleep(&pause, NULL);
    }
    return MT_OK;
}

/* In the session's folder a link of the same name leads to a run's folder. */
static bool link_path(char link[PATH_MAX], const char *folder, const char *name)
{
    return snprintf(link, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/* Remove the link's target, if it is one of ours. */
static void follow(const char *folder, const char *name)
{
    char link[PATH_MAX], path[PATH_MAX];
    const ssize_t length =
        link_path(link, folder, name) ? readlink(link, path, sizeof path - 1) : -1;
    if (length <= 0)
        return;
    path[length] = 0;
    if (path[0] == '/' && strcmp(basename(path), name) == 0)
        mt_folder_remove(path);
}

/* Remove all folders that the session still lists. */
static void remove_run_folders(const char *folder)
{
    DIR *links = opendir(folder);
    if (!links)
        return;
    for (struct dirent *entry; (entry = readdir(links));)
        if (strncmp(entry->d_name, RUN_FOLDER, strlen(RUN_FOLDER)) == 0)
            follow(folder, entry->d_name);
    closedir(links);
}

/* `lock` may be -1: there was no folder to lock. */
static int end_locked(const char *folder, int lock, char **names, struct mt_error *err)
{
    mark_ending(folder);
    const int status = mt_orphans_end(folder, names, err);
    if (status == MT_OK) {
        remove_run_folders(folder);
        mt_folder_remove(folder);
    }
    if (lock >= 0)
        close(lock);
    return status;
}

/* A starting motley takes a locked folder without a mark for that of a living motley,
   so mark it first. If it was removed, as by a cleaner of /tmp, make it again, so that
   other processes can see that cleanup is in progress. */
int mt_session_clean(const char *folder, struct mt_error *err)
{
    char *names = NULL;
    int lock;
    const int made = mkdir(folder, 0700);
    (void)made; /* mostly it is there */
    mark_ending(folder);
    int status = take_over(&lock, folder, err);
    if (status == MT_OK)
        status = end_locked(folder, lock, &names, err);
    free(names);
    return status;
}

static void write_host(const char *folder)
{
    char path[PATH_MAX + sizeof HOST], name[HOST_NAME_MAX + 1];
    snprintf(path, sizeof path, "%s/" HOST, folder);
    FILE *file = gethostname(name, sizeof name) == 0 ? fopen(path, "wxe") : NULL;
    if (!file)
        return; /* then it counts as one of this machine's, as most are */
    fputs(name, file);
    fclose(file);
}

/* Another machine's locks and processes may not be seen from here. */
static bool is_of_another_host(const char *folder)
{
    char path[PATH_MAX + sizeof HOST], name[HOST_NAME_MAX + 1] = "", own[sizeof name];
    snprintf(path, sizeof path, "%s/" HOST, folder);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const bool known =
        fgets(name, sizeof name, file) && gethostname(own, sizeof own) == 0;
    fclose(file);
    return known && strcmp(name, own) != 0;
}

/* Leave the session of a living motley alone: its folder is locked without a mark. */
static int clean_and_say(const char *folder, struct mt_error *err)
{
    if (is_of_another_host(folder))
        return MT_OK;
    char *names = NULL;
    int status = MT_OK, lock = lock_session(folder);
    if (lock < 0 && errno == EWOULDBLOCK && is_ending(folder))
        status = take_over(&lock, folder, err);
    if (status == MT_OK && lock >= 0)
        status = end_locked(folder, lock, &names, err);
    if (status == MT_OK && names)
        fprintf(stderr, "motley: ended programs left by a killed motley: %s\n", names);
    free(names);
    return status;
}

int mt_sessions_clean_up(struct mt_error *err)
{
    static bool done;
    char *name = done ? NULL : base_folder();
    DIR *base = name ? opendir(name) : NULL;
    int status = MT_OK;
    for (struct dirent *entry; base && status == MT_OK && (entry = readdir(base));) {
        char path[PATH_MAX];
        if (strncmp(entry->d_name, SESSION, strlen(SESSION)) != 0)
            continue;
        const int length = snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (length < (int)sizeof path)
            status = clean_and_say(path, err);
    }
    if (base)
        closedir(base);
    free(name);
    done = status == MT_OK;
    return status;
}

static int make_folder(struct mt_error *err)
{
    char *base = base_folder(), *path = mt_asprintf("%s/" SESSION "XXXXXX", base);
    free(base);
    if (!mkdtemp(path)) {
        int status =
            mt_fail(err, MT_EIO,
                    "no folder '%s' can be made: %s; the variable TMPDIR says where",
                    path, strerror(errno));
        free(path);
        return status;
    }
    session.folder = path;
    session.lock = lock_session(path);
    write_host(path);
    return MT_OK;
}

/* A starting motley may have taken a folder not locked yet for that of a dead one. On a
   file system without locks (-1), this cannot happen. */
static bool is_taken(void)
{
    struct stat info;
    if (session.lock < 0)
        return errno == EWOULDBLOCK || errno == ENOENT;
    return fstat(session.lock, &info) == 0 && info.st_nlink == 0;
}

static void drop_folder(void)
{
    if (session.lock >= 0)
        close(session.lock);
    free(session.folder);
    session.folder = NULL;
}

/* It has a process session of its own, so that it survives the end of its terminal's
   processes. It reads `end` as its standard input. */
static int spawn_guard(char *path, int end)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    char *const argv[] = {path, session.folder, NULL};
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_init(&actions);
    int code = posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                                O_WRONLY, 0);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    if (code == 0)
        code = posix_spawn(&session.guard, path, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (code != 0)
        session.guard = 0;
    return code;
}

static int start_guard(struct mt_error *err)
{
    int ends[2], status = MT_OK;
    char *path = mt_own_tool("guard", "motley-guard");
    if (!path)
        return mt_own_missing("motley-guard", err);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(path);
        return mt_fail(err, MT_EIO, "no pipe for motley-guard: %s", strerror(errno));
    }
    const int code = spawn_guard(path, ends[0]);
    close(ends[0]);
    session.alive = ends[1];
    if (code != 0) {
        close(ends[1]);
        status =
            mt_fail(err, MT_EIO, "'%s' could not be started: %s", path, strerror(code));
    }
    free(path);
    return status;
}

static void stop_guard(void)
{
    if (session.guard == 0)
        return;
    kill(session.guard, SIGKILL);
    waitpid(session.guard, NULL, 0);
    close(session.alive);
    session.guard = 0;
}

int mt_session_guard(struct mt_error *err)
{
    if (session.users == 0)
        return MT_OK;
    if (session.guard != 0 && waitpid(session.guard, NULL, WNOHANG) == 0)
        return MT_OK;
    if (session.guard != 0)
        close(session.alive);
    session.guard = 0;
    return start_guard(err);
}

static int begin_session(struct mt_error *err)
{
    int status = mt_sessions_clean_up(err);
    if (status == MT_OK)
        status = make_folder(err);
    while (status == MT_OK && is_taken()) {
        drop_folder();
        status = make_folder(err);
    }
    if (status != MT_OK)
        return status;
    status = start_guard(err);
    if (status != MT_OK) {
        mt_folder_remove(session.folder);
        drop_folder();
    }
    return status;
}

static void end_session(void)
{
    mt_folder_remove(session.folder);
    stop_guard();
    drop_folder();
}

const char *mt_session_folder(void)
{
    return session.users > 0 ? session.folder : NULL;
}

int mt_scratch_make(char **folder, struct mt_error *err)
{
    int status = session.users > 0 ? MT_OK : begin_session(err);
    if (status != MT_OK)
        return status;
    char *path = mt_asprintf("%s/files-%d", session.folder, ++session.made);
    if (mkdir(path, 0700) == 0) {
        session.users++;
        *folder = path;
        return MT_OK;
    }
    status =
        mt_fail(err, MT_EIO, "no folder '%s' can be made: %s", path, strerror(errno));
    free(path);
    if (session.users == 0)
        end_session();
    return status;
}

void mt_scratch_remove(char *folder)
{
    if (!folder)
        return;
    mt_folder_remove(folder);
    free(folder);
    if (--session.users == 0)
        end_session();
}

/* The name includes the session's, as other motleys may make folders in the same place.
   The link comes first, so that every folder has one. */
static int make_known(const char *path, struct mt_error *err)
{
    char link[PATH_MAX];
    if (!link_path(link, session.folder, basename(path)) || symlink(path, link) != 0)
        return mt_fail(err, MT_EIO, "no file can be made in '%s': %s", session.folder,
                       strerror(errno));
    if (mkdir(path, 0777) == 0)
        return MT_OK;
    const int reason = errno;
    unlink(link);
    return mt_fail(err, MT_EIO,
                   "no folder '%s' can be made: %s; runs with input files have folders "
                   "below the current one",
                   path, strerror(reason));
}

int mt_run_folder_make(char **path, struct mt_error *err)
{
    static int made;
    char current[PATH_MAX];
    const char *id = strrchr(session.folder, '-');
    if (!getcwd(current, sizeof current))
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    char *name = mt_asprintf("%s/" RUN_FOLDER "%s-%d", current,
                             id ? id + 1 : session.folder, ++made);
    const int status = make_known(name, err);
    if (status == MT_OK)
        *path = name;
    else
        free(name);
    return status;
}

void mt_run_folder_keep(const char *path)
{
    char link[PATH_MAX];
    if (session.folder && link_path(link, session.folder, basename(path)))
        unlink(link);
}

void mt_run_folder_remove(const char *path)
{
    mt_folder_remove(path);
    mt_run_folder_keep(path);
}
