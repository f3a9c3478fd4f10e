/* SPDX-License-Identifier: BSD-3-Clause */
/* Error messages and the texts of statuses. */
#include "motley/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *mt_status_text(enum mt_status status)
{
    switch (status) {
#define X(name, value, text) \
    case name: \
        return text;
        MT_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

#undef mt_fail /* see error.h */
int mt_fail(struct mt_error *err, enum mt_status status, const char *format, ...)
{
    if (!err)
        return status;
    char text[sizeof err->text]; /* the arguments may point into err->text */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    err->status = status;
    memcpy(err->text, text, sizeof text);
    return status;
}
