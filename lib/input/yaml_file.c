/* SPDX-License-Identifier: BSD-3-Clause */
#include "yaml_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    LARGEST_FILE = 1 << 20, /* bytes; nobody writes so much by hand */
    DEEPEST_NESTING = 100   /* libyaml's time grows with its square */
};

struct mt_yaml {
    char *path;
    char *source;
    size_t length;
    yaml_document_t document;
};

static int read_source(struct mt_yaml *yaml, struct mt_error *err)
{
    FILE *stream = fopen(yaml->path, "re");
    if (!stream)
        return mt_fail(err, errno == ENOENT ? MT_ENOTFOUND : MT_EIO,
                       "cannot read '%s': %s", yaml->path, strerror(errno));

    int status = MT_OK;
    yaml->source = malloc(LARGEST_FILE + 1);
    if (!yaml->source) {
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", yaml->path);
        goto done;
    }
    yaml->length = fread(yaml->source, 1, LARGEST_FILE + 1, stream);
    if (ferror(stream))
        status =
            mt_fail(err, MT_EIO, "cannot read '%s': %s", yaml->path, strerror(errno));
    else if (yaml->length > LARGEST_FILE)
        status = mt_fail(err, MT_EINVAL, "file is larger than 1 MiB: '%s'", yaml->path);
done:
    fclose(stream);
    return status;
}

/* The line of an error of libyaml; its reader knows an offset only. */
static size_t error_line(const struct mt_yaml *yaml, const yaml_parser_t *parser)
{
    if (parser->error != YAML_READER_ERROR)
        return parser->problem_mark.line + 1;
    size_t line = 1;
    for (size_t i = 0; i < parser->problem_offset && i < yaml->length; i++)
        line += yaml->source[i] == '\n';
    return line;
}

static int fail_to_parse(const struct mt_yaml *yaml, const yaml_parser_t *parser,
                         struct mt_error *err)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", yaml->path);
    return mt_fail(err, MT_EPARSE, "%s:%zu: not YAML: %s%s%s", yaml->path,
                   error_line(yaml, parser), parser->context ? parser->context : "",
                   parser->context ? ", " : "", parser->problem);
}

static int nesting_of(yaml_event_type_t type)
{
    if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT)
        return 1;
    return type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT ? -1 : 0;
}

/* What is not YAML ends the check: the reading after it says why. */
static int check_nesting(struct mt_yaml *yaml, yaml_parser_t *parser,
                         struct mt_error *err)
{
    yaml_event_type_t type = YAML_NO_EVENT;
    int depth = 0;
    while (type != YAML_STREAM_END_EVENT && depth <= DEEPEST_NESTING) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return MT_OK;
        type = event.type;
        depth += nesting_of(type);
        yaml_event_delete(&event);
    }
    if (depth > DEEPEST_NESTING)
        return mt_fail(err, MT_EPARSE, "%s:%zu: nested too deeply", yaml->path,
                       parser->mark.line + 1);
    return MT_OK;
}

/* Nothing may follow the first document. */
static int check_end(const struct mt_yaml *yaml, yaml_parser_t *parser,
                     struct mt_error *err)
{
    yaml_document_t second;
    if (!yaml_parser_load(parser, &second))
        return fail_to_parse(yaml, parser, err);
    const yaml_node_t *root = yaml_document_get_root_node(&second);
    int status = MT_OK;
    if (root)
        status = mt_fail(err, MT_EINVAL, "%s:%zu: a second document in the file",
                         yaml->path, second.start_mark.line + 1);
    yaml_document_delete(&second);
    return status;
}

/* Scalars become C strings. */
static int check_scalars(const struct mt_yaml *yaml, struct mt_error *err)
{
    const yaml_document_t *document = &yaml->document;
    const yaml_node_t *end = document->nodes.top;
    for (const yaml_node_t *node = document->nodes.start; node < end; node++)
        if (node->type == YAML_SCALAR_NODE &&
            memchr(node->data.scalar.value, 0, node->data.scalar.length))
            return mt_yaml_fail(yaml, (int)(node - document->nodes.start) + 1, err,
                                "text with a NUL character: '%s'",
                                (const char *)node->data.scalar.value);
    return MT_OK;
}

static int read_document(struct mt_yaml *yaml, yaml_parser_t *parser,
                         struct mt_error *err)
{
    if (!yaml_parser_load(parser, &yaml->document))
        return fail_to_parse(yaml, parser, err);
    if (mt_yaml_root(yaml) == 0)
        return mt_yaml_fail(yaml, 0, err, "the file is empty");
    int status = check_end(yaml, parser, err);
    return status ? status : check_scalars(yaml, err);
}

