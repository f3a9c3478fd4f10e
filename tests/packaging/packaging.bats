#!/usr/bin/env bats
# The recipes in packaging/ agree with meson.build, and do what they are for.

bats_require_minimum_version 1.5.0

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

# The tarball's folder, unpacked, in $PATIENT.
unpack_patient() {
    "$SOURCE_ROOT/scripts/dist-patient" "$BATS_TEST_TMPDIR/made"
    tar -xzf made/motley-patient-*.tar.gz
    PATIENT=$(echo "$PWD"/motley-patient-*)
}

@test "the tarball of motley-patient: small, the same again, and for glibc 2.28" {
    unpack_patient
    [ "$(wc -c <made/motley-patient-*.tar.gz)" -lt 200000 ]
    (cd made && sha256sum --check --quiet ./*.sha256)
    "$SOURCE_ROOT/scripts/dist-patient" again
    cmp made/motley-patient-*.gz again/motley-patient-*.gz
    [ "$(wc -l <"$PATIENT/motley-patient")" -le 200 ]
    for version in $(objdump -T "$PATIENT/libmotley-patient.so" | grep -o 'GLIBC_[0-9.]*'); do
        [ "$(printf '%s\n' "$version" GLIBC_2.28 | sort -V | tail -n 1)" = GLIBC_2.28 ]
    done
    # what it needs is in every glibc
    [ "$(objdump -p "$PATIENT/libmotley-patient.so" | awk '/NEEDED/ { print $2 }' | sort | xargs)" = \
        "libc.so.6 libdl.so.2" ]
    for function in opal_progress ucp_worker_progress sched_yield; do
        objdump -T "$PATIENT/libmotley-patient.so" | grep -w "$function"
    done
}

# launcher NAME VERSION: on PATH, which tells its words and what is preloaded
launcher() {
    mkdir -p bin
    cat >"bin/$1" <<END
#!/bin/sh
[ "\$*" != --version ] || { echo "$2"; exit 0; }
echo "\$*"
echo "\$LD_PRELOAD \$OMPI_MCA_rmaps_base_oversubscribe \$PRTE_MCA_rmaps_default_mapping_policy"
exit 7
END
    chmod +x "bin/$1"
    PATH=$PWD/bin:$PATH
}

@test "motley-patient does what motley patient does" {
    unpack_patient
    mkdir link
    ln -s "$PATIENT/motley-patient" link
    PATH=$PWD/link:$PATH
    libraries=$PATIENT/libmotley-patient.so
    launcher starter ""
    run --separate-stderr motley-patient starter -n 8 --help 'two  words' ''
    [ "$status" = 7 ]
    [ "$output" = "-n 8 --help two  words 
$libraries 1 :oversubscribe" ]
    [[ $stderr = "motley-patient: ranks that wait leave their cores to others "* ]]
    launcher mpirun "mpirun (Open MPI) 5.0.7"
    run --separate-stderr motley-patient mpirun -n 8 ./tests
    [ "${lines[0]}" = "-x LD_PRELOAD -n 8 ./tests" ]
    MOTLEY_PATIENT=always run --separate-stderr motley-patient mpirun -x LD_PRELOAD=a.so ./tests
    [ "${lines[0]}" = "-x MOTLEY_PATIENT -x LD_PRELOAD=$libraries:a.so ./tests" ]
    launcher mpiexec "HYDRA build details:"
    run --separate-stderr motley-patient mpiexec -genv LD_PRELOAD a.so ./tests
    [ "${lines[0]}" = "-genv LD_PRELOAD $libraries:a.so ./tests" ]
    launcher srun ""
    run --separate-stderr motley-patient srun --export=ALL,LD_PRELOAD=a.so ./tests
    [ "${lines[0]}" = "--export=ALL,LD_PRELOAD=$libraries:a.so ./tests" ]
    LD_PRELOAD=libm.so.6 run --separate-stderr motley-patient sh -c 'echo "$LD_PRELOAD"'
    [ "$output" = "$libraries:libm.so.6" ]
    # what the library tells the MPIs by their own variables
    words='echo "$OMPI_MCA_mpi_yield_when_idle $I_MPI_THREAD_YIELD"'
    run --separate-stderr motley-patient sh -c "$words"
    [ "$output" = "1 2" ]
    I_MPI_THREAD_YIELD=3 run --separate-stderr motley-patient sh -c "$words"
    [ "$output" = "1 3" ]
}

@test "motley-patient says what is wrong" {
    unpack_patient
    run "$PATIENT/motley-patient"
    [ "$status" = 2 ]
    [ "$output" = "motley-patient: no command to run, as in 'motley-patient mpiexec -n 8 ./tests'" ]
    run "$PATIENT/motley-patient" no-such-command
    [ "$status" = 2 ]
    [ "$output" = "motley-patient: cannot run 'no-such-command': not found" ]
    mkdir 'a blank'
    cp "$PATIENT"/* 'a blank'
    run 'a blank/motley-patient' true
    [ "$status" = 1 ]
    [[ $output = *"a path for LD_PRELOAD must not contain a blank or a colon" ]]
    rm "$PATIENT/libmotley-patient.so"
    run "$PATIENT/motley-patient" true
    [ "$status" = 1 ]
    [ "$output" = "motley-patient: missing library '$PATIENT/libmotley-patient.so'" ]
}

@test "the GitHub Action runs a command by motley-patient, and passes on how it ended" {
    [ "$(part ci/action.yml '.runs.using')" = composite ]
    [ "$(part ci/action.yml '.runs.steps[0].run')" = '"$GITHUB_ACTION_PATH/install"' ]
    PREFIX=$PWD/local "$PACKAGING/ci/install"
    part ci/action.yml '.runs.steps[1].run' >step
    [ "$(part ci/action.yml '.runs.steps[1].env.RUN')" = '${{ inputs.run }}' ]
    # as GitHub does by `shell: bash`
    run env PATH="$PWD/local/bin:$PATH" RUN='echo "$LD_PRELOAD"
        false | true
        echo "not reached"' bash --noprofile --norc -eo pipefail step
    echo "$output"
    [ "$status" = 1 ]
    [[ $output = *"$PWD/local/lib/motley-patient/libmotley-patient.so" ]]
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
