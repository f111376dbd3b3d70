#!/usr/bin/env bash
# The timerbench program as its users meet it: what it prints, and with which exit status.
#
#   command_line_test.sh PROGRAM BUILD_TYPE
set -euo pipefail
program=$(realpath "$1") build_type=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0

# expect NAME STATUS PATTERN COMMAND...: the exit status, and an extended regular expression that the output
# (standard output and error) must match.
expect() {
  local name=$1 status=$2 pattern=$3 got=0
  shift 3
  "$@" >out.txt 2>&1 </dev/null || got=$?
  if [ "$got" -ne "$status" ] || { [ -n "$pattern" ] && ! grep -Eq -- "$pattern" out.txt; }; then
    echo "FAILED: $name: status $got, expected $status; expected to see /$pattern/, got:"
    head -n 20 out.txt
    failures=$((failures + 1))
  fi
}
# expect_one_line NAME PATTERN COMMAND...: bad input, which gets status 2 and exactly one line.
expect_one_line() {
  local name=$1
  expect "$1" 2 "${@:2}"
  if [ "$(wc -l <out.txt)" -ne 1 ]; then
    echo "FAILED: $name: expected one line, got:"
    head -n 5 out.txt
    failures=$((failures + 1))
  fi
}

# Help.
expect "help" 0 'check' "$program" --help
expect "version" 0 '^timerbench [0-9]+\.[0-9]+' "$program" --version
for command in list check run generate replay; do
  expect "$command --help" 0 'Usage|OPTIONS|Options' "$program" "$command" --help
done

# list
expect "list" 0 '^  hierarchical_wheel/256' "$program" list
expect "list names workloads" 0 '^  rpc_timeouts ' "$program" list
expect "list --json" 0 '"name": "scan_list"' "$program" list --json

# check
expect "check all" 0 '^[0-9]+ passed, 0 failed' "$program" check --scheduler all
expect "check --json" 0 '"failed": 0' "$program" check --scheduler scan_list --json
cat >good.vectors <<'V'
case small tick=10 wheel_size=4 start=0
schedule 1 15
advance 19 -> -
advance 20 -> 1
V
cat >wrong.vectors <<'V'
case right tick=1 wheel_size=4 start=0
pending -> 0

case wrong tick=10 wheel_size=4 start=0
schedule 1 15
advance 19 -> 1
V
cat >long.vectors <<'V'
case long tick=1 wheel_size=4 start=0
advance 10000001 -> -
V
expect "check a file" 0 '^1 passed, 0 failed$' "$program" check --scheduler scan_list --vectors good.vectors
expect "check several" 1 '^4 passed, 2 failed$' "$program" check --scheduler scan_list,hashed_wheel \
  --vectors good.vectors --vectors wrong.vectors
expect "a failing case shows where" 1 'wrong\.vectors:6: .*wrong.*advance 19.*expected.* 1.*got.* -' \
  "$program" check --scheduler binary_heap/2 --vectors wrong.vectors
expect "walking schedulers skip long jumps" 0 '^0 passed, 0 failed, 1 skipped$' \
  "$program" check --scheduler hierarchical_wheel_stepping --vectors long.vectors
expect "jumping schedulers do not" 0 '^1 passed, 0 failed$' "$program" check --scheduler hierarchical_wheel \
  --vectors long.vectors
expect "the floor is no scheduler" 1 'null_floor: [0-9]+ passed, [1-9]' "$program" check --scheduler null_floor

# generate and replay
expect "generate" 0 '^timerbench-stream 1 workload=ties' "$program" generate ties --population 10 --ops 20
expect "generate -o" 0 '' "$program" generate rpc_timeouts --population 50 --ops 2000 -o rpc.ops
expect "digest" 0 '^[0-9a-f]+  rpc_timeouts' "$program" generate rpc_timeouts --population 50 --digest
for scheduler in hierarchical_wheel hierarchical_wheel_stepping binary_heap scan_list hashed_wheel/7; do
  expect "replay on $scheduler" 0 'jobs fired, .*the same as the reference$' "$program" replay rpc.ops \
    --scheduler "$scheduler"
done
expect "replay --json" 0 '"same_as_reference": true' "$program" replay rpc.ops --json
expect "replay of the floor" 1 'NOT the reference' "$program" replay rpc.ops --scheduler null_floor --quiet
printf 'timerbench-stream 1 workload=mine tick=1 start=0 seed=0 population=1 jobs=2\nschedule 0 5\nschedule 1 5\ntimed\nadvance 9\n' >mine.ops
expect "replay prints what fires" 0 '^advance 9 -> 0 1$' "$program" replay mine.ops

