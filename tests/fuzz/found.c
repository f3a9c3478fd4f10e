/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inputs of `motley init` and `motley check` about nodes. The first byte selects one: a
 * hostfile, output of sinfo, output of the probe on four nodes. The nodes that init
 * finds are written as a cluster file.
 */
#include "cli/check/check.h"
#include "cli/init/init.h"
#include "cli/launch/launcher.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[FUZZ_PATH];
static struct mt_cluster cluster;

/* Replaces the start of sinfo, and the query for an MPI's version. */
static const uint8_t *printed;
static size_t length;
int __wrap_mt_child_run(char *const *argv, char *const *env, FILE *in, FILE *out,
                        FILE *messages, struct mt_error *err);
int __wrap_mt_find_launcher(char **found, const struct mt_launcher_ops *launcher,
                            struct mt_error *err);

int __wrap_mt_child_run(char *const *argv, char *const *env, FILE *in, FILE *out,
                        FILE *messages, struct mt_error *err)
{
    (void)argv, (void)env, (void)in, (void)messages, (void)err;
    fwrite(printed, 1, length, out);
    return MT_OK;
}

int __wrap_mt_find_launcher(char **found, const struct mt_launcher_ops *launcher,
                            struct mt_error *err)
{
    (void)found;
    return mt_fail(err, MT_ENOTFOUND, "no %s", launcher->name);
}

void fuzz_begin(void)
{
    static const char text[] = "name: c\nlauncher: mpich\ngroups:\n"
                               "  - {name: a, hosts: 'a[1-2]', processes: [1]}\n"
                               "  - {name: b, hosts: 'b[1-2]', processes: [1]}\n";
    fuzz_demand(mt_cluster_load(&cluster, fuzz_file(text, strlen(text)), NULL) ==
                MT_OK);
    fuzz_path(path, "c.yaml");
}

static void write_cluster(const struct mt_found_nodes *found)
{
    struct mt_cluster written = {0};
    struct mt_error err;
    if (mt_init_write_cluster(found, path, "the fuzzer", &err) == MT_OK) {
        fuzz_demand(mt_cluster_load(&written, path, &err) == MT_OK);
        int nodes = 0;
        for (int g = 0; g < written.ngroups; g++)
            nodes += written.groups[g].nodes;
        fuzz_demand(nodes == found->count);
    }
    mt_cluster_clear(&written);
    unlink(path);
}

static void init(bool slurm)
{
    struct mt_found_nodes found = {0};
    struct mt_error err;
    const int status =
        slurm ? mt_init_from_slurm(&found, NULL, &err)
              : mt_init_from_hostfile(&found, fuzz_file(printed, length), &err);
    if (status == MT_OK)
        write_cluster(&found);
    mt_found_clear(&found);
}

static void check(void)
{
    struct mt_check check = {0};
    int status = MT_OK;
    mt_check_begin(&check, &cluster);
    for (int i = 0; i < check.nnodes; i++)
        check.nodes[i].answers = true;
    check.nanswer = check.nnodes;
    mt_check_choose_links(&check);
    while (status == MT_OK && length > 0) {
        struct mt_error err;
        char *line = fuzz_line(&printed, &length);
        status = mt_check_read(&check, line, &err);
        free(line);
    }
    if (status == MT_OK)
        mt_check_diagnose(&check);
    mt_check_clear(&check);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size == 0)
        return;
    printed = data + 1;
    length = size - 1;
    if (data[0] == 'p')
        check();
    else
        init(data[0] == 's');
}
