/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports on late ranks: collects and parses them, and finds the slow node by the
   newest. */
#include "report.h"

#include "cli/common/format.h"
#include "cli/process/memory.h"
#include "cli/process/scratch.h"
#include "lib/base/array.h"
#include "lib/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LONGEST = 64 << 20, /* bytes of a file */
    MOST_RANKS = 10000000,
    KEPT_RANKS = 3 /* of a call site: those that cost most */
};

static int misread(const json_error_t *error, struct mt_error *err)
{
    return mt_fail(err, MT_EPARSE, "not a report of libmotley-balance: %s",
                   error->text);
}

static int read_rank(struct mt_report_rank *rank, json_t *object, int size,
                     struct mt_error *err)
{
    json_error_t error;
    json_int_t number;
    if (json_unpack_ex(
            object, &error, 0,
            "{s:I, s:s, s:F, s:F, s:F, s:F, s:F, s:F, s:F, s:F, s?o}", "rank", &number,
            "node", &rank->node, "calls", &rank->calls, "seconds", &rank->seconds,
            "waiting_seconds", &rank->waiting, "seen", &rank->seen, "late", &rank->late,
            "late_seconds_mean", &rank->late_mean, "late_seconds_max", &rank->late_most,
            "cost_seconds", &rank->cost, "waiting_by_interval", &rank->intervals) != 0)
        return misread(&error, err);
    if (number < 0 || number >= size)
        return mt_fail(err, MT_EPARSE, "rank %lld of %d in a report", (long long)number,
                       size);
    rank->rank = (int)number;
    return MT_OK;
}

static int read_ranks(struct mt_report *report, json_t *list, struct mt_error *err)
{
    size_t i;
    json_t *object;
    int status = MT_OK;
    report->ranks = mt_calloc(json_array_size(list), sizeof *report->ranks);
    json_array_foreach(list, i, object)
    {
        if (status == MT_OK)
            status =
                read_rank(&report->ranks[report->nranks++], object, report->size, err);
    }
    return status;
}

static int read_site(struct mt_report_site *site, json_t *object, int size,
                     struct mt_error *err)
{
    json_error_t error;
    json_t *ranks;
    if (json_unpack_ex(
            object, &error, 0, "{s:s, s?s, s:s, s:s, s:s, s:F, s:F, s:F, s:o}", "call",
            &site->call, "line", &site->line, "function", &site->function, "object",
            &site->object, "address", &site->address, "calls", &site->calls, "seconds",
            &site->seconds, "waiting_seconds", &site->waiting, "ranks", &ranks) != 0)
        return misread(&error, err);
    if (json_array_size(ranks) == 0)
        return MT_OK;
    struct mt_report_rank worst = {0};
    const int status = read_rank(&worst, json_array_get(ranks, 0), size, err);
    if (status == MT_OK && worst.cost > 0 && worst.late > 0)
        site->worst = worst;
    return status;
}

static int compare_sites(const void *a, const void *b)
{
    const double first = ((const struct mt_report_site *)a)->waiting;
    const double second = ((const struct mt_report_site *)b)->waiting;
    return (first < second) - (first > second);
}

static int read_sites(struct mt_report *report, json_t *list, struct mt_error *err)
{
    size_t i;
    json_t *object;
    int status = MT_OK;
    report->sites = mt_calloc(json_array_size(list), sizeof *report->sites);
    json_array_foreach(list, i, object)
    {
        if (status == MT_OK)
            status =
                read_site(&report->sites[report->nsites++], object, report->size, err);
    }
    if (status == MT_OK)
        qsort(report->sites, (size_t)report->nsites, sizeof *report->sites,
              compare_sites);
    return status;
}

static int check_findings(const json_t *list, struct mt_error *err)
{
    size_t i;
    const json_t *finding;
    json_array_foreach(list, i, finding)
    {
        if (!json_is_string(finding))
            return mt_fail(err, MT_EPARSE, "a finding of a report is not a string");
    }
    return MT_OK;
}

