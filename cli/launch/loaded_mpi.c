/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the dynamic sections of an executable and of its libraries (ELF, see elf(5) and
 * ld.so(8)). It executes nothing, unlike `ldd`.
 */
#include "loaded_mpi.h"

#include "cli/process/memory.h"
#include "lib/base/argv.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in memory. Empty if zeroed. */
struct image {
    char *bytes;
    size_t size;
};

static void map(struct image *image, const char *path)
{
    struct stat info;
    *image = (struct image){0};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED)
            *image = (struct image){bytes, (size_t)info.st_size};
    }
    close(file);
}

static void unmap(struct image *image)
{
    if (image->bytes)
        munmap(image->bytes, image->size);
}

/* Copy a structure; false: the file ends before it does. */
static bool copy(void *to, size_t size, const struct image *image, size_t offset)
{
    if (offset > image->size || size > image->size - offset)
        return false;
    memcpy(to, image->bytes + offset, size);
    return true;
}

static bool is_ours(const ElfW(Ehdr) * header)
{
    static const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    static const unsigned char order =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == class && header->e_ident[EI_DATA] == order &&
           header->e_phentsize == sizeof(ElfW(Phdr));
}

/* The part of the file that is of the type, and, with PT_LOAD, holds the address. */
static bool find_segment(ElfW(Phdr) * segment, const struct image *image,
                         ElfW(Word) type, ElfW(Addr) address)
{
    ElfW(Ehdr) header;
    if (!copy(&header, sizeof header, image, 0) || !is_ours(&header))
        return false;
    for (size_t i = 0; i < header.e_phnum; i++)
        if (!copy(segment, sizeof *segment, image,
                  header.e_phoff + i * sizeof *segment))
            return false;
        else if (segment->p_type == type &&
                 (type != PT_LOAD || address - segment->p_vaddr < segment->p_filesz))
            return true;
    return false;
}

/* Entry `i` of the dynamic section; false if it does not exist. */
static bool read_entry(ElfW(Dyn) * entry, const struct image *image, size_t i)
{
    ElfW(Phdr) section;
    return find_segment(&section, image, PT_DYNAMIC, 0) &&
           i < section.p_filesz / sizeof *entry &&
           copy(entry, sizeof *entry, image, section.p_offset + i * sizeof *entry) &&
           entry->d_tag != DT_NULL;
}

/* The string that the entry names; NULL: the file is damaged. */
static const char *string_of(const struct image *image, const ElfW(Dyn) * entry)
{
    ElfW(Phdr) segment;
    ElfW(Dyn) table = {0};
    for (size_t i = 0; table.d_tag != DT_STRTAB; i++)
        if (!read_entry(&table, image, i))
            return NULL;
    if (!find_segment(&segment, image, PT_LOAD, table.d_un.d_ptr))
        return NULL;
    const size_t start =
        segment.p_offset + (table.d_un.d_ptr - segment.p_vaddr) + entry->d_un.d_val;
    return start < image->size && memchr(image->bytes + start, 0, image->size - start)
               ? image->bytes + start
               : NULL;
}

/* The state of a search. */
struct search {
    struct image cache; /* ld.so.cache, whose strings include the paths of libraries */
    char **folders;     /* owned; folders to search for libraries */
    char **files;       /* owned; libraries found, each once */
    char openmpi[64], mpich[64]; /* the library that identifies it; "": none */
};

/* Open MPI's libmpi.so had the number 12 in 2015 (1.10), which MPICH's has now;
   libopen-pal identifies Open MPI's. */
static void judge(struct search *search, const char *library)
{
    unsigned number = 0;
    const bool numbered = sscanf(library, "libmpi.so.%u", &number) == 1;
    char *which = NULL;
    if (strncmp(library, "libopen-", 8) == 0 || (numbered && number != 12))
        which = search->openmpi;
    else if (numbered || strncmp(library, "libmpich", 8) == 0)
        which = search->mpich;
    if (which && !*which) /* the first is the one that the program names */
        snprintf(which, sizeof search->mpich, "%s", library);
}

static void add_folders(struct search *search, const char *list, const char *file)
{
    const int origin = (int)(strrchr(file, '/') ? strrchr(file, '/') - file : 0);
    while (*list) {
        const int length = (int)strcspn(list, ":;");
        const char *const words[] = {"$ORIGIN", "${ORIGIN}"};
        int skip = 0;
        for (int i = 0; i < 2; i++)
            if (strncmp(list, words[i], strlen(words[i])) == 0)
                skip = (int)strlen(words[i]);
        if (length > 0)
            mt_words_add(&search->folders, "%.*s%.*s", skip ? origin : 0, file,
                         length - skip, list + skip);
        list += length + (list[length] != 0);
    }
}

static bool has(char *const *files, const char *path)
{
    for (; files && *files; files++)
        if (strcmp(*files, path) == 0)
            return true;
    return false;
}

/* "/usr/lib/.../libmpi.so.40" in the cache; NULL: it is not there. */
static const char *find_in_cache(const struct image *cache, const char *library)
{
    char tail[256];
    const int length = snprintf(tail, sizeof tail, "/%s", library);
    if (!cache->bytes || length >= (int)sizeof tail)
        return NULL;
    const char *found = memmem(cache->bytes, cache->size, tail, (size_t)length + 1);
    while (found && found > cache->bytes && found[-1])
        found--;
    return found;
}

static void add_file(struct search *search, const char *path)
{
    if (!has(search->files, path))
        mt_words_add(&search->files, "%s", path);
}

static void add_library(struct search *search, const char *library)
{
    judge(search, library);
    for (char **folder = search->folders; folder && *folder; folder++) {
        char *path = mt_asprintf("%s/%s", *folder, library);
        const bool found = access(path, R_OK) == 0;
        if (found)
            add_file(search, path);
        free(path);
        if (found)
            return;
    }
    const char *cached = find_in_cache(&search->cache, library);
    if (cached)
        add_file(search, cached);
}

/* Read its folders first, then its libraries. */
static void read_file(struct search *search, const char *path)
{
    struct image image;
    ElfW(Dyn) entry;
    map(&image, path);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; read_entry(&entry, &image, i); i++) {
            const bool library = entry.d_tag == DT_NEEDED;
            const char *text =
                library || entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH
                    ? string_of(&image, &entry)
                    : NULL;
            if (text && pass == 0 && !library)
                add_folders(search, text, path);
            else if (text && pass == 1 && library)
                add_library(search, text);
        }
    unmap(&image);
}

void mt_loaded_mpi(struct mt_loaded_mpi *mpi, const char *path)
{
    struct search search = {0};
    const char *folders = getenv("LD_LIBRARY_PATH");
    map(&search.cache, "/etc/ld.so.cache");
    mt_words_add(&search.files, "%s", path);
    if (folders)
        add_folders(&search, folders, "");
    for (int i = 0; search.files[i]; i++)
        read_file(&search, search.files[i]);
    *mpi = (struct mt_loaded_mpi){0};
    if (!*search.openmpi != !*search.mpich) {
        mpi->name = *search.openmpi ? "openmpi" : "mpich";
        snprintf(mpi->library, sizeof mpi->library, "%s",
                 *search.openmpi ? search.openmpi : search.mpich);
    }
    unmap(&search.cache);
    mt_argv_free(search.folders);
    mt_argv_free(search.files);
}
