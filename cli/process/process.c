/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts programs by posix_spawn(), and waits by poll() for their output, their ends,
   and signals. */
#include "process.h"

#include "memory.h"
#include "orphans.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The environment of a program: motley's own, except what `additions` and `mark`, if
   there is one, set. The array is to be freed; its strings are borrowed. */
static char **merge_environment(char *const *additions, char *mark)
{
    size_t count = 0;
    for (char **old = environ; *old; old++)
        count++;
    for (char *const *set = additions; set && *set; set++)
        count++;
    char **merged = mt_calloc(count + 2, sizeof *merged);
    size_t length = 0;
    for (char *const *set = additions; set && *set; set++)
        merged[length++] = *set;
    if (mark)
        merged[length++] = mark;
    const size_t nset = length;
    for (char **old = environ; *old; old++) {
        size_t name = strcspn(*old, "=") + 1;
        bool replaced = false;
        for (size_t i = 0; i < nset && !replaced; i++)
            replaced = !strncmp(merged[i], *old, name);
        if (!replaced)
            merged[length++] = *old;
    }
    return merged;
}

/* posix_spawnp() with the pipe's end as output; returns an error number. */
static int spawn(struct mt_process *process, int output, char *const *env)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                                O_RDONLY, 0);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(
            &actions, process->messages ? process->messages : output, STDERR_FILENO);
    if (code == 0 && process->folder)
        code = posix_spawn_file_actions_addchdir_np(&actions, process->folder);
    if (code == 0)
        code = posix_spawnp(&process->pid, process->argv[0], &actions, &attributes,
                            process->argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return code;
}

/* Why a program could not be started. For an existing program without its interpreter,
   Linux reports "No such file or directory". */
static int fail_to_start(const char *path, int code, struct mt_error *err)
{
    char begin[PATH_MAX] = "";
    const enum mt_status status = code == ENOENT ? MT_ENOTFOUND : MT_EIO;
    FILE *file = code == ENOENT && strchr(path, '/') ? fopen(path, "re") : NULL;
    const bool there = file != NULL;
    const bool script =
        there && fgets(begin, sizeof begin, file) && strncmp(begin, "#!", 2) == 0;
    if (file)
        fclose(file);
    if (!there)
        return mt_fail(err, status, "'%s' could not be started: %s", path,
                       strerror(code));
    const char *name = begin + 2 + strspn(begin + 2, " \t");
    if (script && strchr(name, '\r'))
        return mt_fail(err, status,
                       "'%s' could not be started: its lines end as those of Windows "
                       "(CR LF); 'dos2unix' mends it",
                       path);
    const int length = script ? (int)strcspn(name, " \t\r\n") : INT_MAX;
    return mt_fail(err, status, "cannot start '%s': %s '%.*s' does not exist", path,
                   script ? "its interpreter" : "the loader of", length,
                   script ? name : path);
}

/* Start the program with the mark of its record, or NULL. */
static int start(struct mt_process *process, char *mark, struct mt_error *err)
{
    int ends[2];
    char **env = merge_environment(process->env, mark);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(env);
        return mt_fail(err, MT_EIO, "no pipe for '%s': %s", process->argv[0],
                       strerror(errno));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    process->spawned = process->started = mt_clock();
    int code = spawn(process, ends[1], env);
    close(ends[1]);
    free(env);
    if (code != 0) {
        process->pid = 0;
        close(ends[0]);
        process->refused = true;
        return fail_to_start(process->argv[0], code, err);
    }
    process->pipe = ends[0];
    return MT_OK;
}

/* Called before the process starts, so that every process has a record. */
static int begin_record(struct mt_process *process, char **mark, struct mt_error *err)
{
    static int last;
    const char *folder = mt_session_folder();
    process->number = 0;
    if (!folder)
        return MT_OK;
    int status = mt_session_guard(err);
    if (status == MT_OK)
        status = mt_record_begin(folder, last + 1, err);
    if (status == MT_OK) {
        process->number = ++last;
        *mark = mt_asprintf(MT_RUN_VARIABLE "=%s/%d", folder, last);
    }
    return status;
}

static void end_record(struct mt_process *process)
{
    const char *folder = mt_session_folder();
    if (process->number > 0 && folder)
        mt_record_end(folder, process->number);
    process->number = 0;
}

int mt_process_start(struct mt_process *process, struct mt_error *err)
{
    char *mark = NULL;
    int status = begin_record(process, &mark, err);
    if (status == MT_OK)
        status = start(process, mark, err);
    if (status == MT_OK && process->number > 0)
        mt_record_process(mt_session_folder(), process->number, process->pid);
    else if (status != MT_OK)
        end_record(process);
    free(mark);
    return status;
}

