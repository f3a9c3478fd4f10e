/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, limits, joins and removes a testbed's control groups (cgroup v1 and v2). */
#include "groups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    /* Short compared with programs' messages, so that a node appears slow, not down. */
    PERIOD_MICROSECONDS = 10000,
    LEAST_QUOTA_MICROSECONDS = 1000, /* the kernel's */
    LONGEST_MILLISECONDS = 10000     /* until killed processes must have gone */
};

/* One write(): the kernel takes it as one command. */
static int write_file(const char *path, const char *text, struct mt_error *err)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    bool written = descriptor >= 0 &&
                   write(descriptor, text, strlen(text)) == (ssize_t)strlen(text);
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    return written
               ? MT_OK
               : mt_fail(err, error == EBUSY ? MT_EBUSY : MT_EIO,
                         "cannot write '%s' to '%s': %s", text, path, strerror(error));
}

/* Cgroups v2 passes a group's controllers to its children only if told to. */
static int pass_controller_on(const char *folder, struct mt_error *err)
{
    char path[MT_PLACE_PATH + sizeof "/cgroup.subtree_control"];
    snprintf(path, sizeof path, "%s/cgroup.subtree_control", folder);
    int status = write_file(path, "+cpu", err);
    if (status == MT_EBUSY)
        return mt_fail(err, MT_EIO,
                       "control groups below '%s' cannot limit processor time, because "
                       "processes are in that group itself: start motley where they "
                       "are in groups of their own, as systemd puts them",
                       folder);
    return status;
}

static int make_folder(const char *folder, struct mt_error *err)
{
    struct stat info;
    if (mkdir(folder, 0755) == 0)
        return MT_OK;
    if (errno != EEXIST)
        return mt_fail(err, MT_EIO, "cannot make the control group '%s': %s", folder,
                       strerror(errno));
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        return mt_fail(err, MT_EINVAL, "the name '%s' is reserved by the kernel",
                       strrchr(folder, '/') + 1);
    return mt_fail(err, MT_EBUSY, "the control group exists already: '%s'", folder);
}

/* Nodes should get their shares even if other programs run on the machine. If the
   kernel does not allow this, they compete. */
static void prefer(const struct mt_hierarchy *hierarchy)
{
    char path[MT_PLACE_PATH];
    mt_place_path(path, hierarchy, &(struct mt_testbed_place){0},
                  hierarchy->unified ? "cpu.weight" : "cpu.shares");
    write_file(path, hierarchy->unified ? "10000" : "262144", NULL);
}

/* The folder of all testbeds, which exists if there is another one. */
static int make_common_folder(const struct mt_hierarchy *hierarchy,
                              struct mt_error *err)
{
    char folder[MT_PLACE_PATH];
    mt_place_path(folder, hierarchy, &(struct mt_testbed_place){0}, "");
    int status =
        hierarchy->unified ? pass_controller_on(hierarchy->folder, err) : MT_OK;
    if (status == MT_OK)
        status = make_folder(folder, err);
    if (status == MT_EBUSY)
        status = MT_OK;
    if (status == MT_OK && hierarchy->unified)
        status = pass_controller_on(folder, err);
    if (status == MT_OK)
        prefer(hierarchy);
    return status;
}

/* It is kept while other testbeds exist. */
static void remove_common_folder(const struct mt_hierarchy *hierarchy)
{
    char folder[MT_PLACE_PATH];
    mt_place_path(folder, hierarchy, &(struct mt_testbed_place){0}, "");
    rmdir(folder);
}

static int make_testbed_folder(const struct mt_hierarchy *hierarchy, const char *folder,
                               struct mt_error *err)
{
    int status = make_common_folder(hierarchy, err);
    if (status == MT_OK)
        status = make_folder(folder, err);
    if (status == MT_OK && hierarchy->unified) {
        status = pass_controller_on(folder, err);
        if (status != MT_OK)
            rmdir(folder);
    }
    if (status != MT_OK)
        remove_common_folder(hierarchy);
    return status;
}

int mt_group_make(const struct mt_hierarchy *hierarchy,
                  const struct mt_testbed_place *place, struct mt_error *err)
{
    char folder[MT_PLACE_PATH];
    mt_place_path(folder, hierarchy, place, "");
    return place->node[0] ? make_folder(folder, err)
                          : make_testbed_folder(hierarchy, folder, err);
}

bool mt_group_exists(const struct mt_hierarchy *hierarchy,
                     const struct mt_testbed_place *place)
{
    char folder[MT_PLACE_PATH];
    mt_place_path(folder, hierarchy, place, "");
    return access(folder, F_OK) == 0;
}

