#!/usr/bin/python3
"""Turns results.json into figures and a summary: report.py RESULTS.json [--out DIR]

Writes DIR/plots/*.png, DIR/plots/*.svg and DIR/summary.md; DIR is by default the folder of the file.
Everything comes from the file, nothing from the machine or the clock: equal results give equal bytes.
Exit status: 0 written; 2 the file is not what results/README.md describes, or DIR cannot be written.
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np
from PIL import Image  # matplotlib itself needs it

import figures
import load
import style
import summary
from ranking import Field


def write_text(path, text):
    _replace(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_figure(path, figure):
    _replace(path, _png(figure) if path.suffix == ".png" else _svg(figure))


def _svg(figure):
    # Without this matplotlib would write its own version and today's date into the file.
    return lambda temporary: figure.savefig(temporary, format="svg", metadata={"Date": None, "Creator": None})


def _png(figure):
    # A palette makes the files a third as large, and repositories keep every version for ever.
    def write(temporary):
        figure.canvas.draw()
        image = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[:, :, :3])
        image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
            temporary, format="PNG", optimize=True
        )

    return write


def _replace(path, write):
    """Nobody ever sees half a file, and an interrupted report leaves the old one."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def remove_stale(folder, written):
    """Figures of an earlier report whose data are no longer there would pass for current ones."""
    for path in sorted(folder.iterdir()):
        ours = path.suffix in (".png", ".svg") and path.stem.startswith(figures.STEMS)
        if ours and path not in written:
            path.unlink()


def write_report(results, out):
    """Writes everything below `out`; returns the number of figures."""
    style.use()
    field = Field(results)
    folder = out / "plots"
    folder.mkdir(parents=True, exist_ok=True)
    drawn = figures.build(field)
    written = set()
    for stem, figure in drawn.items():
        for suffix in (".png", ".svg"):
            write_figure(folder / (stem + suffix), figure)
            written.add(folder / (stem + suffix))
    remove_stale(folder, written)
    write_text(out / "summary.md", summary.text(field, list(drawn)))
    return len(drawn)


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="report.py", description="Draws figures and writes a summary of results.json."
    )
    parser.add_argument("results", type=Path, metavar="RESULTS.json")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write (default: the folder of RESULTS.json)"
    )
    options = parser.parse_args(arguments)
    out = options.out or options.results.parent
    try:
        results = load.read(options.results)
        number = write_report(results, out)
        print(f"{out}: summary.md and {number} figures in plots/, each as PNG and SVG", flush=True)
    except load.BadResults as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"report.py: {error.filename or 'standard output'}: cannot be written ({error.strerror}); allowed: a folder for the report",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
