"""Rawmill's own runs: its command line, and its reports about each photo."""
import json
import os
import shutil
import statistics
import struct

from measure import run


def film_cube(path, size=33):
    """A film-like table, as expensive as any other of its size."""
    with open(path, "w") as f:
        f.write(f"LUT_3D_SIZE {size}\n")
        for b in range(size):
            for g in range(size):
                for r in range(size):
                    rgb = [v / (size - 1) for v in (r, g, b)]
                    grey = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]
                    out = [min(1, max(0, grey + (v - grey) * s)) for v, s in zip(rgb, (1.15, 1.05, 0.95))]
                    f.write("%.6f %.6f %.6f\n" % tuple(out))


def command(program, raws, out, jobs, look, quality=90, *more):
    return [program, "convert", raws, "--library", os.path.join(out, "library"), "--look", look, "--quality",
            str(quality), "--jobs", str(jobs), "--json", "--no-progress", *more]


def events(output, kind):
    return [event for event in map(json.loads, output.splitlines()) if event["event"] == kind]


def stage_milliseconds(outputs):
    """Median milliseconds of each stage over all completed photos."""
    stages = {}
    for output in outputs:
        for event in events(output, "completed"):
            for stage, ms in event["milliseconds"].items():
                stages.setdefault(stage, []).append(ms)
    return {stage: statistics.median(values) for stage, values in stages.items()}


def alone(program, file, scratch, rounds, look):
    """Runs of a single file, each in a new library with one render process of one thread."""
    folder = os.path.join(scratch, "alone")
    runs = []
    for _ in range(rounds):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "raws"))
        shutil.copy(file, os.path.join(folder, "raws"))
        runs.append(run(command(program, os.path.join(folder, "raws"), folder, 1, look)))
        photo = next((event["photo"] for event in events(runs[-1].output, "completed")), None)
        megapixels = jpeg_megapixels(photo) if photo else None
    return runs, megapixels


def jpeg_megapixels(path):
    """From the frame header (ITU-T T.81, B.2.2)."""
    with open(path, "rb") as f:
        f.seek(2)
        while True:
            marker, length = struct.unpack(">HH", f.read(4))
            if marker in (0xFFC0, 0xFFC1, 0xFFC2):
                _, height, width = struct.unpack(">BHH", f.read(5))
                return width * height / 1e6
            f.seek(length - 2, 1)
