/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/common/table.h"
#include "print.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Take what a line tells, if it is one of those that tell something. */
static void read_line(struct mt_strassen_report *report, const char *line, int ranks)
{
    struct mt_partition_times times;
    double bytes;
    int rank;
    if (sscanf(line, "difference %lf", &report->difference) == 1)
        return;
    if (sscanf(line, "rank %d compute %lf communication %lf waiting %lf received %lf",
               &rank, &times.compute, &times.communication, &times.waiting,
               &bytes) != 5 ||
        rank < 0 || rank >= ranks)
        return;
    report->known += isnan(report->ranks[rank].compute);
    report->ranks[rank] = times;
    report->bytes += bytes;
}

int mt_strassen_report_read(struct mt_strassen_report *report, const struct mt_run *run,
                            int ranks, struct mt_error *err)
{
    report->ranks = calloc((size_t)ranks, sizeof *report->ranks);
    if (!report->ranks)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int r = 0; r < ranks; r++)
        report->ranks[r] = (struct mt_partition_times){NAN, NAN, NAN};
    report->seconds = run->seconds;
    report->difference = NAN;
    for (const char *line = run->output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        read_line(report, line, ranks);
    }
    return MT_OK;
}

void mt_strassen_report_clear(struct mt_strassen_report *report)
{
    free(report->ranks);
    *report = (struct mt_strassen_report){.seconds = 0};
}

static void add_row(struct mt_table *table, const struct mt_strassen_row *row,
                    const struct mt_strassen_question *question, double whole)
{
    char texts[7][32];
    const double times[] = {row->times.compute,       row->actual.compute,
                            row->times.communication, row->actual.communication,
                            row->times.waiting,       row->actual.waiting};
    for (int i = 0; i < 6; i++)
        mt_strassen_format_part(texts[i], times[i], whole);
    snprintf(texts[6], sizeof texts[6], "%.1f %%", 100 * row->share);
    mt_table_add(table, row->ranks, question->cluster.groups[row->group].name, texts[6],
                 texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], NULL);
}

static int print_rows(const struct mt_strassen_report *report,
                      const struct mt_strassen_choice *choice,
                      const struct mt_strassen_question *question, struct mt_error *err)
{
    struct mt_strassen_rows rows = {0};
    struct mt_table table = {0};
    int status = mt_strassen_rows_make(&rows, question, choice, report->ranks, err);
    mt_table_add(&table, "ranks", "group", ">share", ">computing", ">measured",
                 ">communication", ">measured", ">waiting", ">measured", NULL);
    for (int i = 0; i < rows.count; i++)
        add_row(&table, &rows.rows[i], question, report->seconds);
    const int printed = mt_table_print(&table, stdout, err);
    mt_strassen_rows_clear(&rows);
    return status == MT_OK ? printed : status;
}

static int print_text(const struct mt_strassen_report *report, const struct mt_run *run,
                      const struct mt_strassen_choice *choice,
                      const struct mt_strassen_question *question, struct mt_error *err)
{
    const double predicted = choice->forecast.seconds;
    char expected[32], taken[32];
    mt_strassen_print_question(question);
    printf("cut        %s\n", mt_partition_kind_name(choice->partition.kind));
    printf("predicted  %s, %+.1f %%\n", mt_format_seconds(expected, predicted),
           100 * (predicted / report->seconds - 1));
    printf("measured   %s%s, %.4g Gflop/s\n", mt_format_seconds(taken, report->seconds),
           run->simulated ? " (simulated)" : "",
           mt_strassen_flops(question, report->seconds) / 1e9);
    if (isnan(report->difference))
        puts("check      none");
    else
        printf("check      passed, difference %.3g\n", report->difference);
    putchar('\n');
    return print_rows(report, choice, question, err);
}

static int print_json(const struct mt_strassen_report *report, const struct mt_run *run,
                      const struct mt_strassen_choice *choice,
                      const struct mt_strassen_question *question, struct mt_error *err)
{
    const struct mt_partition_forecast *forecast = &choice->forecast;
    json_t *object = mt_strassen_question_json(question);
    json_t *more = json_pack(
        "{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cut",
        mt_partition_kind_name(choice->partition.kind), "program", run->program, "run",
        (json_int_t)run->id, "seconds", mt_json_number(report->seconds), "flops",
        mt_json_number(mt_strassen_flops(question, report->seconds)), "predicted",
        mt_json_number(forecast->seconds), "difference",
        mt_json_number(report->difference), "bytes", mt_json_number(report->bytes),
        "predicted_bytes", mt_json_number(forecast->bytes), "ranks",
        mt_strassen_ranks_json(question, choice, report->ranks));
    json_object_update(object, more);
    json_decref(more);
    return mt_json_print(object, stdout, err);
}

int mt_strassen_report_print(const struct mt_strassen_report *report,
                             const struct mt_run *run,
                             const struct mt_strassen_choice *choice,
                             const struct mt_strassen_question *question,
                             struct mt_error *err)
{
    if (report->known < choice->partition.ranks)
        fprintf(stderr,
                "motley: of %d of %d ranks it is not known where the time went: "
                "their lines are not in the end of the output that is kept\n",
                choice->partition.ranks - report->known, choice->partition.ranks);
    return mt_common.json ? print_json(report, run, choice, question, err)
                          : print_text(report, run, choice, question, err);
}
