/* SPDX-License-Identifier: BSD-3-Clause */
/* The folders of jobs in Slurm's queue: recorded, found again, left or removed. */
#include "handed.h"

#include "cli/common/json.h"
#include "cli/common/progress.h"
#include "cli/launch/job.h"
#include "cli/launch/script.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/input/internal.h"
#include "queue.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOB_FOLDER "job-"

/* Where the folders of a store's jobs are; the caller frees it. */
static int jobs_folder(char **folder, const char *db, struct mt_error *err)
{
    char *real = realpath(db, NULL);
    if (!real)
        return mt_fail(err, MT_EIO, "cannot find '%s': %s", db, strerror(errno));
    *folder = mt_asprintf("%s-jobs", real);
    free(real);
    return MT_OK;
}

/* The path of a file of the job; the caller frees it. */
static char *file_of(const char *folder, const char *name)
{
    return mt_asprintf("%s/%s", folder, name);
}

FILE *mt_handed_open(const char *folder, const char *name)
{
    char *path = file_of(folder, name);
    FILE *file = fopen(path, "re");
    free(path);
    return file;
}

static void clear(struct mt_handed *handed)
{
    free(handed->folder);
    free(handed->home);
    free(handed->preloaded);
    *handed = (struct mt_handed){0};
}

void mt_handed_clear(struct mt_handed_list *list)
{
    for (int i = 0; i < list->count; i++)
        clear(&list->jobs[i]);
    free(list->jobs);
    *list = (struct mt_handed_list){0};
}

char *mt_handed_run_folder(const struct mt_handed *handed)
{
    struct stat info;
    if (!handed->home || handed->job == 0)
        return NULL;
    char *path = mt_asprintf("%s/" MT_STAGE_FOLDER "%ld", handed->home, handed->job);
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return path;
    free(path);
    return NULL;
}

void mt_handed_remove(struct mt_handed_list *list, int i)
{
    char *folder = list->jobs[i].folder;
    mt_folder_remove(folder);
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
        rmdir(folder); /* which stays if it has other entries */
    }
    clear(&list->jobs[i]);
    memmove(&list->jobs[i], &list->jobs[i + 1],
            (size_t)(list->count - i - 1) * sizeof *list->jobs);
    list->count--;
}

const struct mt_handed *mt_handed_of(const struct mt_handed_list *list,
                                     const struct mt_task *task)
{
    for (int i = 0; i < list->count; i++) {
        const struct mt_task *other = &list->jobs[i].task;
        if (other->size == task->size && other->repetition == task->repetition &&
            mt_configuration_equal(&other->configuration, &task->configuration))
            return &list->jobs[i];
    }
    return NULL;
}

/* A record of another cluster or program is skipped: `*added` is false. */
static int read_record(struct mt_handed *handed, bool *added, json_t *record,
                       const struct mt_launch *names, struct mt_error *err)
{
    const char *cluster, *program, *configuration, *home = NULL, *preloaded = NULL;
    json_error_t error;
    json_int_t job = 0;
    int status = MT_OK, joins = false;
    *added = false;
    if (json_unpack_ex(record, &error, 0,
                       "{s:I, s:s, s:s, s:s, s:F, s:i, s?s, s?s, s?b}", "job", &job,
                       "cluster", &cluster, "program", &program, "configuration",
                       &configuration, "size", &handed->task.size, "repetition",
                       &handed->task.repetition, "home", &home, "preloaded", &preloaded,
                       "joins", &joins) != 0)
        return mt_fail(err, MT_EPARSE, "%s", error.text);
    if (strcmp(cluster, names->cluster->name) != 0 ||
        strcmp(program, names->program->name) != 0)
        return MT_OK;
    handed->joins = joins;
    if (job < 0 || handed->task.size <= 0 || handed->task.repetition < 1)
        return mt_fail(err, MT_EPARSE, "its numbers make no sense");
    status = mt_configuration_parse(&handed->task.configuration, names->cluster,
                                    configuration, err);
    handed->preloaded = mt_strdup(preloaded);
    handed->home = mt_strdup(home);
    handed->job = (long)job;
    *added = status == MT_OK;
    return status;
}

/* The name of the job of a folder; the caller frees it. */
static char *name_of(const char *folder, const struct mt_program *program)
{
    const char *dash = strrchr(folder, '-');
    return mt_script_name(program, dash ? dash + 1 : folder);
}

