/* SPDX-License-Identifier: BSD-3-Clause */
#include "slurm_request.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 255 };

/* A key, and what its values may have beside letters, digits, '-', '_', '.', ',', '@'
   and '+'. */
struct rule {
    const char *key, *value, *marks;
};

static bool is_value(const char *text, const char *marks)
{
    if (text[0] == '-' || strnlen(text, LONGEST + 1) > LONGEST)
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && !strchr("-_.,@+", *text) &&
            !strchr(marks, *text))
            return false;
    return true;
}

int mt_slurm_request_check(const struct mt_group *group, bool simulated,
                           const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const struct mt_slurm_request *request = &group->slurm;
    const struct rule rules[] = {{"partition", request->partition, ""},
                                 {"account", request->account, ""},
                                 {"qos", request->qos, ""},
                                 {"constraint", request->constraint, "&|*()[]"},
                                 {"gres", request->gres, ":=/"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        const int node = mt_yaml_member(yaml, map, rule->key);
        if (rule->value && simulated)
            return mt_yaml_fail(yaml, node, err,
                                "'%s' in group '%s' is not for launcher smpi",
                                rule->key, group->name);
        if (rule->value && !is_value(rule->value, rule->marks))
            return mt_yaml_fail(yaml, node, err,
                                "'%s' of group '%s' has letters, digits and -_.,@+%s "
                                "only, and does not begin with '-': '%.60s'",
                                rule->key, group->name, rule->marks, rule->value);
    }
    return MT_OK;
}
