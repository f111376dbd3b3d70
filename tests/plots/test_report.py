"""The command: what it writes, that equal results give equal bytes, how it refuses."""

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from paths import PLOTS
import fixtures
import report


def digests(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run(*arguments, **environment):
    """The report as a program of its own, as bench/run starts it."""
    return subprocess.run(
        [sys.executable, "-B", str(PLOTS / "report.py"), *map(str, arguments)],
        text=True,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.base = Path(cls.folder.name)
        cls.full = cls.write("results.json", fixtures.results())
        cls.small = cls.write(
            "small.json", fixtures.only(fixtures.results(), workload=("ties", "flights", "horizon"))
        )

    @classmethod
    def write(cls, name, document):
        path = cls.base / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def test_equal_results_give_equal_bytes(self):
        # Another order of hashes, another time zone and another folder must not show.
        first = run(self.full, "--out", self.base / "first", PYTHONHASHSEED="1", TZ="UTC")
        second = run(
            self.full, "--out", self.base / "second", PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C"
        )
        self.assertEqual((first.returncode, second.returncode), (0, 0), first.stderr + second.stderr)
        self.assertEqual((first.stderr, second.stderr), ("", ""))
        self.assertEqual(digests(self.base / "first"), digests(self.base / "second"))
        self.assertEqual(
            first.stdout.splitlines()[-1],
            f"{self.base / 'first'}: summary.md and 13 figures in plots/, each as PNG and SVG",
        )
        for path in (self.base / "first" / "plots").glob("*.png"):
            self.assertLess(path.stat().st_size, 150_000, path.name)

    def test_files(self):
        out = self.base / "files"
        self.assertEqual(run(self.small, "--out", out).returncode, 0)
        stems = {path.stem for path in (out / "plots").iterdir()}
        self.assertEqual(
            {path.name for path in (out / "plots").iterdir()},
            {stem + suffix for stem in stems for suffix in (".png", ".svg")},
        )
        self.assertEqual({path.name for path in out.iterdir()}, {"plots", "summary.md"})
        summary = (out / "summary.md").read_text(encoding="utf-8")
        for stem in stems:
            self.assertIn(f"(plots/{stem}.png)", summary)
        svg = (out / "plots" / "cost_handle.svg").read_text(encoding="utf-8")
        self.assertIn(">ns per operation</text>", svg)
        self.assertNotIn("<dc:date>", svg)

    def test_beside_the_file_by_default(self):
        folder = self.base / "own"
        folder.mkdir()
        path = folder / "results.json"
        path.write_bytes(self.small.read_bytes())
        self.assertEqual(run(path).returncode, 0)
        self.assertTrue((folder / "summary.md").is_file())

    def test_figures_of_an_earlier_report_do_not_stay(self):
        out = self.base / "again"
        plots = out / "plots"
        plots.mkdir(parents=True)
        for name in ("memory.png", "cost_handle_2.svg", "parameters_skip_list.png", "mine.png", "memory.txt"):
            (plots / name).write_text("old")
        document = fixtures.only(fixtures.results(), workload="ties", level="handle")
        path = self.write("again.json", {**document, "memory": []})
        self.assertEqual(run(path, "--out", out).returncode, 0)
        names = {path.name for path in plots.iterdir()}
        self.assertTrue({"mine.png", "memory.txt"} <= names)
        self.assertFalse({"memory.png", "cost_handle_2.svg", "parameters_skip_list.png"} & names)

    def test_a_broken_file_is_refused_in_one_line_with_status_2(self):
        document = fixtures.only(fixtures.results(), workload="ties")
        document["benchmarks"][0]["real_time"] = float("nan")
        for path in (self.write("nan.json", document), self.write("list.json", []), self.base / "none.json"):
            out = self.base / "refused"
            result = run(path, "--out", out)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn(str(path), result.stderr)
            self.assertFalse(out.exists())

    def test_a_folder_that_cannot_be_written(self):
        in_the_way = self.base / "file"
        in_the_way.write_text("")
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(report.main([str(self.small), "--out", str(in_the_way)]), 2)
        self.assertIn("cannot be written", errors.getvalue())

    def test_half_a_file_is_never_left(self):
        path = self.base / "kept.md"
        path.write_text("old")

        def fail(temporary):
            temporary.write_text("ha")
            raise OSError("disk full")

        with self.assertRaises(OSError):
            report._replace(path, fail)
        self.assertEqual(path.read_text(), "old")
        self.assertFalse(list(self.base.glob(".kept*")))


if __name__ == "__main__":
    unittest.main()
