/* SPDX-License-Identifier: BSD-3-Clause */
#include "truth.h"
#include "cli/process/scratch.h"

#include "cli/launch/job.h"
#include "draw.h"
#include "experiments/common/noise.h"
#include "experiments/common/random.h"
#include "lib/base/array.h"
#include "lib/base/pattern.h"
#include "motley/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A number that changes with the text of the file. */
static int add_version(uint64_t *version, const char *path, struct mt_error *err)
{
    FILE *stream = fopen(path, "re");
    if (!stream)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    for (int byte; (byte = fgetc(stream)) != EOF;)
        *version = random_mix(*version ^ (unsigned char)byte);
    fclose(stream);
    return MT_OK;
}

static int add_point(struct truth *truth, const struct mt_sample *point,
                     struct mt_error *err)
{
    const int status = mt_array_grow(&truth->points, truth->count,
                                     sizeof *truth->points, "true times", err);
    if (status == MT_OK)
        truth->points[truth->count++] = *point;
    return status;
}

/* What is half written, as its writer was killed, is passed over. */
static int read_points(struct truth *truth, struct mt_error *err)
{
    char *line = NULL;
    size_t room = 0;
    int status = MT_OK;
    FILE *stream = fopen(truth->path, "re");
    if (!stream)
        return MT_OK;
    while (status == MT_OK && getline(&line, &room, stream) > 0) {
        struct mt_sample point = {0};
        char *size = strchr(line, ','), *seconds = size ? strchr(size + 1, ',') : NULL;
        if (!seconds || !strchr(seconds, '\n'))
            continue;
        *size++ = 0;
        point.size = strtod(size, NULL);
        point.seconds = strtod(seconds + 1, NULL);
        if (mt_configuration_parse(&point.configuration, &truth->cluster, line, NULL) ==
            MT_OK)
            status = add_point(truth, &point, err);
    }
    free(line);
    fclose(stream);
    return status;
}

static int load(struct truth *truth, const char *folder, const char *program,
                struct mt_error *err)
{
    uint64_t version = 0;
    char *cluster_path = NULL, *program_path = NULL;
    int status = MT_OK;
    if (asprintf(&cluster_path, "%s/cluster.yaml", folder) < 0 ||
        asprintf(&program_path, "%s/%s.yaml", folder, program) < 0)
        status = mt_fail(err, MT_ENOMEM, "no memory for a path");
    if (status == MT_OK)
        status = mt_cluster_load(&truth->cluster, cluster_path, err);
    if (status == MT_OK)
        status = mt_program_load(&truth->program, program_path, err);
    if (status == MT_OK)
        status = add_version(&version, cluster_path, err);
    if (status == MT_OK)
        status = add_version(&version, program_path, err);
    if (status == MT_OK && asprintf(&truth->path, "%s/%s-%08llx.csv", folder, program,
                                    (unsigned long long)(version >> 32)) < 0)
        status = mt_fail(err, MT_ENOMEM, "no memory for a path");
    free(cluster_path);
    free(program_path);
    return status;
}

int truth_open(struct truth *truth, const char *folder, uint64_t seed,
               const char *program, struct mt_error *err)
{
    char *own;
    if (asprintf(&own, "%s/%llu", folder, (unsigned long long)seed) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    truth->seed = seed;
    int status = draw_files(own, seed, err);
    if (status == MT_OK)
        status = load(truth, own, program, err);
    if (status == MT_OK)
        status = read_points(truth, err);
    if (status == MT_OK)
        status = mt_scratch_make(&truth->scratch, err);
    /* A trial adds noise of its own. */
    for (int g = 0; g < truth->cluster.ngroups; g++)
        truth->cluster.groups[g].simulate.noise = 0;
    free(own);
    if (status != MT_OK)
        truth_close(truth);
    return status;
}

void truth_close(struct truth *truth)
{
    mt_scratch_remove(truth->scratch);
    mt_cluster_clear(&truth->cluster);
    mt_program_clear(&truth->program);
    free(truth->path);
    free(truth->points);
    *truth = (struct truth){0};
}

bool truth_allows(const struct truth *truth,
                  const struct mt_configuration *configuration, double size)
{
    return mt_configuration_ranks(configuration) > 0 &&
           mt_plan_fits(&truth->cluster, &truth->program, configuration, size);
}

/* In one piece, so that those of several processes do not mix. */
static int keep(const struct truth *truth, const struct mt_sample *point,
                struct mt_error *err)
{
    char *line = NULL,
         *text = mt_configuration_format(&point->configuration, &truth->cluster);
    const int length =
        text ? asprintf(&line, "%s,%.15g,%.9g\n", text, point->size, point->seconds)
             : -1;
    free(text);
    if (length < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a true time");
    const int file = open(truth->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    int status = MT_OK;
    if (file < 0 || write(file, line, (size_t)length) != length)
        status =
            mt_fail(err, MT_EIO, "cannot write '%s': %s", truth->path, strerror(errno));
    if (file >= 0)
        close(file);
    free(line);
    return status;
}

static int run_job(const struct truth *truth, const struct mt_job *job, double *seconds,
                   struct mt_error *err)
{
    regex_t pattern;
    int interrupted = 0,
        status = mt_pattern_compile(&pattern, mt_program_pattern(&truth->program), err);
    if (status != MT_OK)
        return status;
    struct mt_process process = {.timeout = truth->program.timeout,
                                 .output = {.pattern = &pattern}};
    *seconds = NAN;
    status = mt_job_run(job, &process, &interrupted, err);
    if (status == MT_OK && interrupted)
        status = mt_fail(err, MT_EIO, "interrupted");
    if (status == MT_OK && process.exit_code == 0 && process.signal == 0 &&
        !process.timed_out)
        status = mt_output_number(&process.output, seconds, err);
    regfree(&pattern);
    return status;
}

static int simulate(struct truth *truth, struct mt_sample *point, struct mt_error *err)
{
    const struct mt_launch launch = {.cluster = &truth->cluster,
                                     .program = &truth->program,
                                     .configuration = &point->configuration,
                                     .size = point->size,
                                     .folder = truth->scratch};
    const double start = mt_clock();
    struct mt_job job = {0};
    int status = mt_job_make(&job, &launch, err);
    if (status == MT_OK)
        status = run_job(truth, &job, &point->seconds, err);
    mt_job_clear(&job);
    truth->simulated++;
    truth->seconds += mt_clock() - start;
    return status;
}

int truth_seconds(struct truth *truth, const struct mt_configuration *configuration,
                  double size, double *seconds, struct mt_error *err)
{
    for (int i = 0; i < truth->count; i++)
        if (truth->points[i].size == size &&
            mt_configuration_equal(&truth->points[i].configuration, configuration)) {
            *seconds = truth->points[i].seconds;
            return MT_OK;
        }
    struct mt_sample point = {.configuration = *configuration, .size = size};
    int status = simulate(truth, &point, err);
    if (status == MT_OK)
        status = keep(truth, &point, err);
    if (status == MT_OK)
        status = add_point(truth, &point, err);
    if (status == MT_OK)
        *seconds = point.seconds;
    return status;
}

int truth_run(struct truth *truth, const struct mt_configuration *configuration,
              double size, int repetition, double *seconds, struct mt_error *err)
{
    const int status = truth_seconds(truth, configuration, size, seconds, err);
    if (status == MT_OK)
        *seconds *=
            noise_factor(truth->noise, configuration, size, repetition, truth->seed);
    return status;
}
