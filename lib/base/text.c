/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the UTF-8 character at `text`, or 0 when there is none. */
static int character_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    if (first < 0x80)
        return first >= ' ' && first != 0x7F ? 1 : 0;
    int length = first >= 0xC2 && first < 0xE0   ? 2
                 : first >= 0xE0 && first < 0xF0 ? 3
                 : first >= 0xF0 && first < 0xF5 ? 4
                                                 : 0;
    for (int i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
    const unsigned char second = (unsigned char)text[1];
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
        return 0; /* overlong, a surrogate, or beyond Unicode */
    return length;
}

void mt_text_clean(char *text)
{
    while (*text) {
        const int bytes = character_length(text);
        if (bytes == 0 && *text != '\n' && *text != '\t')
            *text = '?';
        text += bytes > 0 ? bytes : 1;
    }
}

size_t mt_text_distance(const char *a, const char *b)
{
    enum { LONGEST = 31 };
    size_t row[LONGEST + 1], length = strlen(b);
    if (length > LONGEST || strlen(a) > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[length];
}

void mt_closest_try(struct mt_closest *closest, const char *name)
{
    enum { ANOTHER_WORD = 3 }; /* so many typing errors make one */
    const size_t letters = mt_text_distance(closest->word, name);
    const size_t least = closest->name ? closest->letters : ANOTHER_WORD;
    if (letters < least && letters < strlen(name)) {
        closest->name = name;
        closest->letters = letters;
    }
}
