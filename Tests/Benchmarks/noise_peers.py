#!/usr/bin/env python3
"""The detail of a photo that remains under noise, compared with other RAW developers, each with its default settings.

usage: noise_peers.py [--photos DIR] [--speeds 3200,…] [--probe PROGRAM] [--crops FILE]

Photos become RAWs of a sensor whose saturated samples hold 40,000 electrons at ISO 100, once without noise and once
with that of an ISO speed (mosaic.py). Each program develops both; its clean result is its own reference. The figure
is the signal-to-noise ratio in dB over red, green and blue: the deviation of the clean picture relative to the root
mean square of the difference, so that more contrast is no disadvantage. It does not show blur of the clean picture:
look at the crops.

Needs numpy and Pillow, and the benchmark of the engine (see demosaic.py)."""
import argparse
import os
import subprocess
import tempfile

import numpy as np
from PIL import Image

import contenders
import mosaic
import peers

HERE = os.path.dirname(os.path.abspath(__file__))
ELECTRONS = 40_000


def ours(probe, raw, out):
    subprocess.run([probe, "render", raw, out], check=True, capture_output=True)
    return out


def peer(command, raw, out):
    made, reason = contenders.peer(command, raw, out, os.cpu_count())
    if made is None:
        raise SystemExit(f"{raw}: {reason}")
    return made


def programs(probe):
    found = {"Rawmill": lambda raw, out: ours(probe, raw, os.path.join(out, "photo.ppm"))}
    for name, installed, command in peers.available(95, True):
        if installed and name in ("rawtherapee-cli", "darktable-cli", "dcraw_emu AHD + cjpeg"):
            found[name] = lambda raw, out, c=command: peer(c, raw, out)
    return found


def ratio(clean, noisy):
    size = np.minimum(clean.shape, noisy.shape)
    clean, noisy = (picture[8:size[0] - 8, 8:size[1] - 8].astype(np.float64) for picture in (clean, noisy))
    return 20 * np.log10(clean.std() / np.sqrt(np.mean((clean - noisy) ** 2)))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--photos", default=os.path.join(HERE, "../../../shared/photos"))
    options.add_argument("--speeds", default="3200,12800")
    options.add_argument("--probe", default=os.path.join(HERE, "../../.build/release/engine-benchmark"))
    options.add_argument("--crops")
    given = options.parse_args()
    found = programs(os.path.abspath(given.probe))
    photos = sorted(file for file in os.listdir(given.photos) if file.endswith(".jpg"))
    print("| ISO | photo | " + " | ".join(found) + " |\n|---|---|" + "---|" * len(found))
    strips = []
    with tempfile.TemporaryDirectory(prefix="rawmill-noise-") as scratch:
        for speed in map(int, given.speeds.split(",")):
            for photo in photos:
                light = mosaic.read_photo(os.path.join(given.photos, photo))[:1000, :1500]
                raws = [os.path.join(scratch, name + ".dng") for name in ("clean", "noisy")]
                for raw, seed in zip(raws, (None, 1)):
                    counts = mosaic.mosaic(light, mosaic.BAYER, seed, ELECTRONS * 100 / speed)
                    mosaic.write_dng(raw, counts, mosaic.BAYER, speed)
                cells, crops = [], []
                for develop in found.values():
                    pictures = []
                    for raw in raws:
                        with tempfile.TemporaryDirectory(dir=scratch) as out:
                            pictures.append(np.asarray(Image.open(develop(raw, out)).convert("RGB")))
                    cells.append(f"{ratio(*pictures):.2f}")
                    crops.append(pictures[1][300:480, 300:600])
                strips.append(np.hstack(crops))
                print(f"| {speed} | {os.path.splitext(photo)[0]} | " + " | ".join(cells) + " |", flush=True)
    if given.crops:
        Image.fromarray(np.vstack(strips)).save(given.crops)


if __name__ == "__main__":
    main()