/* Take over the object, and read its members. */
static int take(struct mt_report *report, json_t *object, struct mt_error *err)
{
    struct mt_report read = {.object = object};
    json_error_t error;
    json_t *findings, *ranks, *sites;
    json_int_t size, nodes;
    int simulated = 0, status = MT_OK;
    if (json_unpack_ex(object, &error, 0,
                       "{s:{s:I, s:I, s?b, s:F, s:F, s:F, s:s, s?F, s:o, s:o}, s:o}",
                       "program", "size", &size, "nodes", &nodes, "simulated",
                       &simulated, "rank_seconds", &read.rank_seconds, "seconds",
                       &read.seconds, "waiting_seconds", &read.waiting, "verdict",
                       &read.verdict, "interval_seconds", &read.interval, "findings",
                       &findings, "ranks", &ranks, "sites", &sites) != 0)
        status = misread(&error, err);
    else if (size < 1 || size > MOST_RANKS || nodes < 1 || nodes > size)
        status = mt_fail(err, MT_EPARSE, "a report on %lld ranks of %lld nodes",
                         (long long)size, (long long)nodes);
    if (status == MT_OK) {
        read.size = (int)size;
        read.nodes = (int)nodes;
        read.simulated = simulated;
        read.findings = findings;
        status = check_findings(findings, err);
    }
    if (status == MT_OK)
        status = read_ranks(&read, ranks, err);
    if (status == MT_OK)
        status = read_sites(&read, sites, err);
    if (status == MT_OK)
        *report = read;
    else
        mt_report_clear(&read);
    return status;
}

static double cost_of(const json_t *rank)
{
    return json_number_value(json_object_get(rank, "cost_seconds"));
}

/* Keep only the ranks of a call site that cost most, in that order. */
static void shorten(json_t *site)
{
    json_t *all = json_object_get(site, "ranks"), *kept = json_array();
    while (json_array_size(all) > 0 && json_array_size(kept) < KEPT_RANKS) {
        size_t worst = 0;
        for (size_t i = 1; i < json_array_size(all); i++)
            if (cost_of(json_array_get(all, i)) > cost_of(json_array_get(all, worst)))
                worst = i;
        mt_need_ok(json_array_append(kept, json_array_get(all, worst)));
        json_array_remove(all, worst);
    }
    mt_need_ok(json_object_set_new(site, "ranks", kept));
}

/* The state of reading a file. */
struct reading {
    json_t *sites;   /* owned; sites of the program whose line follows */
    json_t *program; /* owned; the last report, with its sites; NULL: none yet */
};

static int take_line(struct reading *reading, const char *line, struct mt_error *err)
{
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        return misread(&error, err);
    const char *kind = json_string_value(json_object_get(object, "kind"));
    if (kind && !strcmp(kind, "call site")) {
        shorten(object);
        mt_need_ok(json_array_append(reading->sites, object));
    } else if (kind && !strcmp(kind, "program")) {
        json_decref(reading->program);
        reading->program =
            json_pack("{s:O, s:o}", "program", object, "sites", reading->sites);
        reading->sites = json_array();
    }
    json_decref(object);
    return MT_OK;
}

/* Only a regular file: others may be endless. */
static int open_file(FILE **stream, const char *path, struct mt_error *err)
{
    struct stat info;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return mt_fail(err, errno == ENOENT ? MT_ENOTFOUND : MT_EIO,
                       "cannot open '%s': %s", path, strerror(errno));
    int status = MT_OK;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        status = mt_fail(err, MT_EINVAL, "not a regular file: '%s'", path);
    else if (info.st_size > LONGEST)
        status = mt_fail(err, MT_EINVAL, "more than %d MiB: '%s'", LONGEST >> 20, path);
    else if (!(*stream = fdopen(file, "r")))
        status = mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    if (status != MT_OK)
        close(file);
    return status;
}

int mt_report_read(struct mt_report *report, const char *path, struct mt_error *err)
{
    FILE *stream = NULL;
    int status = open_file(&stream, path, err);
    if (status != MT_OK)
        return status;
    struct reading reading = {.sites = json_array()};
    char *line = NULL;
    size_t room = 0;
    while (status == MT_OK && getline(&line, &room, stream) > 0)
        status = take_line(&reading, line, err);
    free(line);
    fclose(stream);
    if (status == MT_OK && !reading.program)
        status =
            mt_fail(err, MT_ENOTFOUND, "no report on a whole program in '%s'", path);
    if (status == MT_OK)
        status = take(report, reading.program, err);
    else
        json_decref(reading.program);
    json_decref(reading.sites);
    return status;
}

int mt_report_parse(struct mt_report *report, const char *text, struct mt_error *err)
{
    json_error_t error;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    return object ? take(report, object, err) : misread(&error, err);
}