void mt_process_stop(struct mt_process *process)
{
    const bool again = process->kill_at > 0;
    kill(-process->pid, again ? SIGKILL : SIGTERM);
    kill(-process->pid, SIGCONT); /* a stopped process would not get the signal */
    process->kill_at = mt_clock() + (again ? 1 : MT_GRACE_SECONDS);
}

void mt_processes_stop(struct mt_process **processes, int count)
{
    for (int i = 0; i < count; i++)
        if (processes[i] && processes[i]->pid != 0)
            mt_process_stop(processes[i]);
}

enum { READ_MOST = 16384 }; /* bytes at once */

static void write_all(int descriptor, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno != EINTR)
            return; /* the reader is gone: not the program's fault */
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
}

/* A terminal gets clean text, with the '\r' of progress bars; a file or pipe gets every
   byte. */
static void echo(struct mt_process *process, const char *bytes, size_t count)
{
    char clean[READ_MOST + sizeof process->cleaner.held];
    if (!isatty(process->echo)) {
        write_all(process->echo, bytes, count);
        return;
    }
    process->cleaner.returns = true;
    write_all(process->echo, clean,
              mt_text_clean_bytes(&process->cleaner, bytes, count, clean));
}

/* Seconds between a launcher's message and the request to end: srun reports that it
   waits a moment before it can be stopped. */
static const double settle_seconds = 0.1;

/* Handle a launcher's message on waiting for its nodes. */
static void heed(struct mt_process *process, enum mt_pending_news news)
{
    switch (news) {
    case MT_PENDING_NOTHING:
        break;
    case MT_PENDING_WAITS:
        process->waits = true;
        break;
    case MT_PENDING_STARTS:
        process->waits = false;
        process->started = mt_clock();
        break;
    case MT_PENDING_HOPELESS:
        process->stop_at = mt_clock() + settle_seconds;
        break;
    }
}

/* Read what is there, at most about `most` bytes. */
static void read_output(struct mt_process *process, size_t most)
{
    char buffer[READ_MOST];
    size_t total = 0;
    while (process->pipe >= 0 && total < most) {
        ssize_t count = read(process->pipe, buffer, sizeof buffer);
        if (count > 0) {
            total += (size_t)count;
            mt_output_eat(&process->output, buffer, (size_t)count);
            heed(process, mt_pending_eat(&process->pending, buffer, (size_t)count));
            if (process->echo)
                echo(process, buffer, (size_t)count);
        } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(process->pipe);
            process->pipe = -1;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

/* A launcher that was killed or stopped may have left ranks, which have groups of their
   own. */
static void kill_what_is_left(const struct mt_process *process)
{
    const char *folder = mt_session_folder();
    if (process->number == 0 || !folder)
        return;
    const int status = mt_orphans_kill(folder, process->number, NULL);
    (void)status; /* a process that cannot be killed is left */
}

/* Whether the process has ended now. It stays a zombie until its group is killed, so
   that its number cannot mean another group. */
static bool reap(struct mt_process *process)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0)
        return false;
    process->wall = mt_clock() - process->started;
    process->elapsed = mt_clock() - process->spawned;
    kill(-process->pid, SIGKILL);
    if (info.si_code != CLD_EXITED || process->kill_at > 0)
        kill_what_is_left(process);
    end_record(process);

    /* Descendants outside the group may hold the pipe open, so read only its current
       content. */
    if (process->pipe >= 0)
        read_output(process, (size_t)fcntl(process->pipe, F_GETPIPE_SZ));
    if (process->pipe >= 0)
        close(process->pipe);
    process->pipe = -1;
    mt_output_finish(&process->output);

    waitpid(process->pid, NULL, 0);
    process->pid = 0;
    process->ended = true;
    if (info.si_code == CLD_EXITED)
        process->exit_code = info.si_status;
    else
        process->signal = info.si_status;
    return true;
}

/* The time of the next action on the process; `never`: none. */
static double next_moment(const struct mt_process *process, double never)
{
    if (process->kill_at > 0)
        return process->kill_at;
    if (process->stop_at > 0)
        return process->stop_at;
    if (process->timeout > 0 && !process->waits)
        return process->started + process->timeout;
    return never;
}

static void enforce_timeout(struct mt_process *process, double now)
{
    if (now < next_moment(process, now + 1))
        return;
    if (process->kill_at == 0 && process->stop_at == 0)
        process->timed_out = true;
    mt_process_stop(process);
}

static void read_signals(struct mt_watch *watch)
{
    unsigned char number;
    watch->resumed = false;
    while (read(watch->pipe[0], &number, 1) == 1)
        if (number == SIGCONT) {
            watch->resumed = true;
        } else if (number != SIGCHLD && number != SIGPIPE) {
            watch->interrupted = number;
            watch->times++;
        }
}

/* The longest wait whose milliseconds fit an int. */
static const double longest_poll = 1e6;

