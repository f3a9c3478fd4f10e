/* SPDX-License-Identifier: BSD-3-Clause */
#include "payload.h"

enum { WHOLE = 4096, SAMPLES = 1000 };

static int stride(int bytes)
{
    return bytes <= WHOLE ? 1 : bytes / SAMPLES;
}

/* Neighbouring calls and roots differ in every byte. */
static unsigned char byte_at(int position, int root, int call)
{
    const unsigned place = (unsigned)position * 2654435761U;
    return (unsigned char)((place >> 24) + 7U * (unsigned)root + 31U * (unsigned)call);
}

void payload_write(unsigned char *buffer, int bytes, int root, int call)
{
    const int step = stride(bytes), last = bytes - 1;
    for (int i = 0; i < last; i += step)
        buffer[i] = byte_at(i, root, call);
    buffer[last] = byte_at(last, root, call);
}

bool payload_matches(const unsigned char *buffer, int bytes, int root, int call)
{
    const int step = stride(bytes), last = bytes - 1;
    for (int i = 0; i < last; i += step)
        if (buffer[i] != byte_at(i, root, call))
            return false;
    return buffer[last] == byte_at(last, root, call);
}
