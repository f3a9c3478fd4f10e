/* SPDX-License-Identifier: BSD-3-Clause */
/* A YAML file in memory, with the line of each value; the only user of libyaml. */
#include "yaml_file.h"

#include "lib/base/array.h"
#include "lib/base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* Limits above any file written by hand. */
enum {
    LARGEST_FILE = 1 << 20, /* bytes */
    DEEPEST_NESTING = 100,
    MOST_ANCHORS = 1000 /* each alias looks through them */
};

struct node {
    enum mt_yaml_kind kind;
    size_t line;
    char *text; /* owned; of a scalar */
    int *items; /* owned; of a mapping keys and values take turns */
    int count;  /* of the items */
};

struct mt_yaml {
    char *path;         /* owned */
    struct node *nodes; /* owned; node 1 comes first */
    int nnodes;
};

struct anchor {
    char *name; /* owned */
    int node;
};

/* The state of reading: the mappings and sequences that have begun and not ended. */
struct composer {
    struct mt_yaml *yaml;
    yaml_parser_t parser;
    int open[DEEPEST_NESTING];
    int depth;
    struct anchor anchors[MOST_ANCHORS];
    int nanchors;
};

static int fail_for_memory(const char *path, struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
}

/* The file's bytes, which the caller frees. */
static int read_source(char **source, size_t *length, const char *path,
                       struct mt_error *err)
{
    FILE *stream = fopen(path, "re");
    if (!stream)
        return mt_fail(err, errno == ENOENT ? MT_ENOTFOUND : MT_EIO,
                       "cannot read '%s': %s", path, strerror(errno));
    char *bytes = malloc(LARGEST_FILE + 1);
    const size_t count = bytes ? fread(bytes, 1, LARGEST_FILE + 1, stream) : 0;
    int status = MT_OK;
    if (!bytes)
        status = fail_for_memory(path, err);
    else if (ferror(stream))
        status = mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    else if (count > LARGEST_FILE)
        status = mt_fail(err, MT_EINVAL, "file is larger than 1 MiB: '%s'", path);
    fclose(stream);
    if (status != MT_OK) {
        free(bytes);
        return status;
    }
    *source = bytes;
    *length = count;
    return MT_OK;
}

static int fail_at(const struct composer *composer, size_t line, const char *problem,
                   struct mt_error *err)
{
    return mt_fail(err, MT_EPARSE, "%s:%zu: %s", composer->yaml->path, line, problem);
}

/* The line of an error of libyaml, whose reader gives only an offset. */
static size_t error_line(const yaml_parser_t *parser, const char *source, size_t length)
{
    if (parser->error != YAML_READER_ERROR)
        return parser->problem_mark.line + 1;
    size_t line = 1;
    for (size_t i = 0; i < parser->problem_offset && i < length; i++)
        line += source[i] == '\n';
    return line;
}

static int fail_to_parse(const struct composer *composer, const char *source,
                         size_t length, struct mt_error *err)
{
    const yaml_parser_t *parser = &composer->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return fail_for_memory(composer->yaml->path, err);
    return mt_fail(err, MT_EPARSE, "%s:%zu: not YAML: %s%s%s", composer->yaml->path,
                   error_line(parser, source, length),
                   parser->context ? parser->context : "", parser->context ? ", " : "",
                   parser->problem);
}

/* Room grows by doubling: whether `count`, which is about to be passed, is full. */
/* Put a node into the mapping or sequence that is open, if any is. */
static int append(struct composer *composer, int node, struct mt_error *err)
{
    if (composer->depth == 0)
        return MT_OK;
    struct node *parent =
        &composer->yaml->nodes[composer->open[composer->depth - 1] - 1];
    const int status = mt_array_grow(&parent->items, parent->count,
                                     sizeof *parent->items, "items of a file", err);
    if (status == MT_OK)
        parent->items[parent->count++] = node;
    return status;
}

static int find_anchor(const struct composer *composer, const char *name)
{
    for (int i = 0; i < composer->nanchors; i++)
        if (strcmp(composer->anchors[i].name, name) == 0)
            return composer->anchors[i].node;
    return 0;
}

