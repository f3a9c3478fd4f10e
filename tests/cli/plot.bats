# Pictures, as evaluate draws them.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat >lab.yaml <<'END'
name: lab's
launcher: openmpi
groups: [{name: a, hosts: 'a[1-3]', processes: [1]}]
END
    cat >toy.yaml <<'END'
name: toy_1
command: [toy, '{N}']
time: wall
sizes: {measure: [10, 20], plan: [20, 60]}
terms: {np-t: 'N/P, P'}
END
    cat >runs.csv <<'END'
cluster,program,configuration,size,seconds,outcome
lab's,toy_1,a:2x1,10,5,ok
lab's,toy_1,a:2x1,20,8,ok
lab's,toy_1,a:3x1,10,5,ok
lab's,toy_1,a:3x1,20,7,ok
lab's,toy_1,a:2x1,60,18,ok
lab's,toy_1,a:3x1,60,20,ok
END
    motley import runs.csv
}

draw() {
    run --separate-stderr motley evaluate --model np-t --plot "$1" ./lab.yaml ./toy.yaml
}

@test "SVG, with the title, the axes, and the series' names as they are" {
    draw picture.svg
    [ "$status" = 0 ]
    grep -q '^<svg' picture.svg
    grep -q "<text>toy_1 on lab&apos;s</text>\|<text>toy_1 on lab's</text>" picture.svg
    grep -q "^<title>toy_1 on lab's</title>" picture.svg
    run ! grep -q '<title>Gnuplot' picture.svg
    grep -q '<text>problem size N</text>' picture.svg
    grep -q '<text>regret \[%\]</text>' picture.svg
    grep -q '<text>best of np-t, measured</text>' picture.svg
    run ! grep -q simulated picture.svg
}

@test "a single size: symbols, as a line of one point would not be seen" {
    run --separate-stderr motley evaluate --model np-t --sizes 60 --plot picture.svg \
        ./lab.yaml ./toy.yaml
    [ "$status" = 0 ]
    # The predicted and the measured time, the true best, the regret; the legend too.
    [ "$(grep -c "<use xlink:href='#gpPt" picture.svg)" -ge 8 ]
}

@test "a name with a line end, which would be a command of gnuplot's" {
    sed -i 's/^name: .*/name: "line\\n!touch ran\\n"/' lab.yaml
    draw picture.svg
    [ "$status" != 0 ]
    [[ "$stderr" = *"lab.yaml:"*"name"* ]]
    [ ! -e ran ]
}

@test "PNG" {
    draw picture.png
    [ "$status" = 0 ]
    [ "$(head -c 4 picture.png | tail -c 3)" = PNG ]
}

@test "in the terminal: letters, no wider than 80 columns" {
    draw term
    [ "$status" = 0 ]
    [[ "$output" = *"best of np-t, measured"*"problem size N"*"problem size N"* ]]
    [ -z "$(LC_ALL=C tr -d '\n\t -~' <<<"$output")" ]
    [ "$(wc -L <<<"$output")" -lt 80 ]
}

@test "the user's own gnuplot settings are left out" {
    echo 'set title "mine"' >.gnuplot
    HOME=$PWD draw picture.svg
    [ "$status" = 0 ]
    ! grep -q mine picture.svg
}

@test "started by a program that ignores the end of its children" {
    run timeout 200 env --ignore-signal=CHLD motley evaluate --model np-t \
        --plot picture.svg ./lab.yaml ./toy.yaml
    [ "$status" = 0 ]
    grep -q '^<svg' picture.svg
}

@test "without gnuplot: which package to install" {
    run --separate-stderr env PATH="$(dirname "$(command -v motley)")" \
        motley evaluate --model np-t --plot picture.svg ./lab.yaml ./toy.yaml
    [ "$status" = 1 ]
    [[ "${stderr_lines[-1]}" = "motley: cannot start 'gnuplot': "*"; on Debian: apt install gnuplot-nox" ]]
    run --separate-stderr env PATH="$(dirname "$(command -v motley)")" \
        motley evaluate --model np-t --plot term ./lab.yaml ./toy.yaml
    [ "$status" = 1 ]
    [[ "${stderr_lines[-1]}" = *"; on Debian: apt install gnuplot-nox" ]]
}

@test "gnuplot that fails: its own words, and the old picture stays" {
    mkdir bin
    printf '#!/bin/sh\necho "no room for a picture" >&2\nexit 1\n' >bin/gnuplot
    chmod +x bin/gnuplot
    echo "an old picture" >picture.svg
    PATH="$PWD/bin:$PATH" draw picture.svg
    [ "$status" = 1 ]
    [ "${stderr_lines[-1]}" = "motley: 'gnuplot' failed: no room for a picture" ]
    [ "$(cat picture.svg)" = "an old picture" ]
}

@test "a picture that cannot be written" {
    draw no/picture.svg
    [ "$status" = 1 ]
    [ "${stderr_lines[-1]}" = "motley: cannot write 'no/picture.svg': No such file or directory" ]
    ln -s /dev/full full.svg
    draw full.svg
    [ "$status" = 1 ]
    [ "${stderr_lines[-1]}" = "motley: cannot write 'full.svg': No space left on device" ]
}

@test "a picture in letters and JSON do not share standard output" {
    for command in "predict --size 60" evaluate; do
        run --separate-stderr motley $command --plot term --json ./lab.yaml ./toy.yaml
        [ "$status" = 2 ]
        [ -z "$output" ]
        [ "$stderr" = "motley: --plot=term and --json exclude each other" ]
    done
}

@test "below a diagram in letters are all sizes, in their order" {
    motley predict --model np-t --configuration a:3x1 --size 60,10,20 --plot term \
        lab.yaml toy.yaml >out
    [ "$(grep -cE '^ +10 +20 +60$' out)" = 1 ]
}
