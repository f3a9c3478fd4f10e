/* SPDX-License-Identifier: BSD-3-Clause */
/* Configurations and the layouts of their nodes: processes, threads, and where these
   run; their text. */
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mt_bind_name(enum mt_bind bind)
{
    static const char *const names[] = {[MT_BIND_DEFAULT] = "",
#define X(bind, name) [bind] = name,
                                        MT_BIND_LIST(X)
#undef X
    };
    return bind < MT_BINDS ? names[bind] : "";
}

int mt_layout_cores(struct mt_layout layout)
{
    return layout.processes * mt_layout_threads(layout);
}

int mt_layout_compare(struct mt_layout a, struct mt_layout b)
{
    if (a.processes != b.processes)
        return a.processes < b.processes ? -1 : 1;
    if (a.threads != b.threads)
        return a.threads < b.threads ? -1 : 1;
    if (a.bind != b.bind)
        return a.bind < b.bind ? -1 : 1;
    return (a.gpus > b.gpus) - (a.gpus < b.gpus);
}

const char *mt_layout_format(char text[MT_LAYOUT_LENGTH], struct mt_layout layout)
{
    int used = snprintf(text, MT_LAYOUT_LENGTH, "%d", layout.processes);
    if (layout.threads > 0)
        used += snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "t%d",
                         layout.threads);
    if (layout.gpus > 0)
        used += snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "g%d",
                         layout.gpus);
    if (layout.bind != MT_BIND_DEFAULT)
        snprintf(text + used, (size_t)(MT_LAYOUT_LENGTH - used), "@%s",
                 mt_bind_name(layout.bind));
    return text;
}

/* Read the digits at the start of *text, and step over them; a number too large for an
   int becomes INT_MAX. */
static bool read_count(const char **text, int *count)
{
    if (!isdigit((unsigned char)**text))
        return false;
    char *end = NULL;
    errno = 0;
    long value = strtol(*text, &end, 10);
    *count = errno || value > INT_MAX ? INT_MAX : (int)value;
    *text = end;
    return true;
}

static bool read_bind(const char **text, enum mt_bind *bind)
{
    for (int i = MT_BIND_DEFAULT + 1; i < MT_BINDS; i++) {
        const char *name = mt_bind_name((enum mt_bind)i);
        if (strncmp(name, *text, strlen(name)) != 0)
            continue;
        *bind = (enum mt_bind)i;
        *text += strlen(name);
        return true;
    }
    return false;
}

/* Step over the character, if it is the next one. */
static bool takes(const char **text, char character)
{
    if (**text != character)
        return false;
    ++*text;
    return true;
}

bool mt_layout_read(struct mt_layout *layout, const char **text)
{
    struct mt_layout found = {0};
    const char *at = *text;
    bool good = read_count(&at, &found.processes);
    if (good && takes(&at, 't')) {
        good = read_count(&at, &found.threads);
        /* 1 becomes 0, the default; 0 is invalid */
        found.threads = found.threads == 0   ? -1
                        : found.threads == 1 ? 0
                                             : found.threads;
    }
    if (good && takes(&at, 'g'))
        good = read_count(&at, &found.gpus);
    if (good && takes(&at, '@'))
        good = read_bind(&at, &found.bind);
    if (!good)
        return false;
    *layout = found;
    *text = at;
    return true;
}

bool mt_group_leaves_cores(const struct mt_group *group, struct mt_layout layout)
{
    int most = 0;
    for (int i = 0; i < group->nlayouts; i++) {
        const struct mt_layout other = group->layouts[i];
        const int cores = mt_layout_cores(other);
        most = other.gpus == layout.gpus && cores > most ? cores : most;
    }
    return layout.threads > 0 && mt_layout_cores(layout) < most;
}

double mt_group_cores(const struct mt_group *group)
{
    return group->cores > 0 ? group->cores : group->simulate.cores;
}

