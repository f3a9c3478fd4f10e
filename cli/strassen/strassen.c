/* SPDX-License-Identifier: BSD-3-Clause */
/* motley strassen: its table of actions, their options, and the app 'strassen' as the
   programs that they start. */
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/measure/campaign.h"
#include "cli/process/memory.h"
#include "cli/run/down.h"
#include "lib/base/draft.h"
#include "lib/base/options.h"
#include "lib/input/internal.h"
#include "lib/input/template.h"
#include "lib/partition/internal.h"
#include "lib/partition/question.h"
#include "lib/store/internal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mt_strassen_options mt_strassen_options = {
    .repeat = {.least = 1, .most = MT_MOST_COUNT, .value = 3},
    /* a partition has at most MT_PARTITION_MAX_TILES, the square of it */
    .most = {.least = 1, .most = 1024, .value = 16},
    .seed = {.most = MT_MOST_SEED},
};

enum { LARGEST_EXTENT = MT_STRASSEN_LARGEST };

/* Read a number that ends at `stop`; `*at` moves behind it. */
static bool read_extent(int *extent, const char **at, char stop)
{
    char *end;
    const long value = strtol(*at, &end, 10);
    if (!isdigit((unsigned char)**at) || *end != stop || value < 1 ||
        value > LARGEST_EXTENT)
        return false;
    *extent = (int)value;
    *at = end + 1;
    return true;
}

static int read_product(struct mt_partition_product *product, struct mt_error *err)
{
    const char *text = mt_strassen_options.size;
    if (!text)
        return mt_fail(err, MT_EINVAL, "--size is needed");
    const char *at = text;
    if (read_extent(&product->n, &at, 0)) {
        product->m = product->k = product->n;
        return MT_OK;
    }
    at = text;
    if (read_extent(&product->m, &at, 'x') && read_extent(&product->n, &at, 'x') &&
        read_extent(&product->k, &at, 0))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "--size: '%s' is not a whole number from 1 to %d, or three, as "
                   "4000x4000x1000",
                   text, LARGEST_EXTENT);
}

int mt_strassen_kind_read(enum mt_partition_kind *kind, bool *given,
                          struct mt_error *err)
{
    const char *name = mt_strassen_options.partition;
    *given = name != NULL;
    const int status = name ? mt_partition_kind_parse(kind, name, err) : MT_OK;
    return mt_option_blame(status, "--cut", err);
}

/* Equal blocks, the reference, and rectangles; the paper's other kinds on request. */
static int read_kinds(struct mt_strassen_question *question, struct mt_error *err)
{
    enum mt_partition_kind wanted = MT_PARTITION_EQUAL;
    bool given;
    const int status = mt_strassen_kind_read(&wanted, &given, err);
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        question->kinds[kind] = mt_strassen_options.as_in_paper;
    question->kinds[MT_PARTITION_EQUAL] = question->kinds[MT_PARTITION_AUTO] = true;
    question->kinds[wanted] = true;
    return status;
}

static int read_options(struct mt_strassen_question *question, struct mt_error *err)
{
    int status = read_product(&question->product, err);
    question->most = (int)mt_strassen_options.most.value;
    return status == MT_OK ? read_kinds(question, err) : status;
}

/* All nodes, with the fewest processes on each. */
static void use_all(struct mt_configuration *configuration,
                    const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        if (group->nodes > 0)
            configuration->use[g] = (struct mt_use){
                .nodes = group->nodes, .layout.processes = group->layouts[0].processes};
    }
}

static int read_configuration(struct mt_strassen_question *question,
                              struct mt_error *err)
{
    const struct mt_cluster *cluster = &question->cluster;
    struct mt_configuration *configuration = &question->configuration;
    int status;
    if (mt_strassen_options.configuration) {
        status = mt_configuration_option(configuration, cluster,
                                         mt_strassen_options.configuration, err);
    } else {
        use_all(configuration, cluster);
        status = mt_configuration_find_nodes(configuration, cluster, err);
    }
    if (status != MT_OK)
        return status;
    if (mt_configuration_ranks(configuration) == 0)
        return mt_fail(err, MT_EINFEASIBLE, "no node of '%s' answers", cluster->name);
    question->text = mt_need(mt_configuration_format(configuration, cluster));
    return MT_OK;
}

