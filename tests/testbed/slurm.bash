# Loaded by tests, after helpers: a real Slurm on the nodes of a testbed.
#
# Everything that it writes is in one folder of the test, and its processes are in the
# testbed's control groups: 'motley testbed down' ends what slurm_down did not.

SLURM_SOCKET=/dev/shm/munge.socket

# Whether all of Slurm is installed; otherwise says what is missing.
slurm_is_installed() {
    local name
    for name in munged slurmctld slurmd sinfo srun salloc scontrol squeue; do
        command -v "$name" >/dev/null 2>&1 || {
            echo "no '$name': apt install slurm-wlm munge"
            return 1
        }
    done
}

# With MOTLEY_TESTBED=insist a missing Slurm is a failure.
slurm_or_skip() {
    local missing
    missing=$(slurm_is_installed) && return
    [ "${MOTLEY_TESTBED:-}" = insist ] || skip "$missing"
    echo "$missing" >&2
    return 1
}

# slurm_groups FILE: a line "NAME HOSTS PROCESSES MEGABYTES" for each group of a cluster
# file that has one key a line: the most processes, and the memory, which is in MiB.
slurm_groups() {
    awk '
        function print_group() { if (name) print name, hosts, processes, memory }
        /^ +- name:/ { print_group(); name = $3 }
        /^ +hosts:/ { hosts = $2; gsub(/["'\'']/, "", hosts) }
        /^ +processes:/ { processes = $NF; sub(/.*\[/, "", processes); sub(/\]/, "", processes) }
        /^ +memory:/ { memory = $2 }
        END { print_group() }' "$1"
}

# slurm_write FILE FOLDER: Slurm's files for the nodes of the cluster file. Each group is
# a partition of its name; there is a default partition of all nodes beside them, unless
# SLURM_APART is set. Nodes of the group GPU_GROUP have two, as far as Slurm knows.
slurm_write() {
    local name hosts processes memory gpus
    cat >"$2/slurm.conf" <<END_OF_CONF
ClusterName=testbed
SlurmctldHost=head
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$SLURM_SOCKET
CredType=cred/munge
StateSaveLocation=$2/state
SlurmdSpoolDir=$2/spool-%n
SlurmctldPidFile=$2/slurmctld.pid
SlurmdPidFile=$2/slurmd-%n.pid
SlurmctldLogFile=$2/slurmctld.log
SlurmdLogFile=$2/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
GresTypes=gpu
SchedulerParameters=sched_interval=1,bf_interval=1
ReturnToService=2
END_OF_CONF
    [ -n "${SLURM_APART:-}" ] ||
        echo "PartitionName=all Nodes=ALL Default=YES State=UP" >>"$2/slurm.conf"
    slurm_groups "$1" | while read -r name hosts processes memory; do
        gpus=
        if [ "$name" = "${GPU_GROUP:-}" ]; then
            gpus=" Gres=gpu:2"
            printf 'NodeName=%s Name=gpu File=%s\n' "$hosts" /dev/null "$hosts" /dev/zero \
                >"$2/gres.conf"
        fi
        echo "NodeName=$hosts CPUs=$processes RealMemory=$memory Feature=$name$gpus"
        echo "PartitionName=$name Nodes=$hosts State=UP"
    done >>"$2/slurm.conf"
    echo "CgroupPlugin=cgroup/v1" >"$2/cgroup.conf" # the default looks for systemd
    # Nodes of a testbed have one /tmp, where PMIx makes a folder of a fixed name.
    echo "PMIxCliTmpDirBase=/dev/shm" >"$2/mpi.conf"
    (umask 077 && head -c 128 /dev/urandom >"$2/munge.key")
    mkdir -p "$2/state"
}

# slurm_nodes FILE: the cluster's nodes, one a line
slurm_nodes() {
    slurm_groups "$1" | while read -r _ hosts _; do
        scontrol show hostnames "$hosts"
    done
}

# slurm_all_idle COUNT: that many nodes are ready for jobs
slurm_all_idle() {
    [ "$(on head sinfo --noheader --Node --states idle --format %N \
        2>/dev/null | sort -u | wc -l)" = "$1" ]
}

# slurm_munge NODE FOLDER: start its munged. Each node has one, as a munged decodes a
# credential once only; its socket is where the node has files of its own.
slurm_munge() {
    # By force, because the folders of tests are root's own.
    on "$1" munged --force --socket="$SLURM_SOCKET" --key-file="$2/munge.key" \
        --log-file="$2/munged-$1.log" --pid-file="$2/munged-$1.pid" \
        --seed-file="$2/munged-$1.seed" 3>&-
}

# slurm_up FILE FOLDER: start Slurm on the testbed FILE, which is up, with all that it
# writes in the folder, which is made
slurm_up() {
    local node
    mkdir -p "$2"
    export SLURM_FOLDER=$2 SLURM_CONF=$2/slurm.conf
    slurm_write "$1" "$2"
    slurm_munge head "$2" || return
    on head slurmctld 3>&- || return
    for node in $(slurm_nodes "$1"); do
        mkdir -p "$2/spool-$node"
        slurm_munge "$node" "$2" || return
        on "$node" slurmd -N "$node" 3>&- || return
    done
    slurm_await slurm_all_idle "$(slurm_nodes "$1" | wc -l)"
}

# slurm_await COMMAND...: until it succeeds; after a minute Slurm's logs are shown
slurm_await() {
    for _ in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
    echo "waited in vain for: $*" >&2
    slurm_logs >&2
    return 1
}

slurm_logs() {
    [ -z "${SLURM_FOLDER:-}" ] || tail -v -n 15 "$SLURM_FOLDER"/*.log
}

# slurm_down: stop what slurm_up started, as far as it still runs
slurm_down() {
    local file
    [ -n "${SLURM_FOLDER:-}" ] || return 0
    for file in "$SLURM_FOLDER"/*.pid; do
        [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null
    done
    slurm_await slurm_gone
}

# The daemons remove their files of process ids when they end.
slurm_gone() {
    ! ls "$SLURM_FOLDER"/*.pid >/dev/null 2>&1
}

# write_program NAME WORD...: NAME.yaml, whose command are the words
write_program() {
    local name=$1 words=$2 word
    shift 2
    for word; do
        words+=", '$word'"
    done
    cat >"$name.yaml" <<END
name: $name
command: [$words]
time: wall
sizes: {measure: [1]}
timeout: 60 s
END
}

# launch CONFIGURATION PROGRAM [OPTION...]: motley run, on the head
launch() {
    run --separate-stderr on head motley run --configuration "$1" --size 1 \
        --timeout "60 s" "${@:3}" cluster.yaml "$2.yaml"
    echo "$output" "$stderr"
}

# ranks: where the ranks of the last run were, by number: "fast-1 fast-1 slow-1"
ranks() {
    sed -n 's/^rank .* on //p' <<<"$output" | xargs
}

no_jobs_now() {
    [ -z "$(on head squeue --noheader)" ]
}

# Open MPI 4.1.4 dies in MPI_Init of one run in fifty, where a TCP connection comes in.
launch_by_pmix() {
    SLURM_MPI_TYPE=pmix launch "$@"
    [[ "$output" != *"Segmentation fault"* ]] || SLURM_MPI_TYPE=pmix launch "$@"
}

# hand_in SCRIPT: by sbatch, and waited for; what it prints is in "output". Once more where
# it failed, as above.
hand_in() {
    local job=(on head sbatch --wait --output "$PWD/output" "$1")
    "${job[@]}" || { cat output && "${job[@]}"; }
    cat output
}
