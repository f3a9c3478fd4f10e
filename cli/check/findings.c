/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "cli/process/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void mt_findings_clear(struct mt_findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        free(findings->list[i].nodes);
        free(findings->list[i].text);
    }
    free(findings->list);
    *findings = (struct mt_findings){0};
}

const char *mt_finding_name(enum mt_finding_kind kind)
{
    static const char *const names[] = {
#define X(kind, name) [MT_FOUND_##kind] = name,
        MT_FINDING_LIST(X)
#undef X
    };
    return names[kind];
}

const char *mt_finding_advice(enum mt_finding_kind kind)
{
    switch (kind) {
    case MT_FOUND_DOWN:
        return "See that it is up and that the launcher may start programs there "
               "without asking for a password; it was left out of the rest.";
    case MT_FOUND_HOST:
        return "Give each computer one name in the cluster file, and see that the "
               "launcher starts one process on each node.";
    case MT_FOUND_MPI:
        return "Install the same version everywhere, or have it found first there.";
    case MT_FOUND_LOAD:
        return "Measure when nobody else computes there; a check or a run that has "
               "just ended counts for a minute. Other findings may come from it.";
    case MT_FOUND_COMPUTE:
        return "Look for other processes, heat and power-saving settings; or make it a "
               "group of its own, as plans take the nodes of a group for equal.";
    case MT_FOUND_MEMORY:
        return "Look for other processes, and for memory modules that are missing or "
               "in the wrong slots; or make it a group of its own.";
    case MT_FOUND_LINK:
        return "Look at its network card, its cable and the switch's port, and at the "
               "rate that they have agreed on.";
    case MT_FOUND_DIP:
        return "Look for a newer driver of the network card, at its buffers and "
               "interrupt settings, or give the MPI another limit for eager messages.";
    case MT_FOUND_END:
        return "Other programs will not end, either: take another version of the MPI, "
               "or another transport of it (UCX_TLS, FI_PROVIDER).";
    }
    return "";
}

bool mt_finding_measured(enum mt_finding_kind kind)
{
    return kind == MT_FOUND_COMPUTE || kind == MT_FOUND_MEMORY ||
           kind == MT_FOUND_LINK || kind == MT_FOUND_DIP;
}

void mt_draft_begin(struct mt_draft *draft, enum mt_finding_kind kind, int nnodes)
{
    *draft = (struct mt_draft){.finding.kind = kind};
    draft->finding.nodes = mt_calloc((size_t)nnodes + 1, sizeof *draft->finding.nodes);
    draft->stream = mt_memory_open(&draft->text, &draft->length);
}

void mt_draft_include(struct mt_draft *draft, int node)
{
    struct mt_finding *finding = &draft->finding;
    for (int i = 0; i < finding->nnodes; i++)
        if (finding->nodes[i] == node)
            return;
    finding->nodes[finding->nnodes++] = node;
}

void mt_draft_name(struct mt_draft *draft, int node, const char *name,
                   const char *format, ...)
{
    va_list arguments;
    fprintf(draft->stream, "%s%s", draft->finding.nnodes > 0 ? ", " : "", name);
    va_start(arguments, format);
    vfprintf(draft->stream, format, arguments);
    va_end(arguments);
    mt_draft_include(draft, node);
}

void mt_draft_finish(struct mt_draft *draft, struct mt_findings *findings,
                     const char *head, ...)
{
    struct mt_finding *finding = &draft->finding;
    va_list arguments;
    mt_memory_close(draft->stream);
    if (finding->nnodes > 0) {
        size_t length;
        FILE *stream = mt_memory_open(&finding->text, &length);
        va_start(arguments, head);
        vfprintf(stream, head, arguments);
        va_end(arguments);
        fprintf(stream, ": %s", draft->text);
        mt_memory_close(stream);
        mt_array_extend(&findings->list, findings->count, sizeof *findings->list);
        findings->list[findings->count++] = *finding;
    } else {
        free(finding->nodes);
    }
    free(draft->text);
}
