"""RAWs of which everything is known, as further rows of the comparison."""
import os

import numpy as np

import checker
import mosaic
from measure import run

WELL = 40_000
#: A photo is taken at these ISO speeds.
SPEEDS = [100, 3200]
#: Quantisation step of the lossy file's transform, in counts: enough to ring by some per cent at the edge of a lamp.
LOSSY_STEP = 900


def write(program, photos, folder):
    """Writes them. By name: the path; the picture it is of, where there is one, as 8-bit sRGB; corners of its chart."""
    os.makedirs(folder, exist_ok=True)
    rows = []

    def add(name, counts, speed=100, photo=None, corners=None):
        path = os.path.join(folder, name + ".dng")
        mosaic.write_dng(path, counts, mosaic.BAYER, speed)
        rows.append((name, path, photo, corners))

    chart, corners = checker.picture()
    add("colorchecker", mosaic.expose(chart, mosaic.BAYER, 1, WELL), corners=corners)
    counts = mosaic.expose(lamps(), mosaic.BAYER, 1, WELL)
    add("lamps", counts)
    add("lamps-lossy", lossy(np.minimum(counts, mosaic.WHITE - 1200)))
    if os.path.isdir(photos):
        for number, file in enumerate(sorted(os.listdir(photos))):
            photo = mosaic.read_photo(os.path.join(photos, file))[:2000, :2000]
            for speed in SPEEDS if number == 0 else SPEEDS[:1]:
                counts = mosaic.mosaic(photo, mosaic.BAYER, 1, WELL * 100 / speed)
                add(f"{os.path.splitext(file)[0]}-iso{speed}", counts, speed, photo)
    samples = os.path.join(folder, "samples")
    run([program, "sample", "--out", samples, "--count", "1", "--megapixels", "6"])
    rows += [("sample", os.path.join(samples, file), None, None) for file in sorted(os.listdir(samples))]
    return rows


def lamps(width=1200, height=800):
    """Light of a dusk with a sun that burns out, lamps of six colours brighter than any sensor holds, and two balls, one
    like skin, with a shine on each."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    up = np.clip(1 - y / (height * 0.6), 0, 1)[..., None]
    light = 0.08 + up * np.array([0.22, 0.36, 0.62], np.float32)
    sun = np.hypot(x - width * 0.86, y - height * 0.2)
    light += (6 * np.exp(-(sun / 60) ** 2) + 1.1 * np.exp(-sun / 260))[..., None] * np.array((1, 0.86, 0.62), np.float32)
    light *= np.where(y[..., None] > height * 0.6, np.array([0.5, 0.42, 0.34], np.float32), 1)
    colours = [(1, 0.5, 0.1), (1, 0.06, 0.04), (0.08, 0.9, 0.2), (0.06, 0.16, 1), (0.9, 0.1, 0.8), (1, 0.93, 0.82)]
    for i, lamp in enumerate(colours):
        far = np.hypot(x - width * (0.1 + 0.12 * i), y - height * 0.45)
        light += (20 * np.exp(-(far / 14) ** 2) + 1.2 * np.exp(-far / 30))[..., None] * np.array(lamp, np.float32)
    for centre, skin in [(0.25, (0.62, 0.36, 0.25)), (0.6, (0.55, 0.56, 0.55))]:
        u, v = (x - width * centre) / (height * 0.17), (y - height * 0.78) / (height * 0.17)
        inside = u * u + v * v < 1
        z = np.sqrt(np.maximum(0, 1 - u * u - v * v))
        facing = np.maximum(0, 0.45 * u - 0.5 * v + 0.74 * z)[..., None]
        ball = (0.05 + facing) * np.array(skin, np.float32) * 1.1 + 3.0 * facing ** 40
        light = np.where(inside[..., None], ball, light)
    return light


def lossy(counts):
    """As after a lossy codec: each colour's plane in blocks of 8 × 8, whose cosine transform is quantised more coarsely
    the finer the detail. What is saturated rings above and below its level."""
    n = np.arange(8)
    basis = np.cos(np.pi * (2 * n + 1) * n[:, None] / 16) * np.where(n[:, None], 0.5, np.sqrt(0.125))
    step = LOSSY_STEP * (n + n[:, None]) / 14 + 1
    out = np.empty_like(counts)
    for top in (0, 1):
        for left in (0, 1):
            plane = counts[top::2, left::2].astype(np.float64)
            height, width = (side // 8 * 8 for side in plane.shape)
            blocks = plane[:height, :width].reshape(height // 8, 8, width // 8, 8).transpose(0, 2, 1, 3)
            coded = np.rint(basis @ blocks @ basis.T / step) * step
            plane[:height, :width] = (basis.T @ coded @ basis).transpose(0, 2, 1, 3).reshape(height, width)
            out[top::2, left::2] = np.clip(np.rint(plane), 0, mosaic.WHITE)
    return out
