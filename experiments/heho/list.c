/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int list_parse(struct list *list, const char *text, struct mt_error *err)
{
    struct list made = {0};
    /* There are at most as many words as characters, and one. */
    made.words = calloc(strlen(text) + 1, sizeof *made.words);
    bool complete = made.words;
    for (const char *at = text; complete && at;) {
        const char *end = strchrnul(at, ',');
        made.words[made.count] = strndup(at, (size_t)(end - at));
        complete = made.words[made.count++];
        at = *end ? end + 1 : NULL;
    }
    if (!complete) {
        list_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for the words of '%s'", text);
    }
    *list = made;
    return MT_OK;
}

void list_clear(struct list *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->words[i]);
    free(list->words);
    *list = (struct list){0};
}
