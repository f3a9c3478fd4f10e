/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the processes of a run in /proc, and ends them. */
#include "orphans.h"

#include "clock.h"
#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The time for killed processes to disappear, such as one that waits for a disk. */
static const double kill_seconds = 5;

static const struct timespec pause_between_looks = {.tv_nsec = 20L * 1000 * 1000};

/* A process by /proc. */
struct seen {
    pid_t pid, parent, group;
    unsigned long long started; /* in the kernel's ticks since the boot */
    char name[32];
    bool ours;  /* belongs to a run that is to end */
    bool alive; /* not only a zombie */
};

struct seen_list {
    struct seen *all; /* owned */
    int count;
};

/* The contents of a small file, at most size - 1 bytes; their number, or -1. */
static ssize_t read_at(int folder, const char *name, char *text, size_t size)
{
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    size_t length = 0;
    ssize_t count = 1;
    while (count > 0 && length < size - 1) {
        count = read(file, text + length, size - 1 - length);
        if (count > 0)
            length += (size_t)count;
    }
    close(file);
    text[length] = 0;
    return count < 0 ? -1 : (ssize_t)length;
}

/* Parse /proc/PID/stat, whose second field may have blanks and brackets in it. */
static bool read_stat(struct seen *seen, int process)
{
    char text[1024], state;
    if (read_at(process, "stat", text, sizeof text) <= 0)
        return false;
    char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name || !end ||
        sscanf(end + 1,
               " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
               "%*d %llu",
               &state, &seen->parent, &seen->group, &seen->started) != 4)
        return false;
    *end = 0;
    snprintf(seen->name, sizeof seen->name, "%s", name + 1);
    seen->alive = state != 'Z' && state != 'X';
    return true;
}

/* Whether the environment has `variable` as it is, or, when that ends in a slash, with
   more behind it. */
static bool has_variable(int process, const char *variable)
{
    char *text = NULL;
    size_t size = 0;
    bool found = false;
    const int file = openat(process, "environ", O_RDONLY | O_CLOEXEC);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    const size_t length = strlen(variable);
    while (stream && !found && getdelim(&text, &size, 0, stream) > 0)
        found = variable[length - 1] == '/' ? !strncmp(text, variable, length)
                                            : !strcmp(text, variable);
    free(text);
    if (stream)
        fclose(stream);
    return found;
}

/* List this user's processes, except this one; those with the variable are ours. */
static int look(struct seen_list *list, const char *variable, struct mt_error *err)
{
    DIR *proc = opendir("/proc");
    if (!proc)
        return mt_fail(err, MT_EIO, "/proc cannot be read: %s", strerror(errno));
    free(list->all);
    *list = (struct seen_list){0};
    for (struct dirent *entry; (entry = readdir(proc));) {
        struct stat info;
        struct seen seen = {.pid = (pid_t)strtol(entry->d_name, NULL, 10)};
        if (seen.pid <= 1 || seen.pid == getpid())
            continue;
        const int process =
            openat(dirfd(proc), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (process >= 0 && fstat(process, &info) == 0 && info.st_uid == geteuid() &&
            read_stat(&seen, process)) {
            seen.ours = has_variable(process, variable);
            mt_array_extend(&list->all, list->count, sizeof *list->all);
            list->all[list->count++] = seen;
        }
        if (process >= 0)
            close(process);
    }
    closedir(proc);
    return MT_OK;
}

static const struct seen *find_seen(const struct seen_list *list, pid_t pid)
{
    for (int i = 0; i < list->count; i++)
        if (list->all[i].pid == pid)
            return &list->all[i];
    return NULL;
}

/* Descendants of our processes are ours, too. */
static void spread(struct seen_list *list)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < list->count; i++) {
            struct seen *seen = &list->all[i];
            const struct seen *parent =
                seen->ours ? NULL : find_seen(list, seen->parent);
            if (parent && parent->ours)
                more = seen->ours = true;
        }
    }
}

static bool read_boot(char *text, size_t size)
{
    return read_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id", text, size) > 0;
}

/* The process group of the recorded process, if it still is that process. */
static void add_group(struct seen_list *list, int folder, const char *name)
{
    char text[128], boot[64], own_boot[64];
    unsigned long long started;
    int pid;
    if (read_at(folder, name, text, sizeof text) <= 0 ||
        sscanf(text, "%d %llu %63s", &pid, &started, boot) != 3 ||
        !read_boot(own_boot, sizeof own_boot) ||
        strncmp(boot, own_boot, strlen(boot)) != 0)
        return;
    const struct seen *leader = find_seen(list, pid);
    if (!leader || leader->started != started)
        return;
    for (int i = 0; i < list->count; i++)
        if (list->all[i].group == pid)
            list->all[i].ours = true;
}

