"""Single files of other kinds than the batch's: the time of each stage, relative to the floor, and the memory."""
import os
import re
import statistics
import struct
import subprocess

import ours
from measure import run

STAGES = ["read", "decode", "develop", "encode", "write"]


def make(program, writer, scratch):
    """Name and path of each kind that can be made here: generated samples of other sizes and storage forms, and, if
    the benchmarks are built, a scene in the forms of several cameras and converters."""
    usual, large = (_sample(program, scratch, megapixels) for megapixels in (24, 45))
    kinds = [("24 MP", usual), ("24 MP, turned by a quarter", _turned(usual)), ("24 MP, uncompressed", _plain(usual)),
             ("45 MP", large), ("45 MP, turned by a quarter", _turned(large))]
    return [(name, path) for name, path in kinds if path] + _camera_files(writer, scratch)


def _camera_files(writer, scratch):
    if not os.path.exists(writer):
        return []
    folder = os.path.join(scratch, "camera-files")
    os.makedirs(folder)
    run([writer, folder])
    return [(name, os.path.join(folder, name)) for name in sorted(os.listdir(folder))]


def _sample(program, scratch, megapixels):
    folder = os.path.join(scratch, f"{megapixels}-megapixels")
    run([program, "sample", "--out", folder, "--count", "1", "--megapixels", str(megapixels)])
    return os.path.join(folder, os.listdir(folder)[0])


def _turned(path):
    """The same file with the orientation of an upright camera (TIFF 6.0, tag 274)."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    start, = struct.unpack_from("<I", data, 4)
    count, = struct.unpack_from("<H", data, start)
    for entry in range(start + 2, start + 2 + 12 * count, 12):
        if struct.unpack_from("<H", data, entry)[0] == 274:
            struct.pack_into("<H", data, entry + 8, 6)
    turned = path.replace(".dng", "-turned.dng")
    with open(turned, "wb") as f:
        f.write(data)
    return turned


def _plain(path):
    """The same samples as an uncompressed DNG; None without rawpy."""
    try:
        import mosaic
        import rawpy
    except ImportError:
        return None
    plain = path.replace(".dng", "-plain.dng")
    with rawpy.imread(path) as raw:
        mosaic.write_dng(plain, raw.raw_image, mosaic.BAYER)
    return plain


def floor(probe, path):
    """Milliseconds of unpacking and encoding alone, on one thread; None without the probe or for a file it cannot
    read."""
    if not os.path.exists(probe):
        return None
    said = subprocess.run([probe, "floor", path], capture_output=True, text=True).stdout
    found = re.search(r"unpack ([\d.]+) ms, encode ([\d.]+) ms", said)
    return sum(map(float, found.groups())) if found else None


def table(program, probe, kinds, scratch, rounds, look):
    rows = ["| file | megapixels | " + " | ".join(STAGES) + " | all | ms a megapixel | of the floor | peak memory |",
            "|---|" + "---|" * (len(STAGES) + 5)]
    failures = []
    for name, path in kinds:
        runs, megapixels = ours.alone(program, path, scratch, rounds, look)
        if megapixels is None:
            reason = next((event["reason"] for event in ours.events(runs[0].output, "failed")), "not taken for a RAW")
            failures.append(f"{name} ({reason})")
            continue
        stages = ours.stage_milliseconds([r.output for r in runs])
        total = sum(stages.values())
        least = floor(probe, path)
        memory = statistics.median(r.peak_process_bytes for r in runs) / 1e6
        rows.append(f"| {name} | {megapixels:.1f} | " + " | ".join(f"{stages.get(s, 0):.0f}" for s in STAGES)
                    + f" | {total:.0f} | {total / megapixels:.1f} | {'' if least is None else f'{least / total:.0%}'}"
                    f" | {memory:.0f} MB |")
        print(rows[-1], flush=True)
    if failures:
        rows += ["", f"Not rendered: {', '.join(failures)}."]
    return "\n".join(rows)