/* Missing measurements can be made, so say how. */
static int calibrate(struct mt_strassen_question *question, const char *cluster,
                     struct mt_error *err)
{
    struct mt_error reason = {0};
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, &reason);
    if (status == MT_OK)
        status = mt_strassen_question_calibrate(question, store, &reason);
    mt_store_close(store);
    if (status == MT_ENOTFOUND)
        return mt_fail(err, status, "%s; 'motley strassen measure %s' measures it",
                       reason.text, cluster);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

int mt_strassen_question_read(struct mt_strassen_question *question,
                              const char *cluster, struct mt_error *err)
{
    int status = read_options(question, err);
    if (status == MT_OK)
        status = mt_cluster_input(&question->cluster, cluster, err);
    if (status == MT_OK)
        status = mt_down_leave_out_known(&question->cluster, err);
    if (status == MT_OK)
        status = read_configuration(question, err);
    return status == MT_OK ? calibrate(question, cluster, err) : status;
}

int mt_strassen_campaign_open(struct mt_campaign *campaign, struct mt_cluster *cluster,
                              struct mt_error *err)
{
    *campaign = (struct mt_campaign){
        .cluster = cluster,
        .seed = (unsigned)mt_strassen_options.seed.value,
        .jobs = 1,
        .quiet = mt_strassen_options.quiet,
    };
    int status = mt_positive_option(&campaign->timeout, "--timeout",
                                    mt_strassen_options.timeout, MT_SECONDS, err);
    if (status == MT_OK)
        status = mt_store_open(&campaign->store, mt_common.db, MT_STORE_WRITE, err);
    return status == MT_OK ? mt_store_claim(campaign->store, err) : status;
}

static void add_probe_words(char ***words, enum mt_strassen_probe probe)
{
    mt_words_add(words, "strassen");
    switch (probe) {
    case MT_PROBE_PRODUCT:
        mt_words_add_all(words, "--product", "--levels", "0", NULL);
        break;
    case MT_PROBE_STRASSEN:
        mt_words_add_all(words, "--product", "--levels", "1", NULL);
        break;
    case MT_PROBE_TRANSFER:
        mt_words_add(words, "--transfer");
        break;
    case MT_PROBE_AGAIN: /* the median is of a later time */
        mt_words_add_all(words, "--transfer", "--repeat", "5", NULL);
        break;
    case MT_PROBE_EXCHANGE:
        mt_words_add(words, "--exchange");
        break;
    case MT_PROBE_OVERLAP:
        mt_words_add_all(words, "--overlap", "--repeat", "5", NULL);
        break;
    }
    mt_words_add_all(words, "--size", "{N}", NULL);
}

/* The common members of all programs, and the pattern of their time. */
static void begin_program(struct mt_program *program, const char *name)
{
    program->name = mt_strdup(name);
    program->time_match = mt_strdup("^time ([0-9.eE+-]+) s");
    program->repeat = 1;
    program->timeout = 3600;
}

void mt_strassen_probe_program(struct mt_program *program, enum mt_strassen_probe probe)
{
    begin_program(program, mt_strassen_probe_name(probe));
    add_probe_words(&program->command, probe);
    add_probe_words(&program->simulated, probe);
    mt_words_add(&program->simulated, "--model-only");
}

double mt_strassen_size(const struct mt_partition_product *product)
{
    const double m = product->m, n = product->n, k = product->k;
    return m == n && n == k ? n : cbrt(m * n * k);
}

const char *mt_strassen_size_text(char text[MT_STRASSEN_SIZE_TEXT],
                                  const struct mt_partition_product *product)
{
    if (product->m == product->n && product->n == product->k)
        snprintf(text, MT_STRASSEN_SIZE_TEXT, "%d", product->n);
    else
        snprintf(text, MT_STRASSEN_SIZE_TEXT, "%dx%dx%d", product->m, product->n,
                 product->k);
    return text;
}

/* Up to this size, a simulated product is computed in about a second. */
static bool is_computed(const struct mt_partition_product *product)
{
    return mt_strassen_size(product) <= 1000;
}

static int add_partition_words(char ***words, const char *path,
                               const struct mt_partition_product *product,
                               struct mt_error *err)
{
    char size[MT_STRASSEN_SIZE_TEXT];
    mt_words_add_all(words, "strassen", "--cut", NULL);
    const int status = mt_template_add(words, path, err);
    mt_words_add_all(words, "--size", mt_strassen_size_text(size, product), NULL);
    return status;
}

