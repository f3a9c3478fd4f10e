# motley init: files to start from from a hostfile, from Slurm, and for this machine.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# A stand-in for sinfo that checks how it is asked and prints the lines of a file, only
# those of a partition where it is asked for one.
fake_sinfo() {
    mkdir -p bin
    cat >bin/sinfo <<'END'
#!/bin/sh
case "$*" in
"-h -N -S N,P -o %N %c %X %Y %m %P %f %G") partition=. ;;
"-h -N -S N,P -o %N %c %X %Y %m %P %f %G --partition="*) partition=" ${7#*=}[* ]" ;;
*) echo "unexpected: $*" >&2; exit 1 ;;
esac
[ -z "$SINFO_PARTITION" ] || exit 1
grep "$partition" "$(dirname "$0")/sinfo.txt"
true
END
    chmod +x bin/sinfo
    cat >bin/sinfo.txt
    PATH="$PWD/bin:$PATH"
}

# The group named $1 of the file c.yaml.
group() {
    sed -n "/name: '$1'/,/watts/p" c.yaml
}

@test "Open MPI's hostfile: hosts with the same slots become a group" {
    cat >hosts <<'END'
# our nodes
x01 slots=2
x02 slots = 2 max_slots=4   # the second
x03   slots=2

big slots=12
END
    run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
    [ "$status" = 0 ]
    [ "$output" = "c.yaml: 4 nodes, launcher openmpi" ]
    grep -q '^launcher: openmpi$' c.yaml
    [[ "$(group x)" = *"hosts: 'x[01-03]'"*"processes: [1, 2]"* ]]
    [[ "$(group big)" = *"hosts: 'big'"*"processes: [1, 2, 4, 8, 12]"*"# cores: "* ]]
}

@test "MPICH's hostfile" {
    printf 'a:1\nb:4 binding=user:1\n' >hosts
    motley init --from hostfile=hosts --cluster c.yaml
    grep -q '^launcher: mpich$' c.yaml
    [[ "$(group a)" = *"processes: [1]"* ]]
    [[ "$(group b)" = *"processes: [1, 2, 4]"* ]]
}

@test "a plain hostfile: a line a slot" {
    printf 'n1\nn1\nn2\nn2\nn1\nn2\n' >hosts
    motley init --from hostfile=hosts --cluster c.yaml
    [[ "$(group n)" = *"hosts: 'n[1-2]'"*"processes: [1, 2, 3]"* ]]
}

@test "a plain hostfile: the slots behind the host" {
    printf 'lab01 8\nlab02 8 # new\nlab03\t4\nlab04 max_slots=7\n' >hosts
    motley init --from hostfile=hosts --cluster c.yaml
    [[ "$(group lab)" = *"hosts: 'lab[01-02]'"*"processes: [1, 2, 4, 8]"* ]]
    [[ "$(group group-2)" = *"hosts: 'lab03'"*"processes: [1, 2, 4]"* ]]
    [[ "$(group group-3)" = *"hosts: 'lab04'"*"processes: [1, 2, 4, 7]"* ]]
    printf 'lab01 0\n' >hosts
    run --separate-stderr motley init --from hostfile=hosts --cluster d.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: hosts:1: slots must be a number from 1 to 100000, not '0'; a hostfile has one host a line" ]
}

@test "an Ansible inventory is refused" {
    for inventory in '[old]\nlab01\n' '---\nall:\n' 'all:\n  hosts:\n    lab01:\n' \
        'lab01 ansible_host=10.0.0.1\n' '[old:children]\nnew\n' '  hosts:\n    lab01:\n'; do
        printf "# ours\n$inventory" >hosts
        run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: hosts:"[23]": "*"; a hostfile has one host a line" ]]
        [ ! -e c.yaml ]
    done
}

@test "hosts with a colon have slots behind it" {
    says() {
        printf "a\n$1\n" >hosts
        run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
        [ "$status" = 2 ]
        [ "$stderr" = "motley: hosts:2: $2; a hostfile has one host a line" ] || { echo "$stderr"; return 1; }
        [ ! -e c.yaml ]
    }
    says 'node2: slots=2' "slots must be a number from 1 to 100000, not ''"
    says 'node2:' "slots must be a number from 1 to 100000, not ''"
    says 'fe80::1 slots=2' "slots must be a number from 1 to 100000, not ':1'"
    says '[::1]:2' "slots must be a number from 1 to 100000, not ':1]:2'"
    says 'x[02-01] slots=2' "a range that runs backwards at column 3 of 'x[02-01]'"
}

