/* SPDX-License-Identifier: BSD-3-Clause */
#include "spill.h"

#include "lib/base/array.h"
#include "runs.h"
#include "sql.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whoever has claimed a spill file is done with it in a moment. */
enum { MOST_TRIES = 50, TRY_MILLISECONDS = 100 };

int mt_spill_place(char **place, const char *path, struct mt_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL, *found = NULL;
    const bool short_of_memory =
        !folder ||
        (real && asprintf(&found, "%s/%s", strcmp(real, "/") ? real : "", name) < 0);
    free(real);
    free(folder);
    if (short_of_memory)
        return mt_fail(err, MT_ENOMEM, "no memory for the path of store '%s'", path);
    *place = found;
    return MT_OK;
}

static char *name_beside(const char *place)
{
    char *name = NULL;
    return asprintf(&name, "%s-spill", place) < 0 ? NULL : name;
}

/* FNV-1a (Fowler, Noll and Vo), to tell the stores of one name apart. */
static uint64_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 0x100000001b3;
    return value;
}

/* Where programs keep what must stay, says the XDG base directory specification. */
static char *name_at_home(const char *place)
{
    const char *own = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    const bool given = own && own[0] == '/';
    char *name = NULL;
    if (!given && !(home && home[0] == '/'))
        return NULL;
    if (asprintf(&name, "%s%s/motley/%s-%016llx-spill", given ? own : home,
                 given ? "" : "/.local/state", strrchr(place, '/') + 1,
                 (unsigned long long)hash(place)) < 0)
        return NULL;
    return name;
}

typedef char *name_function(const char *place);
static name_function *const names[] = {name_beside, name_at_home};
enum { NAMES = sizeof names / sizeof *names };

/* All folders of the path, as `mkdir -p`; whether they are there shows later. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* A spill file that was taken in has no name any more: then there is a new one. */
static int open_real(struct mt_store **spill, const char *path, struct mt_error *err)
{
    int status = MT_EBUSY;
    for (int i = 0; i < MOST_TRIES; i++) {
        struct mt_store *opened = NULL;
        status = mt_store_open(&opened, path, MT_STORE_SPILL, err);
        if (status != MT_OK)
            return status;
        status = mt_store_claim(opened, err);
        if (status == MT_OK) {
            *spill = opened;
            return MT_OK;
        }
        mt_store_close(opened);
        usleep(1000 * TRY_MILLISECONDS);
    }
    return status;
}

/* SQLite opens no spill file below a link, which a home may well be. */
static int open_claimed(struct mt_store **spill, const char *path, struct mt_error *err)
{
    char *real = NULL;
    int status = mt_spill_place(&real, path, err);
    if (status == MT_OK)
        status = open_real(spill, real ? real : path, err);
    free(real);
    return status;
}

/* Runs that the store does not keep, although they are finished. */
struct homeless {
    struct mt_runs earlier; /* owned; added by this call to a file that is gone */
    struct mt_run *run;     /* borrowed; NULL: only those */
};

static int put_aside(const struct homeless *homeless, const char *path, int *added,
                     struct mt_error *err)
{
    struct mt_store *spill = NULL;
    int status = open_claimed(&spill, path, err);
    if (status == MT_OK)
        status = mt_runs_add_new(spill, &homeless->earlier, added, err);
    if (status == MT_OK && homeless->run)
        status =
            mt_runs_add_new(spill, &(struct mt_runs){homeless->run, 1}, added, err);
    mt_store_close(spill);
    return status;
}

/* What can be read of a file without a name can be kept in another one. */
static void collect(struct homeless *homeless, struct mt_store *store)
{
    const struct mt_run_filter filter = {.from = store->first};
    if (store->first > 0 && mt_sql_check(store, NULL) != MT_OK &&
        mt_store_runs(store, &homeless->earlier, &filter, NULL) == MT_OK)
        store->first = 0;
}

