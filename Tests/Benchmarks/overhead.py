#!/usr/bin/env python3
"""The cost of a run apart from its photos: start and end of the program, the worker's own work per photo, the first
photo; and the speed-up of a single photo with two jobs.

usage: overhead.py [--raws DIR] [--rawmill PROGRAM] [--rounds 5] [--count 8] [--megapixels 24] [--markdown FILE]

The runs alternate, round after round; every figure is a median. A photo's stages are the times reported by its render
process; all other time, of any process, counts as overhead. Needs an idle machine."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from measure import machine
from ours import command, film_cube

HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """One run of the program: milliseconds from its start to its end, and to each photo's end."""

    def __init__(self, words):
        start = time.monotonic()
        self.photos = []    # (milliseconds since the start, its stages' milliseconds)
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in process.stdout:
            now = (time.monotonic() - start) * 1000
            event = json.loads(line)
            if event["event"] == "completed":
                self.photos.append((now, sum(event["milliseconds"].values())))
        if process.wait() != 0:
            raise SystemExit(f"status {process.returncode}: {' '.join(words)}")
        self.milliseconds = (time.monotonic() - start) * 1000

    def warm(self):
        """For each photo except the first: milliseconds since the end of the previous one, and its stages."""
        return [(end - before, stages) for (before, _), (end, stages) in zip(self.photos, self.photos[1:])]


def measure(program, raws, look, rounds, scratch):
    """Runs of all photos with one job, and of a single photo with one and with two."""
    lone = os.path.join(scratch, "lone")
    os.makedirs(lone)
    shutil.copy(os.path.join(raws, sorted(os.listdir(raws))[0]), lone)
    runs = {"all": [], "one job": [], "two jobs": []}
    for _ in range(rounds):
        for name, folder, jobs in [("all", raws, 1), ("one job", lone, 1), ("two jobs", lone, 2)]:
            library = os.path.join(scratch, "library")
            shutil.rmtree(library, ignore_errors=True)
            runs[name].append(Run(command(program, folder, scratch, jobs, look)))
    return runs


def report(runs):
    warm = [photo for run in runs["all"] for photo in run.warm()]
    cycle = statistics.median(cycle for cycle, _ in warm)
    stages = statistics.median(stages for _, stages in warm)
    beyond = statistics.median(cycle - stages for cycle, stages in warm)
    first = statistics.median(run.photos[0][0] for run in runs["all"])
    first_stages = statistics.median(run.photos[0][1] for run in runs["all"])
    lone = {name: (statistics.median(run.milliseconds for run in runs[name]),
                   statistics.median(run.photos[0][1] for run in runs[name])) for name in ("one job", "two jobs")}
    total = [one.milliseconds / two.milliseconds for one, two in zip(runs["one job"], runs["two jobs"])]
    by_stages = [one.photos[0][1] / two.photos[0][1] for one, two in zip(runs["one job"], runs["two jobs"])]
    return "\n".join([
        "| measured | |", "|---|---|",
        f"| a warm photo of one thread, from the end of the one before | {cycle:.0f} ms |",
        f"| of that its stages | {stages:.0f} ms |",
        f"| and all else, the worker's own work | {beyond:.1f} ms, {100 * beyond / stages:.1f} % of the render |",
        f"| the first photo's stages, beyond a warm one's | {first_stages - stages:.0f} ms |",
        f"| the first photo from the program's start to its end, beyond a warm one | {first - cycle:.0f} ms |",
        *(f"| a lone photo, start to exit, {name} | {whole:.0f} ms, its stages {inside:.0f} |"
          for name, (whole, inside) in lone.items()),
        f"| faster by two jobs | {statistics.median(total):.2f} ×, its stages {statistics.median(by_stages):.2f} × |",
    ])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--raws")
    options.add_argument("--rawmill", default=os.path.join(HERE, "../../.build/rawmill/bin/rawmill"))
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--count", type=int, default=8)
    options.add_argument("--megapixels", type=int, default=24)
    options.add_argument("--markdown")
    given = options.parse_args()
    program = os.path.abspath(given.rawmill)
    with tempfile.TemporaryDirectory(prefix="rawmill-overhead-") as scratch:
        raws = given.raws
        if raws is None:
            raws = os.path.join(scratch, "raws")
            subprocess.run([program, "sample", "--out", raws, "--count", str(given.count), "--megapixels",
                            str(given.megapixels)], check=True, stdout=subprocess.DEVNULL)
        look = os.path.join(scratch, "film.cube")
        film_cube(look)
        text = f"Machine: {machine()}.\n{given.rounds} interleaved rounds, medians.\n\n" + report(
            measure(program, os.path.abspath(raws), look, given.rounds, scratch))
    print(text)
    if given.markdown:
        with open(given.markdown, "w") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    main()
