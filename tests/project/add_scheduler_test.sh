#!/usr/bin/env bash
# Follows impls/README.md: copies the template under a new name into a folder of its own, builds with it, and
# finds the new scheduler listed, conformant and measured.
#
#   add_scheduler_test.sh SOURCE_FOLDER CMAKE COMPILER
set -euo pipefail
source=$1 cmake=$2 compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/mine"

sed 's/MyQueue/RedBlackTree/g; s/my_queue/red_black_tree/g' "$source/impls/template/my_queue.hpp" \
  >"$folder/mine/red_black_tree.hpp"

# -O1: this asks whether it works, not how fast.
"$cmake" -S "$source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DTIMERBENCH_BUILD_TESTS=OFF \
  -DTIMERBENCH_EXTRA_SCHEDULERS="$folder/mine" >"$folder/log" 2>&1 || { tail -n 30 "$folder/log"; exit 1; }
"$cmake" --build "$folder/build" --target timerbench >"$folder/log" 2>&1 || { tail -n 30 "$folder/log"; exit 1; }

timerbench=$folder/build/timerbench
"$timerbench" list | grep -q '^  red_black_tree' || { echo "not listed"; exit 1; }
"$timerbench" check --scheduler red_black_tree | tail -n 1 | grep -Eq '^[1-9][0-9]* passed, 0 failed$' ||
  { "$timerbench" check --scheduler red_black_tree; exit 1; }
"$timerbench" run --profile smoke --scheduler red_black_tree --workload rpc_timeouts --population 100 \
  --out "$folder/results.json"
grep -q '"scheduler":"red_black_tree"' "$folder/results.json" || { echo "not measured"; exit 1; }
echo "listed, conformant and measured"
