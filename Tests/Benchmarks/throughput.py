#!/usr/bin/env python3
"""Photos per second, milliseconds by stage and peak memory: Rawmill and every installed peer.

usage: throughput.py [--raws DIR] [--real DIR] [--rawmill PROGRAM] [--probe PROGRAM] [--jobs 2] [--rounds 3]
                     [--count 8] [--megapixels 24] [--no-peers | --peers WORDS] [--markdown FILE] [--plot FILE]

The contenders alternate, round after round, each round in another order, so that drifting speed, or a machine that
reclaims unused memory after some seconds, favours none; the ratios are medians of the rounds' ratios. Then files of
other kinds, and each file of a folder of real ones, are rendered singly: milliseconds by stage, compared with the
floor of unpacking and encoding alone, by

  swift build -c release -Xcc -march=x86-64-v3 --product engine-benchmark

`camera-files`, built in the same way, adds DNGs with tables as Adobe's encoder writes them, and other makers' forms.

Peers from PyPI (rawpy, flashraw, PyTurboJPEG below 2) and the plot (matplotlib) are used if this Python has them.
`--peers flashraw,AHD` selects those whose names contain one of the words, which shows the result of a long run
(`--count 24`) in minutes."""
import argparse
import os
import random
import shutil
import statistics
import tempfile

import kinds
import ours
import peers
from measure import machine, run

HERE = os.path.dirname(os.path.abspath(__file__))


def measure_all(contenders, files, rounds, scratch):
    """Runs of each contender, by name, in order."""
    runs = {name: [] for name, _ in contenders}
    for number in range(rounds):
        for name, command in random.Random(number).sample(contenders, len(contenders)):
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
    first = next(iter(runs.values()))
    rows = ["| program | photos/s | Rawmill is faster by | peak memory, one process | all processes |",
            "|---|---|---|---|---|"]
    for name, results in runs.items():
        speed = statistics.median(count / r.seconds for r in results)
        ratio = statistics.median(theirs.seconds / mine.seconds for mine, theirs in zip(first, results))
        one = max(r.peak_process_bytes for r in results) / 1e6
        tree = max(r.peak_tree_bytes for r in results) / 1e6
        rows.append(f"| {name} | {speed:.2f} | {'' if results is first else f'{ratio:.1f} ×'} "
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


def stage_table(batch, first, megapixels, least):
    """Of the batch's photos, and of the first one a process renders."""
    rows = ["| stage | ms a photo, one thread | ms a megapixel | ms of a process's first photo |", "|---|---|---|---|"]
    stages = {**batch, "all": sum(batch.values())}
    beginning = {**first, "all": sum(first.values())}
    rows += [f"| {stage} | {ms:.0f} | {ms / megapixels:.2f} | {beginning.get(stage, 0):.0f} |"
             for stage, ms in stages.items()]
    if least:
        rows += ["", f"The floor, unpacking and encoding alone, is {least:.0f} ms: "
                 f"a photo of the batch reaches {least / stages['all']:.0%} of its speed."]
    return rows


def arguments():
    options = argparse.ArgumentParser()
    options.add_argument("--raws")
    options.add_argument("--real", default=os.path.join(HERE, "../../../shared/raw"))
    options.add_argument("--rawmill", default=os.path.join(HERE, "../../.build/rawmill/bin/rawmill"))
    options.add_argument("--probe", default=os.path.join(HERE, "../../.build/release/engine-benchmark"))
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--count", type=int, default=8)
    options.add_argument("--megapixels", type=int, default=24)
    options.add_argument("--no-peers", dest="peers", action="store_const", const=[], default=[""])
    options.add_argument("--peers", type=lambda words: words.split(","))
    options.add_argument("--markdown")
    options.add_argument("--plot")
    return options.parse_args()


def main():
    given = arguments()
    program = os.path.abspath(given.rawmill)
    with tempfile.TemporaryDirectory(prefix="rawmill-bench-") as scratch:
        raws = given.raws
        if raws is None:
            raws = os.path.join(scratch, "raws")
            run([program, "sample", "--out", raws, "--count", str(given.count), "--megapixels",
                 str(given.megapixels)])
        files = sorted(os.path.join(os.path.abspath(raws), f) for f in os.listdir(raws))
        look = os.path.join(scratch, "film.cube")
        ours.film_cube(look)

        # The peers write 4:2:0.
        contenders = [(name, lambda _, out, more=more: ours.command(
            program, os.path.abspath(raws), out, given.jobs, look, 90, *more))
            for name, more in (("Rawmill with a 33³ film look, 4:2:0 as its peers", ["--subsampling", "420"]),
                               ("Rawmill with a 33³ film look, 4:4:4", []))]
        missing = []
        for name, installed, command in peers.available():
            if not any(word in name for word in given.peers):
                continue
            if installed:
                contenders.append((name, lambda f, out, c=command: c(f, out, given.jobs)))
            else:
                missing.append(name)
        runs = measure_all(contenders, files, given.rounds, scratch)
        batch = ours.stage_milliseconds([r.output for r in runs[contenders[0][0]]])
        single, megapixels = ours.alone(program, files[0], scratch, given.rounds, look)
        first = ours.stage_milliseconds([r.output for r in single])
        least = kinds.floor(given.probe, files[0])
        others = kinds.make(program, os.path.join(os.path.dirname(given.probe), "camera-files"), scratch)
        if os.path.isdir(given.real):
            others += [(name, os.path.join(given.real, name)) for name in sorted(os.listdir(given.real))
                       if not name.endswith(".md")]
        by_kind = kinds.table(program, given.probe, others, scratch, given.rounds, look)

    text = [f"Machine: {machine()}.",
            f"{len(files)} files, {given.jobs} jobs, {given.rounds} interleaved rounds, medians.", "",
            table(runs, len(files)), "", *stage_table(batch, first, megapixels, least), "",
            f"One photo, program start to exit: {statistics.median(r.seconds for r in single):.2f} s.", "",
            "Single files, one thread, milliseconds:", "", by_kind]
    if missing:
        text.append(f"Not installed, so not measured: {', '.join(missing)}.")
    if not os.path.exists(given.probe):
        text.append("The engine's benchmark is not built, so there is no floor.")
    print("\n" + "\n".join(text))
    if given.markdown:
        with open(given.markdown, "w") as f:
            f.write("\n".join(text) + "\n")
    if given.plot:
        plot(runs, len(files), given.plot)


if __name__ == "__main__":
    main()