void mt_report_clear(struct mt_report *report)
{
    json_decref(report->object);
    free(report->ranks);
    free(report->sites);
    *report = (struct mt_report){0};
}

/* The library's option cannot hold a folder with a comma in its name. */
void mt_report_place_make(struct mt_report_place *place)
{
    struct mt_error err;
    if (place->folder || place->refused)
        return;
    int status = mt_run_folder_make(&place->folder, &err);
    if (status == MT_OK && strchr(place->folder, ','))
        status = mt_fail(&err, MT_EINVAL, "a comma in '%s'", place->folder);
    if (status == MT_OK) {
        place->file = mt_asprintf("%s/lateness", place->folder);
        return;
    }
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
    char *text = mt_need(json_dumps(report->object, JSON_COMPACT));
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
                       "the run has left none; see USE in motley-balance(7)");
    if (status == MT_OK)
        status = add(store, run, &report, &reason);
    mt_report_clear(&report);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

/* Smaller differences may be chance. */
static const double worth_saying = 0.1;

/* MPIs name nodes with their domains or without. */
static bool is_same_node(const char *a, const char *b)
{
    const size_t length = mt_text_short_host(a);
    return length == mt_text_short_host(b) && strncmp(a, b, length) == 0;
}

/* The mean time between calls of the node's ranks; negative: none. */
static double work_of(const char *host, const struct mt_report *report)
{
    double work = 0;
    int ranks = 0;
    for (int i = 0; i < report->nranks; i++)
        if (is_same_node(report->ranks[i].node, host)) {
            work += report->rank_seconds / report->size - report->ranks[i].seconds;
            ranks++;
        }
    return ranks > 0 ? work / ranks : -1;
}

static bool find_in_group(struct mt_slow_node *slow, const struct mt_report *report,
                          const struct mt_group *group)
{
    double *work = mt_calloc((size_t)group->nodes, sizeof *work);
    int nodes = 0;
    const char *host = NULL;
    double most = 0;
    for (int i = 0; i < group->nodes; i++) {
        const double here = work_of(group->hosts[i], report);
        if (here > most) {
            most = here;
            host = group->hosts[i];
        }
        if (here > 0)
            work[nodes++] = here;
    }
    if (nodes > 1)
        qsort(work, (size_t)nodes, sizeof *work, mt_compare_doubles);
    const double usual = nodes > 1 ? work[(nodes - 1) / 2] : most;
    free(work);
    if (!host || most / usual - 1 <= slow->extra)
        return false;
    *slow = (struct mt_slow_node){host, group->name, most / usual - 1};
    return true;
}

bool mt_slow_node_find(struct mt_slow_node *slow, const struct mt_report *report,
                       const struct mt_cluster *cluster)
{
    struct mt_slow_node slowest = {.extra = worth_saying};
    bool found = false;
    if (!strcmp(report->verdict, "cores"))
        return false;
    for (int g = 0; g < cluster->ngroups; g++)
        found |= find_in_group(&slowest, report, &cluster->groups[g]);
    if (found)
        *slow = slowest;
    return found;
}

static void print(FILE *stream, const struct mt_cluster *cluster,
                  const struct mt_lateness *lateness, const char *hint)
{
    struct mt_report report = {0};
    struct mt_slow_node slow;
    char date[MT_QUANTITY_TEXT];
    if (mt_report_parse(&report, lateness->report, NULL) == MT_OK &&
        mt_slow_node_find(&slow, &report, cluster))
        fprintf(stream,
                "on %s (%s UTC) node %s took %.0f %% longer between its calls than the "
                "others of '%s'%s\n",
                lateness->configuration, mt_format_date(date, lateness->started),
                slow.host, 100 * slow.extra, slow.group, hint);
    mt_report_clear(&report);
}

void mt_slow_node_print(const struct mt_cluster *cluster, const char *program,
                        const char *store_path, const char *hint, FILE *stream)
{
    struct mt_store *store = NULL;
    struct mt_lateness_list newest = {0};
    const struct mt_run_filter filter = {
        .cluster = cluster->name, .program = program, .newest = 1};
    if (mt_store_open(&store, store_path, MT_STORE_READ, NULL) == MT_OK &&
        mt_store_latenesses(store, &newest, &filter, NULL) == MT_OK && newest.count > 0)
        print(stream, cluster, &newest.all[0], hint);
    mt_lateness_list_clear(&newest);
    mt_store_close(store);
}
