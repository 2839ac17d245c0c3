#!/bin/sh
# Installs the Debian packages that the example is built with, where they are not here. Usage: install.sh [LIST]
set -eu
command -v dpkg-query > /dev/null && command -v apt-get > /dev/null || exit 0
missing=$(sed 's/ .*//' "${1:-$(dirname "$0")/packages}" | while read -r package; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null | grep -q '^installed' || echo "$package"
done)
[ -n "$missing" ] || exit 0

root=
[ "$(id -u)" = 0 ] || root='sudo -n'
echo "installing" $missing
install() { $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null; }
# The lists of a fresh machine are empty.
if ! install 2> /dev/null && ! { $root apt-get update -qq && install; }; then
    echo "error: cannot install" $missing "- as root: apt-get install" $missing >&2
    exit 1
fi
