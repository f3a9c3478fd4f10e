/* SPDX-License-Identifier: BSD-3-Clause */
/* Short texts, of a kind chosen by the first byte: a configuration, a list of hosts, a
   quantity, MOTLEY_BALANCE, a tuned file. Values stay the same when written and read
   again. */
#include "fuzz.h"
#include "lib/base/hostlist.h"
#include "lib/base/quantity.h"
#include "lib/input/internal.h"
#include "linalg/tuning/tuning.h"
#include "preload/common/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct mt_cluster cluster;

void fuzz_begin(void)
{
    static const char text[] =
        "name: c\nlauncher: mpich\ngroups:\n"
        "  - {name: xeon, nodes: 8, processes: [1, 2, 16]}\n"
        "  - {name: x-2, nodes: 100000, processes: [1], mix: alone}\n"
        "  - {name: 'o:d', nodes: 1, processes: [3]}\n";
    (void)!mt_cluster_load(&cluster, fuzz_file(text, strlen(text)), NULL);
}

static void read_configuration(const char *text, struct mt_error *err)
{
    struct mt_configuration configuration, again;
    if (mt_configuration_parse(&configuration, &cluster, text, err) != MT_OK)
        return;
    char *written = mt_configuration_format(&configuration, &cluster);
    fuzz_demand(mt_configuration_parse(&again, &cluster, written, NULL) == MT_OK);
    fuzz_demand(mt_configuration_equal(&configuration, &again));
    fuzz_demand(mt_configuration_ranks(&configuration) >=
                mt_configuration_nodes(&configuration));
    free(written);
}

static void read_hosts(const char *text, struct mt_error *err)
{
    struct mt_hostlist list = {0}, again = {0};
    if (mt_hostlist_parse(&list, text, err) == MT_OK) {
        char *written = mt_hostlist_format(list.hosts, list.count);
        fuzz_demand(mt_hostlist_parse(&again, written, NULL) == MT_OK);
        fuzz_demand(list.count == again.count);
        for (int i = 0; i < list.count; i++)
            fuzz_demand(strcmp(list.hosts[i], again.hosts[i]) == 0);
        free(written);
    }
    mt_hostlist_clear(&again);
    mt_hostlist_clear(&list);
}

static void read_quantity(const char *text, enum mt_quantity quantity,
                          struct mt_error *err)
{
    char written[MT_QUANTITY_LENGTH];
    double value, again;
    if (mt_quantity_parse(&value, text, quantity, err) != MT_OK)
        return;
    fuzz_demand(value >= 0 && isfinite(value));
    if (value == 0)
        return;
    mt_quantity_format(written, value, quantity);
    fuzz_demand(mt_quantity_parse(&again, written, quantity, NULL) == MT_OK);
    fuzz_demand(again == value);
}

static void read_balance(const char *text)
{
    struct options options;
    char reason[256] = "";
    if (!options_parse(&options, text, reason, sizeof reason))
        fuzz_demand(*reason && !options.bcast && !options.report);
}

static void read_tuned(const char *text, struct mt_error *err)
{
    const struct tuning_machine machine = {
        .processor = "P 1", .blas = "B", .threads = 2};
    struct mt_strassen_tuning tuning, again;
    if (tuning_file_read(&tuning, fuzz_file(text, strlen(text)), &machine, err) !=
        MT_OK)
        return;
    char path[FUZZ_PATH];
    fuzz_path(path, "tuned");
    fuzz_demand(tuning_file_write(&tuning, path, &machine, NULL) == MT_OK);
    fuzz_demand(tuning_file_read(&again, path, &machine, NULL) == MT_OK);
    unlink(path);
    fuzz_demand(
        memcmp(&tuning.overwrite, &again.overwrite, sizeof again.overwrite) == 0 &&
        memcmp(&tuning.accumulate, &again.accumulate, sizeof again.accumulate) == 0);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct mt_error err;
    if (size == 0)
        return;
    char *text = fuzz_text(data + 1, size - 1);
    switch (data[0]) {
    case 'c':
        read_configuration(text, &err);
        break;
    case 'h':
        read_hosts(text, &err);
        break;
    case 'b':
        read_balance(text);
        break;
    case 't':
        read_tuned(text, &err);
        break;
    default:
        read_quantity(text, (enum mt_quantity)(data[0] % (MT_BANDWIDTH + 1)), &err);
    }
    free(text);
}
