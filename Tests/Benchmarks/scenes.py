"""RAWs with known contents, as further rows of the comparison."""
import os

import numpy as np

import burnt
import checker
import mosaic
from measure import run

WELL = 40_000
#: ISO speeds of a photo.
SPEEDS = [100, 3200]
#: Quantisation step of the lossy file's transform, in counts: enough for ringing of some per cent at the edge of a
#: lamp.
LOSSY_STEP = 900


def write(program, photos, folder):
    """Writes the RAWs. By name: the path; the original picture, if there is one, as 8-bit sRGB; corners of its chart."""
    os.makedirs(folder, exist_ok=True)
    rows = []

    def add(name, counts, speed=100, photo=None, corners=None):
        path = os.path.join(folder, name + ".dng")
        mosaic.write_dng(path, counts, mosaic.BAYER, speed)
        rows.append((name, path, photo, corners))

    chart, corners = checker.picture()
    add("colorchecker", mosaic.expose(chart, mosaic.BAYER, 1, WELL), corners=corners)
    add("noon", mosaic.expose(burnt.noon(), mosaic.BAYER, 1, WELL))
    counts = mosaic.expose(burnt.street(), mosaic.BAYER, 1, WELL)
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


def lossy(counts):
    """As after a lossy codec: each colour's plane in blocks of 8 × 8, whose cosine transform is quantised more
    coarsely for finer detail. Saturated areas ring above and below their level."""
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
