#!/bin/sh
# Install the Debian packages that only the tests need; elsewhere say what will be left out. Each is
# named by its package, or package:proof where the command or file that shows it has another name;
# of several with a bar between them the first that can be had will do. Under CI=true what cannot be
# had is a failure, so that no test is left out unseen.
have() {
    command -v "${1#*:}" >/dev/null 2>&1 || [ -e "${1#*:}" ]
}
install() {
    command -v apt-get >/dev/null 2>&1 || return 0
    root=""
    [ "$(id -u)" = 0 ] || root="sudo"
    echo "Installing $1 for the tests ..."
    $root apt-get update -qq && $root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}
for wanted in "$@"; do
    choices="$(echo "$wanted" | tr '|' ' ')"
    for choice in $choices; do
        have "$choice" && continue 2
    done
    for choice in $choices; do
        install "${choice%%:*}" || true
        have "$choice" && continue 2
    done
    echo "No ${wanted%%:*} here: the tests that need it are left out." >&2
    [ "${CI:-}" != true ] || exit 1
done
