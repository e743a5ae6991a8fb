#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# run.sh [-s SEEDS] [-j JOBS] EXPERIMENT...|all|@TOPOLOGY
#
# Boots the real kernel once for each topology, seed and chunk of at most
# CHUNK experiments, and writes RES/EXPERIMENT.json. Everything big lives in
# the cache folder (ORACLE_CACHE), outside the repository.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
export CACHE=${ORACLE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/casplay-oracle}
export CHROOT=$CACHE/trixie
export WORK=$CHROOT/orc RAW=$CHROOT/orc/raw
results=${RES:-$CACHE/results}
chunk=${CHUNK:-20}
seeds="1 2 3 4 5"
jobs=2

usage() {
	echo "usage: run.sh [-s seeds] [-j jobs] EXPERIMENT...|all|@TOPOLOGY" >&2
	exit 2
}

while getopts s:j: option; do
	case $option in
	s) seeds=$OPTARG ;;
	j) jobs=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage

# The initramfs must be newer than every source of the guest.
if [ ! -e "$WORK/base.gz" ] || [ -n "$(find "$here/guest" "$here/setup.sh" -newer "$WORK/base.gz" -type f)" ]; then
	"$here/setup.sh"
fi
mkdir -p "$RAW" "$results"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export DONE=$tmp/done
: > "$DONE"

# select TOPOLOGY ARGUMENT...: the lines of the experiments that were asked for.
select_experiments() {
	local topology=$1 a
	shift
	for a in "$@"; do
		awk -v t="$topology" -v a="$a" '!/^#/ && NF && $1 == t && (a == "all" || a == "@" t || a == $2)' "$here/experiments"
	done | awk '!seen[$2]++'
}

# One line of the job list for each boot: name|-smp|further options.
while read -r topology smp options; do
	select_experiments "$topology" "$@" > "$tmp/sel"
	[ -s "$tmp/sel" ] || continue
	rm -f "$tmp"/part.*
	grep -v 'iso=1' "$tmp/sel" | split -l "$chunk" -d - "$tmp/part.c" || true
	grep 'iso=1' "$tmp/sel" | split -l 1 -d - "$tmp/part.i" || true # a boot of its own
	for seed in $seeds; do
		for part in "$tmp"/part.*; do
			[ -s "$part" ] || continue
			id=$topology.${part##*.}.s$seed.$(date +%s)
			awk -v s="$seed" '{n = $2; $1 = ""; $2 = ""; print "name=" n " seed=" s " " $0}' "$part" > "$WORK/$id.exp"
			echo "$id|$smp|$options" >> "$tmp/jobs"
		done
	done
done < <(grep -v '^#' "$here/topologies" | awk 'NF')
[ -s "$tmp/jobs" ] || { echo "no such experiment" >&2; exit 1; }

boot() {
	local id smp options append= begin
	IFS='|' read -r id smp options <<< "$1"
	case "$options" in
	*@append=*)
		append=${options##*@append=}
		options=${options%%@append=*}
		;;
	esac
	begin=$(date +%s)
	mkdir -p "$WORK/x.$id"
	cp "$WORK/$id.exp" "$WORK/x.$id/exp"
	(cd "$WORK/x.$id" && echo exp | cpio -o -H newc 2> /dev/null | gzip -1) > "$WORK/$id.cpio"
	cat "$WORK/base.gz" "$WORK/$id.cpio" > "$WORK/$id.ird"
	# One host thread runs all virtual CPUs, and virtual time is the number of
	# executed instructions (2^2 ns each): the load of the host does not matter.
	timeout 1500 chroot "$CHROOT" qemu-system-x86_64 -nodefaults -no-user-config -display none \
		-machine q35,hpet=off,smm=off,usb=off -cpu max \
		-accel tcg,thread=single -icount shift=2,sleep=off -m 1536M -smp "$smp" $options \
		-kernel /orc/vmlinuz -initrd "/orc/$id.ird" -serial "file:/orc/raw/$id.con" \
		-device virtio-serial-pci -chardev "file,id=p1,path=/orc/raw/$id.p1" \
		-device virtserialport,chardev=p1,nr=1 -no-reboot \
		-append "console=ttyS0 quiet mitigations=off nokaslr tsc=reliable clocksource=tsc rdinit=/init panic=-1 nowatchdog cryptomgr.notests sched_verbose $append" \
		< /dev/null > /dev/null 2> "$RAW/$id.err" || echo "qemu rc=$? $id" >&2
	rm -rf "$WORK/x.$id" "$WORK/$id.cpio" "$WORK/$id.ird"
	printf '#topology %s\n#smp %s\n#numa_opts %s\n#shift 2\n#qemu %s\n' \
		"${id%%.*}" "$smp" "$options" "$(cat "$WORK/qemu.version")" > "$RAW/$id.raw"
	cat "$RAW/$id.p1" >> "$RAW/$id.raw"
	rm -f "$RAW/$id.p1"
	echo "$id $(($(date +%s) - begin))s $(grep -c '^#done' "$RAW/$id.raw")/$(grep -c name= "$WORK/$id.exp")" >&2
	echo "$RAW/$id.raw" >> "$DONE"
}
export -f boot

tr '\n' '\0' < "$tmp/jobs" | xargs -r -0 -n1 -P"$jobs" bash -c 'boot "$0"'
[ -s "$DONE" ] || { echo "no boot succeeded" >&2; exit 1; }
# shellcheck disable=SC2046 # one word for each file
python3 "$here/analyze.py" "$results" "$here/experiments" $(cat "$DONE")
