#!/bin/sh
# Install the Debian packages that only the tests need; elsewhere say what will be left out. Each is
# named by its package, or package:proof where the command or file that shows it has another name.
# Under CI=true a package that cannot be had is a failure, so that no test is left out unseen.
have() {
    command -v "$1" >/dev/null 2>&1 || [ -e "$1" ]
}
for wanted in "$@"; do
    package="${wanted%%:*}"
    proof="${wanted#*:}"
    if have "$proof"; then
        continue
    fi
    if command -v apt-get >/dev/null 2>&1; then
        root=""
        [ "$(id -u)" = 0 ] || root="sudo"
        echo "Installing $package for the tests ..."
        $root apt-get update -qq && $root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$package" >/dev/null
    fi
    if ! have "$proof"; then
        echo "No $package here: the tests that need it are left out." >&2
        [ "${CI:-}" != true ] || exit 1
    fi
done
