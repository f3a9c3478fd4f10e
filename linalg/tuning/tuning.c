/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/tuning.h"

#include "tuning.h"

#include "file.h"

#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * From where on a level pays nearly everywhere for one thread. With more, products are
 * faster and sums, which wait for the memory, are not.
 */
static const double guess_per_thread = 2500;

/* For all shapes, squares from `size` on. */
static struct mt_strassen_tuning from_square(double size)
{
    const struct mt_strassen_cutoff third = {size / 3, size / 3, size / 3};
    return (struct mt_strassen_tuning){.overwrite = third, .accumulate = third};
}

struct mt_strassen_tuning tuning_guess(int threads)
{
    return from_square(guess_per_thread * threads);
}

/* Whether the variable asks for crossings. */
static bool read_variable(struct mt_strassen_tuning *tuning)
{
    const char *text = getenv(TUNING_VARIABLE);
    if (!text)
        return false;
    char *end;
    const long size = strtol(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || size < 1) {
        fprintf(stderr,
                "motley-strassen: " TUNING_VARIABLE
                "=%s: not a whole number above 0; it is ignored\n",
                text);
        return false;
    }
    *tuning = from_square((double)size);
    return true;
}

enum tuning_source tuning_choose(struct mt_strassen_tuning *tuning,
                                 const struct tuning_machine *machine,
                                 struct mt_error *err)
{
    char path[PATH_MAX];
    if (read_variable(tuning))
        return TUNING_FORCED;
    if (tuning_file_path(path, machine, err) == MT_OK &&
        tuning_file_read(tuning, path, machine, err) == MT_OK)
        return TUNING_MEASURED;
    *tuning = tuning_guess(machine->threads);
    return TUNING_GUESSED;
}

static struct mt_strassen_tuning tuned;

static void choose_once(void)
{
    struct tuning_machine machine;
    tuning_machine_find(&machine);
    tuning_choose(&tuned, &machine, NULL);
}

const struct mt_strassen_tuning *mt_strassen_tuned(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose_once);
    return &tuned;
}
