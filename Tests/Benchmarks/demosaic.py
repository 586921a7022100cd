#!/usr/bin/env python3
"""Interpolation quality of mosaics: Rawmill and LibRaw's methods, by colour peak signal-to-noise ratio.

usage: demosaic.py [--photos DIR] [--x-trans] [--rounds 2] [--probe PROGRAM] [--markdown FILE] [--crops FILE]

Each photo is converted to a camera's RAW (mosaic.py), with and without noise, interpolated by each method, and
converted back. CPSNR is over all samples of all three channels, in the photo's own 8-bit display values, except for
eight pixels at the edges. Photos more than 2,000 pixels wide are first halved, because a camera's own JPEG was itself
interpolated. Without a folder, only the chart is measured (chart.py); with one, also the chart.

Needs numpy, Pillow and rawpy:
  python3 -m venv .build/peers && .build/peers/bin/pip install numpy pillow rawpy
  swift build -c release --product engine-benchmark"""
import argparse
import os
import subprocess
import tempfile
import time

import numpy as np
import rawpy
from PIL import Image, ImageDraw, ImageFont

import chart
import mosaic
from measure import machine

HERE = os.path.dirname(os.path.abspath(__file__))
BAYER_METHODS = ["LINEAR", "VNG", "PPG", "AHD", "DCB", "DHT", "AAHD"]
# For X-Trans, LibRaw has one method with one or three passes, selected by these.
X_TRANS_METHODS = {"Markesteijn, 1 pass": "PPG", "Markesteijn, 3 passes": "AHD"}
OURS = "Rawmill"
EDGE = 8


def libraw(method):
    """White-balanced camera colours by LibRaw, and the milliseconds from unpacked samples to pixels."""
    def interpolate(path):
        with rawpy.imread(path) as raw:
            # Accessing the samples unpacks them.
            raw.raw_image.max()
            start = time.process_time()
            pixels = raw.postprocess(
                demosaic_algorithm=rawpy.DemosaicAlgorithm[method], use_camera_wb=True, no_auto_bright=True,
                output_color=rawpy.ColorSpace.raw, output_bps=16, gamma=(1, 1), user_flip=0, adjust_maximum_thr=0)
            return pixels[..., :3] / 65535, (time.process_time() - start) * 1e3
    return interpolate


def rawmill(probe):
    """White-balanced camera colours by Rawmill; the milliseconds are those of all its developing."""
    def interpolate(path):
        out = path + ".f32"
        size = subprocess.run([probe, "planes", path, out], check=True, capture_output=True, text=True).stdout.split()
        data = np.fromfile(out, np.float32)
        os.remove(out)
        gain = data[:9].reshape(3, 3).astype(np.float64) / (0.5 / mosaic.NEUTRAL)[:, None]
        planes = data[9:].reshape(int(size[2]), int(size[0]), 3)
        said = subprocess.run([probe, "develop", path], check=True, capture_output=True, text=True).stdout
        return planes @ np.linalg.inv(gain), float(said)
    return interpolate


def error(photo, balanced):
    """Mean square of the difference, in display values."""
    difference = (mosaic.to_photo(balanced) - photo)[EDGE:-EDGE, EDGE:-EDGE]
    return float((difference ** 2).mean())


def cpsnr(mean_square):
    return 10 * np.log10(255 ** 2 / mean_square)


def judge(photo, pattern, methods, scratch, rounds):
    """By method: CPSNR with and without noise, milliseconds (the minimum of the rounds), and the picture."""
    results = {name: [] for name in methods}
    pictures = {}
    times = {}
    for seed in [None, 1]:
        path = os.path.join(scratch, "mosaic.dng")
        mosaic.write_dng(path, mosaic.mosaic(photo, pattern, seed), pattern)
        for name, interpolate in methods.items():
            for _ in range(rounds):
                balanced, ms = interpolate(path)
                times[name] = min(times.get(name, ms), ms)
            results[name].append(cpsnr(error(photo, balanced)))
            pictures.setdefault(name, balanced)
    return {name: (*results[name], times[name], pictures[name]) for name in methods}


