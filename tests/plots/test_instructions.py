"""bench/instructions: which rows it counts, what it does with what valgrind says, how it refuses.

valgrind and the program are stood in for by scripts, so that nothing here depends on either.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from paths import PLOTS
import fixtures

SCRIPT = PLOTS.parent / "bench" / "instructions"

# Replays what it is asked for; a parameter's value comes back as a number, as from timerbench.
PROGRAM = """#!{python}
import json, sys
words = dict(zip(sys.argv[2:], sys.argv[3:]))
name, _, inner = words["--workload"].partition("{{")
pairs = [part.split("=") for part in inner.rstrip("}}").split(",") if part]
scheduler = words["--scheduler"]
if scheduler == "hashed_wheel/512":
    sys.exit("timerbench: it fell over")
print(json.dumps(dict(scheduler=scheduler, family=scheduler.split("/")[0],
    role="floor" if scheduler == "null_floor" else "scheduler", level=words["--level"], workload=name,
    parameters={{key: float(value) for key, value in pairs}}, kind="synthetic",
    population=int(words["--population"]), operations=500)))
"""
VALGRIND = """#!/bin/sh
for word in "$@"; do
  case "$word" in --callgrind-out-file=*) out=${word#*=} ;; esac
done
while [ "${1#--}" != "$1" ]; do shift; done
echo "totals: TOTAL" >"$out"
exec "$@"
"""


class Instructions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = Path(folder.name)
        self.program = self.script("timerbench", PROGRAM.format(python=sys.executable))
        self.valgrind = self.script("bin/valgrind", VALGRIND.replace("TOTAL", "34567"))
        self.path = self.base / "results.json"
        self.document = fixtures.only(
            fixtures.core_results(instructions=False), scheduler=("aligned_wheel/256", fixtures.FLOOR)
        )

    def script(self, name, text):
        path = self.base / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run_script(self, *arguments, search=None):
        self.path.write_text(json.dumps(self.document))
        search = search or f"{self.valgrind.parent}:{os.environ['PATH']}"
        return subprocess.run(
            [sys.executable, "-B", "-S", SCRIPT, self.path, "--program", self.program, *arguments],
            text=True,
            capture_output=True,
            check=False,
            env={**os.environ, "PATH": search},
        )

    def counted(self):
        return json.loads(self.path.read_text())["instructions"]

    def test_each_row_is_counted_once_with_at_most_a_thousand_jobs(self):
        result = self.run_script()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = self.counted()
        self.assertEqual(len(rows), 2 * len(fixtures.CORE_STREAMS))
        self.assertEqual({row["population"] for row in rows}, {1000, 100})
        self.assertEqual({row["level"] for row in rows}, {"handle"})
        for row in rows:
            self.assertEqual((row["instructions"], row["operations"]), (34567, 500))
            self.assertEqual(row["instructions_per_operation"], 69.134)

    def test_what_was_measured_with_more_jobs_only_is_counted_too(self):
        self.document = fixtures.only(self.document, population=1_000_000)
        self.assertEqual(self.run_script().returncode, 0)
        self.assertEqual({row["population"] for row in self.counted()}, {1000})

    def test_the_rest_of_the_file_stays(self):
        self.run_script()
        after = json.loads(self.path.read_text())
        del after["instructions"]
        self.assertEqual(after, self.document)
        self.assertEqual({p.name for p in self.base.iterdir()}, {"results.json", "timerbench", "bin"})

    def test_rows_that_would_take_minutes_are_left_out(self):
        for row in self.document["benchmarks"]:
            if row["scheduler"] == "aligned_wheel/256" and row["workload"] == "sparse":
                row["real_time"] = 1e5  # 65,536 operations of 0.1 ms
        self.assertEqual(self.run_script().returncode, 0)
        self.assertEqual(
            [row["scheduler"] for row in self.counted() if row["workload"] == "sparse"], [fixtures.FLOOR]
        )

    def test_a_row_that_falls_over_is_named_and_the_others_are_counted(self):
        self.document = fixtures.core_results(instructions=False)
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("hashed_wheel/512 on rpc_timeouts: timerbench: it fell over", result.stderr)
        self.assertIn("aligned_wheel/256", {row["scheduler"] for row in self.counted()})

    def test_a_count_of_nothing_is_no_count(self):
        self.script("bin/valgrind", VALGRIND.replace("TOTAL", "0"))
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("no function *timed_part* was entered", result.stderr)
        self.assertEqual(self.counted(), [])

    def test_without_valgrind_one_line_says_which_package_to_install(self):
        result = self.run_script(search=str(self.base))
        self.assertEqual((result.returncode, result.stderr), (3, ""))
        self.assertEqual(len(result.stdout.splitlines()), 1)
        for part in ("n/a", "Debian, Ubuntu and Fedora", "Homebrew has none for Apple silicon"):
            self.assertIn(part, result.stdout)
        self.assertNotIn("instructions", json.loads(self.path.read_text()))

    def test_bad_input_gets_one_line_and_status_2(self):
        for arguments in (("--jobs", "0"), ("--program", str(self.base / "absent"))):
            result = self.run_script(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for document in ({}, [], {**self.document, "context": {}}):
            self.document = document
            result = self.run_script()
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
