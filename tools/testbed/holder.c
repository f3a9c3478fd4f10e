/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process that keeps the namespaces of a node, with their mounts; and a way for
 * others to enter them.
 */
#include "holder.h"

#include "groups.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

int mt_namespace_enter(pid_t pid, const char *kind, struct mt_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, kind);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int status = MT_OK;
    if (descriptor < 0 || setns(descriptor, 0) != 0)
        status = mt_fail(err, MT_EIO, "cannot enter the namespace '%s': %s", path,
                         strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

/* Enter all namespaces of a node. */
static int enter_namespaces(pid_t pid, struct mt_error *err)
{
    static const char *const kinds[] = {"net", "uts", "ipc", "mnt", NULL};
    /* Stop sharing the current folder with threads of libraries, which would prevent
       this. */
    int status = unshare(CLONE_FS) == 0
                     ? MT_OK
                     : mt_fail(err, MT_EIO, "cannot unshare: %s", strerror(errno));
    for (int i = 0; status == MT_OK && kinds[i]; i++)
        status = mt_namespace_enter(pid, kinds[i], err);
    return status;
}

static int enter_place(const struct mt_hierarchy *hierarchy,
                       const struct mt_testbed_place *place, struct mt_error *err)
{
    pid_t holder = 0;
    int group = -1;
    char *folder = getcwd(NULL, 0); /* entering the namespace of mounts leaves it */
    if (!folder)
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    int status = mt_place_holder(&holder, hierarchy, place, err);
    if (status == MT_OK)
        status = mt_group_open(&group, hierarchy, place, err);
    if (status == MT_OK)
        status = enter_namespaces(holder, err);
    if (status == MT_OK)
        status = mt_group_join(group, err);
    if (status == MT_OK && chdir(folder) != 0)
        status = mt_fail(err, MT_EIO, "no folder '%s' on node '%s': %s", folder,
                         place->node, strerror(errno));
    if (group >= 0)
        close(group);
    free(folder);
    return status;
}

int mt_testbed_join(const struct mt_testbed_place *place, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    if (geteuid() != 0)
        return mt_fail(err, MT_EIO, "only root may enter the nodes of a testbed");
    int status = mt_hierarchy_find(&hierarchy, err);
    return status == MT_OK ? enter_place(&hierarchy, place, err) : status;
}

/* /sys shows the network of the process that mounted it, so mount it again, and restore
   the control groups' mounts in it. */
static int mount_sys(struct mt_error *err)
{
    char groups[64];
    int descriptor = open("/sys/fs/cgroup", O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(groups, sizeof groups, "/proc/self/fd/%d", descriptor);
    int failed = mount("sysfs", "/sys", "sysfs", 0, NULL);
    if (!failed && descriptor >= 0)
        failed = mount(groups, "/sys/fs/cgroup", NULL, MS_BIND | MS_REC, NULL);
    if (failed)
        return mt_fail(err, MT_EIO, "cannot mount '/sys' for a node: %s",
                       strerror(errno));
    close(descriptor);
    return MT_OK;
}

static int mount_shared_memory(struct mt_error *err)
{
    if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0)
        return MT_OK;
    return mt_fail(err, MT_EIO, "cannot mount '/dev/shm' for a node: %s",
                   strerror(errno));
}

/* The file is an unnamed one in the node's own /dev/shm: it vanishes with the node. */
static int mount_text(const char *text, const char *target, struct mt_error *err)
{
    static const char path[] = "/dev/shm/text";
    FILE *stream = fopen(path, "we");
    bool written = stream && fputs(text, stream) >= 0;
    if (stream)
        written = fclose(stream) == 0 && written;
    if (!written || mount(path, target, NULL, MS_BIND, NULL) != 0)
        return mt_fail(err, MT_EIO, "cannot make '%s' of a node: %s", target,
                       strerror(errno));
    unlink(path);
    return MT_OK;
}

/* MPIs use this number to find ranks on the same machine: with the host's number, UCX
   would send messages to other nodes through the loopback device or memory. */
static int mount_boot_id(struct mt_error *err)
{
    char number[64] = "";
    FILE *stream = fopen("/proc/sys/kernel/random/uuid", "re");
    bool drawn = stream && fgets(number, sizeof number, stream);
    if (stream)
        fclose(stream);
    return drawn ? mount_text(number, "/proc/sys/kernel/random/boot_id", err)
                 : mt_fail(err, MT_EIO, "the kernel draws no boot_id for a node");
}

/* Testbeds use IPv4 addresses: do not wait for IPv6's duplicate address detection. */
static void switch_ipv6_off(void)
{
    int descriptor =
        open("/proc/sys/net/ipv6/conf/default/disable_ipv6", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ssize_t written = write(descriptor, "1", 1);
    (void)written;
    close(descriptor);
}

static int become_node(const struct mt_hierarchy *hierarchy,
                       const struct mt_testbed_place *place, const char *hosts,
                       struct mt_error *err)
{
    int group = -1;
    int status = mt_group_open(&group, hierarchy, place, err);
    if (status == MT_OK)
        status = mt_group_join(group, err);
    if (status != MT_OK)
        return status;
    close(group);
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWIPC) != 0)
        return mt_fail(err, MT_EIO,
                       "no namespaces (net, uts, mnt, ipc) can be made here: %s",
                       strerror(errno));
    switch_ipv6_off();
    if (sethostname(place->node, strlen(place->node)) != 0)
        return mt_fail(err, MT_EIO, "no host can be called '%s': %s", place->node,
                       strerror(errno));
    /* Later mounts on the machine are visible on the nodes, not vice versa. */
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return mt_fail(err, MT_EIO, "cannot separate the mounts of a node: %s",
                       strerror(errno));
    status = mount_sys(err);
    if (status == MT_OK)
        status = mount_shared_memory(err);
    if (status == MT_OK)
        status = mount_text(hosts, "/etc/hosts", err);
    if (status == MT_OK)
        status = mount_boot_id(err);
    return status;
}

