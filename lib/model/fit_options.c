/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/model.h"

#include <stdlib.h>
#include <string.h>

int mt_fit_options_copy(struct mt_fit_options *copy,
                        const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_fit_options made = *options;
    made.terms = options->terms ? strdup(options->terms) : NULL;
    made.sizes =
        options->sizes ? calloc((size_t)options->nsizes + 1, sizeof *made.sizes) : NULL;
    if (made.sizes)
        memcpy(made.sizes, options->sizes,
               (size_t)options->nsizes * sizeof *made.sizes);
    if ((options->terms && !made.terms) || (options->sizes && !made.sizes)) {
        mt_fit_options_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for the options of a fit");
    }
    *copy = made;
    return MT_OK;
}

void mt_fit_options_clear(struct mt_fit_options *options)
{
    free(options->terms);
    free(options->sizes);
    *options = (struct mt_fit_options){0};
}
