/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_file.h - a YAML file in memory, and the line of each value.
 *
 * A value ("node") is known by a number; 0 means no node, and every function takes it.
 * An alias is the node that it stands for.
 */
#ifndef MT_YAML_FILE_H
#define MT_YAML_FILE_H

#include "motley/error.h"

struct mt_yaml;

enum mt_yaml_kind { MT_YAML_NONE, MT_YAML_SCALAR, MT_YAML_SEQUENCE, MT_YAML_MAPPING };

/*
 * Read the file at `path`. MT_EPARSE, with the line: it is not one YAML document, is
 * nested too deeply, or has very many anchors. On success `*yaml` is the caller's, to
 * be freed by mt_yaml_close().
 */
MT_MUST_CHECK int mt_yaml_open(struct mt_yaml **yaml, const char *path,
                               struct mt_error *err);
void mt_yaml_close(struct mt_yaml *yaml);

/* The node of the whole document. */
int mt_yaml_root(const struct mt_yaml *yaml);
enum mt_yaml_kind mt_yaml_kind(const struct mt_yaml *yaml, int node);
/* The text of a scalar; NULL for other nodes. */
const char *mt_yaml_text(const struct mt_yaml *yaml, int node);
/* Whether the text of that key, if given, may be printed within a line: it has no line
   ends or other control characters. */
MT_MUST_CHECK int mt_yaml_check_line(const struct mt_yaml *yaml, const char *key,
                                     struct mt_error *err);
/* How many items a sequence, or keys a mapping, has; 0 for a scalar. */
int mt_yaml_count(const struct mt_yaml *yaml, int node);
/* The i-th item of a sequence, or value of a mapping; 0 if missing. */
int mt_yaml_item(const struct mt_yaml *yaml, int node, int i);
/* The i-th key of a mapping; 0 if missing. */
int mt_yaml_key_node(const struct mt_yaml *yaml, int node, int i);
/* The value of a mapping's key; 0 if missing. */
int mt_yaml_member(const struct mt_yaml *yaml, int node, const char *key);

/*
 * Fail with MT_EINVAL and the reason "PATH:LINE: ...", with the node's line; node 0 has
 * the first line.
 */
int mt_yaml_fail(const struct mt_yaml *yaml, int node, struct mt_error *err,
                 const char *format, ...) MT_PRINTF(4, 5);

#endif
