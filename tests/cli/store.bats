# motley-store(5) against a store: what it says of the tables is read by other tools.

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "the tables that motley-store(5) describes are those of a store" {
    printf '%s\n' cluster,program,configuration,size,seconds,outcome,simulated \
        lab,lu,xeon:1x1,400,0.1,ok,true >runs.csv
    motley import runs.csv
    sqlite3 motley.db "SELECT m.name || '.' || c.name || ' ' || c.type
        FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'" |
        sort >real
    sed -n '/^# TABLES/,/^# SEE ALSO/p' "$SOURCE_ROOT/man/motley-store.5.scd" | awk '
        /^## / { table = $2 }
        /^\*/ { gsub(/[*,]/, ""); for (i = 1; i < NF; i += 2) print table "." $i " " $(i + 1) }' |
        sort >described
    [ "$(wc -l <described)" -gt 80 ]
    diff described real
    version=$(sqlite3 motley.db 'PRAGMA user_version')
    grep -q "This motley makes and reads version $version " "$SOURCE_ROOT/man/motley-store.5.scd"
}