static bool is_record(const char *name)
{
    return name[0] && name[strspn(name, "0123456789")] == '\0';
}

/* Find all processes of the run, or, if its number is 0, of all recorded runs. */
static int find_ours(struct seen_list *list, const char *path, int number,
                     struct mt_error *err)
{
    char variable[PATH_MAX + 64], own[16];
    const int length =
        snprintf(variable, sizeof variable, MT_RUN_VARIABLE "=%s/", path);
    if (number > 0)
        snprintf(variable + length, sizeof variable - (size_t)length, "%d", number);
    int status = look(list, variable, err);
    DIR *folder = status == MT_OK ? opendir(path) : NULL;
    snprintf(own, sizeof own, "%d", number);
    if (folder && number > 0)
        add_group(list, dirfd(folder), own);
    for (struct dirent *entry; folder && number == 0 && (entry = readdir(folder));)
        if (is_record(entry->d_name))
            add_group(list, dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
    spread(list);
    return status;
}

/* Processes stay ours even after their parent or group leader has gone. */
static void remember(struct seen_list *list, const struct seen_list *before)
{
    for (int i = 0; i < list->count; i++) {
        const struct seen *known = find_seen(before, list->all[i].pid);
        if (known && known->ours && known->started == list->all[i].started)
            list->all[i].ours = true;
    }
}

static int signal_ours(const struct seen_list *list, int number)
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (list->all[i].ours && list->all[i].alive) {
            if (number != 0)
                kill(list->all[i].pid, number);
            if (number == SIGTERM)
                kill(list->all[i].pid,
                     SIGCONT); /* a stopped process would not get the signal */
            count++;
        }
    return count;
}

/* The caller frees it; NULL: none. */
static char *name_ours(const struct seen_list *list)
{
    char *text = NULL;
    for (int i = 0; i < list->count; i++)
        if (list->all[i].ours && list->all[i].alive) {
            char *longer =
                mt_asprintf("%s%s%s (%d)", text ? text : "", text ? ", " : "",
                            list->all[i].name, (int)list->all[i].pid);
            free(text);
            text = longer;
        }
    return text;
}

/* With a `grace`, ask first, and kill when it is over; then check until all have gone.
   After a grace, a second check finds processes started at the end. */
static int end_ours(const char *folder, int number, double grace, char **names,
                    struct mt_error *err)
{
    struct seen_list now = {0}, before = {0};
    const double begun = mt_clock();
    bool asked = grace <= 0;
    int left = 1, looks = 1, status = MT_OK;
    while (looks > 0 && status == MT_OK && mt_clock() < begun + grace + kill_seconds) {
        status = find_ours(&now, folder, number, err);
        remember(&now, &before);
        if (names && !*names)
            *names = name_ours(&now);
        const bool over = mt_clock() >= begun + grace;
        left = signal_ours(&now, over ? SIGKILL : asked ? 0 : SIGTERM);
        asked = true;
        free(before.all);
        before = now;
        now = (struct seen_list){0};
        looks = left > 0 ? 2 : looks - 1;
        if (left > 0)
            nanosleep(&pause_between_looks, NULL);
    }
    if (status == MT_OK && left > 0) {
        char *text = name_ours(&before);
        status = mt_fail(err, MT_EBUSY,
                         "a program of a killed motley still runs, and "
                         "cannot be ended: %.150s",
                         text ? text : "?");
        free(text);
    }
    free(now.all);
    free(before.all);
    return status;
}

int mt_orphans_kill(const char *folder, int number, struct mt_error *err)
{
    return end_ours(folder, number, 0, NULL, err);
}

int mt_orphans_end(const char *folder, char **names, struct mt_error *err)
{
    *names = NULL;
    return end_ours(folder, 0, MT_GRACE_SECONDS, names, err);
}

static int open_record(const char *folder, int number, int flags)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    return open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int mt_record_begin(const char *folder, int number, struct mt_error *err)
{
    const int file = open_record(folder, number, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0)
        return mt_fail(err, MT_EIO, "no file can be made in '%s': %s", folder,
                       strerror(errno));
    close(file);
    return MT_OK;
}

void mt_record_process(const char *folder, int number, pid_t pid)
{
    struct seen seen;
    char path[32], boot[64];
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    const int process = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int file = open_record(folder, number, O_WRONLY);
    if (process >= 0 && file >= 0 && read_stat(&seen, process) &&
        read_boot(boot, sizeof boot))
        dprintf(file, "%d %llu %s", (int)pid, seen.started, boot);
    if (process >= 0)
        close(process);
    if (file >= 0)
        close(file);
}

void mt_record_end(const char *folder, int number)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    unlink(path);
}
