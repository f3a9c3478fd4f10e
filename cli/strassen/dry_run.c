/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/common/table.h"
#include "cli/measure/todo.h"

#include <stdio.h>
#include <stdlib.h>

void mt_strassen_part_clear(struct mt_strassen_part *part)
{
    mt_program_clear(&part->program);
    mt_tasks_clear(&part->tasks);
    free(part->left);
    *part = (struct mt_strassen_part){.count = 0};
}

static int compare_ints(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int mt_strassen_part_left(struct mt_strassen_part *part,
                          const struct mt_campaign *campaign, struct mt_error *err)
{
    struct mt_campaign own = *campaign;
    struct mt_estimate estimate = {0};
    own.program = &part->program;
    const int status =
        mt_todo_find(&part->left, &part->count, &estimate, &own, &part->tasks, err);
    if (status == MT_OK)
        qsort(part->left, (size_t)part->count, sizeof *part->left, compare_ints);
    return status;
}

static const struct mt_task *task_at(const struct mt_strassen_part *part, int i)
{
    return &part->tasks.tasks[part->left[i]];
}

/* The first that is not a repetition of the i-th. */
static int next_of(const struct mt_strassen_part *part, int i)
{
    const struct mt_task *first = task_at(part, i);
    for (i++; i < part->count; i++) {
        const struct mt_task *task = task_at(part, i);
        if (task->size != first->size ||
            !mt_configuration_equal(&task->configuration, &first->configuration))
            break;
    }
    return i;
}

static int add_rows(struct mt_table *table, const struct mt_strassen_part *part,
                    const struct mt_cluster *cluster, struct mt_error *err)
{
    for (int i = 0, next; i < part->count; i = next) {
        const struct mt_task *task = task_at(part, i);
        char size[32], runs[16];
        char *text = mt_configuration_format(&task->configuration, cluster);
        if (!text)
            return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
        next = next_of(part, i);
        snprintf(size, sizeof size, "%.15g", task->size);
        snprintf(runs, sizeof runs, "%d", next - i);
        mt_table_add(table, part->program.name, text, size, runs, NULL);
        free(text);
    }
    return MT_OK;
}

static int print_table(const struct mt_strassen_part *parts, int count,
                       const struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_table table = {0};
    int status = MT_OK, left = 0, all = 0;
    for (int i = 0; i < count; i++) {
        left += parts[i].count;
        all += parts[i].tasks.count;
    }
    if (left > 0)
        mt_table_add(&table, "program", "configuration", ">N", ">runs", NULL);
    for (int i = 0; status == MT_OK && i < count; i++)
        status = add_rows(&table, &parts[i], cluster, err);
    const int printed = mt_table_print(&table, stdout, err);
    printf("%d of %d runs left%s\n", left, all,
           mt_cluster_simulated(cluster) ? " (simulated)" : "");
    return status == MT_OK ? printed : status;
}

static int print_json(const struct mt_strassen_part *parts, int count,
                      const struct mt_cluster *cluster, struct mt_error *err)
{
    json_t *runs = json_array();
    int done = 0;
    for (int p = 0; p < count; p++) {
        done += parts[p].tasks.count - parts[p].count;
        for (int i = 0; i < parts[p].count; i++) {
            const struct mt_task *task = task_at(&parts[p], i);
            char *text = mt_configuration_format(&task->configuration, cluster);
            json_array_append_new(runs,
                                  json_pack("{s:s, s:s*, s:o, s:i}", "program",
                                            parts[p].program.name, "configuration",
                                            text, "size", mt_json_number(task->size),
                                            "repetition", task->repetition));
            free(text);
        }
    }
    return mt_json_print(json_pack("{s:b, s:i, s:o}", "simulated",
                                   (int)mt_cluster_simulated(cluster), "done_before",
                                   done, "runs", runs),
                         stdout, err);
}

int mt_strassen_dry_run(const struct mt_strassen_part *parts, int count,
                        const struct mt_cluster *cluster, struct mt_error *err)
{
    return mt_common.json ? print_json(parts, count, cluster, err)
                          : print_table(parts, count, cluster, err);
}
