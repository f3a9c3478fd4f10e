/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stores that were tampered with: a byte of flags, edits of the file, and of its
 * write-ahead log (see store_image.h). They are read completely, used for plans, and
 * written to.
 */
#include "cli/data/formats.h"
#include "fuzz.h"
#include "lib/model/internal.h"
#include "lib/store/internal.h"
#include "motley/plan.h"
#include "store_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum flag { LOOSE = 1, LOG = 2, WRITE = 4, PLAN = 8 };

static struct mt_cluster cluster;
static struct mt_program program;
static struct image strict, loose, log_base, log_only;
static char path[FUZZ_PATH], log_path[FUZZ_PATH + 16];

static void add_run(struct mt_store *store, const char *configuration, double size,
                    double seconds)
{
    struct mt_run run = {.cluster = strdup("lab"),
                         .program = strdup("toy"),
                         .configuration = strdup(configuration),
                         .size = size,
                         .repetition = 1,
                         .outcome = seconds > 0 ? MT_RUN_OK : MT_RUN_FAILED,
                         .seconds = seconds,
                         .wall = seconds + 1,
                         .output = strdup("out\n"),
                         .started = 1};
    struct mt_error err;
    (void)!mt_store_add_run(store, &run, &err);
    mt_run_clear(&run);
}

static void add_runs(struct mt_store *store)
{
    for (int ranks = 1; ranks <= 3; ranks++)
        for (int size = 10; size <= 20; size += 5) {
            char text[32];
            snprintf(text, sizeof text, "a:%dx1", ranks);
            add_run(store, text, size, 0.6 * size / ranks + ranks);
            snprintf(text, sizeof text, "b:%dx1", ranks);
            add_run(store, text, size, 1.2 * size / ranks + ranks);
        }
    add_run(store, "a:3x1+b:3x1", 20, 12);
    add_run(store, "a:2x1+b:3x1", 20, 0);
}

static void fit(struct mt_store *store, enum mt_model_kind kind)
{
    const struct mt_fit_options options = {.kind = kind};
    struct mt_samples samples = {0};
    struct mt_models models = {0};
    struct mt_error err;
    if (mt_store_samples(store, &samples, &cluster, "toy", &err) == MT_OK &&
        mt_fit(&models, &cluster, &program, &samples, &options, &err) == MT_OK)
        (void)!mt_store_put_models(store, "lab", "toy", &models, &err);
    mt_models_clear(&models);
    mt_samples_clear(&samples);
}

static struct mt_store *open_store(enum mt_store_mode mode)
{
    struct mt_store *store = NULL;
    struct mt_error err;
    return mt_store_open(&store, path, mode, &err) == MT_OK ? store : NULL;
}

static void remove_files(void)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        char file[sizeof log_path];
        snprintf(file, sizeof file, "%s%s", path, endings[i]);
        unlink(file);
    }
}

/* The stores to tamper with: closed, without types, and with the last writes only in
   its log. */
static void make_images(void)
{
    struct mt_error err;
    struct mt_store *store = open_store(MT_STORE_WRITE);
    fuzz_demand(store != NULL);
    add_runs(store);
    fit(store, MT_MODEL_AUTO);
    fit(store, MT_MODEL_NPT);
    fuzz_demand(mt_store_set_down(store, "lab", "a1", 7, &err) == MT_OK);
    mt_store_close(store);
    strict = image_read(path);
    loose = image_loosened(&strict);
    store = open_store(MT_STORE_WRITE);
    fuzz_demand(store != NULL);
    add_run(store, "b:1x1", 30, 37);
    log_base = image_read(path);
    log_only = image_read(log_path);
    mt_store_close(store);
}

