#!/bin/sh
# Hashcheck compares a file with the sha256 it should have. POSIX shell; Linux and macOS.
set -eu

version='{{version}}'
platform='{{platform}}'

usage() {
  cat <<'USAGE'
Usage: hashcheck FILE            print the sha256 of FILE
       hashcheck FILE SHA256     compare; exit 0 if it is the same, 1 if not
       hashcheck --version       print name, version and platform
       hashcheck --help          print this
USAGE
}

fail() {
  printf 'hashcheck: %s\n' "$1" >&2
  exit 2
}

# The file is read from standard input, so that no file name is ever taken for an option or printed back.
digest() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1"
  else
    fail 'needs sha256sum or shasum on the PATH'
  fi | cut -c 1-64
}

case "${1:-}" in
  --version | -V)
    printf 'hashcheck %s (%s)\n' "$version" "$platform"
    exit 0
    ;;
  --help | -h)
    usage
    exit 0
    ;;
esac

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  usage >&2
  exit 2
fi
[ -f "$1" ] || fail "there is no file $1"
[ -r "$1" ] || fail "$1 can't be read"

actual=$(digest "$1")
[ ${#actual} -eq 64 ] || fail "the sha256 of $1 could not be computed"

if [ $# -eq 1 ]; then
  printf '%s\n' "$actual"
  exit 0
fi

expected=$(printf '%s' "$2" | tr 'A-F' 'a-f')
case "$expected" in
  *[!0-9a-f]*) fail 'the sha256 must be 64 hex digits' ;;
esac
[ ${#expected} -eq 64 ] || fail 'the sha256 must be 64 hex digits'

if [ "$actual" = "$expected" ]; then
  printf 'OK  %s\n' "$1"
else
  printf 'BAD %s\n  expected %s\n  actual   %s\n' "$1" "$expected" "$actual" >&2
  exit 1
fi