static bool has_ended(const char *folder)
{
    FILE *file = mt_handed_open(folder, "ended");
    const bool ended = file != NULL;
    if (ended)
        fclose(file);
    return ended;
}

/* Find the number of a job whose motley was killed while submitting it, which may still
   be in progress. `*job` stays 0 if it does not exist, or ended long ago. */
static int find_job(long *job, const char *folder, const struct mt_program *program,
                    struct mt_error *err)
{
    enum { TIMES = 3 };
    char *name = name_of(folder, program);
    int status = MT_OK;
    for (int i = 0; i < TIMES && status == MT_OK && *job == 0; i++) {
        sleep(i > 0);
        status = mt_queue_find(job, name, err);
        if (has_ended(folder))
            break;
    }
    free(name);
    return status;
}

/* Whether the name is one of make_folder(). No other motley uses it, as the store is
   claimed. */
static bool is_made_here(const char *folder)
{
    const char *name = strrchr(folder, '/') + 1;
    return strncmp(name, JOB_FOLDER, sizeof JOB_FOLDER - 1) == 0 &&
           strlen(name) == sizeof JOB_FOLDER "XXXXXX" - 1;
}

/* Add the job whose folder it is, if it is of that cluster and program. */
static int add_folder(struct mt_handed_list *list, const char *folder,
                      const struct mt_launch *names, struct mt_error *err)
{
    struct mt_handed handed = {0};
    json_error_t error;
    bool added = false;
    FILE *file = mt_handed_open(folder, "run.json");
    if (!file) { /* it was never submitted */
        if (is_made_here(folder))
            mt_folder_remove(folder);
        return MT_OK;
    }
    json_t *record = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    int status = record ? read_record(&handed, &added, record, names, err)
                        : mt_fail(err, MT_EPARSE, "%s", error.text);
    json_decref(record);
    if (status == MT_OK && added && handed.job == 0) {
        status = find_job(&handed.job, folder, names->program, err);
        added = status == MT_OK && (handed.job > 0 || has_ended(folder));
        if (status == MT_OK && !added)
            mt_folder_remove(folder); /* it was never submitted */
    }
    if (status == MT_OK && added) {
        handed.folder = mt_strdup(folder);
        mt_array_extend(&list->jobs, list->count, sizeof *list->jobs);
        list->jobs[list->count++] = handed;
    } else {
        clear(&handed);
    }
    return status;
}

bool mt_handed_any(const char *db)
{
    char *all = NULL;
    const bool any = jobs_folder(&all, db, NULL) == MT_OK && access(all, F_OK) == 0;
    free(all);
    return any;
}

int mt_handed_find(struct mt_handed_list *list, const char *db,
                   const struct mt_cluster *cluster, const struct mt_program *program,
                   struct mt_error *err)
{
    const struct mt_launch names = {.cluster = cluster, .program = program};
    char *all = NULL;
    int status = jobs_folder(&all, db, err);
    DIR *folder = status == MT_OK ? opendir(all) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct mt_error reason;
        char *path = entry->d_name[0] == '.' ? NULL : file_of(all, entry->d_name);
        if (path && add_folder(list, path, &names, &reason) != MT_OK)
            fprintf(stderr, "motley: the job in '%s' is left alone: %s\n", path,
                    reason.text);
        free(path);
    }
    if (folder) {
        closedir(folder);
        rmdir(all); /* which stays unless it is empty */
    }
    free(all);
    return status;
}

/* In names of output files, '%' begins a replaced part; a '\' anywhere turns that off,
   and quotes the next character. */
static void add_output(char ***argv, const char *folder)
{
    char *text;
    size_t length;
    const char doubled = strchr(folder, '\\') ? '\\' : '%';
    FILE *stream = mt_memory_open(&text, &length);
    for (; *folder; folder++) {
        if (*folder == doubled)
            fputc(doubled, stream);
        fputc(*folder, stream);
    }
    mt_memory_close(stream, &text);
    mt_words_add(argv, "--output=%s/output", text);
    free(text);
}

/* If Slurm did not answer, the job may exist nevertheless. */
static int hand_in(struct mt_handed *handed, const struct mt_script *script,
                   const char *path, struct mt_error *err)
{
    char **argv = NULL, **env = mt_script_environment(script);
    char *name = name_of(handed->folder, script->launch->program);
    mt_words_add_all(&argv, "sbatch", "--parsable", NULL);
    mt_words_add(&argv, "--job-name=%s", name);
    add_output(&argv, handed->folder);
    mt_words_add(&argv, "%s", path);
    int status = mt_queue_add(&handed->job, argv, env, err);
    if (status == MT_EIO && mt_queue_find(&handed->job, name, NULL) == MT_OK &&
        handed->job > 0)
        status = MT_OK;
    mt_argv_free(env);
    mt_argv_free(argv);
    free(name);
    return status;
}

