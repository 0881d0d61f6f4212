#!/usr/bin/env bash
# Bring back a world:  deploy/restore.sh BACKUP [--force]
#
# DATABASE_URL names where to. A database that is not empty is refused; --force replaces
# everything in it. PostgreSQL changes all at once or not at all. Stop web, worker and beat
# before, and have the site's other variables set: the restored world is checked at the end.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
python="${PYTHON:-python3}"
backup="${1:-}"
force="${2:-}"

fail() {
    echo "Nothing was restored: $1" >&2
    exit 1
}

[ -n "$backup" ] || fail "which backup? Usage: deploy/restore.sh BACKUP [--force]"
[ -z "$force" ] || [ "$force" = "--force" ] || fail "unknown option $force."
[ -f "$backup" ] || fail "there is no $backup."
connection="$("$python" "$here/connection.py")" || fail "the world is unknown."
eval "$connection"
"$python" "$here/checksum.py" check "$backup" || fail "the backup can't be trusted."

restore_postgres() {
    local tables
    command -v psql >/dev/null || fail "psql and pg_restore are not installed."
    pg_restore --list "$backup" >/dev/null 2>&1 || fail "$backup is no PostgreSQL backup."
    tables="$(psql --no-psqlrc --tuples-only --no-align --command \
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")" || fail "no connection."
    [ "$tables" = 0 ] || [ "$force" ] ||
        fail "the database $PGDATABASE holds $tables tables. --force replaces all of them."
    # psql commits when its input ends, so an input that breaks off must end in an error.
    {
        echo "DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
        pg_restore --no-owner --no-acl --file=- "$backup" || echo "SELECT 1 / 0;"
    } | psql --no-psqlrc --quiet --single-transaction --set ON_ERROR_STOP=1 --output /dev/null ||
        fail "the database is as it was; the reason is above."
}

restore_sqlite() {
    [ ! -e "$WORLD" ] || [ "$force" ] || fail "$WORLD exists. --force replaces it."
    mkdir -p "$(dirname "$WORLD")"
    rm -f "$WORLD.restoring"
    "$python" "$here/sqlite_copy.py" "$backup" "$WORLD.restoring" || fail "$backup can't be read."
    rm -f "$WORLD-wal" "$WORLD-shm"
    mv "$WORLD.restoring" "$WORLD"
}

"restore_$KIND"
echo "Restored. Checking the world …"

cd "$here/.."
"$python" manage.py migrate --check >/dev/null || {
    echo "The backup is of an older version. Run: manage.py migrate, then manage.py audit" >&2
    exit 2
}
"$python" manage.py audit || {
    echo "The world was restored as it was saved, but it is not sound: see above." >&2
    exit 3
}
