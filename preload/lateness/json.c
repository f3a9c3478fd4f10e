/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lateness report as JSON. */
#include "findings.h"
#include "lib/base/text.h"

#include <inttypes.h>
#include <string.h>

static const char *const verdicts[] = {
    [CORES_SHARED] = "cores", [NOBODY_LATE] = "nobody", [NOT_KNOWN] = "unknown",
    [ROOT_LATE] = "root",     [NODE_LATE] = "node",     [RANK_LATE] = "rank",
    [SPREAD] = "spread",
};

/* Names of programs and files are arbitrary bytes; JSON is UTF-8. */
static void print_string(FILE *lines, const char *text)
{
    size_t left = strlen(text);
    fputc('"', lines);
    while (left > 0) {
        uint32_t code = 0;
        const int bytes = mt_text_character(text, left, &code);
        const size_t taken = bytes > 0 ? (size_t)bytes : 1;
        if (bytes <= 0)
            fputs("\\ufffd", lines);
        else if (code == '"' || code == '\\')
            fprintf(lines, "\\%c", (int)code);
        else if (code < 0x20)
            fprintf(lines, "\\u%04x", (unsigned)code);
        else
            fwrite(text, 1, taken, lines);
        text += taken;
        left -= taken;
    }
    fputc('"', lines);
}

static void print_text(FILE *lines, const char *key, const char *text)
{
    fprintf(lines, ",\"%s\":", key);
    print_string(lines, text);
}

static void print_integer(FILE *lines, const char *key, int64_t number)
{
    fprintf(lines, ",\"%s\":%" PRId64, key, number);
}

static void print_seconds(FILE *lines, const char *key, int64_t ns)
{
    fprintf(lines, ",\"%s\":%.9g", key, (double)ns * 1e-9);
}

/* The maximum over all ranks. */
static int doubled(const struct counts *counts)
{
    int most = 0;
    for (int rank = 0; rank < counts->size; rank++)
        if (counts->timeline[rank] && counts->timeline[rank]->doubled > most)
            most = counts->timeline[rank]->doubled;
    return most;
}

/* Print intervals up to the last one with waiting. */
static void print_timeline(FILE *lines, const struct counts *counts, int rank)
{
    struct timeline timeline = *counts->timeline[rank];
    int used = INTERVALS;
    timeline_widen(&timeline, doubled(counts));
    while (used > 0 && timeline.waited[used - 1] == 0)
        used--;
    fputs(",\"waiting_by_interval\":[", lines);
    for (int i = 0; i < used; i++)
        fprintf(lines, "%s%.4g", i > 0 ? "," : "", (double)timeline.waited[i] * 1e-9);
    fputs("]", lines);
}

static void print_rank(FILE *lines, const struct findings *findings, int rank,
                       const struct rank_lateness *late, double scale)
{
    fprintf(lines, "{\"rank\":%d", rank);
    print_text(lines, "node", findings_node_of(findings, rank));
    if (findings->counts->all_calls) {
        print_integer(lines, "calls", late->calls);
        print_seconds(lines, "seconds", late->time);
        print_seconds(lines, "waiting_seconds", late->waited);
    }
    print_integer(lines, "seen", late->seen);
    print_integer(lines, "late", late->late);
    print_seconds(lines, "late_seconds_mean",
                  late->late > 0 ? late->sum / late->late : 0);
    print_seconds(lines, "late_seconds_max", late->max);
    print_seconds(lines, "cost_seconds", (int64_t)((double)late->cost * scale));
    if (late == &findings->of[rank] && findings->counts->timeline[rank])
        print_timeline(lines, findings->counts, rank);
    fputs("}", lines);
}

/* Print the ranks that were late at least once, or made calls. */
static void print_ranks(FILE *lines, const struct findings *findings,
                        const struct rank_lateness *of, double scale)
{
    const char *separator = "";
    fputs(",\"ranks\":[", lines);
    for (int rank = 0; rank < findings->counts->size; rank++)
        if (of[rank].late > 0 || of[rank].calls > 0) {
            fputs(separator, lines);
            print_rank(lines, findings, rank, &of[rank], scale);
            separator = ",";
        }
    fputs("]", lines);
}

