#!/usr/bin/env bats
# The recipes in packaging/ agree with meson.build, and do what they are for.

setup_file() {
    export PACKAGING=$SOURCE_ROOT/packaging
    export RECIPES=$BATS_FILE_TMPDIR/recipes.json
    /usr/bin/python3 "$BATS_TEST_DIRNAME/recipes.py" "$PACKAGING" >"$RECIPES"
    VERSION=$(sed -n "s/^project.*version: '\([^']*\)'.*/\1/p" "$SOURCE_ROOT/meson.build")
    export VERSION
}

# part FILE EXPRESSION: of a YAML file, by jq
part() {
    /usr/bin/python3 -c 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' \
        <"$PACKAGING/$1" | jq -r "$2"
}

@test "no recipe names an option that meson does not have" {
    options=$({ jq -r '.[].options[]' "$RECIPES" && grep -rhoE -e '-D[a-z_]+=[a-z]+' \
        "$PACKAGING/guix" "$PACKAGING/ci"; } | sort -u)
    [ "$(wc -l <<<"$options")" -gt 5 ]
    for option in $options; do
        [[ $option =~ ^-D([a-z_]+)=(enabled|disabled)$ ]]
        [ "${BASH_REMATCH[1]}" = auto_features ] ||
            grep "^option('${BASH_REMATCH[1]}', type: 'feature'" "$SOURCE_ROOT/meson_options.txt"
    done
}

@test "make package installs all that the Debian packages are built with" {
    names=$(sed -n '/^Build-Depends:/,/^[A-Z].*:/s/^\(Build-Depends:\)\? *\([a-z0-9-]*\).*/\2/p' \
        "$SOURCE_ROOT/debian/control" | grep .)
    [ "$(wc -l <<<"$names")" -gt 20 ]
    for name in $names build-essential; do
        case $name in
        debhelper-compat) name=debhelper ;;
        dh-sequence-python3) name=dh-python ;;
        pkgconf) name=pkg-config ;;
        python3) continue ;; # which others bring
        python3-*) name=${name#python3-} ;;
        esac
        grep -qw -e "$name" "$SOURCE_ROOT/scripts/deps.sh" || { echo "$name"; return 1; }
    done
}

# name RECIPE LIBRARY: what a recipe calls a library that has another name in pkg-config
name() {
    case $1-$2 in
    guix-lapacke) echo lapack ;;
    *-lapacke) echo openblas ;;
    *-smartcols) echo util-linux ;;
    conda-yaml-0.1) echo yaml ;;
    *-yaml-0.1) echo libyaml ;;
    conda-hwloc) echo libhwloc ;;
    easybuild-jansson) echo Jansson ;;
    easybuild-sqlite3) echo SQLite ;;
    *-sqlite3) echo sqlite ;;
    *) echo "$2" ;;
    esac
}

@test "each asks for all libraries that meson.build wants, in no lower version" {
    needed=$(sed -n "/^needed = {/,/^}/ s/^ *'\([^']*\)': '>*=* *\([^']*\)'.*/\1 \2/p" \
        "$SOURCE_ROOT/meson.build")
    [ "$(wc -l <<<"$needed")" -ge 8 ]
    while read -r library least; do
        for recipe in spack easybuild conda; do
            [ "$recipe-$library" != easybuild-lapacke ] || continue # of its toolchain
            version=$(jq -er --arg recipe $recipe --arg name "$(name $recipe "$library")" \
                '.[$recipe].needs[$name]' "$RECIPES")
            echo "$recipe: $version of $library $least"
            [ "$(printf '%s\n' "$least" "$version" | sort -V | head -n 1)" = "$least" ]
        done
        sed -n '/(inputs/,/(home-page/p' "$PACKAGING/guix/motley.scm" |
            grep -w -- "$(name guix "$library")"
    done <<<"$needed"
}

# loaded COMMAND...: what the modulefile sets, by a command that prints shell code
loaded() {
    mkdir -p "$BATS_TEST_TMPDIR/modulefiles/motley"
    cp "$PACKAGING/modulefile/motley" "$BATS_TEST_TMPDIR/modulefiles/motley/$VERSION"
    env -i PATH="$PATH" MODULEPATH="$BATS_TEST_TMPDIR/modulefiles" bash -c '
        code=$("$@" bash load motley) && eval "$code" &&
            echo "$PATH $LD_LIBRARY_PATH $PKG_CONFIG_PATH"' bash "$@"
}

@test "the modulefile is loaded by Environment Modules and by Lmod" {
    tried=
    for command in /usr/lib/*/modulecmd.tcl /usr/share/lmod/lmod/libexec/lmod; do
        [ -x "$command" ] || continue
        run loaded "$command"
        echo "$output"
        [[ $output = "/opt/motley/$VERSION/bin:"* ]]
        [[ $output = *" /opt/motley/$VERSION/lib /opt/motley/$VERSION/lib/pkgconfig" ]]
        tried=yes
    done
    [ -n "$tried" ]
}

@test "the container's commands are shell code" {
    for section in post test runscript; do
        sed -n "/^%$section/,/^%/ p" "$PACKAGING/apptainer/motley.def" | grep -v ^% >code
        [ -s code ]
        sh -n code
    done
}

@test "the GitHub Action runs a command by motley patient, and passes on how it ended" {
    [ "$(part ci/action.yml '.runs.using')" = composite ]
    [ "$(part ci/action.yml '.runs.steps[0].run')" = '"$GITHUB_ACTION_PATH/install"' ]
    part ci/action.yml '.runs.steps[1].run' >step
    [ "$(part ci/action.yml '.runs.steps[1].env.RUN')" = '${{ inputs.run }}' ]
    # as GitHub does by `shell: bash`
    run env RUN='echo "$LD_PRELOAD"
        false | true
        echo "not reached"' bash --noprofile --norc -eo pipefail step
    echo "$output"
    [ "$status" = 1 ]
    [[ $output = *libmotley-patient.so ]]
}

@test "the GitLab job installs motley from a tag" {
    mkdir -p motley/packaging/ci
    cd motley
    printf '#!/bin/sh\necho installed\n' >packaging/ci/install
    chmod +x packaging/ci/install
    git init --quiet
    git config user.name x
    git config user.email x@example.org
    git add .
    git commit --quiet --message x
    git tag "v$VERSION"
    git rm --quiet -r packaging
    git commit --quiet --message later
    cd ..
    part ci/gitlab.yml '.".motley-patient".before_script[]' | grep -v ^apt-get |
        sed "s|/tmp/motley|$BATS_TEST_TMPDIR/clone|" >before
    run env MOTLEY_URL="$PWD/motley" MOTLEY_VERSION="v$VERSION" bash -eo pipefail before
    echo "$output"
    [ "${lines[-1]}" = installed ]
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}
