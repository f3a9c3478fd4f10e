/* SPDX-License-Identifier: BSD-3-Clause */
#include "store_image.h"

#include "fuzz.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct image image_read(const char *path)
{
    FILE *file = fopen(path, "r");
    fuzz_demand(file != NULL);
    struct fuzz_page page = {0};
    fuzz_page_open(&page);
    for (int c = getc(file); c != EOF; c = getc(file))
        putc(c, page.stream);
    fuzz_page_close(&page);
    fclose(file);
    return (struct image){(unsigned char *)page.text, page.length};
}

void image_write(const struct image *image, const char *path)
{
    FILE *file = fopen(path, "w");
    fuzz_demand(file != NULL);
    fuzz_demand(fwrite(image->bytes, 1, image->size, file) == image->size);
    fuzz_demand(fclose(file) == 0);
}

uint8_t edits_byte(struct edits *edits)
{
    if (edits->size == 0)
        return 0;
    edits->size--;
    return *edits->data++;
}

static unsigned edits_word(struct edits *edits)
{
    const unsigned high = edits_byte(edits);
    return high << 8 | edits_byte(edits);
}

/* In the header: whether there is a write-ahead log, which a database in memory cannot
   have. */
static void set_log(struct image *image, bool log)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19 };
    image->bytes[WRITE_VERSION] = image->bytes[READ_VERSION] = log ? 2 : 1;
}

static struct image copy_of(const struct image *image)
{
    struct image copy = {sqlite3_malloc64(image->size), image->size};
    fuzz_demand(copy.bytes != NULL);
    memcpy(copy.bytes, image->bytes, image->size);
    return copy;
}

