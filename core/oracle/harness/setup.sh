#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Prepares the cache folder, once: QEMU 10 in a Debian trixie chroot, the kernel
# package, and the guest's initramfs. Needs root and the Debian mirror that this
# machine uses; no KVM. Run again, it does only what is missing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${ORACLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/casplay-oracle}
chroot=$cache/trixie
kernel=$cache/kernel
version=7.3.4+deb13-cloud-amd64
work=$chroot/orc
mirror=${DEBIAN_MIRROR:-$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)}

need() { # COMMAND PACKAGE
	command -v "$1" > /dev/null && return
	apt-get update -qq
	apt-get install -y --no-install-recommends "$2" > /dev/null
}
need debootstrap debootstrap
need cpio cpio
need gcc gcc
need busybox busybox-static
need python3 python3
[ -e /usr/lib/x86_64-linux-gnu/libc.a ] || apt-get install -y --no-install-recommends libc6-dev > /dev/null

if [ ! -x "$chroot/usr/bin/qemu-system-x86_64" ]; then
	debootstrap --variant=minbase --include=qemu-system-x86 trixie "$chroot" "$mirror" > /dev/null
fi

if [ ! -e "$kernel/img/usr/lib/modules/$version/vmlinuz" ]; then
	# A list of sources of its own: the machine's stays as it is.
	apt=$cache/apt
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$kernel/deb"
	printf 'Types: deb\nURIs: %s\nSuites: sid experimental trixie-backports\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
		"$mirror" > "$apt/sid.sources"
	options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$apt -o Dir::State::lists=$apt/lists -o Dir::Cache=$apt/cache"
	apt-get $options update -qq
	(cd "$kernel/deb" && apt-get $options download "linux-binary-$version")
	dpkg-deb -x "$kernel"/deb/linux-binary-$version*.deb "$kernel/img"
fi

mkdir -p "$work/ird/bin" "$work/ird/proc" "$work/ird/sys" "$work/ird/dev"
cp "$kernel/img/usr/lib/modules/$version/vmlinuz" "$work/vmlinuz"
cp "$(command -v busybox)" "$work/ird/bin/busybox"
for applet in sh mount cat echo poweroff; do
	ln -sf busybox "$work/ird/bin/$applet"
done
gcc -O2 -Wall -static -o "$work/ird/bin/orc.new" "$here"/guest/*.c -lpthread
mv "$work/ird/bin/orc.new" "$work/ird/bin/orc"
cp "$here/guest/init" "$work/ird/init"
chmod +x "$work/ird/init"
(cd "$work/ird" && find . | cpio -o -H newc 2> /dev/null | gzip -1 > ../base.gz.new)
mv "$work/base.gz.new" "$work/base.gz"
chroot "$chroot" qemu-system-x86_64 --version | head -1 > "$work/qemu.version"
