"""Writes the README's picture: freely licensed photos, in several looks.

usage: look_photos.py RAWMILL      (the program; everything else is made in a temporary folder)

The photos come with scikit-image (PyPI): a cat by Stefan van der Walt and coffee by Rachel Michetti, both CC0, and a
rocket by SpaceX, in the public domain. They are finished pictures, so they are first converted back to light:
decoded, with their highlights as bright again as a film would see them. As raw files (linear DNG) they are then
processed like any other, including grain and halation.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import PIL.Image
import PIL.ImageDraw
import skimage.data

HERE = pathlib.Path(__file__).resolve().parent
RESULT = HERE.parent.parent / "Sources/Programs/rawmill/Documentation.docc/Resources/look-photos.jpg"
PHOTOS = ("chelsea", "coffee", "rocket")
LOOKS = ("neutral", "daylight", "velvet", "postcard", "nocturne", "instant", "silver-pushed")
WIDTH, HEIGHT, GAP, CAPTION = 216, 144, 6, 16
# Light of a white wall, and the highest light relative to it.
HIGHEST = 3.0


def photo(name):
    """The middle of a photo in the format of a film's frame, with 8 bits per channel."""
    picture = getattr(skimage.data, name)()[..., :3]
    height, width = picture.shape[:2]
    wide = min(width, height * 3 // 2)
    high = min(height, width * 2 // 3)
    top, left = (height - high) // 2, (width - wide) // 2
    # Four pixels for each, so that grain has its size.
    crop = PIL.Image.fromarray(picture[top : top + high, left : left + wide])
    return np.asarray(crop.resize((1800, 1200), PIL.Image.Resampling.LANCZOS))


def light(picture):
    """Linear light of sRGB, 0 to HIGHEST, as before a shoulder that compressed it to 1."""
    value = picture / 255
    shown = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return shown / (1 - (1 - 1 / HIGHEST) * shown)


def dng(picture):
    """A linear DNG of a camera with sRGB's primaries."""
    samples = np.round(light(picture) / HIGHEST * 65535).astype("<u2")
    height, width = samples.shape[:2]
    matrix = [3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259, 1.0572252]
    entries = []
    extra = b""
    count = 15
    start = 8 + 2 + 12 * count + 4

    def add(tag, kind, values, size):
        nonlocal extra
        number = len(values)
        data = struct.pack("<" + size * number, *values) if kind != 10 and kind != 5 else b"".join(
            struct.pack("<ii", round(v * 10000), 10000) for v in values)
        if len(data) > 4:
            place = start + len(extra)
            extra += data + b"\0" * (len(data) % 2)
            data = struct.pack("<I", place)
        entries.append(struct.pack("<HHI", tag, kind, number) + data.ljust(4, b"\0"))

    model = b"Pictures of sRGB\0"
    add(254, 4, [0], "I")
    add(256, 4, [width], "I")
    add(257, 4, [height], "I")
    add(258, 3, [16, 16, 16], "H")
    add(259, 3, [1], "H")
    add(262, 3, [34892], "H")
    offset = len(entries)
    add(273, 4, [0], "I")
    add(274, 3, [1], "H")
    add(277, 3, [3], "H")
    add(278, 4, [height], "I")
    add(279, 4, [samples.nbytes], "I")
    add(50706, 1, [1, 4, 0, 0], "B")
    add(50708, 2, list(model), "B")
    add(50721, 10, matrix, "")
    add(50728, 5, [1, 1, 1], "")
    assert len(entries) == count
    entries[offset] = struct.pack("<HHII", 273, 4, 1, start + len(extra))
    head = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", count) + b"".join(entries) + struct.pack("<I", 0)
    return head + extra + samples.tobytes()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    wide = len(LOOKS) * (WIDTH + GAP) + GAP
    sheet = PIL.Image.new("RGB", (wide, GAP + len(PHOTOS) * (HEIGHT + GAP) + CAPTION), (250, 250, 248))
    draw = PIL.ImageDraw.Draw(sheet)
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        (folder / "raws").mkdir()
        for name in PHOTOS:
            (folder / "raws" / f"{name}.dng").write_bytes(dng(photo(name)))
        words = ["convert", "raws", "--out", "out", "--state", "state", "--format", "png", "--long-edge", 2 * WIDTH]
        words += ["--name", "{base}.{look}.{ext}", "--quiet"]
        for look in LOOKS:
            words += ["--look", look]
        subprocess.run([program, *map(str, words)], cwd=folder, check=True)
        for row, name in enumerate(PHOTOS):
            for column, look in enumerate(LOOKS):
                picture = PIL.Image.open(folder / "out" / f"{name}.{look}.png").convert("RGB")
                picture = picture.resize((WIDTH, HEIGHT), PIL.Image.Resampling.LANCZOS)
                sheet.paste(picture, (GAP + column * (WIDTH + GAP), GAP + row * (HEIGHT + GAP)))
    for column, look in enumerate(LOOKS):
        draw.text((GAP + column * (WIDTH + GAP), sheet.height - CAPTION), look, fill=(40, 40, 40))
    sheet.save(RESULT, quality=88, optimize=True)
    print(RESULT, sheet.size)


if __name__ == "__main__":
    main()