static int poll_once(struct mt_watch *watch, struct mt_process **running, int count,
                     double until, struct mt_error *err)
{
    struct pollfd *polled = mt_calloc((size_t)count + 1, sizeof *polled);
    for (int i = 0; i < count; i++) {
        polled[i] = (struct pollfd){.fd = running[i]->pipe, .events = POLLIN};
        double moment = next_moment(running[i], until);
        if (moment < until)
            until = moment;
    }
    polled[count] = (struct pollfd){.fd = watch->pipe[0], .events = POLLIN};
    const double seconds = fmin(until - mt_clock(), longest_poll);
    const int milliseconds = seconds > 0 ? (int)(1000 * seconds) + 1 : 0;
    int code = poll(polled, (nfds_t)count + 1, milliseconds);
    free(polled);
    if (code < 0 && errno != EINTR)
        return mt_fail(err, MT_EIO, "programs cannot be watched: %s", strerror(errno));
    return MT_OK;
}

int mt_watch_wait(struct mt_watch *watch, struct mt_process **processes, int count,
                  double seconds, struct mt_error *err)
{
    const double until = mt_clock() + seconds;
    const int times = watch->times;
    struct mt_process **running = mt_calloc((size_t)count + 1, sizeof(void *));
    int nrunning = 0;
    for (int i = 0; i < count; i++)
        if (processes[i] && processes[i]->pid != 0)
            running[nrunning++] = processes[i];

    int status = MT_OK;
    bool ended = false;
    while (status == MT_OK && !ended && watch->times == times && mt_clock() < until) {
        status = poll_once(watch, running, nrunning, until, err);
        read_signals(watch);
        for (int i = 0; i < nrunning; i++) {
            read_output(running[i], 1 << 20); /* one that floods must not starve all */
            if (!reap(running[i])) {
                enforce_timeout(running[i], mt_clock());
                continue;
            }
            running[i]->overslept = watch->resumed;
            ended = true;
        }
    }
    free(running);
    return status;
}

/* SIGPIPE has a handler and is not ignored because programs would inherit that. */
static const int watched[MT_WATCHED_SIGNALS] = {SIGCHLD, SIGPIPE, SIGCONT, SIGINT,
                                                SIGQUIT, SIGTERM, SIGHUP};

/* The pipe of the handler. A signal may arrive on any thread (the BLAS starts some), so
   blocking it here and reading a signalfd would not do. */
static int handler_pipe = -1;

static void tell(int number)
{
    const int error = errno;
    const unsigned char byte = (unsigned char)number;
    ssize_t written = write(handler_pipe, &byte, 1);
    (void)written; /* a full pipe suffices */
    errno = error;
}

int mt_watch_begin(struct mt_watch *watch, struct mt_error *err)
{
    *watch = (struct mt_watch){0};
    if (pipe2(watch->pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return mt_fail(err, MT_EIO, "signals cannot be watched: %s", strerror(errno));
    watch->pipe_before = handler_pipe;
    handler_pipe = watch->pipe[1];
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
    for (int i = 0; i < MT_WATCHED_SIGNALS; i++) {
        sigaction(watched[i], NULL, &watch->before[i]);
        /* Keep signals ignored that motley's parent ignores, except SIGCHLD, which is
           indispensable. */
        if (watch->before[i].sa_handler != SIG_IGN || watched[i] == SIGCHLD)
            sigaction(watched[i], &action, NULL);
    }
    return MT_OK;
}

void mt_watch_end(struct mt_watch *watch)
{
    for (int i = 0; i < MT_WATCHED_SIGNALS; i++)
        sigaction(watched[i], &watch->before[i], NULL);
    handler_pipe = watch->pipe_before;
    close(watch->pipe[0]);
    close(watch->pipe[1]);
}

static bool any_runs(struct mt_process **processes, int count)
{
    for (int i = 0; i < count; i++)
        if (processes[i] && processes[i]->pid != 0)
            return true;
    return false;
}

int mt_watch_all(struct mt_watch *watch, struct mt_process **processes, int count,
                 struct mt_error *err)
{
    int status = MT_OK;
    while (status == MT_OK && any_runs(processes, count)) {
        const int times = watch->times;
        status = mt_watch_wait(watch, processes, count, HUGE_VAL, err);
        if (status != MT_OK || watch->times > times)
            mt_processes_stop(processes, count);
    }
    return status;
}

int mt_process_run(struct mt_process *process, int *interrupted, struct mt_error *err)
{
    struct mt_watch watch;
    int status = mt_watch_begin(&watch, err);
    if (status != MT_OK)
        return status;
    status = mt_process_start(process, err);
    if (status == MT_OK)
        status = mt_watch_all(&watch, &process, 1, err);
    mt_watch_end(&watch);
    *interrupted = watch.interrupted;
    return status;
}
