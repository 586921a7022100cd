#!/usr/bin/env python3
"""Photos a second, milliseconds by stage and peak memory: Rawmill beside every peer that is installed.

usage: throughput.py [--raws DIR] [--rawmill PROGRAM] [--jobs 2] [--rounds 3] [--count 8] [--megapixels 24]
                     [--no-peers] [--markdown FILE] [--plot FILE]

The contenders run in turn, round after round, so that a machine whose speed drifts is unfair to nobody; the ratios
are medians of the rounds' own ratios. Peers from PyPI (rawpy, flashraw, PyTurboJPEG below 2) and the plot (matplotlib) are
used where this Python has them."""
import argparse
import json
import os
import shutil
import statistics
import tempfile

import peers
from measure import machine, run

HERE = os.path.dirname(os.path.abspath(__file__))


def film_cube(path, size=33):
    """A film-like table: as much work as any other of its size."""
    with open(path, "w") as f:
        f.write(f"LUT_3D_SIZE {size}\n")
        for b in range(size):
            for g in range(size):
                for r in range(size):
                    rgb = [v / (size - 1) for v in (r, g, b)]
                    grey = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]
                    out = [min(1, max(0, grey + (v - grey) * s)) for v, s in zip(rgb, (1.15, 1.05, 0.95))]
                    f.write("%.6f %.6f %.6f\n" % tuple(out))


def rawmill_command(program, raws, out, jobs, look):
    return [program, "convert", raws, "--library", os.path.join(out, "library"), "--look", look, "--quality", "90",
            "--jobs", str(jobs), "--json", "--no-progress"]


def stage_milliseconds(outputs):
    """Median milliseconds of each stage over all completed photos."""
    stages = {}
    for line in "".join(outputs).splitlines():
        event = json.loads(line)
        if event["event"] == "completed":
            for stage, ms in event["milliseconds"].items():
                stages.setdefault(stage, []).append(ms)
    return {stage: statistics.median(values) for stage, values in stages.items()}


def measure_all(contenders, files, rounds, scratch):
    """Runs of each contender, by name, in the order they were made."""
    runs = {name: [] for name, _ in contenders}
    for number in range(rounds):
        for name, command in contenders:
            out = os.path.join(scratch, "out")
            shutil.rmtree(out, ignore_errors=True)
            os.makedirs(out)
            result = run(command(files, out))
            pictures = sum(f.endswith(".jpg") and os.path.getsize(os.path.join(folder, f)) > 0
                           for folder, _, names in os.walk(out) for f in names)
            if result.status != 0 or pictures < len(files):
                raise SystemExit(f"{name} failed: status {result.status}, {pictures} pictures of {len(files)}")
            runs[name].append(result)
            print(f"round {number + 1}: {name}: {len(files) / result.seconds:.2f} photos/s", flush=True)
    return runs


def table(runs, count):
    ours = next(iter(runs.values()))
    rows = ["| program | photos/s | Rawmill is faster by | peak memory, one process | all processes |",
            "|---|---|---|---|---|"]
    for name, results in runs.items():
        speed = statistics.median(count / r.seconds for r in results)
        ratio = statistics.median(theirs.seconds / mine.seconds for mine, theirs in zip(ours, results))
        one = max(r.peak_process_bytes for r in results) / 1e6
        tree = max(r.peak_tree_bytes for r in results) / 1e6
        rows.append(f"| {name} | {speed:.2f} | {'' if results is ours else f'{ratio:.1f} ×'} "
                    f"| {one:.0f} MB | {tree:.0f} MB |")
    return "\n".join(rows)


def plot(runs, count, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    names = list(runs)[::-1]
    speeds = [statistics.median(count / r.seconds for r in runs[n]) for n in names]
    figure, axes = pyplot.subplots(figsize=(8, 0.5 * len(names) + 1))
    bars = axes.barh(names, speeds, color=["#999999"] * (len(names) - 1) + ["#c2410c"])
    axes.bar_label(bars, fmt="%.2f", padding=3)
    axes.set_xlabel("photos a second")
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--raws")
    options.add_argument("--rawmill", default=os.path.join(HERE, "../../.build/release/rawmill"))
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--count", type=int, default=8)
    options.add_argument("--megapixels", type=int, default=24)
    options.add_argument("--no-peers", action="store_true")
    options.add_argument("--markdown")
    options.add_argument("--plot")
    given = options.parse_args()
    program = os.path.abspath(given.rawmill)

    with tempfile.TemporaryDirectory(prefix="rawmill-bench-") as scratch:
        raws = given.raws
        if raws is None:
            raws = os.path.join(scratch, "raws")
            run([program, "sample", "--out", raws, "--count", str(given.count), "--megapixels",
                 str(given.megapixels)])
        files = sorted(os.path.join(os.path.abspath(raws), f) for f in os.listdir(raws))
        one = os.path.join(scratch, "one")
        os.makedirs(one)
        shutil.copy(files[0], one)
        look = os.path.join(scratch, "film.cube")
        film_cube(look)

        contenders = [("Rawmill with a 33³ film look",
                       lambda _, out: rawmill_command(program, os.path.abspath(raws), out, given.jobs, look))]
        missing = []
        for name, installed, command in [] if given.no_peers else peers.available():
            if installed:
                contenders.append((name, lambda f, out, c=command: c(f, out, given.jobs)))
            else:
                missing.append(name)
        runs = measure_all(contenders, files, given.rounds, scratch)
        ours = runs[contenders[0][0]]
        single = [run(rawmill_command(program, one, os.path.join(scratch, f"single-{n}"), 1, look))
                  for n in range(given.rounds)]

    stages = stage_milliseconds([r.output for r in ours])
    first = stage_milliseconds([r.output for r in single])
    text = [f"Machine: {machine()}.",
            f"{len(files)} files, {given.jobs} jobs, {given.rounds} interleaved rounds, medians.", "",
            table(runs, len(files)), "",
            "| stage | ms a photo, one thread | ms of a process's first photo |", "|---|---|---|"]
    text += [f"| {stage} | {ms:.0f} | {first.get(stage, 0):.0f} |" for stage, ms in stages.items()]
    text += [f"| all | {sum(stages.values()):.0f} | {sum(first.values()):.0f} |", "",
             f"One photo, program start to exit: {statistics.median(r.seconds for r in single):.2f} s."]
    if missing:
        text.append(f"Not installed, so not measured: {', '.join(missing)}.")
    print("\n" + "\n".join(text))
    if given.markdown:
        with open(given.markdown, "w") as f:
            f.write("\n".join(text) + "\n")
    if given.plot:
        plot(runs, len(files), given.plot)


if __name__ == "__main__":
    main()
