#!/usr/bin/env bash
# The same bits everywhere: all scenes give the same PNG bytes in each build given (GCC and Clang, -O3 and -O0), and with 1, 2 and 8
# threads the same counters; those of the exports, drawn wrong on purpose, in ten runs of each. Usage: tests/determinism.sh BUILD...
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for file in scenes/*.yaml; do
	scene=$(basename "$file" .yaml)
	want=
	runs=1
	case $scene in export-* | simple-triangle) runs=10 ;; esac
	for threads in 1 2 8; do
		"$1/kiln" run --ignore-export-mismatch --threads $threads --stats "$file" -o "$out/$threads" 2>&1 | sed "s:$out/$threads::" >"$out/stats-$threads"
		cat "$out/$threads"/*.png | sha256sum >>"$out/stats-$threads"
		cmp "$out/stats-1" "$out/stats-$threads" || { echo "FAIL: $scene differs with $threads threads"; exit 1; }
		rm -rf "${out:?}/$threads"
	done
	for build in "$@"; do
		for run in $(seq $runs); do
			mkdir -p "$out/$run"
			"$build/kiln" run --ignore-export-mismatch "$file" -o "$out/$run" >/dev/null 2>&1
			got=$(cat "$out/$run"/*.png | sha256sum)
			rm -rf "${out:?}/$run"
			[ -z "$want" ] && want=$got
			[ "$got" = "$want" ] || { echo "FAIL: $scene differs in run $run of $build"; exit 1; }
		done
	done
	echo "same bytes: $scene, $runs runs of each of $# builds"
done
