#!/bin/sh
# Log Sieve keeps the lines of a log that matter. POSIX shell and awk; Linux and macOS.
set -eu

version='{{version}}'
platform='{{platform}}'

usage() {
  cat <<'USAGE'
Usage: log-sieve [LEVEL] [FILE...]   keep lines of LEVEL and above (default warn), count the rest
       log-sieve --version           print name, version and platform
       log-sieve --help              print this

LEVEL is debug, info, warn or error. Without FILE, standard input is read. A line without a level belongs to the line
before it, so that stack traces stay whole. Counts go to standard error.
USAGE
}

case "${1:-}" in
  --version | -V)
    printf 'log-sieve %s (%s)\n' "$version" "$platform"
    exit 0
    ;;
  --help | -h)
    usage
    exit 0
    ;;
esac

level=warn
case "${1:-}" in
  debug | info | warn | error)
    level=$1
    shift
    ;;
esac

for file in "$@"; do
  if [ ! -r "$file" ]; then
    printf 'log-sieve: %s cannot be read\n' "$file" >&2
    exit 2
  fi
done

if [ $# -gt 0 ]; then
  cat -- "$@"
else
  cat
fi | awk -v wanted="$level" '
  function rank(line, upper) {
    upper = toupper(line)
    if (upper ~ /(^|[^A-Z])(ERROR|FATAL|PANIC)([^A-Z]|$)/) return 4
    if (upper ~ /(^|[^A-Z])(WARN|WARNING)([^A-Z]|$)/) return 3
    if (upper ~ /(^|[^A-Z])(INFO|NOTICE)([^A-Z]|$)/) return 2
    if (upper ~ /(^|[^A-Z])(DEBUG|TRACE)([^A-Z]|$)/) return 1
    return 0
  }
  BEGIN {
    floor = wanted == "error" ? 4 : wanted == "warn" ? 3 : wanted == "info" ? 2 : 1
    current = 0
  }
  {
    found = rank($0)
    if (found > 0) { current = found; count[found]++ }
    if (current >= floor) print
  }
  END {
    printf "error %d, warn %d, info %d, debug %d\n", count[4], count[3], count[2], count[1] | "cat >&2"
  }
'