/* The layouts of a group. Empty if zeroed. */
struct layouts {
    struct mt_layout *all; /* owned */
    int count;
};

/* The values of the program's file, or its defaults. */
struct choices {
    const int *threads, *gpus; /* borrowed, as the next */
    const enum mt_bind *binds;
    int nthreads, ngpus, nbinds;
};

static struct choices choices_of(const struct mt_program *program)
{
    static const int one = 1, none = 0;
    static const enum mt_bind usual = MT_BIND_DEFAULT;
    struct choices choices = {.threads = &one,
                              .nthreads = 1,
                              .gpus = &none,
                              .ngpus = 1,
                              .binds = &usual,
                              .nbinds = 1};
    if (program->nthreads > 0) {
        choices.threads = program->threads;
        choices.nthreads = program->nthreads;
    }
    if (program->ngpus > 0) {
        choices.gpus = program->gpus;
        choices.ngpus = program->ngpus;
    }
    if (program->nbinds > 0) {
        choices.binds = program->binds;
        choices.nbinds = program->nbinds;
    }
    return choices;
}

/* Whether a node has the cores for its processes' threads, and the GPUs. */
static bool has_cores(const struct mt_group *group, int processes, int threads)
{
    return threads == 1 || (double)processes * threads <= mt_group_cores(group);
}

static bool has_gpus(const struct mt_group *group, int processes, int gpus)
{
    return (double)processes * gpus <= group->gpus;
}

/* Combine the group's numbers of processes with what the program says, in order. */
static int combine(struct layouts *layouts, const struct mt_group *group,
                   const struct choices *choices, struct mt_error *err)
{
    const size_t room = (size_t)group->nlayouts * (size_t)choices->nthreads *
                        (size_t)choices->ngpus * (size_t)choices->nbinds;
    layouts->all = calloc(room, sizeof *layouts->all);
    if (!layouts->all)
        return mt_fail(err, MT_ENOMEM, "no memory for the layouts of group '%s'",
                       group->name);
    for (int i = 0; i < group->nlayouts; i++)
        for (int t = 0; t < choices->nthreads; t++)
            for (int b = 0; b < choices->nbinds; b++)
                for (int g = 0; g < choices->ngpus; g++) {
                    const int m = group->layouts[i].processes,
                              threads = choices->threads[t], gpus = choices->gpus[g];
                    if (has_cores(group, m, threads) && has_gpus(group, m, gpus))
                        layouts->all[layouts->count++] =
                            (struct mt_layout){.processes = m,
                                               .threads = threads > 1 ? threads : 0,
                                               .bind = choices->binds[b],
                                               .gpus = gpus};
                }
    return MT_OK;
}

static int refuse_group(const struct mt_cluster *cluster, const struct mt_group *group,
                        const struct choices *choices, struct mt_error *err)
{
    const char *path = cluster->path ? cluster->path : cluster->name;
    const int fewest = group->layouts[0].processes;
    const char *plural = fewest == 1 ? "" : "es";
    if (!has_gpus(group, fewest, choices->gpus[0]))
        return mt_fail(err, MT_EINVAL,
                       "%s: group '%s' has %d GPUs, too few for %d process%s of %d "
                       "each, the fewest of the program",
                       path, group->name, group->gpus, fewest, plural,
                       choices->gpus[0]);
    return mt_fail(err, MT_EINVAL,
                   "%s: group '%s' has %g cores, too few for %d process%s of %d "
                   "threads, the fewest of the program",
                   path, group->name, mt_group_cores(group), fewest, plural,
                   choices->threads[0]);
}

static int lay_out_group(struct layouts *layouts, const struct mt_cluster *cluster,
                         const struct mt_group *group, const struct choices *choices,
                         struct mt_error *err)
{
    if (choices->threads[choices->nthreads - 1] > 1 && mt_group_cores(group) == 0)
        return mt_fail(err, MT_EINVAL,
                       "%s: missing key 'cores' in group '%s': a program with threads "
                       "needs it",
                       cluster->path ? cluster->path : cluster->name, group->name);
    const int status = combine(layouts, group, choices, err);
    return status == MT_OK && layouts->count == 0
               ? refuse_group(cluster, group, choices, err)
               : status;
}