/* Have a fresh parser do a step over the whole source. */
static int parse(struct mt_yaml *yaml,
                 int (*step)(struct mt_yaml *, yaml_parser_t *, struct mt_error *),
                 struct mt_error *err)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", yaml->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)yaml->source,
                                 yaml->length);
    int status = step(yaml, &parser, err);
    yaml_parser_delete(&parser);
    return status;
}

int mt_yaml_open(struct mt_yaml **yaml, const char *path, struct mt_error *err)
{
    struct mt_yaml *file = calloc(1, sizeof *file);
    if (file)
        file->path = strdup(path);
    if (!file || !file->path) {
        free(file);
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    }
    int status = read_source(file, err);
    if (!status)
        status = parse(file, check_nesting, err);
    if (!status)
        status = parse(file, read_document, err);
    if (status) {
        mt_yaml_close(file);
        return status;
    }
    *yaml = file;
    return MT_OK;
}

void mt_yaml_close(struct mt_yaml *yaml)
{
    if (!yaml)
        return;
    yaml_document_delete(&yaml->document);
    free(yaml->source);
    free(yaml->path);
    free(yaml);
}

const char *mt_yaml_source(const struct mt_yaml *yaml, size_t *length)
{
    *length = yaml->length;
    return yaml->source;
}

/* libyaml numbers the nodes from 1 on. */
static const yaml_node_t *find(const struct mt_yaml *yaml, int node)
{
    const yaml_node_t *start = yaml->document.nodes.start;
    return node > 0 && node <= yaml->document.nodes.top - start ? start + node - 1
                                                                : NULL;
}

int mt_yaml_root(const struct mt_yaml *yaml)
{
    return yaml->document.nodes.top > yaml->document.nodes.start;
}

enum mt_yaml_kind mt_yaml_kind(const struct mt_yaml *yaml, int node)
{
    const yaml_node_t *found = find(yaml, node);
    switch (found ? found->type : YAML_NO_NODE) {
    case YAML_NO_NODE:
        return MT_YAML_NONE;
    case YAML_SCALAR_NODE:
        return MT_YAML_SCALAR;
    case YAML_SEQUENCE_NODE:
        return MT_YAML_LIST;
    case YAML_MAPPING_NODE:
        return MT_YAML_MAP;
    }
    return MT_YAML_NONE;
}

const char *mt_yaml_text(const struct mt_yaml *yaml, int node)
{
    if (mt_yaml_kind(yaml, node) != MT_YAML_SCALAR)
        return NULL;
    return (const char *)find(yaml, node)->data.scalar.value;
}

int mt_yaml_count(const struct mt_yaml *yaml, int node)
{
    const yaml_node_t *found = find(yaml, node);
    switch (mt_yaml_kind(yaml, node)) {
    case MT_YAML_LIST:
        return (int)(found->data.sequence.items.top - found->data.sequence.items.start);
    case MT_YAML_MAP:
        return (int)(found->data.mapping.pairs.top - found->data.mapping.pairs.start);
    case MT_YAML_NONE:
    case MT_YAML_SCALAR:
        break;
    }
    return 0;
}

int mt_yaml_item(const struct mt_yaml *yaml, int node, int i)
{
    if (i < 0 || i >= mt_yaml_count(yaml, node))
        return 0;
    const yaml_node_t *found = find(yaml, node);
    if (found->type == YAML_SEQUENCE_NODE)
        return found->data.sequence.items.start[i];
    return found->data.mapping.pairs.start[i].value;
}

int mt_yaml_key(const struct mt_yaml *yaml, int node, int i)
{
    if (mt_yaml_kind(yaml, node) != MT_YAML_MAP || i < 0 ||
        i >= mt_yaml_count(yaml, node))
        return 0;
    return find(yaml, node)->data.mapping.pairs.start[i].key;
}

int mt_yaml_member(const struct mt_yaml *yaml, int node, const char *key)
{
    for (int i = 0; i < mt_yaml_count(yaml, node); i++) {
        const char *text = mt_yaml_text(yaml, mt_yaml_key(yaml, node, i));
        if (text && strcmp(text, key) == 0)
            return mt_yaml_item(yaml, node, i);
    }
    return 0;
}

int mt_yaml_fail(const struct mt_yaml *yaml, int node, struct mt_error *err,
                 const char *format, ...)
{
    const yaml_node_t *found = find(yaml, node);
    char reason[sizeof err->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return mt_fail(err, MT_EINVAL, "%s:%zu: %s", yaml->path,
                   found ? found->start_mark.line + 1 : 1, reason);
}
