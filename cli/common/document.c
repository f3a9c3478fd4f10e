/* SPDX-License-Identifier: BSD-3-Clause */
#include "document.h"

#include "json.h"

int mt_document_print(const char *schema, int version, json_t *object, FILE *stream,
                      struct mt_error *err)
{
    json_t *whole = json_pack("{s:s, s:i}", "schema", schema, "version", version);
    if (json_object_update(whole, object) != 0) {
        json_decref(whole);
        whole = NULL;
    }
    const int status = mt_json_write(whole, JSON_INDENT(2), stream, err);
    json_decref(whole);
    json_decref(object);
    return status;
}
