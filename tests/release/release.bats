#!/usr/bin/env bats
# Tarballs and releases, of a scratch clone in which everything is as a release has to be.
# What takes minutes there, the checks and a build, stands for itself elsewhere: it says yes.

bats_require_minimum_version 1.5.0

setup() {
    git -C "$SOURCE_ROOT" rev-parse HEAD || skip "not a clone"
    export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Tester GIT_COMMITTER_NAME=Tester \
        GIT_AUTHOR_EMAIL=tester@example.org GIT_COMMITTER_EMAIL=tester@example.org
    cd "$BATS_TEST_TMPDIR"
    git -c safe.directory='*' clone -q --shared "$SOURCE_ROOT" clone
    # with what is not committed yet
    for file in scripts/{abi,dist,release,versions} CITATION.cff; do
        cp "$SOURCE_ROOT/$file" "clone/$file"
    done
    mkdir bin
    printf '#!/bin/sh\n' >bin/meson
    chmod +x bin/meson
    PATH=$PWD/bin:$PATH
    cd clone
    version=$(sed -n "s/^project.*version: '\([^']*\)'.*/\1/p" meson.build)
    for yes in .ci/run scripts/abi scripts/check; do
        printf '#!/bin/sh\n' >$yes
    done
    sed -i "s/^## $version .*/## $version (2026-12-01)/" NEWS.md
    sed -i '1s/UNRELEASED/unstable/' debian/changelog
    sed -i "/^version:/a date-released: 2026-12-01" CITATION.cff
    commit
}

commit() {
    git add -A
    git commit -q -m "Release"
}

# refuses MESSAGE: a dry run ends with it
refuses() {
    run scripts/release "$version" ../out
    echo "$output"
    [ "$status" = 1 ]
    [[ "${lines[-1]}" = "release: $1"* ]]
}

@test "a tarball has the same bytes wherever and whenever it is made" {
    git clone -q . ../other
    scripts/dist ../one
    (cd ../other && TZ=Asia/Tokyo umask 077 && TZ=Asia/Tokyo scripts/dist ../two)
    cmp ../one/motley-"$version".tar.gz ../two/motley-"$version".tar.gz
    (cd ../one && sha256sum --check "motley-$version.tar.gz.sha256")
    tar -xzf ../one/motley-"$version".tar.gz -C ..
    [ -x ../motley-"$version"/scripts/dist ]
    [ ! -e ../motley-"$version"/debian ]
    ../motley-"$version"/scripts/versions
}

@test "a dry run looks, a real one tags and makes the tarball" {
    run scripts/release "$version" ../out
    echo "$output"
    [ "$status" = 0 ]
    [[ "${lines[-1]}" = "$version could be released"* ]]
    [ -z "$(git tag --list "v$version")" ]
    run scripts/release --do "$version" ../out
    echo "$output"
    [ "$status" = 0 ]
    [ "$(git rev-parse "v$version^{commit}")" = "$(git rev-parse HEAD)" ]
    [ -s ../out/motley-"$version".tar.gz ]
    refuses "the tag v$version exists"
}

@test "what is not as a release has to be is named" {
    echo >>README.md
    refuses "there are changes that are not committed"
    git checkout -q README.md

    sed -i "s/^## $version .*/## $version (unreleased)/" NEWS.md
    commit
    refuses "NEWS.md has no section '## $version (YYYY-MM-DD)'"
    git reset -q --hard HEAD^

    sed -i '1s/unstable/UNRELEASED/' debian/changelog
    commit
    refuses "debian/changelog says UNRELEASED"
    git reset -q --hard HEAD^

    sed -i "s/^version: .*/version: 99.0.0/" CITATION.cff
    commit
    refuses "places that name the version differ"
    git reset -q --hard HEAD^

    version=99.0.0 refuses "meson.build does not name 99.0.0"

    echo 'exit 1' >.ci/run
    commit
    refuses "the tests do not pass"
    git reset -q --hard HEAD^

    echo 'exit 1' >>scripts/check
    commit
    refuses "the tarball does not pass its tests"
}
