/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int mt_strassen_write_partition(const struct mt_partition *partition, const char *path,
                                struct mt_error *err)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    mt_partition_write(partition, file);
    bool failed = ferror(file);
    failed = fclose(file) != 0 || failed;
    return failed ? mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno))
                  : MT_OK;
}

int mt_strassen_read_partition(struct mt_partition *partition, const char *path,
                               struct mt_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    const int status = mt_partition_read(partition, file, path, err);
    fclose(file);
    return status;
}