static void print_head(FILE *lines, const struct findings *findings, const char *kind)
{
    fprintf(lines, "{\"kind\":\"%s\"", kind);
    if (!findings->counts->all_calls)
        print_text(lines, "communicator", findings->name);
    print_integer(lines, "size", findings->counts->size);
    fprintf(lines, ",\"simulated\":%s", findings->simulated ? "true" : "false");
}

static void print_site(FILE *lines, const struct findings *findings, int index)
{
    const struct site *site = &findings->counts->site[index];
    const bool all_calls = findings->counts->all_calls;
    print_head(lines, findings, all_calls ? "call site" : "site");
    print_text(lines, "call", call_names[site->call]);
    print_text(lines, "object", site->object);
    print_text(lines, "function", site->function);
    fprintf(lines, ",\"address\":\"0x%" PRIx64 "\"", site->address);
    if (*site->line)
        print_text(lines, "line", site->line);
    print_integer(lines, "calls", site->calls);
    if (!all_calls) {
        print_integer(lines, "watched", site->watched);
        print_integer(lines, "bytes", site->bytes);
    }
    print_seconds(lines, "seconds", findings_time_at(site));
    print_seconds(lines, "waiting_seconds", findings_waiting_at(findings, index));
    print_ranks(lines, findings, site->of, findings->scale[index]);
    fputs("}\n", lines);
}

static void print_broadcasts(FILE *lines, const struct counts *counts)
{
    print_integer(lines, "calls", counts->calls);
    print_integer(lines, "tree_calls", counts->tree_calls);
    print_integer(lines, "watched", counts->watched);
    print_integer(lines, "bytes", counts->bytes);
}

static void print_hints(FILE *lines, const struct findings *findings)
{
    struct hints hints;
    hints_find(&hints, findings);
    fputs(",\"findings\":[", lines);
    for (int i = 0; i < hints.count; i++) {
        fputs(i > 0 ? "," : "", lines);
        print_string(lines, hints.text[i]);
    }
    fputs("]", lines);
    hints_free(&hints);
}

static void print_communicator(FILE *lines, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    print_head(lines, findings, counts->all_calls ? "program" : "communicator");
    print_integer(lines, "nodes", findings->nodes);
    print_integer(lines, "ranks_heard", counts->heard);
    if (!counts->all_calls)
        print_broadcasts(lines, counts);
    print_seconds(lines, "rank_seconds", counts->lifetime);
    print_seconds(lines, "seconds", findings->time);
    print_seconds(lines, "waiting_seconds",
                  counts->all_calls ? findings->waited : findings->waiting);
    print_seconds(lines, "late_ranks_seconds", findings->waiting);
    if (!counts->all_calls)
        print_seconds(lines, "saved_seconds", counts->saved);
    print_seconds(lines, "set_up_seconds", counts->set_up);
    print_seconds(lines, "coreless_seconds", counts->delay);
    print_integer(lines, "patient_ranks", counts->patient);
    print_integer(lines, "fullest_node_ranks", counts->crowd.ranks);
    fprintf(lines, ",\"fullest_node_cores\":%.9g",
            (double)counts->crowd.millicores * 1e-3);
    print_text(lines, "verdict", verdicts[findings->verdict]);
    print_hints(lines, findings);
    if (counts->all_calls) {
        const struct timeline widest = {.doubled = doubled(counts)};
        print_seconds(lines, "interval_seconds", timeline_width(&widest));
    }
    print_ranks(lines, findings, findings->of, 1);
    fputs("}\n", lines);
}

void report_json(FILE *lines, const struct findings *findings)
{
    for (int i = 0; i < findings->counts->sites; i++)
        print_site(lines, findings, i);
    print_communicator(lines, findings);
}
