/* SPDX-License-Identifier: BSD-3-Clause */
#include "queue.h"

#include <string.h>

static enum mt_queue_news read_line(struct mt_queue *queue)
{
    const struct mt_queue_words *words = queue->words;
    if (strncmp(queue->line, words->begin, strlen(words->begin)) != 0)
        return MT_QUEUE_NOTHING;
    if (strstr(queue->line, words->hopeless))
        queue->hopeless = true;
    if (strstr(queue->line, words->waits))
        return queue->hopeless ? MT_QUEUE_HOPELESS : MT_QUEUE_WAITS;
    return strstr(queue->line, words->starts) ? MT_QUEUE_STARTS : MT_QUEUE_NOTHING;
}

enum mt_queue_news mt_queue_eat(struct mt_queue *queue, const char *bytes, size_t count)
{
    enum mt_queue_news news = MT_QUEUE_NOTHING;
    for (size_t i = 0; queue->words && i < count; i++) {
        if (bytes[i] == '\n') {
            queue->line[queue->length] = 0;
            queue->length = 0;
            const enum mt_queue_news told = read_line(queue);
            if (told > news)
                news = told;
        } else if (queue->length < sizeof queue->line - 1) {
            queue->line[queue->length++] = bytes[i];
        }
    }
    return news;
}