@test "no word of a hostfile is passed over" {
    says() {
        printf "a:2\n$1\n" >hosts
        run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
        [ "$status" = 2 ]
        [ "$stderr" = "motley: hosts:2: $2; a hostfile has one host a line" ] || { echo "$stderr"; return 1; }
        [ ! -e c.yaml ]
    }
    says 'b procs=4' "'procs=' of 'b' is not known: write 'b slots=4'"
    says 'b slots=4 c slots=4' "'c' behind 'b' is not understood: write 'b slots=4'"
    says '10.0.0.1 b' "'b' behind '10.0.0.1' is not understood: write '10.0.0.1 slots=4'"
    says 'b 4 c 4 d' "'d' has no number of slots, as the hosts before it on the line"
    says 'b 4 8' "'8' has no number of slots, as the hosts before it on the line"
    says 'b slots=8 max_slots=4' "'b' has 8 slots, more than its limit, 4"
    says 'slots=4' "'slots=' stands where a host should"
    says 'b slots=' "slots must be a number from 1 to 100000, not ''"
    says 'b = 4' "'b=' stands where a host should"
    says 'b =' "'b=' stands where a host should"
    says '= b' "'b' behind '=' is not understood: write '= slots=4'"
    says 'joe@b slots=4' "'joe@b' is not a host name"
    says 'rank 0=b slot=0-3' "'0=' of 'rank' is not known: write 'rank slots=4'"
}

@test "LSF's and SGE's hosts, lists of hosts, Open MPI's other words, a byte order mark" {
    found() {
        printf "$1" >hosts
        rm -f c.yaml
        run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
        [ "$status" = 0 ]
        [ -z "$stderr" ]
        grep -A2 hosts: c.yaml | grep -o 'hosts.*\|processes.*' | xargs
    }
    [ "$(found 'hostA 16 hostB 16 hostC 20\n')" = "hosts: hostA,hostB processes: [1, 2, 4, 8, 16] hosts: hostC processes: [1, 2, 4, 8, 16, 20]" ]
    [ "$(found 'a1 2 all.q@a1 UNDEFINED\na2 2 all.q@a2 <NULL>\n')" = "hosts: a[1-2] processes: [1, 2]" ]
    [ "$(found 'n[01-03] slots=2\nn04:2\n')" = "hosts: n[01-04] processes: [1, 2]" ]
    [ "$(found 'a cpu=4\nb count=4\nc slots=4 max-slots=8\nd max_slots=4\n')" = "hosts: a,b,c,d processes: [1, 2, 4]" ]
    [ "$(found '\357\273\277a:2\nb:2\n')" = "hosts: a,b processes: [1, 2]" ]
}

@test "names without slots: their cores are unknown" {
    printf 'a\nb\nc 4\nd\nd\n' >hosts
    run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
    [ "$status" = 0 ]
    [ "$stderr" = "motley: the hostfile gives no slots for 2 of 4 hosts: their cores are unknown, and they are taken for equal nodes with one process each; write 'HOST slots=CORES'" ]
}

@test "groups whose hosts' names have nothing in common get numbers" {
    printf 'alpha slots=2\nbeta slots=2\n10.0.0.1 slots=4\n' >hosts
    motley init --from hostfile=hosts --cluster c.yaml
    [[ "$(group group-1)" = *"hosts: 'alpha,beta'"* ]]
    [[ "$(group group-2)" = *"hosts: '10.0.0.1'"* ]]
}

@test "a hostfile that does not parse: file and line" {
    printf 'x01 slots=2\nx02 slots=many\n' >hosts
    run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: hosts:2: slots must be a number from 1 to 100000, not 'many'; a hostfile has one host a line" ]
    printf 'x01 slots=+2\n' >hosts
    run motley init --from hostfile=hosts --cluster c.yaml
    [ "$status" = 2 ]
    [ ! -e c.yaml ]
    printf '# nothing\n' >hosts
    run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: no hosts in 'hosts'" ]
    run --separate-stderr motley init --from hostfile=none --cluster c.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot read 'none': "* ]]
}

@test "a host that no cluster file can hold: nothing is left behind" {
    for host in "it's" xeon,i1 -x 'x"y'; do
        printf 'a\n%s slots=2\n' "$host" >hosts
        run --separate-stderr motley init --from hostfile=hosts --cluster c.yaml
        [ "$status" = 2 ]
        [ "$stderr" = "motley: hosts:2: '$host' is not a host name; a hostfile has one host a line" ]
        [ ! -e c.yaml ]
    done
}

