/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes motley-cut(5) files. */
#include "internal.h"
#include "lib/base/line.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char format_line[] = "motley-cut 1";

/* The lines before the tiles, in this order. */
enum header { KIND, RANKS, PANELS, SUBPANELS, OVERLAP, ROLLED, HEADERS };
static const char *const header_words[HEADERS] = {
    [KIND] = "kind",           [RANKS] = "ranks",     [PANELS] = "panels",
    [SUBPANELS] = "subpanels", [OVERLAP] = "overlap", [ROLLED] = "rolled",
};

void mt_partition_write(const struct mt_partition *partition, FILE *stream)
{
    fprintf(stream, "%s\n", format_line);
    fprintf(stream, "kind %s\n", mt_partition_kind_name(partition->kind));
    fprintf(stream, "ranks %d\n", partition->ranks);
    fprintf(stream, "panels %d\n", partition->panels);
    fprintf(stream, "subpanels %d\n", partition->subpanels);
    fprintf(stream, "overlap %s\n", partition->overlap ? "yes" : "no");
    fprintf(stream, "rolled %s\n", partition->rolled ? "yes" : "no");
    fprintf(stream, "# rank turn levels top left bottom right\n");
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        /* 17 digits: read again, the shares are the same to the last bit */
        fprintf(stream, "tile %d %d %d %.17g %.17g %.17g %.17g\n", tile->rank,
                tile->turn, tile->levels, tile->top, tile->left, tile->bottom,
                tile->right);
    }
}

/* The next word of a line; NULL at its end. */
static const char *next_word(char **rest)
{
    char *word = NULL;
    while ((word = strsep(rest, " \t\r\n")))
        if (*word != '\0')
            return word;
    return NULL;
}

static int read_integer(const char *word, int *number, struct mt_error *err)
{
    char *end = NULL;
    errno = 0;
    const long value = strtol(word, &end, 10);
    if (end == word || *end != '\0' || errno != 0 || value < INT_MIN || value > INT_MAX)
        return mt_fail(err, MT_EPARSE, "'%s' is not an integer", word);
    *number = (int)value;
    return MT_OK;
}

static int read_share(const char *word, double *share, struct mt_error *err)
{
    char *end = NULL;
    *share = strtod(word, &end);
    if (end == word || *end != '\0')
        return mt_fail(err, MT_EPARSE, "'%s' is not a number", word);
    return MT_OK;
}

static int read_flag(const char *word, bool *flag, struct mt_error *err)
{
    *flag = strcmp(word, "yes") == 0;
    if (!*flag && strcmp(word, "no") != 0)
        return mt_fail(err, MT_EPARSE, "'%s' is neither yes nor no", word);
    return MT_OK;
}

static int read_header(struct mt_partition *partition, enum header header,
                       const char *value, struct mt_error *err)
{
    switch (header) {
    case KIND:
        return mt_partition_kind_parse(&partition->kind, value, err);
    case RANKS:
        return read_integer(value, &partition->ranks, err);
    case PANELS:
        return read_integer(value, &partition->panels, err);
    case SUBPANELS:
        return read_integer(value, &partition->subpanels, err);
    case OVERLAP:
        return read_flag(value, &partition->overlap, err);
    default:
        return read_flag(value, &partition->rolled, err);
    }
}

static int read_tile(struct mt_partition *partition, char **rest, struct mt_error *err)
{
    struct mt_partition_tile tile = {0};
    int *const integers[] = {&tile.rank, &tile.turn, &tile.levels};
    double *const shares[] = {&tile.top, &tile.left, &tile.bottom, &tile.right};
    enum { INTEGERS = 3, NUMBERS = 7 };
    for (int i = 0; i < NUMBERS; i++) {
        const char *word = next_word(rest);
        if (!word)
            return mt_fail(err, MT_EPARSE,
                           "a tile has rank, turn, levels, top, left, bottom, right; "
                           "here are only %d numbers",
                           i);
        const int status = i < INTEGERS ? read_integer(word, integers[i], err)
                                        : read_share(word, shares[i - INTEGERS], err);
        if (status != MT_OK)
            return status;
    }
    const int status = mt_partition_check_tile(partition, &tile, err);
    return status == MT_OK ? mt_partition_add(partition, &tile, err) : status;
}

/* A partition being read, and the next expected line: the format (-1), a header, or,
   after all of these, tiles. */
struct partition_reader {
    struct mt_partition partition;
    int next;
};

static int read_words(struct partition_reader *reader, const char *word, char **rest,
                      struct mt_error *err)
{
    if (reader->next == HEADERS) {
        if (strcmp(word, "tile") != 0)
            return mt_fail(err, MT_EPARSE, "'%s' where a tile was expected", word);
        return read_tile(&reader->partition, rest, err);
    }
    const char *const wanted =
        reader->next < 0 ? "motley-cut" : header_words[reader->next];
    if (strcmp(word, wanted) != 0)
        return mt_fail(err, MT_EPARSE, "'%s' where '%s' was expected", word, wanted);
    const char *value = next_word(rest);
    if (!value)
        return mt_fail(err, MT_EPARSE, "'%s' has no value", word);
    if (reader->next >= 0) {
        const int status =
            read_header(&reader->partition, (enum header)reader->next, value, err);
        if (status != MT_OK)
            return status;
    } else if (strcmp(value, "1") != 0) {
        return mt_fail(err, MT_EVERSION, "the format '%s' is not known, only 1 is",
                       value);
    }
    reader->next++;
    return MT_OK;
}

static int read_line(struct partition_reader *reader, char *line, struct mt_error *err)
{
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    const char *word = next_word(&line);
    if (!word)
        return MT_OK;
    const int status = read_words(reader, word, &line, err);
    if (status != MT_OK)
        return status;
    const char *more = next_word(&line);
    return more ? mt_fail(err, MT_EPARSE, "'%s' is one word too many", more) : MT_OK;
}

/* More than anybody needs. */
enum { MOST_LINES = 1000000 };

/* Read all lines; `number` is the last one's. */
static int read_lines(struct partition_reader *reader, FILE *stream, int *number,
                      struct mt_error *err)
{
    struct mt_line line = {0};
    int status;
    do {
        status = mt_line_read(&line, stream, err);
        *number += !line.ended || status != MT_OK;
        if (status == MT_OK && *number > MOST_LINES)
            status = mt_fail(err, MT_EPARSE, "more than %d lines", MOST_LINES);
        if (status == MT_OK && !line.ended)
            status = read_line(reader, line.text, err);
    } while (status == MT_OK && !line.ended);
    if (status == MT_OK && reader->next < 0)
        status = mt_fail(err, MT_EPARSE, "the file is empty; '%s' was expected",
                         format_line);
    else if (status == MT_OK && reader->next < HEADERS)
        status = mt_fail(err, MT_EPARSE, "the file ends where '%s' was expected",
                         header_words[reader->next]);
    mt_line_clear(&line);
    return status;
}

int mt_partition_read(struct mt_partition *partition, FILE *stream, const char *name,
                      struct mt_error *err)
{
    struct partition_reader reader = {.next = -1};
    struct mt_error reason;
    int number = 0;
    int status = read_lines(&reader, stream, &number, &reason);
    if (status != MT_OK) {
        mt_partition_clear(&reader.partition);
        return mt_fail(err, status, "%s:%d: %s", name, number, reason.text);
    }
    status = mt_partition_check(&reader.partition, &reason);
    if (status != MT_OK) {
        mt_partition_clear(&reader.partition);
        return mt_fail(err, status, "%s: %s", name, reason.text);
    }
    *partition = reader.partition;
    return MT_OK;
}
