#!/bin/sh
# Says in one line that Rust is missing or too old, and which command mends that. Usage: rust.sh CARGO, in the folder of Cargo.toml
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
found=$("${RUSTC:-rustc}" --version 2> /dev/null | sed -n 's/^rustc \([0-9.]*\).*/\1/p')
oldest=$(printf '%s\n' "$needed" "${found:-0}" | sort -V | head -n 1)
[ "$oldest" != "$needed" ] || ! command -v "${1:-cargo}" > /dev/null || exit 0

# Debian 12's package `cargo` is too old; what its browsers are built with is not.
if command -v rustup > /dev/null; then
    mend='rustup update stable && rustup default stable'
elif ! command -v apt-get > /dev/null; then
    mend='install rustup, then: rustup default stable'
elif grep -qs '^VERSION_CODENAME=bookworm' "${OS_RELEASE:-/etc/os-release}"; then
    mend='apt-get update && apt-get install cargo-web'
    # New enough is only the one among the security updates, which a root that debootstrap made does not look for.
    apt=${APT:-/etc/apt}
    cat "$apt/sources.list" "$apt"/sources.list.d/*.list "$apt"/sources.list.d/*.sources 2> /dev/null | grep -q '^[^#]*bookworm-security' ||
        mend="echo 'deb http://deb.debian.org/debian-security bookworm-security main' > $apt/sources.list.d/security.list && $mend"
else
    mend='apt-get update && apt-get install rustup && rustup default stable'
fi
echo "error: Rust $needed or newer is needed, and ${found:-none} is here: $mend" >&2
exit 1
