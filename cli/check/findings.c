/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mt_findings_add(struct mt_findings *findings, enum mt_finding_kind kind,
                    const int *nodes, int nnodes, struct mt_error *err,
                    const char *format, ...)
{
    struct mt_finding finding = {.kind = kind, .nnodes = nnodes};
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&finding.text, format, arguments) < 0)
        finding.text = NULL;
    va_end(arguments);
    finding.nodes = calloc((size_t)nnodes + 1, sizeof *finding.nodes);
    struct mt_finding *grown =
        realloc(findings->list, (size_t)(findings->count + 1) * sizeof *grown);
    if (grown)
        findings->list = grown;
    if (!finding.text || !finding.nodes || !grown) {
        free(finding.nodes);
        free(finding.text);
        return mt_fail(err, MT_ENOMEM, "no memory for what was found");
    }
    memcpy(finding.nodes, nodes, (size_t)nnodes * sizeof *nodes);
    findings->list[findings->count++] = finding;
    return MT_OK;
}

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
    case MT_FOUND_ABSENT:
        return "See that it is up and that the launcher may start programs there "
               "without asking for a password; it was left out of the rest.";
    case MT_FOUND_HOST:
        return "Give each computer one name in the cluster file, and see that the "
               "launcher starts one process on each node.";
    case MT_FOUND_MPI:
        return "Install the same version everywhere, or have it found first there.";
    case MT_FOUND_CLOCK:
        return "Start a time service such as chrony: times of files and of logs do not "
               "fit together.";
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
