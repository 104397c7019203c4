#!/bin/sh
# Plans an install, downloads the file and verifies its sha256. Prints the path of the verified file, and nothing else, on
# standard output. Exit 0 verified, 1 refused or failed, 2 wrong usage.
# Usage: fetch-artifact.sh PRODUCT_ID [CHANNEL] [PLATFORM] [FOLDER]
set -eu

fail() {
  printf 'fetch-artifact: %s\n' "$1" >&2
  exit "${2:-1}"
}

[ $# -ge 1 ] && [ $# -le 4 ] || fail 'usage: fetch-artifact.sh PRODUCT_ID [CHANNEL] [PLATFORM] [FOLDER]' 2
: "${ACCOUNT_API_URL:?set it to the address of the API}" "${ACCOUNT_API_KEY:?set it to your svc_ key}"

this_platform() {
  case "$(uname -s)" in Darwin) os=darwin ;; Linux) os=linux ;; *) fail 'name the platform; this system is not known' ;; esac
  case "$(uname -m)" in arm64 | aarch64) cpu=arm64 ;; x86_64 | amd64) cpu=amd64 ;; *) fail 'name the platform' ;; esac
  printf '%s-%s' "$os" "$cpu"
}

product=$1
channel=${2:-stable}
platform=${3:-$(this_platform)}
folder=${4:-.}
case "$product" in *[!0-9]* | '') fail 'PRODUCT_ID is a number' 2 ;; esac
case "$channel$platform" in *[!a-z0-9-]*) fail 'CHANNEL and PLATFORM are plain words' 2 ;; esac

# The key goes in through standard input: never in the URL, nor in the list of processes.
plan=$(printf 'Authorization: Bearer %s\n' "$ACCOUNT_API_KEY" |
  curl --silent --show-error --fail-with-body -H @- -H 'Accept: application/json' \
    "$ACCOUNT_API_URL/api/products/$product/install?channel=$channel&platform=$platform") ||
  fail "no install plan: $(printf '%s' "$plan" | jq -r '[.error, .message] | map(values) | join(": ")' 2>/dev/null || printf '%s' "$plan")"

field() { printf '%s' "$plan" | jq -er ".data.$1"; }
name=$(field filename)
expected=$(field sha256)
url=$(field download_url)
case "$name" in */* | .* | '') fail "the plan names no plain file: $name" ;; esac

mkdir -p -- "$folder"
part="$folder/$name.part"
trap 'rm -f -- "$part"' EXIT

# The address is signed; it gets no credential.
curl --silent --show-error --fail --location --retry 2 --output "$part" "$url" || fail 'the download failed; plan again'

if command -v sha256sum >/dev/null 2>&1; then sum=sha256sum; else sum='shasum -a 256'; fi
actual=$($sum <"$part" | cut -c 1-64)
[ "$actual" = "$expected" ] || fail "sha256 differs, file removed: expected $expected, got $actual"

mv -- "$part" "$folder/$name"
printf '%s\n' "$folder/$name"