/* Close the parent's descriptors, as others wait for the end of its pipes. */
static int detach(int socket)
{
    enum { OWN_SOCKET = STDERR_FILENO + 1 };
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    if (chdir("/") != 0)
        _exit(1);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    socket = fcntl(socket, F_DUPFD, OWN_SOCKET + 1);
    for (int standard = 0; standard < OWN_SOCKET; standard++)
        dup2(nowhere, standard);
    dup2(socket, OWN_SOCKET);
    closefrom(OWN_SOCKET + 1);
    return OWN_SOCKET;
}

static void hold(const struct mt_hierarchy *hierarchy,
                 const struct mt_testbed_place *place, const char *hosts, int socket)
{
    struct mt_error report = {0};
    char released;
    socket = detach(socket);
    int status = become_node(hierarchy, place, hosts, &report);
    if (write(socket, &report, sizeof report) != sizeof report || status != MT_OK ||
        read(socket, &released, 1) != 1)
        _exit(1);
    prctl(PR_SET_NAME, mt_holder_name);
    if (write(socket, "", 1) != 1)
        _exit(1);
    close(socket);
    for (;;)
        pause();
}

int mt_holder_start(struct mt_holder *holder, const struct mt_hierarchy *hierarchy,
                    const struct mt_testbed_place *place, const char *hosts,
                    struct mt_error *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return mt_fail(err, MT_EIO, "no socket for a node: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        hold(hierarchy, place, hosts, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return mt_fail(err, MT_EIO, "no process for a node: %s", strerror(errno));
    }
    *holder = (struct mt_holder){.pid = child, .socket = ends[0]};
    return MT_OK;
}

int mt_holder_ready(struct mt_holder *holder, struct mt_error *err)
{
    struct mt_error report = {0};
    if (read(holder->socket, &report, sizeof report) != sizeof report)
        return mt_fail(err, MT_EIO, "the process that holds a node ended");
    return report.status == MT_OK ? MT_OK
                                  : mt_fail(err, report.status, "%s", report.text);
}

int mt_holder_release(struct mt_holder *holder, struct mt_error *err)
{
    char done;
    if (send(holder->socket, "", 1, MSG_NOSIGNAL) != 1 ||
        read(holder->socket, &done, 1) != 1)
        return mt_fail(err, MT_EIO, "the process that holds a node ended");
    return MT_OK;
}