int mt_cluster_lay_out(struct mt_cluster *cluster, const struct mt_program *program,
                       struct mt_error *err)
{
    struct layouts layouts[MT_MAX_GROUPS] = {{0}};
    const struct choices choices = choices_of(program);
    int status = MT_OK;
    if (program->nthreads == 0 && program->nbinds == 0 && program->ngpus == 0)
        return MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++)
        status =
            lay_out_group(&layouts[g], cluster, &cluster->groups[g], &choices, err);
    for (int g = 0; g < cluster->ngroups; g++) {
        struct mt_group *group = &cluster->groups[g];
        free(status == MT_OK ? group->layouts : layouts[g].all);
        if (status == MT_OK) {
            group->layouts = layouts[g].all;
            group->nlayouts = layouts[g].count;
        }
    }
    return status;
}

static int find_group(const struct mt_cluster *cluster, const char *name, size_t length)
{
    for (int i = 0; i < cluster->ngroups; i++) {
        const char *known = cluster->groups[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0)
            return i;
    }
    return -1;
}

/* The place of `processes` among the numbers that a group may run, or -1. */
static int find_processes(const struct mt_group *group, int processes)
{
    for (int i = 0; i < group->nlayouts; i++)
        if (group->layouts[i].processes == processes)
            return i;
    return -1;
}

/* The place of a layout among those that a group may run, or -1. */
static int find_layout(const struct mt_group *group, struct mt_layout layout)
{
    for (int i = 0; i < group->nlayouts; i++)
        if (mt_layout_compare(group->layouts[i], layout) == 0)
            return i;
    return -1;
}

static int check_use(const struct mt_group *group, struct mt_use use, const char *text,
                     struct mt_error *err)
{
    const int nodes = group->nodes + group->down;
    if (use.nodes < 1 || use.nodes > nodes)
        return mt_fail(err, MT_EINVAL,
                       "group '%s' has 1 to %d nodes to use, not %d: '%s'", group->name,
                       nodes, use.nodes, text);
    if (use.layout.threads < 0 || use.layout.threads > MT_MOST_THREADS)
        return mt_fail(err, MT_EINVAL, "a process may have 1 to %d threads: '%s'",
                       MT_MOST_THREADS, text);
    if ((int64_t)use.layout.threads * use.layout.processes > MT_MOST_NODE_THREADS)
        return mt_fail(err, MT_EINVAL,
                       "a node may have at most %d threads, not %d for each of %d "
                       "processes: '%s'",
                       MT_MOST_NODE_THREADS, use.layout.threads, use.layout.processes,
                       text);
    if (use.layout.gpus > 0 &&
        (int64_t)use.layout.gpus * use.layout.processes > group->gpus)
        return mt_fail(err, MT_EINVAL,
                       "a node of group '%s' has %d GPU%s, not %d for each of %d "
                       "process%s: '%s'",
                       group->name, group->gpus, group->gpus == 1 ? "" : "s",
                       use.layout.gpus, use.layout.processes,
                       use.layout.processes == 1 ? "" : "es", text);
    if (find_processes(group, use.layout.processes) >= 0)
        return MT_OK;
    char known[128] = "";
    size_t length = 0;
    for (int i = 0; i < group->nlayouts && length < sizeof known; i++)
        if (i == 0 || group->layouts[i].processes != group->layouts[i - 1].processes)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%d",
                                       i > 0 ? ", " : "", group->layouts[i].processes);
    return mt_fail(err, MT_EINVAL,
                   "group '%s' may run %s processes on a node, not %d: '%s'",
                   group->name, known, use.layout.processes, text);
}

/* Read one "group:NODESxPROCESSES[tTHREADS][gGPUS][@BINDING]" at *part, and step over
   it. */
