#!/bin/sh
# Install what `make test-ha` runs, from Debian's packages, without starting any of it.
set -eu

packages="postgresql patroni etcd-server etcd-client pgbouncer"
if dpkg -s $packages >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "make test-ha needs PostgreSQL, Patroni, etcd and PgBouncer. On Debian or Ubuntu:" >&2
    echo "    sudo apt-get install --no-install-recommends $packages" >&2
    exit 1
fi

# Debian starts a server as soon as it is installed, and makes a PostgreSQL cluster of its own.
# Both are held off while we install; what an administrator has set up stays as it is.
policy=/usr/sbin/policy-rc.d
no_cluster=/etc/postgresql-common/createcluster.d/mnemic-test.conf
placed=""
trap 'rm -f $placed' EXIT
if [ ! -e "$policy" ]; then
    placed="$policy"
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi
placed="$placed $no_cluster"
mkdir -p "$(dirname "$no_cluster")"
echo "create_main_cluster = false" >"$no_cluster"

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends $packages
