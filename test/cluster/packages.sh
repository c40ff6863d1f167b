#!/bin/sh
# Lists the Debian packages that test/cluster needs, and installs missing ones if it can.
set -eu
needed="redis-server redis-sentinel redis-tools openssl swift-proxy swift-account swift-container swift-object iproute2"
echo "The proofs of test/cluster need Debian's packages: $needed"
if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian: what is not installed otherwise is skipped, and says so."
  exit 0
fi
missing=""
for package in $needed; do
  state=$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
  echo "All of them are installed: nothing was done."
  exit 0
fi
if [ "$(id -u)" != 0 ]; then
  echo "Not installed:$missing. To have them: sudo apt-get install$missing"
  echo "Nothing was done, for this is not root: what needs them is skipped, and says so."
  exit 0
fi
# Prevents the start of installed servers.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod +x "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
# shellcheck disable=SC2086 -- one word for each package
DEBIAN_FRONTEND=noninteractive apt-get install -qq -o Dpkg::Use-Pty=0 --no-install-recommends $missing >/dev/null
echo "Installed:$missing. None of them was started."