# Bad input: one line with the place, the value and what is allowed.
expect_one_line "no subcommand" 'list, check, run, generate, replay' "$program"
expect_one_line "unknown subcommand" 'frobnicate.*list, check, run, generate, replay' "$program" frobnicate
expect_one_line "unknown flag" 'frobnicate' "$program" list --frobnicate
expect_one_line "unknown scheduler" "'quantum_wheel' is not known; known are all, aligned_wheel" "$program" check --scheduler quantum_wheel
expect_one_line "bad wheel size" 'hashed_wheel/1.*wheel_size must be 2 to' "$program" check --scheduler hashed_wheel/1
expect_one_line "bad arity" 'binary_heap/3.*one of 2, 4, 8' "$program" check --scheduler binary_heap/3
expect_one_line "no parameter" 'scan_list has no parameter' "$program" check --scheduler scan_list/4
expect_one_line "empty scheduler" "scheduler: ''" "$program" check --scheduler ''
expect_one_line "missing vectors" 'absent\.vectors' "$program" check --vectors absent.vectors
printf 'case x tick=0 wheel_size=4 start=0\n' >bad.vectors
expect_one_line "bad vectors" 'bad\.vectors:1: .*tick.*0' "$program" check --vectors bad.vectors
expect_one_line "unknown workload" 'frobnicate' "$program" generate frobnicate
expect_one_line "unknown parameter" 'frob' "$program" generate 'rpc_timeouts{frob=1}'
expect_one_line "parameter out of range" 'cancel.*2' "$program" generate 'rpc_timeouts{cancel=2}'
expect_one_line "parameters at odds" 'shortest must not be longer than longest' "$program" generate 'sparse{longest=1}'
expect_one_line "population 0" 'population' "$program" generate ties --population 0
expect_one_line "population not a number" 'many' "$program" generate ties --population many
expect_one_line "missing stream" 'absent\.ops' "$program" replay absent.ops
printf 'timerbench-stream 1 workload=mine tick=1 start=0 seed=0 population=1 jobs=1\nschedule 7 5\n' >bad.ops
expect_one_line "bad stream" 'bad\.ops:2: .*7' "$program" replay bad.ops
expect_one_line "two schedulers to replay" 'one scheduler' "$program" replay mine.ops --scheduler all
expect_one_line "output that cannot be written" '/nowhere/x\.ops' "$program" generate ties -o /nowhere/x.ops

# Output that goes nowhere is not a success.
if [ -e /dev/full ]; then
  for command in "list" "list --json" "check --scheduler scan_list" "generate ties" "generate ties --digest" \
    "replay mine.ops" "--help"; do
    expect "full output: $command" 2 'standard output: cannot be written' bash -c "\"$program\" $command >/dev/full"
  done
fi
# What -o names stays what it is.
mkfifo pipe
cat pipe >piped.txt &
expect "a pipe is written to" 0 '' "$program" generate ties --population 10 --ops 20 -o pipe
wait $!
expect "all of it came" 0 '^timerbench-stream' cat piped.txt
[ -p pipe ] || { echo "FAILED: the pipe was replaced"; failures=$((failures + 1)); }
echo old >target.ops
chmod 640 target.ops
ln -s target.ops link.ops
expect "a link is followed" 0 '' "$program" generate ties --population 10 --ops 20 -o link.ops
[ -L link.ops ] || { echo "FAILED: the link was replaced"; failures=$((failures + 1)); }
expect "and the file behind it written" 0 '^timerbench-stream' cat target.ops
[ "$(stat -c %a target.ops)" = 640 ] || { echo "FAILED: permissions changed"; failures=$((failures + 1)); }
mkdir folder
expect_one_line "a folder is no file" "'folder': .*folder" "$program" generate ties -o folder
expect_one_line "no path is no file" 'path is empty' "$program" generate ties -o ''
[ -z "$(find . -name '.timerbench-*')" ] || { echo "FAILED: a temporary file was left"; failures=$((failures + 1)); }

# Numbers are decimal or refused.
for number in 010 0x10 -1 1e3 '' 1.5 18446744073709551616; do
  expect_one_line "population '$number'" 'population' "$program" generate ties --population "$number"
  expect_one_line "seed '$number'" 'seed' "$program" generate ties --seed "$number"
done

