# Loaded by the tests of plan and run: a made-up cluster with runs from which the best
# configurations are known by hand.
#
# The runs are exactly 0.6 N/P + P seconds on group a and 1.2 N/P + P on group b, and
# these are the terms of the models: np-t models predict exactly, auto models closely. So
# at N = 100 the times are
#   a alone, on 1 to 3 nodes: 61, 32, 23 s        b alone: 121, 62, 43 s
#   both, with P = 2 to 6 (b is the slower): 62, 43, 34, 29, 26 s
# A node of a costs 0.001 a second, one of b a tenth of that.
#
# "write_lab us" makes all of that microseconds, for tests that run the program: what it
# prints must be a time that it can have taken.

write_lab() {
    cat >lab.yaml <<'END'
name: lab
launcher: openmpi
groups:
  - {name: a, hosts: 'a[1-3]', processes: [1], price: 3.6}
  - {name: b, hosts: 'b[1-3]', processes: [1], price: 0.36}
END
    cat >toy.yaml <<'END'
name: toy
command: [program.sh, '{N}', '{P}']
time: {match: '^time ([^ ]+) s'}
sizes: {measure: [10, 20]}
work: 1e9*N
terms: {np-t: 'N/P, P', n-t: 'N, 1'}
END
    cat >runs.csv <<'END'
cluster,program,configuration,size,seconds,outcome,simulated
lab,toy,a:1x1,10,7,ok,false
lab,toy,a:1x1,20,13,ok,false
lab,toy,a:2x1,10,5,ok,false
lab,toy,a:2x1,20,8,ok,false
lab,toy,a:3x1,10,5,ok,false
lab,toy,a:3x1,20,7,ok,false
lab,toy,b:1x1,10,13,ok,false
lab,toy,b:1x1,20,25,ok,false
lab,toy,b:2x1,10,8,ok,false
lab,toy,b:2x1,20,14,ok,false
lab,toy,b:3x1,10,7,ok,false
lab,toy,b:3x1,20,11,ok,false
END
    if [ "$1" = us ]; then
        sed -i "s/^time: .*/time: {match: '^time ([^ ]+) us', unit: us}/" toy.yaml
        sed -i -E 's/([0-9]+),ok/\1e-6,ok/' runs.csv
        sed -i 's/price: 3.6/&e6/; s/price: 0.36/&e6/' lab.yaml
    fi
    motley import runs.csv
}

# write_program SCRIPT: ./program.sh, which gets N and P
write_program() {
    printf '#!/bin/sh\n%s\n' "$1" >program.sh
    chmod +x program.sh
}

# write_mpirun: an Open MPI that keeps its hostfile and starts the program once, here
write_mpirun() {
    mkdir -p bin
    cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) http://www.open-mpi.org/"; exit; }
echo "$@" >arguments
cp "$2" hostfile.used
while [ "$1" != -np ]; do shift; done
shift 2
exec "$@"
END
    chmod +x bin/mpirun
    PATH=$PWD/bin:$PATH
}