static sqlite3 *open_image(const struct image *image)
{
    sqlite3 *db = NULL;
    struct image copy = copy_of(image);
    set_log(&copy, false);
    fuzz_demand(sqlite3_open(":memory:", &db) == SQLITE_OK);
    fuzz_demand(sqlite3_deserialize(db, "main", copy.bytes, (sqlite3_int64)copy.size,
                                    (sqlite3_int64)copy.size,
                                    SQLITE_DESERIALIZE_FREEONCLOSE |
                                        SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = ON", NULL, NULL, NULL);
    return db;
}

static struct image close_image(sqlite3 *db)
{
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);
    struct image image = {malloc((size_t)size), (size_t)size};
    fuzz_demand(bytes && image.bytes);
    memcpy(image.bytes, bytes, image.size);
    set_log(&image, true);
    sqlite3_free(bytes);
    sqlite3_close(db);
    return image;
}

static const char *const tables[] = {
    "run",     "fit",     "training_size", "model", "coefficient",
    "refusal", "dropped", "absent",        "link",  "lateness"};
enum { TABLES = sizeof tables / sizeof *tables };

struct image image_loosened(const struct image *image)
{
    sqlite3 *db = open_image(image);
    for (int i = 0; i < TABLES; i++) {
        char *sql = sqlite3_mprintf("CREATE TABLE loose AS SELECT * FROM %s;"
                                    "DROP TABLE %s; ALTER TABLE loose RENAME TO %s",
                                    tables[i], tables[i], tables[i]);
        fuzz_demand(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
        sqlite3_free(sql);
    }
    return close_image(db);
}

/* Numbers and words that are known to matter, and those of the input. */
static void bind_value(sqlite3_stmt *statement, struct edits *edits)
{
    static const double numbers[] = {
        0, -1, 1, 2, 1e-300, 1e308, INFINITY, -INFINITY, 2147483648.0, 4e18};
    static const char *const words[] = {
        "",    "a:1x1",  "b:3x1+a:3x1", "lab",  "toy",    "ok",   "auto", "np-t",
        "n-t", "N/P, P", "T, P",        "N, 1", "log(N)", "1/0",  "a",    "b",
        "P%2", "failed", "1e9*N",       "c",    "a1",     "a, b", "N",    "\033[2J"};
    const uint8_t kind = edits_byte(edits), which = edits_byte(edits);
    switch (kind % 6) {
    case 0:
        sqlite3_bind_null(statement, 1);
        break;
    case 1:
        sqlite3_bind_int64(statement, 1, (int8_t)which);
        break;
    case 2:
        sqlite3_bind_double(statement, 1,
                            numbers[which % (sizeof numbers / sizeof *numbers)]);
        break;
    case 3:
        sqlite3_bind_double(statement, 1, which * 0.37 * (edits_byte(edits) + 1));
        break;
    case 4:
        sqlite3_bind_text(statement, 1, words[which % (sizeof words / sizeof *words)],
                          -1, SQLITE_STATIC);
        break;
    default: {
        const size_t length = which < edits->size ? which : edits->size;
        sqlite3_bind_text(statement, 1, (const char *)edits->data, (int)length,
                          SQLITE_STATIC);
        edits->data += length;
        edits->size -= length;
    }
    }
}

/* The name of a column of the table, which the caller passes to sqlite3_free(). */
static char *column_name(sqlite3 *db, const char *table, int which)
{
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM %s", table), *name = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK)
        name = sqlite3_mprintf(
            "%s",
            sqlite3_column_name(statement, which % sqlite3_column_count(statement)));
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return name;
}

/* Carry out a statement with a table, a column and a row in it, or, NULL, insert copies
   of two rows; what fails is left. */
static void change(sqlite3 *db, const char *format, struct edits *edits)
{
    const char *table = tables[edits_byte(edits) % TABLES];
    char *column = column_name(db, table, edits_byte(edits));
    const unsigned row = edits_byte(edits);
    char *sql =
        format ? sqlite3_mprintf(format, table, column, row)
               : sqlite3_mprintf("INSERT INTO %s SELECT * FROM %s ORDER BY %s LIMIT 2",
                                 table, table, column);
    sqlite3_stmt *statement = NULL;
    if (column && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
        if (sqlite3_bind_parameter_count(statement) > 0)
            bind_value(statement, edits);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    sqlite3_free(column);
}

/* A number of the header that says whose file it is. */
static void change_number(sqlite3 *db, struct edits *edits)
{
    const uint8_t which = edits_byte(edits);
    char *sql =
        sqlite3_mprintf("PRAGMA %s = %d", which % 2 ? "application_id" : "user_version",
                        (int)(int8_t)edits_byte(edits));
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
}

struct byte_change {
    unsigned place;
    uint8_t value;
};

static void change_bytes(struct image *image, const struct byte_change *changes,
                         int count)
{
    for (int i = 0; i < count; i++)
        if (image->size > 0)
            image->bytes[changes[i].place % image->size] = changes[i].value;
}

enum { MOST_EDITS = 64, LAST = 0xFF };

struct image image_edited(const struct image *image, struct edits *edits)
{
    struct byte_change changes[MOST_EDITS];
    sqlite3 *db = open_image(image);
    int nchanges = 0;
    for (int i = 0; i < MOST_EDITS && edits->size > 0 && *edits->data != LAST; i++)
        switch (edits_byte(edits) % 8) {
        case 0:
        case 1:
        case 2:
            change(db, "UPDATE %s SET %s = ? WHERE rowid %% 16 = %u %% 16", edits);
            break;
        case 3:
            change(db, "UPDATE %s SET %s = ?", edits);
            break;
        case 4:
            change(db, NULL, edits);
            break;
        case 5:
            change(db, "DELETE FROM %s WHERE %s IS NULL OR rowid %% 16 = %u %% 16",
                   edits);
            break;
        case 6:
            change_number(db, edits);
            break;
        default:
            changes[nchanges].place = edits_word(edits) << 2 | (i % 4u);
            changes[nchanges++].value = edits_byte(edits);
        }
    edits_byte(edits);
    struct image edited = close_image(db);
    change_bytes(&edited, changes, nchanges);
    edits->broken = edits->broken || nchanges > 0;
    return edited;
}

/* SQLite's sums over pairs of words of the machine's own byte order, or of the other.
 */
static void add_up(uint32_t sums[2], const unsigned char *bytes, size_t size, bool big)
{
    for (size_t i = 0; i + 8 <= size; i += 8)
        for (int half = 0; half < 2; half++) {
            uint32_t word;
            memcpy(&word, bytes + i + 4 * (size_t)half, sizeof word);
            sums[half] += (big ? __builtin_bswap32(word) : word) + sums[1 - half];
        }
}

static void put_sums(unsigned char *to, const uint32_t sums[2])
{
    for (int half = 0; half < 2; half++) {
        const uint32_t word = __builtin_bswap32(sums[half]);
        memcpy(to + 4 * half, &word, sizeof word);
    }
}

static void mend_sums(struct image *log)
{
    enum { HEADER = 32, FRAME = 24, PAGE = 4096 };
    if (log->size < HEADER)
        return;
    uint32_t sums[2] = {0};
    const bool big = log->bytes[3] & 1;
    add_up(sums, log->bytes, HEADER - 8, big);
    put_sums(log->bytes + HEADER - 8, sums);
    for (size_t at = HEADER; at + FRAME + PAGE <= log->size; at += FRAME + PAGE) {
        add_up(sums, log->bytes + at, 8, big);
        add_up(sums, log->bytes + at + FRAME, PAGE, big);
        put_sums(log->bytes + at + FRAME - 8, sums);
    }
}

struct image image_log_edited(const struct image *log, struct edits *edits)
{
    struct image edited = {malloc(log->size), log->size};
    fuzz_demand(edited.bytes != NULL);
    memcpy(edited.bytes, log->bytes, log->size);
    for (int i = 0; i < MOST_EDITS && edits->size > 0 && *edits->data != LAST; i++) {
        struct byte_change one = {.place = edits_word(edits) << 1 | (i % 2u)};
        one.value = edits_byte(edits);
        change_bytes(&edited, &one, 1);
        edits->broken = true;
    }
    edits_byte(edits);
    mend_sums(&edited);
    return edited;
}
