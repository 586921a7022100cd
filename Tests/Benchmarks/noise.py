#!/usr/bin/env python3
"""The effect of chroma noise reduction: on noise in flat patches, and on photos.

usage: noise.py [--photos DIR] [--x-trans] [--wells 40000,…] [--probe PROGRAM] [--markdown FILE] [--crops FILE]

Photos and 24 flat patches are converted to RAWs (mosaic.py) of sensors whose saturated samples hold 40,000 electrons
at ISO 100 and proportionally fewer at higher ISO speeds, with three electrons of read noise, and developed with and
without noise reduction. Noise is the standard deviation in the patches of CIELAB's a* and b* (together) and of its
L*; CPSNR as in demosaic.py.

Needs numpy and Pillow, and the benchmark of the engine (see demosaic.py)."""
import argparse
import os
import subprocess
import tempfile

import numpy as np
from PIL import Image

import chart
import colour
import demosaic
import mosaic

HERE = os.path.dirname(os.path.abspath(__file__))
SPEEDS = [100, 400, 800, 1600, 3200, 6400, 12800]
PATCH = 64
#: sRGB of 24 patches: six hues light and dark, and greys.
PATCHES = [(r, g, b) for level in (70, 170) for r, g, b in
           [(level, 30, 30), (30, level, 30), (30, 30, level), (level, level, 40), (level, 40, level), (40, level, level)]
           ] + [(v, v, v) for v in range(20, 236, 19)]


def patches():
    colours = np.array(PATCHES, np.uint8).reshape(4, 6, 3)
    return colours.repeat(PATCH, 0).repeat(PATCH, 1)


def develop(probe, path, reduce):
    out = path + ".f32"
    words = [probe, "planes", path, out] + ([] if reduce else ["noisy"])
    size = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    data = np.fromfile(out, np.float32)
    os.remove(out)
    gain = data[:9].reshape(3, 3).astype(np.float64) / (0.5 / mosaic.NEUTRAL)[:, None]
    return data[9:].reshape(int(size[2]), int(size[0]), 3) @ np.linalg.inv(gain)


def lab(balanced):
    return colour.lab(np.clip(balanced @ np.linalg.inv(mosaic.RGB_TO_BALANCED).T / mosaic.EXPOSURE, 0, 1))


def patch_noise(balanced):
    """Deviations of L*, and of a* and b* together, averaged over the patches."""
    values = lab(balanced)
    found = []
    for i in range(24):
        top, left = i // 6 * PATCH + 12, i % 6 * PATCH + 12
        piece = values[top:top + PATCH - 24, left:left + PATCH - 24].reshape(-1, 3)
        found.append(piece.var(0))
    mean = np.mean(found, 0)
    return np.sqrt(mean[0]), np.sqrt(mean[1] + mean[2])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--photos", default=os.path.join(HERE, "../../../shared/photos"))
    options.add_argument("--x-trans", action="store_true")
    options.add_argument("--wells", default="40000")
    options.add_argument("--speeds", default=",".join(map(str, SPEEDS)))
    options.add_argument("--probe", default=os.path.join(HERE, "../../.build/release/engine-benchmark"))
    options.add_argument("--markdown")
    options.add_argument("--crops")
    given = options.parse_args()
    pattern = mosaic.X_TRANS if given.x_trans else mosaic.BAYER
    photos = {"chart": chart.chart()}
    if os.path.isdir(given.photos):
        for file in sorted(os.listdir(given.photos)):
            photos[os.path.splitext(file)[0]] = mosaic.read_photo(os.path.join(given.photos, file))[:1000, :1500]
    rows = ["| well at ISO 100 | ISO | a*b* noise | L* noise | " + " | ".join(photos) + " |",
            "|---|---|---|---|" + "---|" * len(photos)]
    shown = {}
    with tempfile.TemporaryDirectory(prefix="rawmill-noise-") as scratch:
        path = os.path.join(scratch, "noise.dng")
        for well in map(int, given.wells.split(",")):
            for speed in map(int, given.speeds.split(",")):
                def both(picture):
                    counts = mosaic.mosaic(picture, pattern, 1, well * 100 / speed)
                    mosaic.write_dng(path, counts, pattern, speed)
                    return [develop(os.path.abspath(given.probe), path, reduce) for reduce in (False, True)]
                before, after = map(patch_noise, both(patches()))
                cells = [f"{before[1]:.2f} → {after[1]:.2f}", f"{before[0]:.2f} → {after[0]:.2f}"]
                for name, photo in photos.items():
                    pictures = both(photo)
                    cells.append(" → ".join(
                        f"{demosaic.cpsnr(demosaic.error(photo, p)):.2f}" for p in pictures))
                    shown[name, speed] = (photo, *map(mosaic.to_photo, pictures))
                rows.append(f"| {well:,} | {speed} | " + " | ".join(cells) + " |")
                print(rows[-1], flush=True)
    if given.markdown:
        with open(given.markdown, "w") as f:
            f.write("\n".join(rows) + "\n")
    if given.crops:
        strips = [np.hstack([np.rint(np.clip(p[150:330, 100:400], 0, 255)).astype(np.uint8) for p in pictures])
                  for (name, speed), pictures in shown.items() if speed in (3200, 12800)]
        Image.fromarray(np.vstack(strips)).save(given.crops)


if __name__ == "__main__":
    main()
