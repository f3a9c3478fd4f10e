# Files that commands write where the user says: whole, or left as they were.

bats_require_minimum_version 1.5.0

# shellcheck disable=SC2034 # named by write_files
setup() {
    cd "$BATS_TEST_TMPDIR"
    # shellcheck source=lab.bash
    . "$BATS_TEST_DIRNAME/lab.bash"
    write_lab
    write_program 'echo "time 1 s"'
}

# writers FILE: commands that write it, a line each; a picture has .svg behind its name
writers() {
    cat <<LINES
export --output $1 lab toy
export --format json --output $1 lab toy
plan --size 20 --hostfile $1 ./lab.yaml ./toy.yaml
evaluate --sizes 10,20 --plot $1.svg ./lab.yaml ./toy.yaml
LINES
}

# refused FILE REASON: all of them fail for that reason
refused() {
    while read -r line; do
        file=$1
        [[ "$line" != *.svg* ]] || file=$1.svg
        # shellcheck disable=SC2086
        run --separate-stderr motley $line
        echo "$line -> $status $stderr"
        [ "$status" = 1 ]
        [ "${stderr_lines[-1]}" = "motley: cannot write '$file': $2" ]
    done < <(writers "$1")
}

@test "no such folder, a folder, a full device" {
    mkdir folder folder.svg
    ln -s /dev/full full
    ln -s /dev/full full.svg
    refused nowhere/x "No such file or directory"
    refused folder "Is a directory"
    refused full "No space left on device"
    [ -z "$(find folder folder.svg -mindepth 1)" ]
}

@test "a full disk leaves the old file, and nothing else" {
    mkdir disk
    unshare -rm mount -t tmpfs none disk 2>/dev/null || skip "nothing can be mounted here"
    writers disk/old >writers
    unshare -rm bash -e -c '
        mount -t tmpfs -o size=64k none disk
        echo old >disk/old
        cp disk/old disk/old.svg
        dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null || true
        while read -r line; do
            code=0
            motley $line >/dev/null 2>message </dev/null || code=$?
            echo "$line -> $code $(cat message)"
            [ "$code" = 1 ]
            grep -q "^motley: cannot write .disk/old.*: No space left on device" message
            cmp disk/old disk/old.svg
            [ "$(cat disk/old)" = old ]
            [ "$(ls -A disk | tr "\n" " ")" = "ballast old old.svg " ]
        done <writers'
}

@test "links, standard output and pipes are written to" {
    echo old >target
    ln -s target link
    motley export --output link lab toy
    [ -L link ]
    motley export lab toy | cmp - target
    motley export --output /dev/stdout lab toy | cmp - target
    motley export --output /dev/stdout lab toy >file
    cmp file target
    motley export --output /dev/null lab toy
    mkfifo pipe
    cat pipe >file &
    motley export --output pipe lab toy
    wait $!
    cmp file target
    [ -p pipe ]
}

@test "init leaves nothing of what it cannot write" {
    mkdir disk
    unshare -rm mount -t tmpfs none disk 2>/dev/null || skip "nothing can be mounted here"
    unshare -rm bash -e -c '
        mount -t tmpfs -o size=64k none disk
        dd if=/dev/zero of=disk/ballast bs=1k 2>/dev/null || true
        for option in --cluster --program; do
            code=0
            motley init $option disk/x.yaml 2>message || code=$?
            [ "$code" = 1 ]
            grep -q "^motley: cannot write .disk/x.yaml.: No space left" message
            [ "$(ls -A disk)" = ballast ]
        done'
}
