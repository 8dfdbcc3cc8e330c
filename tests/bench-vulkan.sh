#!/usr/bin/env bash
# Kiln and a Vulkan driver, the same scenes in one run: tests/bench-vulkan.sh BUILD [FRAMES [SCENE...]]
# Prints milliseconds of the best frame and of the first (pipeline made, shader caches off), and Kiln's time over the driver's.
# The driver is the first that the Vulkan loader finds; without a GPU that is Mesa's llvmpipe (mesa-vulkan-drivers). Options for
# kiln bench scenes: KILN_BENCH_OPTIONS; LP_NUM_THREADS sets llvmpipe's threads.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,5s/^# //p' "$0"; exit 2; }
build=$1 frames=${2:-5}
shift $(($# < 2 ? 1 : 2))
[ $# -gt 0 ] || set -- fill blend alu tris tex draws
[ -x "$build/bench_vulkan" ] || { echo "$build/bench_vulkan is not there: install libvulkan-dev and build again"; exit 2; }
export MESA_SHADER_CACHE_DISABLE=true
printf '%-8s %12s %12s %7s %12s %12s %7s\n' scene kiln vulkan ratio 'kiln first' 'vulkan first' ratio
for scene in "$@"; do
	read -r theirs theirs_first < <("$build/bench_vulkan" scenes/bench "$frames" "$scene" | awk '!/^#/ {print $2, $4}')
	# shellcheck disable=SC2086
	read -r ours ours_first < <("$build/kiln" bench scenes ${KILN_BENCH_OPTIONS:-} --times "$frames" "$scene" | awk 'NR == 2 {print $3, $5}')
	awk -v n="$scene" -v a="$ours" -v b="$theirs" -v c="$ours_first" -v d="$theirs_first" \
		'BEGIN {printf "%-8s %12.3f %12.3f %7.2f %12.3f %12.3f %7.2f\n", n, a, b, a / b, c, d, c / d}'
done