static int add_anchor(struct composer *composer, const yaml_char_t *name, int node,
                      size_t line, struct mt_error *err)
{
    if (!name)
        return MT_OK;
    if (find_anchor(composer, (const char *)name))
        return fail_at(composer, line, "not YAML: an anchor comes twice", err);
    if (composer->nanchors == MOST_ANCHORS)
        return fail_at(composer, line, "too many anchors", err);
    char *copy = strdup((const char *)name);
    if (!copy)
        return fail_for_memory(composer->yaml->path, err);
    struct anchor *anchor = &composer->anchors[composer->nanchors++];
    anchor->name = copy;
    anchor->node = node;
    return MT_OK;
}

/* Add a node to its parent, with its anchor. */
static int add_node(struct composer *composer, enum mt_yaml_kind kind,
                    const yaml_char_t *anchor, const yaml_mark_t *mark,
                    struct mt_error *err)
{
    struct mt_yaml *yaml = composer->yaml;
    int status = mt_array_grow(&yaml->nodes, yaml->nnodes, sizeof *yaml->nodes,
                               "nodes of a file", err);
    if (status != MT_OK)
        return status;
    yaml->nodes[yaml->nnodes++] = (struct node){.kind = kind, .line = mark->line + 1};
    status = append(composer, yaml->nnodes, err);
    if (status != MT_OK)
        return status;
    return add_anchor(composer, anchor, yaml->nnodes, mark->line + 1, err);
}

static int add_scalar(struct composer *composer, const yaml_event_t *event,
                      struct mt_error *err)
{
    const char *value = (const char *)event->data.scalar.value;
    const int status = add_node(composer, MT_YAML_SCALAR, event->data.scalar.anchor,
                                &event->start_mark, err);
    if (status != MT_OK)
        return status;
    struct node *node = &composer->yaml->nodes[composer->yaml->nnodes - 1];
    if (memchr(value, 0, event->data.scalar.length))
        return mt_yaml_fail(composer->yaml, composer->yaml->nnodes, err,
                            "text with a NUL character: '%s'", value);
    node->text = strdup(value);
    return node->text ? MT_OK : fail_for_memory(composer->yaml->path, err);
}

static int add_alias(struct composer *composer, const yaml_event_t *event,
                     struct mt_error *err)
{
    const int node = find_anchor(composer, (const char *)event->data.alias.anchor);
    if (node == 0)
        return fail_at(composer, event->start_mark.line + 1,
                       "not YAML: an alias without an anchor", err);
    return append(composer, node, err);
}

static int begin(struct composer *composer, enum mt_yaml_kind kind,
                 const yaml_char_t *anchor, const yaml_mark_t *mark,
                 struct mt_error *err)
{
    if (composer->depth == DEEPEST_NESTING)
        return fail_at(composer, mark->line + 1, "nested too deeply", err);
    const int status = add_node(composer, kind, anchor, mark, err);
    if (status == MT_OK)
        composer->open[composer->depth++] = composer->yaml->nnodes;
    return status;
}

static int take_event(struct composer *composer, const yaml_event_t *event,
                      struct mt_error *err)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (composer->yaml->nnodes > 0)
            return mt_fail(err, MT_EINVAL, "%s:%zu: a second document in the file",
                           composer->yaml->path, event->start_mark.line + 1);
        return MT_OK;
    case YAML_SCALAR_EVENT:
        return add_scalar(composer, event, err);
    case YAML_ALIAS_EVENT:
        return add_alias(composer, event, err);
    case YAML_SEQUENCE_START_EVENT:
        return begin(composer, MT_YAML_SEQUENCE, event->data.sequence_start.anchor,
                     &event->start_mark, err);
    case YAML_MAPPING_START_EVENT:
        return begin(composer, MT_YAML_MAPPING, event->data.mapping_start.anchor,
                     &event->start_mark, err);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        composer->depth--;
        return MT_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return MT_OK;
}

static int compose(struct composer *composer, const char *source, size_t length,
                   struct mt_error *err)
{
    int status = MT_OK;
    bool ended = false;
    yaml_parser_set_input_string(&composer->parser, (const unsigned char *)source,
                                 length);
    while (status == MT_OK && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&composer->parser, &event))
            return fail_to_parse(composer, source, length, err);
        status = take_event(composer, &event, err);
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    if (status == MT_OK && composer->yaml->nnodes == 0)
        status = mt_yaml_fail(composer->yaml, 0, err, "the file is empty");
    return status;
}

