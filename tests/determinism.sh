#!/usr/bin/env bash
# The same bits everywhere: the export scenes, drawn wrong on purpose, give the same PNG bytes in ten runs of each build
# given (GCC and Clang, -O3 and -O0). Usage: tests/determinism.sh BUILD...
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for scene in export-alpha-missing export-unorm-blended export-green-masked simple-triangle simple-lighting; do
	want=
	for build in "$@"; do
		for run in 1 2 3 4 5 6 7 8 9 10; do
			mkdir -p "$out/$run"
			"$build/kiln" run --ignore-export-mismatch "scenes/$scene.yaml" -o "$out/$run" >/dev/null 2>&1
			got=$(cat "$out/$run"/*.png | sha256sum)
			rm -rf "${out:?}/$run"
			[ -z "$want" ] && want=$got
			[ "$got" = "$want" ] || { echo "FAIL: $scene differs in run $run of $build"; exit 1; }
		done
	done
	echo "same bytes: $scene, 10 runs of each of $# builds"
done
