/* SPDX-License-Identifier: BSD-3-Clause */
#include "yaml_load.h"

/* Without a log function libcyaml is silent. */
static const cyaml_config_t config = {
    .mem_fn = cyaml_mem,
    .log_level = CYAML_LOG_ERROR,
};

int mt_yaml_load(const struct mt_yaml *yaml, const struct cyaml_schema_value *schema,
                 void **data, struct mt_error *err)
{
    int status = mt_yaml_check(yaml, schema, err);
    if (status)
        return status;

    size_t length;
    const char *source = mt_yaml_source(yaml, &length);
    cyaml_err_t failure = cyaml_load_data((const unsigned char *)source, length,
                                          &config, schema, data, NULL);
    if (failure == CYAML_ERR_OOM)
        return mt_fail(err, MT_ENOMEM, "no memory to read a YAML file");
    if (failure)
        return mt_yaml_fail(yaml, 0, err, "not understood by libcyaml: %s",
                            cyaml_strerror(failure));
    return MT_OK;
}

void mt_yaml_unload(const struct cyaml_schema_value *schema, void *data)
{
    cyaml_free(&config, schema, data, 0);
}
