/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-schemas FOLDER - write the JSON Schemas of all that motley's programs print as
 * JSON, and of the files that users write, when motley is built: see motley-json(5).
 */
#include "cli/common/json.h"
#include "cli/common/schema.h"
#include "lib/input/keys.h"
#include "tools/testbed/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The lines of motley-bcast-bench, which writes them itself
   (tools/bcast-bench/results.c): each of them is of one metric. */
static const struct mt_member bcast_bench_members[] = {
    MT_VALUE("bench", TEXT),
    MT_VALUE("simulated", FLAG),
    MT_VALUE("ranks", COUNT),
    MT_VALUE("bytes", BYTES),
    MT_VALUE("late", SECONDS),
    MT_VALUE("root", COUNT),
    MT_VALUE("barrier", FLAG),
    MT_VALUE("delay_by", TEXT),
    MT_VALUE("calls", COUNT),
    MT_VALUE("repetitions", COUNT),
    MT_VALUE("warm_up", COUNT),
    MT_VALUE("checked", FLAG),
    MT_VALUE("way", TEXT),
    MT_VALUE("metric", TEXT),
    MT_VALUE("value", NUMBER),
    MT_VALUE("unit", TEXT),
    MT_VALUE("rival", TEXT),
    /* of a pattern */
    {.key = "arrival", .unit = MT_COLUMN_TEXT, .optional = true},
    {.key = "wait_for_root", .unit = MT_COLUMN_SECONDS, .optional = true},
    {.key = "p10", .unit = MT_COLUMN_NUMBER, .optional = true},
    {.key = "p90", .unit = MT_COLUMN_NUMBER, .optional = true},
    {.key = "spread", .unit = MT_COLUMN_NUMBER, .optional = true},
    {.key = "rival_value", .unit = MT_COLUMN_NUMBER, .optional = true},
    {.key = "ratio", .unit = MT_COLUMN_NUMBER, .optional = true},
    /* of all patterns together */
    {.key = "patterns", .unit = MT_COLUMN_COUNT, .optional = true},
    {0},
};
static const struct mt_document bcast_bench = {
    "motley/bcast-bench", 1, {.members = bcast_bench_members}};

static const struct mt_document *const documents[] = {
    &mt_document_check,
    &mt_document_measure,
    &mt_document_measure_dry_run,
    &mt_document_measure_budget,
    &mt_document_measure_budget_dry_run,
    &mt_document_fit,
    &mt_document_predict,
    &mt_document_plan,
    &mt_document_plan_front,
    &mt_document_plan_map,
    &mt_document_weights,
    &mt_document_run,
    &mt_document_evaluate,
    &mt_document_report,
    &mt_document_surface_predict,
    &mt_document_surface_report,
    &mt_document_surface_compare,
    &mt_document_surface_advise,
    &mt_document_surface_fit,
    &mt_document_surface_evaluate,
    &mt_document_strassen_dry_run,
    &mt_document_strassen_plan,
    &mt_document_strassen_report,
    &mt_document_strassen_run,
    &mt_document_runs,
    &mt_document_models,
    &mt_document_links,
    &mt_document_lateness,
    &mt_document_lateness_list,
    &mt_document_tune,
    &mt_document_testbed,
    &bcast_bench,
};

static const struct {
    const char *kind;
    const struct mt_yaml_key *keys;
} files[] = {
    {"cluster", mt_cluster_keys},
    {"program", mt_program_keys},
    {"machine", mt_machine_keys},
};

/* The schema, which is released, as the file NAME.schema.json. */
static void write_schema(const char *name, json_t *schema)
{
    struct mt_error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s.schema.json", name);
    FILE *file = fopen(path, "we");
    if (!file)
        mt_fail(&err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    if (!file || mt_json_write(schema, JSON_INDENT(2), file, &err) != MT_OK ||
        fclose(file) != 0) {
        fprintf(stderr, "motley-schemas: %s\n", err.text);
        exit(EXIT_FAILURE);
    }
    json_decref(schema);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (mkdir(argv[1], 0777) != 0 && errno != EEXIST) ||
        chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: motley-schemas FOLDER\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        write_schema(documents[i]->name + strlen("motley/"),
                     mt_schema_of_document(documents[i]));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_schema(files[i].kind, mt_schema_of_file(files[i].kind, files[i].keys));
    return EXIT_SUCCESS;
}