static int spill(struct mt_store *store, const struct homeless *homeless,
                 struct mt_error *err)
{
    struct mt_error reason = *err;
    for (int i = 0; i < NAMES; i++) {
        int added = 0;
        char *path = store->place ? names[i](store->place) : NULL;
        if (path && i > 0)
            make_folders(path);
        const int status = path ? put_aside(homeless, path, &added, &reason) : MT_EIO;
        if (status == MT_OK)
            mt_fail(err, err->status,
                    "%s; %d finished run%s kept in '%s': the next call of motley with "
                    "this store takes %s in",
                    err->text, added, added == 1 ? " is" : "s are", path,
                    added == 1 ? "it" : "them");
        free(path);
        if (status == MT_OK)
            return MT_OK;
    }
    return mt_fail(err, err->status, "%s; and no spill file can be written: %s",
                   err->text, reason.text);
}

/* The run may be among the earlier ones already: written, but not to be found again. */
static void hand_over(struct mt_runs *left, struct homeless *homeless)
{
    const struct mt_run *run = homeless->run, *last = homeless->earlier.runs;
    if (last)
        last += homeless->earlier.count - 1;
    const bool known = last && run && last->wall == run->wall &&
                       last->repetition == run->repetition &&
                       last->started == run->started && last->size == run->size &&
                       !strcmp(last->configuration, run->configuration);
    *left = homeless->earlier;
    homeless->earlier = (struct mt_runs){0};
    if (run && !known &&
        mt_array_grow(&left->runs, left->count, sizeof *left->runs, "runs", NULL) ==
            MT_OK) {
        left->runs[left->count++] = *homeless->run;
        *homeless->run = (struct mt_run){0};
    }
}

int mt_store_keep_run(struct mt_store *store, struct mt_run *run, struct mt_runs *left,
                      struct mt_error *err)
{
    struct homeless homeless = {.run = run};
    struct mt_error reason;
    const int status = mt_store_add_run(store, run, &reason);
    if (status == MT_OK)
        return MT_OK;
    reason.status = status == MT_EBUSY ? MT_EBUSY : MT_EIO;
    collect(&homeless, store);
    if (spill(store, &homeless, &reason) != MT_OK)
        hand_over(left, &homeless);
    mt_runs_clear(&homeless.earlier);
    return mt_fail(err, reason.status, "%s", reason.text);
}

int mt_store_settle(struct mt_store *store, struct mt_runs *left, struct mt_error *err)
{
    struct homeless homeless = {0};
    struct mt_error reason;
    if (store->first == 0 || mt_sql_check(store, &reason) == MT_OK)
        return MT_OK;
    collect(&homeless, store);
    if (store->first > 0)
        return mt_fail(err, MT_EIO,
                       "%s, and the runs that it had of this call cannot be read",
                       reason.text);
    if (spill(store, &homeless, &reason) != MT_OK)
        hand_over(left, &homeless);
    mt_runs_clear(&homeless.earlier);
    return mt_fail(err, MT_EIO, "%s", reason.text);
}

static int take_in(const char *path, const char *from, int *taken, struct mt_error *err)
{
    struct mt_store *spill = NULL, *store = NULL;
    struct mt_runs runs = {0};
    int status = open_claimed(&spill, from, err);
    if (status == MT_OK)
        status = mt_store_runs(spill, &runs, &(struct mt_run_filter){0}, err);
    if (status == MT_OK)
        status = mt_store_open(&store, path, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_runs_add_new(store, &runs, taken, err);
    mt_store_close(store);
    if (status == MT_OK)
        unlink(from); /* where it cannot be removed its runs are known the next time */
    mt_runs_clear(&runs);
    mt_store_close(spill);
    return status;
}

int mt_store_take_spilled(const char *path, int *taken, struct mt_error *err)
{
    char *place = NULL;
    struct stat file;
    struct mt_error reason;
    int status = mt_spill_place(&place, path, err);
    for (int i = 0; place && i < NAMES && status == MT_OK; i++) {
        char *from = names[i](place);
        if (from && lstat(from, &file) == 0)
            status = take_in(path, from, taken, &reason);
        if (status != MT_OK)
            mt_fail(err, status, "the runs in '%s' are not taken into store '%s': %s",
                    from, path, reason.text);
        free(from);
    }
    free(place);
    return status;
}
