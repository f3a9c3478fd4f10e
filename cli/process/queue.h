/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h - a launcher that waits for its nodes: what it says of that, found in what is
 * printed.
 */
#ifndef MT_CLI_QUEUE_H
#define MT_CLI_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* Of several at once, the last of this list counts. */
enum mt_queue_news {
    MT_QUEUE_NOTHING,
    MT_QUEUE_WAITS,    /* other jobs have the nodes */
    MT_QUEUE_STARTS,   /* it has waited, and has the nodes now */
    MT_QUEUE_HOPELESS, /* the nodes cannot be had as things are */
};

/* What a launcher prints then: how the line begins, and a part of the rest. That it is
   hopeless comes before that it waits, and only then it can be stopped. */
struct mt_queue_words {
    const char *begin, *waits, *starts, *hopeless;
};

/* Zeroed but for the words, it is at the beginning of the output. */
struct mt_queue {
    const struct mt_queue_words *words; /* borrowed; NULL: the launcher never waits */
    char line[128];                     /* the beginning of the line that is printed */
    size_t length;
    bool hopeless; /* it said so */
};

/* What the lines that end in these bytes tell. */
enum mt_queue_news mt_queue_eat(struct mt_queue *queue, const char *bytes,
                                size_t count);

#endif
