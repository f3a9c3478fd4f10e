/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_file.h"

/* A string that may not be empty. */
#define STRING(key, flags, type, member) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, \
                           CYAML_UNLIMITED)
#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const cyaml_schema_value_t word = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, CYAML_UNLIMITED)};

static const cyaml_schema_value_t number = {
    CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};

static const cyaml_schema_field_t time_fields[] = {
    STRING("match", REQUIRED, struct file_time, match), CYAML_FIELD_END};

static const cyaml_schema_field_t sizes_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("measure", CYAML_FLAG_POINTER, struct file_sizes,
                               measure, nmeasure, &number, 1, 1000),
    CYAML_FIELD_SEQUENCE_COUNT("plan", OPTIONAL | CYAML_FLAG_POINTER, struct file_sizes,
                               plan, nplan, &number, 1, 1000),
    CYAML_FIELD_END};

static const cyaml_schema_field_t terms_fields[] = {
    STRING("n-t", OPTIONAL, struct file_terms, nt),
    STRING("p-t", OPTIONAL, struct file_terms, pt),
    STRING("np-t", OPTIONAL, struct file_terms, npt),
    STRING("auto", OPTIONAL, struct file_terms, automatic), CYAML_FIELD_END};

static const cyaml_schema_field_t surface_fields[] = {
    STRING("steps", OPTIONAL, struct file_surface, steps),
    STRING("working_set", OPTIONAL, struct file_surface, working_set),
    STRING("imbalance", OPTIONAL, struct file_surface, imbalance),
    STRING("messages", OPTIONAL, struct file_surface, messages),
    STRING("bytes", OPTIONAL, struct file_surface, bytes),
    STRING("mean_bytes", OPTIONAL, struct file_surface, mean_bytes),
    CYAML_FIELD_END};

/* `time` is required too: program_load.c says what it may be. */
#define PROGRAM_FIELDS(time_field) \
    { \
        STRING("name", REQUIRED, struct file_program, name), \
            CYAML_FIELD_SEQUENCE_COUNT("command", CYAML_FLAG_POINTER, \
                                       struct file_program, command, ncommand, &word, \
                                       1, CYAML_UNLIMITED), \
            CYAML_FIELD_SEQUENCE_COUNT("simulated", OPTIONAL | CYAML_FLAG_POINTER, \
                                       struct file_program, simulated, nsimulated, \
                                       &word, 1, CYAML_UNLIMITED), \
            time_field, \
            CYAML_FIELD_MAPPING("sizes", REQUIRED, struct file_program, sizes, \
                                sizes_fields), \
            STRING("work", OPTIONAL, struct file_program, work), \
            STRING("memory", OPTIONAL, struct file_program, memory), \
            STRING("valid", OPTIONAL, struct file_program, valid), \
            STRING("split", OPTIONAL, struct file_program, split), \
            CYAML_FIELD_MAPPING("surface", OPTIONAL, struct file_program, surface, \
                                surface_fields), \
            CYAML_FIELD_MAPPING("terms", OPTIONAL, struct file_program, terms, \
                                terms_fields), \
            CYAML_FIELD_INT("repeat", OPTIONAL, struct file_program, repeat), \
            STRING("timeout", OPTIONAL, struct file_program, timeout), CYAML_FIELD_END \
    }

static const cyaml_schema_field_t time_word_fields[] =
    PROGRAM_FIELDS(STRING("time", OPTIONAL, struct file_program, time_word));

static const cyaml_schema_field_t time_map_fields[] = PROGRAM_FIELDS(
    CYAML_FIELD_MAPPING("time", OPTIONAL, struct file_program, time, time_fields));

const cyaml_schema_value_t mt_program_schema_time_word = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file_program, time_word_fields)};

const cyaml_schema_value_t mt_program_schema_time_map = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file_program, time_map_fields)};