static int parse_part(struct mt_configuration *configuration,
                      const struct mt_cluster *cluster, const char *text,
                      const char **part, struct mt_error *err)
{
    const char *name = *part;
    const int column = (int)(name - text) + 1;
    const size_t length = strcspn(name, ":+");
    const char *at = name + length;
    struct mt_use use = {0};
    if (length == 0 || *at++ != ':' || !read_count(&at, &use.nodes) || *at++ != 'x' ||
        !mt_layout_read(&use.layout, &at) || (*at && *at != '+'))
        return mt_fail(err, MT_EPARSE,
                       "not of the form group:NODESxPROCESSES[tTHREADS][gGPUS]"
                       "[@BINDING] at column %d: '%s'",
                       column, text);
    int i = find_group(cluster, name, length);
    if (i < 0)
        return mt_fail(err, MT_EINVAL, "no such group '%.*s' in cluster '%s': '%s'",
                       (int)length, name, cluster->name, text);
    if (configuration->use[i].nodes > 0)
        return mt_fail(err, MT_EPARSE, "group '%s' comes twice: '%s'",
                       cluster->groups[i].name, text);
    configuration->use[i] = use;
    *part = at;
    return check_use(&cluster->groups[i], use, text, err);
}

int mt_configuration_parse(struct mt_configuration *configuration,
                           const struct mt_cluster *cluster, const char *text,
                           struct mt_error *err)
{
    struct mt_configuration parsed = {0};
    const char *at = text;
    int status = parse_part(&parsed, cluster, text, &at, err);
    while (status == MT_OK && *at == '+') {
        at++;
        status = parse_part(&parsed, cluster, text, &at, err);
    }
    if (status == MT_OK)
        *configuration = parsed;
    return status;
}

char *mt_configuration_format(const struct mt_configuration *configuration,
                              const struct mt_cluster *cluster)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const char *separator = "";
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_use *use = &configuration->use[i];
        if (use->nodes == 0)
            continue;
        char layout[MT_LAYOUT_LENGTH];
        fprintf(out, "%s%s:%dx%s", separator, cluster->groups[i].name, use->nodes,
                mt_layout_format(layout, use->layout));
        separator = "+";
    }
    if (!*separator)
        fputc('-', out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

struct mt_use mt_use_nodes(int nodes, struct mt_layout layout)
{
    return nodes > 0 ? (struct mt_use){nodes, layout} : (struct mt_use){0};
}

bool mt_configuration_has_threads(const struct mt_configuration *configuration)
{
    bool any = false;
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        any = any || configuration->use[i].layout.threads > 0;
    return any;
}

int mt_configuration_ranks(const struct mt_configuration *configuration)
{
    int ranks = 0;
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        ranks += configuration->use[i].nodes * configuration->use[i].layout.processes;
    return ranks;
}

int mt_configuration_nodes(const struct mt_configuration *configuration)
{
    int nodes = 0;
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        nodes += configuration->use[i].nodes;
    return nodes;
}

bool mt_configuration_same_groups(const struct mt_configuration *a,
                                  const struct mt_configuration *b)
{
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        if ((a->use[g].nodes > 0) != (b->use[g].nodes > 0))
            return false;
    return true;
}

int mt_configuration_only_group(const struct mt_configuration *configuration)
{
    int only = -1;
    for (int i = 0; i < MT_MAX_GROUPS; i++) {
        if (configuration->use[i].nodes == 0)
            continue;
        if (only >= 0)
            return -1;
        only = i;
    }
    return only;
}

bool mt_configuration_equal(const struct mt_configuration *a,
                            const struct mt_configuration *b)
{
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        if (a->use[i].nodes != b->use[i].nodes ||
            mt_layout_compare(a->use[i].layout, b->use[i].layout) != 0)
            return false;
    return true;
}

int mt_configuration_find_nodes(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster, struct mt_error *err)
{
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_group *group = &cluster->groups[i];
        const int wanted = configuration->use[i].nodes;
        if (wanted > group->nodes)
            return mt_fail(
                err, MT_EINFEASIBLE,
                "the configuration needs %d node%s of group '%s', of which %d answer%s",
                wanted, wanted == 1 ? "" : "s", group->name, group->nodes,
                group->nodes == 1 ? "s" : "");
    }
    return MT_OK;
}

