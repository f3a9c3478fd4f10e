/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine_file.h"

/* A string that may not be empty. */
#define STRING(key, flags, type, member) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, \
                           CYAML_UNLIMITED)
#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const cyaml_schema_value_t word = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED)};

static const cyaml_schema_value_t number = {
    CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};

static const cyaml_schema_field_t cache_fields[] = {
    STRING("hit", REQUIRED, struct file_cache_step, hit),
    STRING("miss", REQUIRED, struct file_cache_step, miss), CYAML_FIELD_END};

static const cyaml_schema_value_t cache = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_cache_step, cache_fields)};

static const cyaml_schema_field_t compute_fields[] = {
    STRING("steps", OPTIONAL, struct file_compute, steps),
    STRING("working_set", OPTIONAL, struct file_compute, working_set),
    STRING("imbalance", OPTIONAL, struct file_compute, imbalance),
    CYAML_FIELD_SEQUENCE_COUNT("costs", CYAML_FLAG_POINTER, struct file_compute, costs,
                               ncosts, &word, 1, MT_MAX_CACHE_STEPS + 1),
    CYAML_FIELD_SEQUENCE_COUNT("caches", OPTIONAL | CYAML_FLAG_POINTER,
                               struct file_compute, caches, ncaches, &cache, 0,
                               MT_MAX_CACHE_STEPS),
    CYAML_FIELD_END};

static const cyaml_schema_field_t bandwidth_fields[] = {
    STRING("base", REQUIRED, struct file_bandwidth, base),
    STRING("half", OPTIONAL, struct file_bandwidth, half),
    STRING("contention", OPTIONAL, struct file_bandwidth, contention),
    CYAML_FIELD_FLOAT("strength", OPTIONAL, struct file_bandwidth, strength),
    CYAML_FIELD_FLOAT("exponent", OPTIONAL, struct file_bandwidth, exponent),
    CYAML_FIELD_BOOL("evens_out", OPTIONAL, struct file_bandwidth, evens_out),
    CYAML_FIELD_END};

static const cyaml_schema_field_t communication_fields[] = {
    STRING("messages", REQUIRED, struct file_communication, messages),
    STRING("bytes", REQUIRED, struct file_communication, bytes),
    STRING("mean_bytes", OPTIONAL, struct file_communication, mean_bytes),
    STRING("latency", OPTIONAL, struct file_communication, latency),
    CYAML_FIELD_MAPPING("bandwidth", OPTIONAL, struct file_communication, bandwidth,
                        bandwidth_fields),
    CYAML_FIELD_BOOL("overlap", OPTIONAL, struct file_communication, overlap),
    CYAML_FIELD_END};

static const cyaml_schema_field_t learned_fields[] = {
    CYAML_FIELD_INT("runs", REQUIRED, struct file_learned, runs),
    CYAML_FIELD_INT("nodes", REQUIRED, struct file_learned, nodes),
    CYAML_FIELD_SEQUENCE_COUNT("sizes", CYAML_FLAG_POINTER, struct file_learned, sizes,
                               nsizes, &number, 1, 2),
    CYAML_FIELD_FLOAT("error", REQUIRED, struct file_learned, error), CYAML_FIELD_END};

static const cyaml_schema_field_t algorithm_fields[] = {
    STRING("name", REQUIRED, struct file_algorithm, name),
    STRING("work", REQUIRED, struct file_algorithm, work),
    STRING("memory", OPTIONAL, struct file_algorithm, memory),
    STRING("valid", OPTIONAL, struct file_algorithm, valid),
    CYAML_FIELD_MAPPING("compute", REQUIRED, struct file_algorithm, compute,
                        compute_fields),
    CYAML_FIELD_MAPPING("communication", OPTIONAL, struct file_algorithm, communication,
                        communication_fields),
    CYAML_FIELD_MAPPING("learned", OPTIONAL, struct file_algorithm, learned,
                        learned_fields),
    CYAML_FIELD_END};

static const cyaml_schema_value_t algorithm = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_algorithm, algorithm_fields)};

static const cyaml_schema_field_t machine_fields[] = {
    STRING("name", REQUIRED, struct file_machine, name),
    CYAML_FIELD_INT("nodes", REQUIRED, struct file_machine, nodes),
    STRING("speed", REQUIRED, struct file_machine, speed),
    STRING("memory", OPTIONAL, struct file_machine, memory),
    CYAML_FIELD_BOOL("simulated", OPTIONAL, struct file_machine, simulated),
    CYAML_FIELD_SEQUENCE_COUNT("algorithms", CYAML_FLAG_POINTER, struct file_machine,
                               algorithms, nalgorithms, &algorithm, 1, 32),
    CYAML_FIELD_END};

const cyaml_schema_value_t mt_machine_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file_machine, machine_fields)};
