#!/usr/bin/env bash
# Write a backup of the world and its checksum:  deploy/backup.sh [FOLDER]
#
# DATABASE_URL names the world: PostgreSQL, or the SQLite file of the embedded site
# (sqlite:////absolute/path/world.sqlite3). Both are taken from the running site, as of one
# moment. The last line printed is the path of the backup.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
python="${PYTHON:-python3}"
folder="${1:-backups}"

fail() {
    echo "No backup was made: $1" >&2
    exit 1
}

connection="$("$python" "$here/connection.py")" || fail "the world is unknown."
eval "$connection"
umask 077  # it holds addresses and password hashes
mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || fail "$folder can't be written to."

stamp="$(date -u +%Y%m%dT%H%M%SZ)"
case "$KIND" in
postgres) name="world-$stamp.dump" ;;
sqlite) name="world-$stamp.sqlite3" ;;
esac
target="$folder/$name"
unfinished="$target.unfinished"
trap 'rm -f "$unfinished"' EXIT
[ ! -e "$target" ] || fail "$target exists already."

case "$KIND" in
postgres)
    command -v pg_dump >/dev/null || fail "pg_dump is not installed."
    pg_dump --format=custom --no-owner --no-acl --file="$unfinished" || fail "pg_dump failed."
    pg_restore --list "$unfinished" >/dev/null || fail "what pg_dump wrote can't be read back."
    ;;
sqlite)
    [ -f "$WORLD" ] || fail "there is no $WORLD."
    "$python" "$here/sqlite_copy.py" "$WORLD" "$unfinished" || fail "SQLite could not be copied."
    ;;
esac

mv "$unfinished" "$target"
(cd "$folder" && "$python" "$here/checksum.py" write "$name")
echo "$target"