/* Step to the group's next use; after the last one, set none and return false. */
static bool next_use(struct mt_use *use, const struct mt_group *group)
{
    if (group->nodes == 0)
        return false;
    if (use->nodes == 0) {
        *use = mt_use_nodes(1, group->layouts[0]);
        return true;
    }
    if (use->nodes < group->nodes) {
        use->nodes++;
        return true;
    }
    const int next = find_layout(group, use->layout) + 1;
    if (next < group->nlayouts) {
        *use = mt_use_nodes(1, group->layouts[next]);
        return true;
    }
    *use = (struct mt_use){0};
    return false;
}

bool mt_configuration_forbidden(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster)
{
    int used = 0;
    bool alone = false;
    for (int i = 0; i < cluster->ngroups; i++) {
        if (configuration->use[i].nodes == 0)
            continue;
        used++;
        alone = alone || cluster->groups[i].alone;
    }
    return (used > 1 && alone) ||
           mt_configuration_check(configuration, cluster, NULL) != MT_OK;
}

/* The used group that may only be used alone, or -1. */
static int used_alone(const struct mt_configuration *configuration,
                      const struct mt_cluster *cluster)
{
    for (int i = 0; i < cluster->ngroups; i++)
        if (cluster->groups[i].alone && configuration->use[i].nodes > 0)
            return i;
    return -1;
}

static bool step(struct mt_configuration *configuration,
                 const struct mt_cluster *cluster)
{
    /* Counts like an odometer whose first wheel turns fastest: the groups that may be
       mixed. Then the others come, one after the other. */
    const int alone = used_alone(configuration, cluster);
    for (int i = 0; i < cluster->ngroups && alone < 0; i++)
        if (!cluster->groups[i].alone &&
            next_use(&configuration->use[i], &cluster->groups[i]))
            return true;
    for (int i = alone < 0 ? 0 : alone; i < cluster->ngroups; i++)
        if (cluster->groups[i].alone &&
            next_use(&configuration->use[i], &cluster->groups[i]))
            return true;
    return false;
}

bool mt_configuration_next(struct mt_configuration *configuration,
                           const struct mt_cluster *cluster)
{
    bool any = step(configuration, cluster);
    while (any && mt_configuration_forbidden(configuration, cluster))
        any = step(configuration, cluster);
    return any;
}

static int count_layouts(const struct mt_group *group, enum mt_bind bind, int threads)
{
    int count = 0;
    for (int i = 0; i < group->nlayouts; i++)
        count += group->layouts[i].bind == bind &&
                 (threads == 0 || mt_layout_threads(group->layouts[i]) == threads);
    return count;
}

/* Count those that bind in that way, with `threads` threads a process (0: any). */
static double count_bound(const struct mt_cluster *cluster, enum mt_bind bind,
                          int threads)
{
    double mixed = 1, alone = 0;
    for (int i = 0; i < cluster->ngroups; i++) {
        const struct mt_group *group = &cluster->groups[i];
        const double uses = (double)group->nodes * count_layouts(group, bind, threads);
        if (group->alone)
            alone += uses;
        else
            mixed *= 1 + uses;
    }
    return mixed - 1 + alone;
}

double mt_configuration_count(const struct mt_cluster *cluster)
{
    double all = 0;
    for (int bind = 0; bind < MT_BINDS; bind++)
        for (int threads = -1;
             mt_cluster_next_threads(cluster, (enum mt_bind)bind, &threads);)
            all += count_bound(cluster, (enum mt_bind)bind, threads);
    return all;
}
