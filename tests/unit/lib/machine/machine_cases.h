/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_cases.h - reads and writes machine files, those that are shipped and one that
 * is written here.
 */
#ifndef MT_MACHINE_CASES_H
#define MT_MACHINE_CASES_H

#include "broken.h"
#include "lib/machine/internal.h"

/* Two algorithms, one with most keys. */
static const char toy_machine[] = "name: toy\n"
                                  "nodes: 24\n"
                                  "speed: 2 Mf\n"
                                  "memory: 16 MiB\n"
                                  "simulated: true\n"
                                  "algorithms:\n"
                                  "  - name: A\n"
                                  "    work: 2*N^3\n"
                                  "    memory: 24*N^2/P\n"
                                  "    valid: N >= P && N > 16\n"
                                  "    compute:\n"
                                  "      steps: N^3/P\n"
                                  "      working_set: 8*N^2/P\n"
                                  "      imbalance: P*ceil(N/P)/N\n"
                                  "      costs: [0.25 us, 0.27 us, 0.36 us]\n"
                                  "      caches:\n"
                                  "        - {hit: 16 KiB, miss: 48 KiB}\n"
                                  "        - {hit: 1 MiB, miss: 3 MiB}\n"
                                  "    communication:\n"
                                  "      messages: P - 1\n"
                                  "      bytes: 8*N^2/P + 1\n"
                                  "      latency: 0 us\n"
                                  "      bandwidth:\n"
                                  "        base: 2 MB/s\n"
                                  "        half: 17 MB\n"
                                  "        contention: saturating\n"
                                  "        strength: 1.587\n"
                                  "        exponent: 1.5\n"
                                  "      overlap: false\n"
                                  "    learned:\n"
                                  "      runs: 40\n"
                                  "      nodes: 8\n"
                                  "      sizes: [64, 1024]\n"
                                  "      error: 0.012\n"
                                  "  - name: B\n"
                                  "    work: N^2\n"
                                  "    compute: {costs: [1 s]}\n";

/* `machine` must be empty. */
static inline void load_path(struct mt_machine *machine, const char *path)
{
    struct mt_error err = {0};
    int status = mt_machine_load(machine, path, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
    assert_string_equal(machine->path, path);
}

static inline void load(struct mt_machine *machine, const char *text)
{
    const char *path = write_text(text);
    load_path(machine, path);
    unlink(path);
}

/* The toy machine with a part of its file replaced. */
static inline void load_changed(struct mt_machine *machine, const char *part,
                                const char *replacement)
{
    const struct broken change = {part, replacement, NULL};
    char *text = replaced(toy_machine, &change);
    load(machine, text);
    free(text);
}

static inline void load_shipped(struct mt_machine *machine, const char *name)
{
    char path[4096];
    const char *folder = getenv("MOTLEY_SOURCE");
    snprintf(path, sizeof path, "%s/machines/%s.yaml", folder ? folder : ".", name);
    load_path(machine, path);
}

/* The caller frees it. */
static inline char *written(const struct mt_machine *machine)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    assert_int_equal(mt_machine_write(machine, stream, NULL), MT_OK);
    fclose(stream);
    return text;
}

/* Write a machine, and read the file again. */
static inline void load_again(struct mt_machine *again,
                              const struct mt_machine *machine)
{
    char *text = written(machine);
    load(again, text);
    free(text);
}

#endif