int mt_group_limit(const struct mt_hierarchy *hierarchy,
                   const struct mt_testbed_place *place, double cores,
                   struct mt_error *err)
{
    double period = PERIOD_MICROSECONDS;
    if (cores * period < LEAST_QUOTA_MICROSECONDS)
        period = LEAST_QUOTA_MICROSECONDS / cores;
    char path[MT_PLACE_PATH], text[64];
    if (hierarchy->unified) {
        mt_place_path(path, hierarchy, place, "cpu.max");
        snprintf(text, sizeof text, "%.0f %.0f", cores * period, period);
        return write_file(path, text, err);
    }
    mt_place_path(path, hierarchy, place, "cpu.cfs_period_us");
    snprintf(text, sizeof text, "%.0f", period);
    int status = write_file(path, text, err);
    mt_place_path(path, hierarchy, place, "cpu.cfs_quota_us");
    snprintf(text, sizeof text, "%.0f", cores * period);
    return status == MT_OK ? write_file(path, text, err) : status;
}

int mt_group_open(int *descriptor, const struct mt_hierarchy *hierarchy,
                  const struct mt_testbed_place *place, struct mt_error *err)
{
    char path[MT_PLACE_PATH];
    mt_place_path(path, hierarchy, place, "cgroup.procs");
    int opened = open(path, O_WRONLY | O_CLOEXEC);
    if (opened < 0)
        return mt_fail(err, MT_EIO, "cannot open '%s': %s", path, strerror(errno));
    *descriptor = opened;
    return MT_OK;
}

int mt_group_join(int descriptor, struct mt_error *err)
{
    if (write(descriptor, "0", 1) == 1) /* it means the writer */
        return MT_OK;
    return mt_fail(err, MT_EIO, "cannot enter a control group: %s", strerror(errno));
}

static void wait_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* Kill the group's processes until none is left, as they may start others. */
static int kill_all(const char *folder, struct mt_error *err)
{
    int count = 1, status = MT_OK;
    for (int i = 0; status == MT_OK && count > 0; i++) {
        pid_t *pids = NULL;
        status = mt_group_processes(&pids, &count, folder, err);
        for (int p = 0; status == MT_OK && p < count; p++)
            if (pids[p] > 0) /* a process of another PID namespace is 0 */
                kill(pids[p], SIGKILL);
        free(pids);
        if (status == MT_OK && i == LONGEST_MILLISECONDS)
            return mt_fail(err, MT_EBUSY,
                           "processes of the control group '%s' cannot be killed",
                           folder);
        if (status == MT_OK && count > 0)
            wait_milliseconds(1);
    }
    return status;
}

/* The last of a group's processes may still be exiting. */
static int remove_folder(const char *folder, struct mt_error *err)
{
    int removed = rmdir(folder);
    for (int i = 0; removed != 0 && errno == EBUSY && i < LONGEST_MILLISECONDS; i++) {
        wait_milliseconds(1);
        removed = rmdir(folder);
    }
    if (removed != 0 && errno != ENOENT)
        return mt_fail(err, MT_EIO, "cannot remove the control group '%s': %s", folder,
                       strerror(errno));
    return MT_OK;
}

static int remove_group(const char *folder, struct mt_error *err);

static int remove_groups_in(const char *folder, struct mt_error *err)
{
    int status = MT_OK;
    DIR *stream = opendir(folder);
    for (struct dirent *entry;
         status == MT_OK && stream && (entry = readdir(stream));) {
        char *inner = NULL;
        if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
            !strcmp(entry->d_name, ".."))
            continue;
        if (asprintf(&inner, "%s/%s", folder, entry->d_name) < 0) {
            status = mt_fail(err, MT_ENOMEM, "no memory for a path");
            break;
        }
        status = remove_group(inner, err);
        free(inner);
    }
    if (stream)
        closedir(stream);
    return status;
}

/* The nodes of a testbed are groups in it; programs on a node may have made others. */
static int remove_group(const char *folder, struct mt_error *err)
{
    int status = kill_all(folder, err);
    if (status == MT_OK)
        status = remove_groups_in(folder, err);
    return status == MT_OK ? remove_folder(folder, err) : status;
}

int mt_group_remove(const struct mt_hierarchy *hierarchy,
                    const struct mt_testbed_place *place, struct mt_error *err)
{
    char folder[MT_PLACE_PATH];
    mt_place_path(folder, hierarchy, place, "");
    const int status = remove_group(folder, err);
    if (!place->node[0])
        remove_common_folder(hierarchy);
    return status;
}
