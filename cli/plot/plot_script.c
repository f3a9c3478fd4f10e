/* SPDX-License-Identifier: BSD-3-Clause */
/* A script for gnuplot: its terminal, its texts, and its output. */
#include "plot_script.h"

#include "cli/process/child.h"
#include "lib/base/draft.h"
#include "lib/base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
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

/* Bytes of the next character; a stray byte counts as a control character. */
static int next_character(const char *text, uint32_t *code)
{
    const int bytes =
        mt_text_character(text, strnlen(text, MT_LONGEST_CHARACTER), code);
    if (bytes <= 0)
        *code = 0;
    return bytes > 0 ? bytes : 1;
}

/* gnuplot's single-quoted strings have one escape: two quotes are a quote. A line end
   would end the command, and the rest of the text would become the next one. */
void mt_plot_write_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (uint32_t code; *text;) {
        const int bytes = next_character(text, &code);
        fprintf(file, "%s%.*s", code == '\'' ? "'" : "", bytes,
                mt_text_is_control(code) ? " " : text);
        text += bytes;
    }
    fputc('\'', file);
}

void mt_plot_write_setting(FILE *file, const char *what, const char *text)
{
    fprintf(file, "set %s ", what);
    mt_plot_write_quoted(file, text);
    fputc('\n', file);
}

/* Columns for a picture in letters: one less than the terminal has, so that no line
   wraps. */
static int columns_of_terminal(void)
{
    enum { LEAST = 40, USUAL = 80, MOST = 160 };
    struct winsize window = {.ws_col = USUAL};
    if (isatty(STDOUT_FILENO))
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &window);
    if (window.ws_col < LEAST)
        window.ws_col = USUAL;
    return (window.ws_col < MOST ? window.ws_col : MOST) - 1;
}

void mt_plot_script_terminal(const struct mt_plot_script *script,
                             const struct mt_plot_size *size)
{
    if (script->kind == MT_PLOT_TERM)
        fprintf(script->file, "set terminal dumb noenhanced size %d,%d\n",
                size->columns > 0 ? size->columns : columns_of_terminal(), size->lines);
    else if (script->kind == MT_PLOT_SVG)
        fprintf(script->file,
                "set terminal svg noenhanced size %d,%d dynamic "
                "font 'Helvetica,Arial,sans-serif,15' background rgb 'white'\n",
                size->width, size->height);
    else
        fprintf(script->file,
                "set terminal pngcairo noenhanced size %d,%d font 'Sans,11'\n",
                size->width, size->height);
}

void mt_plot_script_title(struct mt_plot_script *script, const char *title)
{
    snprintf(script->title, sizeof script->title, "%s", title);
    mt_plot_write_setting(script->file, "title", title);
}

static int run_gnuplot(FILE *script, FILE *picture, FILE *messages,
                       struct mt_error *err)
{
    char name[] = "gnuplot", no_settings[] = "-d", from_stdin[] = "-";
    char *const argv[] = {name, no_settings, from_stdin, NULL};
    struct mt_error reason;
    int status = mt_child_run(argv, NULL, script, picture, messages, &reason);
    if (status == MT_ENOTFOUND)
        return mt_fail(err, status, "%s; on Debian: apt install gnuplot-nox",
                       reason.text);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

static void write_xml(FILE *file, const char *text)
{
    for (uint32_t code; *text;) {
        const int bytes = next_character(text, &code);
        if (code == '&')
            fputs("&amp;", file);
        else if (code == '<')
            fputs("&lt;", file);
        else
            fprintf(file, "%.*s", bytes, mt_text_is_control(code) ? " " : text);
        text += bytes;
    }
}

/* Copy everything up to the SVG document's title, which is "Gnuplot": gnuplot's option
   for it takes a single word only. */
static void copy_titled(FILE *picture, FILE *file, const char *title)
{
    char *line = NULL;
    size_t allocated = 0;
    bool found = false;
    while (!found && getline(&line, &allocated, picture) > 0) {
        found = strcmp(line, "<title>Gnuplot</title>\n") == 0;
        if (!found)
            fputs(line, file);
    }
    free(line);
    if (!found)
        return;
    fputs("<title>", file);
    write_xml(file, title);
    fputs("</title>\n", file);
}

static int copy_picture(const struct mt_plot_script *script, FILE *picture,
                        struct mt_error *err)
{
    char buffer[16384];
    size_t count;
    struct mt_draft draft;
    int status = mt_draft_open(&draft, script->target, err);
    if (status != MT_OK)
        return status;
    rewind(picture);
    if (script->kind == MT_PLOT_SVG)
        copy_titled(picture, draft.stream, script->title);
    while ((count = fread(buffer, 1, sizeof buffer, picture)) > 0)
        fwrite(buffer, 1, count, draft.stream);
    if (ferror(picture))
        status = mt_fail(err, MT_EIO, "cannot read what gnuplot has drawn");
    return mt_draft_close(&draft, status, err);
}

/* Print a picture in letters, without the blanks at the ends of its lines and the form
   feed before it. */
static void print_picture(FILE *picture)
{
    char *line = NULL;
    size_t allocated = 0;
    ssize_t length;
    rewind(picture);
    while ((length = getline(&line, &allocated, picture)) > 0) {
        while (length > 0 && strchr(" \n", line[length - 1]))
            line[--length] = 0;
        puts(line[0] == '\f' ? line + 1 : line);
    }
    free(line);
}

static int draw(const struct mt_plot_script *script, FILE *picture, FILE *messages,
                struct mt_error *err)
{
    const int status = run_gnuplot(script->file, picture, messages, err);
    if (status != MT_OK)
        return status;
    if (script->kind != MT_PLOT_TERM)
        return copy_picture(script, picture, err);
    print_picture(picture);
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
