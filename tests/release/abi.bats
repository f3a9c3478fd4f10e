#!/usr/bin/env bats
# scripts/abi on small libraries, of which the first is that of a release.

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p scripts include/motley build/lib build/linalg/{strassen,pdgemm/openmpi}
    cp "$SOURCE_ROOT/scripts/abi" scripts
    echo "project('motley', 'c', version: '0.1.0')" >meson.build
    echo '## 0.1.0 (2026-12-01)' >NEWS.md
    make 'int size, ranks;' 'int mt_use(struct mt_thing *);'
    scripts/abi --keep build
}

# make FIELDS FUNCTIONS [SONAME]: a header, and the libraries that are built from it
make() {
    echo "struct mt_thing { $1 }; $2" >include/motley/thing.h
    {
        echo '#include "include/motley/thing.h"'
        grep -o 'mt_[a-z]*(struct mt_thing \*)' include/motley/thing.h |
            sed 's/.*/int & { return 0; }/; s/\*)/*thing)/'
    } | sed 's/return 0/return thing->size/' >thing.c
    for library in build/{lib/libmotley,linalg/strassen/libmotley-strassen} \
        build/linalg/pdgemm/openmpi/libmotley-pdgemm; do
        cc -g -shared -fPIC -o "$library.so" thing.c \
            "-Wl,-soname,$(basename "$library").so.${3:-0}"
    done
}

@test "what did not change passes" {
    scripts/abi build
    scripts/abi --same build
}

@test "an addition does no harm, and is a difference" {
    make 'int size, ranks;' 'int mt_use(struct mt_thing *); int mt_more(struct mt_thing *);'
    scripts/abi build
    run scripts/abi --same build
    [ "$status" = 1 ]
}

@test "another layout is told, unless nothing was released with the old one" {
    make 'int size; double seconds; int ranks;' 'int mt_use(struct mt_thing *);'
    run scripts/abi build
    echo "$output"
    [ "$status" = 1 ]
    [[ "$output" = *"libmotley.so.0: programs that were compiled with 0.1.0 would not run"* ]]
    echo '## 0.1.0 (unreleased)' >NEWS.md
    scripts/abi build
}

@test "a function that is gone is told" {
    make 'int size, ranks;' 'int mt_other(struct mt_thing *);'
    run scripts/abi build
    [ "$status" = 1 ]
    [[ "$output" = *mt_use* ]]
}

@test "another soname is another library" {
    make 'int size;' 'int mt_use(struct mt_thing *);' 1
    run scripts/abi build
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" = "libmotley-pdgemm.so.1 takes the place of libmotley-pdgemm.so.0 of 0.1.0"* ]]
}
