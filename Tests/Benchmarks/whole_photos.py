#!/usr/bin/env python3
"""The cost of a whole photo of each format: processor time of all processes, compared with a DNG of the same scene.

usage: whole_photos.py FOLDER [FILE…] [--base one-table.dng] [--rawmill PROGRAM] [--rounds 5] [--photos 4]

FOLDER has the files of `camera-files` and `dng_forms.py`. A run converts some copies of a file into a new library by
one render process, with the neutral look and the defaults of `convert`. The base is measured right before each file
in each round, so that drifting speed favours none. Prints a table: milliseconds per photo, minimum and median, and
the median of the ratios to the base."""
import argparse
import os
import shutil
import statistics
import struct
import subprocess
import tempfile

from measure import machine

HERE = os.path.dirname(os.path.abspath(__file__))


def copies(path, count, scratch):
    """A folder of copies, each with a number appended in a box that readers skip: of identical files only the first
    is developed."""
    folder = os.path.join(scratch, "raws", os.path.basename(path))
    os.makedirs(folder, exist_ok=True)
    for number in range(count):
        target = os.path.join(folder, f"{number}{os.path.splitext(path)[1]}")
        if not os.path.exists(target):
            shutil.copy(path, target)
            with open(target, "ab") as f:
                f.write(struct.pack(">I4sI", 12, b"free", number))
    return folder


def milliseconds(program, folder, count, scratch):
    """Processor time per photo, user and system, of the program and all processes that it started and waited for."""
    out = os.path.join(scratch, "out")
    shutil.rmtree(out, ignore_errors=True)
    process = subprocess.Popen([program, "convert", folder, "--library", out, "--look", "neutral", "--jobs", "1", "--no-progress"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    pictures = [name for _, _, names in os.walk(os.path.join(out, "photos")) for name in names if name.endswith(".jpg")]
    if process.returncode != 0 or len(pictures) != count:
        raise SystemExit(f"{folder}: status {process.returncode}, {len(pictures)} pictures of {count}")
    return (usage.ru_utime + usage.ru_stime) * 1000 / count


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder")
    options.add_argument("files", nargs="*")
    options.add_argument("--base", default="one-table.dng")
    options.add_argument("--rawmill", default=os.path.join(HERE, "../../.build/rawmill/bin/rawmill"))
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--photos", type=int, default=4)
    given = options.parse_args()
    names = given.files or sorted(name for name in os.listdir(given.folder) if name != given.base)
    with tempfile.TemporaryDirectory(prefix="rawmill-photos-") as scratch:
        def measure(name):
            folder = copies(os.path.join(given.folder, name), given.photos, scratch)
            return milliseconds(os.path.abspath(given.rawmill), folder, given.photos, scratch)

        measure(given.base)
        base, times, ratios = [], {name: [] for name in names}, {name: [] for name in names}
        for number in range(given.rounds):
            for name in names:
                base.append(measure(given.base))
                times[name].append(measure(name))
                ratios[name].append(times[name][-1] / base[-1])
                print(f"round {number + 1}: {name}: {times[name][-1]:.0f} ms, {ratios[name][-1]:.2f}", flush=True)
    print(f"\nMachine: {machine()}. {given.rounds} rounds, {given.photos} photos a run.\n")
    print("| file | ms a photo, least | median | beside the base |\n|---|---|---|---|")
    print(f"| {given.base} | {min(base):.0f} | {statistics.median(base):.0f} | 1 |")
    for name in names:
        print(f"| {name} | {min(times[name]):.0f} | {statistics.median(times[name]):.0f} | {statistics.median(ratios[name]):.2f} |")


if __name__ == "__main__":
    main()