static int parse(struct mt_yaml *yaml, const char *source, size_t length,
                 struct mt_error *err)
{
    struct composer *composer = calloc(1, sizeof *composer);
    if (!composer || !yaml_parser_initialize(&composer->parser)) {
        free(composer);
        return fail_for_memory(yaml->path, err);
    }
    composer->yaml = yaml;
    const int status = compose(composer, source, length, err);
    for (int i = 0; i < composer->nanchors; i++)
        free(composer->anchors[i].name);
    yaml_parser_delete(&composer->parser);
    free(composer);
    return status;
}

int mt_yaml_open(struct mt_yaml **yaml, const char *path, struct mt_error *err)
{
    char *source = NULL;
    size_t length = 0;
    int status = read_source(&source, &length, path, err);
    if (status != MT_OK)
        return status;
    struct mt_yaml *file = calloc(1, sizeof *file);
    if (file)
        file->path = strdup(path);
    if (!file || !file->path)
        status = fail_for_memory(path, err);
    else
        status = parse(file, source, length, err);
    free(source);
    if (status == MT_OK)
        *yaml = file;
    else
        mt_yaml_close(file);
    return status;
}

void mt_yaml_close(struct mt_yaml *yaml)
{
    if (!yaml)
        return;
    for (int i = 0; i < yaml->nnodes; i++) {
        free(yaml->nodes[i].text);
        free(yaml->nodes[i].items);
    }
    free(yaml->nodes);
    free(yaml->path);
    free(yaml);
}

static const struct node *find(const struct mt_yaml *yaml, int node)
{
    static const struct node none = {.kind = MT_YAML_NONE, .line = 1};
    return node > 0 && node <= yaml->nnodes ? &yaml->nodes[node - 1] : &none;
}

int mt_yaml_root(const struct mt_yaml *yaml)
{
    return yaml->nnodes > 0;
}

enum mt_yaml_kind mt_yaml_kind(const struct mt_yaml *yaml, int node)
{
    return find(yaml, node)->kind;
}

const char *mt_yaml_text(const struct mt_yaml *yaml, int node)
{
    return find(yaml, node)->text;
}

int mt_yaml_count(const struct mt_yaml *yaml, int node)
{
    const struct node *found = find(yaml, node);
    return found->kind == MT_YAML_MAPPING ? found->count / 2 : found->count;
}

/* The i-th of a node's items, keys and values alike. */
static int item(const struct node *node, int i)
{
    return i >= 0 && i < node->count ? node->items[i] : 0;
}

int mt_yaml_item(const struct mt_yaml *yaml, int node, int i)
{
    const struct node *found = find(yaml, node);
    return item(found, found->kind == MT_YAML_MAPPING ? 2 * i + 1 : i);
}

int mt_yaml_key_node(const struct mt_yaml *yaml, int node, int i)
{
    const struct node *found = find(yaml, node);
    return found->kind == MT_YAML_MAPPING ? item(found, 2 * i) : 0;
}

int mt_yaml_member(const struct mt_yaml *yaml, int node, const char *key)
{
    for (int i = 0; i < mt_yaml_count(yaml, node); i++) {
        const char *text = mt_yaml_text(yaml, mt_yaml_key_node(yaml, node, i));
        if (text && strcmp(text, key) == 0)
            return mt_yaml_item(yaml, node, i);
    }
    return 0;
}

int mt_yaml_fail(const struct mt_yaml *yaml, int node, struct mt_error *err,
                 const char *format, ...)
{
    char reason[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return mt_fail(err, MT_EINVAL, "%s:%zu: %s", yaml->path, find(yaml, node)->line,
                   reason);
}

int mt_yaml_check_line(const struct mt_yaml *yaml, const char *key,
                       struct mt_error *err)
{
    const int node = mt_yaml_member(yaml, mt_yaml_root(yaml), key);
    const char *text = node ? mt_yaml_text(yaml, node) : NULL;
    while (text && *text) {
        uint32_t code = 0;
        const int bytes =
            mt_text_character(text, strnlen(text, MT_LONGEST_CHARACTER), &code);
        if (bytes <= 0 || mt_text_is_control(code))
            return mt_yaml_fail(yaml, node, err,
                                "'%s' has a line end or another control character",
                                key);
        text += bytes;
    }
    return MT_OK;
}
