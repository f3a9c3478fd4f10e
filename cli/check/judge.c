/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include <stdarg.h>
#include <stdlib.h>

int mt_suspects_begin(struct mt_suspects *suspects, const struct mt_check *check,
                      struct mt_error *err)
{
    *suspects = (struct mt_suspects){.check = check};
    suspects->nodes = calloc((size_t)check->nnodes, sizeof *suspects->nodes);
    suspects->stream = open_memstream(&suspects->text, &suspects->length);
    if (suspects->nodes && suspects->stream)
        return MT_OK;
    if (suspects->stream)
        fclose(suspects->stream);
    free(suspects->text);
    free(suspects->nodes);
    return mt_fail(err, MT_ENOMEM, "no memory for what was found");
}

void mt_suspects_add_silently(struct mt_suspects *suspects, int node)
{
    for (int i = 0; i < suspects->count; i++)
        if (suspects->nodes[i] == node)
            return;
    suspects->nodes[suspects->count++] = node;
}

void mt_suspects_add(struct mt_suspects *suspects, int node, const char *format, ...)
{
    va_list arguments;
    fprintf(suspects->stream, "%s%s", suspects->count > 0 ? ", " : "",
            suspects->check->nodes[node].name);
    va_start(arguments, format);
    vfprintf(suspects->stream, format, arguments);
    va_end(arguments);
    mt_suspects_add_silently(suspects, node);
}

int mt_suspects_end(struct mt_suspects *suspects, struct mt_check *check,
                    enum mt_finding_kind kind, struct mt_error *err, const char *head,
                    ...)
{
    char *words = NULL;
    va_list arguments;
    int status = MT_OK;
    const bool failed = fclose(suspects->stream) != 0;
    va_start(arguments, head);
    if (vasprintf(&words, head, arguments) < 0)
        words = NULL;
    va_end(arguments);
    if (failed || !words)
        status = mt_fail(err, MT_ENOMEM, "no memory for what was found");
    else if (suspects->count > 0)
        status = mt_findings_add(&check->findings, kind, suspects->nodes,
                                 suspects->count, err, "%s: %s", words, suspects->text);
    free(words);
    free(suspects->text);
    free(suspects->nodes);
    return status;
}

int mt_check_judge(struct mt_check *check, struct mt_error *err)
{
    mt_findings_clear(&check->findings);
    int status = mt_check_judge_facts(check, err);
    if (status == MT_OK)
        status = mt_check_judge_speed(check, err);
    if (status == MT_OK)
        status = mt_check_judge_links(check, err);
    if (status == MT_OK)
        status = mt_check_judge_dips(check, err);
    return status;
}
