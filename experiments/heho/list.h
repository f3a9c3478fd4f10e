/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list.h - the words of an option such as "lu,jacobi".
 */
#ifndef HEHO_LIST_H
#define HEHO_LIST_H

#include "motley/error.h"

/* Zeroed is empty. */
struct list {
    char **words; /* owned, as is what they point to */
    int count;
};

/* `list` must be empty. */
MT_MUST_CHECK int list_parse(struct list *list, const char *text, struct mt_error *err);
void list_clear(struct list *list);

#endif