@test "Slurm: groups by cores, memory, features and gres" {
    fake_sinfo <<'END'
c1 4 4 1 8192 all* (null) (null)
c2 4 4 1 8192 all* (null) (null)
c3 4 4 1 8192 all* (null) (null)
c3 4 4 1 8192 new (null) (null)
d1 4 1 4 1 all* (null) (null)
x01 16 1 8 64000 all* xeon,ib (null)
x02 16 1 8 64000 all* xeon,ib (null)
x03 16 1 8 128000 all* xeon,ib (null)
x04 16 1 8 64000 all* xeon,ib gpu:a100:2(S:0),gpu:v100:1(S:0-1),nvme:4
x05 16 1 8 64000 all* xeon,ib gpu:a100:2(S:1),gpu:v100:1(S:0-1),nvme:4
END
    SINFO_PARTITION=new run --separate-stderr motley init --cluster c.yaml
    [ "$status" = 0 ]
    [ "$output" = "c.yaml: 9 nodes, launcher slurm" ]
    [ -z "$stderr" ]
    [ "$(grep -c hosts: c.yaml)" = 5 ]
    [[ "$(group c)" = *"hosts: 'c[1-3]'"*"partition: 'all' # also in: new (1 node)"*"cores: 4"$'\n'*"memory: 8 GiB"* ]]
    [[ "$(group d)" = *"# memory: "* ]] # nobody told Slurm
    [[ "$(group xeon)" = *"hosts: 'x[01-02]'"*"processes: [1, 2, 4, 8]"*"cores: 8 # for ranks on all 16 hardware threads: cores: 16, and hyperthreads: yes"*"memory: 64000 MiB"* ]]
    [[ "$(group group-4)" = *"hosts: 'x03'"*"memory: 125 GiB"* ]]
    [[ "$(group group-5)" = *"hosts: 'x[04-05]'"*"gpus: 3 # gpu:a100:2,gpu:v100:1,nvme:4"* ]]
}

@test "Slurm: GPUs without a number are one, and more than a cluster file can hold are refused" {
    gpus() {
        fake_sinfo <<<"x1 4 1 4 8192 all* (null) $1"
        rm -f c.yaml
        motley init --from slurm --cluster c.yaml >&2
        sed -n 's/^ *gpus: \([0-9]*\) # .*/\1/p' c.yaml
    }
    [ "$(gpus gpu)" = 1 ]
    [ "$(gpus gpu:a100)" = 1 ]
    [ "$(gpus 'gpu:3g.20gb(S:0),gpu:a100:2,nvme:4')" = 3 ]
    [ -z "$(gpus gpus:2,gpu:0)" ]
    run gpus gpu:a100:99999999999999999999,gpu:2
    [[ "$output" = *"from 0 to 1000, not 100000"* ]] || { echo "$output"; return 1; }
}

@test "Slurm: long lists of features, and lines that are not understood" {
    features=$(seq -s, -f rack%03g 100)
    fake_sinfo <<<"a1 4 1 4 8192 all* xeon,$features (null)
a2 4 1 4 8192 all* xeon,$features,gold (null)"
    motley init --from slurm --cluster c.yaml
    [ "$(grep -c hosts: c.yaml)" = 2 ]
    for line in 'a1 0 1 4 8192 all* (null) (null)' 'a1 4 1 4 8192 all*' 'a1 4 1 4 many all* f g' 'a1 4 1 4 1 all* f g h'; do
        echo "$line" >bin/sinfo.txt
        run --separate-stderr motley init --from slurm --cluster d.yaml
        [ "$status" = 1 ]
        [ "$stderr" = "motley: unknown output of 'sinfo': '$line'" ]
    done
}

@test "Slurm: the partition is the one with most of the nodes, Slurm's default before others" {
    fake_sinfo <<'END'
a1 4 1 4 8192 debug (null) (null)
a1 4 1 4 8192 new (null) (null)
a1 4 1 4 8192 std* (null) (null)
b1 8 1 8 8192 debug (null) (null)
b1 8 1 8 8192 old (null) (null)
c1 2 1 2 8192 lone (null) (null)
d1 6 1 6 8192 std* (null) (null)
d1 6 1 6 8192 wide (null) (null)
d2 6 1 6 8192 wide (null) (null)
d3 6 1 6 8192 apart (null) (null)
END
    motley init --cluster c.yaml
    [[ "$(group a)" = *"partition: 'std' # also in: debug, new"$'\n'* ]]
    [[ "$(group b)" = *"partition: 'debug' # also in: old"$'\n'* ]]
    [[ "$(group c)" = *"partition: 'lone'"$'\n'* ]]
    # a job is in one partition: nodes that none has together are two groups
    [[ "$(group d)" = *"hosts: 'd[1-2]'"*"partition: 'wide' # also in: std (1 node)"$'\n'* ]]
    [[ "$(group group-5)" = *"hosts: 'd3'"*"partition: 'apart'"$'\n'* ]]
}