def table(all_results, methods, megapixels):
    """Rows by method: each photo, the mean, the mean with noise, and time."""
    photos = list(all_results)
    rows = ["| method | " + " | ".join(photos) + " | mean | with noise | ms/MP |",
            "|---|" + "---|" * (len(photos) + 3)]
    for name in methods:
        results = [all_results[p][name] for p in photos]
        clean = [r[0] for r in results]
        noisy = [r[1] for r in results]
        milliseconds = sum(r[2] for r in results) / megapixels
        rows.append(f"| {name} | " + " | ".join(f"{c:.2f}" for c in clean)
                    + f" | **{np.mean(clean):.2f}** | {np.mean(noisy):.2f} | {milliseconds:.1f} |")
    return "\n".join(rows)


def crops(results, photo, names, path):
    """Enlarged difficult places of the chart: the original and each method's result."""
    shown = {"original": photo} | {n: np.rint(mosaic.to_photo(results[n][3])) for n in names}
    zoom, gap, head = 3, 6, 22
    _, _, width, height = next(iter(chart.CROPS.values()))
    sheet = Image.new("RGB", ((width * zoom + gap) * len(shown) - gap,
                              head + (height * zoom + gap) * len(chart.CROPS) - gap), "white")
    draw = ImageDraw.Draw(sheet)
    for column, (name, pixels) in enumerate(shown.items()):
        draw.text((column * (width * zoom + gap) + 4, 2), name, "black", ImageFont.load_default(15))
        for row, (left, top, w, h) in enumerate(chart.CROPS.values()):
            piece = Image.fromarray(np.clip(pixels[top:top + h, left:left + w], 0, 255).astype(np.uint8))
            sheet.paste(piece.resize((w * zoom, h * zoom), Image.NEAREST),
                        (column * (width * zoom + gap), head + row * (height * zoom + gap)))
    sheet.save(path)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--photos", default=os.path.join(HERE, "../../../shared/photos"))
    options.add_argument("--x-trans", action="store_true")
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--probe", default=os.path.join(HERE, "../../.build/release/engine-benchmark"))
    options.add_argument("--markdown")
    options.add_argument("--crops")
    given = options.parse_args()
    pattern = mosaic.X_TRANS if given.x_trans else mosaic.BAYER
    methods = {OURS: rawmill(os.path.abspath(given.probe))}
    if given.x_trans:
        methods |= {f"LibRaw {name}": libraw(method) for name, method in X_TRANS_METHODS.items()}
    else:
        methods |= {f"LibRaw {name}": libraw(name) for name in BAYER_METHODS}

    photos = {"chart": chart.chart()}
    if os.path.isdir(given.photos):
        for file in sorted(os.listdir(given.photos)):
            photos[os.path.splitext(file)[0]] = mosaic.read_photo(os.path.join(given.photos, file))
    results = {}
    with tempfile.TemporaryDirectory(prefix="rawmill-demosaic-") as scratch:
        for name, photo in photos.items():
            results[name] = judge(photo, pattern, methods, scratch, given.rounds)
            print(name, photo.shape, {m: round(r[0], 2) for m, r in results[name].items()}, flush=True)
    judged = {n: r for n, r in results.items() if n != "chart"} or results
    megapixels = sum(photos[n].shape[0] * photos[n].shape[1] for n in judged) / 1e6
    text = [f"Machine: {machine()}; one thread, the least of {given.rounds} rounds.", "",
            table(judged, methods, megapixels)]
    if judged is not results:
        text += ["", "The chart: " + ", ".join(f"{m} {r[0]:.2f}" for m, r in results["chart"].items()) + "."]
    print("\n" + "\n".join(text))
    if given.markdown:
        with open(given.markdown, "w") as f:
            f.write("\n".join(text) + "\n")
    if given.crops:
        shown = list(methods) if given.x_trans else [OURS, "LibRaw LINEAR", "LibRaw AHD", "LibRaw DHT"]
        crops(results["chart"], photos["chart"], shown, given.crops)


if __name__ == "__main__":
    main()