void fuzz_begin(void)
{
    static const char lab[] = "name: lab\nlauncher: openmpi\ngroups:\n"
                              "  - {name: a, hosts: 'a[1-3]', processes: [1]}\n"
                              "  - {name: b, hosts: 'b[1-3]', processes: [1]}\n";
    static const char toy[] = "name: toy\ncommand: [toy, '{N}']\ntime: wall\n"
                              "sizes: {measure: [10, 15, 20]}\nwork: 1e9*N\n"
                              "terms: {np-t: 'N/P, P'}\n";
    fuzz_demand(mt_cluster_load(&cluster, fuzz_file(lab, strlen(lab)), NULL) == MT_OK);
    fuzz_demand(mt_program_load(&program, fuzz_file(toy, strlen(toy)), NULL) == MT_OK);
    fuzz_path(path, "store.db");
    atexit(remove_files);
    snprintf(log_path, sizeof log_path, "%s-wal", path);
    make_images();
}

static void read_lists(struct mt_store *store)
{
    const struct mt_run_filter all = {0};
    struct mt_runs runs = {0};
    struct mt_fitted_list fitted = {0};
    struct mt_down_nodes down = {0};
    struct mt_link_figures links = {0};
    struct mt_error err;
    if (mt_store_runs(store, &runs, &all, &err) == MT_OK) {
        struct fuzz_page page = {0};
        fuzz_page_open(&page);
        mt_format_csv.write(page.stream, &runs);
        fuzz_page_close(&page);
        fuzz_page_clear(&page);
    }
    (void)!mt_store_fitted(store, &fitted, NULL, NULL, &err);
    (void)!mt_store_down_nodes(store, &down, "lab", &err);
    (void)!mt_store_links(store, &links, NULL, &err);
    mt_runs_clear(&runs);
    mt_fitted_clear(&fitted);
    mt_down_nodes_clear(&down);
    mt_link_figures_clear(&links);
}

static void plan(struct mt_store *store, enum mt_model_kind kind)
{
    const struct mt_question question = {.size = 40, .top = 3};
    struct mt_predictor predictor = {0};
    struct mt_plan made = {0};
    struct mt_error err;
    if (mt_predictor_load(&predictor, store, &cluster, &program, kind, &err) == MT_OK &&
        mt_plan_make(&made, &predictor, &question, false, &err) == MT_OK)
        for (int i = 0; i < made.count; i++)
            fuzz_demand(made.choices[i].prediction.seconds > 0);
    mt_plan_clear(&made);
    mt_predictor_clear(&predictor);
}

/* A written run is there, unless the store is damaged. */
static void write_more(struct mt_store *store, bool whole)
{
    const struct mt_run_filter filter = {.cluster = "lab", .program = "added"};
    struct mt_run run = {.cluster = strdup("lab"),
                         .program = strdup("added"),
                         .configuration = strdup("a:1x1"),
                         .size = 1,
                         .repetition = 1,
                         .outcome = MT_RUN_OK,
                         .seconds = 1};
    struct mt_runs runs = {0};
    struct mt_error err;
    const int status = mt_store_add_run(store, &run, &err);
    if (status == MT_OK && mt_store_runs(store, &runs, &filter, &err) == MT_OK)
        fuzz_demand(runs.count > 0 || !whole);
    mt_runs_clear(&runs);
    mt_run_clear(&run);
    fit(store, MT_MODEL_NPT);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    struct edits edits = {data, size, false};
    const uint8_t flags = edits_byte(&edits);
    const bool with_log = flags & LOG;
    const struct image *base = with_log ? &log_base : flags & LOOSE ? &loose : &strict;
    struct image file = image_edited(base, &edits);
    image_write(&file, path);
    free(file.bytes);
    if (with_log) {
        struct image log = image_log_edited(&log_only, &edits);
        image_write(&log, log_path);
        free(log.bytes);
    }
    struct mt_store *store = open_store(flags & WRITE ? MT_STORE_WRITE : MT_STORE_READ);
    if (store) {
        read_lists(store);
        if (flags & PLAN) {
            plan(store, MT_MODEL_AUTO);
            plan(store, MT_MODEL_NPT);
        }
        if (flags & WRITE)
            write_more(store, !(flags & LOOSE) && !edits.broken);
    }
    mt_store_close(store);
    remove_files();
}