# A condo cluster: 100 nodes of two kinds are in 'normal', and pairs of the first 80 belong
# to 40 owners; two nodes with GPUs are in an owner's partition alone.
condo() {
    for i in $(seq -w 100); do
        kind="64 2 16 192000"
        [ "$i" -le 60 ] || kind="128 2 32 256000"
        echo "n$i $kind normal* (null) (null)"
        [ "$i" -gt 80 ] || printf 'n%s %s own%02d (null) (null)\n' "$i" "$kind" $(((10#$i + 1) / 2))
    done
    printf 'g%d 64 2 16 512000 own07 (null) gpu:a100:4\n' 1 2
}

@test "Slurm: a condo cluster of 40 owners gives a group for each kind of node" {
    fake_sinfo < <(condo)
    run --separate-stderr motley init --from slurm --cluster c.yaml
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$output" = "c.yaml: 102 nodes, launcher slurm" ]
    [ "$(grep -c hosts: c.yaml)" = 3 ]
    [[ "$(group n)" = *"hosts: 'n[001-060]'"*"partition: 'normal' # also in: own01 (2 nodes), "*", own08 (2 nodes) and 22 more"$'\n'*"processes: [1, 2, 4, 8, 16, 32]"* ]]
    [[ "$(group group-2)" = *"hosts: 'n[061-100]'"*"partition: 'normal'"*" and 2 more"*"[1, 2, 4, 8, 16, 32, 64]"* ]]
    [[ "$(group g)" = *"hosts: 'g[1-2]'"*"partition: 'own07'"$'\n'*"gpus: 4"* ]]
}

@test "Slurm: --partition takes only nodes of that" {
    fake_sinfo < <(condo)
    motley init --partition own07 --cluster c.yaml
    [[ "$(group n)" = *"hosts: 'n[013-014]'"*"partition: 'own07'"$'\n'* ]]
    [ "$(grep -c hosts: c.yaml)" = 2 ]
    run --separate-stderr motley init --from slurm --partition own7 --cluster d.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: 'sinfo' lists no nodes of partition 'own7'" ]
    run --separate-stderr motley init --from machine --partition own07 --cluster d.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --partition is for --from slurm" ]
    [ ! -e d.yaml ]
}

@test "more kinds of nodes than a cluster file has groups: the largest, and that is said" {
    fake_sinfo < <(for i in $(seq -w 40); do
        echo "a$i 4 1 4 ${i}000 all* (null) (null)"
        [ "$i" -le 20 ] || echo "b$i 4 1 4 ${i}000 all* (null) (null)"
    done)
    run --separate-stderr motley init --from slurm --cluster c.yaml
    [ "$status" = 0 ]
    [ "$stderr" = "motley: 40 kinds of nodes: the 32 with most nodes are written, and 8 nodes of the others left out" ]
    [ "$output" = "c.yaml: 52 nodes, launcher slurm" ]
    [ "$(grep -c "hosts: 'a[0-9]*,b[0-9]*'" c.yaml)" = 20 ]
    [ "$(grep -c hosts: c.yaml)" = 32 ]
}

@test "PBS and LSF: the nodes of the job" {
    printf 'n1\nn1\nn2\nn2\n' >nodes
    run --separate-stderr env PBS_NODEFILE="$PWD/nodes" motley init --from pbs --cluster c.yaml
    [ "$status" = 0 ]
    [[ "$output" = "c.yaml: 2 nodes, launcher "* ]]
    [[ "$(group n)" = *"hosts: 'n[1-2]'"*"processes: [1, 2]"* ]]
    LSB_MCPU_HOSTS='hostA 16 hostB 16 hostC 20' motley init --from lsf --cluster d.yaml
    grep -q "hosts: 'hostA,hostB'" d.yaml
    grep -q "hosts: 'hostC'" d.yaml
    run --separate-stderr env -u PBS_NODEFILE motley init --from pbs --cluster e.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: PBS_NODEFILE is not set: start motley inside of the job" ]
    run --separate-stderr env LSB_MCPU_HOSTS='hostA 16 hostB' motley init --from lsf --cluster e.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: LSB_MCPU_HOSTS:1: 'hostB' has no number of slots"* ]]
}

@test "a job of PBS: runs go by mpiexec with a hostfile" {
    mkdir bin
    printf '#!/bin/sh\n[ "$1" != --version ] || { echo "HYDRA build details: Version: 4.0.2"; exit; }\nwhile [ "$1" != -f ]; do shift; done; cp "$2" ran\n' >bin/mpiexec
    cp bin/mpiexec bin/mpiexec.hydra
    cp bin/mpiexec bin/mpiexec.mpich
    chmod +x bin/*
    printf '#!/bin/sh\n' >solver
    chmod +x solver
    printf 'n1\nn1\nn2\nn2\n' >nodes
    PBS_NODEFILE="$PWD/nodes" motley init --from pbs --cluster c.yaml --program ./solver 40
    sed -i 's/^launcher: .*/launcher: mpich/' c.yaml
    PATH="$PWD/bin:$PATH" motley run --configuration n:2x2 --size 40 c.yaml program.yaml
    [ "$(xargs <ran)" = "n1:2 n2:2" ]
}

@test "Slurm that does not answer: an error, or this machine when it was not asked for" {
    fake_sinfo </dev/null
    run --separate-stderr motley init --from slurm --cluster c.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: 'sinfo' lists no nodes" ]
    printf '#!/bin/sh\necho "slurm_load_partitions: refused" >&2; exit 1\n' >bin/sinfo
    run --separate-stderr motley init --from slurm --cluster c.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: 'sinfo' failed: slurm_load_partitions: refused" ]
    run --separate-stderr motley init --cluster c.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: Slurm is left aside: 'sinfo' failed: "* ]]
    [[ "$(group localhost)" = *"hosts: 'localhost'"* ]]
}

@test "no sinfo at all" {
    run --separate-stderr env PATH="$(dirname "$(command -v motley)")" \
        motley init --from slurm --cluster c.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot start 'sinfo': "* ]]
}

@test "this machine: its cores and its memory" {
    run --separate-stderr motley init --from machine --cluster c.yaml
    [ "$status" = 0 ]
    [[ "$output" = "c.yaml: 1 node, launcher "* ]]
    [[ "$(group localhost)" =~ processes:\ \[.*[0-9]\] ]]
    [[ "$(group localhost)" =~ cores:\ [1-9] ]]
    [[ "$(group localhost)" =~ memory:\ [1-9][0-9]*\ [MG]iB ]]
}

@test "a hybrid processor: the fast cores alone are a choice, too" {
    cat >machine.xml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x3f" complete_cpuset="0x3f" allowed_cpuset="0x3f" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
    <object type="NUMANode" os_index="0" cpuset="0x3f" complete_cpuset="0x3f" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="17179869184"/>
    <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3"><object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/></object>
    <object type="Core" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="5"><object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="6"/></object>
    <object type="Core" os_index="2" cpuset="0x4" complete_cpuset="0x4" nodeset="0x1" complete_nodeset="0x1" gp_index="7"><object type="PU" os_index="2" cpuset="0x4" complete_cpuset="0x4" nodeset="0x1" complete_nodeset="0x1" gp_index="8"/></object>
    <object type="Core" os_index="3" cpuset="0x8" complete_cpuset="0x8" nodeset="0x1" complete_nodeset="0x1" gp_index="9"><object type="PU" os_index="3" cpuset="0x8" complete_cpuset="0x8" nodeset="0x1" complete_nodeset="0x1" gp_index="10"/></object>
    <object type="Core" os_index="4" cpuset="0x10" complete_cpuset="0x10" nodeset="0x1" complete_nodeset="0x1" gp_index="11"><object type="PU" os_index="4" cpuset="0x10" complete_cpuset="0x10" nodeset="0x1" complete_nodeset="0x1" gp_index="12"/></object>
    <object type="Core" os_index="5" cpuset="0x20" complete_cpuset="0x20" nodeset="0x1" complete_nodeset="0x1" gp_index="13"><object type="PU" os_index="5" cpuset="0x20" complete_cpuset="0x20" nodeset="0x1" complete_nodeset="0x1" gp_index="14"/></object>
  </object>
  <cpukind cpuset="0x38" forced_efficiency="0"><info name="CoreType" value="IntelAtom"/></cpukind>
  <cpukind cpuset="0x7" forced_efficiency="1"><info name="CoreType" value="IntelCore"/></cpukind>
</topology>
END
    HWLOC_XMLFILE=machine.xml motley init --from machine --cluster c.yaml
    [[ "$(group localhost)" = *"# 3 of the 6 cores are faster"*"processes: [1, 2, 3, 4, 6]"*"cores: 6"* ]]
    [[ "$(group localhost)" = *"memory: 16 GiB"* ]]
}

@test "the cluster file works: a dry run of the program file with it" {
    printf 'x01 slots=2\nx02 slots=2\n' >hosts
    motley init --from hostfile=hosts --cluster c.yaml --program p.yaml
    run --separate-stderr motley measure --dry-run --all ./c.yaml ./p.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"x:2x2"* ]]
}

@test "what is there is not overwritten, and nothing is written beside it" {
    echo mine >p.yaml
    run --separate-stderr motley init --cluster c.yaml --program p.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: the file exists already: 'p.yaml'" ]
    [ "$(cat p.yaml)" = mine ]
    [ ! -e c.yaml ]
}

@test "without a name, both files are written" {
    motley init --from machine
    [ -s cluster.yaml ]
    [ -s program.yaml ]
    run motley init --from machine
    [ "$status" = 2 ]
}

@test "usage errors" {
    run --separate-stderr motley init --from moon --cluster c.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: unknown source: 'moon' "* ]]
    run --separate-stderr motley init --from slurm --program p.yaml
    [ "$status" = 2 ]
    run --separate-stderr motley init --cluster c.yaml xeon
    [ "$status" = 2 ]
    [ ! -e c.yaml ]
}

@test "a folder that is not there" {
    run --separate-stderr motley init --cluster no/c.yaml --from machine
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot write 'no/c.yaml': "* ]]
}

# solver: a program that is there, and this machine as a cluster that just starts it
solver() {
    printf '#!/bin/sh\necho "$@" >>ran\n' >solver
    chmod +x solver
    printf '%s\n' 'name: here' 'launcher: command' 'launch: ["{program}"]' \
        'groups: [{name: cpu, hosts: localhost, processes: [1]}]' >here.yaml
}

@test "a program with a number: a file that can be measured at once" {
    solver
    run --separate-stderr motley init --program ./solver -- --ranks=2 --size=1000 "it's" 50
    [ "$status" = 0 ]
    [ "$output" = "program.yaml: N stands for '--size=1000', and is measured up to that" ]
    motley measure --quiet here.yaml program.yaml
    [ "$(sort -u ran)" = "$(printf "%s\n" 1000 250 350 500 700 | sed "s/.*/--ranks=2 --size=& it's 50/" | sort)" ]
    grep -qx 'name: .solver.' program.yaml
    grep -qx '  plan: \[2000\]' program.yaml
}

@test "a program with a small number, a large one, one with zeros" {
    solver
    motley init --program ./solver 3
    grep -qx '  measure: \[1, 2, 3\]' program.yaml
    rm program.yaml
    motley init --program ./solver 9007199254740992 99999999999999999 007
    grep -q "'{N}', '99999999999999999', '007'\]" program.yaml
    ! grep -q plan: program.yaml
}

@test "a program without a number is measured as it is" {
    solver
    run --separate-stderr motley init --program ./solver -- in.dat -x1
    [ "$status" = 0 ]
    [ "$output" = "program.yaml: no argument is a number: put in where the size comes from" ]
    motley measure --quiet here.yaml program.yaml
    [ "$(cat ran)" = "in.dat -x1" ]
}

@test "a program whose file is there already, or whose arguments no file can hold" {
    solver
    echo mine >program.yaml
    run --separate-stderr motley init --program ./solver 100
    [ "$status" = 2 ]
    [ "$stderr" = "motley: the file exists already: 'program.yaml'" ]
    [ "$(cat program.yaml)" = mine ]
    rm program.yaml
    run --separate-stderr motley init --program ./solver $'a\nb'
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: argument 1 has control characters: "* ]]
    run --separate-stderr motley init --program ./solver '{name}'
    [ "$status" = 2 ]
    [[ "$stderr" = *"unknown placeholder '{name}'"* ]]
    [ ! -e program.yaml ]
    chmod -x solver
    run --separate-stderr motley init --program ./solver
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --program: './solver' is not executable" ]
}

@test "options of the program without two hyphens before them: what to type" {
    solver
    for option in --grid -x; do
        run --separate-stderr motley init --program ./solver $option 300
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: unknown option: '$option'; see 'motley init --help'; options of './solver' stand \
behind two hyphens: motley init --program ./solver -- OPTION..." ]] || { echo "$stderr"; return 1; }
    done
    [ ! -e program.yaml ]
    run --separate-stderr motley init --program ./solver --size 300
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --size is for --input; options of './solver' stand behind two hyphens: motley init --program ./solver -- OPTION..." ]
    run --separate-stderr motley init --grit 3 --program ./solver
    [ "$stderr" = "motley: unknown option: '--grit'; see 'motley init --help'" ]
    motley init --help | tr -s ' \n' ' ' | grep -q -e '--program ./a.out -- --size 300'
}

@test "a program that is only on PATH" {
    mkdir bin
    solver
    mv solver bin/lmp
    mkdir lmp # no program
    PATH="$PWD/bin:$PATH"
    run --separate-stderr motley init --program lmp -- -in 300
    [ "$status" = 0 ]
    [ "$output" = "program.yaml: N stands for '300', and is measured up to that" ]
    grep -qx "command: \['lmp', '-in', '{N}'\]" program.yaml
    motley measure --quiet --sizes 75 here.yaml program.yaml
    [ "$(cat ran)" = "-in 75" ]
    run --separate-stderr motley init --program lpm 300
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --program: no program 'lpm' is here or on PATH; the name of a program file \
that is to be written ends in .yaml" ]
    run --separate-stderr motley init --program ./lpm
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: --program: no program './lpm' is there; "* ]]
    [ ! -e lpm ]
}

# reader: ./solver, which reads nx of run.nml, and takes a time that grows with it; this
# machine as a cluster that just starts it.
reader() {
    solver
    cat >solver <<'END'
#!/bin/sh
nx=$(grep -io 'nx"*[ =:]*[0-9]*' run.nml | grep -o '[0-9]*$')
echo "$nx $*" >>"$PROGRAM_LOG"
sleep "$(awk "BEGIN { print 0.001 * $nx }")"
END
    export PROGRAM_LOG=$PWD/log
    cat >run.nml <<'END'
! 500 steps are enough
&grid
  nx = 80, ny=40 ! cells
  box = 2*1.5, 3.0d0
  file = 'mesh 100', cells = 64 64 "x2"
/
&time steps = 1000 /
{keep} {2*n}
END
}

@test "--input: the size is a number of a file" {
    reader
    run --separate-stderr motley init --program ./solver --input run.nml --size NX -- -v 7
    echo "$output" "$stderr"
    [ "$status" = 0 ]
    [[ "${lines[0]}" = "program.yaml: N stands for 'nx' in 'run.nml.template', and is measured up to 80" ]]
    [[ "${lines[1]}" = "program.yaml: N = 20 takes "*" ms, N = 80 takes "*" ms" ]]
    [ "$(sort -u log)" = "20 -v 7
80 -v 7" ]
    [ "$(diff run.nml run.nml.template | grep '^>' | xargs)" = "> nx = {N}, ny=40 ! cells > {{keep}} {{2*n}}" ]
    rm log
    motley measure --quiet here.yaml program.yaml
    [ "$(sort -n log | xargs)" = "20 -v 7 28 -v 7 40 -v 7 56 -v 7 80 -v 7" ]
    ! ls -d motley-run-*
}

@test "--input without --size and a terminal: the numbers are listed" {
    reader
    run --separate-stderr motley init --program ./solver --input run.nml </dev/null
    [ "$status" = 2 ]
    [ "$output" = "nx = 80 (line 3)
ny = 40 (line 3)
cells = 64 (line 5)
cells[2] = 64 (line 5)
steps = 1000 (line 7)" ]
    [ "$stderr" = "motley: which of the numbers of 'run.nml' is the size N? say it by --size NAME" ]
    [ -z "$(ls ./*.template program.yaml 2>/dev/null)" ]
    run --separate-stderr motley init --program ./solver --input run.nml --size n
    [ "$status" = 2 ]
    [ "$stderr" = "motley: 'run.nml' has no number 'n'; without --size they are listed" ]
}

@test "--input on a terminal: which number it is, is asked" {
    reader
    (sleep 1; echo nx) | script -qec "motley init --program ./solver --input run.nml" /dev/null >seen
    grep "cells\[2\] = 64 (line 5)" seen
    grep "Which of these is the size N" seen
    grep "nx = {N}," run.nml.template
    grep "template: 'run.nml.template'" program.yaml
}

@test "--input: other ways of writing numbers" {
    numbers() {
        reader
        printf "$1" >run.nml
        motley init --program ./solver --input run.nml </dev/null 2>/dev/null | xargs
    }
    [ "$(numbers '{"grid": {"nx": 64, "ny": 32}, "dt": 0.5, "n_2": [3, 5]}')" = "nx = 64 (line 1) ny = 32 (line 1) n_2 = 3 (line 1) n_2[2] = 5 (line 1)" ]
    [ "$(numbers 'grid:\n  nx: 64 # 7\n  sizes:\n    - 400\n    - 500\ndate: 2024-01-01\n')" = "nx = 64 (line 2) sizes = 400 (line 4) sizes[2] = 500 (line 5)" ]
    [ "$(numbers 'HPLinpack benchmark input file\n29000 30000  Ns\n2 NBs\n')" = "Ns = 29000 (line 2) Ns[2] = 30000 (line 2) NBs = 2 (line 3)" ]
    [ "$(numbers '# 12\nvariable x index 20\nrun\t100\r\nnx=007\n')" = "index = 20 (line 2) run = 100 (line 3)" ]
    [ "$(numbers '42')" = "number = 42 (line 1)" ]
    [ "$(numbers '\xef\xbb\xbfnx = 42')" = "nx = 42 (line 1)" ]
    [ "$(numbers '; nx = 100\n [grid]\n ; nx = 50\nnx = 80; ny = 40\n')" = "nx = 80 (line 4) ny = 40 (line 4)" ]
    [ "$(numbers '{"nx": "400", "date": "2024-01-01", "of": "3 4", "": "1"}')" = "nx = 400 (line 1)" ]
}

@test "--input: a number in quotes, which stay" {
    reader
    echo '{"nx": "400"}' >run.nml
    sed -i "s/^nx=.*/nx=\$(tr -dc 0-9 <run.nml)/" solver
    motley init --program ./solver --input run.nml --size nx
    [ "$(cat run.nml.template)" = '{"nx": "{N}"}' ]
    [ "$(sort -nu log | xargs)" = "100 400" ]
}

@test "--input: a program file that is there stays, and leaves no template" {
    reader
    echo mine >program.yaml
    run --separate-stderr motley init --program ./solver --input run.nml --size nx
    [ "$status" != 0 ]
    [[ "$stderr" = *"the file exists already: 'program.yaml'"* ]]
    [ "$(cat program.yaml)" = mine ]
    [ ! -e run.nml.template ]
}

@test "--input: a number that changes no time, a program that fails, no numbers" {
    reader
    sed -i 's/nx = 80/nx = 500/' run.nml # takes half a second, of which noise is little
    run --separate-stderr motley init --program ./solver --input run.nml --size steps
    echo "$status $output $stderr"
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: 'steps' of 'run.nml' does not change the time: 250 takes "*", 1000 takes "*"; no program file was written: "* ]]
    [ -z "$output$(ls ./*.template program.yaml 2>/dev/null)" ]
    printf '#!/bin/sh\necho no mesh\nexit 3\n' >solver
    run --separate-stderr motley init --program ./solver --input run.nml --size nx
    [ "$status" = 1 ]
    echo "$stderr"
    [ "$stderr" = "motley: a run of 'program.yaml' failed: N = 125: exit status 3: no mesh; it and 'run.nml.template' are removed" ]
    [ -z "$output$(ls ./*.template program.yaml 2>/dev/null)" ]
    run --separate-stderr motley init --program ./solver --input run.nml --size nx -- '{name}'
    [ "$status" = 2 ]
    [[ "$stderr" = *"unknown placeholder '{name}'"* ]]
    [ ! -e run.nml.template ]
    echo mine >run.nml.template
    run --separate-stderr motley init --program ./solver --input run.nml --size nx
    [ "$status" = 2 ]
    [ "$stderr" = "motley: the file exists already: 'run.nml.template'" ]
    [ "$(cat run.nml.template)" = mine ]
    echo 'dt = 0.5' >run.nml
    run --separate-stderr motley init --program ./solver --input run.nml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --input: 'run.nml' has no whole number above 1 that could be the size" ]
    run --separate-stderr motley init --program ./solver --input none.nml
    [ "$stderr" = "motley: --input: cannot read 'none.nml': No such file or directory" ]
    run --separate-stderr motley init --input run.nml
    [ "$stderr" = "motley: --input is for --program with a program" ]
}