int mt_strassen_partition_program(struct mt_program *program, const char *name,
                                  const char *path,
                                  const struct mt_partition_product *product,
                                  bool check, struct mt_error *err)
{
    const bool computes = is_computed(product);
    begin_program(program, name);
    int status = add_partition_words(&program->command, path, product, err);
    if (status == MT_OK)
        status = add_partition_words(&program->simulated, path, product, err);
    if (check)
        mt_words_add(&program->command, "--check");
    if (check && computes)
        mt_words_add(&program->simulated, "--check");
    if (!computes)
        mt_words_add(&program->simulated, "--model-only");
    if (status != MT_OK)
        mt_program_clear(program);
    return status;
}

int mt_strassen_write_partition(const struct mt_partition *partition, const char *path,
                                struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    mt_partition_write(partition, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
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

static const struct poptOption options[] = {
    {"sizes", 0, POPT_ARG_STRING, &mt_strassen_options.sizes, 0,
     "measure: products of these sizes (default: 1200,2000,3000)", "N,N"},
    {"repeat", 0, POPT_ARG_STRING, &mt_strassen_options.repeat, MT_OPTION_NUMBER,
     "measure: runs of each (default: 3)", "NUMBER"},
    {"quiet", 0, POPT_ARG_NONE, &mt_strassen_options.quiet, 0,
     "measure: no progress bar", NULL},
    {"size", 0, POPT_ARG_STRING, &mt_strassen_options.size, 0,
     "the product: N, or MxNxK (C is M x N, A is M x K)", "SIZE"},
    {"configuration", 0, POPT_ARG_STRING, &mt_strassen_options.configuration, 0,
     "the nodes and processes (default: all nodes)", "CONFIGURATION"},
    {"most", 0, POPT_ARG_STRING, &mt_strassen_options.most, MT_OPTION_NUMBER,
     "cut into G x G blocks at most (default: 16)", "G"},
    {"cut", 0, POPT_ARG_STRING, &mt_strassen_options.partition, 0,
     "equal, greedy, recursive or auto (default: the best)", "KIND"},
    {"as-in-paper", 0, POPT_ARG_NONE, &mt_strassen_options.as_in_paper, 0,
     "plan, report: compare with the paper's greedy and recursive partitions, too",
     NULL},
    {"write", 0, POPT_ARG_STRING, &mt_strassen_options.write, 0,
     "plan: write the partition, see motley-cut(5)", "FILE"},
    {"plot", 0, POPT_ARG_STRING, &mt_strassen_options.plot, 0,
     "plan: draw the partition into a .svg or .png file, or 'term'", "FILE"},
    {"output", 'o', POPT_ARG_STRING, &mt_strassen_options.output, 0,
     "report: the page, an HTML file", "FILE"},
    {"force", 0, POPT_ARG_NONE, &mt_strassen_options.force, 0,
     "report: also replace a file that is not a page of motley", NULL},
    {"cut-file", 0, POPT_ARG_STRING, &mt_strassen_options.partition_file, 0,
     "run: cut as this file says", "FILE"},
    {"no-check", 0, POPT_ARG_NONE, &mt_strassen_options.no_check, 0,
     "run: do not check the result", NULL},
    {"timeout", 0, POPT_ARG_STRING, &mt_strassen_options.timeout, 0,
     "measure, run: of a run, as '90 s' (default: 1 h)", "TIME"},
    {"seed", 0, POPT_ARG_STRING, &mt_strassen_options.seed, MT_OPTION_NUMBER,
     "measure, run: of simulated noise (default: 0)", "NUMBER"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* In the order in which they are used. */
static const struct mt_action *const actions[] = {
    &mt_strassen_measure,
    &mt_strassen_plan,
    &mt_strassen_report,
    &mt_strassen_run,
    NULL,
};

static int run(const char **arguments, struct mt_error *err)
{
    return mt_action_run("strassen", actions, options, arguments, err);
}

static void print_actions(void)
{
    mt_actions_print(actions);
}

const struct mt_command mt_command_strassen = {
    .name = "strassen",
    .arguments = "ACTION CLUSTER",
    .summary = "Multiply matrices on unequal nodes by Strassen's method",
    .options = options,
    .run = run,
    .print_more_help = print_actions,
};