static int write_record(const struct mt_handed *handed, const struct mt_launch *launch,
                        struct mt_error *err)
{
    struct mt_draft draft;
    char *path = file_of(handed->folder, "run.json");
    char *text =
        mt_need(mt_configuration_format(&handed->task.configuration, launch->cluster));
    json_t *record = mt_need(json_pack(
        "{s:I, s:s, s:s, s:s, s:f, s:i, s:s*, s:s*, s:b}", "job",
        (json_int_t)handed->job, "cluster", launch->cluster->name, "program",
        launch->program->name, "configuration", text, "size", handed->task.size,
        "repetition", handed->task.repetition, "home", handed->home, "preloaded",
        handed->preloaded, "joins", handed->joins));
    int status = mt_draft_open(&draft, path, err);
    if (status == MT_OK) {
        mt_json_write(record, 0, draft.stream);
        status = mt_draft_close(&draft, MT_OK, err);
    }
    json_decref(record);
    free(text);
    free(path);
    return status;
}

static int make_folder(char **folder, const char *db, struct mt_error *err)
{
    char *all = NULL;
    int status = jobs_folder(&all, db, err);
    if (status == MT_OK && mkdir(all, 0777) != 0 && errno != EEXIST)
        status = mt_fail(err, MT_EIO, "cannot make '%s': %s", all, strerror(errno));
    if (status == MT_OK) {
        *folder = file_of(all, JOB_FOLDER "XXXXXX");
        if (!mkdtemp(*folder)) {
            status = mt_fail(err, MT_EIO, "cannot make a folder in '%s': %s", all,
                             strerror(errno));
            free(*folder);
            *folder = NULL;
        }
    }
    free(all);
    return status;
}

/* Once is enough. */
static void tell_left_out(const struct mt_script *script)
{
    static bool told;
    char *names = told ? NULL : mt_script_left_out(script);
    if (names)
        fprintf(stderr,
                "motley: jobs are handed in without %s of the environment, which would "
                "take the place of what motley asks for\n",
                names);
    told = told || names;
    free(names);
}

int mt_handed_add(struct mt_handed_list *list, const char *db,
                  const struct mt_task *task, const struct mt_script *wanted,
                  struct mt_error *err)
{
    struct mt_handed handed = {.task = *task};
    struct mt_script script = *wanted;
    struct mt_job job = {0};
    int status = make_folder(&handed.folder, db, err);
    if (status != MT_OK)
        return status;
    mt_array_extend(&list->jobs, list->count, sizeof *list->jobs);
    script.record = handed.folder;
    char *path = file_of(handed.folder, "job.sh");
    status = mt_script_write(&script, path, err);
    if (status == MT_OK)
        status = mt_job_make(&job, script.launch, err);
    handed.joins = job.joins;
    handed.preloaded = mt_strdup(job.preloaded);
    if (status == MT_OK && !(handed.home = getcwd(NULL, 0)))
        status =
            mt_fail(err, MT_EIO, "the current folder is unknown: %s", strerror(errno));
    bool unknown = false;
    if (status == MT_OK) /* before submitting, as motley may be killed */
        status = write_record(&handed, script.launch, err);
    if (status == MT_OK) {
        tell_left_out(&script);
        status = hand_in(&handed, &script, path, err);
        unknown = status == MT_EIO && handed.job == 0;
    }
    if (status == MT_OK)
        status = write_record(&handed, script.launch, err);
    /* A job whose number cannot be recorded is cancelled. */
    if (status != MT_OK && handed.job > 0 &&
        mt_queue_cancel(&handed.job, 1, NULL) != MT_OK)
        fprintf(stderr, "motley: job %ld is in Slurm's queue, and not noted\n",
                handed.job);
    mt_job_clear(&job);
    free(path);
    list->jobs[list->count++] = handed;
    if (status != MT_OK && unknown)
        clear(&list->jobs[--list->count]); /* the next motley looks for it */
    else if (status != MT_OK)
        mt_handed_remove(list, list->count - 1);
    return status;
}
