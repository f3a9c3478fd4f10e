/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep.h"

#include "cli/process/scratch.h"
#include "lib/store/internal.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder whose name has a comma cannot be told to the library. */
void mt_report_place_make(struct mt_report_place *place)
{
    struct mt_error err;
    if (place->folder || place->refused)
        return;
    int status = mt_run_folder_make(&place->folder, &err);
    if (status == MT_OK && strchr(place->folder, ','))
        status = mt_fail(&err, MT_EINVAL, "a comma in '%s'", place->folder);
    if (status == MT_OK && asprintf(&place->file, "%s/lateness", place->folder) < 0) {
        place->file = NULL;
        status = mt_fail(&err, MT_ENOMEM, "no memory for a path");
    }
    if (status == MT_OK)
        return;
    fprintf(stderr, "motley: reports on late ranks are not kept: %s\n", err.text);
    mt_report_place_clear(place);
    place->refused = true;
}

void mt_report_place_clear(struct mt_report_place *place)
{
    if (place->folder)
        mt_run_folder_remove(place->folder);
    free(place->folder);
    free(place->file);
    *place = (struct mt_report_place){0};
}

static int add(struct mt_store *store, const struct mt_run *run,
               const struct mt_report *report, struct mt_error *err)
{
    char *text = mt_report_format(report);
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory for a report");
    const struct mt_lateness lateness = {.cluster = run->cluster,
                                         .program = run->program,
                                         .configuration = run->configuration,
                                         .report = text,
                                         .size = run->size,
                                         .simulated = run->simulated,
                                         .started = run->started};
    const int status = mt_store_add_lateness(store, &lateness, err);
    free(text);
    return status;
}

int mt_report_keep(const struct mt_report_place *place, struct mt_store *store,
                   const struct mt_run *run, struct mt_error *err)
{
    static bool missed;
    struct mt_report report = {0};
    struct mt_error reason;
    if (!place->file)
        return MT_OK;
    int status = mt_report_read(&report, place->file, &reason);
    unlink(place->file);
    if (status == MT_ENOTFOUND && (missed || run->outcome != MT_RUN_OK))
        return MT_OK;
    missed = missed || status == MT_ENOTFOUND;
    if (status == MT_ENOTFOUND)
        return mt_fail(err, status,
                       "the run has left none; see READING THE REPORT in "
                       "motley-balance(7)");
    if (status == MT_OK)
        status = add(store, run, &report, &reason);
    mt_report_clear(&report);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}
