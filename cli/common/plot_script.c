/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot_script.h"

#include "cli/process/process.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

int mt_plot_kind_find(enum mt_plot_kind *kind, const char *target, struct mt_error *err)
{
    if (strcmp(target, "term") == 0)
        *kind = MT_PLOT_TERM;
    else if (ends_with(target, ".svg"))
        *kind = MT_PLOT_SVG;
    else if (ends_with(target, ".png"))
        *kind = MT_PLOT_PNG;
    else
        return mt_fail(err, MT_EINVAL,
                       "unknown kind of picture: '%s' (give a file that ends in .svg "
                       "or .png, or 'term' for the terminal)",
                       target);
    return MT_OK;
}

int mt_plot_script_open(struct mt_plot_script *script, const char *target,
                        struct mt_error *err)
{
    struct mt_plot_script opened = {.target = target};
    int status = mt_plot_kind_find(&opened.kind, target, err);
    if (status != MT_OK)
        return status;
    opened.file = tmpfile();
    if (!opened.file)
        return mt_fail(err, MT_EIO, "cannot make a temporary file for gnuplot: %s",
                       strerror(errno));
    *script = opened;
    return MT_OK;
}

void mt_plot_script_close(struct mt_plot_script *script)
{
    if (script->file)
        fclose(script->file);
    *script = (struct mt_plot_script){0};
}

/* gnuplot's single-quoted strings know one escape: two quotes are a quote. A line end
   would end the command, and the rest of the text would be the next one. */
void mt_plot_write_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', file);
        fputc(iscntrl((unsigned char)*text) ? ' ' : *text, file);
    }
    fputc('\'', file);
}

void mt_plot_write_setting(FILE *file, const char *what, const char *text)
{
    fprintf(file, "set %s ", what);
    mt_plot_write_quoted(file, text);
    fputc('\n', file);
}

void mt_plot_script_terminal(const struct mt_plot_script *script, int width, int height)
{
    switch (script->kind) {
    case MT_PLOT_SVG:
        fprintf(script->file,
                "set terminal svg noenhanced size %d,%d dynamic "
                "font 'Helvetica,Arial,sans-serif,15' background rgb 'white'\n",
                width, height);
        break;
    case MT_PLOT_PNG:
        fprintf(script->file,
                "set terminal pngcairo noenhanced size %d,%d font 'Sans,11'\n", width,
                height);
        break;
    default: {
        struct winsize window = {.ws_col = 80, .ws_row = 25};
        if (isatty(STDOUT_FILENO))
            ioctl(STDOUT_FILENO, TIOCGWINSZ, &window);
        /* One line and column less, so that nothing wraps or scrolls away. */
        fprintf(script->file, "set terminal dumb noenhanced size %d,%d\n",
                window.ws_col > 20 ? window.ws_col - 1 : 79,
                window.ws_row > 10 ? window.ws_row - 1 : 24);
    }
    }
}

static int run_gnuplot(FILE *script, FILE *picture, FILE *messages,
                       struct mt_error *err)
{
    char name[] = "gnuplot", no_settings[] = "-d", from_stdin[] = "-";
    char *const argv[] = {name, no_settings, from_stdin, NULL};
    struct mt_error reason;
    int status = mt_child_run(argv, script, picture, messages, &reason);
    if (status == MT_ENOTFOUND)
        return mt_fail(err, status, "%s; on Debian: apt install gnuplot-nox",
                       reason.text);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

/* gnuplot begins a picture of letters with a form feed, which some terminals obey. */
static void print_letters(FILE *picture)
{
    int letter;
    rewind(picture);
    while ((letter = fgetc(picture)) != EOF)
        if (letter != '\f')
            putchar(letter);
}

/* The picture is complete before the file is opened: a failure leaves an old one be. */
static int copy_picture(FILE *picture, const char *target, struct mt_error *err)
{
    char buffer[16384];
    size_t count;
    FILE *file = fopen(target, "we");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", target, strerror(errno));
    rewind(picture);
    while ((count = fread(buffer, 1, sizeof buffer, picture)) > 0)
        fwrite(buffer, 1, count, file);
    bool failed = ferror(file) || ferror(picture);
    failed = fclose(file) != 0 || failed;
    return failed
               ? mt_fail(err, MT_EIO, "cannot write '%s': %s", target, strerror(errno))
               : MT_OK;
}

static int draw(const struct mt_plot_script *script, FILE *picture, FILE *messages,
                struct mt_error *err)
{
    int status = run_gnuplot(script->file, picture, messages, err);
    if (status != MT_OK)
        return status;
    if (script->kind != MT_PLOT_TERM)
        return copy_picture(picture, script->target, err);
    print_letters(picture);
    return MT_OK;
}

int mt_plot_script_run(const struct mt_plot_script *script, struct mt_error *err)
{
    FILE *picture = tmpfile(), *messages = tmpfile();
    int status;
    if (picture && messages)
        status = draw(script, picture, messages, err);
    else
        status = mt_fail(err, MT_EIO, "cannot make a temporary file for gnuplot: %s",
                         strerror(errno));
    if (picture)
        fclose(picture);
    if (messages)
        fclose(messages);
    return status;
}
