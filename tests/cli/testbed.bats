# What motley testbed refuses; tests/testbed has what it does.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    testbed=$SOURCE_ROOT/clusters/testbed.yaml
    sed 's/^name: .*/name: testbed-refused/' "$testbed" >refused.yaml
}

# usage_error MESSAGE ARGUMENT...: exit status 2, and the message
usage_error() {
    local message=$1
    shift
    run --separate-stderr motley testbed "$@"
    echo "$stderr"
    [ "$status" = 2 ]
    [ "$stderr" = "motley: $message" ]
}

# as_nobody COMMAND...: not as root
as_nobody() {
    if [ "$(id -u)" = 0 ]; then
        chmod a+rX . .. refused.yaml
        setpriv --reuid 65534 --clear-groups "$@"
    else
        "$@"
    fi
}

@test "actions and their arguments" {
    usage_error "say what to do: up, down, status or exec"
    usage_error "up, down, status or exec? not 'start'" start testbed
    usage_error "a cluster is needed" up
    usage_error "one argument too many: 'fast-1'" up refused.yaml fast-1
    usage_error "a command is needed: testbed exec CLUSTER COMMAND" exec refused.yaml
    usage_error "a command is needed: testbed exec CLUSTER COMMAND" \
        exec refused.yaml --node fast-1
    usage_error "testbed 'testbed-refused' has no node 'x'" exec refused.yaml --node x true
    usage_error "--node is not for 'testbed status'" status --node fast-1 refused.yaml
    usage_error "--json is for 'testbed status' only" up --json refused.yaml
}

@test "clusters that are no testbeds" {
    usage_error "cluster 'local' is not a testbed: its groups lack key 'testbed'" up local
    run -1 --separate-stderr motley testbed up ./nosuch.yaml
    [[ "$stderr" = *nosuch.yaml* ]]
    sed 's/^name: .*/name: ../' "$testbed" >up.yaml
    run -2 --separate-stderr motley testbed up up.yaml
    [[ "$stderr" = "motley: a testbed cannot be called '..'"* ]]
    sed 's/nodes: 2/hosts: a:b/' "$testbed" >hosts.yaml
    run -2 --separate-stderr motley testbed up hosts.yaml
    [[ "$stderr" = "motley: "*"'a:b'"* ]]
}

@test "without root nothing is made, entered or taken away, but seen" {
    type setpriv || [ "$(id -u)" != 0 ] || skip "no setpriv"
    as_nobody test -x "$BUILD_ROOT/cli/motley" -a -r refused.yaml || skip "no way to here"
    run -1 --separate-stderr as_nobody "$BUILD_ROOT/cli/motley" testbed up refused.yaml
    [ "$stderr" = "motley: no testbed can be made here: only root may make one" ]
    run -1 --separate-stderr as_nobody "$BUILD_ROOT/cli/motley" testbed exec refused.yaml true
    [ "$stderr" = "motley: only root may enter the nodes of a testbed" ]
    run -1 --separate-stderr as_nobody "$BUILD_ROOT/cli/motley" testbed down refused.yaml
    [ "$stderr" = "motley: only root may take a testbed down" ]
}

@test "a missing tool is named, with its package" {
    [ "$(id -u)" = 0 ] || skip "not root"
    run -1 --separate-stderr env PATH=/nowhere "$BUILD_ROOT/cli/motley" testbed up refused.yaml
    [ "$stderr" = "motley: no testbed can be made here: 'ip' is not installed; on Debian: \
apt install iproute2" ]
}

@test "motley-testbed-rsh works on testbeds only" {
    run -255 --separate-stderr motley-testbed-rsh -x slow-1 true
    [[ "$stderr" = "motley-testbed-rsh: this is not a node of a testbed"* ]]
    run -255 motley-testbed-rsh slow-1
    run -255 motley-testbed-rsh --no-such-option slow-1 true
}

@test "a link that no network has is refused" {
    sed -i '0,/bandwidth: 1 Gbps/s//bandwidth: 1e300 Gbps/' refused.yaml
    run --separate-stderr motley testbed up refused.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = *"refused.yaml:12: "*"bandwidth"*"from 1 B/s to 8000 Gbps"* ]]
}

@test "motley alone says that its helper is missing" {
    cp "$BUILD_ROOT/cli/motley" alone
    run -1 --separate-stderr ./alone testbed up refused.yaml
    [ "$stderr" = "motley: 'motley-testbed' is missing in the installation that '$PWD' belongs to; install all of motley" ]
}
