/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

/* What libFuzzer calls. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Processor time for an input; a third of it without sanitizers. */
enum { MOST_SECONDS = 3 };

static void stop_late(int signal)
{
    static const char message[] = "it took more than 3 seconds of the processor\n";
    (void)signal;
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const struct sigaction late = {.sa_handler = stop_late};
    (void)argc, (void)argv;
    sigaction(SIGVTALRM, &late, NULL);
    fuzz_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct itimerval most = {.it_value = {.tv_sec = MOST_SECONDS}}, none;
    setitimer(ITIMER_VIRTUAL, &most, NULL);
    fuzz_input(data, size);
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    return 0;
}

void fuzz_demand_as(bool holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    dprintf(STDERR_FILENO, "%s:%d: it is not true that %s\n", file, line, what);
    abort();
}

const char *fuzz_file(const void *bytes, size_t size)
{
    static int descriptor = -1;
    static char path[40];
    if (descriptor < 0) {
        descriptor = memfd_create("input", MFD_CLOEXEC);
        fuzz_demand(descriptor >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    fuzz_demand(ftruncate(descriptor, 0) == 0);
    fuzz_demand(pwrite(descriptor, bytes, size, 0) == (ssize_t)size);
    return path;
}

void fuzz_path(char path[FUZZ_PATH], const char *name)
{
    const char *folder = getenv("TMPDIR");
    const int length = snprintf(path, FUZZ_PATH, "%s/motley-fuzz-%d-%s",
                                folder ? folder : "/tmp", (int)getpid(), name);
    fuzz_demand(length < FUZZ_PATH);
}

FILE *fuzz_stream(const void *bytes, size_t size)
{
    FILE *stream = fopen(fuzz_file(bytes, size), "r");
    fuzz_demand(stream != NULL);
    return stream;
}

char *fuzz_text(const void *bytes, size_t size)
{
    char *text = strndup(size > 0 ? bytes : "", size);
    fuzz_demand(text != NULL);
    return text;
}

char *fuzz_line(const uint8_t **rest, size_t *size)
{
    const uint8_t *end = *size > 0 ? memchr(*rest, '\n', *size) : NULL;
    const size_t length = end ? (size_t)(end - *rest) : *size;
    char *line = fuzz_text(*rest, length);
    *rest += end ? length + 1 : length;
    *size -= end ? length + 1 : length;
    return line;
}

void fuzz_page_open(struct fuzz_page *page)
{
    page->stream = open_memstream(&page->text, &page->length);
    fuzz_demand(page->stream != NULL);
}

void fuzz_page_close(struct fuzz_page *page)
{
    fuzz_demand(fclose(page->stream) == 0);
}

void fuzz_page_clear(struct fuzz_page *page)
{
    free(page->text);
}

bool fuzz_page_same(const struct fuzz_page *a, const struct fuzz_page *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}
