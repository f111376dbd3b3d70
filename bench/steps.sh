# Steps that the entry scripts share; sourced with the project's folder as the working directory.

# build_preset PRESET [TARGET]: configures and builds build/PRESET. Its output is shown if it fails, and
# in any case kept beside it.
build_preset() {
  local preset=$1 log=build/$1.log
  mkdir -p build
  if [ -t 2 ]; then echo "building $preset ..." >&2; fi
  {
    cmake --preset "$preset" && cmake --build --preset "$preset" ${2:+--target "$2"}
  } >"$log" 2>&1 && return 0
  tail -n 40 "$log" >&2
  echo "the whole log: $log" >&2
  return 1
}

# The first python3 that has matplotlib: the system's before whatever comes first on PATH.
python_with_matplotlib() {
  local python
  for python in /usr/bin/python3 python3; do
    if "$python" -c 'import matplotlib' 2>/dev/null; then echo "$python"; return 0; fi
  done
  return 1
}
