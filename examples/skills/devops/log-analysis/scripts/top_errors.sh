#!/bin/sh
# Group the error lines of a log by message, with numbers and hexadecimal ids replaced by "#".
set -eu
if [ "$#" -ne 1 ]; then
    echo "usage: top_errors.sh FILE" >&2
    exit 2
fi
grep -iE 'error|fatal|exception' -- "$1" |
    sed -E 's/[0-9a-fA-F]{8,}/#/g; s/[0-9]+/#/g' |
    sort | uniq -c | sort -rn | head -20
