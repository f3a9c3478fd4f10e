/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes text of unknown origin printable, and finds the closest word to a mistyped one
   (edit distance). */
#include "text.h"

#include <stdint.h>
#include <string.h>

int mt_text_character(const char *text, size_t length, uint32_t *code)
{
    const unsigned char first = (unsigned char)text[0];
    const int bytes = first < 0x80                    ? 1
                      : first >= 0xC2 && first < 0xE0 ? 2
                      : first >= 0xE0 && first < 0xF0 ? 3
                      : first >= 0xF0 && first < 0xF5 ? 4
                                                      : 0;
    uint32_t value = bytes < 2 ? first : first & (0x7FU >> bytes);
    for (int i = 1; i < bytes; i++) {
        if ((size_t)i == length)
            return -1;
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (next & 0x3F);
        const bool overlong = i == 1 && ((bytes == 3 && value < 0x800 >> 6) ||
                                         (bytes == 4 && value < 0x10000 >> 12));
        const bool surrogate = i == 1 && bytes == 3 && value >> 5 == 0xD800 >> 11;
        if (overlong || surrogate || (i == 1 && bytes == 4 && value > 0x10FFFF >> 12))
            return 0;
    }
    *code = value;
    return bytes;
}

bool mt_text_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
           code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

/* Move the complete characters out of the held bytes. */
static size_t release(struct mt_text_cleaner *cleaner, char *clean)
{
    size_t written = 0;
    while (cleaner->nheld > 0) {
        uint32_t code = 0;
        const int bytes = mt_text_character(cleaner->held, cleaner->nheld, &code);
        if (bytes < 0)
            break;
        const size_t taken = bytes > 0 ? (size_t)bytes : 1;
        const bool kept =
            bytes > 0 && (!mt_text_is_control(code) || code == '\n' || code == '\t' ||
                          (code == '\r' && cleaner->returns));
        if (kept)
            memcpy(clean + written, cleaner->held, taken);
        else
            clean[written] = '?';
        written += kept ? taken : 1;
        cleaner->nheld -= taken;
        memmove(cleaner->held, cleaner->held + taken, cleaner->nheld);
    }
    return written;
}

size_t mt_text_clean_bytes(struct mt_text_cleaner *cleaner, const char *bytes,
                           size_t count, char *clean)
{
    size_t written = 0;
    for (size_t i = 0; i < count; i++) {
        cleaner->held[cleaner->nheld++] = bytes[i];
        written += release(cleaner, clean + written);
    }
    return written;
}

void mt_text_clean(char *text)
{
    struct mt_text_cleaner cleaner = {0};
    size_t length = mt_text_clean_bytes(&cleaner, text, strlen(text), text);
    for (; cleaner.nheld > 0; cleaner.nheld--)
        text[length++] = '?';
    text[length] = 0;
}

void mt_text_clean_line(char *text)
{
    mt_text_clean(text);
    for (; *text; text++)
        if (*text == '\n' || *text == '\t')
            *text = '?';
}

size_t mt_text_short_host(const char *name)
{
    const size_t length = strlen(name);
    const bool address =
        strspn(name, "0123456789.") == length || strchr(name, ':') != NULL;
    return address ? length : strcspn(name, ".");
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
    enum { ANOTHER_WORD = 3 }; /* typing errors that make one */
    const size_t letters = mt_text_distance(closest->word, name);
    const size_t least = closest->name ? closest->letters : ANOTHER_WORD;
    if (letters < least && letters < strlen(name)) {
        closest->name = name;
        closest->letters = letters;
    }
}