# A walk over 10^15 ticks is refused, not begun.
printf 'timerbench-stream 1 workload=far tick=1 start=0 seed=0 population=1 jobs=1\nschedule 0 5\nadvance 1000000000000000\ntimed\n' >far.ops
expect_one_line "a walk without end" 'far\.ops: crosses 1000000000000000 ticks' "$program" replay far.ops \
  --scheduler hierarchical_wheel_stepping
expect "the difference named is the first" 1 'in the preload, fired jobs: 0, expected 1' "$program" replay far.ops \
  --scheduler null_floor

# run
run=("$program" run --profile smoke --workload rpc_timeouts --population 100 --repetitions 2)
if [ "$build_type" = Release ]; then
  expect "run" 0 'timed entries, 0 rows skipped, 0 FAILED' "${run[@]}" --scheduler hierarchical_wheel,scan_list --out run.json
  expect "its JSON is valid" 0 '' python3 -m json.tool run.json
  expect "its JSON has ratios to work with" 0 '"scheduler":"null_floor"' cat run.json
  "${run[@]}" --scheduler scan_list --out run.json >quiet.txt 2>&1
  expect "no progress in a pipe" 0 '^1$' grep -c '' quiet.txt
  # What is named twice is measured once.
  expect "duplicates" 0 '0 FAILED' "${run[@]}" --workload rpc_timeouts --population 100,100 --scheduler scan_list --out twice.json
  if [ "$(grep -c '"percentiles"' twice.json)" -ne 2 ]; then  # scan_list and the floor
    echo "FAILED: a row stands twice"
    failures=$((failures + 1))
  fi
  expect "a walk without end is skipped" 0 ', 3 rows skipped, 0 FAILED' "$program" run --profile smoke \
    --scheduler hierarchical_wheel_stepping --workload 'horizon{horizon=1e15}' --population 100 --out skip.json
  # Once, for a profiler: the rows that were named and no others, no file.
  once=("$program" run --once --profile core --workload 'rpc_timeouts{timeout=30s}' --population 100 --level handle)
  expect "once" 0 '^\{"scheduler":"indexed_heap/4".*"parameters":\{"timeout":30000.0\}.*"operations":[1-9]' \
    "${once[@]}" --scheduler indexed_heap
  expect "once is one line" 0 '^1$' bash -c '"$@" | wc -l' - "${once[@]}" --scheduler indexed_heap
  expect "once of the floor" 0 '"role":"floor"' "${once[@]}" --scheduler null_floor
  expect "once writes no file" 1 '' test -e results.json
  expect_one_line "once and a file" '--once excludes|--out excludes' "${once[@]}" --out once.json
  expect "the counted function has its name" 0 'timed_part' bash -c "nm -C '$program' | grep -m 1 timed_part"

  # Killed before anything was measured, an older file stays.
  echo '{"old": true}' >old.json
  bash -c "timeout -s KILL 0.05 '$program' run --profile quick --out old.json; true" >/dev/null 2>&1
  expect "an older file stays" 0 '"old": true' cat old.json

  expect_one_line "run into nowhere" '/nowhere/x\.json' "${run[@]}" --out /nowhere/x.json
  expect_one_line "bad profile" 'leisurely' "$program" run --profile leisurely
  expect_one_line "bad level" 'deep' "$program" run --level deep

  # Ctrl-C in the middle of a long run: valid JSON that says it is partial. The first group's results are
  # there before the second one ends, however slow the machine.
  "$program" run --profile quick --workload hold_exponential --population 100,100000 --repetitions 200 \
    --out partial.json >out.txt 2>&1 &
  pid=$!
  for _ in $(seq 1 600); do
    [ -e partial.json ] && break
    sleep 0.1
  done
  kill -INT "$pid"
  status=0
  wait "$pid" || status=$?
  if [ "$status" -ne 130 ]; then
    echo "FAILED: interrupted run: status $status, expected 130"
    failures=$((failures + 1))
  fi
  expect "partial results are valid and say so" 0 '"interrupted": true' cat partial.json
  expect "partial results are JSON" 0 '' python3 -m json.tool partial.json
else
  expect_one_line "a build that measures nothing refuses" 'use the release preset' "${run[@]}" --out run.json
  [ ! -e run.json ] || { echo "FAILED: a refused run left a file"; failures=$((failures + 1)); }
fi

if [ "$failures" -ne 0 ]; then
  echo "$failures failed"
  exit 1
fi
echo "all passed"
